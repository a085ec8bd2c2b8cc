/* A world that only notes its requests, with the true history of edits; and a user who works
 * in it with the editor's tools, in frames whose picks come two frames late.
 *
 * SPDX-License-Identifier: MIT */
#ifndef NOTES_H
#define NOTES_H

#include "window/tools.h"
#include "support/cases.h"

enum { NOTES = 64 };

typedef struct Note {
    char what; /* e: edit, u: undo, r: redo, c: copy, m: copy of marked voxels */
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

/* A source of that size; payloads: bricks that have voxels of many colours. */
Source sourceOf(uint32_t side, uint64_t payloads, bool terrain);

/* Begins a test, with a world of 64 voxels a side. */
int begin(void **state);

Pick voxelPick(int32_t x, int32_t y, int32_t z, int axis, int32_t normal);
/* A frame whose mouse is on a face, and on a place of it. */
void frameOn(const Pick *pick, float x, float y, float z);
/* The same on top of a voxel of the ground at x. */
void frame(int32_t x);

/* Frames until it is known that the mouse is on a face's middle; the same of a click on it. */
void point(const Pick *pick);
void click(const Pick *pick);
/* The same on the ground at x, and until all is done. */
void clickGround(int32_t x);
/* And a button that goes down at one place of it and up at another, without that. */
void dragGround(int32_t from, int32_t to);

void want(Command command);
/* Several, 0 at the end. */
void wantAll(const Command *commands);
#define WANT(...) wantAll((const Command[]){__VA_ARGS__, COMMAND_NONE})
/* And until it is done. */
void key(Command command);
/* The last edit changed something, or nothing. */
void learn(bool changed);
/* Marks are found, of which that is the box; both corners 0: none. */
void findMarks(const int32_t low[3], const int32_t high[3]);
/* Frames until all is done. */
void settle(void);

void expectNotes(const char *kinds);
/* Checks the result of toolsMeasure. */
void expectMeasure(int32_t x, int32_t y, int32_t z, int32_t wide, int32_t high, int32_t deep);
void expectBox(const Edit *edit, int ax, int ay, int az, int bx, int by, int bz);

#endif
