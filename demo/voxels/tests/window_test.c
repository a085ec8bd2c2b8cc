/* murvoxels in a window, as a user works in it: adds, digs, undoes, looks, resizes, closes. Each
 * step is followed by a picture (Shift+P), which tells that the step was done and what it changed.
 * A picture of a small window takes a processor little time; a start of the program takes it much,
 * so a few long sessions do all.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "display.h"
#include "model/save_file.h"
#include "model/vox.h"
#include "program.h"
#include "shaders/shapes.h"
#include "shaders/world_layout.h"
#include "shot.h"
#include "support/seed.h"
#include "support/watchdog.h"
#include "vox_writer.h"
#include "support/cases.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 120, HEIGHT = 90, SECONDS = 100 }; /* others may keep the machine busy */

typedef struct Session {
    char folder[64];
    TestDisplay display;
    pid_t program;
    Window window;
    unsigned pictures;
} Session;

static Session session;

static const char saved[] = "murvoxels.world"; /* of a world that came from no file */

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

static void awaitFile(const char *name) {
    for (unsigned waited = 0; !fileExists(pathIn(session.folder, name)); waited += 5) {
        if (waited > 1000 * SECONDS) {
            fail_msg("no %s within %d s", name, SECONDS);
        }
        expectRunning();
        displayRest(5);
    }
}

/* Has the program write a picture and reads it: all that was done before is in it. */
static Shot takeShot(void) {
    static const char *const said = "picture: ";
    char name[256] = "";
    displayKey(&session.display, "p", "Shift_L");
    ++session.pictures;
    for (unsigned waited = 0; !name[0]; waited += 5) {
        char *text = fileRead(pathIn(session.folder, "stdout.txt"));
        unsigned pictures = 0;
        for (char *at = text; pictures < session.pictures && (at = strstr(at, said)); ++pictures) {
            at += strlen(said);
            (void)snprintf(name, sizeof name, "%.*s",
                           pictures + 1 == session.pictures ? (int)strcspn(at, "\n") : 0, at);
        }
        free(text);
        assert_in_range(waited, 0, 1000 * SECONDS);
        expectRunning();
        displayRest(5);
    }
    return shotRead(name[0] == '/' ? name : pathIn(session.folder, name));
}

static void start(const char *const *extra) {
    const char *arguments[28] = {"--size",          "120x90", "--pool-mib",     "16",
                                 "--undo-mib",      "16",     "--table-slots",  "16384",
                                 "--table-start",   "4096",   "--flood-bricks", "1024",
                                 "--clipboard-mib", "1",      "--samples",      "4"};
    size_t used = addEnvironment(arguments, 16);
    for (size_t i = 0; extra[i] && used < 27; ++i) {
        arguments[used++] = extra[i];
    }
    session.pictures = 0;
    session.program = programStart(MURVOXELS, arguments, session.folder);
    session.window = displayAwaitWindow(&session.display, "murvoxels", session.program);
    free(takeShot().pixels);
}

static void expectDifferent(const Shot *a, const Shot *b, unsigned least, const char *what) {
    const unsigned different = shotsDiffer(a, b);
    if (different < least) {
        fail_msg("%s changed %u pixels only, expected %u at least", what, different, least);
    }
}

/* By what was done since. */
static void expectChange(const Shot *before, unsigned least, const char *what) {
    Shot after = takeShot();
    expectDifferent(before, &after, least, what);
    free(after.pixels);
}

/* The mouse rests where it points at nothing, so that no preview of the brush is in the picture. */
static Shot shotWithoutBrush(void) {
    displayPoint(&session.display, session.window, 1, 1);
    return takeShot();
}

/* Pictures until one differs, and that one: what takes time may take any time. */
static Shot awaitDifferent(const Shot *before, unsigned least, const char *what) {
    for (int tries = 0; tries < 100; ++tries) {
        Shot shot = takeShot();
        if (shotsDiffer(before, &shot) >= least) {
            return shot;
        }
        free(shot.pixels);
    }
    fail_msg("%s did not change %u pixels", what, least);
    return (Shot){0};
}

