/* SPDX-License-Identifier: MIT */
#include "tools.h"

#include "shaders/terrain_colors.h"

#include <math.h>
#include <string.h>

static const float reach = 8192;   /* how far the mouse points, in voxels */
static const double pause = 0.12;  /* seconds between stamps while the mouse stands still */
static const float apart = 0.012f; /* heights of the picture between stamps of a stroke */

void toolsStart(Tools *tools, const Source *source) {
    *tools = (Tools){.tool = TOOL_ADD, .shape = SHAPE_SPHERE, .radius = 12};
    if (source->isTerrain) {
        for (uint32_t material = 0; material < MATERIAL_COUNT; ++material) {
            const bool sphere = material == MATERIAL_SPHERE;
            if (material != MATERIAL_SPHERE + 1) {
                const uint32_t colors = (1 + 8 * material) | (sphere ? 16u : 8u) << 8;
                tools->color = sphere ? tools->colorCount : tools->color;
                tools->colors[tools->colorCount++] = (uint16_t)colors;
            }
        }
        return;
    }
    for (uint32_t i = 1; i < 256; ++i) {
        if (source->palette[i][3]) {
            tools->colors[tools->colorCount++] = (uint16_t)(i | 1 << 8);
        }
    }
}

uint32_t toolsColorIndex(const Tools *tools) {
    const uint32_t colors = tools->colorCount ? tools->colors[tools->color] : 1 | 1 << 8;
    return (colors & 255) + (colors >> 8) / 2;
}

/* The colours that have this palette index, or this one alone. */
static void takeColor(Tools *tools, uint32_t index) {
    for (uint32_t i = 0; i < tools->colorCount; ++i) {
        const uint32_t first = tools->colors[i] & 255;
        if (index >= first && index < first + (tools->colors[i] >> 8)) {
            tools->color = i;
        }
    }
}

static void resize(Tools *tools, int steps) {
    const double larger = tools->radius * pow(1.12, steps) + (steps > 0 ? 0.5 : -0.5);
    const double limited = fmin(fmax(larger, 1), BRUSH_MAX_RADIUS);
    tools->radius = (uint32_t)(limited + 0.5);
}

static void setMark(Tools *tools) {
    if (!tools->pick.hit) {
        return;
    }
    tools->marks = tools->marks == 2 ? 0 : tools->marks;
    int32_t *mark = tools->mark[tools->marks++];
    mark[0] = tools->pick.x;
    mark[1] = tools->pick.y;
    mark[2] = tools->pick.z;
}

static void sortMarks(const Tools *tools, int32_t low[3], int32_t high[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        const int32_t a = tools->mark[0][axis];
        const int32_t b = tools->mark[1][axis];
        low[axis] = a < b ? a : b;
        high[axis] = a < b ? b : a;
    }
}

static void copyMarked(Tools *tools, World *world) {
    int32_t low[3];
    int32_t high[3];
    sortMarks(tools, low, high);
    if (tools->marks == 2 && worldRecordCopy(world, low, high) == EDIT_RECORDED) {
        tools->tool = TOOL_PASTE;
        tools->marks = 0;
    }
}

bool toolsCommand(Tools *tools, World *world, Command command) {
    const uint32_t colors = tools->colorCount ? tools->colorCount : 1;
    if (command >= COMMAND_TOOL_FIRST && command <= COMMAND_TOOL_LAST) {
        tools->tool = command - COMMAND_TOOL_FIRST;
        return true;
    }
    switch (command) {
    case COMMAND_SHAPE:
        tools->shape = tools->shape == SHAPE_SPHERE ? SHAPE_BOX : SHAPE_SPHERE;
        return true;
    case COMMAND_COLOR_BACK:
        tools->color = (tools->color + colors - 1) % colors;
        return true;
    case COMMAND_COLOR_NEXT:
        tools->color = (tools->color + 1) % colors;
        return true;
    case COMMAND_COLOR_PICK:
        if (tools->pick.hit) {
            takeColor(tools, tools->pick.color);
        }
        return true;
    case COMMAND_SMALLER:
        resize(tools, -1);
        return true;
    case COMMAND_LARGER:
        resize(tools, 1);
        return true;
    case COMMAND_MARK:
        setMark(tools);
        return true;
    case COMMAND_COPY:
        copyMarked(tools, world);
        return true;
    case COMMAND_TURN:
        tools->turn = (tools->turn + 1) % 4;
        return true;
    default:
        return false;
    }
}

