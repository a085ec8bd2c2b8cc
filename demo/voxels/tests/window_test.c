/* Tests murvoxels in a window: a user adds, digs, undoes, looks, resizes and closes. After each
 * step, the program writes a picture (P), which shows the effect of the step, or the window is
 * read. A picture of a small window takes little time, but a start of the program takes much, so
 * there are few, long sessions.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "model/vox.h"
#include "count_layout.h"
#include "display.h"
#include "model/save_file.h"
#include "vox_writer.h"
#include "voxels_run.h"
#include "shaders/world_layout.h"
#include "support/cases.h"
#include "view/camera.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static const char saved[] = "murvoxels.world"; /* of a world without a file */
static const char house[] = "house.world";

static void type(const char *text) {
    for (; *text; ++text) {
        pressKey((const char[]){*text, '\0'});
    }
    keys("Return");
}

/* ---- Pictures and files that the program writes ---------------------------------------------- */

enum { WIDTH = 120, HEIGHT = 90, LINE_COLOR = 22 };

/* Starts the program with these arguments and little memory. It may begin with a question. */
static void start(const char *const *extra) {
    const char *arguments[28] = {"--size", "120x90", TINY_ROOM, "--samples", "2"};
    size_t used = addEnvironment(arguments, 16, true);
    for (size_t i = 0; extra[i] && used < 27; ++i) {
        arguments[used++] = extra[i];
    }
    startProgram(MURVOXELS, arguments, "murvoxels: murvoxels");
}

/* Makes the program write `count` fine pictures, which show the effect of all earlier input. */
static void awaitPictures(unsigned count) {
    char name[256];
    for (unsigned i = 0; i < count; ++i) {
        keys("p");
        awaitSaid("picture: ", ++session.pictures, name);
    }
    (void)snprintf(session.picture, sizeof session.picture, "%s",
                   name[0] == '/' ? name : pathIn(session.folder, name));
}

/* Makes the program write a fine picture and reads it. */
static Shot takeShot(void) {
    awaitPictures(1);
    return shotRead(session.picture);
}

/* Moves the mouse away from all voxels, so that there is no preview of the brush. Returns the
 * window's content, with panels, lines and the edges of the world's box, when the program rests. */
static Shot windowAtRest(void) {
    pointAt(1, 1);
    awaitPictures(1);
    awaitRest();
    return displayShot();
}

/* Waits until the window's content, from its upper edge on, differs from `before`. */
static void awaitWindow(const Shot *before, unsigned least, const char *what) {
    unsigned different = 0;
    for (unsigned waited = 0; different < least; awaitMore(&waited, what)) {
        Shot now = displayShot();
        assert_true(now.height >= before->height);
        now.height = before->height;
        different = shotsDiffer(before, &now, 8);
    }
}

/* Waits until the window shows a question. */
static void awaitQuestion(void) {
    unsigned found = 0; /* pixels of the colour of its words, 0xFFB347 */
    for (unsigned waited = 0; found < 40; awaitMore(&waited, "a question")) {
        const Shot shot = displayShot();
        found = 0;
        for (size_t i = 0; i < 3 * (size_t)shot.width * shot.height; i += 3) {
            found += shot.pixels[i] > 247 && abs(shot.pixels[i + 1] - 179) < 8 &&
                     abs(shot.pixels[i + 2] - 71) < 8;
        }
    }
}

typedef struct Found {
    uint32_t voxels;
    uint32_t low[3], high[3]; /* box of the voxels in LINE_COLOR, both ends included */
    uint32_t colors[256];     /* number of voxels of each colour */
    uint32_t rgb;             /* palette entry 20 */
    uint32_t places;          /* checksum of the voxels' positions and colours */
} Found;

