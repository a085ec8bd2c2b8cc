/* murcanvas in a window, as a painter works in it. A step is followed by a rectangle that the
 * program writes: all that was done before is in it, so that nothing waits for a time.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/cases.h"
#include "support/watchdog.h"
#include "voxels/tests/display.h"
#include "voxels/tests/program.h"

#include <X11/Xutil.h>

#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 400, HEIGHT = 300, SECONDS = 100, SIDE = 100, LEFT = 150, TOP = 100 };

/* A pixel of the painting is one of the window, and the rectangle is its middle. */
typedef struct Picture {
    uint32_t width, height;
    uint8_t pixels[256][256][3];
} Picture;

static struct {
    char folder[64];
    TestDisplay display;
    pid_t program;
    Window window;
    unsigned pictures;
} session;

static void drag(unsigned button, int x0, int y0, int x1, int y1) {
    displayPoint(&session.display, session.window, x0, y0);
    displayButton(&session.display, button, true);
    displayPoint(&session.display, session.window, (x0 + x1) / 2, (y0 + y1) / 2);
    displayPoint(&session.display, session.window, x1, y1);
    displayButton(&session.display, button, false);
}

static void key(const char *name) {
    displayKey(&session.display, name, NULL);
}

/* What the program says on its standard output has this line. */
static void awaitLine(const char *line) {
    for (unsigned waited = 0;; waited += 5) {
        int status;
        char *text = fileRead(pathIn(session.folder, "stdout.txt"));
        const bool there = strstr(text, line) != NULL;
        free(text);
        if (there) {
            return;
        }
        if (waited > 1000 * SECONDS || waitpid(session.program, &status, WNOHANG) != 0) {
            text = fileRead(pathIn(session.folder, "stderr.txt"));
            fail_msg("no \"%s\": %s", line, text);
        }
        displayRest(5);
    }
}

static Picture readPicture(const char *name) {
    static Picture picture;
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, pathIn(session.folder, name)) != 0);
    image.format = PNG_FORMAT_RGB;
    picture.width = image.width;
    picture.height = image.height;
    assert_true(image.width <= 256 && image.height <= 256);
    assert_true(
        png_image_finish_read(&image, NULL, picture.pixels, sizeof picture.pixels[0], NULL));
    return picture;
}

/* Lets the program write a rectangle, and waits for it. */
static void export(int x, int y, int width, int height, char name[32]) {
    char line[64];
    displayKeyHold(&session.display, "Shift_L", true);
    drag(1, x, y, x + width, y + height);
    displayKeyHold(&session.display, "Shift_L", false);
    (void)snprintf(name, 32, session.pictures ? "murcanvas-%u.png" : "murcanvas.png",
                   session.pictures + 1);
    ++session.pictures;
    (void)snprintf(line, sizeof line, "picture: %s\n", name);
    awaitLine(line);
}

static Picture take(void) {
    char name[32];
    export(LEFT, TOP, SIDE, SIDE, name);
    return readPicture(name);
}

/* It is still there, and waits for more: what is told in one go may be done before it leaves. */
static void expectToStay(void) {
    (void)take();
    (void)take();
}

/* What the program that does not open a window sees in the file, where the rectangle is. */
static void expectSaved(const Picture *saved) {
    const char *arguments[PROGRAM_ARGUMENTS] = {
        "painting.murcanvas", "--screenshot", "saved.png", "--size", "100x100", "--view",
        "524288,524288,1"};
    arguments[addEnvironment(arguments, 7)] = NULL;
    const pid_t program = programStart(MURCANVAS, arguments, session.folder);
    assert_int_equal(displayAwaitEnd(program, SECONDS), 0);
    const Picture picture = readPicture("saved.png");
    assert_memory_equal(saved->pixels, picture.pixels, SIDE * sizeof picture.pixels[0]);
}

