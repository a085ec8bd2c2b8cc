/* SPDX-License-Identifier: MIT */
#include "source.h"

#include "common/message.h"
#include "save_file.h"
#include "shaders/terrain.h"
#include "vox_bricks.h"

#include <string.h>

enum { MARGIN = 512 }; /* voxels around a source for additions to it */

static const uint32_t worldSize[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};

/* In the middle of the world, at a region's corner. */
static bool place(Source *source) {
    for (int i = 0; i < 3; ++i) {
        if (source->size[i] > worldSize[i] - 2 * MARGIN) {
            return sayError("the model is %u voxels long, more than the world's %u",
                            source->size[i], worldSize[i] - 2 * MARGIN);
        }
        source->origin[i] = (worldSize[i] - source->size[i]) / 2 >> REGION_SHIFT << REGION_SHIFT;
        source->low[i] = source->origin[i];
        source->high[i] = source->origin[i] + source->size[i];
    }
    return true;
}

static bool openTerrain(const SourceOptions *options, Source *source) {
    source->isTerrain = true;
    source->terrainSize = options->terrainSize ? options->terrainSize : 512;
    source->seed = options->seed;
    source->size[0] = source->size[2] = source->terrainSize;
    source->size[1] = (uint32_t)terrainTop((int)source->terrainSize);
    terrainPalette(source->set.palette);
    source->waterFirst = 1 + 8 * MATERIAL_WATER;
    if (!place(source)) {
        return false;
    }
    source->high[1] = source->origin[1] +
                      (148u << terrainRise((int)source->terrainSize)); /* few peaks are higher */
    return true;
}

static bool openEmpty(const SourceOptions *options, Source *source) {
    source->box = options->emptySize;
    source->size[0] = source->size[1] = source->size[2] = options->emptySize;
    voxPalette(source->set.palette);
    return place(source);
}

static bool openModel(const SourceOptions *options, Source *source) {
    char error[VOX_ERROR_SIZE];
    VoxScene scene;
    if (!voxLoad(options->vox, &scene, error, sizeof error)) {
        return sayError("%s", error);
    }
    memcpy(source->size, scene.size, sizeof source->size);
    voxOmitted(&scene, source->omitted);
    bool placed = place(source);
    bool read = placed && voxToBricks(&scene, source->origin, &source->set);
    voxFree(&scene);
    return read || (placed && sayError("no memory for the model's bricks"));
}

static bool openSaved(const SourceOptions *options, Source *source) {
    char error[SAVE_ERROR_SIZE];
    if (!saveLoad(options->load, source, error)) {
        return sayError("%s", error);
    }
    for (int i = 0; i < 3; ++i) {
        const bool empty = source->set.count == 0 || source->box;
        source->low[i] = empty ? source->origin[i] : UINT32_MAX;
        source->high[i] = empty ? source->origin[i] + (source->box ? source->box : 64) : 0;
    }
    for (size_t i = 0; i < source->set.count; ++i) {
        const HostBrick *brick = &source->set.bricks[i];
        const uint32_t at[3] = {brick->x * 8, brick->y * 8, brick->z * 8};
        for (int axis = 0; axis < 3; ++axis) {
            source->low[axis] = at[axis] < source->low[axis] ? at[axis] : source->low[axis];
            source->high[axis] = at[axis] + 8 > source->high[axis] ? at[axis] + 8
                                                                   : source->high[axis];
        }
    }
    for (int i = 0; i < 3; ++i) {
        source->size[i] = source->high[i] - source->low[i];
    }
    return true;
}

bool sourceOpen(const SourceOptions *options, Source *source) {
    memset(source, 0, sizeof *source);
    const bool open = options->vox         ? openModel(options, source)
                      : options->load      ? openSaved(options, source)
                      : options->emptySize ? openEmpty(options, source)
                                           : openTerrain(options, source);
    for (int i = 0; i < 3 && open; ++i) { /* none is at the world's end */
        const int32_t middle = (int32_t)(source->low[i] + source->high[i]);
        source->mirrorSum[i] = source->mirrorSum[i] ? source->mirrorSum[i] : middle;
    }
    return open;
}

void sourceClose(Source *source) {
    brickSetFree(&source->set);
}
