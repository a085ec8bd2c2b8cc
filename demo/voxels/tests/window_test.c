/* murvoxels in a window, as a user works in it: adds, digs, undoes, looks, resizes, closes. Each
 * step is followed by a picture (P), which tells that the step was done and what it changed.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "display.h"
#include "model/save_file.h"
#include "program.h"
#include "shaders/shapes.h"
#include "shaders/world_layout.h"
#include "support/watchdog.h"

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

enum { WIDTH = 320, HEIGHT = 200, SECONDS = 1500 }; /* others may keep the machine busy */

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
    const int status = displayAwaitEnd(session.program, SECONDS);
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
    displayKey(&session.display, "p", "Shift_L");
    (void)snprintf(name, sizeof name, "a-%u.png", ++session.pictures);
    for (unsigned waited = 0; waited < 1000 * SECONDS; waited += 20) {
        if (fileExists(pathIn(session.folder, name))) {
            return readShot(pathIn(session.folder, name));
        }
        expectRunning();
        displayRest(20);
    }
    fail_msg("no %s within %d s", name, SECONDS);
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

/* The mouse rests where it points at nothing, so that no preview of the brush is in the picture.
 * Picks arrive two frames later; each picture is of a frame after the one before. */
static Shot shotWithoutBrush(void) {
    displayPoint(&session.display, session.window, 1, 1);
    for (int frames = 0; frames < 2; ++frames) {
        Shot shot = takeShot();
        free(shot.pixels);
    }
    return takeShot();
}

/* Pictures until one differs, and that one: what takes time may take any time. */
static Shot awaitDifferent(const Shot *before, unsigned least, const char *what) {
    for (int tries = 0; tries < 200; ++tries) {
        Shot shot = takeShot();
        if (differentPixels(before, &shot) >= least) {
            return shot;
        }
        free(shot.pixels);
    }
    fail_msg("%s did not change %u pixels", what, least);
    return (Shot){0};
}

static void clickInTheMiddle(void) {
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    displayClick(&session.display, 1);
}

static void closeWindow(void) {
    displayAskToClose(&session.display, session.window);
    expectEnd();
}

/* There is unsaved work: the program asks. */
static void closeAndRefuse(void) {
    displayAskToClose(&session.display, session.window);
    displayKey(&session.display, "n", NULL);
    expectEnd();
}

/* Ctrl+S, as it is on the keyboard, and what the file has then. */
static SavedWorld saveAndRead(const char *name) {
    SavedWorld world;
    char error[SAVE_ERROR_SIZE];
    (void)remove(pathIn(session.folder, name));
    displayKey(&session.display, "s", "Control_L");
    for (unsigned waited = 0; !fileExists(pathIn(session.folder, name)); waited += 20) {
        assert_true(waited < 1000 * SECONDS);
        expectRunning();
        displayRest(20);
    }
    if (!saveLoad(pathIn(session.folder, name), &world, error)) {
        fail_msg("%s", error);
    }
    return world;
}

typedef struct Found {
    uint32_t voxels;
    uint32_t low[3], high[3]; /* of them, both included */
    uint32_t colors[256];     /* voxels of each */
    uint32_t places;          /* a sum over where they are */
} Found;

/* Solid voxels of the saved world. */
static Found findSaved(const char *name) {
    SavedWorld world = saveAndRead(name);
    Found found = {.low = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < 512 * world.set.count; ++i) {
        const HostBrick *brick = &world.set.bricks[i / 512];
        const uint32_t v = i % 512;
        const uint32_t at[3] = {brick->x * 8 + (v & 7), brick->y * 8 + (v >> 3 & 7),
                                brick->z * 8 + (v >> 6)};
        const uint8_t color = brickSetVoxel(&world.set, brick,
                                            voxelNumberOf(at[0] & 7, at[1] & 7, at[2] & 7));
        for (int axis = 0; axis < 3 && color; ++axis) {
            found.low[axis] = at[axis] < found.low[axis] ? at[axis] : found.low[axis];
            found.high[axis] = at[axis] > found.high[axis] ? at[axis] : found.high[axis];
        }
        found.voxels += color != 0;
        found.places += color ? voxelSum(at[0], at[1], at[2], color, 1) : 0;
        found.colors[color] += color != 0;
    }
    saveFree(&world);
    return found;
}

