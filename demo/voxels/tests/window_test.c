/* murvoxels in a window, as a user works in it: adds, digs, undoes, looks, resizes, closes. Each
 * step is followed by a picture (Shift+P), which tells that the step was done and what it changed.
 * A picture of a small window takes a processor little time; a start of the program takes it much,
 * so a few long sessions do all.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "model/vox.h"
#include "program.h"
#include "session.h"
#include "support/seed.h"
#include "support/watchdog.h"
#include "vox_writer.h"
#include "support/cases.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char saved[] = "murvoxels.world"; /* of a world that came from no file */

/* Colour 20 on the panel, which has room in a large window only, #336699 in its place, and all of
 * its green; of letters of this size. */
static void choose_a_color(int width, int height, int wide, int high) {
    const int left = width - 34 * wide;
    clickAt(left + 10 * wide, 3 * high + high / 2);
    expectSize((unsigned)width, (unsigned)height);
    clickAt(left + 8 * wide, 19 * high + high / 2);
    for (const char *digit = "336699"; *digit; ++digit) {
        displayKey(&session.display, (char[]){*digit, '\0'}, NULL);
    }
    displayKey(&session.display, "Return", NULL);
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
    static const uint32_t colors[] = {0xFF66CC, 0x336699, 0x33FF99}; /* first, .vox's own */
    for (int i = 2; i > 0; --i) {
        assert_int_equal(findSaved(saved).rgb, colors[i]);
        displayKey(&session.display, "z", "Control_L");
    }
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(findSaved(saved).rgb, colors[i]);
        displayKey(&session.display, "y", "Control_L");
    }
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
    displayKey(&session.display, "Right", NULL);
    displayKey(&session.display, "Right", NULL);
    const Found moved = findSaved(saved);
    assert_int_equal(moved.voxels, boxes.voxels);
    assert_int_not_equal(moved.places, boxes.places);
    displayKey(&session.display, "z", "Control_L");
    const Found back = findSaved(saved);
    assert_memory_equal(&back, &boxes, sizeof back);
    displayKey(&session.display, "8", NULL); /* one of them is pulled up, and found by a click */
    displayPoint(&session.display, session.window, 48, 76);
    displayButton(&session.display, 1, true);
    free(takeShot().pixels);
    displayClick(&session.display, 4);
    displayButton(&session.display, 1, false);
    const Found pulled = findSaved(saved);
    assert_true(pulled.voxels > boxes.voxels && pulled.high[1] == boxes.high[1] + 1);
    displayKey(&session.display, "7", NULL);
    displayClick(&session.display, 1);
    displayKey(&session.display, "Delete", NULL);
    assert_int_equal(findSaved(saved).voxels + 2 * (pulled.voxels - boxes.voxels), pulled.voxels);
    displayKey(&session.display, "z", "Control_L");
    displayKey(&session.display, "z", "Control_L");
    displayKey(&session.display, "2", NULL);
    strokeBetween(38, 70, 57, 84);
    assert_true(findSaved(saved).voxels < boxes.voxels);
    displayKey(&session.display, "z", "Control_L");
    expectVoxels(boxes.voxels, "digging undone");
    displayKey(&session.display, "z", "Control_L"); /* and the boxes; not saved */
}

/* A window that is closed and files that are dropped ask while there is unsaved work; Esc does not
 * leave. */
static void be_asked(void) {
    displayKey(&session.display, "Escape", NULL);
    Shot stayed = shotWithoutBrush();
    displayAskToClose(&session.display, session.window);
    expectChange(&stayed, 500, "being asked by the window");
    displayKey(&session.display, "Escape", NULL);
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
    static const char *const keys[] = {"Home", "5", "1", "l", "m"};
    for (int i = 0; i < 5; ++i) {
        still = takeShot();
        displayKey(&session.display, keys[i], keys[i][0] < 'A' ? "Control_L" : NULL);
        free(awaitDifferent(&still, 100, keys[i]).pixels);
        free(still.pixels);
    }
    displayKey(&session.display, "m", NULL);
    displayKey(&session.display, "l", NULL);
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

static void type(const char *text) {
    for (; *text; ++text) {
        displayKey(&session.display, (const char[]){*text, '\0'}, NULL);
    }
    displayKey(&session.display, "Return", NULL);
}

/* Enter, as soon as something is asked, which is when all that was done before has settled; then
 * the file has another size than this, 0 if there was none. */
static void confirm(const char *name, off_t size) {
    struct stat status = {.st_size = size};
    for (unsigned rest = 200; status.st_size == size; rest *= 2) {
        assert_in_range(rest, 200, 1000 * SECONDS);
        displayRest(rest);
        displayKey(&session.display, "Return", NULL);
        displayRest(rest);
        (void)stat(pathIn(session.folder, name), &status);
    }
}

/* A new world gets a name, and the file that was open before is found again. */
static void name_files(void) {
    displayKey(&session.display, "o", "Control_L");
    displayKey(&session.display, "Escape", NULL);
    displayKey(&session.display, "n", "Control_L");
    type("24");
    free(takeShot().pixels);
    free(takeShot().pixels);
    clickAt(WIDTH / 2, 2 * HEIGHT / 3);
    displayKeyHold(&session.display, "Shift_L", true);
    displayKey(&session.display, "s", "Control_L");
    displayKeyHold(&session.display, "Shift_L", false);
    type("house");
    awaitFile("house.world");
    const Found found = findSaved("house.world");
    assert_in_range(found.voxels, 1, 24 * 24);
    char *recent = fileRead(pathIn(session.folder, "murmuration/recent"));
    const char *house = strstr(recent, "/house.world\n");
    assert_true(house && house < strchr(recent, '\n'));
    free(recent);
    fileWrite(pathIn(session.folder, "house.world"), "foreign", 7);
    displayKey(&session.display, "s", "Control_L");
    confirm("house.world", 7);
    displayKey(&session.display, "o", "Control_L");
    type("floor");
    free(takeShot().pixels);
    free(takeShot().pixels);
    (void)remove(pathIn(session.folder, "floor.vox"));
    displayKey(&session.display, "s", "Control_L");
    awaitFile("floor.vox");
}

/* Another window begins with the last file, which is not its own: it saves to another name. */
static void second_editor(void) {
    const Session first = session;
    char *before = fileRead(pathIn(session.folder, "floor.vox"));
    (void)strcat(session.folder, "/two");
    assert_int_equal(mkdir(session.folder, 0700), 0);
    start((const char *const[]){"--terrain-size", "64", "--mode", "flat", NULL});
    displayKey(&session.display, "Return", NULL);
    free(takeShot().pixels);
    free(takeShot().pixels);
    clickAt(WIDTH / 2, HEIGHT / 2);
    displayKey(&session.display, "s", "Control_L");
    confirm("../floor-2.vox", 0);
    closeWindow();
    session = first;
    char *after = fileRead(pathIn(session.folder, "floor.vox"));
    assert_string_equal(before, after);
    free(before);
    free(after);
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
    name_files();
    second_editor();
    clickAt(WIDTH / 2, HEIGHT / 2);
    displayKey(&session.display, "z", "Control_L"); /* back to what is saved: nobody is asked */
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
    assert_int_equal(found.rgb, 0x33FF99);
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
    assert_int_equal(setenv("XDG_STATE_HOME", session.folder, 1), 0); /* for files in use lately */
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
