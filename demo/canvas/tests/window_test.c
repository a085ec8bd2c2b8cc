/* Tests murcanvas in a window, by a painter's mouse and keys. After a step, the program exports a
 * rectangle, which shows the effect of all earlier steps, so that no test waits for a time.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/cases.h"
#include "voxels/tests/display.h"
#include "voxels/tests/program.h"
#include "voxels/tests/shot.h"

#include <X11/Xutil.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The palette is at the right, 34 columns of 8 pixels. There is no room for the tools. */
enum { WIDTH = 480, HEIGHT = 300, SIDE = 100, LEFT = 60, TOP = 100, PALETTE = WIDTH - 34 * 8 };

static void drag(unsigned button, int x0, int y0, int x1, int y1) {
    pointAt(x0, y0);
    holdButton(button, true);
    pointAt((x0 + x1) / 2, (y0 + y1) / 2);
    pointAt(x1, y1);
    holdButton(button, false);
}

/* Drags a rectangle, which the program exports as a picture. Returns the picture. */
static Shot export(int x, int y, int width, int height) {
    char name[32];
    holdKey("Shift_L", true);
    drag(1, x, y, x + width, y + height);
    holdKey("Shift_L", false);
    (void)snprintf(name, sizeof name, session.pictures ? "murcanvas-%u.png" : "murcanvas.png",
                   session.pictures + 1);
    awaitSaid("picture: ", ++session.pictures, session.picture);
    assert_string_equal(session.picture, name);
    return shotRead(pathIn(session.folder, name));
}

static Shot take(void) {
    return export(LEFT, TOP, SIDE, SIDE);
}

/* Checks that the program still runs. One export is not sufficient, because a program that exits
 * may process queued input before. */
static void expectToStay(void) {
    (void)take();
    (void)take();
}

static void expectSame(const Shot *a, const Shot *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_memory_equal(a->pixels, b->pixels, (size_t)3 * a->width * a->height);
}

/* Checks the content of the saved file, which murcanvas exports without a window. */
static void expectSaved(const Shot *saved) {
    Program program;
    const char *arguments[PROGRAM_ARGUMENTS] = {
        "again", "--screenshot", "saved.png", "--size", "100x100", "--view", "524158,524288,1"};
    arguments[addEnvironment(arguments, 7, true)] = NULL;
    programRun(MURCANVAS, arguments, session.folder, &program);
    assert_int_equal(program.status, 0);
    const Shot picture = shotRead(pathIn(session.folder, "saved.png"));
    expectSame(saved, &picture);
}

static const uint8_t *pixelAt(const Shot *shot, unsigned x, unsigned y) {
    return shot->pixels + 3 * (y * shot->width + x);
}

