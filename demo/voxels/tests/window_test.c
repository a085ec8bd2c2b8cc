/* Tests murvoxels in a window: a user adds, digs, undoes, looks, resizes and closes. After each
 * step, the program writes a picture (P), which shows the effect of the step, or the window is
 * read. A picture of a small window takes little time, but a start of the program takes much, so
 * there are few, long sessions.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "house.h"
#include "model/vox.h"
#include "program.h"
#include "session.h"
#include "support/seed.h"
#include "vox_writer.h"
#include "support/cases.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char saved[] = "murvoxels.world"; /* of a world without a file */
static const char house[] = "house.world";

static void type(const char *text) {
    for (; *text; ++text) {
        pressKey((const char[]){*text, '\0'});
    }
    keys("Return");
}

/* Uses the colour panel. wide, high: size of a letter in pixels. In a tall window, swatches are two
 * letters wide. Gives the lamp's colour all light. Makes HOUSE_COLOR #CCBB99, then gives it all
 * red. */
static void choose_colors(int width, int height, int wide, int high) {
    const bool tall = height / high >= 28;
    const int left = width - 34 * wide, bars = tall ? 19 : 11;
    clickAt(left + (tall ? 6 : 3) * wide + wide / 2, 2 * high + high / 2);
    clickAt(left + 28 * wide - 2, (bars + 4) * high + high / 2);
    clickAt(left + (tall ? 10 : 21) * wide + wide / 2, (tall ? 3 : 2) * high + high / 2);
    clickAt(left + 8 * wide, bars * high + high / 2);
    type("ccbb99");
    clickAt(left + 28 * wide - 2, (bars + 1) * high + high / 2);
    expectSize((unsigned)width, (unsigned)height);
}

/* Checks that the first view equals the view of Home, between the panels. */
static void expect_framed(const Shot *first) {
    const Shot now = windowAtRest();
    unsigned moved = 0; /* pixels between the panels, above messages */
    for (unsigned i = 0; i < now.width * (now.height / 2); ++i) {
        const bool between = i % now.width > 220 && i % now.width < now.width - 280;
        moved += between && memcmp(first->pixels + 3 * i, now.pixels + 3 * i, 3) != 0;
    }
    assert_int_equal(moved, 0);
}

/* Tab hides the panels and the edges of the world's box, which lie above all messages. Then strokes
 * do not hit the walls of the box. */
static void hide_the_box(void) {
    Shot with = windowAtRest();
    with.height = HEIGHT / 2;
    keys("Tab");
    awaitWindow(&with, 30, "the world box");
    clickAt(WIDTH / 2, 6);
    expectVoxels(saved, 0, "a wall that is not drawn");
    keys("Tab");
}

/* Selects a ball by its colour and gives it another colour. */
static void fill_a_ball(void) {
    keys("bracketright");
    clickAt(WIDTH / 2, 2 * HEIGHT / 3);
    assert_int_equal(findSaved(house).colors[LINE_COLOR], 19); /* a ball of radius 1 */
    keys("6 b b");
    clickButton(1, 1);
    keys("period k");
    const Found found = findSaved(house);
    assert_int_equal(found.colors[LINE_COLOR], 0);
    assert_int_equal(found.colors[LINE_COLOR + 1], 19);
    keys("b b comma 1 Ctrl+z Ctrl+z bracketleft"); /* brush of one voxel */
}

/* The effect of a click is known some frames later. Ctrl+Q waits for it, and then asks. */
static void leave_right_after_a_click(void) {
    clickAt(45, 60);
    keys("Ctrl+q");
    awaitQuestion();
    keys("Escape Ctrl+z");
    expectVoxels(house, HOUSE_VOXELS, "a click undone");
}