/* Saves the world by Ctrl+S, and returns counts of its solid voxels. */
static Found findSaved(const char *name) {
    Source world;
    char error[SAVE_ERROR_SIZE];
    (void)remove(pathIn(session.folder, name));
    keys("Ctrl+s");
    awaitFile(name);
    if (!saveLoad(pathIn(session.folder, name), &world, error)) {
        fail_msg("%s", error);
    }
    Found found = {.low = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < 512 * world.set.count; ++i) {
        const HostBrick *brick = &world.set.bricks[i / 512];
        const uint32_t v = i % 512;
        const uint32_t at[3] = {brick->x * 8 + (v & 7), brick->y * 8 + (v >> 3 & 7),
                                brick->z * 8 + (v >> 6)};
        const uint8_t color = brickSetVoxel(&world.set, brick,
                                            voxelNumberOf(at[0] & 7, at[1] & 7, at[2] & 7));
        for (int axis = 0; axis < 3 && color == LINE_COLOR; ++axis) {
            found.low[axis] = at[axis] < found.low[axis] ? at[axis] : found.low[axis];
            found.high[axis] = at[axis] > found.high[axis] ? at[axis] : found.high[axis];
        }
        found.voxels += color != 0;
        found.places += color ? voxelSum(at[0], at[1], at[2], color, 1) : 0;
        found.colors[color] += color != 0;
    }
    const uint8_t *entry = world.set.palette[20];
    found.rgb = (uint32_t)entry[0] << 16 | (uint32_t)entry[1] << 8 | entry[2];
    brickSetFree(&world.set);
    return found;
}

static void expectVoxels(const char *file, uint32_t voxels, const char *what) {
    const uint32_t found = findSaved(file).voxels;
    if (found != voxels) {
        fail_msg("%s: %u voxels, not %u", what, found, voxels);
    }
}

static void expectSize(unsigned width, unsigned height) {
    const Shot shot = takeShot();
    assert_int_equal(shot.width, width);
    assert_int_equal(shot.height, height);
}

static void resizeTo(unsigned width, unsigned height) {
    displayResize(width, height);
    expectSize(width, height); /* so that later keys come after the new size */
}

/* ---- A house in an empty world, by mouse and keys ------------------------------------------- */

enum { HOUSE_SIDE = 24, HOUSE_COLOR = 20, HOUSE_LAMP = 2, HOUSE_VOXELS = 665 };

/* The program's camera code computes the pixels to point at. */
static Camera camera;
static float across, down; /* size of the window in pixels */

static const uint32_t low[3] = {
    (WORLD_SIZE_X - HOUSE_SIDE) / 2 >> REGION_SHIFT << REGION_SHIFT,
    (WORLD_SIZE_Y - HOUSE_SIDE) / 2 >> REGION_SHIFT << REGION_SHIFT,
    (WORLD_SIZE_Z - HOUSE_SIDE) / 2 >> REGION_SHIFT << REGION_SHIFT,
};

static void look(float yaw, float pitch, unsigned width, unsigned height) {
    const uint32_t high[3] = {low[0] + HOUSE_SIDE, low[1] + HOUSE_SIDE, low[2] + HOUSE_SIDE};
    across = (float)width;
    down = (float)height;
    camera = cameraAround(low, high, &(Orbit){yaw, pitch, 1}, 0.45f, across / down);
}

static float along(const float axis[3], const double to[3]) {
    return axis[0] * (float)to[0] + axis[1] * (float)to[1] + axis[2] * (float)to[2];
}

/* Computes the pixel that shows a point. The point is in voxels from the world's corner. */
static void find(double x, double y, double z, int at[2]) {
    const CameraAxes axes = cameraAxes(&camera);
    const double to[3] = {low[0] + x - camera.position[0], low[1] + y - camera.position[1],
                          low[2] + z - camera.position[2]};
    const float half = along(axes.forward, to) * camera.halfHeight;
    at[0] = (int)lroundf(across / 2 + along(axes.right, to) / half * down / 2);
    at[1] = (int)lroundf(down / 2 - along(axes.up, to) / half * down / 2);
}

static void point(double x, double y, double z) {
    int at[2];
    find(x, y, z, at);
    pointAt(at[0], at[1]);
}

/* Point at the middle of a voxel's top or front face. */
static void top(int x, int y, int z) {
    point(x + 0.5, y + 1, z + 0.5);
}

static void front(int x, int y, int z) {
    point(x + 0.5, y + 0.5, z + 1);
}

