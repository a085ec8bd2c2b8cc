/* A display without a screen (Xvfb), a program in it, and a user at its mouse and keyboard.
 *
 * Everything here fails the test, with a line that says what was awaited, rather than wait for
 * ever.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_DISPLAY_H
#define MUR_TEST_DISPLAY_H

#include <X11/Xlib.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct TestDisplay {
    pid_t server;
    char name[16]; /* ":7" */
    Display *x;
} TestDisplay;

/* Starts the server and connects to it, as programs do that are started from now on. */
void displayOpen(TestDisplay *display);
void displayClose(TestDisplay *display);

/* Waits for a program's end; the exit status, or 128 + the signal. */
int displayAwaitEnd(pid_t program, unsigned seconds);

/* Waits for a window whose title begins so to be shown, and gives it the keyboard. */
Window displayAwaitWindow(TestDisplay *display, const char *title, pid_t program);

/* The user. Places are relative to the window. */
void displayPoint(TestDisplay *display, Window window, int x, int y);
void displayButton(TestDisplay *display, unsigned button, bool down);
void displayClick(TestDisplay *display, unsigned button);
/* A key by its name in X11, "Tab" or "z"; modifier: the same, or NULL. */
void displayKey(TestDisplay *display, const char *key, const char *modifier);
void displayKeyHold(TestDisplay *display, const char *key, bool down);
/* The keyboard of another country, by its name for setxkbmap. */
void displayLayout(TestDisplay *display, const char *layout);
void displayResize(TestDisplay *display, Window window, unsigned width, unsigned height);
/* Takes the window off the screen and puts it back. */
void displayHide(TestDisplay *display, Window window);
void displayReveal(TestDisplay *display, Window window);
/* Drops a file on its middle, as a file manager would (XDND); waits until it has been taken. */
void displayDrop(TestDisplay *display, Window window, const char *path);
/* Asks the program to close it, as a window manager would. */
void displayAskToClose(TestDisplay *display, Window window);

/* Milliseconds of rest. */
void displayRest(unsigned milliseconds);

#endif