/* The ray under the mouse; in the picture's middle while the mouse looks around. */
static void pickRay(const Camera *camera, const Input *input, float origin[3], float direction[3]) {
    const CameraAxes axes = cameraAxes(camera);
    const float aspect = (float)input->width / (float)input->height;
    const float x = input->looking ? 0 : (2 * input->cursor[0] - 1) * camera->halfHeight * aspect;
    const float y = input->looking ? 0 : (1 - 2 * input->cursor[1]) * camera->halfHeight;
    const float length = sqrtf(1 + x * x + y * y);
    for (int axis = 0; axis < 3; ++axis) {
        origin[axis] = (float)camera->position[axis];
        direction[axis] = (axes.forward[axis] + x * axes.right[axis] + y * axes.up[axis]) / length;
    }
}

/* Size of the copy as it is turned. */
static void pasteSize(const Tools *tools, const World *world, int32_t size[3]) {
    uint32_t copied[3];
    worldCopied(world, copied);
    const bool sideways = tools->turn & 1;
    size[0] = (int32_t)copied[sideways ? 2 : 0];
    size[1] = (int32_t)copied[1];
    size[2] = (int32_t)copied[sideways ? 0 : 2];
}

static bool onFace(const Tools *tools) {
    return tools->tool == TOOL_ADD || tools->tool == TOOL_PASTE;
}

/* The edit of the tool around what the pick of this frame will find. */
static Edit editAtPick(const Tools *tools, const World *world) {
    Edit edit = {
        .tool = tools->tool,
        .shape = tools->shape,
        .radius = tools->radius,
        .colors = tools->colorCount ? tools->colors[tools->color] : 1 | 1 << 8,
        .flags = EDIT_AT_PICK | (onFace(tools) ? EDIT_ON_FACE : 0),
        .turn = tools->turn,
    };
    if (tools->tool == TOOL_PASTE) {
        int32_t size[3];
        pasteSize(tools, world, size);
        edit.shape = SHAPE_CUBOID;
        edit.ax = -size[0] / 2;
        edit.az = -size[2] / 2;
        edit.bx = edit.ax + size[0] - 1;
        edit.by = size[1] - 1;
        edit.bz = edit.az + size[2] - 1;
    } else if (tools->tool == TOOL_FLOOD) {
        edit.colors = toolsColorIndex(tools);
    }
    return edit;
}

static Edit editMarked(const Tools *tools) {
    int32_t low[3];
    int32_t high[3];
    sortMarks(tools, low, high);
    return (Edit){
        .tool = tools->tool,
        .shape = SHAPE_CUBOID,
        .ax = low[0],
        .ay = low[1],
        .az = low[2],
        .bx = high[0],
        .by = high[1],
        .bz = high[2],
        .colors = tools->colorCount ? tools->colors[tools->color] : 1 | 1 << 8,
    };
}

/* Where the brush would be, by the last pick that arrived. */
static bool place(const Tools *tools, int32_t at[3]) {
    const Pick *pick = &tools->pick;
    const int32_t step = onFace(tools) ? 1 : 0;
    at[0] = pick->x + step * pick->nx;
    at[1] = pick->y + step * pick->ny;
    at[2] = pick->z + step * pick->nz;
    return pick->hit != 0;
}

static Edit lineTo(const Tools *tools, const World *world, const int32_t to[3]) {
    Edit edit = editAtPick(tools, world);
    edit.flags = 0;
    edit.ax = tools->last[0];
    edit.ay = tools->last[1];
    edit.az = tools->last[2];
    edit.bx = to[0];
    edit.by = to[1];
    edit.bz = to[2];
    return edit;
}

