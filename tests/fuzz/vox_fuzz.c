/* Fuzzer of the .vox reader. For any input, the reader must fail with a message of one line or
 * return a valid scene, access no foreign memory, and end soon.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "model/vox.h"

/* Returns whether voxel a is before b. Bricks, and voxels in a brick, are sorted by z, y and x. */
static bool isBefore(const uint16_t a[3], const uint16_t b[3]) {
    for (int i = 5; i >= 0; --i) {
        const int axis = i % 3;
        const int one = i < 3 ? a[axis] & 7 : a[axis] >> 3;
        const int other = i < 3 ? b[axis] & 7 : b[axis] >> 3;
        if (one != other) {
            return one < other;
        }
    }
    return false;
}

static void checkScene(const VoxScene *scene) {
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t size[3] = {0, 0, 0};
    require(scene->voxelCount > 0 && scene->voxelCount <= VOX_MAX_VOXELS, "voxels within limits");
    for (size_t i = 0; i < scene->voxelCount; i++) {
        const VoxVoxel *voxel = &scene->voxels[i];
        require(voxel->color != 0 && voxel->unused == 0, "a voxel has a colour");
        require(i == 0 || isBefore(voxel[-1].position, voxel->position),
                "voxels are sorted and merged");
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t place = voxel->position[axis];
            low[axis] = place < low[axis] ? place : low[axis];
            size[axis] = place >= size[axis] ? place + 1 : size[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        require(low[axis] == 0, "the scene starts at 0");
        require(size[axis] == scene->size[axis], "the size fits the voxels");
        require(size[axis] <= VOX_MAX_EXTENT, "the size is within limits");
    }
    require(memcmp(scene->palette[0], "\0\0\0\0", 4) == 0, "entry 0 is transparent black");
}

static void checkFailure(const VoxScene *scene, const char *error) {
    static const VoxScene zero;
    const size_t length = strlen(error);
    require(length > 0 && length < VOX_ERROR_SIZE - 1, "a failure has a message that fits");
    for (size_t i = 0; i < length; i++) {
        require(error[i] >= 0x20 && error[i] <= 0x7e, "a message is a line of plain characters");
    }
    require(scene->voxels == NULL && scene->voxelCount == 0, "a failure leaves no voxels");
    require(memcmp(scene->size, zero.size, sizeof zero.size) == 0, "a failure leaves no size");
    require(memcmp(scene->palette, zero.palette, sizeof zero.palette) == 0,
            "a failure leaves no palette");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE] = "left over";
    memset(&scene, 0x5a, sizeof scene);
    if (voxRead(data, size, &scene, error, sizeof error)) {
        require(error[0] == '\0', "success has no message");
        checkScene(&scene);
    } else {
        checkFailure(&scene, error);
    }
    voxFree(&scene);
    return 0;
}

#ifndef MUR_LIBFUZZER

#include "vox_writer.h"

static Input makeSeed(size_t number) {
    static const uint8_t voxels[][4] = {{0, 0, 0, 1}, {3, 2, 1, 2}, {1, 4, 2, 3}, {3, 2, 1, 255}};
    File file = startFile(number % 2 == 0 ? 150 : 200);
    if (number == 1) {
        openChunk(&file, "PACK");
        putNumber(&file, 2);
        closeChunk(&file);
    }
    putSize(&file, 4, 5, 3);
    putVoxels(&file, 4, voxels);
    putDot(&file, 7);
    if (number == 0) {
        openChunk(&file, "RGBA");
        for (uint32_t i = 0; i < 256; i++) {
            putNumber(&file, i * 0x01030507);
        }
        closeChunk(&file);
    } else if (number >= 2) {
        putTransform(&file, 0, 1, "1 -2 3", "17");
        putGroup(&file, 1, 3, (const uint32_t[]){2, 4, 6});
        putPlaced(&file, 2, 0, "-10 20 -30", "105");
        putPlaced(&file, 4, 1, "650 0 0", NULL);
        openTransform(&file, 6, 7, 1, number == 2 ? "1" : "0");
        putNumber(&file, 2);
        putFrame(&file, "2147483647 0 -2147483648", NULL);
        putFrame(&file, NULL, "40");
        closeChunk(&file);
        putShape(&file, 7, 1);
        putLayer(&file, 1, "1");
    }
    finishFile(&file);
    VoxScene scene;
    require(voxRead(file.bytes, file.size, &scene, NULL, 0), "seeds are right");
    voxFree(&scene);
    return (Input){file.bytes, file.size};
}

/* Corrects the MAIN chunk, without which the input would fail at once. */
static void repair(Input *input) {
    File file = {.bytes = input->bytes, .size = input->size};
    if (file.size >= FIRST_CHUNK_AT) {
        finishFile(&file);
    }
}

int main(void) {
    fuzz(&(const Fuzzer){5000, 4, makeSeed, 0, repair});
    return 0;
}

#endif