static void closeWindow(void) {
    displayAskToClose(&session.display, session.window);
    expectEnd();
}

/* Ctrl+S, as it is on the keyboard, and what the file has then. */
static SavedWorld saveAndRead(const char *name) {
    SavedWorld world;
    char error[SAVE_ERROR_SIZE];
    (void)remove(pathIn(session.folder, name));
    displayKey(&session.display, "s", "Control_L");
    awaitFile(name);
    if (!saveLoad(pathIn(session.folder, name), &world, error)) {
        fail_msg("%s", error);
    }
    return world;
}

typedef struct Found {
    uint32_t voxels;
    uint32_t low[3], high[3]; /* of them, both included */
    uint32_t colors[256];     /* voxels of each */
    uint8_t green;            /* of colour 20 */
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
    found.green = world.set.palette[20][1];
    saveFree(&world);
    return found;
}

static void clickAt(int x, int y) {
    displayPoint(&session.display, session.window, x, y);
    displayClick(&session.display, 1);
}

static void strokeBetween(int fromX, int fromY, int toX, int toY) {
    displayPoint(&session.display, session.window, fromX, fromY);
    displayButton(&session.display, 1, true);
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, toX, toY);
    free(takeShot().pixels);
    displayButton(&session.display, 1, false);
    free(takeShot().pixels);
}

static void expectSize(unsigned width, unsigned height) {
    Shot shot = takeShot();
    assert_int_equal(shot.width, width);
    assert_int_equal(shot.height, height);
    free(shot.pixels);
}

static void resizeTo(unsigned width, unsigned height) {
    displayResize(&session.display, session.window, width, height);
    expectSize(width, height); /* the keys come after the new size */
}

/* Colour 20 on the panel, which has room in a large window only, and all of its green; of letters
 * of this size. */
static void choose_a_color(int width, int height, int wide, int high) {
    const int left = width - 34 * wide;
    clickAt(left + 10 * wide, 3 * high + high / 2);
    expectSize((unsigned)width, (unsigned)height);
    clickAt(left + 28 * wide - 2, 21 * high + high / 2);
    expectSize((unsigned)width, (unsigned)height);
}

static uint32_t longestOf(const Found *found) {
    uint32_t longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t size = found->high[axis] - found->low[axis];
        longest = size > longest ? size : longest;
    }
    return longest;
}

static void expectVoxels(uint32_t voxels, const char *what) {
    const uint32_t found = findSaved(saved).voxels;
    if (found != voxels) {
        fail_msg("%s: %u voxels, not %u", what, found, voxels);
    }
}

/* Of the palette: undone and redone like edits of the world. */
static void undo_a_color(void) {
    assert_int_equal(findSaved(saved).green, 255);
    displayKey(&session.display, "z", "Control_L");
    assert_int_equal(findSaved(saved).green, 255 - 3 * 51); /* of the format's own palette */
    displayKey(&session.display, "y", "Control_L");
    assert_int_equal(findSaved(saved).green, 255);
}

/* Panels go, and with them the edges of the world box, which are above all messages; its walls take
 * no strokes then. */
static void hide_the_box(void) {
    Shot with = shotWithoutBrush();
    displayKey(&session.display, "Tab", NULL);
    Shot without = takeShot();
    with.height = without.height = HEIGHT / 2;
    expectDifferent(&without, &with, 30, "the world box");
    clickAt(WIDTH / 2, HEIGHT / 4);
    expectVoxels(0, "a wall that is not drawn");
    displayKey(&session.display, "Tab", NULL);
    free(with.pixels);
    free(without.pixels);
}

/* Bands of colour by height: two at the first K, four at the next, and one again in the end. */
static void paint_bands(void) {
    displayKey(&session.display, "k", NULL);
    clickAt(WIDTH / 2, 2 * HEIGHT / 3);
    Found found = findSaved(saved);
    assert_int_equal(found.voxels, 19); /* a ball of radius 1 */
    assert_true(found.colors[20] > 4 && found.colors[21] > 4);
    assert_int_equal(found.colors[20] + found.colors[21], 19);
    displayKey(&session.display, "z", "Control_L");
    for (int i = 0; i < 4; ++i) {
        displayKey(&session.display, "k", NULL);
    }
    displayClick(&session.display, 1);
    found = findSaved(saved);
    assert_int_equal(found.colors[20], 19);
    displayKey(&session.display, "z", "Control_L");
}

