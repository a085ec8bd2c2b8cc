/* SPDX-License-Identifier: MIT */
#include "tools_internal.h"

#include <string.h>

const char *selectionLacksCopy(void) {
    return widgetSays("nothing was copied: # selects, # copies", COMMAND_TOOL_SELECT, COMMAND_COPY);
}

void selectionBox(const Tools *tools, int32_t low[3], int32_t high[3]) {
    int32_t size[3];
    editPasteSize(tools->clip, tools->movedTurn, size);
    for (int i = 0; i < 3; ++i) {
        low[i] = tools->moved ? tools->movedTo[i] : tools->low[i];
        high[i] = tools->moved ? low[i] + size[i] - 1 : tools->high[i];
    }
}

void selectionMark(Tools *tools, uint32_t kind) {
    const Pick *pick = &tools->pick;
    const int32_t *normal = pick->normal;
    const int axis = normal[0] ? 0 : normal[1] ? 1 : 2;
    Edit edit = toolsBox(TOOL_MARK, pick->at, pick->at);
    edit.shape = kind;
    edit.colors = pick->color;
    edit.turn = 2u * (uint32_t)axis + (normal[0] + normal[1] + normal[2] > 0);
    requestEdit(tools, &edit);
    tools->selected = tools->marked = tools->marking = true;
}

void selectionSettle(Tools *tools) {
    int32_t low[3];
    tools->selected = tools->selected && !(tools->moved && tools->marked);
    selectionBox(tools, low, tools->high);
    memcpy(tools->low, low, sizeof low);
    tools->moved = 0;
}

static bool isSelected(Tools *tools) {
    if (!tools->selected) {
        tools->words = widgetSays("nothing is selected: # selects a box by dragging",
                                  COMMAND_TOOL_SELECT);
    }
    return tools->selected;
}

static Edit digOf(const Tools *tools) {
    Edit dig = toolsBox(TOOL_DIG, tools->low, tools->high);
    dig.flags = tools->marked ? EDIT_MARKED : 0;
    return dig;
}

/* Copies the selection; after a move, the copy is there already. */
static bool copy(Tools *tools, const World *world) {
    const Edit box = digOf(tools);
    if (!world->store.options.undoBytes) { /* it cannot come back */
        selectionSettle(tools);
    }
    if (!isSelected(tools) || tools->moved) {
        return tools->selected;
    }
    if (!worldCanCopy(world, tools->low, tools->high)) {
        tools->words = "too large to copy: --clipboard-mib makes room";
        return false;
    }
    requestAsk(tools, &(Queued){.request = REQUEST_COPY, .edit = box});
    for (int i = 0; i < 3; ++i) {
        tools->clip[i] = (uint32_t)(tools->high[i] - tools->low[i] + 1);
    }
    tools->movedTurn = 0;
    return true;
}

/* Takes it away, in a new stroke; a move is undone before, so that the voxels at its end are whole
 * again. */
static void lift(Tools *tools) {
    const Edit dig = digOf(tools);
    if (tools->moved) {
        requestAsk(tools, &(Queued){.request = REQUEST_UNDO, .stroke = tools->moved});
    }
    ++tools->strokes;
    requestEdit(tools, &dig);
}

Edit selectionPasted(const Tools *tools, const int32_t at[3], uint32_t turn) {
    const Edit edit = {.tool = TOOL_PASTE, .ax = at[0], .ay = at[1], .az = at[2], .turn = turn};
    return editPasted(&edit, tools->clip);
}

/* Moves the copy to a place: one undo, however often. A waiting move goes there instead. */
static void moveTo(Tools *tools, const int32_t at[3], uint32_t turn) {
    const Edit edit = selectionPasted(tools, at, turn);
    Queued *last = &tools->queue[(tools->first + tools->count - 1) % TOOLS_QUEUE];
    if (tools->count && last->edit.tool == TOOL_PASTE) {
        last->edit = edit;
    } else {
        lift(tools);
        requestEdit(tools, &edit);
        tools->moved = tools->strokes;
    }
    memcpy(tools->movedTo, at, sizeof tools->movedTo);
    tools->movedTurn = turn;
}

/* Gives the selection the colour. */
static void fill(Tools *tools) {
    selectionSettle(tools);
    if (isSelected(tools)) {
        Edit paint = digOf(tools);
        paint.tool = TOOL_PAINT;
        paint.colors = toolsColors(tools);
        ++tools->strokes;
        requestEdit(tools, &paint);
    }
}

void selectionCommand(Tools *tools, const World *world, Command command) {
    if (command == COMMAND_FILL) {
        fill(tools);
        return;
    }
    const bool empties = command == COMMAND_DELETE || command == COMMAND_CUT;
    const bool pastes = command == COMMAND_DUPLICATE || command == COMMAND_MOVE;
    if ((!empties && !pastes && command != COMMAND_COPY) ||
        !(command == COMMAND_DELETE ? isSelected(tools) : copy(tools, world))) {
        return;
    }
    if (empties) {
        lift(tools);
        selectionSettle(tools);
    }
    if (command != COMMAND_DELETE) {
        tools->words = pastes ? widgetSays("click where it goes; # turns, arrows nudge, # gives up",
                                           COMMAND_TURN_FIRST + 1, COMMAND_CANCEL)
                              : "copied";
        tools->turn = tools->movedTurn;
        memset(tools->shift, 0, sizeof tools->shift);
    }
    tools->tool = pastes ? TOOL_PASTE : tools->tool;
    tools->moving = command == COMMAND_MOVE;
}

bool selectionGhost(const Tools *tools, int32_t low[3], int32_t size[3]) {
    const int32_t *normal = tools->pick.normal;
    editPasteSize(tools->clip, tools->turn, size);
    const bool hit = strokePlace(TOOL_PASTE, &tools->pick, low);
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
    const Edit edit = selectionPasted(tools, low, tools->turn);
    if (tools->moving) {
        moveTo(tools, low, tools->turn);
        tools->tool = TOOL_SELECT;
    } else {
        requestMirrored(tools, &edit);
    }
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
    int32_t high[3];
    if (tools->tool == TOOL_PASTE) {
        tools->shift[axis] += step;
    } else if (!tools->selected && tools->source->mirror) {
        nudgeMirror(tools->source, axis, step);
    } else if (copy(tools, world)) {
        selectionBox(tools, low, high);
        low[axis] += step;
        moveTo(tools, low, tools->movedTurn);
    }
}

void selectionTurn(Tools *tools, const World *world, const Sent *sent, Command command) {
    const bool flips = command >= COMMAND_FLIP_FIRST;
    const bool ghost = tools->tool == TOOL_PASTE;
    int32_t way;
    const int axis = worldAxis(sent->quarter,
                               command - (flips ? COMMAND_FLIP_FIRST : COMMAND_TURN_FIRST), &way);
    if (!ghost && !copy(tools, world)) {
        return;
    }
    uint32_t turn = ghost ? tools->turn : tools->movedTurn;
    turn = flips ? editFlipped(turn, axis) : editTurned(turn, axis);
    for (int i = 0; i < 2 && way < 0 && !flips; ++i) { /* three quarters are one, back */
        turn = editTurned(turn, axis);
    }
    if (ghost) {
        tools->turn = turn;
    } else { /* about its middle, on the ground that it stands on */
        int32_t low[3];
        int32_t high[3];
        int32_t size[3];
        selectionBox(tools, low, high);
        editPasteSize(tools->clip, turn, size);
        for (int i = 0; i < 3; i += 2) {
            low[i] += (high[i] - low[i] + 1 - size[i]) / 2;
        }
        moveTo(tools, low, turn);
    }
}