static void strokeBetween(int fromX, int fromY, int toX, int toY) {
    displayPoint(&session.display, session.window, fromX, fromY);
    displayButton(&session.display, 1, true);
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, toX, toY);
    free(takeShot().pixels);
    displayButton(&session.display, 1, false);
    free(takeShot().pixels);
    free(shotWithoutBrush().pixels);
}

static Shot shotAfter(Shot *older) {
    free(older->pixels);
    return shotWithoutBrush();
}

/* The user undoes something, and then the program is killed. */
static void lost_work_is_found_again(const char *file, uint32_t voxels) {
    displayKey(&session.display, "z", "Control_L");
    for (unsigned waited = 0; !fileExists(pathIn(session.folder, "murvoxels.world.autosave"));
         waited += 20) {
        assert_true(waited < 1000 * SECONDS);
        expectRunning();
        displayRest(20);
    }
    assert_int_equal(kill(session.program, SIGKILL), 0);
    (void)waitpid(session.program, NULL, 0);
    start((const char *const[]){"--load", file, "--size", "320x200", NULL});
    displayKey(&session.display, "Return", NULL); /* go on with it */
    free(takeShot().pixels);
    free(takeShot().pixels);
    assert_int_equal(findSaved(file).voxels, voxels);
    closeWindow();
    assert_false(fileExists(pathIn(session.folder, "murvoxels.world.autosave")));
}

/* The first minute with an empty world and a mouse. */
static void first_minute_of_an_artist(void **state) {
    (void)state;
    static const char *const empty[] = {"--empty",    "64", "--size", "500x450",
                                        "--autosave", "1",  NULL};
    static const char file[] = "murvoxels.world";
    start(empty);
    free(takeShot().pixels);
    displayKey(&session.display, "bracketleft", NULL); /* to one voxel */
    displayKey(&session.display, "bracketleft", NULL);
    displayPoint(&session.display, session.window, 500 - 272 + 9 * 8 + 8, 16 + 8);
    displayClick(&session.display, 1); /* colour 20 of the palette on screen */
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, 250, 5); /* the wall at the back */
    displayKey(&session.display, "z", "Control_L");
    strokeBetween(190, 300, 330, 330); /* on the ground, in one quick step */
    Found found = findSaved(file);
    uint32_t longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t size = found.high[axis] - found.low[axis];
        longest = size > longest ? size : longest;
    }
    assert_in_range(longest, 5, 60);
    assert_int_equal(found.voxels, longest + 1); /* a line without a gap */
    assert_int_equal(found.colors[20], found.voxels);
    assert_int_equal(found.low[1], found.high[1]);
    displayKey(&session.display, "z", "Control_L"); /* all of it at once */
    free(shotWithoutBrush().pixels);
    assert_int_equal(findSaved(file).voxels, 0);
    displayKey(&session.display, "y", "Control_L");
    /* A mirror, and a box by dragging. */
    displayKey(&session.display, "m", NULL);
    displayKey(&session.display, "b", NULL);
    displayKey(&session.display, "b", NULL);
    strokeBetween(200, 380, 215, 400);
    const Found boxes = findSaved(file);
    assert_true(boxes.voxels > found.voxels + 6);
    assert_int_equal((boxes.voxels - found.voxels) % 2, 0);
    displayKey(&session.display, "m", NULL);
    /* What is selected is moved: as many voxels, elsewhere; and back by one undo. */
    displayKey(&session.display, "7", NULL);
    strokeBetween(190, 370, 225, 410);
    displayKey(&session.display, "g", NULL);
    displayPoint(&session.display, session.window, 195, 270);
    free(takeShot().pixels);
    displayClick(&session.display, 1);
    free(shotWithoutBrush().pixels);
    const Found moved = findSaved(file);
    assert_int_equal(moved.voxels, boxes.voxels);
    assert_int_not_equal(moved.places, boxes.places);
    displayKey(&session.display, "z", "Control_L");
    free(shotWithoutBrush().pixels);
    const Found back = findSaved(file);
    assert_memory_equal(&back, &boxes, sizeof back);
    lost_work_is_found_again(file, found.voxels);
}

