/* A user's session in the window: the program, what is done in it, and pictures and files that tell
 * what came of it. What is awaited fails the test if it does not come.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SESSION_H
#define MUR_TEST_SESSION_H

#include "display.h"
#include "model/save_file.h"
#include "shot.h"

enum {
    WIDTH = 120,
    HEIGHT = 90,
    LINE_COLOR = 22,
    SECONDS = 100
}; /* others may keep the machine busy */

typedef struct Session {
    char folder[64];
    TestDisplay display;
    pid_t program;
    Window window;
    unsigned pictures;
    char picture[256]; /* the last one */
} Session;

extern Session session;

/* Starts the program with these arguments besides those that keep it small. */
void start(const char *const *extra);
/* It ends, without a word on stderr. */
void expectEnd(void);
void closeWindow(void);
/* Its picture is as fine as it gets, and it waits for the user: it costs nothing any more. */
void awaitRest(void);
void awaitFile(const char *name);

/* Has the program write a picture and reads it: all that was done before is in it. */
Shot takeShot(void);
/* The mouse rests where it points at nothing, so that no preview of the brush is in the picture. */
Shot shotWithoutBrush(void);
void expectDifferent(const Shot *a, const Shot *b, unsigned least, const char *what);
/* By what was done since. */
void expectChange(const Shot *before, unsigned least, const char *what);
/* Pictures until one differs, and that one: what takes time may take any time. */
Shot awaitDifferent(const Shot *before, unsigned least, const char *what);
void expectSize(unsigned width, unsigned height);
void resizeTo(unsigned width, unsigned height);

void clickAt(int x, int y);
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

#endif
