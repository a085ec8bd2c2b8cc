/* murvoxels in a window, as a user works in it: adds, digs, undoes, looks, resizes, closes. Each
 * step is followed by a picture (Shift+P), which tells that the step was done and what it changed.
 * A picture of a small window takes a processor little time; a start of the program takes it much,
 * so a few long sessions do all.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "house.h"
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
static const char house[] = "house.world";

static void type(const char *text) {
    for (; *text; ++text) {
        displayKey(&session.display, (const char[]){*text, '\0'}, NULL);
    }
    displayKey(&session.display, "Return", NULL);
}

static void withShift(const char *key) {
    displayKeyHold(&session.display, "Shift_L", true);
    displayKey(&session.display, key, "Control_L");
    displayKeyHold(&session.display, "Shift_L", false);
}

/* On the panel, which has room in a large window only, of letters of this size: the lamp's colour
 * gives all the light it can; HOUSE_COLOR becomes #CCBB99, and then gets all of its red. */
static void choose_colors(int width, int height, int wide, int high) {
    const int left = width - 34 * wide;
    clickAt(left + 6 * wide, 2 * high + high / 2);
    clickAt(left + 28 * wide - 2, 23 * high + high / 2);
    clickAt(left + 10 * wide, 3 * high + high / 2);
    clickAt(left + 8 * wide, 19 * high + high / 2);
    type("ccbb99");
    clickAt(left + 28 * wide - 2, 20 * high + high / 2);
    expectSize((unsigned)width, (unsigned)height);
}

/* The first view was that which Home gives: between the panels. */
static void expect_framed(const Shot *first) {
    Shot now = shotWithoutBrush();
    unsigned moved = 0; /* pixels between the panels, above messages */
    for (unsigned i = 0; i < now.width * (now.height / 2); ++i) {
        const bool between = i % now.width > 220 && i % now.width < 540;
        moved += between && memcmp(first->pixels + 3 * i, now.pixels + 3 * i, 3) != 0;
    }
    assert_int_equal(moved, 0);
    free(now.pixels);
}

static void expectVoxels(const char *file, uint32_t voxels, const char *what) {
    const uint32_t found = findSaved(file).voxels;
    if (found != voxels) {
        fail_msg("%s: %u voxels, not %u", what, found, voxels);
    }
}

/* Of the palette: undone and redone like edits of the world. */
static void undo_a_color(void) {
    static const uint32_t colors[] = {0xFF66CC, 0xCCBB99, 0xFFBB99}; /* first, .vox's own */
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
    clickAt(WIDTH / 2, 6);
    expectVoxels(saved, 0, "a wall that is not drawn");
    displayKey(&session.display, "Tab", NULL);
    free(with.pixels);
    free(without.pixels);
}

/* Bands of colour by height: two at the first K, four at the next, and one again in the end. */
static void paint_bands(void) {
    displayKey(&session.display, "bracketright", NULL);
    displayKey(&session.display, "k", NULL);
    clickAt(WIDTH / 2, 2 * HEIGHT / 3);
    Found found = findSaved(house);
    assert_true(found.colors[LINE_COLOR] && found.colors[LINE_COLOR + 1]);
    assert_int_equal(found.voxels, HOUSE_VOXELS + 19); /* a ball of radius 1 */
    displayKey(&session.display, "z", "Control_L");
    for (int i = 0; i < 4; ++i) {
        displayKey(&session.display, "k", NULL);
    }
    displayClick(&session.display, 1);
    assert_int_equal(findSaved(house).colors[LINE_COLOR], 19);
    displayKey(&session.display, "z", "Control_L");
    displayKey(&session.display, "bracketleft", NULL); /* to one voxel */
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
    expectVoxels(house, HOUSE_VOXELS, "a click undone");
    free(before.pixels);
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
    displayKey(&session.display, "z", "Control_L");
    expectVoxels(house, HOUSE_VOXELS, "a stroke undone");
    /* Letters are where the user's keyboard has them: on German ones Z is where Y is elsewhere, on
     * French ones where W is. */
    static const char *const layouts[] = {"de", "fr", "us"};
    for (int i = 0; i < 3; ++i) {
        displayLayout(&session.display, layouts[i]);
        displayKey(&session.display, "y", "Control_L");
        expectVoxels(house, found.voxels, layouts[i]);
        displayKey(&session.display, "z", "Control_L");
        expectVoxels(house, HOUSE_VOXELS, layouts[i]);
    }
}

/* Once nothing moves, a picture is the mean of four (--samples). */
static Shot takeMean(void) {
    for (int i = 0; i < 3; ++i) {
        free(takeShot().pixels);
    }
    return takeShot();
}

/* The top of a wing is moved: as many voxels, elsewhere, and back by one undo. */
static void move_a_wing(void) {
    const Found before = findSaved(saved);
    houseMoveWing();
    const Found moved = findSaved(saved);
    assert_int_equal(moved.voxels, before.voxels);
    assert_int_not_equal(moved.places, before.places);
    displayKey(&session.display, "z", "Control_L");
    const Found back = findSaved(saved);
    assert_memory_equal(&back, &before, sizeof back);
}

