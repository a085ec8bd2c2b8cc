/* A user's session in the window: the program, the user's input, and pictures and files that show
 * the results. If an awaited result does not come, the test fails.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SESSION_H
#define MUR_TEST_SESSION_H

#include "display.h"
#include "model/save_file.h"
#include "shot.h"

enum { WIDTH = 120, HEIGHT = 90, LINE_COLOR = 22 };

/* Starts the program with these arguments and those that keep it small. */
void start(const char *const *extra);
/* The same, if the program begins with a question. */
void startAsked(const char *const *extra);
/* It ends, without a word on stderr. */
void closeWindow(void);
/* Its picture is as fine as it gets, and it waits for the user: it costs nothing any more. */
void awaitRest(void);
void awaitFile(const char *name);

/* Has the program write pictures: all that was done before is in them. */
void awaitPictures(unsigned count);
/* One, read. */
Shot takeShot(void);
/* The mouse rests where it points at nothing, so that no preview of the brush is in the picture. */
Shot shotWithoutBrush(void);
void expectDifferent(const Shot *a, const Shot *b, unsigned least, const char *what);
/* By the input since then. */
void expectChange(const Shot *before, unsigned least, const char *what);
/* Pictures until one differs, without a limit of time. */
void awaitDifferent(const Shot *before, unsigned least, const char *what);
void expectSize(unsigned width, unsigned height);
void resizeTo(unsigned width, unsigned height);

void strokeBetween(int fromX, int fromY, int toX, int toY);

typedef struct Found {
    uint32_t voxels;
    uint32_t low[3], high[3]; /* of those in LINE_COLOR, both included */
    uint32_t colors[256];     /* voxels of each */
    uint32_t rgb;             /* of colour 20 */
    uint32_t places;          /* a sum over where they are */
} Found;

/* Solid voxels of the world that Ctrl+S, as it is on the keyboard, saves. */
Found findSaved(const char *name);
void expectVoxels(const char *file, uint32_t voxels, const char *what);

#endif