/* Its colour at a place of the window, as 0xRRGGBB. */
static uint32_t at(const Picture *picture, int x, int y) {
    const uint8_t *pixel = picture->pixels[y - TOP][x - LEFT];
    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

static void expectColor(int x, int y, uint32_t color, const char *what) {
    const Picture picture = take();
    if (at(&picture, x, y) != color) {
        fail_msg("%s: %06x at %d, %d, not %06x", what, at(&picture, x, y), x, y, color);
    }
}

/* The window itself has a colour there. */
static void awaitSeen(int x, int y, uint32_t color, const char *what) {
    for (unsigned waited = 0;; waited += 5) {
        XImage *image = XGetImage(session.display.x, session.window, x, y, 1, 1, AllPlanes,
                                  ZPixmap);
        assert_non_null(image);
        const uint32_t seen = XGetPixel(image, 0, 0) & 0xFFFFFF;
        XDestroyImage(image);
        if (seen == color) {
            return;
        }
        if (waited > 10000) {
            fail_msg("%s: %06x is seen at %d, %d, not %06x", what, seen, x, y, color);
        }
        displayRest(5);
    }
}

/* Pixels of the painting are half as wide as the window's, at first. */
static void start(const char *size) {
    const char *arguments[PROGRAM_ARGUMENTS] = {"--size", size,     "--tiles",
                                                "512",    "--view", "524288,524288,2"};
    arguments[addEnvironment(arguments, 6)] = NULL;
    session.program = programStart(MURCANVAS, arguments, session.folder);
    session.window = displayAwaitWindow(&session.display, "murcanvas", session.program);
}

/* A click on a colour of the panel at the left: two in a row, twelve rows, letters of 8 x 16. */
static void chooseColor(int column, int row) {
    displayPoint(&session.display, session.window, 12 + 16 * column,
                 HEIGHT / 2 - 96 + 16 * row + 8);
    displayClick(&session.display, 1);
}

/* Strokes, undo and redo, colours, an eraser, layers. */
static void paint(void) {
    chooseColor(1, 4); /* c02020 */
    drag(1, LEFT + 20, TOP + 50, LEFT + 80, TOP + 50);
    Picture first = take();
    assert_int_equal(first.width, SIDE);
    assert_int_equal(first.height, SIDE);
    assert_int_equal(at(&first, LEFT + 50, TOP + 50), 0xC02020);
    assert_int_equal(at(&first, LEFT + 50, TOP + 80), 0xFFFFFF);
    awaitSeen(LEFT + 50, TOP + 50, 0xC02020, "a stroke");
    awaitSeen(LEFT + SIDE + 16, TOP + SIDE, 0x555555, "the brush's outline");
    displayKey(&session.display, "z", "Control_L");
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "undo");
    displayKey(&session.display, "y", "Control_L");
    const Picture again = take();
    assert_memory_equal(first.pixels, again.pixels, SIDE * sizeof first.pixels[0]);
    key("e");
    drag(1, LEFT + 50, TOP + 20, LEFT + 50, TOP + 80);
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "the eraser");
    key("2");
    chooseColor(0, 9); /* 3070d0, for a brush */
    drag(1, LEFT + 50, TOP + 20, LEFT + 50, TOP + 80);
    expectColor(LEFT + 50, TOP + 50, 0x3070D0, "another layer");
    key("1");
    chooseColor(1, 4);
    drag(1, LEFT + 50, TOP + 50, LEFT + 51, TOP + 50);
    expectColor(LEFT + 50, TOP + 50, 0x3070D0, "a stroke below another layer");
}

/* A key that is held does it again and again. */
static void hold_a_key(void) {
    for (int i = 0; i < 2; ++i) {
        displayPoint(&session.display, session.window, LEFT + 20 + 60 * i, TOP + 50);
        displayClick(&session.display, 1);
    }
    displayPoint(&session.display, session.window, LEFT + SIDE, TOP + SIDE);
    awaitSeen(LEFT + 80, TOP + 50, 0x3070D0, "the last of two strokes");
    displayKeyHold(&session.display, "Control_L", true);
    displayKeyHold(&session.display, "z", true);
    awaitSeen(LEFT + 20, TOP + 50, 0xFFFFFF, "undo of both");
    displayKeyHold(&session.display, "z", false);
    displayKeyHold(&session.display, "Control_L", false);
}

/* What was covered is drawn again, though nothing has changed. */
static void cover(void) {
    Display *x = session.display.x;
    const Window cover = XCreateSimpleWindow(x, session.window, LEFT, TOP, 9, 9, 0, 0, 0xFF00FF);
    displayRest(200); /* until all is drawn */
    XMapWindow(x, cover);
    XSync(x, False);
    XDestroyWindow(x, cover);
    awaitSeen(LEFT + 4, TOP + 4, 0xFFFFFF, "what was covered");
}