static bool draws(const Tools *tools) {
    return tools->tool != TOOL_PASTE && tools->tool != TOOL_FLOOD;
}

/* Is it time for a stamp? At once when the button goes down; then where the mouse has moved on, and
 * once in a while where it stands still. */
static bool isDue(const Tools *tools, const Input *input) {
    const float x = input->cursor[0] - tools->stamped[0];
    const float y = input->cursor[1] - tools->stamped[1];
    return input->pressed || (input->held && draws(tools) && tools->marks == 0 &&
                              (x * x + y * y > apart * apart || tools->waited > pause));
}

EditAnswer toolsFrame(Tools *tools, World *world, const Camera *camera, const Input *input) {
    float origin[3];
    float direction[3];
    int32_t to[3];
    pickRay(camera, input, origin, direction);
    worldRecordPick(world, origin, direction, reach, NULL);
    tools->pick = worldPicked(world);
    if (input->wheel != 0) {
        resize(tools, (int)lroundf(input->wheel * 2));
    }
    tools->waited += input->seconds;
    if (!isDue(tools, input)) {
        return EDIT_RECORDED;
    }
    tools->stamped[0] = input->cursor[0];
    tools->stamped[1] = input->cursor[1];
    tools->waited = 0;
    Edit edit = editAtPick(tools, world);
    if (tools->marks == 2 && draws(tools)) {
        edit = editMarked(tools);
        tools->marks = 0;
    } else if (input->straight && draws(tools) && tools->hasLast && place(tools, to)) {
        edit = lineTo(tools, world, to);
    }
    if (input->pressed) {
        worldNewStroke(world);
    }
    return worldRecordEdit(world, &edit);
}

void toolsReport(Tools *tools, const WorldReport *report) {
    if (report->event == WORLD_EDITED && !report->missed && report->edit.shape != SHAPE_CUBOID) {
        tools->hasLast = true;
        tools->last[0] = report->edit.bx;
        tools->last[1] = report->edit.by;
        tools->last[2] = report->edit.bz;
    }
}

static void toolColor(const Tools *tools, const Source *source, float color[4]) {
    static const float tints[TOOL_COUNT][4] = {
        [TOOL_DIG] = {1.0f, 0.12f, 0.06f, 0.45f},
        [TOOL_SMOOTH] = {0.2f, 0.9f, 1.0f, 0.4f},
        [TOOL_PASTE] = {0.3f, 1.0f, 0.4f, 0.35f},
    };
    memcpy(color, tints[tools->tool], 4 * sizeof *color);
    if (color[3] == 0) {
        const uint8_t *entry = source->palette[toolsColorIndex(tools)];
        for (int i = 0; i < 3; ++i) {
            color[i] = powf((float)entry[i] / 255, 2.2f);
        }
        color[3] = 0.5f;
    }
}

void toolsShow(const Tools *tools, const World *world, const Source *source, View *view) {
    static const float marked[4] = {1.0f, 0.8f, 0.1f, 0.25f};
    int32_t at[3];
    float color[4];
    const bool hit = place(tools, at);
    toolColor(tools, source, color);
    if (tools->marks == 2) {
        viewBox(view, tools->mark[0], tools->mark[1], marked);
    } else if (tools->marks == 1) {
        const int32_t here[3] = {tools->pick.x, tools->pick.y, tools->pick.z};
        viewBox(view, tools->mark[0], tools->pick.hit ? here : tools->mark[0], marked);
    } else if (hit && tools->tool == TOOL_PASTE) {
        int32_t size[3];
        pasteSize(tools, world, size);
        const int32_t low[3] = {at[0] - size[0] / 2, at[1], at[2] - size[2] / 2};
        const int32_t high[3] = {low[0] + size[0] - 1, low[1] + size[1] - 1, low[2] + size[2] - 1};
        viewBox(view, low, high, color);
    } else if (hit) {
        const bool box = tools->shape == SHAPE_BOX;
        viewBrush(view, box ? BRUSH_BOX : BRUSH_SPHERE, at,
                  tools->tool == TOOL_FLOOD ? 0 : tools->radius, color);
    }
}
