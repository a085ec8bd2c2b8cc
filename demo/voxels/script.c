/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "common/png_file.h"
#include "common/say.h"
#include "output.h"
#include "reference.h"
#include "report.h"
#include "source.h"
#include "tracer.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

typedef struct Script {
    const Settings *settings;
    Output screenshot;
    Output stats;
    Source source;
    Gpu gpu;
    World world;
    GpuBuffer input; /* the model's voxels or the terrain's scratch */
    Tracer tracer;
    Picture picture;
    Report report;
    WorldCount count; /* after the last edit */
} Script;

static bool openWorld(Script *script) {
    const Settings *settings = script->settings;
    uint32_t bricks = settings->maxBricks ? settings->maxBricks : sourceMaxBricks(&script->source);
    uint32_t capacity = settings->tableCapacity ? settings->tableCapacity
                                                : bricks + bricks / 2 + 16;
    return worldCreate(&script->gpu, bricks, capacity, &script->world);
}

/* Two words a voxel, as ListPush says. */
static bool uploadModel(Script *script) {
    const VoxScene *scene = &script->source.scene;
    uint32_t *words = malloc(8 * scene->voxelCount);
    if (!words) {
        return sayError("no memory for the model's %zu voxels", scene->voxelCount);
    }
    for (size_t i = 0; i < scene->voxelCount; ++i) {
        const VoxVoxel *voxel = &scene->voxels[i];
        words[2 * i] = voxel->position[0] | (uint32_t)voxel->position[1] << 16;
        words[2 * i + 1] = voxel->position[2] | (uint32_t)voxel->color << 16;
    }
    bool done = gpuUpload(&script->gpu, words, 8 * scene->voxelCount, "voxel list", &script->input);
    free(words);
    return done;
}

static bool openInput(Script *script) {
    if (!script->source.isTerrain) {
        return uploadModel(script);
    }
    return gpuCreateBuffer(&script->gpu, worldTerrainBytes(script->source.terrainSize), GPU_DEVICE,
                           "terrain columns", &script->input);
}

static bool clearWorld(Script *script) {
    Gpu *gpu = &script->gpu;
    if (!gpuBegin(gpu) || !worldCmdClear(&script->world)) {
        return false;
    }
    if (script->source.isTerrain) {
        vkCmdFillBuffer(gpu->cmd, script->input.buffer, 0, VK_WHOLE_SIZE, 0);
        gpuTransferBarrier(gpu);
    }
    return gpuSubmit(gpu);
}

/* Records the edit that leads to a state. */
static void recordEdit(Script *script, ReferenceState state) {
    const Source *source = &script->source;
    World *world = &script->world;
    if (state == REFERENCE_ADDED) {
        worldCmdSphere(world, &source->add);
    } else if (state == REFERENCE_DUG) {
        worldCmdSphere(world, &source->dig);
    } else if (source->isTerrain) {
        worldCmdTerrain(world, source->terrainSize, source->seed, source->origin, &script->input);
    } else {
        worldCmdList(world, &script->input, (uint32_t)source->scene.voxelCount, source->origin);
    }
}

/* Do the tables, the pool and the bricks agree with each other? Also when there was too little
 * room. */
static bool checkBooks(const Script *script, const char *stage) {
    const WorldCount *count = &script->count;
    uint32_t bricks = count->bricks;
    return (count->hollow == 0 && count->taken == bricks && count->regional == bricks &&
            count->stats.live == bricks) ||
           sayError(
               "%s: the table has %u bricks, of which %u are hollow; its statistics say %u, the "
               "pool %u, the regions %u",
               stage, bricks, count->hollow, count->stats.live, count->taken, count->regional);
}

static bool checkRoom(const Script *script, const char *stage) {
    const WorldCount *count = &script->count;
    if (count->poolFull) {
        return sayError("%s: the brick pool is full: %u new bricks found no room (--max-bricks %u)",
                        stage, count->poolFull, script->world.maxBricks);
    }
    if (count->tableFull) {
        return sayError(
            "%s: the brick table is full: %u claims found no slot (--table-capacity %u)", stage,
            count->tableFull, script->world.capacity);
    }
    return !count->regionsFull || sayError("%s: the region table is full: %u regions found no slot",
                                           stage, count->regionsFull);
}

static bool checkCount(const Script *script, const char *stage, const VoxelCount *expected) {
    const WorldCount *count = &script->count;
    return (count->solid == expected->solid && count->sumLow == expected->sumLow &&
            count->sumHigh == expected->sumHigh) ||
           sayError("%s: the GPU has %u voxels with checksum %08x%08x, the CPU %u with %08x%08x",
                    stage, count->solid, count->sumHigh, count->sumLow, expected->solid,
                    expected->sumHigh, expected->sumLow);
}

static void reportStage(Script *script, const char *stage, double milliseconds) {
    const ReportLine line = {
        .stage = stage,
        .milliseconds = milliseconds,
        .voxels = script->count.solid,
        .bricks = script->count.bricks,
        .live = script->count.stats.live,
        .capacity = script->world.capacity,
        .bytes = worldBytes(&script->world) + script->input.size,
    };
    reportAdd(&script->report, &line);
}

