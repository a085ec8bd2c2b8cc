/* SPDX-License-Identifier: MIT */
#include "tools.h"

#include <math.h>
#include <string.h>

static const float reach = 8192; /* how far the mouse points, in voxels */

void toolsStart(Tools *tools, Source *source) {
    *tools = (Tools){.tool = TOOL_ADD,
                     .shape = SHAPE_SPHERE,
                     .color = 1,
                     .other = 2,
                     .bands = 1,
                     .source = source};
    for (int i = 0; i < 3; ++i) {
        tools->room.low[i] = (int32_t)source->low[i];
        tools->room.high[i] = (int32_t)source->high[i];
    }
    tools->room.low[1] = (int32_t)source->origin[1];
    tools->room.walls = source->isEmpty;
    tools->room.around = 1.5f * (float)fitLength(source->low, source->high) + 64;
    tools->radius = fitBrush(source->low, source->high);
    if (source->isTerrain) {
        tools->color = 85;
        tools->other = 105;
    }
}

const char *toolsName(uint32_t tool) {
    return tool == TOOL_SELECT ? "select" : editToolName(tool);
}

/* ---- The queue ------------------------------------------------------------------------------ */

static void ask(Tools *tools, const Queued *queued) {
    if (tools->count < TOOLS_QUEUE) {
        tools->queue[(tools->first + tools->count++) % TOOLS_QUEUE] = *queued;
    } else {
        tools->words = "too much at once: some of it is left out";
    }
}

static void askEdit(Tools *tools, const Edit *edit) {
    ask(tools, &(Queued){.request = REQUEST_EDIT, .stroke = tools->strokes, .edit = *edit});
}

/* The edit and its mirror images. */
static void askMirrored(Tools *tools, const Edit *edit) {
    Edit edits[4];
    int32_t sums[3];
    for (int i = 0; i < 3; ++i) {
        sums[i] = tools->room.low[i] + tools->room.high[i];
    }
    const uint32_t count = editMirrored(edit, tools->mirror, sums, edits);
    for (uint32_t i = 0; i < count; ++i) {
        askEdit(tools, &edits[i]);
    }
}

static const char *answerWords(const Queued *queued, EditAnswer answer) {
    switch (answer) {
    case EDIT_NOTHING:
        return queued->request == REQUEST_UNDO ? "nothing to undo" : "nothing to redo";
    case EDIT_LARGE:
        return queued->request == REQUEST_COPY   ? "too large to copy: --clipboard-mib makes room"
               : queued->edit.tool == TOOL_PASTE ? "nothing was copied: 7 selects, Ctrl+C copies"
                                                 : "that is too large for one edit";
    case EDIT_LARGE_UNDO:
        return "too large to be undone: --undo-mib makes room";
    case EDIT_WRONG:
        return "that edit is not possible";
    default:
        return NULL;
    }
}

static EditAnswer record(Tools *tools, World *world, const Queued *queued) {
    const Edit *edit = &queued->edit;
    switch (queued->request) {
    case REQUEST_PALETTE:
        paletteSet(&tools->palette, tools->source, queued->index, queued->channel, queued->level,
                   queued->stroke);
        return EDIT_RECORDED;
    case REQUEST_UNDO:
        return !worldIsSettled(world) ? EDIT_BUSY
               : paletteUndo(&tools->palette, tools->source, historyUndoStroke(&world->history))
                   ? EDIT_RECORDED
                   : worldRecordUndo(world);
    case REQUEST_REDO:
        return !worldIsSettled(world) ? EDIT_BUSY
               : paletteRedo(&tools->palette, tools->source, historyRedoStroke(&world->history))
                   ? EDIT_RECORDED
                   : worldRecordRedo(world);
    case REQUEST_COPY:
        return worldRecordCopy(world, (const int32_t[]){edit->ax, edit->ay, edit->az},
                               (const int32_t[]){edit->bx, edit->by, edit->bz});
    default:
        return worldRecordEdit(world, edit, queued->stroke);
    }
}