/* What a click changes is known frames later; leaving waits for it, and then asks. */
static void leave_right_after_a_click(void) {
    Shot before = shotWithoutBrush();
    clickAt(45, 60);
    displayKey(&session.display, "q", "Control_L");
    free(takeShot().pixels);
    free(takeShot().pixels);
    expectChange(&before, 500, "being asked after a click");
    displayKey(&session.display, "Escape", NULL);
    displayKey(&session.display, "z", "Control_L");
    expectVoxels(0, "a click undone");
    free(before.pixels);
}

/* One quick stroke on the ground is a line without a gap, and one undo. */
static Found draw_a_line(void) {
    displayKey(&session.display, "bracketleft", NULL); /* to one voxel */
    displayKey(&session.display, "bracketleft", NULL);
    strokeBetween(45, 60, 79, 66);
    const Found found = findSaved(saved);
    const uint32_t longest = longestOf(&found);
    assert_in_range(longest, 5, 60);
    assert_int_equal(found.voxels, longest + 1);
    assert_int_equal(found.colors[20], found.voxels);
    assert_int_equal(found.low[1], found.high[1]);
    displayKey(&session.display, "z", "Control_L");
    expectVoxels(0, "a stroke undone");
    /* Letters are where the user's keyboard has them: on German ones Z is where Y is elsewhere, on
     * French ones where W is. */
    static const char *const layouts[] = {"de", "fr", "us"};
    for (int i = 0; i < 3; ++i) {
        displayLayout(&session.display, layouts[i]);
        displayKey(&session.display, "y", "Control_L");
        expectVoxels(found.voxels, layouts[i]);
        if (i < 2) {
            displayKey(&session.display, "z", "Control_L");
            expectVoxels(0, layouts[i]);
        }
    }
    return found;
}

/* A mirror, a box by dragging, another as ground dug away; what is selected is moved: as many
 * voxels, elsewhere, and back by one undo. */
static void drag_boxes(const Found *line) {
    displayKey(&session.display, "m", NULL);
    displayKey(&session.display, "b", NULL);
    displayKey(&session.display, "b", NULL);
    strokeBetween(42, 73, 54, 80);
    const Found boxes = findSaved(saved);
    assert_true(boxes.voxels > line->voxels + 6);
    assert_int_equal((boxes.voxels - line->voxels) % 2, 0);
    displayKey(&session.display, "m", NULL);
    displayKey(&session.display, "7", NULL);
    strokeBetween(2, 2, 8, 8); /* something else, before what G is to move */
    displayPoint(&session.display, session.window, 38, 70);
    displayButton(&session.display, 1, true);
    free(takeShot().pixels);
    displayPoint(&session.display, session.window, 57, 84);
    displayButton(&session.display, 1, false);
    displayKey(&session.display, "g", NULL);
    displayPoint(&session.display, session.window, 46, 54);
    free(takeShot().pixels);
    displayClick(&session.display, 1);
    const Found moved = findSaved(saved);
    assert_int_equal(moved.voxels, boxes.voxels);
    assert_int_not_equal(moved.places, boxes.places);
    displayKey(&session.display, "z", "Control_L");
    const Found back = findSaved(saved);
    assert_memory_equal(&back, &boxes, sizeof back);
    displayKey(&session.display, "2", NULL);
    strokeBetween(38, 70, 57, 84);
    assert_true(findSaved(saved).voxels < boxes.voxels);
    displayKey(&session.display, "z", "Control_L");
    expectVoxels(boxes.voxels, "digging undone");
    displayKey(&session.display, "z", "Control_L"); /* and the boxes; not saved */
}

