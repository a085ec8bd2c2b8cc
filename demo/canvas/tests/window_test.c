/* murcanvas in a window, as a painter works in it. A step is followed by a rectangle that the
 * program writes: all that was done before is in it, so that nothing waits for a time.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/cases.h"
#include "support/watchdog.h"
#include "voxels/tests/display.h"
#include "voxels/tests/program.h"

#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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

static Picture take(void) {
    char name[32], line[64];
    key("x");
    drag(1, LEFT, TOP, LEFT + SIDE, TOP + SIDE);
    (void)snprintf(name, sizeof name, session.pictures ? "murcanvas-%u.png" : "murcanvas.png",
                   session.pictures + 1);
    ++session.pictures;
    (void)snprintf(line, sizeof line, "picture: %s\n", name);
    awaitLine(line);
    return readPicture(name);
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

static void start(const char *width) {
    const char *arguments[PROGRAM_ARGUMENTS] = {"--size", width, "--tiles", "512"};
    arguments[addEnvironment(arguments, 4)] = NULL;
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
    displayKey(&session.display, "z", "Control_L");
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "undo");
    displayKey(&session.display, "y", "Control_L");
    const Picture again = take();
    assert_memory_equal(first.pixels, again.pixels, SIDE * sizeof first.pixels[0]);
    key("e");
    drag(1, LEFT + 50, TOP + 20, LEFT + 50, TOP + 80);
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "the eraser");
    key("b");
    key("2");
    chooseColor(0, 9); /* 3070d0 */
    drag(1, LEFT + 50, TOP + 20, LEFT + 50, TOP + 80);
    expectColor(LEFT + 50, TOP + 50, 0x3070D0, "another layer");
    key("v");
    expectColor(LEFT + 50, TOP + 50, 0xFFFFFF, "a layer that is hidden");
    key("v");
    key("1");
    drag(1, LEFT + 50, TOP + 50, LEFT + 51, TOP + 50);
    expectColor(LEFT + 50, TOP + 50, 0x3070D0, "a stroke below another layer");
}

/* The brush's size, hardness and opacity. */
static void change_the_brush(void) {
    chooseColor(0, 0);
    displayPoint(&session.display, session.window, LEFT + 80, TOP + 50);
    displayKeyHold(&session.display, "Control_L", true);
    displayClick(&session.display, 1); /* takes c02020 */
    displayKeyHold(&session.display, "Control_L", false);
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
        key("minus"); /* 7% of opacity */
    }
    displayPoint(&session.display, session.window, LEFT + 20, TOP + 15);
    displayClick(&session.display, 1);
    Picture pale = take();
    const uint32_t color = at(&pale, LEFT + 20, TOP + 15);
    assert_in_range(color & 255, 230, 250);
    for (int i = 0; i < 12; ++i) {
        key("equal");
    }
}

/* What is under the cursor stays there when it grows; a drag moves it. */
static void look_around(void) {
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
    drag(3, LEFT, TOP, LEFT + 30, TOP + 10);
    Picture moved = take();
    assert_memory_equal(moved.pixels[60][30], before.pixels[50][0], 70 * 3);
    key("Home");
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    key("0");
    Picture back = take();
    assert_memory_equal(back.pixels, before.pixels, SIDE * sizeof back.pixels[0]);
}

static void a_painters_session(void **state) {
    (void)state;
    start("400x300");
    key("F1");
    key("F1");
    paint();
    change_the_brush();
    look_around();
    displayResize(&session.display, session.window, 300, 200);
    displayResize(&session.display, session.window, WIDTH, HEIGHT);
    const Picture saved = take();
    displayKey(&session.display, "s", "Control_L");
    awaitLine("saved: painting.murcanvas\n");
    assert_true(fileExists(pathIn(session.folder, "painting.murcanvas")));
    displayKey(&session.display, "z", "Control_L");
    displayKey(&session.display, "q", "Control_L"); /* asks */
    key("Escape");
    (void)take();
    displayAskToClose(&session.display, session.window); /* asks again */
    (void)take();
    displayKey(&session.display, "q", "Control_L");
    const int status = displayAwaitEnd(session.program, SECONDS);
    session.program = 0;
    char *error = fileRead(pathIn(session.folder, "stderr.txt"));
    assert_string_equal(error, "");
    assert_int_equal(status, 0);
    free(error);
    expectSaved(&saved);
}

static int setup(void **state) {
    (void)state;
    memset(&session, 0, sizeof session);
    folderMake(session.folder);
    watchdog(300);
    displayOpen(&session.display);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    if (session.program > 0) {
        (void)kill(session.program, SIGKILL);
        (void)waitpid(session.program, NULL, 0);
    }
    displayClose(&session.display);
    folderRemove(session.folder);
    watchdog(0);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_painters_session, setup, teardown),
    };
    return cmocka_run_group_tests_name("murcanvas' window", tests, NULL, NULL);
}