/* From flat. */
static void show_shaded(void) {
    for (int i = 0; i < 8; ++i) {
        displayKey(&session.display, "v", NULL);
    }
}

/* A lamp lights its room; it is found by its colour and taken away, and comes back. */
static void light_a_lamp(void) {
    houseFront(160, 120);
    show_shaded();
    Shot shot = takeMean();
    const double dark = houseDoor(&shot);
    free(shot.pixels);
    houseLamp();
    shot = takeMean();
    const double lit = houseDoor(&shot);
    free(shot.pixels);
    if (lit < 1.5 * dark) {
        fail_msg("behind the door it is %.3f bright with a lamp, %.3f without", lit, dark);
    }
    assert_int_equal(findSaved(saved).colors[HOUSE_LAMP], 1);
    houseDeleteLamp();
    expectVoxels(saved, HOUSE_VOXELS - 1, "a house without a lamp");
    displayKey(&session.display, "z", "Control_L");
}

/* It is saved under a name, and exported. */
static void save_and_export(void) {
    withShift("s");
    type("house");
    awaitFile(house);
    displayKey(&session.display, "e", "Control_L");
    withShift("e");
    displayKey(&session.display, "p", NULL);
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

/* A house is built in an empty world, and more beside it; then the program is killed. */
static void firstSession(void) {
    start((const char *const[]){"--empty", "24", "--autosave", "1", "--mode", "flat", "--size",
                                "820x450", NULL});
    Shot first = shotWithoutBrush();
    displayKey(&session.display, "Home", NULL);
    choose_colors(820, 450, 8, 16);
    expect_framed(&first);
    free(first.pixels);
    displayResize(&session.display, session.window, WIDTH, HEIGHT);
    undo_a_color();
    hide_the_box();
    displayKey(&session.display, "Tab", NULL);
    resizeTo(400, 300);
    displayKey(&session.display, "Home", NULL);
    houseBuild(400, 300);
    houseWings(NULL);
    move_a_wing();
    light_a_lamp();
    save_and_export();
    resizeTo(WIDTH, HEIGHT);
    displayKey(&session.display, "v", NULL); /* flat */
    displayKey(&session.display, "5", "Control_L");
    displayKey(&session.display, "1", NULL);
    displayKey(&session.display, "b", NULL); /* a ball */
    displayKey(&session.display, "period", NULL);
    displayKey(&session.display, "period", NULL);
    paint_bands();
    leave_right_after_a_click();
    draw_a_line();
    clickAt(45, 60);
    be_asked();
    awaitFile("house.world.autosave");
    assert_int_equal(kill(session.program, SIGKILL), 0);
    (void)waitpid(session.program, NULL, 0);
}

/* Without panels, whose messages fade. */
static void look_around(void) {
    displayKey(&session.display, "Tab", NULL);
    Shot before = shotWithoutBrush();
    Shot shot = before;
    for (int tries = 0; tries < 100 && shotsDiffer(&before, &shot) < 100; ++tries) {
        displayKeyHold(&session.display, "w", true);
        free(takeShot().pixels);
        displayKeyHold(&session.display, "w", false);
        shot = takeShot();
    }
    expectDifferent(&before, &shot, 100, "flying forward");
    static const unsigned buttons[] = {3, 2, 1}; /* the last with Ctrl */
    for (int i = 0; i < 3; ++i) {
        Shot still = shotWithoutBrush();
        displayPoint(&session.display, session.window, WIDTH / 2, HEIGHT / 2);
        displayKeyHold(&session.display, "Control_L", i == 2);
        displayButton(&session.display, buttons[i], true);
        displayKeyHold(&session.display, "Control_L", false);
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
    displayKey(&session.display, "Tab", NULL);
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
    Shot before = shotWithoutBrush();
    awaitRest();
    displayKey(&session.display, "h", NULL);
    expectChange(&before, 300, "a key at rest");
    displayKey(&session.display, "Escape", NULL);
    free(before.pixels);
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

/* A new world; what is thrown away for a file in use lately, which somebody else has written
 * meanwhile. */
static void find_the_house_again(void) {
    displayKey(&session.display, "n", "Control_L");
    type("empty 9");
    free(takeShot().pixels);
    free(takeShot().pixels);
    clickAt(WIDTH / 2, 2 * HEIGHT / 3);
    displayKey(&session.display, "o", "Control_L");
    type("house");
    confirm("murvoxels-2.world", 0);
    free(takeShot().pixels);
    free(takeShot().pixels);
    expectVoxels(house, HOUSE_VOXELS + 1, "a house that was opened again");
    fileWrite(pathIn(session.folder, house), "foreign", 7);
    displayKey(&session.display, "s", "Control_L");
    confirm(house, 7);
}

/* Another window begins with the last file, which is not its own: it saves to another name. */
static void second_editor(void) {
    const Session first = session;
    const Found before = findSaved(house);
    (void)strcat(session.folder, "/two");
    assert_int_equal(mkdir(session.folder, 0700), 0);
    start((const char *const[]){"--terrain-size", "64", "--mode", "flat", NULL});
    displayKey(&session.display, "Return", NULL);
    free(takeShot().pixels);
    free(takeShot().pixels);
    clickAt(WIDTH / 2, HEIGHT / 2);
    displayKey(&session.display, "s", "Control_L");
    confirm("../house-2.world", 0);
    closeWindow();
    session = first;
    const Found after = findSaved(house);
    assert_memory_equal(&after, &before, sizeof after);
}

/* A floor that is dropped on the window is opened, and what is saved then is that. In what is so
 * small a brush begins with one voxel. */
static void drop_a_floor(void) {
    writeModel("floor.vox");
    displayDrop(&session.display, session.window, pathIn(session.folder, "floor.vox"));
    free(takeShot().pixels);
    free(takeShot().pixels);
    clickAt(WIDTH / 2, HEIGHT / 2);
    free(takeShot().pixels);
    (void)remove(pathIn(session.folder, "floor.vox"));
    displayKey(&session.display, "s", "Control_L");
    awaitFile("floor.vox");
    VoxScene scene;
    assert_true(voxLoad(pathIn(session.folder, "floor.vox"), &scene, NULL, 0));
    assert_int_equal(scene.voxelCount, 63 + 1);
    voxFree(&scene);
}

/* A start offers the last file, and then what was lost of it. */
static void secondSession(void) {
    start((const char *const[]){"--terrain-size", "64", "--mode", "flat", NULL});
    for (int i = 0; i < 2; ++i) {
        displayKey(&session.display, "Return", NULL);
        free(takeShot().pixels);
        free(takeShot().pixels);
    }
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
    displayKey(&session.display, "z", "Control_L"); /* back to what is saved: nobody is asked */
    closeWindow();
    assert_false(fileExists(pathIn(session.folder, "house.world.autosave")));
}

static int setup(void **state) {
    memset(&session, 0, sizeof session);
    folderMake(session.folder);
    assert_int_equal(setenv("XDG_STATE_HOME", session.folder, 1), 0); /* for files in use lately */
    watchdog(test_full() ? 3000 : 300);
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

TEST_BETWEEN(sessions_of_an_artist, setup, teardown) {
    firstSession();
    secondSession();
}

/* On a large screen: letters of twice the size, and the mouse finds them. */
LONG_TEST(panels_are_twice_as_large_at_4k, setup, teardown) {
    start((const char *const[]){"--empty", "64", "--mode", "flat", "--size", "3840x2160", NULL});
    choose_colors(3840, 2160, 16, 33);
    clickAt(1920, 1500);
    const Found found = findSaved(saved);
    assert_true(found.voxels > 0);
    assert_int_equal(found.colors[20], found.voxels);
    assert_int_equal(found.rgb, 0xFFBB99);
    closeWindow();
}

/* The whole of it as a person sees it: wings as they are made, and the lamp. */
LONG_TEST(houses_on_large_screens, setup, teardown) {
    static const struct Screen {
        unsigned width, height, wide, high;
        const char *size, *wings, *lamp;
    } screens[] = {
        {1280, 720, 8, 16, "1280x720", "wings-1280.png", "lamp-1280.png"},
        {2560, 1440, 10, 22, "2560x1440", "wings-2560.png", "lamp-2560.png"},
    };
    for (int i = 0; i < 2; ++i) {
        const struct Screen *s = &screens[i];
        start((const char *const[]){"--empty", "24", "--mode", "flat", "--size", s->size,
                                    "--samples", "8", NULL});
        choose_colors((int)s->width, (int)s->height, (int)s->wide, (int)s->high);
        displayKey(&session.display, "Tab", NULL);
        displayKey(&session.display, "Home", NULL);
        houseBuild(s->width, s->height);
        show_shaded();
        displayKey(&session.display, "Tab", NULL);
        houseWings(s->wings);
        displayKey(&session.display, "Tab", NULL);
        houseFront(s->width, s->height);
        houseLamp();
        expectVoxels(saved, HOUSE_VOXELS, "a house on a large screen");
        displayKey(&session.display, "Tab", NULL);
        houseTurn();
        displayKey(&session.display, "Home", NULL);
        awaitRest();
        expectSize(s->width, s->height);
        fileKeep(session.picture, s->lamp);
        closeWindow();
        (void)remove(pathIn(session.folder, saved));
    }
}

TEST_BETWEEN(no_display_is_said, setup, teardown) {
    Program program;
    assert_int_equal(unsetenv("DISPLAY"), 0);
    assert_int_equal(unsetenv("WAYLAND_DISPLAY"), 0);
    programRun(MURVOXELS, (const char *const[]){"--terrain-size", "64", NULL}, session.folder,
               &program);
    assert_int_equal(program.status, 1);
    assert_int_equal(lineCount(program.error), 1);
    assert_non_null(strstr(program.error, "--headless"));
}
