/* SPDX-License-Identifier: MIT */
#include "tools_internal.h"

#include <math.h>
#include <string.h>

static const float reach = 8192; /* how far the mouse points, in voxels */

void toolsStart(Tools *tools, Source *source) {
    *tools = (Tools){.tool = TOOL_ADD,
                     .shape = SHAPE_SPHERE,
                     .color = 1,
                     .other = 2,
                     .mark = MARK_TOUCH,
                     .source = source};
    for (int i = 0; i < 3; ++i) {
        const uint32_t end = source->origin[i] + source->box;
        tools->room.low[i] = (int32_t)(source->box ? source->origin[i] : source->low[i]);
        tools->room.high[i] = (int32_t)(source->box ? end : source->high[i]);
    }
    tools->room.low[1] = (int32_t)source->origin[1];
    tools->room.walls = source->box > 0;
    tools->room.around = 1.5f * (float)fitLength(source->low, source->high) + 64;
    tools->radius = fitBrush(source->low, source->high);
    if (source->isTerrain) {
        tools->color = 85;
        tools->other = 105;
    }
}

/* ---- Commands ------------------------------------------------------------------------------- */

static void resize(Tools *tools, int steps) {
    const double larger = tools->radius * pow(1.12, steps) + (steps > 0 ? 0.5 : -0.5);
    const double limited = fmin(fmax(larger, 0), BRUSH_MAX_RADIUS);
    tools->radius = (uint32_t)(limited + 0.5);
}

uint32_t toolsColors(const Tools *tools) {
    return tools->color | 1u << 8;
}

Edit toolsBox(uint32_t tool, const int32_t a[3], const int32_t b[3]) {
    return (Edit){tool, SHAPE_CUBOID, a[0], a[1], a[2], b[0], b[1], b[2], 0, 0, 0, 0};
}

static void setTool(Tools *tools, uint32_t tool) {
    tools->boxing = tools->stroke.active = tools->moving = false;
    tools->tool = tool;
    memset(tools->shift, 0, sizeof tools->shift);
    if (tool == TOOL_PASTE && tools->clip[0] == 0) {
        tools->words = selectionLacksCopy();
    }
}

