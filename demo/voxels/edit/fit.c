/* SPDX-License-Identifier: MIT */
#include "fit.h"

#include "edit.h"
#include "shaders/terrain.h"

static const uint64_t mebibyte = 1 << 20;

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Is it a model that a person makes voxel by voxel, rather than a landscape? */
static bool isSmall(const Source *source) {
    return !source->isTerrain && source->size[0] <= 512 && source->size[1] <= 512 &&
           source->size[2] <= 512;
}

/* Pool bricks that the source can need at most; wide terrains have few below the surface. */
static uint64_t maxBricks(const Source *source) {
    const uint64_t side = source->terrainSize / BRICK_WIDTH;
    const uint64_t high = source->size[1] / BRICK_WIDTH;
    return !source->isTerrain                           ? source->set.voxelBytes / 512
           : terrainRise((int)source->terrainSize) == 0 ? side * side * high * 3 / 4
                                                        : side * side * 16;
}

WorldOptions fitWorld(const WorldRoom *room, const Source *source) {
    const bool small = !room->large && isSmall(source);
    const uint64_t payloads = maxBricks(source);
    /* As many again of a terrain have no voxels of their own. */
    const uint64_t bricks = source->isTerrain ? 2 * payloads : larger(payloads, source->set.count);
    const uint64_t pool = larger((small ? 32 : 256) * mebibyte, payloads * BRICK_BYTES * 5 / 4);
    const uint64_t slots = larger(small ? 1 << 19 : 1 << 21, 2 * bricks);
    const uint32_t undo = room->undoMib != ROOM_FITS ? room->undoMib : small ? 64 : 256;
    const uint32_t clipboard = room->clipboardMib ? room->clipboardMib : small ? 16 : 64;
    return (WorldOptions){
        .poolBytes = room->poolMib ? room->poolMib * mebibyte : pool,
        .tableSlots = room->tableSlots   ? room->tableSlots
                      : slots < 1u << 30 ? (uint32_t)slots
                                         : 1u << 30,
        .tableStart = room->tableStart ? room->tableStart
                      : small          ? 1 << 14
                                       : 0,
        .undoBytes = undo * mebibyte,
        .clipboardBytes = clipboard * mebibyte,
        .floodBricks = room->floodBricks ? room->floodBricks
                       : small           ? 1 << 15
                                         : 1 << 17,
        .editBricks = small && room->undoMib == ROOM_FITS ? 1 << 18 : EDIT_MAX_BRICKS,
    };
}

uint32_t fitLength(const uint32_t low[3], const uint32_t high[3]) {
    uint32_t most = 0;
    for (int i = 0; i < 3; ++i) {
        most = high[i] - low[i] > most ? high[i] - low[i] : most;
    }
    return most;
}

uint64_t fitDense(const uint32_t low[3], const uint32_t high[3]) {
    return (uint64_t)(high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}

/* One voxel in small worlds. */
uint32_t fitBrush(const uint32_t low[3], const uint32_t high[3]) {
    return fitLength(low, high) / 64;
}

/* Through it in three seconds. */
float fitSpeed(const uint32_t low[3], const uint32_t high[3]) {
    return (float)fitLength(low, high) / 3 + 2;
}
