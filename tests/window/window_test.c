/* murvoxels in a window, as a user works in it: adds, digs, undoes, looks, resizes, closes. Each
 * step is followed by a picture (P), which tells that the step was done and what it changed.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "display.h"
#include "voxels/program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <png.h>

enum { WIDTH = 320, HEIGHT = 200, PICTURE_SECONDS = 60, END_SECONDS = 30 };

typedef struct Session {
    char folder[64];
    TestDisplay display;
    pid_t program;
    Window window;
    unsigned pictures;
} Session;

static Session session;

typedef struct Shot {
    unsigned width, height;
    uint8_t *pixels; /* red, green, blue */
} Shot;

static bool isSet(const char *name) {
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static void start(const char *const *extra) {
    const char *arguments[24] = {"--terrain-size", "64",    "--size",          "320x200",
                                 "--screenshot",   "a.png", "--pool-mib",      "16",
                                 "--undo-mib",     "16",    "--table-slots",   "16384",
                                 "--flood-bricks", "4096",  "--clipboard-mib", "1"};
    size_t used = 16;
    if (!isSet("MUR_TEST_NO_VALIDATION")) {
        arguments[used++] = "--validation";
    }
    if (getenv("MUR_TEST_DEVICE")) {
        arguments[used++] = "--device";
        arguments[used++] = getenv("MUR_TEST_DEVICE");
    }
    for (size_t i = 0; extra && extra[i] && used < 23; ++i) {
        arguments[used++] = extra[i];
    }
    session.program = displayRun(&session.display, MURVOXELS, arguments, session.folder);
    session.window = displayAwaitWindow(&session.display, "murvoxels", session.program);
}

/* The program's streams, when it has ended. */
static void expectEnd(void) {
    const int status = displayAwaitEnd(session.program, END_SECONDS);
    session.program = 0;
    char *error = fileRead(pathIn(session.folder, "stderr.txt"));
    if (status != 0 || error[0]) {
        print_error("status %d, stderr: %s\n", status, error);
    }
    assert_int_equal(status, 0);
    assert_string_equal(error, "");
    free(error);
}

static void expectRunning(void) {
    int status;
    if (waitpid(session.program, &status, WNOHANG) == session.program) {
        session.program = 0;
        char *error = fileRead(pathIn(session.folder, "stderr.txt"));
        fail_msg("the program ended with %d: %s",
                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), error);
    }
}