static bool colorCommand(Tools *tools, const Wanted *wanted) {
    const uint32_t other = tools->other;
    switch (wanted->command) {
    case COMMAND_COLOR_SET:
        tools->color = wanted->value;
        return true;
    case COMMAND_CHANNEL:
        selectionSettle(tools); /* it is undone after this */
        tools->strokes += !wanted->goesOn;
        requestAsk(tools, &(Queued){.request = REQUEST_PALETTE,
                                    .stroke = tools->strokes,
                                    .index = tools->color,
                                    .channel = wanted->value,
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

static void giveUp(Tools *tools) {
    if (tools->boxing) {
        tools->boxing = tools->stroke.active = false;
    } else if (tools->tool == TOOL_PASTE) {
        tools->tool = tools->selected ? TOOL_SELECT : TOOL_ADD;
        tools->moving = false;
    } else if (tools->selected && tools->tool == TOOL_SELECT) {
        tools->selected = false;
    }
}

/* The mirrors that are on go through the face under the mouse, or the middle of its voxel. */
static void mirrorHere(Tools *tools) {
    const Pick *pick = &tools->pick;
    for (int i = 0; i < 3; ++i) {
        if (pick->hit && tools->source->mirror >> i & 1) {
            tools->source->mirrorSum[i] = 2 * pick->at[i] + 1 + pick->normal[i];
        }
    }
    if (!pick->hit || !tools->source->mirror) {
        tools->words = pick->hit ? "no mirror is on" : "there is nothing under the mouse";
    }
}

static void doCommand(Tools *tools, const World *world, const Sent *sent, const Wanted *wanted) {
    const Command command = wanted->command == COMMAND_PASTE ? COMMAND_TOOL_FIRST + TOOL_PASTE
                                                             : wanted->command;
    if (command >= COMMAND_TOOL_FIRST && command <= COMMAND_TOOL_LAST) {
        setTool(tools, command - COMMAND_TOOL_FIRST);
        return;
    }
    if (command >= COMMAND_NUDGE_FIRST && command <= COMMAND_NUDGE_LAST) {
        selectionNudge(tools, world, sent, command - COMMAND_NUDGE_FIRST);
        return;
    }
    if (command >= COMMAND_TURN_FIRST && command <= COMMAND_FLIP_LAST) {
        selectionTurn(tools, world, sent, command);
        return;
    }
    switch (command) {
    case COMMAND_SHAPE:
        if (tools->tool == TOOL_SELECT) {
            tools->mark = (tools->mark + 1) % MARK_COUNT;
        } else {
            tools->shape = (tools->shape + 1) % SHAPE_COUNT;
        }
        break;
    case COMMAND_SMALLER:
        resize(tools, -1);
        break;
    case COMMAND_LARGER:
        resize(tools, 1);
        break;
    case COMMAND_MIRROR_X:
    case COMMAND_MIRROR_Y:
    case COMMAND_MIRROR_Z:
        tools->source->mirror ^= 1u << (command - COMMAND_MIRROR_X);
        break;
    case COMMAND_MIRROR_HERE:
        mirrorHere(tools);
        break;
    case COMMAND_UNDO:
    case COMMAND_REDO:
        tools->stroke.active = false;
        tools->selected = tools->selected && (tools->moved || !tools->marked);
        tools->moved = 0; /* it is back */
        requestAsk(tools,
                   &(Queued){.request = command == COMMAND_UNDO ? REQUEST_UNDO : REQUEST_REDO});
        break;
    case COMMAND_CANCEL:
        giveUp(tools);
        break;
    default:
        if (!colorCommand(tools, wanted)) {
            selectionCommand(tools, world, command);
        }
    }
}

bool toolsBusy(const Tools *tools) {
    return tools->boxing || tools->stroke.active || tools->marking || tools->count > 0;
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
        .colors = toolsColors(tools),
    };
}

bool toolsDragsBox(const Tools *tools) {
    return tools->tool == TOOL_SELECT || tools->tool == TOOL_PULL ||
           (tools->shape == SHAPE_CUBOID && tools->tool <= TOOL_SMOOTH);
}

Stroke toolsStroke(const Tools *tools, bool straight) {
    Stroke stroke;
    const Edit brush = brushOf(tools);
    strokeBegin(&stroke, &brush);
    if (straight && tools->hasLast && !toolsDragsBox(tools)) {
        memcpy(stroke.last, tools->last, sizeof tools->last);
        stroke.joined = true;
        stroke.depth = INFINITY;
    }
    return stroke;
}

static void press(Tools *tools, const Sent *sent) {
    int32_t at[3];
    const bool hit = strokePlace(tools->tool, &tools->pick, at);
    ++tools->strokes;
    if (!tools->moving) {
        selectionSettle(tools);
    }
    if (!hit) {
        tools->words = tools->tool == TOOL_SELECT ? NULL : "there is nothing under the mouse";
        tools->selected = tools->selected && tools->tool != TOOL_SELECT;
    } else if (tools->tool == TOOL_PASTE) {
        selectionPaste(tools);
    } else if (tools->tool == TOOL_PULL && tools->pick.hit != PICK_VOXEL) {
        tools->words = "there is no voxel under the mouse";
    } else {
        tools->stroke = toolsStroke(tools, sent->straight);
        if (toolsDragsBox(tools)) {
            Edit unused; /* sets the plane that the box is dragged on */
            (void)strokeTo(&tools->stroke, &sent->ray, &tools->pick, 0, &unused);
            tools->boxing = true;
            tools->lift = 0;
            memcpy(tools->from, at, sizeof at);
            memcpy(tools->to, at, sizeof at);
        }
        if (tools->tool == TOOL_PULL) {
            tools->grip = sent->ray;
            selectionMark(tools, MARK_FACE);
        }
    }
}

/* A box stays on the face that it was begun on; the wheel moves its far side, out of the face or
 * into it. */
static void dragBox(Tools *tools, const Sent *sent) {
    const Stroke *stroke = &tools->stroke;
    (void)strokeOnPlane(stroke, &sent->ray, tools->to);
    tools->lift += sent->wheel;
    tools->to[stroke->axis] = tools->from[stroke->axis] +
                              (int32_t)lroundf(tools->lift) * (stroke->normal < 0 ? -1 : 1);
}

/* A face goes along its normal with the mouse, and with the wheel. */
static void dragFace(Tools *tools, const Sent *sent) {
    const Stroke *stroke = &tools->stroke;
    const uint32_t side = 2u * (uint32_t)stroke->axis + (stroke->normal > 0);
    tools->lift += sent->wheel;
    tools->pull = (int32_t)lroundf(tools->lift + strokePull(stroke, &tools->grip, &sent->ray));
    if (tools->selected && !tools->marking) {
        const Edit edit = editExtruded(tools->low, tools->high, side, tools->pull);
        editBounds(&edit, tools->from, tools->to);
        (stroke->normal > 0 ? tools->from : tools->to)[stroke->axis] += stroke->normal *
                                                                        (tools->pull > 0);
    }
}

static void endBox(Tools *tools) {
    Edit edit = toolsBox(tools->tool, tools->from, tools->to);
    edit.colors = toolsColors(tools);
    tools->boxing = false;
    if (tools->tool == TOOL_PULL) {
        requestEdit(tools, &(Edit){.tool = TOOL_EXTRUDE, .ax = tools->pull});
        tools->selected = false;
    } else if (tools->tool != TOOL_SELECT) {
        requestMirrored(tools, &edit);
    } else if (memcmp(tools->from, tools->to, sizeof tools->to) != 0) {
        tools->selected = true;
        tools->marked = false;
        editBounds(&edit, tools->low, tools->high);
    } else if (tools->pick.hit == PICK_VOXEL) {
        selectionMark(tools, tools->mark);
    } else {
        tools->selected = false;
    }
}

/* Goes on to the place of the mouse. moved: by this much. */
static void drag(Tools *tools, const Sent *sent, float moved) {
    Edit edit;
    if (tools->boxing && tools->tool == TOOL_PULL) {
        dragFace(tools, sent);
    } else if (tools->boxing) {
        dragBox(tools, sent);
    } else if (tools->stroke.active &&
               strokeTo(&tools->stroke, &sent->ray, &tools->pick, moved, &edit)) {
        requestMirrored(tools, &edit);
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

/* Commands that wait until the selection is known come first among the next frame's. */
static void wantAgain(Sent *next, const Wanted *wanted, uint32_t place) {
    if (next->wantedCount < TOOLS_WANTED) {
        memmove(&next->wanted[place + 1], &next->wanted[place],
                (next->wantedCount++ - place) * sizeof *wanted);
        next->wanted[place] = *wanted;
    }
}

/* Is it about what is selected? */
static bool isOfSelection(Command command) {
    return (command >= COMMAND_COPY && command <= COMMAND_FLIP_LAST) ||
           (command >= COMMAND_NUDGE_FIRST && command <= COMMAND_NUDGE_LAST);
}

/* Does the user's commands of that frame, in order. */
static void work(Tools *tools, const World *world, const Sent *sent, Sent *next) {
    float moved = sent->moved;
    uint32_t waits = 0;
    for (uint32_t i = 0; i < sent->wantedCount; ++i) {
        switch (sent->wanted[i].command) {
        case COMMAND_PRESS:
            press(tools, sent);
            moved = sent->straight ? INFINITY : moved;
            break;
        case COMMAND_RELEASE:
            release(tools, sent, moved);
            break;
        default:
            if (tools->marking && isOfSelection(sent->wanted[i].command)) {
                wantAgain(next, &sent->wanted[i], waits++);
            } else {
                doCommand(tools, world, sent, &sent->wanted[i]);
            }
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
    work(tools, world, &tools->sent[frame], &tools->sent[(frame + 1) % GPU_FRAMES]);
    const float x = input->cursor[0] - tools->cursor[0];
    const float y = input->cursor[1] - tools->cursor[1];
    const float aspect = (float)input->width / (float)input->height;
    if (input->wheel != 0 && input->control && !input->held) {
        resize(tools, (int)lroundf(input->wheel * 2));
    }
    now->straight = input->shift;
    now->moved = 2 * camera->halfHeight * sqrtf(x * x * aspect * aspect + y * y);
    now->wheel = input->held ? input->wheel : 0;
    now->ray = rayOf(camera, input);
    now->quarter = (uint32_t)lroundf(camera->yaw / 90) & 3;
    tools->sent[frame] = *now;
    now->wantedCount = 0;
    tools->cursor[0] = input->cursor[0];
    tools->cursor[1] = input->cursor[1];
    const float limit = roomPick(&tools->room, &now->ray, reach, &otherwise);
    trafficPick(&world->traffic, &world->store, now->ray.origin, now->ray.direction, limit,
                &otherwise);
    requestsRun(tools, world);
    if (tools->marking && tools->count == 0 && !world->flood.runs) {
        tools->marking = false;
        tools->selected = tools->selected && world->flood.found > 0;
        memcpy(tools->low, world->flood.low, sizeof tools->low);
        memcpy(tools->high, world->flood.high, sizeof tools->high);
    }
}
