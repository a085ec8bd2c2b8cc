/* The user's tools: brush, strokes, boxes, what is selected and copied. What they want of the world
 * waits in a queue until a frame takes it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TOOLS_H
#define MURVOXELS_TOOLS_H

#include "edit/stroke.h"
#include "edit/world.h"
#include "input.h"
#include "model/source.h"
#include "palette.h"
#include "view/camera.h"
#include "view/view.h"

enum { TOOL_SELECT = TOOL_PLACE, TOOLS_QUEUE = 256 };

typedef enum Request { REQUEST_EDIT, REQUEST_UNDO, REQUEST_REDO, REQUEST_COPY } Request;

typedef struct Queued {
    Request request;
    bool newStroke; /* of the edit */
    Edit edit;      /* or what is to be copied, from a to b */
} Queued;

/* What a frame sent: its pick arrives two frames later. */
typedef struct Sent {
    bool used, pressed, released, straight;
    float moved; /* by the mouse since the frame before, as an angle */
    float wheel;
    Ray ray;
} Sent;

typedef struct Tools {
    uint32_t tool;  /* TOOL_* */
    uint32_t shape; /* SHAPE_*; of a cuboid, by dragging */
    uint32_t radius;
    uint32_t turn;         /* of what is pasted */
    uint32_t mirror;       /* as for editMirrored */
    uint32_t color, other; /* palette indices */
    uint32_t bands;        /* colours from that one on, by height */
    Source *source;        /* whose palette is edited */
    Palette palette;
    Room room;
    bool selected, moving; /* low to high; what is pasted next goes there from here */
    int32_t low[3], high[3];
    bool boxing; /* a box is dragged from corner to corner */
    int32_t from[3], to[3];
    Stroke stroke;
    bool begun;   /* the stroke's first edit has been queued */
    bool hasLast; /* last is where a line would start */
    int32_t last[3];
    Pick pick; /* what was under the mouse, two frames ago */
    float cursor[2];
    Sent sent[GPU_FRAMES];
    Queued queue[TOOLS_QUEUE];
    uint32_t first, count;
    const char *words; /* for the user; NULL: none */
} Tools;

/* The source stays as long as the tools do. */
void toolsStart(Tools *tools, Source *source);

/* Does what a command says about tools; false: it is none of theirs. */
bool toolsCommand(Tools *tools, const World *world, Command command);
/* Gives up what is under way, or what is selected. False: there is nothing. */
bool toolsCancel(Tools *tools);

/* In a frame: takes the pick of the frame before the last, sends this one's, and records what
 * waits. points: the mouse is on the picture. */
void toolsFrame(Tools *tools, World *world, uint32_t frame, const Camera *camera,
                const Input *input, bool points);

/* Is the user in the middle of something? */
bool toolsBusy(const Tools *tools);

/* Shows in a view what the tool would do. */
void toolsShow(const Tools *tools, const World *world, const Source *source, View *view);

const char *toolsName(uint32_t tool);

#endif
