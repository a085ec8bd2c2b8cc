/* The user's brush: tool, shape, size and colour, strokes, marked boxes, copies.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TOOLS_H
#define MURVOXELS_TOOLS_H

#include "view/camera.h"
#include "input.h"
#include "model/source.h"
#include "view/view.h"
#include "edit/world.h"

enum { BRUSH_COLORS = 256 };

typedef struct Tools {
    uint32_t tool;  /* TOOL_* */
    uint32_t shape; /* SHAPE_SPHERE or SHAPE_BOX */
    uint32_t radius;
    uint32_t turn;                 /* of what is pasted */
    uint16_t colors[BRUSH_COLORS]; /* to choose from: first palette index | count << 8 */
    uint32_t colorCount, color;
    uint32_t marks; /* corners of the box that are marked: 0 to 2 */
    int32_t mark[2][3];
    Pick pick;    /* what was under the mouse, two frames ago */
    bool hasLast; /* last is where the last stamp was */
    int32_t last[3];
    float stamped[2]; /* where the mouse was at the last stamp of this stroke */
    double waited;    /* seconds since then */
} Tools;

void toolsStart(Tools *tools, const Source *source);

/* What a command changes about the brush; false: it is none of its commands. */
bool toolsCommand(Tools *tools, World *world, Command command);

/* Records what the mouse does in this frame: the pick, and the edit if the button is down. Returns
 * what became of it. */
EditAnswer toolsFrame(Tools *tools, World *world, const Camera *camera, const Input *input);

/* An edit has arrived: lines start where it was. */
void toolsReport(Tools *tools, const WorldReport *report);

/* Shows in a view what the brush would do. */
void toolsShow(const Tools *tools, const World *world, const Source *source, View *view);

/* Palette index in the middle of the brush's colours. */
uint32_t toolsColorIndex(const Tools *tools);

#endif
