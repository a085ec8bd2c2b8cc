/* A display without a screen (Xvfb), a program in it, and a user at its mouse and keyboard.
 *
 * If an awaited event does not come, the functions fail the test with a line that names the event.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_DISPLAY_H
#define MUR_TEST_DISPLAY_H

#include "shot.h"

#include <X11/Xlib.h>

#include <stdbool.h>
#include <sys/types.h>

enum { SECONDS = 100 }; /* limit of a wait; the machine may be busy */

/* The session of the running test case; only one exists at a time. */
typedef struct Session {
    char folder[64];
    Display *x;
    pid_t program; /* 0: none */
    Window window;
    unsigned pictures; /* number of pictures that the program has written */
    char picture[256]; /* name of the last picture */
} Session;

extern Session session;

/* Setup and teardown for cmocka: a new folder, a watchdog, an X server and a connection to it.
 * Programs that are started later also use this server. */
int openSession(void **state);
int closeSession(void **state);

/* Starts a program, waits until a window whose title begins with `title` is visible, focuses it. */
void startProgram(const char *path, const char *const *arguments, const char *title);
/* Rests between two tries of a loop that waits. Fails the test if the program has ended or the loop
 * waits too long. waited: 0 before the loop. */
void awaitMore(unsigned *waited, const char *what);
/* Waits until the program uses almost no processor time, because its picture is complete. */
void awaitRest(void);
void awaitFile(const char *name);
/* Waits until the program has ended with status 0. Returns its text on stderr. */
const char *expectEnd(void);
/* Waits until the words were printed `times` times. rest: output, the end of their last line. */
void awaitSaid(const char *words, unsigned times, char rest[256]);

/* Returns the window's content. */
Shot displayShot(void);
bool hasTitle(Display *x, Window window, const char *title);

/* Input of the user, in pixels from the window's upper left corner. */
void pointAt(int x, int y);
void holdButton(unsigned button, bool down);
void clickButton(unsigned button, unsigned times);
void clickAt(int x, int y);
/* key: the name of the key in X11. */
void holdKey(const char *key, bool down);
void pressKey(const char *key);
/* Presses keys one after another: "b Tab Ctrl+z Shift+Ctrl+s k*4". k*4 presses k four times. */
void keys(const char *names);
/* Sets the keyboard layout, by its name for setxkbmap. */
void displayLayout(const char *layout);
void displayResize(unsigned width, unsigned height);
/* Unmap and map the window. */
void displayHide(void);
void displayReveal(void);
/* Drops a file on the middle of the window (XDND). Waits until the program has accepted it. */
void displayDrop(const char *path);
/* Asks the program to close the window, as a window manager does. */
void displayAskToClose(void);

void displayRest(unsigned milliseconds);

#endif