/* Drags the mouse from one face to another. wheel: steps of the wheel before the release. */
static void drag(void (*face)(int x, int y, int z), const int from[3], const int to[3], int wheel) {
    face(from[0], from[1], from[2]);
    holdButton(1, true);
    face(to[0], to[1], to[2]);
    clickButton(wheel > 0 ? 4 : 5, (unsigned)abs(wheel));
    holdButton(1, false);
}

#define DRAG(face, ax, ay, az, bx, by, bz, wheel) \
    drag(face, (const int[]){ax, ay, az}, (const int[]){bx, by, bz}, wheel)

/* Builds a house with a room, a door and a wing. Requires the first view without panels, and a
 * brush of one voxel. */
static void build_a_house(unsigned width, unsigned height) {
    look(38, 26, width, height);
    keys("1 b b"); /* brush: boxes by dragging */
    DRAG(top, 8, -1, 8, 16, -1, 16, 6);
    expectVoxels(saved, 567, "a block");
    keys("2");
    DRAG(top, 9, 6, 9, 11, 6, 15, -5);
    DRAG(front, 9, 1, 16, 10, 4, 16, 0);
    expectVoxels(saved, 433, "a room and a door");
    keys("1");
    DRAG(top, 8, 6, 8, 16, 6, 16, 0);
    expectVoxels(saved, 514, "a ceiling");
    DRAG(top, 17, -1, 10, 22, -1, 14, 4);
    expectVoxels(saved, HOUSE_VOXELS - 1, "a wing");
}

/* Returns the visible voxels in the lowest layer of the ghost, the preview of a paste. */
static uint32_t countGhost(int x, int z) {
    uint32_t count = 0;
    const Shot shot = displayShot();
    for (int i = 0; i < 6 * 5; ++i) {
        int at[2];
        find(x + i % 6 + 0.5, 1, z + i / 6 + 0.5, at);
        const uint8_t *pixel = shot.pixels + 3 * (at[1] * (int)shot.width + at[0]);
        count += pixel[0] > pixel[2] + 30; /* the ground is grey */
    }
    return count;
}

/* Moves the top of the wing to an empty place. The ghost must be visible before the move. The
 * number of voxels must stay, and one undo must restore all voxels. */
static void move_a_wing(void) {
    const Found before = findSaved(saved);
    keys("6");
    DRAG(top, 17, 4, 10, 22, 4, 14, 3);
    keys("g");
    top(12, -1, 20);
    for (unsigned waited = 0; countGhost(9, 18) < 6 * 5;) {
        awaitMore(&waited, "the ghost");
    }
    clickButton(1, 1);
    keys("Right Right");
    const Found moved = findSaved(saved);
    assert_int_equal(moved.voxels, before.voxels);
    assert_int_not_equal(moved.places, before.places);
    keys("Ctrl+z");
    const Found back = findSaved(saved);
    assert_memory_equal(&back, &before, sizeof back);
}

/* Returns the brightness behind the door in a picture of the front at rest, from 0 to 1. The
 * picture is the mean of two (--samples). */
static double door_at_rest(void) {
    int from[2], to[2];
    double sum = 0;
    awaitPictures(3);
    const Shot shot = takeShot();
    find(9, 5, 17, from);
    find(11, 1, 17, to);
    for (int y = from[1] + 1; y < to[1]; ++y) {
        for (int x = from[0] + 1; x < to[0]; ++x) {
            sum += pow(shot.pixels[3 * ((unsigned)y * shot.width + (unsigned)x) + 1] / 255.0, 2.2);
        }
    }
    return sum / ((to[0] - from[0] - 1) * (to[1] - from[1] - 1));
}

/* Adds a lamp on the floor of the room, which must light the room. */
static void light_a_lamp(void) {
    resizeTo(WIDTH, HEIGHT);
    keys("Ctrl+1");
    look(0, 0, WIDTH, HEIGHT);
    keys("v*8"); /* from flat to shaded */
    const double dark = door_at_rest();
    keys("x 1");
    point(10.5, 1, 9.5);
    clickButton(1, 1);
    keys("x");
    const double lit = door_at_rest();
    if (lit < 1.5 * dark) {
        fail_msg("behind the door it is %.3f bright with a lamp, %.3f without", lit, dark);
    }
    assert_int_equal(findSaved(saved).colors[HOUSE_LAMP], 1);
}

