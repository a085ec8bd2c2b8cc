/* SPDX-License-Identifier: MIT */
#include "house.h"

#include "program.h"
#include "shaders/world_layout.h"
#include "support/cases.h"
#include "view/camera.h"

#include <math.h>

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

static void expectHouse(uint32_t voxels, const char *what) {
    expectVoxels("murvoxels.world", voxels, what);
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

void houseBuild(unsigned width, unsigned height) {
    look(38, 26, width, height);
    keys("1 b b"); /* brush: boxes by dragging */
    DRAG(top, 8, -1, 8, 16, -1, 16, 6);
    expectHouse(567, "a block");
    keys("2");
    DRAG(top, 9, 6, 9, 11, 6, 15, -5);
    expectHouse(441, "a room");
    DRAG(top, 13, 6, 9, 15, 6, 15, -5);
    DRAG(front, 9, 1, 16, 10, 4, 16, 0);
    DRAG(front, 14, 3, 16, 15, 4, 16, 0);
    expectHouse(303, "another room, a door and a window");
    keys("1");
    keys("period*4"); /* colour of the roof */
    DRAG(top, 8, 6, 8, 16, 6, 16, 0);
    expectHouse(384, "a ceiling");
    DRAG(top, 8, 7, 10, 16, 7, 14, 0);
    expectHouse(429, "a roof");
    keys("7");
    top(12, 8, 12);
    holdButton(1, true);
    top(12, 10, 12);
    holdButton(1, false);
    expectHouse(519, "a roof that was pulled up");
    keys("comma*4");
    top(12, 10, 12);
}

void houseWings(void) {
    keys("m"); /* mirror at the middle of the roof */
    top(12, 10, 12);
    keys("j 1");
    top(17, -1, 10);
    holdButton(1, true);
    top(22, -1, 14);
    clickButton(4, 4);
    holdButton(1, false);
    keys("m");
    expectHouse(HOUSE_VOXELS - 1, "wings");
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

void houseMoveWing(void) {
    keys("6");
    DRAG(top, 17, 4, 10, 22, 4, 14, 3);
    keys("g");
    top(12, -1, 20);
    for (unsigned waited = 0; countGhost(9, 18) < 6 * 5; waited += 50) {
        assert_in_range(waited, 0, 1000 * SECONDS);
        displayRest(50);
    }
    clickButton(1, 1);
    keys("Right Right");
}

void houseFront(unsigned width, unsigned height) {
    resizeTo(width, height);
    keys("Ctrl+1");
    look(0, 0, width, height);
}

/* Places a lamp on the floor of a room, where it is visible through the door. */
void houseLamp(void) {
    keys("x 1");
    point(10.5, 1, 9.5);
    clickButton(1, 1);
    keys("x");
}

void houseDeleteLamp(void) {
    keys("6 b b"); /* select by colour */
    front(10, 1, 9);
    clickButton(1, 1);
    keys("Delete");
}

double houseDoor(const Shot *shot) {
    int from[2], to[2];
    double sum = 0;
    find(9, 5, 17, from);
    find(11, 1, 17, to);
    for (int y = from[1] + 1; y < to[1]; ++y) {
        for (int x = from[0] + 1; x < to[0]; ++x) {
            sum += pow(shot->pixels[3 * ((unsigned)y * shot->width + (unsigned)x) + 1] / 255.0,
                       2.2);
        }
    }
    return sum / ((to[0] - from[0] - 1) * (to[1] - from[1] - 1));
}
