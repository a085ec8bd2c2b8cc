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

/* Is it a model that a person makes voxel by voxel, rather than a landscape? */
static bool isSmall(const Source *source) {
    return !source->isTerrain && source->size[0] <= 512 && source->size[1] <= 512 &&
           source->size[2] <= 512;
}

WorldOptions buildOptions(const WorldRoom *room, const Source *source) {
    const bool small = !room->large && isSmall(source);
    const uint64_t payloads = sourceMaxBricks(source);
    const uint64_t bricks = larger(payloads, source->set.count);
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

World *buildWorld(Gpu *gpu, const WorldRoom *room, const Source *source, double *milliseconds) {
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
