/* Tests saved worlds and exported models: written data can be read, damaged data is rejected.
 * SPDX-License-Identifier: MIT */
#include "program.h"
#include "model/save_file.h"
#include "shaders/world_layout.h"
#include "model/vox_bricks.h"
#include "support/cases.h"
#include "support/random.h"

#include <stdio.h>
#include <string.h>

static char folder[64];

/* Per case: a world of a few bricks, and the content of file "a" after it was saved. */
static Source world;
static uint8_t *bytes;
static size_t size;

/* Makes sorted bricks with one colour and with several, also at corners of models. */
static void makeWorld(Source *made, uint32_t count) {
    Random random = {5};
    memset(made, 0, sizeof *made);
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t voxels[512];
        const uint32_t x = 1000 + i % 5 * 13;
        const uint32_t y = 500 + i % 3;
        const uint32_t z = 1000 + i;
        for (uint32_t v = 0; v < 512; ++v) {
            voxels[v] = random_below(&random, 3) ? 0 : (uint8_t)(1 + random_below(&random, 255));
        }
        assert_true(i % 3 == 2 ? brickSetAddUniform(&made->set, x, y, z, 1 + i)
                               : brickSetAdd(&made->set, x, y, z, voxels));
    }
    for (uint32_t i = 1; i < 256; ++i) {
        const uint8_t entry[4] = {(uint8_t)i, (uint8_t)(7 * i), (uint8_t)(255 - i), 255};
        memcpy(made->set.palette[i], entry, 4);
        made->set.glow[i][0] = i % 7 ? 0 : (uint8_t)(i % 101);
        made->set.glow[i][1] = i % 7 ? 0 : 3;
    }
    made->waterFirst = 41;
    made->origin[0] = 8000;
    made->origin[1] = 4000;
    made->origin[2] = 8064;
    made->mirror = 5;
    made->box = 300;
    made->mirrorSum[0] = 16001;
    made->mirrorSum[1] = 8002;
    made->mirrorSum[2] = 2 * WORLD_SIZE_Z;
    brickSetSort(&made->set);
}

static void writeWorld(const Source *made, const char *name) {
    FILE *file = fopen(pathIn(folder, name), "wb");
    assert_non_null(file);
    assert_true(saveWrite(file, made));
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state) {
    folderMake(folder);
    makeWorld(&world, 5);
    writeWorld(&world, "a");
    FILE *file = fopen(pathIn(folder, "a"), "rb");
    assert_non_null(file);
    bytes = keepUntilRemoved(1 << 20);
    size = fread(bytes, 1, 1 << 20, file);
    (void)fclose(file);
    return 0;
}

static int teardown(void **state) {
    brickSetFree(&world.set);
    folderRemove(folder);
    return 0;
}

#define TEST(name) TEST_BETWEEN(name, setup, teardown)

static void expectSameBricks(const BrickSet *a, const BrickSet *b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->palette, b->palette, sizeof a->palette);
    assert_memory_equal(a->glow, b->glow, sizeof a->glow);
    for (size_t i = 0; i < a->count; ++i) {
        const HostBrick *one = &a->bricks[i];
        const HostBrick *other = &b->bricks[i];
        assert_int_equal(one->x, other->x);
        assert_int_equal(one->y, other->y);
        assert_int_equal(one->z, other->z);
        assert_int_equal(one->color, other->color);
        for (uint32_t v = 0; v < 512; ++v) {
            assert_int_equal(brickSetVoxel(a, one, v), brickSetVoxel(b, other, v));
        }
    }
}

static void expectSame(const Source *one, const Source *other) {
    assert_int_equal(one->waterFirst, other->waterFirst);
    assert_memory_equal(one->origin, other->origin, sizeof one->origin);
    assert_int_equal(one->box, other->box);
    assert_int_equal(one->mirror, other->mirror);
    assert_memory_equal(one->mirrorSum, other->mirrorSum, sizeof one->mirrorSum);
    expectSameBricks(&one->set, &other->set);
}

TEST(worlds_come_back) {
    for (uint32_t count = 0; count <= 40; count += 8) {
        Source made;
        Source read;
        char error[SAVE_ERROR_SIZE];
        makeWorld(&made, count);
        writeWorld(&made, "b");
        assert_true(saveLoad(pathIn(folder, "b"), &read, error));
        expectSame(&made, &read);
        brickSetFree(&read.set);
        brickSetFree(&made.set);
    }
}

static void expectRefused(const uint8_t *data, size_t count, const char *what, size_t at) {
    Source read;
    char error[SAVE_ERROR_SIZE];
    bool accepted = saveRead(data, count, &read, error);
    if (accepted || error[0] == '\0' || read.set.count != 0) {
        fail_msg("%s at %zu: %s", what, at, accepted ? "accepted" : "no reason given");
    }
}

/* Flips each bit, and all bits of each byte. The damage must be detected. */
TEST(every_damaged_byte_is_found) {
    for (size_t i = 0; i < size; ++i) {
        for (uint32_t change = 0; change < 9; ++change) {
            const uint8_t mask = (uint8_t)(change < 8 ? 1u << change : 255u);
            bytes[i] ^= mask;
            expectRefused(bytes, size, "a changed byte", i);
            bytes[i] ^= mask;
        }
    }
}

TEST(cut_off_and_longer_files_are_refused) {
    for (size_t i = 0; i < size; ++i) {
        uint8_t *part = malloc(i + 1); /* an exact copy, so that sanitizers detect longer reads */
        assert_non_null(part);
        memcpy(part, bytes, i);
        expectRefused(part, i, "a file cut off", i);
        free(part);
    }
    bytes[size] = 0;
    expectRefused(bytes, size + 1, "a byte more", size);
}

