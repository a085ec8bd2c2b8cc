/* Edits as C and GLSL see them, and the voxels of a brush: the same text for both, in integers, so
 * that an edit gives the same voxels on every device and in the tests' model on the CPU.
 *
 * All shapes are convex, so a brick whose eight corner voxels are covered is covered wholly.
 * SPDX-License-Identifier: MIT */
#ifndef BRUSH_H
#define BRUSH_H

#include "shapes.h"
#include "wide.h"
#include "world_layout.h"

/* The effect of an edit on the voxels that its brush covers. */
#define TOOL_ADD     0u /* all of them get the colour */
#define TOOL_DIG     1u /* they go */
#define TOOL_PAINT   2u /* those that are solid get the colour */
#define TOOL_SMOOTH  3u /* solid if most of the 27 voxels around are, else empty */
#define TOOL_PASTE   4u /* the copied box, its low corner at a */
#define TOOL_PLACE   5u /* bricks from the host; not for brushes */
#define TOOL_MARK    6u /* changes nothing, but marks voxels: MARK_* */
#define TOOL_EXTRUDE 7u /* a marked face grows, or is dug into: see extrudeFrom */
#define TOOL_COUNT   8u

/* The shape of a brush. A line is a shape with two ends: all that the shape covers on the way. */
#define SHAPE_SPHERE 0u /* of radius 0, as a box of that: one voxel, and on a line one a step */
#define SHAPE_BOX    1u /* a cube of 2 * radius + 1 voxels */
#define SHAPE_CUBOID 2u /* from corner a to corner b, both included */
#define SHAPE_COUNT  3u

/* The voxels that a mark covers, in place of a shape; none, if voxel a is empty. */
#define MARK_SAME  0u /* voxel a and all that it leads to in its colour */
#define MARK_TOUCH 1u /* in any colour */
#define MARK_FACE  2u /* in any, if the voxel on the side turn is empty: one layer */
#define MARK_COLOR 3u /* all of the first of its colors, wherever they are */
#define MARK_COUNT 4u

#define EDIT_REPLACE 1u /* paste: empty voxels of the copy are dug too */
#define EDIT_NO_UNDO 2u /* forgets the undo history instead of adding to it */
#define EDIT_MARKED  4u /* dig, paint: voxels marked and still solid, not a shape */
#define EDIT_INWARD  8u /* extrude: into the face */

#define BRUSH_MAX_RADIUS 512
#define BRUSH_MAX_LINE   2048 /* of b - a on each axis */
#define BRUSH_TURNS      48u

MUR_STRUCT(Edit) {
    MUR_U32 tool;
    MUR_U32 shape;
    int ax, ay, az; /* in voxels of the world */
    int bx, by, bz; /* the other end or corner; the same as a if there is none */
    MUR_U32 radius;
    MUR_U32 colors; /* first palette index, and in the second byte how many follow from it, as bands
                     * from the lowest voxel to the highest; 0 or 1: one colour */
    MUR_U32 flags;  /* EDIT_* */
    MUR_U32 turn;   /* paste: its orientation, see spotTurned; 0 to 3: quarter turns about y;
                     * face, extrude: the side, 2 * axis, + 1 if it looks up the axis */
};

MUR_STRUCT(Spot) {
    int x, y, z;
};

/* ---- Coverage ------------------------------------------------------------------------------- */

/* Is the distance from (x, y, z) to the line from a to b at most that of sphereHas()? Distances are
 * compared as squares times the squared length of the line, exactly. */
MUR_INLINE bool capsuleHas(Edit e, int x, int y, int z, int radius) {
    int dx = e.bx - e.ax;
    int dy = e.by - e.ay;
    int dz = e.bz - e.az;
    int px = x - e.ax;
    int py = y - e.ay;
    int pz = z - e.az;
    int len = dx * dx + dy * dy + dz * dz;
    if (len == 0) {
        return sphereHas(px, py, pz, radius);
    }
    int along = px * dx + py * dy + pz * dz;
    int at = along < 0 ? 0 : along > len ? len : along;
    Wide all = wideProduct(TO_UINT(px * px + py * py + pz * pz), TO_UINT(len));
    Wide saved = wideProduct(TO_UINT(at), TO_UINT(at == 0 ? 0 : 2 * along - at));
    Wide reach = wideProduct(TO_UINT(radius * radius + radius), TO_UINT(len));
    return wideAtMost(all, wideSum(saved, reach));
}

