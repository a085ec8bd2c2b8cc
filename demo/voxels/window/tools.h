/* The user's tools: brush, strokes, boxes, selection and clipboard. Their requests to the world
 * wait in a queue until a frame takes them.
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

enum {
    TOOL_SELECT = TOOL_PLACE,
    TOOL_PULL = TOOL_MARK,
    TOOLS_QUEUE = 256,
    TOOLS_WANTED = INPUT_COMMANDS + 1
};

typedef enum Request {
    REQUEST_EDIT,
    REQUEST_PALETTE,
    REQUEST_UNDO,
    REQUEST_REDO,
    REQUEST_COPY
} Request;

typedef struct Queued {
    Request request;
    uint32_t stroke;
    Edit edit;                      /* or the box to copy, from a to b */
    uint32_t index, channel, level; /* of the palette: an entry's channel gets a level */
} Queued;

/* A command, and its value. */
typedef struct Wanted {
    Command command;
    uint32_t value; /* COMMAND_COLOR_SET: an index; COMMAND_CHANNEL: a channel of the colour */
    uint32_t level; /* that the channel gets, */
    bool goesOn;    /* in the same stroke as before */
} Wanted;

/* The requests of a frame: its pick arrives two frames later, and then the user's commands are
 * done, in order. */
typedef struct Sent {
    bool straight;
    Wanted wanted[TOOLS_WANTED]; /* one more, of a bar that the mouse holds */
    uint32_t wantedCount;
    float moved; /* by the mouse since the frame before, as an angle */
    float wheel;
    Ray ray;
    uint32_t quarter; /* turns of the view to the left */
} Sent;

typedef struct Tools {
    uint32_t tool;  /* TOOL_* */
    uint32_t shape; /* SHAPE_*; of a cuboid, by dragging */
    uint32_t radius;
    uint32_t turn;         /* of the paste, */
    int32_t shift[3];      /* how far it was nudged, */
    uint32_t clip[3];      /* and its size when it was copied; 0: nothing was */
    uint32_t color, other; /* palette indices */
    Source *source;        /* whose palette is edited, and whose mirrors */
    Palette palette;
    Room room;
    uint32_t mark;         /* MARK_*, selected by a click */
    bool selected, moving; /* low to high; the next paste goes there from here */
    bool marked, marking;  /* of the box, the marked voxels; which are not known yet */
    int32_t low[3], high[3];
    uint32_t moved; /* the stroke that moved the selection from there; 0: none did */
    int32_t movedTo[3];
    uint32_t movedTurn;
    bool boxing; /* a box is dragged from corner to corner */
    int32_t from[3], to[3];
    float lift;   /* of to off the face that the box is dragged on, by the wheel */
    Ray grip;     /* of the mouse when it took a face, */
    int32_t pull; /* which comes out so far */
    Stroke stroke;
    uint32_t strokes; /* numbers that were given to strokes, of edits and of the palette */
    bool hasLast;     /* last is the start of the next line */
    int32_t last[3];
    Pick pick; /* under the mouse, two frames ago */
    float cursor[2];
    Sent now, sent[GPU_FRAMES]; /* of the frame that is to come; of those before */
    Queued queue[TOOLS_QUEUE];
    uint32_t first, count;
    const char *words; /* for the user; NULL: none */
} Tools;

/* The source stays as long as the tools do. */
void toolsStart(Tools *tools, Source *source);

/* A command about tools, for the frame that is to come. */
void toolsWant(Tools *tools, const Wanted *wanted);

/* In a frame: does the commands of the frame before the last, whose pick has arrived, sends this
 * one's, and records the waiting edits. */
void toolsFrame(Tools *tools, World *world, uint32_t frame, const Camera *camera,
                const Input *input);

/* Is the user in the middle of something? */
bool toolsBusy(const Tools *tools);

/* Shows the tool's preview in a view. */
void toolsShow(const Tools *tools, const World *world, const Source *source, View *view);

/* Measures the dragged box, or the voxel under the mouse: its low corner, from the source's on, and
 * its size. False: there is nothing. */
bool toolsMeasure(const Tools *tools, int32_t at[3], int32_t size[3]);

#endif