/* ---- Steps of the sessions ------------------------------------------------------------------ */

/* Uses the colour panel of the first window. Gives the lamp's colour all light. Makes HOUSE_COLOR
 * #CCBB99, then gives it all red. */
static void choose_colors(void) {
    clickAt(296, 40);
    clickAt(490, 248);
    clickAt(440, 40);
    clickAt(332, 184);
    type("ccbb99");
    clickAt(490, 200);
    expectSize(540, 310);
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
    pointAt(45, 60);
    holdButton(1, true);
    awaitPictures(1);
    pointAt(79, 66);
    awaitPictures(1);
    holdButton(1, false);
    awaitPictures(1);
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

/* Builds a house and more in an empty world, then kills the program. */
static void firstSession(void) {
    start((const char *const[]){"--empty", "24", "--autosave", "1", "--mode", "flat", "--size",
                                "540x310", NULL});
    awaitPictures(1);
    const Shot first = windowAtRest();
    keys("Home");
    choose_colors();
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
    build_a_house(200, 150);
    move_a_wing();
    light_a_lamp();
    keys("v"); /* flat */
    save_and_export();
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
    keys("Escape"); /* with unsaved work, closing the window asks a question; Esc answers "no" */
    displayAskToClose();
    awaitQuestion();
    keys("Escape");
    awaitFile("house.world.autosave");
    assert_int_equal(kill(session.program, SIGKILL), 0);
    (void)waitpid(session.program, NULL, 0);
}

/* Takes pictures, 100 at most, until one differs from `before`. */
static void awaitDifferent(const Shot *before, const char *what) {
    for (int tries = 0; tries < 100; ++tries) {
        const Shot shot = takeShot();
        if (shotsDiffer(before, &shot, 8) >= 100) {
            return;
        }
    }
    fail_msg("%s did not change 100 pixels", what);
}

/* Moves the view, without panels, because their messages fade. */
static void look_around(void) {
    keys("Tab");
    const Shot before = takeShot();
    holdKey("w", true);
    awaitDifferent(&before, "flying forward");
    holdKey("w", false);
    static const unsigned buttons[] = {3, 2, 1}; /* 1 with Ctrl */
    for (int i = 0; i < 3; ++i) {
        const Shot still = takeShot();
        pointAt(WIDTH / 2, HEIGHT / 2);
        holdKey("Control_L", i == 2);
        holdButton(buttons[i], true);
        holdKey("Control_L", false);
        awaitPictures(1);
        pointAt(WIDTH / 2 + 20, HEIGHT / 2 + 5);
        awaitDifferent(&still, i ? "orbiting" : "looking around");
        holdButton(buttons[i], false);
    }
    Shot still = takeShot();
    pointAt(WIDTH / 2, HEIGHT / 2);
    clickButton(4, 1);
    awaitDifferent(&still, "the wheel");
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
            assert_true(shotsDiffer(&shots[i], &shots[j], 8) >= 100);
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

/* Drops a model on the window, which opens it, and saves it. In this small world, the brush is one
 * voxel. */
static void drop_a_floor(void) {
    File file = startFile(150);
    putBlock(&file, 9, 7, 1);
    storeFile(&file, pathIn(session.folder, "floor.vox"));
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
    static const char recovered[] = "murvoxels: house.world *";
    start((const char *const[]){"--terrain-size", "64", "--mode", "flat", NULL});
    for (unsigned waited = 0; !hasTitle(session.x, session.window, recovered);) {
        keys("Return");
        displayRest(200);
        awaitMore(&waited, recovered);
    }
    expectVoxels(house, HOUSE_VOXELS + 1, "lost work");
    look_around();
    each_view_and_text_is_different();
    resize_and_hide();
    keys("v*8"); /* from flat to shaded */
    rest_and_wake();
    drop_a_floor();
    clickAt(WIDTH / 2, HEIGHT / 2);
    keys("Ctrl+z"); /* back to the saved state: no question */
    displayAskToClose();
    assert_string_equal(expectEnd(), "");
    assert_false(fileExists(pathIn(session.folder, "house.world.autosave")));
}

TEST_BETWEEN(sessions_of_an_artist, openSession, closeSession) {
    firstSession();
    secondSession();
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