/* Takes a colour of the painting. */
static void take_a_color(void) {
    chooseColor(0, 0);
    key("e");
    displayPoint(&session.display, session.window, LEFT + 25, TOP + 50);
    displayKeyHold(&session.display, "Control_L", true);
    displayClick(&session.display, 1); /* takes c02020, for a brush */
    displayKeyHold(&session.display, "Control_L", false);
}

/* The brush's size, hardness and opacity. */
static void change_the_brush(void) {
    for (int i = 0; i < 8; ++i) {
        key("bracketleft"); /* from 16 to 2.7 pixels */
    }
    drag(1, LEFT + 20, TOP + 90, LEFT + 80, TOP + 90);
    Picture thin = take();
    assert_int_equal(at(&thin, LEFT + 25, TOP + 90), 0xC02020);
    assert_int_equal(at(&thin, LEFT + 25, TOP + 95), 0xFFFFFF);
    for (int i = 0; i < 8; ++i) {
        key("bracketright");
    }
    for (int i = 0; i < 12; ++i) {
        key("minus");     /* 7% of opacity */
        key("semicolon"); /* 3% of hardness */
    }
    displayPoint(&session.display, session.window, LEFT + 20, TOP + 15);
    displayClick(&session.display, 1);
    Picture pale = take();
    const uint32_t color = at(&pale, LEFT + 20, TOP + 15);
    assert_in_range(color & 255, 230, 250);
    assert_true((at(&pale, LEFT + 32, TOP + 15) & 255) > (color & 255));
    for (int i = 0; i < 16; ++i) {
        key("equal");
        key("apostrophe"); /* 100% */
    }
    displayPoint(&session.display, session.window, LEFT + 82, TOP + 18);
    displayClick(&session.display, 1);
    expectColor(LEFT + 82, TOP + 18 - 14, 0xC02020, "a hard brush");
}

/* Another button does not end a stroke; undo does, whose stroke is gone then. */
static void interrupt_strokes(void) {
    displayPoint(&session.display, session.window, LEFT + 5, TOP + 80);
    displayButton(&session.display, 1, true);
    displayClick(&session.display, 3);
    displayPoint(&session.display, session.window, LEFT + 95, TOP + 80);
    displayButton(&session.display, 1, false);
    expectColor(LEFT + 95, TOP + 80, 0xC02020, "a stroke with a click in it");
    displayKey(&session.display, "z", "Control_L");
    const Picture before = take();
    displayPoint(&session.display, session.window, LEFT + 5, TOP + 80);
    displayButton(&session.display, 1, true);
    displayPoint(&session.display, session.window, LEFT + 50, TOP + 80);
    displayKey(&session.display, "z", "Control_L");
    displayPoint(&session.display, session.window, LEFT + 95, TOP + 80);
    displayButton(&session.display, 1, false);
    const Picture after = take();
    assert_memory_equal(after.pixels, before.pixels, SIDE * sizeof after.pixels[0]);
}

/* What is under the cursor stays there when it grows; a drag moves it. */
static void look_around(void) {
    char name[32];
    const Picture before = take();
    displayPoint(&session.display, session.window, LEFT, TOP);
    for (int i = 0; i < 4; ++i) {
        displayClick(&session.display, 4);
    }
    Picture twice = take();
    assert_int_equal(twice.width, SIDE / 2);
    assert_int_equal(twice.height, SIDE / 2);
    assert_memory_equal(twice.pixels[20], before.pixels[20], 50 * 3);
    displayPoint(&session.display, session.window, LEFT, TOP);
    for (int i = 0; i < 4; ++i) {
        displayClick(&session.display, 5);
    }
    displayPoint(&session.display, session.window, LEFT + 150, TOP + 100);
    for (int i = 0; i < 8; ++i) {
        displayClick(&session.display, i < 4 ? 4 : 5); /* there and back is here */
    }
    drag(3, LEFT, TOP, LEFT + 30, TOP + 10);
    Picture moved = take();
    assert_memory_equal(moved.pixels[60][30], before.pixels[50][0], 70 * 3);
    for (int i = 0; i < 60; ++i) {
        displayClick(&session.display, 4); /* to pixels that are 64 wide */
    }
    twice = take();
    assert_in_range(twice.width, 1, 2);
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    key("0");
    for (int i = 0; i < 20; ++i) {
        displayClick(&session.display, 5); /* to 32 pixels of the painting from pixel to pixel */
    }
    export(WIDTH / 2 - 128, TOP, 256, 1, name); /* 8192 x 32, as wide as may be */
    key("Home");
    awaitSeen(WIDTH - 100, 5, 0x404040, "what is beside the canvas");
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    key("0");
    Picture back = take();
    assert_memory_equal(back.pixels, before.pixels, SIDE * sizeof back.pixels[0]);
}