static void runQueue(Tools *tools, World *world) {
    EditAnswer answer = EDIT_RECORDED;
    if (worldIsSettled(world)) {
        paletteForget(&tools->palette, historyUndoStroke(&world->history));
    }
    while (tools->count > 0 && answer != EDIT_BUSY) {
        const Queued *queued = &tools->queue[tools->first % TOOLS_QUEUE];
        answer = record(tools, world, queued);
        if (answer != EDIT_BUSY) {
            const char *words = answerWords(queued, answer);
            tools->words = words ? words : tools->words;
            ++tools->first;
            --tools->count;
        }
    }
}

/* ---- Commands ------------------------------------------------------------------------------- */

static void resize(Tools *tools, int steps) {
    const double larger = tools->radius * pow(1.12, steps) + (steps > 0 ? 0.5 : -0.5);
    const double limited = fmin(fmax(larger, 0), BRUSH_MAX_RADIUS);
    tools->radius = (uint32_t)(limited + 0.5);
}

/* The colour, and as many from it on as there are bands. */
static uint32_t colors(const Tools *tools) {
    const uint32_t most = 256 - tools->color;
    return tools->color | (tools->bands < most ? tools->bands : most) << 8;
}

static Edit selection(const Tools *tools, uint32_t tool) {
    return (Edit){
        .tool = tool,
        .shape = SHAPE_CUBOID,
        .ax = tools->low[0],
        .ay = tools->low[1],
        .az = tools->low[2],
        .bx = tools->high[0],
        .by = tools->high[1],
        .bz = tools->high[2],
        .colors = colors(tools),
    };
}

static void setTool(Tools *tools, const World *world, uint32_t tool) {
    tools->boxing = tools->stroke.active = tools->moving = false;
    tools->tool = tool;
    if (tool == TOOL_PASTE && world->store.clip[0] == 0) {
        tools->words = "nothing was copied: 7 selects, Ctrl+C copies";
    }
}

static bool colorCommand(Tools *tools, const Wanted *wanted) {
    const uint32_t other = tools->other;
    switch (wanted->command) {
    case COMMAND_COLOR_SET:
        tools->color = wanted->value;
        return true;
    case COMMAND_CHANNEL:
        tools->strokes += !wanted->goesOn;
        ask(tools, &(Queued){.request = REQUEST_PALETTE,
                             .stroke = tools->strokes,
                             .index = (uint8_t)tools->color,
                             .channel = (uint8_t)wanted->value,
                             .level = wanted->level});
        return true;
    case COMMAND_COLOR_BACK:
        tools->color = tools->color > 1 ? tools->color - 1 : 255;
        return true;
    case COMMAND_COLOR_NEXT:
        tools->color = tools->color < 255 ? tools->color + 1 : 1;
        return true;
    case COMMAND_COLOR_SWAP:
        tools->other = tools->color;
        tools->color = other;
        return true;
    case COMMAND_COLOR_PICK:
        if (tools->pick.hit == PICK_VOXEL) {
            tools->color = tools->pick.color;
        } else {
            tools->words = "there is no voxel under the mouse";
        }
        return true;
    default:
        return false;
    }
}

/* What is selected, emptied; or copied, and then emptied, or pasted next, perhaps in place of what
 * is there. */
static void selectionCommand(Tools *tools, Command command) {
    const bool empties = command == COMMAND_DELETE || command == COMMAND_CUT;
    const bool pastes = command == COMMAND_DUPLICATE || command == COMMAND_MOVE;
    const Edit dig = selection(tools, TOOL_DIG);
    if (!empties && !pastes && command != COMMAND_COPY) {
        return;
    }
    if (!tools->selected) {
        tools->words = "nothing is selected: 7 selects a box by dragging";
        return;
    }
    tools->strokes += empties;
    if (command == COMMAND_DELETE) {
        askMirrored(tools, &dig);
        return;
    }
    ask(tools, &(Queued){.request = REQUEST_COPY, .edit = dig});
    if (empties) {
        askEdit(tools, &dig);
    }
    tools->words = pastes ? "click where it goes; R turns, Esc gives up" : "copied";
    tools->tool = pastes ? TOOL_PASTE : tools->tool;
    tools->moving = command == COMMAND_MOVE;
    tools->turn = 0;
}

