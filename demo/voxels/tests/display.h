/* A display without a screen (Xvfb), a program in it, and a user at its mouse and keyboard.
 *
 * Everything here fails the test, with a line that names the awaited event, rather than wait for
 * ever.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_DISPLAY_H
#define MUR_TEST_DISPLAY_H

#include <X11/Xlib.h>

#include <stdbool.h>
#include <sys/types.h>

enum { SECONDS = 100 }; /* others may keep the machine busy */

/* Of a case: the only one at a time. */
typedef struct Session {
    char folder[64];
    Display *x;
    pid_t program; /* 0: none */
    Window window;
    unsigned pictures; /* that it has written */
    char picture[256]; /* the last one */
} Session;

extern Session session;

/* For cmocka: a new folder, a watchdog, a server and a connection to it, which programs have, too,
 * that are started from now on. */
int openSession(void **state);
int closeSession(void **state);

/* Starts it, waits for a window whose title begins so to be shown, and gives that the keyboard. */
void startProgram(const char *path, const char *const *arguments, const char *title);
void expectRunning(void);
/* Waits until it has ended well; returns its text on stderr. */
const char *expectEnd(void);
/* Waits until it has said these words `times` times; rest: of the line of the last. */
void awaitSaid(const char *words, unsigned times, char rest[256]);

/* The user. Places are relative to the window. */
void pointAt(int x, int y);
void holdButton(unsigned button, bool down);
void clickButton(unsigned button, unsigned times);
void clickAt(int x, int y);
/* A key by its name in X11. */
void holdKey(const char *key, bool down);
void pressKey(const char *key);
/* Several, one after the other: "b Tab Ctrl+z Shift+Ctrl+s k*4", the last of which is four. */
void keys(const char *names);
/* The keyboard of another country, by its name for setxkbmap. */
void displayLayout(const char *layout);
void displayResize(unsigned width, unsigned height);
/* Takes the window off the screen and puts it back. */
void displayHide(void);
void displayReveal(void);
/* Drops a file on its middle, as a file manager would (XDND); waits until it has been taken. */
void displayDrop(const char *path);
/* Asks the program to close it, as a window manager would. */
void displayAskToClose(void);

/* Milliseconds of rest. */
void displayRest(unsigned milliseconds);

#endif