/* One quick stroke on the ground is a line without a gap, and one undo. */
static void draw_a_line(void) {
    strokeBetween(45, 60, 79, 66);
    const Found found = findSaved(house);
    const uint32_t longest = found.high[0] - found.low[0];
    assert_in_range(longest, 5, 60);
    assert_true(longest >= found.high[2] - found.low[2]);
    assert_int_equal(found.colors[LINE_COLOR], longest + 1);
    assert_int_equal(found.voxels, HOUSE_VOXELS + longest + 1);
    assert_int_equal(found.low[1], found.high[1]);
    keys("Ctrl+z");
    expectVoxels(house, HOUSE_VOXELS, "a stroke undone");
    /* Letters follow the user's keyboard layout: Z is at the place of Y on German keyboards, and of
     * W on French keyboards. */
    static const char *const layouts[] = {"de", "fr", "us"};
    for (int i = 0; i < 3; ++i) {
        displayLayout(layouts[i]);
        keys("Ctrl+y");
        expectVoxels(house, found.voxels, layouts[i]);
        keys("Ctrl+z");
        expectVoxels(house, HOUSE_VOXELS, layouts[i]);
    }
}

/* Takes a picture at rest, which is the mean of two (--samples). */
static Shot takeMean(void) {
    awaitPictures(3);
    return takeShot();
}

/* Moves the top of a wing. The number of voxels must stay, and one undo must restore all voxels. */
static void move_a_wing(void) {
    const Found before = findSaved(saved);
    houseMoveWing();
    const Found moved = findSaved(saved);
    assert_int_equal(moved.voxels, before.voxels);
    assert_int_not_equal(moved.places, before.places);
    keys("Ctrl+z");
    const Found back = findSaved(saved);
    assert_memory_equal(&back, &before, sizeof back);
}

/* Changes the view from flat to shaded. */
static void show_shaded(void) {
    keys("v*8");
}

/* Adds a lamp, which must light its room. Deletes it by its colour, and restores it by undo. */
static void light_a_lamp(void) {
    houseFront(120, 90);
    show_shaded();
    Shot shot = takeMean();
    const double dark = houseDoor(&shot);
    houseLamp();
    shot = takeMean();
    const double lit = houseDoor(&shot);
    if (lit < 1.5 * dark) {
        fail_msg("behind the door it is %.3f bright with a lamp, %.3f without", lit, dark);
    }
    assert_int_equal(findSaved(saved).colors[HOUSE_LAMP], 1);
    houseDeleteLamp();
    expectVoxels(saved, HOUSE_VOXELS - 1, "a house without a lamp");
    keys("Ctrl+z");
}

/* Saves the house under a name, and exports it. */
static void save_and_export(void) {
    keys("Shift+Ctrl+s");
    type("house");
    awaitFile(house);
    keys("Ctrl+e Shift+Ctrl+e p");
    awaitFile("house.vox");
    awaitFile("house.glb");
    awaitFile("house.png");
    const Found found = findSaved(house);
    assert_int_equal(found.voxels, HOUSE_VOXELS);
    VoxScene scene;
    assert_true(voxLoad(pathIn(session.folder, "house.vox"), &scene, NULL, 0));
    assert_int_equal(scene.voxelCount, HOUSE_VOXELS);
    voxFree(&scene);
}

/* With unsaved work, closing the window asks a question. Esc answers "no". */
static void be_asked(void) {
    keys("Escape");
    displayAskToClose();
    awaitQuestion();
    keys("Escape");
}

/* Writes a model: a floor of 9 x 7 voxels. */
static void writeModel(const char *name) {
    File file = startFile(150);
    putBlock(&file, 9, 7, 1);
    storeFile(&file, pathIn(session.folder, name));
}