static void session_adds_digs_undoes_and_closes(void **state) {
    (void)state;
    start(NULL);
    displayKey(&session.display, "Tab", NULL); /* numbers change by themselves */
    for (int i = 0; i < 12; ++i) {
        displayKey(&session.display, "bracketright", NULL); /* a larger brush */
    }
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
    /* Letters are where the user's keyboard has them: on German ones Z is where Y is elsewhere, on
     * French ones where W is. */
    static const char *const layouts[] = {"de", "fr"};
    for (int i = 0; i < 2; ++i) {
        displayLayout(&session.display, layouts[i]);
        displayKey(&session.display, "z", "Control_L");
        undone = shotAfter(&undone);
        expectSame(&before, &undone, "undoing on another keyboard");
        displayKey(&session.display, "y", "Control_L");
        redone = shotAfter(&redone);
        expectSame(&added, &redone, "redoing on another keyboard");
    }
    displayLayout(&session.display, "us");
    displayKey(&session.display, "Escape", NULL); /* asks, since there is unsaved work */
    Shot asked = shotWithoutBrush();
    expectDifferent(&added, &asked, 300, "being asked");
    displayKey(&session.display, "Escape", NULL);
    Shot stayed = shotWithoutBrush();
    expectSame(&added, &stayed, "staying");
    closeAndRefuse();
    free(asked.pixels);
    free(stayed.pixels);
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
    Shot shot;
    free(takeShot().pixels);
    for (size_t i = 0; i < 3; ++i) {
        displayResize(&session.display, session.window, sizes[i][0], sizes[i][1]);
        for (int tries = 0; tries < 200; ++tries) { /* the program may not have heard of it yet */
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
    free(takeShot().pixels);
    displayKey(&session.display, "Escape", NULL);
    expectEnd();
}

static void keys_and_mouse_move_the_view(void **state) {
    (void)state;
    start(NULL);
    displayKey(&session.display, "Tab", NULL);
    Shot before = shotWithoutBrush();
    displayKeyHold(&session.display, "w", true);
    Shot shot = awaitDifferent(&before, 500, "flying forward");
    displayKeyHold(&session.display, "w", false);
    free(shot.pixels);
    Shot still = shotWithoutBrush();
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    displayButton(&session.display, 3, true);
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, WIDTH / 2 + 40, HEIGHT / 2 + 10);
    shot = awaitDifferent(&still, 500, "looking around");
    displayButton(&session.display, 3, false);
    free(shot.pixels);
    free(still.pixels);
    still = takeShot();
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    displayClick(&session.display, 4);
    shot = awaitDifferent(&still, 500, "the wheel");
    free(still.pixels);
    still = takeShot();
    displayButton(&session.display, 2, true);
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, WIDTH / 2 + 30, HEIGHT / 2 + 5);
    free(shot.pixels);
    shot = awaitDifferent(&still, 500, "orbiting");
    displayButton(&session.display, 2, false);
    free(still.pixels);
    still = takeShot();
    displayKey(&session.display, "Home", NULL);
    free(shot.pixels);
    shot = awaitDifferent(&still, 500, "framing all");
    closeWindow();
    free(shot.pixels);
    free(still.pixels);
    free(before.pixels);
}

static void each_view_and_text_is_different(void **state) {
    (void)state;
    enum { VIEWS = 7 };
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
    displayKey(&session.display, "i", NULL);
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(first_minute_of_an_artist),       TEST(session_adds_digs_undoes_and_closes),
        TEST(window_is_resized_and_hidden),    TEST(keys_and_mouse_move_the_view),
        TEST(each_view_and_text_is_different), TEST(no_display_is_said),
    };
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