static void giveUp(Tools *tools) {
    if (tools->boxing) {
        tools->boxing = false;
    } else if (tools->tool == TOOL_PASTE) {
        tools->tool = tools->selected ? TOOL_SELECT : TOOL_ADD;
        tools->moving = false;
    } else if (tools->selected) {
        tools->selected = false;
    } else {
        tools->gaveUp = true;
    }
}

static void doCommand(Tools *tools, const World *world, const Wanted *wanted) {
    const Command command = wanted->command;
    if (command >= COMMAND_TOOL_FIRST && command <= COMMAND_TOOL_LAST) {
        setTool(tools, world, command - COMMAND_TOOL_FIRST);
        return;
    }
    switch (command) {
    case COMMAND_SHAPE:
        tools->shape = (tools->shape + 1) % SHAPE_COUNT;
        break;
    case COMMAND_SMALLER:
        resize(tools, -1);
        break;
    case COMMAND_LARGER:
        resize(tools, 1);
        break;
    case COMMAND_MIRROR_X:
        tools->mirror ^= 1;
        break;
    case COMMAND_MIRROR_Z:
        tools->mirror ^= 4;
        break;
    case COMMAND_BANDS:
        tools->bands = tools->bands < 16 ? 2 * tools->bands : 1;
        break;
    case COMMAND_TURN:
        tools->turn = (tools->turn + 1) % 4;
        break;
    case COMMAND_UNDO:
    case COMMAND_REDO:
        tools->stroke.active = false;
        ask(tools, &(Queued){.request = command == COMMAND_UNDO ? REQUEST_UNDO : REQUEST_REDO});
        break;
    case COMMAND_CANCEL:
        giveUp(tools);
        break;
    default:
        if (!colorCommand(tools, wanted)) {
            selectionCommand(tools, command);
        }
    }
}

bool toolsBusy(const Tools *tools) {
    return tools->boxing || tools->stroke.active || tools->count > 0;
}

/* ---- The mouse ------------------------------------------------------------------------------ */

/* The ray under the mouse; in the picture's middle while the mouse moves the view. */
static Ray rayOf(const Camera *camera, const Input *input) {
    const CameraAxes axes = cameraAxes(camera);
    const float aspect = (float)input->width / (float)input->height;
    const float x = input->drag ? 0 : (2 * input->cursor[0] - 1) * camera->halfHeight * aspect;
    const float y = input->drag ? 0 : (1 - 2 * input->cursor[1]) * camera->halfHeight;
    const float length = sqrtf(1 + x * x + y * y);
    Ray ray;
    for (int axis = 0; axis < 3; ++axis) {
        ray.origin[axis] = (float)camera->position[axis];
        ray.direction[axis] = (axes.forward[axis] + x * axes.right[axis] + y * axes.up[axis]) /
                              length;
    }
    return ray;
}

static Edit brushOf(const Tools *tools) {
    return (Edit){
        .tool = tools->tool,
        .shape = tools->shape,
        .radius = tools->shape == SHAPE_CUBOID ? 0 : tools->radius,
        .colors = colors(tools),
        .turn = tools->turn,
    };
}