/* Returns the colour of an exported picture at window coordinates, as 0xRRGGBB. */
static uint32_t at(const Shot *shot, int x, int y) {
    const uint8_t *pixel = pixelAt(shot, (unsigned)(x - LEFT), (unsigned)(y - TOP));
    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

static void expectColor(int x, int y, uint32_t color, const char *what) {
    const Shot picture = take();
    if (at(&picture, x, y) != color) {
        fail_msg("%s: %06x at %d, %d, not %06x", what, at(&picture, x, y), x, y, color);
    }
}

/* Waits until the window's pixel has the colour. */
static void awaitSeen(int x, int y, uint32_t color, const char *what) {
    for (unsigned waited = 0;; awaitMore(&waited, what)) {
        XImage *image = XGetImage(session.x, session.window, x, y, 1, 1, AllPlanes, ZPixmap);
        assert_non_null(image);
        const uint32_t seen = XGetPixel(image, 0, 0) & 0xFFFFFF;
        XDestroyImage(image);
        if (seen == color) {
            return;
        }
    }
}

static void awaitTitle(const char *title) {
    bool same = false;
    for (unsigned waited = 0; !same; awaitMore(&waited, title)) {
        char *name = NULL;
        same = XFetchName(session.x, session.window, &name) && strcmp(name, title) == 0;
        XFree(name);
    }
}

/* Starts murcanvas with a view, or with a file and the view of its last save. */
static void start(const char *option, const char *value) {
    const char *arguments[PROGRAM_ARGUMENTS] = {"--size", "480x300", "--tiles",
                                                "512",    option,    value};
    arguments[addEnvironment(arguments, value ? 6 : 5, true)] = NULL;
    startProgram(MURCANVAS, arguments, "murcanvas");
    clickAt(8, 8); /* folds the tools, which leave no room for the palette */
}

/* Clicks a colour of the palette: 8 in a row, each 32 x 16 pixels, below three titles. */
static void chooseColor(int color) {
    clickAt(PALETTE + 8 + 32 * (color % 8) + 16, 16 * (3 + color / 8) + 8);
}

static void paint(void) {
    chooseColor(9); /* c02020 */
    drag(1, LEFT + 20, TOP + 50, LEFT + 80, TOP + 50);
    const Shot first = take();
    assert_int_equal(first.width, SIDE);
    assert_int_equal(first.height, SIDE);
    assert_int_equal(at(&first, LEFT + 50, TOP + 50), 0xC02020);
    assert_int_equal(at(&first, LEFT + 50, TOP + 80), 0xFFFFFF);
    awaitSeen(LEFT + 50, TOP + 50, 0xC02020, "a stroke");
    awaitSeen(LEFT + SIDE + 16, TOP + SIDE, 0x555555, "the brush's outline");
    keys("Ctrl+z");
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "undo");
    keys("Ctrl+y");
    const Shot again = take();
    expectSame(&first, &again);
    keys("e");
    drag(1, LEFT + 50, TOP + 20, LEFT + 50, TOP + 80);
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "the eraser");
    keys("2");
    chooseColor(18); /* 3070d0, for a brush */
    drag(1, LEFT + 50, TOP + 20, LEFT + 50, TOP + 80);
    expectColor(LEFT + 50, TOP + 50, 0x3070D0, "another layer");
    keys("1");
    chooseColor(9);
    drag(1, LEFT + 50, TOP + 50, LEFT + 51, TOP + 50);
    expectColor(LEFT + 50, TOP + 50, 0x3070D0, "a stroke below another layer");
}

/* Types a colour, and sets another one's red channel in the mixer. Exports the view with alpha. */
static void mix_a_color(void) {
    keys("Ctrl+Shift+c 1 2 3 4 5 6 Return");
    drag(1, LEFT + 20, TOP + 50, LEFT + 80, TOP + 50);
    expectColor(LEFT + 50, TOP + 50, 0x123456, "a colour that was typed");
    clickAt(PALETTE + 8 * 28 - 2, 16 * 8 + 8);
    drag(1, LEFT + 20, TOP + 50, LEFT + 80, TOP + 50);
    expectColor(LEFT + 50, TOP + 50, 0xFF3456, "a colour that was mixed");
    awaitTitle("murcanvas: new painting *");
    keys("Ctrl+e");
    awaitSaid("picture: ", ++session.pictures, session.picture);
    const char *png = fileRead(pathIn(session.folder, session.picture));
    assert_memory_equal(png + 16, ((const char[]){0, 0, 1, (char)0xE0, 0, 0, 1, 0x2C, 8, 6}), 10);
    keys("Ctrl+z Ctrl+z");
}

/* A key that is held repeats its command: Ctrl+Z undoes two strokes. */
static void hold_a_key(void) {
    for (int i = 0; i < 2; ++i) {
        clickAt(LEFT + 20 + 60 * i, TOP + 50);
    }
    pointAt(LEFT + SIDE, TOP + SIDE);
    awaitSeen(LEFT + 80, TOP + 50, 0x3070D0, "the last of two strokes");
    holdKey("Control_L", true);
    holdKey("z", true);
    awaitSeen(LEFT + 20, TOP + 50, 0xFFFFFF, "undo of both");
    holdKey("z", false);
    holdKey("Control_L", false);
}

/* A part of the window that was covered must be drawn again, although the painting is unchanged. */
static void cover(void) {
    Display *x = session.x;
    const Window cover = XCreateSimpleWindow(x, session.window, LEFT, TOP, 9, 9, 0, 0, 0xFF00FF);
    displayRest(200); /* until the window is drawn */
    XMapWindow(x, cover);
    XSync(x, False);
    XDestroyWindow(x, cover);
    awaitSeen(LEFT + 4, TOP + 4, 0xFFFFFF, "what was covered");
}

/* Selects a colour of the painting by Ctrl and a click. */
static void take_a_color(void) {
    chooseColor(0);
    keys("e");
    pointAt(LEFT + 25, TOP + 50);
    holdKey("Control_L", true);
    clickButton(1, 1); /* selects c02020 and a brush */
    holdKey("Control_L", false);
}

