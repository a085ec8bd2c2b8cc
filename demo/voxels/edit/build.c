/* SPDX-License-Identifier: MIT */
#include "build.h"

#include "common/message.h"
#include "model/files.h"
#include "model/gltf.h"
#include "model/output.h"
#include "model/save_file.h"
#include "model/vox_bricks.h"
#include "whole.h"

World *buildWorld(Gpu *gpu, const WorldRoom *room, const Source *source, World *before,
                  double *milliseconds) {
    const WorldOptions options = fitWorld(room, source);
    World *world = worldCreate(gpu, &options, before);
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

bool buildExport(World *world, const Source *source, FILE *file, const char *path) {
    const bool mesh = fileEnds(path, ".glb");
    BrickSet set = brickSetLike(&source->set);
    bool done = worldGet(world, &set);
    if (done) {
        const BricksWritten written = (mesh ? gltfWrite : voxWrite)(file, &set);
        done = written == BRICKS_WRITTEN || (written == BRICKS_NOT_WRITTEN && outputFailed(path)) ||
               (written == BRICKS_TOO_MANY &&
                sayError("%s: a %s has from 1 to %zu %s, this world has not", path,
                         mesh ? "mesh" : ".vox file", mesh ? GLTF_MAX_QUADS : VOX_MAX_VOXELS,
                         mesh ? "rectangles" : "voxels"));
    }
    brickSetFree(&set);
    return done;
}

bool buildSave(World *world, const Source *source, FILE *file, const char *path) {
    if (fileEnds(path, ".vox")) {
        return buildExport(world, source, file, path);
    }
    Source saved = *source;
    saved.set = brickSetLike(&source->set);
    const bool done = worldGet(world, &saved.set) &&
                      (saveWrite(file, &saved) || outputFailed(path));
    brickSetFree(&saved.set);
    return done;
}
