/* SPDX-License-Identifier: MIT */
#include "source.h"

#include "common/say.h"
#include "shaders/terrain.h"

#include <string.h>

enum { SPHERE_COLORS = 16, MARGIN = 512 }; /* voxels around a source that spheres may reach into */

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

static Sphere sphereAt(const Source *source, const int32_t center[3], uint32_t radius,
                       uint32_t operation, uint32_t colors) {
    return (Sphere){
        .x = source->origin[0] + (uint32_t)center[0],
        .y = source->origin[1] + (uint32_t)center[1],
        .z = source->origin[2] + (uint32_t)center[2],
        .radius = radius,
        .operation = operation,
        .colors = colors,
    };
}

static void include(Source *source, const Sphere *sphere) {
    const uint32_t center[3] = {sphere->x, sphere->y, sphere->z};
    for (int i = 0; i < 3; ++i) {
        uint32_t low = center[i] - sphere->radius;
        uint32_t high = center[i] + sphere->radius + 1;
        source->low[i] = low < source->low[i] ? low : source->low[i];
        source->high[i] = high > source->high[i] ? high : source->high[i];
    }
}

static bool openTerrain(const Settings *settings, Source *source) {
    int32_t size = (int32_t)settings->terrainSize;
    source->isTerrain = true;
    source->terrainSize = settings->terrainSize;
    source->seed = settings->seed;
    source->size[0] = source->size[2] = settings->terrainSize;
    source->size[1] = TERRAIN_HEIGHT;
    terrainPalette(source->palette);
    source->waterFirst = 1 + 8 * MATERIAL_WATER;
    if (!place(source)) {
        return false;
    }
    int32_t addRadius = size / 15;
    int32_t digRadius = size / 9;
    int32_t add[3] = {size * 76 / 100, 0, size * 26 / 100};
    int32_t dig[3] = {size * 62 / 100, 0, size * 60 / 100};
    add[1] = terrainHeight(add[0], add[2], size, source->seed) / 16 + addRadius * 8 / 5;
    dig[1] = terrainHeight(dig[0], dig[2], size, source->seed) / 16 + digRadius / 6;
    source->add = sphereAt(source, add, (uint32_t)addRadius, SPHERE_ADD,
                           (1 + 8 * MATERIAL_SPHERE) | SPHERE_COLORS << 8);
    source->dig = sphereAt(source, dig, (uint32_t)digRadius, SPHERE_DIG, 0);
    source->high[1] = source->origin[1] + 148; /* few peaks are higher */
    include(source, &source->add);
    return true;
}

/* Colours that the model leaves unused, next to each other, become the sphere's. A model that uses
 * all of them lends the sphere one. */
static uint32_t sphereColors(Source *source) {
    bool used[257] = {true};
    uint8_t terrain[256][4] = {{0}};
    uint32_t bestFirst = 1;
    uint32_t bestCount = 0;
    for (size_t i = 0; i < source->scene.voxelCount; ++i) {
        used[source->scene.voxels[i].color] = true;
    }
    used[256] = true;
    for (uint32_t i = 1, first = 1; i <= 256; ++i) {
        if (used[i]) {
            if (i - first > bestCount) {
                bestFirst = first;
                bestCount = i - first;
            }
            first = i + 1;
        }
    }
    terrainPalette(terrain);
    bestCount = bestCount > SPHERE_COLORS ? SPHERE_COLORS : bestCount;
    for (uint32_t i = 0; i < bestCount; ++i) {
        uint32_t from = 1 + 8 * MATERIAL_SPHERE + i * SPHERE_COLORS / bestCount;
        memcpy(source->palette[bestFirst + i], terrain[from], 4);
    }
    return bestFirst | (bestCount ? bestCount : 1) << 8;
}

/* The voxel farthest towards the right, the top and the front. */
static void nearestVoxel(const VoxScene *scene, int32_t position[3]) {
    int32_t best = -1;
    for (size_t i = 0; i < scene->voxelCount; ++i) {
        const uint16_t *at = scene->voxels[i].position;
        if (at[0] + at[1] + at[2] > best) {
            best = at[0] + at[1] + at[2];
            for (int axis = 0; axis < 3; ++axis) {
                position[axis] = at[axis];
            }
        }
    }
}

static bool openModel(const Settings *settings, Source *source) {
    char error[VOX_ERROR_SIZE];
    if (!voxLoad(settings->vox, &source->scene, error, sizeof error)) {
        return sayError("%s", error);
    }
    memcpy(source->size, source->scene.size, sizeof source->size);
    memcpy(source->palette, source->scene.palette, sizeof source->palette);
    if (!place(source)) {
        return false;
    }
    int32_t size[3];
    int32_t largest = 0;
    for (int i = 0; i < 3; ++i) {
        size[i] = (int32_t)source->size[i];
        largest = size[i] > largest ? size[i] : largest;
    }
    /* A ball beside the top of the model and a bite out of what is nearest to the camera. */
    int32_t radius = largest / 9 < 1 ? 1 : largest / 9 > 256 ? 256 : largest / 9;
    int32_t bite = radius * 5 / 4;
    const int32_t add[3] = {size[0] - radius / 2, size[1] + radius / 2, size[2] / 4};
    int32_t dig[3] = {0};
    nearestVoxel(&source->scene, dig);
    source->add = sphereAt(source, add, (uint32_t)radius, SPHERE_ADD, sphereColors(source));
    source->dig = sphereAt(source, dig, (uint32_t)bite, SPHERE_DIG, 0);
    include(source, &source->add);
    return true;
}

bool sourceOpen(const Settings *settings, Source *source) {
    memset(source, 0, sizeof *source);
    return settings->vox ? openModel(settings, source) : openTerrain(settings, source);
}

void sourceClose(Source *source) {
    voxFree(&source->scene);
}

static uint64_t bricksAcross(uint32_t voxels) {
    return voxels / BRICK_WIDTH + 2;
}

uint32_t sourceMaxBricks(const Source *source) {
    uint64_t across = bricksAcross(2 * source->add.radius);
    uint64_t bricks = across * across * across;
    if (source->isTerrain) {
        uint64_t side = source->terrainSize / BRICK_WIDTH;
        bricks += side * side * (TERRAIN_HEIGHT / BRICK_WIDTH) * 3 / 4;
    } else {
        uint64_t box = bricksAcross(source->size[0]) * bricksAcross(source->size[1]) *
                       bricksAcross(source->size[2]);
        bricks += box < source->scene.voxelCount ? box : source->scene.voxelCount;
    }
    return bricks < WORLD_MAX_BRICKS ? (uint32_t)bricks : WORLD_MAX_BRICKS;
}