/* A line of single voxels: one for each step along its longest axis, the nearest to the line. */
MUR_INLINE bool threadHas(Edit e, int x, int y, int z) {
    int dx = e.bx - e.ax;
    int dy = e.by - e.ay;
    int dz = e.bz - e.az;
    int px = x - e.ax;
    int py = y - e.ay;
    int pz = z - e.az;
    int wide = dx < 0 ? -dx : dx;
    int high = dy < 0 ? -dy : dy;
    int deep = dz < 0 ? -dz : dz;
    int length = wide > high ? wide : high;
    length = deep > length ? deep : length;
    if (length == 0) {
        return px == 0 && py == 0 && pz == 0;
    }
    int step = length == wide   ? (dx < 0 ? -px : px)
               : length == high ? (dy < 0 ? -py : py)
               : dz < 0         ? -pz
                                : pz;
    /* Twice how far the voxel is from the line there, times its length. */
    int offX = 2 * (px * length - dx * step);
    int offY = 2 * (py * length - dy * step);
    int offZ = 2 * (pz * length - dz * step);
    return step >= 0 && step <= length && offX > -length && offX <= length && offY > -length &&
           offY <= length && offZ > -length && offZ <= length;
}

/* Parts of the way as fractions: lowA / dA <= highB / dB? If d is 0, low <= 0 <= high. */
MUR_INLINE bool sweepsMeet(int lowA, int dA, int highB, int dB) {
    return lowA * dB <= highB * dA;
}

MUR_INLINE bool sweptBoxHas(Edit e, int x, int y, int z, int radius) {
    int dx = e.bx - e.ax;
    int dy = e.by - e.ay;
    int dz = e.bz - e.az;
    int px = dx < 0 ? e.ax - x : x - e.ax; /* mirrored, so that the line goes up on each axis */
    int py = dy < 0 ? e.ay - y : y - e.ay;
    int pz = dz < 0 ? e.az - z : z - e.az;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    dz = dz < 0 ? -dz : dz;
    if (px < -radius || px > dx + radius || py < -radius || py > dy + radius || pz < -radius ||
        pz > dz + radius) {
        return false;
    }
    /* Each axis alone was within the way from 0 to 1; now each two at the same time. */
    return sweepsMeet(px - radius, dx, py + radius, dy) &&
           sweepsMeet(py - radius, dy, px + radius, dx) &&
           sweepsMeet(px - radius, dx, pz + radius, dz) &&
           sweepsMeet(pz - radius, dz, px + radius, dx) &&
           sweepsMeet(py - radius, dy, pz + radius, dz) &&
           sweepsMeet(pz - radius, dz, py + radius, dy);
}

/* Does the brush cover a voxel? A paste covers the cuboid that it fills. grow: added to the radius,
 * and to the cuboid on all sides. */
MUR_INLINE bool brushReaches(Edit e, int x, int y, int z, int grow) {
    int radius = TO_INT(e.radius) + grow;
    if (radius == 0 && e.shape != SHAPE_CUBOID) {
        return threadHas(e, x, y, z);
    }
    if (e.shape == SHAPE_SPHERE) {
        return capsuleHas(e, x, y, z, radius);
    }
    if (e.shape == SHAPE_BOX) {
        return sweptBoxHas(e, x, y, z, radius);
    }
    return x >= (e.ax < e.bx ? e.ax : e.bx) - grow && x <= (e.ax < e.bx ? e.bx : e.ax) + grow &&
           y >= (e.ay < e.by ? e.ay : e.by) - grow && y <= (e.ay < e.by ? e.by : e.ay) + grow &&
           z >= (e.az < e.bz ? e.az : e.bz) - grow && z <= (e.az < e.bz ? e.bz : e.az) + grow;
}

MUR_INLINE bool brushHas(Edit e, int x, int y, int z) {
    return brushReaches(e, x, y, z, 0);
}

MUR_INLINE int nearestIn(int to, int low) {
    return to < low ? low : to > low + 7 ? low + 7 : to;
}

/* Does it perhaps cover a voxel of the brick whose low corner this is? Never false if it does.
 * Lines: the brick's voxels are at most 4 steps an axis, hence less than 7 in all, from its middle.
 * */