/* What could not be saved is not: a folder is where the database wants to have a file. */
static void fail_to_save(void) {
    assert_int_equal(mkdir(pathIn(session.folder, "painting.murcanvas-wal"), 0700), 0);
    displayKey(&session.display, "s", "Control_L");
    displayKey(&session.display, "q", "Control_L"); /* asks */
    expectToStay();
    key("Escape");
    assert_int_equal(rmdir(pathIn(session.folder, "painting.murcanvas-wal")), 0);
    (void)remove(pathIn(session.folder, "painting.murcanvas"));
}

/* It asks before it leaves if anything was done since it was saved, and when there is more. */
static void save_and_leave(void) {
    displayKey(&session.display, "s", "Control_L");
    awaitLine("saved: painting.murcanvas\n");
    assert_true(fileExists(pathIn(session.folder, "painting.murcanvas")));
    displayKey(&session.display, "z", "Control_L");
    displayKey(&session.display, "q", "Control_L"); /* asks */
    key("Escape");
    expectToStay();
    displayAskToClose(&session.display, session.window); /* asks again */
    expectToStay();
    displayKey(&session.display, "q", "Control_L"); /* and again: pictures were told since */
    key("Escape");
    displayKey(&session.display, "q", "Control_L");
    expectToStay();
    displayKey(&session.display, "q", "Control_L");
    displayKeyHold(&session.display, "Shift_L", true);
    displayKey(&session.display, "z", "Control_L"); /* redo, of which nobody was asked */
    displayKeyHold(&session.display, "Shift_L", false);
    displayKey(&session.display, "q", "Control_L");
    expectToStay();
    key("Escape");
    displayKey(&session.display, "s", "Control_L");
    chooseColor(0, 0); /* paints nothing */
    displayKey(&session.display, "q", "Control_L");
}

static int setup(void **state) {
    memset(&session, 0, sizeof session);
    folderMake(session.folder);
    watchdog(300);
    displayOpen(&session.display);
    return 0;
}

static int teardown(void **state) {
    if (session.program > 0) {
        (void)kill(session.program, SIGKILL);
        (void)waitpid(session.program, NULL, 0);
    }
    displayClose(&session.display);
    folderRemove(session.folder);
    watchdog(0);
    return 0;
}

TEST_BETWEEN(a_painters_session, setup, teardown) {
    start("400x300");
    key("F1");
    key("F1");
    assert_int_equal(take().width, 2 * SIDE);
    key("0");
    hold_a_key();
    cover();
    paint();
    take_a_color();
    change_the_brush();
    interrupt_strokes();
    look_around();
    displayResize(&session.display, session.window, 300, 200);
    displayResize(&session.display, session.window, 500, 400);
    awaitSeen(490, 300, 0xFFFFFF, "a larger window");
    displayResize(&session.display, session.window, WIDTH, HEIGHT);
    awaitSeen(12, HEIGHT / 2 + 56, 0x3070D0, "the panel of the first size");
    const Picture saved = take();
    fail_to_save();
    save_and_leave();
    const int status = displayAwaitEnd(session.program, SECONDS);
    session.program = 0;
    char *error = fileRead(pathIn(session.folder, "stderr.txt"));
    assert_non_null(strstr(error, "painting.murcanvas")); /* was not saved once; that is all */
    assert_ptr_equal(strchr(error, '\n'), error + strlen(error) - 1);
    assert_int_equal(status, 0);
    free(error);
    expectSaved(&saved);
}