static void setSum(uint8_t *data, size_t count) {
    uint64_t sum = 0xCBF29CE484222325u;
    for (size_t i = 0; i + 8 < count; ++i) {
        sum = (sum ^ data[i]) * 0x100000001B3u;
    }
    for (size_t i = 0; i < 8; ++i) {
        data[count - 8 + i] = (uint8_t)(sum >> (8 * i));
    }
}

/* Files with a correct checksum but invalid content. */
TEST(wrong_files_with_a_right_sum_are_refused) {
    enum { MIRRORS_AT = 32 + 1024 + 512, BOX_AT = MIRRORS_AT + 16, BRICKS_AT = BOX_AT + 4 };
    static const struct {
        const char *what;
        size_t at;
        uint32_t word;
    } changes[] = {
        {"another format", 0, 0x12345678},
        {"a newer version", 4, 5},
        {"an older version", 4, 2},
        {"version 0", 4, 0},
        {"too many bricks", 8, 0xFFFFFFFF},
        {"too many listed bricks", 12, 0x7FFFFFFF},
        {"a colour that does not exist", 16, 249},
        {"an origin outside of the world", 24, WORLD_SIZE_Y},
        {"a mirror in a fourth axis", MIRRORS_AT, 8},
        {"a mirror outside of the world", MIRRORS_AT + 8, 2 * WORLD_SIZE_Y + 1},
        {"a box larger than any", BOX_AT, EMPTY_MOST + 1},
        {"a brick outside of the world", BRICKS_AT, WORLD_SIZE_X / 8},
        {"a brick above the world", BRICKS_AT + 4, WORLD_SIZE_Y / 8},
        {"bricks that are not sorted", BRICKS_AT + 8, 1500},
        {"a colour above 255", BRICKS_AT + 12, 256},
        {"a listed brick less", BRICKS_AT + 12, 9},
        {"a listed brick more", BRICKS_AT + 2 * 16 + 12, 0},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        uint8_t *at = bytes + changes[i].at, right[4];
        memcpy(right, at, 4);
        for (size_t b = 0; b < 4; ++b) {
            at[b] = (uint8_t)(changes[i].word >> (8 * b));
        }
        setSum(bytes, size);
        expectRefused(bytes, size, changes[i].what, changes[i].at);
        memcpy(at, right, 4);
    }
    setSum(bytes, size); /* shows that setSum is correct */
    Source read;
    char error[SAVE_ERROR_SIZE];
    assert_true(saveRead(bytes, size, &read, error));
    brickSetFree(&read.set);
}

TEST(unreadable_files_are_refused) {
    Source read;
    char error[SAVE_ERROR_SIZE];
    assert_false(saveLoad(pathIn(folder, "missing"), &read, error));
    assert_non_null(strstr(error, "missing"));
    fileWrite(pathIn(folder, "short"), "MUR", 3);
    assert_false(saveLoad(pathIn(folder, "short"), &read, error));
    assert_non_null(strstr(error, "not a saved world"));
    assert_false(saveLoad(folder, &read, error));
    assert_non_null(strstr(error, "Is a directory"));
}

/* Removes the last `less` of the first `head` bytes, as in older versions. Must read `world`. */
static void expectOlder(uint8_t version, size_t head, size_t less) {
    Source read;
    char error[SAVE_ERROR_SIZE];
    memmove(bytes + head - less, bytes + head, size - head);
    size -= less;
    bytes[4] = version;
    setSum(bytes, size);
    assert_true(saveRead(bytes, size, &read, error));
    expectSame(&world, &read);
    brickSetFree(&read.set);
}

/* Version 3 had no box, version 2 also had no mirrors, and version 1 also had no light. */
TEST(older_files_are_read) {
    world.box = 0;
    expectOlder(3, 32 + 1024 + 512 + 20, 4);
    world.mirror = 0;
    memset(world.mirrorSum, 0, sizeof world.mirrorSum);
    expectOlder(2, 32 + 1024 + 512 + 16, 16);
    memset(world.set.glow, 0, sizeof world.set.glow);
    expectOlder(1, 32 + 1024 + 512, 512);
}

/* ---- Exported .vox models ------------------------------------------------------------------- */

TEST(empty_worlds_are_no_models) {
    const BrickSet set = {0};
    FILE *file = fopen(pathIn(folder, "a.vox"), "wb");
    assert_non_null(file);
    assert_int_equal(voxWrite(file, &set), BRICKS_TOO_MANY);
    (void)fclose(file);
}

TEST(bricks_are_kept_short) {
    BrickSet set = {0};
    uint8_t voxels[512] = {0};
    assert_true(brickSetAdd(&set, 1, 2, 3, voxels)); /* empty */
    assert_int_equal(set.count, 0);
    memset(voxels, 9, sizeof voxels);
    assert_true(brickSetAdd(&set, 3, 2, 1, voxels));
    assert_int_equal(set.bricks[0].color, 9);
    assert_int_equal(set.voxelBytes, 0);
    voxels[511] = 8;
    assert_true(brickSetAdd(&set, 1, 1, 1, voxels));
    assert_int_equal(set.bricks[1].color, 0);
    assert_int_equal(set.voxelBytes, 512);
    brickSetSort(&set);
    assert_int_equal(set.bricks[0].x, 1);
    assert_int_equal(brickSetVoxel(&set, &set.bricks[0], 511), 8);
    brickSetFree(&set);
}
