/* SPDX-License-Identifier: MIT */
#include "tools_internal.h"
#include "widgets.h"

#include <string.h>

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

static bool isSelected(Tools *tools) {
    if (!tools->selected) {
        tools->words = widgetSays("nothing is selected: # selects a box by dragging",
                                  COMMAND_TOOL_LAST);
    }
    return tools->selected;
}

static bool canCopy(Tools *tools, const World *world) {
    const bool can = worldCanCopy(world, tools->low, tools->high);
    if (!can) {
        tools->words = "too large to copy: --clipboard-mib makes room";
    }
    return can;
}

static void copy(Tools *tools) {
    const Edit box = selectionEdit(tools, TOOL_DIG);
    requestAsk(tools, &(Queued){.request = REQUEST_COPY, .edit = box});
    for (int i = 0; i < 3; ++i) {
        tools->clip[i] = (uint32_t)(tools->high[i] - tools->low[i] + 1);
        tools->shift[i] = 0;
    }
    tools->turn = 0;
}

/* What was copied last comes to a place; if it moves, from where it was, and it is selected there.
 */
static void paste(Tools *tools, const int32_t at[3], bool moves) {
    const Edit dig = selectionEdit(tools, TOOL_DIG);
    const Edit full = {
        .tool = TOOL_PASTE, .turn = tools->turn, .ax = at[0], .ay = at[1], .az = at[2]};
    const Edit edit = editPasted(&full, tools->clip);
    if (moves) {
        requestEdit(tools, &dig);
        requestEdit(tools, &edit);
        editBounds(&edit, tools->low, tools->high);
    } else {
        requestMirrored(tools, &edit);
    }
}

void selectionCommand(Tools *tools, const World *world, Command command) {
    const bool empties = command == COMMAND_DELETE || command == COMMAND_CUT;
    const bool pastes = command == COMMAND_DUPLICATE || command == COMMAND_MOVE;
    const Edit dig = selectionEdit(tools, TOOL_DIG);
    if ((!empties && !pastes && command != COMMAND_COPY) || !isSelected(tools)) {
        return;
    }
    ++tools->strokes;
    if (command == COMMAND_DELETE) {
        requestMirrored(tools, &dig);
        return;
    }
    if (!canCopy(tools, world)) {
        return;
    }
    copy(tools);
    if (empties) {
        requestEdit(tools, &dig);
    }
    tools->words = pastes ? widgetSays("click where it goes; # turns, arrows nudge, # gives up",
                                       COMMAND_TURN_FIRST + 1, COMMAND_CANCEL)
                          : "copied";
    tools->tool = pastes ? TOOL_PASTE : tools->tool;
    tools->moving = command == COMMAND_MOVE;
}

bool selectionGhost(const Tools *tools, int32_t low[3], int32_t size[3]) {
    const Pick *pick = &tools->pick;
    const int32_t normal[3] = {pick->nx, pick->ny, pick->nz};
    editPasteSize(tools->clip, tools->turn, size);
    const bool hit = strokePlace(TOOL_PASTE, pick, low);
    for (int i = 0; i < 3; ++i) {
        const bool middle = normal[i] == 0 && i != 1; /* on a wall the mouse is at its foot */
        low[i] += tools->shift[i] - (normal[i] < 0 ? size[i] - 1 : middle ? size[i] / 2 : 0);
    }
    return hit && size[0];
}

void selectionPaste(Tools *tools) {
    int32_t low[3];
    int32_t size[3];
    (void)selectionGhost(tools, low, size);
    paste(tools, low, tools->moving);
    tools->tool = tools->moving ? TOOL_SELECT : TOOL_PASTE;
    tools->moving = false;
    memset(tools->shift, 0, sizeof tools->shift);
}

/* The axis of the world that is nearest to one of the picture's, right, up or towards the user, and
 * which way it goes there. */
static int worldAxis(uint32_t quarter, uint32_t axis, int32_t *way) {
    static const int32_t ways[3][4] = {{1, -1, -1, 1}, {1, 1, 1, 1}, {1, 1, -1, -1}};
    *way = ways[axis][quarter];
    return (int)(quarter & 1 ? 2 - axis : axis);
}

/* What is selected is copied, and then pasted elsewhere or otherwise, in one stroke. */
static bool beginMove(Tools *tools, const World *world) {
    const bool can = isSelected(tools) && canCopy(tools, world);
    if (can) {
        ++tools->strokes;
        copy(tools);
    }
    return can;
}

static void nudgeMirror(Source *source, int axis, int32_t step) {
    static const int32_t most[3] = {2 * WORLD_SIZE_X, 2 * WORLD_SIZE_Y, 2 * WORLD_SIZE_Z};
    const int32_t sum = source->mirrorSum[axis] + step;
    if (source->mirror >> axis & 1 && sum > 0 && sum < most[axis]) {
        source->mirrorSum[axis] = sum;
    }
}

void selectionNudge(Tools *tools, const World *world, const Sent *sent, uint32_t direction) {
    int32_t way;
    const int axis = worldAxis(sent->quarter, direction / 2, &way);
    const int32_t step = way * (direction & 1 ? -1 : 1) * (sent->straight ? 8 : 1);
    int32_t low[3];
    memcpy(low, tools->low, sizeof low);
    low[axis] += step;
    if (tools->tool == TOOL_PASTE) {
        tools->shift[axis] += step;
    } else if (!tools->selected && tools->source->mirror) {
        nudgeMirror(tools->source, axis, step);
    } else if (beginMove(tools, world)) {
        paste(tools, low, true);
    }
}

void selectionTurn(Tools *tools, const World *world, const Sent *sent, Command command) {
    const bool flips = command >= COMMAND_FLIP_FIRST;
    const bool ghost = tools->tool == TOOL_PASTE;
    int32_t way;
    const int axis = worldAxis(sent->quarter,
                               command - (flips ? COMMAND_FLIP_FIRST : COMMAND_TURN_FIRST), &way);
    if (!ghost && !beginMove(tools, world)) {
        return;
    }
    tools->turn = flips ? editFlipped(tools->turn, axis) : editTurned(tools->turn, axis);
    for (int i = 0; i < 2 && way < 0 && !flips; ++i) { /* three quarters are one, back */
        tools->turn = editTurned(tools->turn, axis);
    }
    if (!ghost) { /* about its middle, on the ground that it stands on */
        int32_t size[3];
        editPasteSize(tools->clip, tools->turn, size);
        const int32_t low[3] = {tools->low[0] + ((int32_t)tools->clip[0] - size[0]) / 2,
                                tools->low[1],
                                tools->low[2] + ((int32_t)tools->clip[2] - size[2]) / 2};
        paste(tools, low, true);
    }
}
