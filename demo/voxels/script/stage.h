/* The content of a run's pictures: the scene's look, the camera, and the light learnt so far.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_STAGE_H
#define MURVOXELS_STAGE_H

#include "common/clocks.h"
#include "edit/replay.h"
#include "report.h"
#include "settings.h"
#include "view/tracer.h"

/* Draws a picture of a shaded world and waits. */
typedef bool StagePainter(Gpu *gpu, const WorldRef *world, const View *view, Picture *picture);

typedef struct Stage {
    Gpu *gpu;
    const Settings *settings;
    Source *source;
    const World *world;
    Report *report;
    Clocks *clocks; /* raised before each frame that is timed */
    View scene;
    Camera camera;
    bool sunStays;         /* at the place that a line gave */
    Tracer tracer;         /* there is one from the first picture on */
    Picture picture;       /* the last one */
    StagePainter *painter; /* replaces the tracer: the reference of the tests; or NULL */
} Stage;

/* The pointers are given. */
void stageOpen(Stage *stage);
void stageClose(Stage *stage);

/* Applies a line about the look or the camera. */
void stageSet(Stage *stage, const ReplayLine *line);

/* Outside of frames: flies, a row of the report for each frame; draws a line's picture, or one into
 * a file. */
bool stageFly(Stage *stage, const ReplayLine *line);
bool stagePicture(Stage *stage, const ReplayLine *line);
bool stageDraw(Stage *stage, FILE *file, const char *path, uint32_t mode, uint32_t frames);

#endif