/* A window that is closed, Esc, and files that are dropped ask while there is unsaved work. */
static void be_asked(void) {
    Shot before = shotWithoutBrush();
    displayKey(&session.display, "Escape", NULL);
    expectChange(&before, 500, "being asked");
    displayKey(&session.display, "Escape", NULL);
    Shot stayed = takeShot();
    displayAskToClose(&session.display, session.window);
    expectChange(&stayed, 500, "being asked by the window");
    displayKey(&session.display, "Escape", NULL);
    free(before.pixels);
    free(stayed.pixels);
}

/* A floor of 9 x 7 voxels. */
static void writeModel(const char *name) {
    uint8_t voxels[63][4];
    for (uint32_t i = 0; i < 63; ++i) {
        const uint8_t voxel[4] = {(uint8_t)(i % 9), (uint8_t)(i / 9), 0, 3};
        memcpy(voxels[i], voxel, 4);
    }
    File file = startFile(150);
    putSize(&file, 9, 7, 1);
    putVoxels(&file, 63, (const uint8_t(*)[4])voxels);
    finishFile(&file);
    fileWrite(pathIn(session.folder, name), file.bytes, file.size);
    free(file.bytes);
}

/* The first minute with an empty world and a mouse; then the program is killed. */
static void firstSession(uint32_t *lineVoxels) {
    start((const char *const[]){"--empty", "64", "--autosave", "1", "--mode", "flat", "--size",
                                "500x450", NULL});
    choose_a_color(500, 450, 8, 16);
    displayResize(&session.display, session.window, WIDTH, HEIGHT);
    undo_a_color();
    hide_the_box();
    paint_bands();
    leave_right_after_a_click();
    const Found line = draw_a_line();
    drag_boxes(&line);
    be_asked();
    awaitFile("murvoxels.world.autosave");
    assert_int_equal(kill(session.program, SIGKILL), 0);
    (void)waitpid(session.program, NULL, 0);
    *lineVoxels = line.voxels;
}

static void look_around(void) {
    Shot before = shotWithoutBrush();
    Shot shot = before;
    for (int tries = 0; tries < 100 && shotsDiffer(&before, &shot) < 100; ++tries) {
        displayKeyHold(&session.display, "w", true);
        free(takeShot().pixels);
        displayKeyHold(&session.display, "w", false);
        shot = takeShot();
    }
    expectDifferent(&before, &shot, 100, "flying forward");
    static const unsigned buttons[] = {3, 2};
    for (int i = 0; i < 2; ++i) {
        Shot still = shotWithoutBrush();
        displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
        displayButton(&session.display, buttons[i], true);
        free(takeShot().pixels);
        displayPoint(&session.display, session.window, WIDTH / 2 + 20, HEIGHT / 2 + 5);
        shot = awaitDifferent(&still, 100, i ? "orbiting" : "looking around");
        displayButton(&session.display, buttons[i], false);
        free(shot.pixels);
        free(still.pixels);
    }
    Shot still = takeShot();
    displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
    displayClick(&session.display, 4);
    free(awaitDifferent(&still, 100, "the wheel").pixels);
    free(still.pixels);
    still = takeShot();
    displayKey(&session.display, "Home", NULL);
    free(awaitDifferent(&still, 100, "framing all").pixels);
    free(still.pixels);
    free(before.pixels);
}

static void each_view_and_text_is_different(void) {
    enum { VIEWS = 9 };
    Shot shots[VIEWS];
    displayKey(&session.display, "Tab", NULL);
    free(shotWithoutBrush().pixels);
    for (int i = 0; i < VIEWS; ++i) {
        shots[i] = takeShot();
        displayKey(&session.display, "v", NULL);
        for (int j = 0; j < i; ++j) {
            expectDifferent(&shots[i], &shots[j], 100, "another view");
        }
    }
    displayKey(&session.display, "h", NULL);
    expectChange(&shots[0], 300, "showing help");
    displayKey(&session.display, "Escape", NULL);
    displayKey(&session.display, "Tab", NULL);
    for (int i = 0; i < VIEWS; ++i) {
        free(shots[i].pixels);
    }
}

