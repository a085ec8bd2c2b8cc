/* A user's session in the window: functions for input, and for the pictures and files that the
 * program writes. If an awaited result does not come, the test fails.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SESSION_H
#define MUR_TEST_SESSION_H

#include "display.h"
#include "model/save_file.h"
#include "shot.h"

enum { WIDTH = 120, HEIGHT = 90, LINE_COLOR = 22 };

/* Waits until the program uses almost no processor time, because its picture is complete. */
void awaitRest(void);
void awaitFile(const char *name);

/* Makes the program write `count` fine pictures, which show the effect of all earlier input. */
void awaitPictures(unsigned count);
/* Makes the program write a fine picture and reads it. */
Shot takeShot(void);
/* Moves the mouse away from all voxels, so that there is no preview of the brush. Returns the
 * window's content, with panels, lines and the edges of the world's box, when the program rests. */
Shot windowAtRest(void);
/* Waits until the window's content, from its upper edge on, differs from `before`. */
void awaitWindow(const Shot *before, unsigned least, const char *what);
void expectSize(unsigned width, unsigned height);
void resizeTo(unsigned width, unsigned height);

typedef struct Found {
    uint32_t voxels;
    uint32_t low[3], high[3]; /* box of the voxels in LINE_COLOR, both ends included */
    uint32_t colors[256];     /* number of voxels of each colour */
    uint32_t rgb;             /* palette entry 20 */
    uint32_t places;          /* checksum of the voxels' positions and colours */
} Found;

/* Saves the world by Ctrl+S, and returns counts of its solid voxels. */
Found findSaved(const char *name);
void expectVoxels(const char *file, uint32_t voxels, const char *what);

#endif
