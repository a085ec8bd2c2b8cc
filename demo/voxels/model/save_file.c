/* The checksum is FNV-1a by Fowler, Noll and Vo.
 * SPDX-License-Identifier: MIT */
#include "save_file.h"

#include "files.h"
#include "shaders/world_layout.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 32,
    COLOR_BYTES = 1024,
    PALETTE_BYTES = COLOR_BYTES + 512,
    MIRROR_BYTES = 16,
    BOX_BYTES = 4,
    BRICK_ENTRY = 16,
    SUM_BYTES = 8,
    VERSION = 4
};

static const uint64_t sumStart = 0xCBF29CE484222325u;

static uint64_t sumOf(uint64_t sum, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        sum = (sum ^ bytes[i]) * 0x100000001B3u;
    }
    return sum;
}

static void putWord(uint8_t *bytes, uint32_t word) {
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (uint8_t)(word >> (8 * i));
    }
}

static bool fail(char error[SAVE_ERROR_SIZE], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error, SAVE_ERROR_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static bool put(FILE *file, uint64_t *sum, const uint8_t *bytes, size_t size) {
    *sum = sumOf(*sum, bytes, size);
    return fwrite(bytes, 1, size, file) == size;
}

bool saveWrite(FILE *file, const Source *world) {
    const BrickSet *set = &world->set;
    uint8_t head[HEADER_BYTES];
    uint64_t sum = sumStart;
    memcpy(head, "MURW", 4);
    putWord(head + 4, VERSION);
    putWord(head + 8, (uint32_t)set->count);
    putWord(head + 12, (uint32_t)(set->voxelBytes / 512));
    putWord(head + 16, world->waterFirst);
    for (int i = 0; i < 3; ++i) {
        putWord(head + 20 + 4 * i, world->origin[i]);
    }
    uint8_t mirrors[MIRROR_BYTES + BOX_BYTES];
    putWord(mirrors + MIRROR_BYTES, world->box);
    for (int i = 0; i < 4; ++i) {
        putWord(mirrors + 4 * i, i == 0 ? world->mirror : (uint32_t)world->mirrorSum[i - 1]);
    }
    bool fine = put(file, &sum, head, sizeof head) &&
                put(file, &sum, &set->palette[0][0], COLOR_BYTES) &&
                put(file, &sum, &set->glow[0][0], PALETTE_BYTES - COLOR_BYTES) &&
                put(file, &sum, mirrors, sizeof mirrors);
    for (size_t i = 0; i < set->count && fine; ++i) {
        const HostBrick *brick = &set->bricks[i];
        uint8_t entry[BRICK_ENTRY];
        putWord(entry, brick->x);
        putWord(entry + 4, brick->y);
        putWord(entry + 8, brick->z);
        putWord(entry + 12, brick->color);
        fine = put(file, &sum, entry, sizeof entry);
    }
    for (size_t i = 0; i < set->count && fine; ++i) {
        const HostBrick *brick = &set->bricks[i];
        fine = brick->color || put(file, &sum, set->voxels + brick->voxelsAt, 512);
    }
    uint8_t end[SUM_BYTES];
    putWord(end, (uint32_t)sum);
    putWord(end + 4, (uint32_t)(sum >> 32));
    return fine && fwrite(end, 1, sizeof end, file) == sizeof end;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* Bytes before the bricks, by version. */
static size_t headBytes(const uint8_t *data) {
    const uint32_t version = fileWord(data + 4);
    return version == 1   ? HEADER_BYTES + COLOR_BYTES
           : version == 2 ? HEADER_BYTES + PALETTE_BYTES
           : version == 3 ? HEADER_BYTES + PALETTE_BYTES + MIRROR_BYTES
                          : HEADER_BYTES + PALETTE_BYTES + MIRROR_BYTES + BOX_BYTES;
}

static bool checkWhole(const uint8_t *data, size_t size, char error[SAVE_ERROR_SIZE]) {
    if (size < 4 || memcmp(data, "MURW", 4) != 0) {
        return fail(error, "this is not a saved world");
    }
    if (size < HEADER_BYTES + COLOR_BYTES + SUM_BYTES) {
        return fail(error, "the file is cut off");
    }
    if (fileWord(data + 4) == 0 || fileWord(data + 4) > VERSION) {
        return fail(error, "version %u of the format is not known", fileWord(data + 4));
    }
    uint64_t bricks = fileWord(data + 8);
    uint64_t listed = fileWord(data + 12);
    uint64_t expected = headBytes(data) + SUM_BYTES + BRICK_ENTRY * bricks + 512 * listed;
    if (listed > bricks) {
        return fail(error, "%llu bricks with voxels of %llu are too many",
                    (unsigned long long)listed, (unsigned long long)bricks);
    }
    if (size != expected) {
        return fail(error, "the file has %zu bytes, not the %llu that it should have", size,
                    (unsigned long long)expected);
    }
    const uint8_t *end = data + size - SUM_BYTES;
    uint64_t sum = sumOf(sumStart, data, size - SUM_BYTES);
    return (fileWord(end) == (uint32_t)sum && fileWord(end + 4) == (uint32_t)(sum >> 32)) ||
           fail(error, "the file is damaged: its checksum is wrong");
}

/* A file with the right checksum can still have been made by someone else. */
static bool readBricks(const uint8_t *data, Source *world, char error[SAVE_ERROR_SIZE]) {
    const uint32_t count = fileWord(data + 8);
    const uint8_t *entries = data + headBytes(data);
    const uint8_t *voxels = entries + BRICK_ENTRY * (size_t)count;
    uint32_t listed = fileWord(data + 12);
    BrickKey before = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t *entry = entries + BRICK_ENTRY * (size_t)i;
        const uint32_t x = fileWord(entry);
        const uint32_t y = fileWord(entry + 4);
        const uint32_t z = fileWord(entry + 8);
        const uint32_t color = fileWord(entry + 12);
        if (x >= WORLD_SIZE_X / BRICK_WIDTH || y >= WORLD_SIZE_Y / BRICK_WIDTH ||
            z >= WORLD_SIZE_Z / BRICK_WIDTH || color > 255 || (!color && listed == 0) ||
            (i > 0 && brickKeyOf(x, y, z) <= before)) {
            return fail(error, "brick %u is wrong or in the wrong place", i);
        }
        before = brickKeyOf(x, y, z);
        bool added = color ? brickSetAddUniform(&world->set, x, y, z, color)
                           : brickSetAdd(&world->set, x, y, z, voxels);
        voxels += color ? 0 : 512;
        listed -= !color;
        if (!added) {
            return fail(error, "no memory for %u bricks", count);
        }
    }
    return listed == 0 || fail(error, "%u listed bricks are not in the table", listed);
}

bool saveRead(const void *data, size_t size, Source *world, char error[SAVE_ERROR_SIZE]) {
    static const uint32_t ends[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};
    const uint8_t *bytes = data;
    memset(world, 0, sizeof *world);
    error[0] = '\0';
    if (!checkWhole(bytes, size, error)) {
        return false;
    }
    world->waterFirst = fileWord(bytes + 16);
    bool fine = world->waterFirst <= 248;
    for (int i = 0; i < 3; ++i) {
        world->origin[i] = fileWord(bytes + 20 + 4 * i);
        fine = fine && world->origin[i] < ends[i];
    }
    memcpy(world->set.palette, bytes + HEADER_BYTES, COLOR_BYTES);
    if (fileWord(bytes + 4) > 1) {
        memcpy(world->set.glow, bytes + HEADER_BYTES + COLOR_BYTES, PALETTE_BYTES - COLOR_BYTES);
    }
    const uint8_t *mirrors = bytes + HEADER_BYTES + PALETTE_BYTES;
    world->mirror = fileWord(bytes + 4) < 3 ? 0 : fileWord(mirrors);
    fine = fine && world->mirror < 8;
    for (int i = 0; i < 3 && fileWord(bytes + 4) > 2; ++i) {
        const uint32_t sum = fileWord(mirrors + 4 + 4 * i);
        fine = fine && sum <= 2 * ends[i];
        world->mirrorSum[i] = (int32_t)sum;
    }
    world->box = fileWord(bytes + 4) < 4 ? 0 : fileWord(mirrors + MIRROR_BYTES);
    fine = fine && world->box <= EMPTY_MOST;
    fine = fine ? readBricks(bytes, world, error) : fail(error, "the header is wrong");
    if (!fine) {
        brickSetFree(&world->set);
        memset(world, 0, sizeof *world);
    }
    return fine;
}

bool saveLoad(const char *path, Source *world, char error[SAVE_ERROR_SIZE]) {
    size_t size;
    char message[SAVE_ERROR_SIZE];
    memset(world, 0, sizeof *world);
    uint8_t *data = fileBytes(path, "MURW", SIZE_MAX, &size);
    if (!data) {
        return fail(error, "cannot read %.150s: %s", path, strerror(errno));
    }
    bool fine = saveRead(data, size, world, message);
    free(data);
    return fine || fail(error, "%.120s: %.120s", path, message);
}
