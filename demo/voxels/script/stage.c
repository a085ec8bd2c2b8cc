/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include "common/png_file.h"
#include "common/message.h"
#include "model/output.h"

static const float eyeHalfHeight = 0.45f; /* as in the window */

/* The sun keeps over the camera's shoulder, unless it was put somewhere. */
static void orbit(Stage *stage, const float angles[3]) {
    const Settings *settings = stage->settings;
    stage->camera = viewStart(stage->source, angles, 0.26f,
                              (float)settings->width / (float)settings->height);
    if (!stage->sunStays) {
        stage->scene.sun = viewScene(stage->source, stage->camera.yaw).sun;
    }
}

void stageOpen(Stage *stage) {
    stage->scene = viewScene(stage->source, 0);
    orbit(stage, stage->settings->hasCamera ? stage->settings->camera : NULL);
}

void stageClose(Stage *stage) {
    pictureDestroy(stage->gpu, &stage->picture);
    tracerDestroy(&stage->tracer);
}

/* The eye of a line, whose places count from the source's low corner. */
static Camera eye(const Stage *stage, const ReplayLine *line) {
    Camera camera = {
        .yaw = line->numbers[3], .pitch = line->numbers[4], .halfHeight = eyeHalfHeight};
    for (int i = 0; i < 3; ++i) {
        camera.position[i] = (double)stage->source->origin[i] + (double)line->numbers[i];
    }
    return camera;
}

static void paint(Stage *stage, const ReplayLine *line) {
    Source *source = stage->source;
    for (int i = 0; i < 3; ++i) {
        source->set.palette[line->count][i] = (uint8_t)line->numbers[i];
    }
    source->set.palette[line->count][3] = 255;
    source->set.glow[line->count][0] = (uint8_t)line->numbers[3];
    source->set.glow[line->count][1] = 0;
    viewPalette(&stage->scene, source);
}

/* --camera is the one of all pictures. */
static void setCamera(Stage *stage, const ReplayLine *line) {
    if (stage->settings->hasCamera) {
        return;
    }
    if (line->verb == REPLAY_EYE) {
        stage->camera = eye(stage, line);
    } else {
        orbit(stage, line->numbers);
    }
}

void stageSet(Stage *stage, const ReplayLine *line) {
    View *scene = &stage->scene;
    const float *numbers = line->numbers;
    switch (line->verb) {
    case REPLAY_PALETTE:
        paint(stage, line);
        break;
    case REPLAY_SKY:
        scene->zenith = (Vec4){numbers[0], numbers[1], numbers[2], scene->zenith.w};
        scene->horizon = (Vec4){numbers[3], numbers[4], numbers[5], scene->horizon.w};
        break;
    case REPLAY_SUN:
        scene->sunLight = (Vec4){numbers[0], numbers[1], numbers[2], scene->sunLight.w};
        if (line->given) {
            viewSun(scene, numbers[3], numbers[4]);
            stage->sunStays = true;
        }
        break;
    case REPLAY_GROUND:
        scene->flags = line->count ? scene->flags | VIEW_GROUND : scene->flags & ~VIEW_GROUND;
        break;
    case REPLAY_GRAIN:
        scene->zenith.w = numbers[0];
        break;
    default:
        setCamera(stage, line);
    }
}

static bool openTracer(Stage *stage) {
    return stage->tracer.gpu || tracerCreate(stage->gpu, stage->settings->width,
                                             stage->settings->height, &stage->tracer);
}

static View viewNow(const Stage *stage, uint32_t mode) {
    View scene = stage->scene;
    scene.mode = mode;
    scene.masks = stage->world->store.buffers[WORLD_MASKS].address;
    return viewFrom(&scene, &stage->camera, stage->settings->width, stage->settings->height);
}

/* Timed work follows busy work at once, which keeps the clocks up. */
static bool flyFrame(Stage *stage, const View *view, uint32_t frame) {
    static const char *const passes[] = {"rays", "picture", "cells"};
    Gpu *gpu = stage->gpu;
    bool fine = gpuBegin(gpu);
    if (!fine) {
        return false;
    }
    clocksCmdWork(stage->clocks, 4);
    fine = tracerCmdDraw(&stage->tracer, &stage->world->store.ref, view, true);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    for (uint32_t i = 0; i < TRACER_PASSES; ++i) {
        reportRow(stage->report, "pass", frame, passes[i],
                  gpuMilliseconds(gpu, TRACER_BEGIN + i, TRACER_BEGIN + i + 1), stage->world, NULL);
    }
    reportRow(stage->report, "fly", frame, "fly", gpuMilliseconds(gpu, TRACER_BEGIN, TRACER_END),
              stage->world, NULL);
    return fine;
}

bool stageFly(Stage *stage, const ReplayLine *line) {
    const Camera from = stage->camera;
    const Camera to = eye(stage, line);
    if (stage->painter) { /* learns nothing on the way */
        stage->camera = to;
        return true;
    }
    bool fine = openTracer(stage);
    for (uint32_t i = 1; i <= line->count && fine; ++i) {
        const double part = (double)i / line->count;
        const float turned = (float)part;
        for (int axis = 0; axis < 3; ++axis) {
            stage->camera.position[axis] = from.position[axis] +
                                           part * (to.position[axis] - from.position[axis]);
        }
        stage->camera.yaw = from.yaw + turned * (to.yaw - from.yaw);
        stage->camera.pitch = from.pitch + turned * (to.pitch - from.pitch);
        stage->camera.halfHeight = to.halfHeight;
        const View view = viewNow(stage, VIEW_SHADED);
        fine = flyFrame(stage, &view, i);
    }
    return fine;
}

bool stageDraw(Stage *stage, FILE *file, const char *path, uint32_t mode, uint32_t frames) {
    const Settings *settings = stage->settings;
    const View view = viewNow(stage, mode);
    const WorldRef *world = &stage->world->store.ref;
    Picture *picture = &stage->picture;
    pictureDestroy(stage->gpu, picture); /* the one before */
    return (stage->painter && mode == VIEW_SHADED
                ? stage->painter(stage->gpu, world, &view, picture)
                : openTracer(stage) &&
                      tracerPicture(&stage->tracer, world, &view, frames, picture)) &&
           (pngWrite(file, picture->pixels.mapped, settings->width, settings->height, false) ||
            outputFailed(path));
}

bool stagePicture(Stage *stage, const ReplayLine *line) {
    Output output;
    const bool drawn = outputOpen(line->path, &output) &&
                       stageDraw(stage, output.file, line->path, line->mode,
                                 line->count ? line->count : stage->settings->samples) &&
                       outputKeep(&output);
    outputClose(&output);
    return drawn;
}
