/* SPDX-License-Identifier: MIT */
#include "edit.h"

#include <math.h>
#include <stdlib.h>

const char *editToolName(uint32_t tool) {
    static const char *const names[TOOL_COUNT] = {
        [TOOL_ADD] = "add",     [TOOL_DIG] = "dig",         [TOOL_PAINT] = "paint",
        [TOOL_PASTE] = "paste", [TOOL_SMOOTH] = "smooth",   [TOOL_PLACE] = "place",
        [TOOL_MARK] = "mark",   [TOOL_EXTRUDE] = "extrude",
    };
    return tool < TOOL_COUNT ? names[tool] : "none";
}

const char *editShapeName(uint32_t shape) {
    static const char *const names[SHAPE_COUNT] = {
        [SHAPE_SPHERE] = "sphere", [SHAPE_BOX] = "box", [SHAPE_CUBOID] = "cuboid"};
    return shape < SHAPE_COUNT ? names[shape] : "none";
}

static bool isBrush(const Edit *edit) {
    return edit->tool < TOOL_PASTE && !(edit->flags & EDIT_MARKED);
}

static bool isOut(int32_t coordinate) {
    return coordinate < -131072 || coordinate > 131072;
}

const char *editObjection(const Edit *edit) {
    const int32_t a[3] = {edit->ax, edit->ay, edit->az};
    const int32_t b[3] = {edit->bx, edit->by, edit->bz};
    uint32_t first = edit->colors & 255;
    uint32_t count = edit->colors >> 8;
    const bool mark = edit->tool == TOOL_MARK;
    if (edit->tool == TOOL_PLACE || edit->tool >= TOOL_COUNT ||
        edit->shape >= (mark ? MARK_COUNT : SHAPE_COUNT) ||
        edit->turn >= (mark || edit->tool == TOOL_EXTRUDE ? 6 : BRUSH_TURNS)) {
        return "there is no such tool, shape or turn";
    }
    if (edit->flags & EDIT_MARKED && edit->tool != TOOL_DIG && edit->tool != TOOL_PAINT) {
        return "what is marked can only be dug and painted";
    }
    for (int i = 0; i < 3; ++i) {
        if (isOut(a[i]) || isOut(b[i])) {
            return "it is far away from the world";
        }
        if (isBrush(edit) && abs(a[i] - b[i]) > BRUSH_MAX_LINE) {
            return "its ends are more than 2048 voxels apart";
        }
    }
    if (isBrush(edit) && edit->shape != SHAPE_CUBOID && edit->radius > BRUSH_MAX_RADIUS) {
        return "its radius is not from 0 to 512";
    }
    bool colored = edit->tool == TOOL_ADD || edit->tool == TOOL_PAINT ||
                   (mark && edit->shape == MARK_COLOR);
    const bool known = first && count <= 255 && first + (count ? count - 1 : 0) <= 255;
    return colored && !known ? "its colours are not from 1 to 255" : NULL;
}

void editSetEnds(Edit *edit, const int32_t a[3], const int32_t b[3]) {
    edit->ax = a[0];
    edit->ay = a[1];
    edit->az = a[2];
    edit->bx = b[0];
    edit->by = b[1];
    edit->bz = b[2];
}

void editBounds(const Edit *edit, int32_t low[3], int32_t high[3]) {
    const int32_t a[3] = {edit->ax, edit->ay, edit->az};
    const int32_t b[3] = {edit->bx, edit->by, edit->bz};
    int32_t reach = edit->shape == SHAPE_CUBOID ? 0 : (int32_t)edit->radius;
    for (int i = 0; i < 3; ++i) {
        low[i] = (a[i] < b[i] ? a[i] : b[i]) - reach;
        high[i] = (a[i] < b[i] ? b[i] : a[i]) + reach;
    }
}

/* Bricks in a row that the voxels from low to high can meet. */
static uint64_t bricksAlong(int32_t low, int32_t high) {
    return (uint64_t)(high - low + 7) / 8 + 1;
}

/* A brick that a sphere or a line of one seems to meet lies wholly within 16 voxels around it, so
 * there are at most as many as fit into the volume of a shape that much larger. 4.19: 4 pi / 3. */