static void change_the_brush(void) {
    keys("bracketleft*8"); /* from 16 to 2.7 pixels */
    drag(1, LEFT + 20, TOP + 90, LEFT + 80, TOP + 90);
    const Shot thin = take();
    assert_int_equal(at(&thin, LEFT + 25, TOP + 90), 0xC02020);
    assert_int_equal(at(&thin, LEFT + 25, TOP + 95), 0xFFFFFF);
    keys("bracketright*8 minus*12 semicolon*12"); /* 7% of opacity, 3% of hardness */
    clickAt(LEFT + 20, TOP + 15);
    const Shot pale = take();
    const uint32_t color = at(&pale, LEFT + 20, TOP + 15);
    assert_in_range(color & 255, 230, 250);
    assert_true((at(&pale, LEFT + 32, TOP + 15) & 255) > (color & 255));
    keys("equal*16 apostrophe*16"); /* 100% */
    clickAt(LEFT + 82, TOP + 18);
    expectColor(LEFT + 82, TOP + 18 - 14, 0xC02020, "a hard brush");
}

/* With little flow, the paint of dabs adds up. Ends with full flow. */
static void change_the_flow(void) {
    keys("comma*12"); /* 7% */
    drag(1, LEFT + 20, TOP + 30, LEFT + 80, TOP + 30);
    const Shot pale = take();
    drag(1, LEFT + 20, TOP + 30, LEFT + 80, TOP + 30);
    const Shot twice = take();
    const uint32_t once = at(&pale, LEFT + 30, TOP + 30) & 255;
    assert_in_range(once, 100, 220);
    assert_in_range(at(&twice, LEFT + 30, TOP + 30) & 255, 50, once - 20);
    keys("Ctrl+z Ctrl+z period*16");
}

/* A hidden layer is neither drawn nor exported, and rejects strokes. */
static void hide_a_layer(void) {
    keys("l");
    expectColor(LEFT + 30, TOP + 50, 0xFFFFFF, "a hidden layer");
    drag(1, LEFT + 22, TOP + 75, LEFT + 80, TOP + 70);
    awaitSeen(LEFT + 30, TOP + 50, 0xFFFFFF, "a hidden layer");
    keys("l");
    awaitSeen(LEFT + 30, TOP + 50, 0xC02020, "a layer that is shown again");
    expectColor(LEFT + 30, TOP + 75, 0xFFFFFF, "a stroke on a hidden layer");
}

/* Another button does not end a stroke. Undo ends a stroke and removes it, Esc only ends it. */
static void interrupt_strokes(void) {
    pointAt(LEFT + 5, TOP + 80);
    holdButton(1, true);
    clickButton(3, 1);
    pointAt(LEFT + 95, TOP + 80);
    holdButton(1, false);
    expectColor(LEFT + 95, TOP + 80, 0xC02020, "a stroke with a click in it");
    keys("Ctrl+z");
    const Shot before = take();
    pointAt(LEFT + 5, TOP + 80);
    holdButton(1, true);
    pointAt(LEFT + 50, TOP + 80);
    keys("Ctrl+z");
    pointAt(LEFT + 95, TOP + 80);
    holdButton(1, false);
    const Shot after = take();
    expectSame(&after, &before);
    pointAt(LEFT + 5, TOP + 80);
    holdButton(1, true);
    pointAt(LEFT + 50, TOP + 80);
    awaitSeen(LEFT + 20, TOP + 80, 0xC02020, "a stroke that goes on");
    keys("Escape");
    pointAt(LEFT + 95, TOP + 80);
    holdButton(1, false);
    expectColor(LEFT + 95, TOP + 80, at(&before, LEFT + 95, TOP + 80), "a stroke after Esc");
    keys("Ctrl+z");
}

