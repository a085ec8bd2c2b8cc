/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "display.h"
#include "program.h"
#include "support/cases.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 20, START = 1500000 }; /* milliseconds */

Session session;
static pid_t server;
static char screen[16]; /* ":7" */

void displayRest(unsigned milliseconds) {
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&time, NULL);
}

/* Starts the X server. It chooses a free display number and writes it to the pipe. */
static void startServer(int pipe[2]) {
    server = fork();
    assert_true(server >= 0);
    if (server == 0) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", pipe[1]);
        (void)close(pipe[0]);
        (void)freopen("/dev/null", "wb", stdout); /* a reader must not wait for the server */
        (void)freopen("/dev/null", "wb", stderr);
        (void)execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "3840x2160x24",
                     "-nolisten", "tcp", (char *)NULL);
        _exit(127);
    }
}

static void connectToServer(void) {
    session.x = XOpenDisplay(screen);
    if (!session.x) {
        fail_msg("cannot connect to display %s", screen);
    }
}

int openSession(void **state) {
    int pipes[2];
    session = (Session){0};
    folderMake(session.folder);
    watchdog(test_full() ? 3000 : 300);
    assert_int_equal(pipe(pipes), 0);
    startServer(pipes);
    (void)close(pipes[1]);
    FILE *ready = fdopen(pipes[0], "r"); /* the server writes a line, or ends and closes the pipe */
    screen[0] = ':';
    if (!ready || !fgets(screen + 1, sizeof screen - 1, ready)) {
        fail_msg("Xvfb did not start");
    }
    (void)fclose(ready);
    screen[strcspn(screen, "\n")] = '\0';
    connectToServer();
    assert_int_equal(setenv("DISPLAY", screen, 1), 0); /* for programs started from now on */
    assert_int_equal(unsetenv("WAYLAND_DISPLAY"), 0);
    assert_int_equal(setenv("XDG_STATE_HOME", session.folder, 1), 0); /* lists of recent files */
    return 0;
}

int closeSession(void **state) {
    if (session.program > 0) {
        (void)kill(session.program, SIGKILL);
        (void)waitpid(session.program, NULL, 0);
    }
    if (session.x) {
        (void)XCloseDisplay(session.x);
    }
    if (server > 0) {
        (void)kill(server, SIGTERM);
        (void)waitpid(server, NULL, 0);
        server = 0;
    }
    folderRemove(session.folder);
    watchdog(0);
    return 0;
}

/* Returns whether the program has ended. If it has, sets *error to its text on stderr. */
static bool hasEnded(int *status, const char **error) {
    const bool ended = waitpid(session.program, status, WNOHANG) == session.program;
    if (ended) {
        session.program = 0;
        *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
        *error = fileRead(pathIn(session.folder, "stderr.txt"));
    }
    return ended;
}

static void expectRunning(void) {
    int status;
    const char *error;
    if (hasEnded(&status, &error)) {
        fail_msg("the program ended with %d: %s", status, error);
    }
}

void awaitMore(unsigned *waited, const char *what) {
    if (*waited > 1000 * SECONDS) {
        fail_msg("waited %d s: %s", SECONDS, what);
    }
    expectRunning();
    displayRest(5);
    *waited += 5;
}

/* Returns the processor time that the program has used, in milliseconds. */
static unsigned long usedTime(void) {
    clockid_t clock;
    struct timespec used;
    assert_int_equal(clock_getcpuclockid(session.program, &clock), 0);
    assert_int_equal(clock_gettime(clock, &used), 0);
    return 1000 * (unsigned long)used.tv_sec + (unsigned long)used.tv_nsec / 1000000;
}

void awaitRest(void) {
    enum { LONG = 400, LITTLE = 20, MOST = 8 * 1000 * SECONDS }; /* milliseconds */
    unsigned long used = LONG;
    for (int waited = 0; used > LITTLE && waited < MOST; waited += LONG) {
        const unsigned long first = usedTime();
        displayRest(LONG);
        used = usedTime() - first;
    }
    assert_in_range(used, 0, LITTLE);
}

void awaitFile(const char *name) {
    for (unsigned waited = 0; !fileExists(pathIn(session.folder, name));) {
        awaitMore(&waited, name);
    }
}

const char *expectEnd(void) {
    int status;
    const char *error;
    for (unsigned waited = 0; !hasEnded(&status, &error); waited += STEP) {
        if (waited > 1000 * SECONDS) {
            fail_msg("the program did not end within %d s", SECONDS);
        }
        displayRest(STEP);
    }
    if (status != 0) {
        fail_msg("status %d, stderr: %s\n", status, error);
    }
    return error;
}

void awaitSaid(const char *words, unsigned times, char rest[256]) {
    for (unsigned waited = 0;; awaitMore(&waited, words)) {
        const char *at = fileRead(pathIn(session.folder, "stdout.txt"));
        unsigned found = 0;
        for (; found < times && (at = strstr(at, words)); ++found) {
            at += strlen(words);
        }
        if (found == times && strchr(at, '\n')) {
            (void)snprintf(rest, 256, "%.*s", (int)strcspn(at, "\n"), at);
            return;
        }
    }
}