static uint64_t bricksOfCapsule(const Edit *edit) {
    const double x = (double)edit->bx - edit->ax;
    const double y = (double)edit->by - edit->ay;
    const double z = (double)edit->bz - edit->az;
    const double reach = edit->radius + 16.0;
    const double length = sqrt(x * x + y * y + z * z);
    return (uint64_t)((4.19 * reach + 3.15 * length) * reach * reach / 512) + 1;
}

uint64_t editMaxBricks(const Edit *edit) {
    int32_t low[3];
    int32_t high[3];
    editBounds(edit, low, high);
    uint64_t bricks = bricksAlong(low[0], high[0]) * bricksAlong(low[1], high[1]) *
                      bricksAlong(low[2], high[2]);
    uint64_t capsule = edit->shape == SHAPE_SPHERE ? bricksOfCapsule(edit) : bricks;
    return capsule < bricks ? capsule : bricks;
}

/* The orientation that maps 1, 2, 3 to the image of v under this one: it is unique. */
static uint32_t turnAfter(uint32_t turn, Spot v) {
    const Spot wanted = spotTurned(turn, v);
    uint32_t found = 0;
    for (uint32_t i = 0; i < BRUSH_TURNS; ++i) {
        const Spot to = spotTurned(i, (Spot){1, 2, 3});
        found = to.x == wanted.x && to.y == wanted.y && to.z == wanted.z ? i : found;
    }
    return found;
}

uint32_t editTurned(uint32_t turn, int axis) {
    static const Spot turned[3] = {{1, -3, 2}, {3, 2, -1}, {-2, 1, 3}};
    return turnAfter(turn, turned[axis]);
}

uint32_t editFlipped(uint32_t turn, int axis) {
    return turnAfter(turn, (Spot){axis == 0 ? -1 : 1, axis == 1 ? -2 : 2, axis == 2 ? -3 : 3});
}

void editPasteSize(const uint32_t copied[3], uint32_t turn, int32_t size[3]) {
    const Spot from = spotTurned(turn, (Spot){1, 2, 3}); /* the axes, counted from 1 */
    size[abs(from.x) - 1] = (int32_t)copied[0];
    size[abs(from.y) - 1] = (int32_t)copied[1];
    size[abs(from.z) - 1] = (int32_t)copied[2];
}

Edit editPasted(const Edit *edit, const uint32_t copied[3]) {
    int32_t size[3];
    Edit full = *edit;
    if (edit->tool == TOOL_PASTE) {
        editPasteSize(copied, edit->turn, size);
        full.shape = SHAPE_CUBOID;
        full.bx = full.ax + size[0] - 1;
        full.by = full.ay + size[1] - 1;
        full.bz = full.az + size[2] - 1;
    }
    return full;
}

Edit editExtruded(const int32_t low[3], const int32_t high[3], uint32_t side, int32_t by) {
    Edit edit = {TOOL_EXTRUDE, .flags = by < 0 ? EDIT_INWARD : 0, .turn = side};
    int32_t end[3] = {high[0], high[1], high[2]};
    const int32_t layers = by < 0 ? by + 1 : by; /* the face's own is the first to dig */
    end[side >> 1] = low[side >> 1] + (side & 1 ? layers : -layers);
    edit.shape = SHAPE_CUBOID;
    editSetEnds(&edit, low, end);
    return edit;
}

static void mirror(Edit *edit, int axis, int32_t sum) {
    int32_t *const a[3] = {&edit->ax, &edit->ay, &edit->az};
    int32_t *const b[3] = {&edit->bx, &edit->by, &edit->bz};
    const int32_t from = *a[axis];
    const bool paste = edit->tool == TOOL_PASTE; /* its a stays the low corner */
    *a[axis] = sum - 1 - (paste ? *b[axis] : from);
    *b[axis] = sum - 1 - (paste ? from : *b[axis]);
    edit->turn = paste ? editFlipped(edit->turn, axis) : edit->turn;
}

uint32_t editMirrored(const Edit *edit, uint32_t axes, const int32_t sums[3], Edit edits[8]) {
    uint32_t count = 1;
    edits[0] = *edit;
    for (int axis = 0; axis < 3; ++axis) {
        for (uint32_t i = axes >> axis & 1 ? count : 0; i-- > 0; ++count) {
            edits[count] = edits[i];
            mirror(&edits[count], axis, sums[axis]);
        }
    }
    return count;
}