/* Zooming keeps the point under the cursor in place. A drag by the right button moves the view. */
static void look_around(void) {
    const Shot before = take();
    pointAt(LEFT, TOP);
    clickButton(4, 4);
    Shot twice = take();
    assert_int_equal(twice.width, SIDE / 2);
    assert_int_equal(twice.height, SIDE / 2);
    assert_memory_equal(pixelAt(&twice, 0, 20), pixelAt(&before, 0, 20), 50 * 3);
    pointAt(LEFT, TOP);
    clickButton(5, 4);
    pointAt(LEFT + 150, TOP + 100);
    clickButton(4, 4); /* zooms in and out again */
    clickButton(5, 4);
    drag(3, LEFT, TOP, LEFT + 30, TOP + 10);
    const Shot moved = take();
    assert_memory_equal(pixelAt(&moved, 30, 60), pixelAt(&before, 0, 50), 70 * 3);
    clickButton(4, 60); /* zooms to pixels that are 64 wide */
    twice = take();
    assert_in_range(twice.width, 1, 2);
    pointAt(WIDTH / 2, HEIGHT / 2);
    keys("0");
    clickButton(5, 20);                         /* 32 pixels of the painting per pixel */
    (void)export(WIDTH / 2 - 128, TOP, 256, 1); /* 8192 x 32, the largest width */
    keys("Home");                               /* the painted area, which is less than a tile */
    awaitSeen(5, 5, 0xFFFFFF, "the painted area");
    keys("Home"); /* shows the whole canvas */
    awaitSeen(5, 5, 0x404040, "what is beside the canvas");
    drag(1, LEFT, TOP, LEFT + SIDE, TOP + SIDE); /* too thin to be visible, so it paints nothing */
    pointAt(WIDTH / 2, HEIGHT / 2);
    keys("0");
    const Shot back = take();
    expectSame(&back, &before);
}

/* Saving fails, because a folder has the name of the database's log. The painting stays unsaved. */
static void fail_to_save(void) {
    assert_int_equal(mkdir(pathIn(session.folder, "painting.murcanvas-wal"), 0700), 0);
    keys("Ctrl+s Ctrl+q Escape"); /* asks */
    expectToStay();
    assert_int_equal(rmdir(pathIn(session.folder, "painting.murcanvas-wal")), 0);
    (void)remove(pathIn(session.folder, "painting.murcanvas"));
}

/* The program asks before it exits if the painting changed since the last save, and asks again if
 * anything happens after the question. */
static void save_and_leave(void) {
    keys("Ctrl+s");
    awaitSaid("saved: ", 1, session.picture);
    assert_string_equal(session.picture, "painting.murcanvas");
    assert_true(fileExists(pathIn(session.folder, "painting.murcanvas")));
    expectFile(pathIn(session.folder, "painting.murcanvas-wal"), "");
    awaitTitle("murcanvas: painting.murcanvas");
    keys("Ctrl+Shift+s a g a i n Return"); /* later saves use this name, too */
    awaitSaid("saved: ", 2, session.picture);
    assert_string_equal(session.picture, "again");
    awaitTitle("murcanvas: again");
    keys("Ctrl+z Ctrl+q Escape"); /* asks */
    expectToStay();
    displayAskToClose(); /* asks again */
    awaitSeen(PALETTE + 24, 16 * 4 + 8, 0xFFFFFF, "no palette during a question");
    keys("Escape");
    expectToStay();
    keys("Ctrl+Shift+z Ctrl+n Return"); /* saves before a new painting */
    awaitSaid("saved: ", 3, session.picture);
    awaitTitle("murcanvas: new painting");
    awaitSeen(LEFT + 82, TOP + 4, 0xFFFFFF, "an empty painting");
    chooseColor(0);
    drag(1, LEFT, TOP, LEFT + 9, TOP);
    awaitTitle("murcanvas: new painting *");
    keys("Ctrl+o a g a i n Return n"); /* opens a file, without saving */
    awaitTitle("murcanvas: again");
    keys("Ctrl+q");
}

TEST_BETWEEN(a_painters_session, openSession, closeSession) {
    start("--view", "524288,524288,2"); /* a pixel of the window shows 2 x 2 pixels */
    keys("F1 Escape");
    assert_int_equal(take().width, 2 * SIDE);
    keys("0");
    hold_a_key();
    cover();
    mix_a_color();
    paint();
    take_a_color();
    change_the_brush();
    change_the_flow();
    hide_a_layer();
    interrupt_strokes();
    look_around();
    displayResize(300, 200);
    displayResize(500, 400);
    awaitSeen(490, 300, 0xFFFFFF, "a larger window");
    displayResize(WIDTH, HEIGHT);
    awaitSeen(PALETTE + 8 + 32 * 2 + 16, 16 * 5 + 8, 0x3070D0, "the panel of the first size");
    const Shot saved = take();
    fail_to_save();
    save_and_leave();
    const char *error = expectEnd();
    assert_non_null(strstr(error, "painting.murcanvas")); /* the only error: one failed save */
    assert_ptr_equal(strchr(error, '\n'), error + strlen(error) - 1);
    expectSaved(&saved);
}
