/* Shared by the tests of the .vox reader: functions that read a file and compare the result.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VOX_EXPECT_H
#define MURVOXELS_VOX_EXPECT_H

#include "model/vox.h"
#include "vox_writer.h"
#include "support/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the file from memory of exactly its size, so that sanitizers detect reads past its end. */
static inline bool readCopy(const File *file, size_t size, VoxScene *scene, char *error) {
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    if (size > 0) {
        memcpy(copy, file->bytes, size);
    }
    memset(scene, 0x5a, sizeof *scene);
    const bool read = voxRead(copy, size, scene, error, VOX_ERROR_SIZE);
    free(copy);
    return read;
}

/* Compares voxels by z, y and x, for qsort. Ignores the bricks that contain them. */
static inline int compareVoxels(const void *a, const void *b) {
    const uint16_t *one = ((const VoxVoxel *)a)->position;
    const uint16_t *other = ((const VoxVoxel *)b)->position;
    int axis = 2;
    while (axis > 0 && one[axis] == other[axis]) {
        axis--;
    }
    return one[axis] - other[axis];
}

/* Returns a checksum of a scene's data (FNV-1a of words). */
static inline uint64_t sceneSum(const VoxScene *scene) {
    const uint32_t words[] = {
        (uint32_t)scene->voxelCount, scene->size[0],       scene->size[1],         scene->size[2],
        scene->framesOmitted,        scene->hiddenOmitted, scene->materialsOmitted};
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        sum = (sum ^ words[i]) * 0x100000001b3u;
    }
    const size_t bytes = scene->voxelCount * sizeof(VoxVoxel);
    VoxVoxel *voxels = malloc(bytes + 1);
    assert_non_null(voxels);
    if (bytes) {
        memcpy(voxels, scene->voxels, bytes);
    }
    qsort(voxels, scene->voxelCount, sizeof *voxels, compareVoxels);
    for (size_t i = 0; i < scene->voxelCount * 4; i++) {
        const VoxVoxel *voxel = &voxels[i / 4];
        sum = (sum ^ (i % 4 < 3 ? voxel->position[i % 4] : voxel->color)) * 0x100000001b3u;
    }
    free(voxels);
    for (size_t i = 1; i < scene->voxelCount; i++) {
        assert_true(voxOrder(&scene->voxels[i - 1]) < voxOrder(&scene->voxels[i]));
    }
    for (size_t i = 0; i < 256 * 6; i++) {
        sum = (sum ^ (i < 1024 ? scene->palette[i / 4][i % 4] : scene->glow[i / 2 - 512][i % 2])) *
              0x100000001b3u;
    }
    return sum;
}

static inline VoxScene expectScene(File *file) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE] = "left over";
    if (!readCopy(file, file->size, &scene, error)) {
        fail_msg("%s", error);
    }
    assert_string_equal(error, "");
    free(file->bytes);
    return scene;
}

static inline void expectZero(const VoxScene *scene) {
    const VoxScene zero = {0};
    assert_null(scene->voxels);
    assert_int_equal(scene->voxelCount, 0);
    assert_memory_equal(scene->size, zero.size, sizeof zero.size);
    assert_memory_equal(scene->palette, zero.palette, sizeof zero.palette);
}

/* Expects the file to have exactly these voxels: x, y, z and colour of each. */
static inline void expectVoxels(File *file, size_t count, const int expected[][4]) {
    finishFile(file);
    VoxScene scene = expectScene(file);
    int size[3] = {0, 0, 0};
    assert_int_equal(scene.voxelCount, count);
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(scene.voxels[i].position[axis], expected[i][axis]);
            size[axis] = expected[i][axis] >= size[axis] ? expected[i][axis] + 1 : size[axis];
        }
        assert_int_equal(scene.voxels[i].color, expected[i][3]);
        assert_int_equal(scene.voxels[i].unused, 0);
    }
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(scene.size[axis], size[axis]);
    }
    voxFree(&scene);
    expectZero(&scene);
    voxFree(&scene); /* again, which must have no effect */
}

/* Expects that the file is rejected. chunk, at: the chunk that the error names, and the byte at
 * which the chunk begins; NULL: the error names none, and the MAIN chunk stays as it is. */
static inline void expectError(File *file, const char *chunk, size_t at, const char *format, ...) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE], message[VOX_ERROR_SIZE];
    int length = 0;
    if (chunk) {
        finishFile(file);
        length = snprintf(message, sizeof message, "chunk %s at byte %zu: ", chunk, at);
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message + length, sizeof message - (size_t)length, format, arguments);
    va_end(arguments);
    assert_false(readCopy(file, file->size, &scene, error));
    assert_string_equal(error, message);
    expectZero(&scene);
    free(file->bytes);
}

#endif
