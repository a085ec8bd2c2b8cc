/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "display.h"
#include "support/cases.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 20, START = 1500000 }; /* milliseconds */

void displayRest(unsigned milliseconds) {
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&time, NULL);
}

/* The server writes the number that it found free to a pipe. */
static void startServer(TestDisplay *display, int pipe[2]) {
    display->server = fork();
    assert_true(display->server >= 0);
    if (display->server == 0) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", pipe[1]);
        (void)close(pipe[0]);
        (void)freopen("/dev/null", "wb", stderr);
        (void)execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "3840x2160x24",
                     "-nolisten", "tcp", (char *)NULL);
        _exit(127);
    }
}

void displayOpen(TestDisplay *display) {
    int pipes[2];
    char number[8] = "";
    assert_int_equal(pipe(pipes), 0);
    startServer(display, pipes);
    (void)close(pipes[1]);
    size_t length = 0; /* a line comes when it is up; the end of the file, when it is gone */
    while (length < sizeof number - 1 && !strchr(number, '\n') &&
           read(pipes[0], number + length, 1) == 1) {
        ++length;
    }
    (void)close(pipes[0]);
    if (!strchr(number, '\n')) {
        fail_msg("Xvfb did not start");
    }
    number[length - 1] = '\0';
    (void)snprintf(display->name, sizeof display->name, ":%.7s", number);
    display->x = XOpenDisplay(display->name);
    if (!display->x) {
        fail_msg("cannot connect to display %s", display->name);
    }
    assert_int_equal(setenv("DISPLAY", display->name, 1), 0); /* for what is started from now on */
    assert_int_equal(unsetenv("WAYLAND_DISPLAY"), 0);
}

void displayClose(TestDisplay *display) {
    if (display->x) {
        (void)XCloseDisplay(display->x);
    }
    if (display->server > 0) {
        (void)kill(display->server, SIGTERM);
        (void)waitpid(display->server, NULL, 0);
    }
    *display = (TestDisplay){0};
}

int displayAwaitEnd(pid_t program, unsigned seconds) {
    int status = 0;
    for (unsigned waited = 0; waited < 1000 * seconds; waited += STEP) {
        if (waitpid(program, &status, WNOHANG) == program) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        displayRest(STEP);
    }
    (void)kill(program, SIGKILL);
    (void)waitpid(program, &status, 0);
    fail_msg("the program did not end within %u s", seconds);
    return -1;
}

static bool hasTitle(Display *x, Window window, const char *title) {
    char *name = NULL;
    XWindowAttributes attributes;
    bool same = XFetchName(x, window, &name) && name && strncmp(name, title, strlen(title)) == 0;
    XFree(name);
    return same && XGetWindowAttributes(x, window, &attributes) &&
           attributes.map_state == IsViewable;
}

static Window findWindow(Display *x, const char *title) {
    Window root, parent;
    Window *children = NULL;
    Window found = None;
    unsigned count = 0;
    if (XQueryTree(x, DefaultRootWindow(x), &root, &parent, &children, &count)) {
        for (unsigned i = 0; i < count; ++i) {
            found = hasTitle(x, children[i], title) ? children[i] : found;
        }
        XFree(children);
    }
    return found;
}

Window displayAwaitWindow(TestDisplay *display, const char *title, pid_t program) {
    for (unsigned waited = 0; waited < START; waited += STEP) {
        const Window window = findWindow(display->x, title);
        if (window != None) {
            XSetInputFocus(display->x, window, RevertToPointerRoot, CurrentTime);
            XSync(display->x, False);
            return window;
        }
        int status;
        if (waitpid(program, &status, WNOHANG) == program) {
            fail_msg("the program ended before it had a window: status %d",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        }
        displayRest(STEP);
    }
    fail_msg("no window \"%s\" appeared within %d s", title, START / 1000);
    return None;
}

void displayPoint(TestDisplay *display, Window window, int x, int y) {
    Window child;
    int rootX, rootY;
    assert_true(XTranslateCoordinates(display->x, window, DefaultRootWindow(display->x), x, y,
                                      &rootX, &rootY, &child));
    XTestFakeMotionEvent(display->x, DefaultScreen(display->x), rootX, rootY, CurrentTime);
    XSync(display->x, False);
}

void displayButton(TestDisplay *display, unsigned button, bool down) {
    XTestFakeButtonEvent(display->x, button, down, CurrentTime);
    XSync(display->x, False);
}

void displayClick(TestDisplay *display, unsigned button) {
    displayButton(display, button, true);
    displayButton(display, button, false);
}

void displayKeyHold(TestDisplay *display, const char *key, bool down) {
    const KeyCode code = XKeysymToKeycode(display->x, XStringToKeysym(key));
    assert_int_not_equal(code, 0);
    XTestFakeKeyEvent(display->x, code, down, CurrentTime);
    XSync(display->x, False);
}

void displayKey(TestDisplay *display, const char *key, const char *modifier) {
    if (modifier) {
        displayKeyHold(display, modifier, true);
    }
    displayKeyHold(display, key, true);
    displayKeyHold(display, key, false);
    if (modifier) {
        displayKeyHold(display, modifier, false);
    }
    displayRest(3); /* GLFW takes two presses within a millisecond for one */
}

void displayLayout(TestDisplay *display, const char *layout) {
    int status = -1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)execlp("setxkbmap", "setxkbmap", "-display", display->name, layout, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)XCloseDisplay(display->x); /* which had the keys of the one before */
    display->x = XOpenDisplay(display->name);
    assert_non_null(display->x);
}

