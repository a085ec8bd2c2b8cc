/* SPDX-License-Identifier: MIT */
#include "build.h"

#include "common/say.h"
#include "model/output.h"
#include "model/save_file.h"
#include "model/vox_bricks.h"

#include <string.h>

static const uint64_t mebibyte = 1 << 20;

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

WorldOptions buildOptions(const Room *room, const Source *source) {
    const uint64_t payloads = sourceMaxBricks(source);
    const uint64_t bricks = larger(payloads, source->set.count);
    const uint64_t pool = larger(256 * mebibyte, payloads * BRICK_BYTES * 5 / 4);
    const uint64_t slots = larger(1 << 21, 2 * bricks);
    return (WorldOptions){
        .poolBytes = room->poolMib ? room->poolMib * mebibyte : pool,
        .tableSlots = room->tableSlots   ? room->tableSlots
                      : slots < 1u << 30 ? (uint32_t)slots
                                         : 1u << 30,
        .tableStart = room->tableStart,
        .undoBytes = room->undoMib * mebibyte,
        .clipboardBytes = room->clipboardMib * mebibyte,
        .floodBricks = room->floodBricks,
    };
}

World *buildWorld(Gpu *gpu, const Room *room, const Source *source, double *milliseconds) {
    const WorldOptions options = buildOptions(room, source);
    World *world = worldCreate(gpu, &options);
    bool made = world != NULL;
    *milliseconds = -1;
    if (made) {
        made = source->isTerrain ? worldMakeTerrain(world, source->terrainSize, source->seed,
                                                    source->origin, milliseconds)
                                 : worldPut(world, &source->set);
    }
    if (!made) {
        worldDestroy(world);
        world = NULL;
    }
    return world;
}

bool buildSave(World *world, const Source *source, FILE *file, const char *path) {
    SavedWorld saved = {.waterFirst = source->waterFirst};
    memcpy(saved.origin, source->origin, sizeof saved.origin);
    memcpy(saved.set.palette, source->palette, sizeof saved.set.palette);
    memcpy(saved.set.glow, source->glow, sizeof saved.set.glow);
    bool got = worldGet(world, &saved.set);
    bool done = got && (saveWrite(file, &saved) || outputFailed(path));
    saveFree(&saved);
    return done;
}

bool buildExport(World *world, const Source *source, FILE *file, const char *path) {
    BrickSet set = {0};
    memcpy(set.palette, source->palette, sizeof set.palette);
    memcpy(set.glow, source->glow, sizeof set.glow);
    bool done = worldGet(world, &set);
    if (done) {
        VoxWritten written = voxWrite(file, &set);
        done = written == VOX_WRITTEN || (written == VOX_NOT_WRITTEN && outputFailed(path)) ||
               (written == VOX_TOO_MANY &&
                sayError("%s: a .vox file has from 1 to 67108864 voxels, this world has not",
                         path));
    }
    brickSetFree(&set);
    return done;
}