/* Builds a house and more in an empty world, then kills the program. */
static void firstSession(void) {
    start((const char *const[]){"--empty", "24", "--autosave", "1", "--mode", "flat", "--size",
                                "540x310", NULL});
    const Shot first = windowAtRest();
    keys("Home");
    choose_colors(540, 310, 8, 16);
    expect_framed(&first);
    displayResize(WIDTH, HEIGHT);
    keys("Ctrl+z");
    assert_int_equal(findSaved(saved).rgb, 0xCCBB99);
    keys("Ctrl+y");
    assert_int_equal(findSaved(saved).rgb, 0xFFBB99);
    hide_the_box();
    keys("Tab");
    resizeTo(200, 150);
    keys("Home");
    houseBuild(200, 150);
    houseWings();
    move_a_wing();
    light_a_lamp();
    keys("v"); /* flat */
    save_and_export();
    resizeTo(WIDTH, HEIGHT);
    keys("Ctrl+5 1 b period period"); /* a ball */
    fill_a_ball();
    leave_right_after_a_click();
    draw_a_line();
    (void)kill(session.program, SIGSTOP); /* one slow frame has the click and a later Shift */
    clickAt(45, 60);
    holdKey("Shift_L", true);
    (void)kill(session.program, SIGCONT);
    awaitPictures(1);
    holdKey("Shift_L", false);
    be_asked();
    awaitFile("house.world.autosave");
    assert_int_equal(kill(session.program, SIGKILL), 0);
    (void)waitpid(session.program, NULL, 0);
}

/* Moves the view, without panels, because their messages fade. */
static void look_around(void) {
    keys("Tab");
    const Shot before = takeShot();
    Shot shot = before;
    for (int tries = 0; tries < 100 && shotsDiffer(&before, &shot, 8) < 100; ++tries) {
        holdKey("w", true);
        awaitPictures(1);
        holdKey("w", false);
        shot = takeShot();
    }
    expectDifferent(&before, &shot, 100, "flying forward");
    static const unsigned buttons[] = {3, 2, 1}; /* 1 with Ctrl */
    for (int i = 0; i < 3; ++i) {
        const Shot still = takeShot();
        pointAt(WIDTH / 2, HEIGHT / 2);
        holdKey("Control_L", i == 2);
        holdButton(buttons[i], true);
        holdKey("Control_L", false);
        awaitPictures(1);
        pointAt(WIDTH / 2 + 20, HEIGHT / 2 + 5);
        awaitDifferent(&still, 100, i ? "orbiting" : "looking around");
        holdButton(buttons[i], false);
    }
    Shot still = takeShot();
    pointAt(WIDTH / 2, HEIGHT / 2);
    clickButton(4, 1);
    awaitDifferent(&still, 100, "the wheel");
    static const char *const changes[] = {"Home", "m", "Ctrl+5", "Ctrl+1", "l"};
    for (int i = 0; i < 5; ++i) {
        still = windowAtRest();
        keys(changes[i]);
        awaitWindow(&still, 100, changes[i]);
    }
    keys("m l Tab");
}

static void each_view_and_text_is_different(void) {
    enum { VIEWS = 9 };
    Shot shots[VIEWS];
    keys("Tab");
    for (int i = 0; i < VIEWS; ++i) {
        shots[i] = takeShot();
        keys("v");
        for (int j = 0; j < i; ++j) {
            expectDifferent(&shots[i], &shots[j], 100, "another view");
        }
    }
    const Shot without = windowAtRest();
    keys("h");
    awaitWindow(&without, 300, "showing help");
    keys("Escape Tab");
}

static void resize_and_hide(void) {
    resizeTo(330, 90);
    keys("Tab");
    const Shot without = windowAtRest();
    keys("i");
    awaitWindow(&without, 300, "showing numbers");
    keys("i Tab");
    resizeTo(57, 120);
    resizeTo(140, 40);
    resizeTo(WIDTH, HEIGHT);
    displayHide();
    displayRest(50);
    displayReveal();
    awaitPictures(1);
}

/* A complete picture is not drawn again, until a key wakes the window. */
static void rest_and_wake(void) {
    keys("Tab"); /* messages fade */
    const Shot before = windowAtRest();
    keys("h");
    awaitWindow(&before, 300, "a key at rest");
    keys("Escape Tab");
}

/* Presses Enter repeatedly until the file has another size, because the program asks only after
 * earlier input has settled. size: of the file before; 0: none. */
static void confirm(const char *name, off_t size) {
    struct stat status = {.st_size = size};
    for (unsigned rest = 200; status.st_size == size; rest *= 2) {
        assert_in_range(rest, 200, 1000 * SECONDS);
        displayRest(rest);
        keys("Return");
        displayRest(rest);
        (void)stat(pathIn(session.folder, name), &status);
    }
}

