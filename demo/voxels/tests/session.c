/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "session.h"

#include "count_layout.h"
#include "program.h"
#include "support/cases.h"

#include <stdio.h>

void awaitRest(void) {
    enum { LONG = 400, LITTLE = 20, MOST = 8 * 1000 * SECONDS }; /* milliseconds */
    unsigned long used = LONG;
    for (int waited = 0; used > LITTLE && waited < MOST; waited += LONG) {
        const unsigned long first = programMilliseconds(session.program);
        displayRest(LONG);
        used = programMilliseconds(session.program) - first;
    }
    assert_in_range(used, 0, LITTLE);
}

void awaitFile(const char *name) {
    for (unsigned waited = 0; !fileExists(pathIn(session.folder, name));) {
        awaitMore(&waited, name);
    }
}

void awaitPictures(unsigned count) {
    char name[256];
    for (unsigned i = 0; i < count; ++i) {
        keys("p");
        awaitSaid("picture: ", ++session.pictures, name);
    }
    (void)snprintf(session.picture, sizeof session.picture, "%s",
                   name[0] == '/' ? name : pathIn(session.folder, name));
}

Shot takeShot(void) {
    awaitPictures(1);
    return shotRead(session.picture);
}

Shot windowAtRest(void) {
    pointAt(1, 1);
    awaitPictures(1);
    awaitRest();
    return displayShot();
}

void awaitWindow(const Shot *before, unsigned least, const char *what) {
    unsigned different = 0;
    for (unsigned waited = 0; different < least; awaitMore(&waited, what)) {
        Shot now = displayShot();
        assert_true(now.height >= before->height);
        now.height = before->height;
        different = shotsDiffer(before, &now, 8);
    }
}

static Source saveAndRead(const char *name) {
    Source world;
    char error[SAVE_ERROR_SIZE];
    (void)remove(pathIn(session.folder, name));
    keys("Ctrl+s");
    awaitFile(name);
    if (!saveLoad(pathIn(session.folder, name), &world, error)) {
        fail_msg("%s", error);
    }
    return world;
}

Found findSaved(const char *name) {
    Source world = saveAndRead(name);
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

void expectVoxels(const char *file, uint32_t voxels, const char *what) {
    const uint32_t found = findSaved(file).voxels;
    if (found != voxels) {
        fail_msg("%s: %u voxels, not %u", what, found, voxels);
    }
}

void expectSize(unsigned width, unsigned height) {
    const Shot shot = takeShot();
    assert_int_equal(shot.width, width);
    assert_int_equal(shot.height, height);
}

void resizeTo(unsigned width, unsigned height) {
    displayResize(width, height);
    expectSize(width, height); /* so that later keys come after the new size */
}