static Shot readShot(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    Shot shot = {image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_non_null(shot.pixels);
    assert_true(png_image_finish_read(&image, NULL, shot.pixels, 0, NULL));
    return shot;
}

/* Has the program write a picture and reads it: all that was done before is in it. */
static Shot takeShot(void) {
    char name[32];
    displayKey(&session.display, "p", NULL);
    (void)snprintf(name, sizeof name, "a-%u.png", ++session.pictures);
    for (unsigned waited = 0; waited < 1000 * PICTURE_SECONDS; waited += 20) {
        if (fileExists(pathIn(session.folder, name))) {
            return readShot(pathIn(session.folder, name));
        }
        expectRunning();
        displayRest(20);
    }
    fail_msg("no %s within %d s", name, PICTURE_SECONDS);
    return (Shot){0};
}

/* Pixels of which a channel differs by more than 8. */
static unsigned differentPixels(const Shot *a, const Shot *b) {
    unsigned different = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (size_t i = 0; i < (size_t)a->width * a->height; ++i) {
        bool same = true;
        for (size_t channel = 0; channel < 3; ++channel) {
            same = same && abs(a->pixels[3 * i + channel] - b->pixels[3 * i + channel]) <= 8;
        }
        different += !same;
    }
    return different;
}

static void expectDifferent(const Shot *a, const Shot *b, unsigned least, const char *what) {
    const unsigned different = differentPixels(a, b);
    if (different < least) {
        fail_msg("%s changed %u pixels only, expected %u at least", what, different, least);
    }
}

static void expectSame(const Shot *a, const Shot *b, const char *what) {
    const unsigned different = differentPixels(a, b);
    if (different != 0) {
        fail_msg("%s: %u pixels differ", what, different);
    }
}

/* The mouse rests where it points at nothing, so that no preview of the brush is in the picture. */
static Shot shotWithoutBrush(void) {
    displayPoint(&session.display, session.window, 1, 1);
    displayRest(300); /* picks arrive two frames later */
    Shot shot = takeShot();
    free(shot.pixels);
    return takeShot();
}

static void clickInTheMiddle(void) {
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    displayClick(&session.display, 1);
}

static void closeWindow(void) {
    displayAskToClose(&session.display, session.window);
    expectEnd();
}

static void session_adds_digs_undoes_and_closes(void **state) {
    (void)state;
    start(NULL);
    displayKey(&session.display, "Tab", NULL); /* numbers change by themselves */
    displayRest(100);
    Shot before = shotWithoutBrush();
    assert_int_equal(before.width, WIDTH);
    assert_int_equal(before.height, HEIGHT);
    clickInTheMiddle();
    Shot added = shotWithoutBrush();
    expectDifferent(&before, &added, 300, "adding a sphere");
    displayKey(&session.display, "2", NULL);
    clickInTheMiddle();
    Shot dug = shotWithoutBrush();
    expectDifferent(&added, &dug, 100, "digging a sphere");
    displayKey(&session.display, "z", "Control_L");
    Shot undone = shotWithoutBrush();
    expectSame(&added, &undone, "undoing the digging");
    displayKey(&session.display, "z", "Control_L");
    Shot first = shotWithoutBrush();
    expectSame(&before, &first, "undoing all");
    displayKey(&session.display, "y", "Control_L");
    Shot redone = shotWithoutBrush();
    expectSame(&added, &redone, "redoing the adding");
    closeWindow();
    free(before.pixels);
    free(added.pixels);
    free(dug.pixels);
    free(undone.pixels);
    free(first.pixels);
    free(redone.pixels);
}

static void window_is_resized_and_hidden(void **state) {
    (void)state;
    static const unsigned sizes[][2] = {{400, 150}, {97, 203}, {320, 200}};
    start(NULL);
    Shot shot = takeShot();
    free(shot.pixels);
    for (size_t i = 0; i < 3; ++i) {
        displayResize(&session.display, session.window, sizes[i][0], sizes[i][1]);
        for (int tries = 0; tries < 20; ++tries) { /* the program may not have heard of it yet */
            shot = takeShot();
            free(shot.pixels);
            if (shot.width == sizes[i][0] && shot.height == sizes[i][1]) {
                break;
            }
        }
        assert_int_equal(shot.width, sizes[i][0]);
        assert_int_equal(shot.height, sizes[i][1]);
    }
    displayHide(&session.display, session.window);
    displayRest(200);
    displayReveal(&session.display, session.window);
    shot = takeShot();
    free(shot.pixels);
    displayKey(&session.display, "Escape", NULL);
    expectEnd();
}

static void keys_and_mouse_move_the_view(void **state) {
    (void)state;
    start(NULL);
    displayKey(&session.display, "Tab", NULL);
    Shot before = shotWithoutBrush();
    displayKeyHold(&session.display, "w", true);
    displayRest(300);
    Shot shot = takeShot();
    displayKeyHold(&session.display, "w", false);
    expectDifferent(&before, &shot, 500, "flying forward");
    free(shot.pixels);
    Shot still = shotWithoutBrush();
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    displayButton(&session.display, 3, true);
    displayRest(300);
    displayPoint(&session.display, session.window, WIDTH / 2 + 40, HEIGHT / 2 + 10);
    shot = takeShot();
    displayButton(&session.display, 3, false);
    expectDifferent(&still, &shot, 500, "looking around");
    closeWindow();
    free(shot.pixels);
    free(still.pixels);
    free(before.pixels);
}

static void each_view_and_text_is_different(void **state) {
    (void)state;
    enum { VIEWS = 6 };
    Shot shots[VIEWS];
    start((const char *const[]){"--trace", "fragment", NULL});
    displayKey(&session.display, "Tab", NULL);
    for (int i = 0; i < VIEWS; ++i) {
        shots[i] = shotWithoutBrush();
        displayKey(&session.display, "v", NULL);
        for (int j = 0; j < i; ++j) {
            expectDifferent(&shots[i], &shots[j], 2000, "another view");
        }
    }
    displayKey(&session.display, "Tab", NULL);
    Shot numbers = shotWithoutBrush();
    expectDifferent(&shots[0], &numbers, 2000, "showing numbers");
    displayKey(&session.display, "h", NULL);
    Shot help = shotWithoutBrush();
    expectDifferent(&numbers, &help, 2000, "showing help");
    closeWindow();
    for (int i = 0; i < VIEWS; ++i) {
        free(shots[i].pixels);
    }
    free(numbers.pixels);
    free(help.pixels);
}

static void no_display_is_said(void **state) {
    (void)state;
    Program program;
    assert_int_equal(unsetenv("DISPLAY"), 0);
    assert_int_equal(unsetenv("WAYLAND_DISPLAY"), 0);
    programRun(MURVOXELS, (const char *const[]){"--terrain-size", "64", NULL}, session.folder,
               &program);
    assert_int_equal(program.status, 1);
    assert_int_equal(lineCount(program.error), 1);
    assert_non_null(strstr(program.error, "--headless"));
}

static int setup(void **state) {
    (void)state;
    memset(&session, 0, sizeof session);
    folderMake(session.folder);
    (void)alarm(150); /* the default action ends the process: a hang is a failure, never a wait */
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
    (void)alarm(0);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(session_adds_digs_undoes_and_closes),
        TEST(window_is_resized_and_hidden),
        TEST(keys_and_mouse_move_the_view),
        TEST(each_view_and_text_is_different),
        TEST(no_display_is_said),
    };
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
