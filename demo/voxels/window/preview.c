/* SPDX-License-Identifier: MIT */
#include "tools_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void toolColor(const Tools *tools, const Source *source, float color[4]) {
    static const float tints[TOOL_COUNT][4] = {
        [TOOL_DIG] = {1.0f, 0.12f, 0.06f, 0.45f}, [TOOL_SMOOTH] = {0.2f, 0.9f, 1.0f, 0.4f},
        [TOOL_PASTE] = {0.3f, 1.0f, 0.4f, 0.35f}, [TOOL_SELECT] = {1.0f, 0.8f, 0.1f, 0.3f},
        [TOOL_PULL] = {0.2f, 0.6f, 1.0f, 0.45f},
    };
    memcpy(color, tints[tools->tool], 4 * sizeof *color);
    if (color[3] == 0) {
        const uint8_t *entry = source->set.palette[tools->color];
        for (int i = 0; i < 3; ++i) {
            color[i] = powf((float)entry[i] / 255, 2.2f);
        }
        color[3] = 0.5f;
    }
}

static void showPaste(const Tools *tools, const World *world, const float color[4], View *view) {
    int32_t low[3];
    int32_t size[3];
    if (selectionGhost(tools, low, size)) {
        const Edit paste = selectionPasted(tools, low, tools->turn);
        viewEdit(view, &paste, color);
        view->preview.clipboard = world->store.buffers[WORLD_CLIPBOARD].address;
        view->preview.clipX = tools->clip[0];
        view->preview.clipY = tools->clip[1];
        view->preview.clipZ = tools->clip[2];
    }
}

/* A brush, or the line that it would make; of other tools, a voxel. */
static void showBrush(const Tools *tools, const int32_t at[3], const float color[4], View *view) {
    Stroke stroke = toolsStroke(tools, tools->now.straight);
    Edit edit = stroke.brush;
    if (toolsDragsBox(tools)) {
        edit = toolsBox(tools->tool, at, at);
    } else if (!stroke.joined || tools->stroke.active ||
               !strokeTo(&stroke, &tools->now.ray, &tools->pick, INFINITY, &edit)) {
        editSetEnds(&edit, at, at);
    }
    viewEdit(view, &edit, color);
}

void toolsShow(const Tools *tools, const World *world, const Source *source, View *view) {
    int32_t at[3];
    float color[4];
    const bool hit = strokePlace(tools->tool, &tools->pick, at);
    toolColor(tools, source, color);
    if (tools->boxing || (tools->tool == TOOL_SELECT && tools->selected && !tools->marking)) {
        int32_t high[3];
        selectionBox(tools, at, high);
        Edit box = tools->boxing ? toolsBox(tools->tool, tools->from, tools->to)
                                 : toolsBox(tools->tool, at, high);
        if (!tools->boxing && tools->marked && !tools->moved) { /* they stay where they were */
            box.flags = EDIT_MARKED;
            view->preview.marks = world->store.buffers[WORLD_FLOOD].address;
        }
        viewEdit(view, &box, color);
    } else if (tools->tool == TOOL_PASTE) {
        showPaste(tools, world, color, view);
    } else if (hit) {
        showBrush(tools, at, color, view);
    }
}

bool toolsMeasure(const Tools *tools, int32_t at[3], int32_t size[3]) {
    const bool hit = strokePlace(tools->tool, &tools->pick, at);
    const bool ghost = tools->tool == TOOL_PASTE && selectionGhost(tools, at, size);
    for (int i = 0; i < 3; ++i) {
        const int32_t *from = tools->from;
        const int32_t *to = tools->to;
        size[i] = ghost ? size[i] : tools->boxing ? abs(to[i] - from[i]) + 1 : 1;
        at[i] = tools->boxing ? (from[i] < to[i] ? from[i] : to[i]) : at[i];
        at[i] -= (int32_t)tools->source->origin[i];
    }
    if (tools->boxing && tools->tool == TOOL_PULL) {
        size[tools->stroke.axis] = abs(tools->pull);
    }
    return tools->boxing || hit;
}