static void resize_and_hide(void) {
    resizeTo(330, 90);
    displayKey(&session.display, "Tab", NULL);
    Shot without = shotWithoutBrush();
    displayKey(&session.display, "i", NULL);
    expectChange(&without, 300, "showing numbers");
    displayKey(&session.display, "i", NULL);
    displayKey(&session.display, "Tab", NULL);
    free(without.pixels);
    resizeTo(57, 120);
    resizeTo(140, 40);
    resizeTo(WIDTH, HEIGHT);
    displayHide(&session.display, session.window);
    displayRest(50);
    displayReveal(&session.display, session.window);
    free(takeShot().pixels);
}

/* A picture that is fine enough costs nothing any more; a key wakes the window. */
static void rest_and_wake(void) {
    enum { LONG = 400, LITTLE = 20 };
    Shot before = shotWithoutBrush();
    unsigned long used = LONG;
    for (int tries = 0; used > LITTLE && tries < 1000 * SECONDS / LONG; ++tries) {
        const unsigned long first = programMilliseconds(session.program);
        displayRest(LONG);
        used = programMilliseconds(session.program) - first;
    }
    assert_in_range(used, 0, LITTLE);
    displayKey(&session.display, "h", NULL);
    expectChange(&before, 300, "a key at rest");
    displayKey(&session.display, "Escape", NULL);
    free(before.pixels);
}

/* Lost work is found again; views; a file is dropped. */
static void secondSession(uint32_t lineVoxels) {
    start((const char *const[]){"--load", saved, NULL});
    displayKey(&session.display, "Return", NULL); /* go on with it */
    expectVoxels(lineVoxels, "lost work");
    look_around();
    each_view_and_text_is_different();
    resize_and_hide();
    rest_and_wake();
    /* The file that is dropped is opened, and what is saved then is that. */
    writeModel("floor.vox");
    displayDrop(&session.display, session.window, pathIn(session.folder, "floor.vox"));
    free(takeShot().pixels);
    free(takeShot().pixels);
    /* In what is so small a brush begins with one voxel. */
    clickAt(WIDTH / 2, HEIGHT / 2);
    free(takeShot().pixels);
    (void)remove(pathIn(session.folder, "floor.vox"));
    displayKey(&session.display, "s", "Control_L");
    awaitFile("floor.vox");
    displayKeyHold(&session.display, "Shift_L", true);
    displayKey(&session.display, "e", "Control_L");
    displayKeyHold(&session.display, "Shift_L", false);
    awaitFile("floor.glb");
    VoxScene scene;
    assert_true(voxLoad(pathIn(session.folder, "floor.vox"), &scene, NULL, 0));
    assert_int_equal(scene.voxelCount, 63 + 1);
    voxFree(&scene);
    closeWindow();
    assert_false(fileExists(pathIn(session.folder, "murvoxels.world.autosave")));
}

static void sessions_of_an_artist(void **state) {
    uint32_t lineVoxels = 0;
    firstSession(&lineVoxels);
    secondSession(lineVoxels);
}

/* On a large screen: letters of twice the size, and the mouse finds them. */
static void panels_are_twice_as_large_at_4k(void **state) {
    start((const char *const[]){"--empty", "64", "--mode", "flat", "--size", "3840x2160", NULL});
    choose_a_color(3840, 2160, 16, 33);
    clickAt(1920, 1500);
    const Found found = findSaved(saved);
    assert_true(found.voxels > 0);
    assert_int_equal(found.colors[20], found.voxels);
    assert_int_equal(found.green, 255);
    closeWindow();
}

static void no_display_is_said(void **state) {
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
    memset(&session, 0, sizeof session);
    folderMake(session.folder);
    watchdog(test_full() ? 1200 : 300);
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(panels_are_twice_as_large_at_4k), /* in the long tier */
        TEST(sessions_of_an_artist),
        TEST(no_display_is_said),
    };
    const size_t first = test_full() ? 0 : 1;
    return _cmocka_run_group_tests("window", tests + first, sizeof tests / sizeof *tests - first,
                                   NULL, NULL);
}