void displayResize(TestDisplay *display, Window window, unsigned width, unsigned height) {
    XResizeWindow(display->x, window, width, height);
    XSync(display->x, False);
}

void displayHide(TestDisplay *display, Window window) {
    XUnmapWindow(display->x, window);
    XSync(display->x, False);
}

void displayReveal(TestDisplay *display, Window window) {
    XWindowAttributes attributes;
    XMapWindow(display->x, window);
    do {
        displayRest(STEP);
        assert_true(XGetWindowAttributes(display->x, window, &attributes));
    } while (attributes.map_state != IsViewable);
    XSetInputFocus(display->x, window, RevertToPointerRoot, CurrentTime);
    XSync(display->x, False);
}

/* A message of 32-bit words; the first is given alone, since most carry our own window there. */
static void sendMessage(Display *x, Window window, const char *type, long first, long second,
                        long third, long fourth) {
    XEvent event = {.xclient = {
                        .type = ClientMessage,
                        .window = window,
                        .message_type = XInternAtom(x, type, False),
                        .format = 32,
                        .data = {.l = {first, second, third, fourth}},
                    }};
    XSendEvent(x, window, False, NoEventMask, &event);
    XSync(x, False);
}

static void answerSelection(Display *x, const XSelectionRequestEvent *request, const char *path) {
    char uri[512];
    const int length = snprintf(uri, sizeof uri, "file://%s\r\n", path);
    XEvent event = {.xselection = {
                        .type = SelectionNotify,
                        .requestor = request->requestor,
                        .selection = request->selection,
                        .target = request->target,
                        .property = request->property,
                        .time = request->time,
                    }};
    XChangeProperty(x, request->requestor, request->property, request->target, 8, PropModeReplace,
                    (const unsigned char *)uri, length);
    XSendEvent(x, request->requestor, False, NoEventMask, &event);
    XSync(x, False);
}

void displayDrop(TestDisplay *display, Window window, const char *path) {
    Display *x = display->x;
    enum { VERSION = 5 };
    const Window source = XCreateSimpleWindow(x, DefaultRootWindow(x), 0, 0, 1, 1, 0, 0, 0);
    const Atom finished = XInternAtom(x, "XdndFinished", False);
    XSetSelectionOwner(x, XInternAtom(x, "XdndSelection", False), source, CurrentTime);
    sendMessage(x, window, "XdndEnter", (long)source, VERSION << 24,
                (long)XInternAtom(x, "text/uri-list", False), 0);
    sendMessage(x, window, "XdndPosition", (long)source, 0, 10 << 16 | 10, CurrentTime);
    sendMessage(x, window, "XdndDrop", (long)source, 0, CurrentTime, 0);
    for (unsigned waited = 0; waited < START; waited += STEP) {
        while (XPending(x)) {
            XEvent event;
            XNextEvent(x, &event);
            if (event.type == SelectionRequest) {
                answerSelection(x, &event.xselectionrequest, path);
            } else if (event.type == ClientMessage && event.xclient.message_type == finished) {
                XDestroyWindow(x, source);
                return;
            }
        }
        displayRest(STEP);
    }
    fail_msg("%s, dropped on the window, was not taken", path);
}

void displayAskToClose(TestDisplay *display, Window window) {
    sendMessage(display->x, window, "WM_PROTOCOLS",
                (long)XInternAtom(display->x, "WM_DELETE_WINDOW", False), CurrentTime, 0, 0);
}