static bool runEdit(Script *script, ReferenceState state, const VoxelCount *expected) {
    static const char *const names[REFERENCE_STATES] = {"build", "sphere_add", "sphere_dig"};
    Gpu *gpu = &script->gpu;
    sayProgress(names[state], 0, 1);
    if (!gpuBegin(gpu)) {
        return false;
    }
    gpuTimestamp(gpu, 0);
    recordEdit(script, state);
    gpuTimestamp(gpu, 1);
    if (!worldCmdCount(&script->world) || !gpuSubmit(gpu)) {
        return false;
    }
    sayProgress(names[state], 1, 1);
    worldCounted(&script->world, &script->count);
    reportStage(script, names[state], gpuMilliseconds(gpu, 0, 1));
    return checkBooks(script, names[state]) && checkRoom(script, names[state]) &&
           checkCount(script, names[state], expected);
}

static bool draw(Script *script) {
    const Settings *settings = script->settings;
    const Source *source = &script->source;
    Orbit orbit = source->isTerrain ? (Orbit){45, 28, 0.97f} : (Orbit){38, 26, 0.95f};
    if (settings->hasCamera) {
        orbit = (Orbit){settings->camera[0], settings->camera[1], settings->camera[2]};
    }
    const float aspect = (float)settings->width / (float)settings->height;
    const Camera camera = cameraAround(source, &orbit, 0.26f, aspect);
    View scene = viewScene(source, orbit.yaw);
    scene.samples = settings->samples;
    scene.mode = settings->mode;
    scene.flags |= VIEW_COUNTS | (settings->samples > 1 ? VIEW_FINE : 0);
    scene.masks = worldMasks(&script->world);
    const View view = viewFrom(&scene, &camera, settings->width, settings->height);
    if (!tracerCreate(&script->gpu, settings->fragment, settings->width, settings->height,
                      &script->tracer) ||
        !tracerPicture(&script->tracer, &script->world.ref, &view, settings->frames,
                       &script->picture)) {
        return false;
    }
    reportStage(script, "render", script->picture.milliseconds);
    return pngWrite(script->screenshot.file, script->picture.pixels.mapped, settings->width,
                    settings->height) ||
           sayError("cannot write %s", settings->screenshot);
}

static bool finish(Script *script) {
    reportPrint(&script->report, stdout);
    (void)printf("checksum %08x%08x of %u voxels, as on the CPU\n", script->count.sumHigh,
                 script->count.sumLow, script->count.solid);
    const ViewCounts *counts = &script->picture.counts;
    if (counts->rays) {
        const double rays = counts->rays;
        (void)printf("a ray: %.2f lookups, %.2f steps; a pixel: %.2f rays, %.2f lookups\n",
                     counts->lookups / rays, counts->steps / rays,
                     rays / script->settings->width / script->settings->height,
                     (double)counts->lookups / script->settings->width / script->settings->height);
    }
    bool written = !script->stats.file || reportWriteCsv(&script->report, script->stats.file) ||
                   sayError("cannot write %s", script->settings->stats);
    if (!written || !outputKeep(&script->screenshot) || !outputKeep(&script->stats)) {
        return false;
    }
    (void)printf("picture: %s\n", script->settings->screenshot);
    return true;
}

static bool run(Script *script) {
    const Settings *settings = script->settings;
    const GpuOptions options = {
        .application = "murvoxels",
        .device = settings->device,
        .validation = settings->validation,
    };
    VoxelCount expected[REFERENCE_STATES];
    if (!outputOpen(settings->screenshot, &script->screenshot) ||
        !outputOpen(settings->stats, &script->stats) || !sourceOpen(settings, &script->source) ||
        !gpuOpen(&script->gpu, &options)) {
        return false;
    }
    (void)printf("device: %s\n", script->gpu.properties.deviceName);
    if (!openWorld(script) || !openInput(script) || !clearWorld(script) ||
        !referenceCount(&script->source, expected)) {
        return false;
    }
    for (ReferenceState state = 0; state < REFERENCE_STATES; ++state) {
        if (!runEdit(script, state, &expected[state])) {
            return false;
        }
    }
    return draw(script) && finish(script);
}

bool scriptRun(const Settings *settings) {
    Script *script = calloc(1, sizeof *script);
    if (!script) {
        return sayError("no memory");
    }
    script->settings = settings;
    bool done = run(script);
    pictureDestroy(&script->gpu, &script->picture);
    tracerDestroy(&script->tracer);
    gpuDestroyBuffer(&script->gpu, &script->input);
    worldDestroy(&script->world);
    gpuClose(&script->gpu);
    if (script->gpu.messages) {
        done = sayError("the validation layers had %u messages", script->gpu.messages);
    }
    sourceClose(&script->source);
    outputClose(&script->screenshot);
    outputClose(&script->stats);
    free(script);
    return done;
}