static void paste(Tools *tools, const World *world, const int32_t at[3]) {
    int32_t size[3];
    Edit edit = brushOf(tools);
    editPasteSize(world->store.clip, tools->turn, size);
    edit.ax = at[0] - size[0] / 2;
    edit.ay = at[1];
    edit.az = at[2] - size[2] / 2;
    if (tools->moving) {
        const Edit dig = selection(tools, TOOL_DIG);
        askEdit(tools, &dig);
    }
    askEdit(tools, &edit);
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

static bool dragsBox(const Tools *tools) {
    return tools->tool == TOOL_SELECT ||
           (tools->shape == SHAPE_CUBOID && tools->tool <= TOOL_SMOOTH);
}

static void press(Tools *tools, const World *world, const Sent *sent) {
    int32_t at[3];
    const bool hit = strokePlace(tools->tool, &tools->pick, at);
    Edit brush = brushOf(tools);
    ++tools->strokes;
    if (!hit) {
        tools->words = tools->tool == TOOL_SELECT ? NULL : "there is nothing under the mouse";
        tools->selected = tools->selected && tools->tool != TOOL_SELECT;
    } else if (tools->tool == TOOL_PASTE) {
        paste(tools, world, at);
    } else if (tools->tool == TOOL_FLOOD) {
        brush.ax = brush.bx = at[0];
        brush.ay = brush.by = at[1];
        brush.az = brush.bz = at[2];
        askEdit(tools, &brush);
    } else {
        strokeBegin(&tools->stroke, &brush);
        if (dragsBox(tools)) {
            Edit unused; /* sets the plane that the box is dragged on */
            (void)strokeTo(&tools->stroke, &sent->ray, &tools->pick, 0, &unused);
            tools->boxing = true;
            memcpy(tools->from, at, sizeof at);
            memcpy(tools->to, at, sizeof at);
        } else if (sent->straight && tools->hasLast) {
            memcpy(tools->stroke.last, tools->last, sizeof tools->last);
            tools->stroke.joined = true;
            tools->stroke.depth = INFINITY;
        }
    }
}

/* A box stays on the face that it was begun on, but what is selected, dug or painted goes on to
 * what the mouse is on. The wheel lifts it off the face. */
static void dragBox(Tools *tools, const Sent *sent) {
    int32_t at[3];
    const bool solid = tools->tool != TOOL_ADD && tools->pick.hit == PICK_VOXEL &&
                       strokePlace(tools->tool, &tools->pick, at);
    const int axis = tools->stroke.axis;
    const int32_t lifted = tools->to[axis];
    if (!solid && !strokeOnPlane(&tools->stroke, &sent->ray, at)) {
        return;
    }
    if (tools->tool == TOOL_ADD) {
        at[axis] = lifted;
    }
    at[axis] += (int32_t)lroundf(sent->wheel) * (tools->stroke.normal < 0 ? -1 : 1);
    memcpy(tools->to, at, sizeof at);
}

static void endBox(Tools *tools) {
    for (int i = 0; i < 3; ++i) {
        tools->low[i] = tools->from[i] < tools->to[i] ? tools->from[i] : tools->to[i];
        tools->high[i] = tools->from[i] < tools->to[i] ? tools->to[i] : tools->from[i];
    }
    tools->boxing = false;
    if (tools->tool == TOOL_SELECT) {
        tools->selected = true;
        return;
    }
    const Edit edit = selection(tools, tools->tool);
    tools->selected = false;
    askMirrored(tools, &edit);
}

/* Goes on to where the mouse is. moved: by so much. */
static void drag(Tools *tools, const Sent *sent, float moved) {
    Edit edit;
    if (tools->boxing) {
        dragBox(tools, sent);
    } else if (tools->stroke.active &&
               strokeTo(&tools->stroke, &sent->ray, &tools->pick, moved, &edit)) {
        askMirrored(tools, &edit);
        tools->hasLast = true;
        memcpy(tools->last, tools->stroke.last, sizeof tools->last);
    }
}

static void release(Tools *tools, const Sent *sent, float moved) {
    drag(tools, sent, moved);
    if (tools->boxing) {
        endBox(tools);
    }
    tools->stroke.active = false;
}

/* What the user wanted in that frame, in order. */
static void work(Tools *tools, const World *world, const Sent *sent) {
    float moved = sent->moved;
    for (uint32_t i = 0; i < sent->wantedCount; ++i) {
        switch (sent->wanted[i].command) {
        case COMMAND_PRESS:
            press(tools, world, sent);
            moved = sent->straight ? INFINITY : moved;
            break;
        case COMMAND_RELEASE:
            release(tools, sent, moved);
            break;
        default:
            doCommand(tools, world, &sent->wanted[i]);
        }
    }
    drag(tools, sent, moved);
}

void toolsWant(Tools *tools, const Wanted *wanted) {
    Sent *now = &tools->now;
    if (now->wantedCount < TOOLS_WANTED) {
        now->wanted[now->wantedCount++] = *wanted;
    }
}

void toolsFrame(Tools *tools, World *world, uint32_t frame, const Camera *camera,
                const Input *input) {
    Sent *now = &tools->now;
    Pick otherwise;
    tools->pick = world->traffic.pick;
    work(tools, world, &tools->sent[frame]);
    const float x = input->cursor[0] - tools->cursor[0];
    const float y = input->cursor[1] - tools->cursor[1];
    const float aspect = (float)input->width / (float)input->height;
    if (input->wheel != 0 && input->control && !tools->boxing) {
        resize(tools, (int)lroundf(input->wheel * 2));
    }
    now->straight = input->straight;
    now->moved = 2 * camera->halfHeight * sqrtf(x * x * aspect * aspect + y * y);
    now->wheel = tools->boxing ? input->wheel : 0;
    now->ray = rayOf(camera, input);
    tools->sent[frame] = *now;
    now->wantedCount = 0;
    tools->cursor[0] = input->cursor[0];
    tools->cursor[1] = input->cursor[1];
    const float limit = roomPick(&tools->room, &now->ray, reach, &otherwise);
    trafficPick(&world->traffic, &world->store, now->ray.origin, now->ray.direction, limit,
                &otherwise);
    runQueue(tools, world);
}

/* ---- Its preview ---------------------------------------------------------------------------- */

static void toolColor(const Tools *tools, const Source *source, float color[4]) {
    static const float tints[TOOL_COUNT][4] = {
        [TOOL_DIG] = {1.0f, 0.12f, 0.06f, 0.45f},
        [TOOL_SMOOTH] = {0.2f, 0.9f, 1.0f, 0.4f},
        [TOOL_PASTE] = {0.3f, 1.0f, 0.4f, 0.35f},
        [TOOL_SELECT] = {1.0f, 0.8f, 0.1f, 0.3f},
    };
    memcpy(color, tints[tools->tool], 4 * sizeof *color);
    if (color[3] == 0) {
        const uint8_t *entry = source->palette[tools->color];
        for (int i = 0; i < 3; ++i) {
            color[i] = powf((float)entry[i] / 255, 2.2f);
        }
        color[3] = 0.5f;
    }
}

static void showPaste(const Tools *tools, const World *world, const int32_t at[3],
                      const float color[4], View *view) {
    int32_t size[3];
    editPasteSize(world->store.clip, tools->turn, size);
    const int32_t low[3] = {at[0] - size[0] / 2, at[1], at[2] - size[2] / 2};
    const int32_t high[3] = {low[0] + size[0] - 1, low[1] + size[1] - 1, low[2] + size[2] - 1};
    if (size[0]) {
        viewBox(view, low, high, color);
        viewGhost(view, world->store.buffers[WORLD_CLIPBOARD].address, tools->turn);
        view->clipX = world->store.clip[0];
        view->clipY = world->store.clip[1];
        view->clipZ = world->store.clip[2];
    }
}

void toolsShow(const Tools *tools, const World *world, const Source *source, View *view) {
    int32_t at[3];
    float color[4];
    const bool hit = strokePlace(tools->tool, &tools->pick, at);
    toolColor(tools, source, color);
    if (tools->boxing) {
        viewBox(view, tools->from, tools->to, color);
    } else if (tools->tool == TOOL_SELECT && tools->selected) {
        viewBox(view, tools->low, tools->high, color);
    } else if (hit && tools->tool == TOOL_PASTE) {
        showPaste(tools, world, at, color, view);
    } else if (hit) {
        const bool brush = tools->tool != TOOL_FLOOD && !dragsBox(tools);
        viewBrush(view,
                  tools->shape == SHAPE_SPHERE && brush && tools->radius ? BRUSH_SPHERE : BRUSH_BOX,
                  at, brush ? tools->radius : 0, color);
    }
}
