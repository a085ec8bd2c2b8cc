/* A replacement of the world, which only records the requests that it receives. The undo history is
 * the real one. Also functions for a user of the editor's tools: mouse picks arrive two frames
 * late.
 * SPDX-License-Identifier: MIT */
#ifndef NOTES_H
#define NOTES_H

#include "window/tools.h"
#include "support/cases.h"

enum { NOTES = 64 };

typedef struct Note {
    char what; /* type of a note. e: edit, u: undo, r: redo, c: copy, m: copy of marked voxels */
    uint32_t stroke;
    Edit edit;
} Note;

extern World world;
extern Tools tools;
extern Source source;
extern Input input;
extern Camera camera;
extern Note notes[NOTES];
extern uint32_t noted;

/* Returns a source of this size. payloads: number of bricks with several colours. */
Source sourceOf(uint32_t side, uint64_t payloads, bool terrain);

/* Setup of a test case: a world of 64 x 64 x 64 voxels. */
int begin(void **state);

Pick voxelPick(int32_t x, int32_t y, int32_t z, int axis, int32_t normal);
/* Runs a frame with the mouse on a face, at this position in the world. */
void frameOn(const Pick *pick, float x, float y, float z);
/* Runs a frame with the mouse on top of the ground at x. */
void frame(int32_t x);

/* Presses the button on the ground at one x and releases it at another. Does not settle. */
void dragGround(int32_t from, int32_t to);

void want(Command command);
/* Requests several commands. The list ends with COMMAND_NONE. */
void wantAll(const Command *commands);
#define WANT(...) wantAll((const Command[]){__VA_ARGS__, COMMAND_NONE})
/* Requests a command, and runs frames until it is done. */
void key(Command command);
/* Completes all edits in progress: reports to the undo history whether each changed something. */
void learn(bool changed);
/* Completes the search for marked voxels. low, high: their box; all 0: no voxel is marked. */
void findMarks(const int32_t low[3], const int32_t high[3]);
/* Runs frames until all commands and edits are done. */
void settle(void);

void expectNotes(const char *kinds);
void expectMeasure(int32_t x, int32_t y, int32_t z, int32_t wide, int32_t high, int32_t deep);
void expectBox(const Edit *edit, int ax, int ay, int az, int bx, int by, int bz);

#endif