/* Leaves a new world for a recent file, which another program then overwrites. */
static void find_the_house_again(void) {
    keys("Ctrl+n");
    type("empty 9");
    awaitPictures(2);
    clickAt(WIDTH / 2, 2 * HEIGHT / 3);
    keys("Ctrl+o");
    type("house");
    confirm("murvoxels-2.world", 0);
    awaitPictures(2);
    expectVoxels(house, HOUSE_VOXELS + 1, "a house that was opened again");
    fileWrite(pathIn(session.folder, house), "foreign", 7);
    keys("Ctrl+s");
    confirm(house, 7);
}

/* A second editor opens the last file, which the first has locked, and saves to another name. */
static void second_editor(void) {
    const Session first = session;
    const Found before = findSaved(house);
    (void)strcat(session.folder, "/two");
    assert_int_equal(mkdir(session.folder, 0700), 0);
    startAsked((const char *const[]){"--terrain-size", "64", "--mode", "flat", NULL});
    keys("Return");
    awaitPictures(2);
    clickAt(WIDTH / 2, HEIGHT / 2);
    keys("Ctrl+s");
    confirm("../house-2.world", 0);
    closeWindow();
    session = first;
    const Found after = findSaved(house);
    assert_memory_equal(&after, &before, sizeof after);
}

/* Drops a model on the window, which opens it, and saves it. In this small world, the brush is one
 * voxel. */
static void drop_a_floor(void) {
    writeModel("floor.vox");
    displayDrop(pathIn(session.folder, "floor.vox"));
    awaitPictures(2);
    clickAt(WIDTH / 2, HEIGHT / 2);
    awaitPictures(1);
    (void)remove(pathIn(session.folder, "floor.vox"));
    keys("Ctrl+s");
    awaitFile("floor.vox");
    VoxScene scene;
    assert_true(voxLoad(pathIn(session.folder, "floor.vox"), &scene, NULL, 0));
    assert_int_equal(scene.voxelCount, 63 + 1);
    voxFree(&scene);
}

/* A start offers to open the last file, and then to recover its unsaved work. */
static void secondSession(void) {
    startAsked((const char *const[]){"--terrain-size", "64", "--mode", "flat", NULL});
    confirmUntil("murvoxels: house.world *");
    expectVoxels(house, HOUSE_VOXELS + 1, "lost work");
    look_around();
    each_view_and_text_is_different();
    resize_and_hide();
    show_shaded();
    rest_and_wake();
    drop_a_floor();
    find_the_house_again();
    second_editor();
    clickAt(WIDTH / 2, HEIGHT / 2);
    keys("Ctrl+z"); /* back to the saved state: no question */
    closeWindow();
    assert_false(fileExists(pathIn(session.folder, "house.world.autosave")));
}

TEST_BETWEEN(sessions_of_an_artist, openSession, closeSession) {
    firstSession();
    secondSession();
}

/* On a large screen, letters have twice the size, and clicks still hit them. */
LONG_TEST(panels_are_twice_as_large_at_4k, openSession, closeSession) {
    start((const char *const[]){"--empty", "64", "--mode", "flat", "--size", "3840x2160", NULL});
    choose_colors(3840, 2160, 16, 33);
    clickAt(1920, 1500);
    const Found found = findSaved(saved);
    assert_true(found.voxels > 0);
    assert_int_equal(found.colors[20], found.voxels);
    assert_int_equal(found.rgb, 0xFFBB99);
    closeWindow();
}

TEST_BETWEEN(no_display_is_said, openSession, closeSession) {
    Program program;
    assert_int_equal(unsetenv("DISPLAY"), 0);
    assert_int_equal(unsetenv("WAYLAND_DISPLAY"), 0);
    programRun(MURVOXELS, (const char *const[]){"--terrain-size", "64", NULL}, session.folder,
               &program);
    assert_int_equal(program.status, 1);
    assert_int_equal(lineCount(program.error), 1);
    assert_non_null(strstr(program.error, "--headless"));
}
