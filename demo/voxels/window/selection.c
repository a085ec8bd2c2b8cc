/* SPDX-License-Identifier: MIT */
#include "tools_internal.h"
#include "widgets.h"

Edit selectionEdit(const Tools *tools, uint32_t tool) {
    return (Edit){
        .tool = tool,
        .shape = SHAPE_CUBOID,
        .ax = tools->low[0],
        .ay = tools->low[1],
        .az = tools->low[2],
        .bx = tools->high[0],
        .by = tools->high[1],
        .bz = tools->high[2],
        .colors = toolsColors(tools),
    };
}

const char *selectionLacksCopy(void) {
    return widgetSays("nothing was copied: # selects, # copies", COMMAND_TOOL_LAST, COMMAND_COPY);
}

/* What is selected, emptied; or copied, and then emptied, or pasted next, perhaps in place of what
 * is there. */
void selectionCommand(Tools *tools, Command command) {
    const bool empties = command == COMMAND_DELETE || command == COMMAND_CUT;
    const bool pastes = command == COMMAND_DUPLICATE || command == COMMAND_MOVE;
    const Edit dig = selectionEdit(tools, TOOL_DIG);
    if (!empties && !pastes && command != COMMAND_COPY) {
        return;
    }
    if (!tools->selected) {
        tools->words = widgetSays("nothing is selected: # selects a box by dragging",
                                  COMMAND_TOOL_LAST);
        return;
    }
    tools->strokes += empties;
    if (command == COMMAND_DELETE) {
        requestMirrored(tools, &dig);
        return;
    }
    requestAsk(tools, &(Queued){.request = REQUEST_COPY, .edit = dig});
    if (empties) {
        requestEdit(tools, &dig);
    }
    tools->words = pastes ? widgetSays("click where it goes; # turns, # gives up", COMMAND_TURN,
                                       COMMAND_CANCEL)
                          : "copied";
    tools->tool = pastes ? TOOL_PASTE : tools->tool;
    tools->moving = command == COMMAND_MOVE;
    tools->turn = 0;
}

void selectionPaste(Tools *tools, const World *world, const int32_t at[3]) {
    int32_t size[3];
    Edit edit = toolsBrush(tools);
    editPasteSize(world->store.clip, tools->turn, size);
    edit.ax = at[0] - size[0] / 2;
    edit.ay = at[1];
    edit.az = at[2] - size[2] / 2;
    if (tools->moving) {
        const Edit dig = selectionEdit(tools, TOOL_DIG);
        requestEdit(tools, &dig);
    }
    requestEdit(tools, &edit);
    if (tools->moving) { /* it is selected where it is now */
        const int32_t low[3] = {edit.ax, edit.ay, edit.az};
        for (int i = 0; i < 3; ++i) {
            tools->low[i] = low[i];
            tools->high[i] = low[i] + size[i] - 1;
        }
        tools->moving = false;
        tools->tool = TOOL_SELECT;
    }
}