MUR_INLINE bool brushMeetsBrick(Edit e, int x, int y, int z) {
    if (e.shape == SHAPE_CUBOID) {
        return brushHas(e, nearestIn(e.ax < e.bx ? e.ax : e.bx, x),
                        nearestIn(e.ay < e.by ? e.ay : e.by, y),
                        nearestIn(e.az < e.bz ? e.az : e.bz, z));
    }
    if (e.ax == e.bx && e.ay == e.by && e.az == e.bz) {
        return brushHas(e, nearestIn(e.ax, x), nearestIn(e.ay, y), nearestIn(e.az, z));
    }
    return brushReaches(e, x + 3, y + 3, z + 3, e.shape == SHAPE_BOX && e.radius != 0u ? 4 : 7);
}

/* Does it cover all of that brick? */
MUR_INLINE bool brushFillsBrick(Edit e, int x, int y, int z) {
    for (int i = 0; i < 8; ++i) {
        if (!brushHas(e, x + (i & 1) * 7, y + (i >> 1 & 1) * 7, z + (i >> 2) * 7)) {
            return false;
        }
    }
    return true;
}

/* The colour of a voxel that the brush adds or paints. */
MUR_INLINE MUR_U32 brushColor(Edit e, int x, int y, int z) {
    int low = e.ay < e.by ? e.ay : e.by;
    int height = (e.ay < e.by ? e.by - e.ay : e.ay - e.by) + 1;
    int margin = e.shape == SHAPE_CUBOID ? 0 : TO_INT(e.radius);
    return bandColor(x - TO_INT(WORLD_ORIGIN_X), y - TO_INT(WORLD_ORIGIN_Y),
                     z - TO_INT(WORLD_ORIGIN_Z), y - low + margin, height + 2 * margin, e.colors);
}

MUR_INLINE bool brushOneColor(Edit e) {
    return e.colors >> 8 <= 1u;
}

/* A vector in one of 48 orientations, 24 turns with or without a flip: from the world to the copy.
 * turn: 16 times by how many axes it is shifted, and bits: 1 x and z change places, before that; 2
 * x looks back, then; 4 z looks the other way than in the turn about y that the first two make; 8 y
 * looks back. So 0 to 3 are quarter turns about y, clockwise from above. */
MUR_INLINE Spot spotTurned(MUR_U32 turn, Spot v) {
    Spot to = v;
    if ((turn & 1u) != 0u) {
        to.x = v.z;
        to.z = v.x;
    }
    v = to;
    if (turn >= 16u) {
        to.x = turn < 32u ? v.y : v.z;
        to.y = turn < 32u ? v.z : v.x;
        to.z = turn < 32u ? v.x : v.y;
    }
    to.x = (turn & 2u) != 0u ? -to.x : to.x;
    to.y = (turn & 8u) != 0u ? -to.y : to.y;
    to.z = ((turn ^ turn >> 1 ^ turn >> 2) & 1u) != 0u ? -to.z : to.z;
    return to;
}

/* From a voxel of a paste, which covers the cuboid of a and b, to one of the copy of that size.
 * Counted in halves of a voxel from the middle of either. */
MUR_INLINE Spot pasteFrom(Edit e, Spot v, Spot size) {
    v.x = 2 * v.x - e.ax - e.bx;
    v.y = 2 * v.y - e.ay - e.by;
    v.z = 2 * v.z - e.az - e.bz;
    Spot to = spotTurned(e.turn, v);
    to.x = (to.x + size.x - 1) / 2;
    to.y = (to.y + size.y - 1) / 2;
    to.z = (to.z + size.z - 1) / 2;
    return to;
}

/* An extrusion covers a cuboid from a, which is in the layer of the marked face, to b. The voxel of
 * the face whose column a voxel is in. */
MUR_INLINE Spot extrudeFrom(Edit e, Spot v) {
    v.x = e.turn >> 1 == 0u ? e.ax : v.x;
    v.y = e.turn >> 1 == 1u ? e.ay : v.y;
    v.z = e.turn >> 1 == 2u ? e.az : v.z;
    return v;
}

/* The next voxel on a side. */
MUR_INLINE Spot spotBefore(MUR_U32 side, Spot v) {
    int way = (side & 1u) != 0u ? 1 : -1;
    v.x += side >> 1 == 0u ? way : 0;
    v.y += side >> 1 == 1u ? way : 0;
    v.z += side >> 1 == 2u ? way : 0;
    return v;
}

#endif