bool hasTitle(Display *x, Window window, const char *title) {
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

void startProgram(const char *path, const char *const *arguments, const char *title) {
    session.pictures = 0;
    session.program = programStart(path, arguments, session.folder);
    for (unsigned waited = 0; waited < START; waited += STEP) {
        session.window = findWindow(session.x, title);
        if (session.window != None) {
            XSetInputFocus(session.x, session.window, RevertToPointerRoot, CurrentTime);
            XSync(session.x, False);
            return;
        }
        expectRunning();
        displayRest(STEP);
    }
    fail_msg("no window \"%s\" appeared within %d s", title, START / 1000);
}

Shot displayShot(void) {
    XWindowAttributes size;
    assert_true(XGetWindowAttributes(session.x, session.window, &size));
    const unsigned width = (unsigned)size.width, height = (unsigned)size.height;
    Shot shot = {width, height, keepUntilRemoved(3 * (size_t)width * height)};
    XImage *image = XGetImage(session.x, session.window, 0, 0, width, height, AllPlanes, ZPixmap);
    assert_non_null(image);
    for (size_t i = 0; i < (size_t)width * height; ++i) {
        const unsigned long pixel = XGetPixel(image, (int)(i % width), (int)(i / width));
        shot.pixels[3 * i] = (uint8_t)(pixel >> 16);
        shot.pixels[3 * i + 1] = (uint8_t)(pixel >> 8);
        shot.pixels[3 * i + 2] = (uint8_t)pixel;
    }
    XDestroyImage(image);
    return shot;
}

void pointAt(int x, int y) {
    Window child;
    int rootX, rootY;
    assert_true(XTranslateCoordinates(session.x, session.window, DefaultRootWindow(session.x), x, y,
                                      &rootX, &rootY, &child));
    XTestFakeMotionEvent(session.x, DefaultScreen(session.x), rootX, rootY, CurrentTime);
    XSync(session.x, False);
}

void holdButton(unsigned button, bool down) {
    XTestFakeButtonEvent(session.x, button, down, CurrentTime);
    XSync(session.x, False);
}

void clickButton(unsigned button, unsigned times) {
    for (unsigned i = 0; i < 2 * times; ++i) {
        holdButton(button, i % 2 == 0);
    }
}

void clickAt(int x, int y) {
    pointAt(x, y);
    clickButton(1, 1);
}

void holdKey(const char *key, bool down) {
    const KeyCode code = XKeysymToKeycode(session.x, XStringToKeysym(key));
    assert_int_not_equal(code, 0);
    XTestFakeKeyEvent(session.x, code, down, CurrentTime);
    XSync(session.x, False);
}

void pressKey(const char *key) {
    holdKey(key, true);
    holdKey(key, false);
    displayRest(3); /* GLFW merges presses within a millisecond */
}

static void holdModifiers(const char *key, bool down) {
    if (strstr(key, "Shift+")) {
        holdKey("Shift_L", down);
    }
    if (strstr(key, "Ctrl+")) {
        holdKey("Control_L", down);
    }
}

void keys(const char *names) {
    char name[32];
    for (int length; sscanf(names, " %31s%n", name, &length) == 1; names += length) {
        char *last = strrchr(name, '+'), *times = strchr(name, '*');
        int left = times ? atoi(times + 1) : 1;
        name[times ? times - name : 31] = '\0';
        for (; left > 0; --left) {
            holdModifiers(name, true);
            pressKey(last ? last + 1 : name);
            holdModifiers(name, false);
        }
    }
}

void displayLayout(const char *layout) {
    int status = -1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)execlp("setxkbmap", "setxkbmap", "-display", screen, layout, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)XCloseDisplay(session.x); /* this connection has the old layout's keys */
    connectToServer();
}

void displayResize(unsigned width, unsigned height) {
    XResizeWindow(session.x, session.window, width, height);
    XSync(session.x, False);
}

void displayHide(void) {
    XUnmapWindow(session.x, session.window);
    XSync(session.x, False);
}

void displayReveal(void) {
    XWindowAttributes attributes;
    XMapWindow(session.x, session.window);
    do {
        displayRest(STEP);
        assert_true(XGetWindowAttributes(session.x, session.window, &attributes));
    } while (attributes.map_state != IsViewable);
    XSetInputFocus(session.x, session.window, RevertToPointerRoot, CurrentTime);
    XSync(session.x, False);
}

/* Sends the window a client message of 32-bit words. */
static void sendMessage(const char *type, long first, long second, long third, long fourth) {
    XEvent event = {.xclient = {
                        .type = ClientMessage,
                        .window = session.window,
                        .message_type = XInternAtom(session.x, type, False),
                        .format = 32,
                        .data = {.l = {first, second, third, fourth}},
                    }};
    XSendEvent(session.x, session.window, False, NoEventMask, &event);
    XSync(session.x, False);
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

void displayDrop(const char *path) {
    Display *x = session.x;
    enum { VERSION = 5 };
    const Window source = XCreateSimpleWindow(x, DefaultRootWindow(x), 0, 0, 1, 1, 0, 0, 0);
    const Atom finished = XInternAtom(x, "XdndFinished", False);
    XSetSelectionOwner(x, XInternAtom(x, "XdndSelection", False), source, CurrentTime);
    sendMessage("XdndEnter", (long)source, VERSION << 24,
                (long)XInternAtom(x, "text/uri-list", False), 0);
    sendMessage("XdndPosition", (long)source, 0, 10 << 16 | 10, CurrentTime);
    sendMessage("XdndDrop", (long)source, 0, CurrentTime, 0);
    for (unsigned waited = 0;; awaitMore(&waited, path)) {
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
    }
}

void displayAskToClose(void) {
    sendMessage("WM_PROTOCOLS", (long)XInternAtom(session.x, "WM_DELETE_WINDOW", False),
                CurrentTime, 0, 0);
}
