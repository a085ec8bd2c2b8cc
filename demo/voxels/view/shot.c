/* SPDX-License-Identifier: MIT */
#include "shot.h"

#include "common/png_file.h"
#include "common/say.h"
#include "model/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool shotsCreate(Gpu *gpu, const char *pattern, Shots *shots) {
    *shots = (Shots){.gpu = gpu, .pattern = pattern};
    bool made = true;
    for (uint32_t i = 0; i < GPU_FRAMES && made; ++i) {
        made = gpuCreateBuffer(gpu, sizeof(ViewCounts), GPU_HOST, "counts of a frame",
                               &shots->shots[i].counts);
        if (made) {
            memset(shots->shots[i].counts.mapped, 0, sizeof(ViewCounts));
        }
    }
    return made;
}

static void swapRedAndBlue(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const uint8_t first = pixels[4 * i];
        pixels[4 * i] = pixels[4 * i + 2];
        pixels[4 * i + 2] = first;
    }
}

static bool writePicture(const Shot *shot) {
    Output output;
    if (shot->blueFirst) {
        swapRedAndBlue(shot->pixels.mapped, (size_t)shot->width * shot->height);
    }
    bool written = outputOpen(shot->path, &output);
    if (written && !pngWrite(output.file, shot->pixels.mapped, shot->width, shot->height)) {
        written = outputFailed(shot->path);
    }
    written = written && outputKeep(&output);
    outputClose(&output);
    return written;
}

bool shotsTake(Shots *shots, uint32_t frame, char path[256]) {
    Shot *shot = &shots->shots[frame];
    memcpy(&shots->counts, shot->counts.mapped, sizeof shots->counts);
    path[0] = '\0';
    if (!shot->path) {
        return true;
    }
    const bool written = writePicture(shot);
    (void)snprintf(path, 256, "%s", shot->path);
    free(shot->path);
    shot->path = NULL;
    gpuDestroyBuffer(shots->gpu, &shot->pixels);
    return written;
}

void shotsDestroy(Shots *shots) {
    char path[256];
    for (uint32_t i = 0; i < GPU_FRAMES && shots->gpu; ++i) {
        if (shots->shots[i].counts.mapped) {
            (void)shotsTake(shots, i, path);
        }
        gpuDestroyBuffer(shots->gpu, &shots->shots[i].pixels);
        gpuDestroyBuffer(shots->gpu, &shots->shots[i].counts);
    }
    *shots = (Shots){0};
}

void shotsCmdCounts(Shots *shots, uint32_t frame, const Tracer *tracer) {
    Gpu *gpu = shots->gpu;
    const VkBufferCopy counts = {0, 0, sizeof(ViewCounts)};
    vkCmdCopyBuffer(gpu->cmd, tracer->counts.buffer, shots->shots[frame].counts.buffer, 1, &counts);
    gpuHostBarrier(gpu);
}

static char *nextName(Shots *shots) {
    const char *pattern = shots->pattern;
    const char *dot = strrchr(pattern, '.');
    const size_t length = dot && !strchr(dot, '/') ? (size_t)(dot - pattern) : strlen(pattern);
    const size_t room = length + 32;
    char *name = malloc(room);
    bool taken = true;
    while (name && taken) {
        (void)snprintf(name, room, "%.*s-%u.png", (int)length, pattern, ++shots->number);
        FILE *file = fopen(name, "rb");
        taken = file != NULL;
        if (file) {
            (void)fclose(file);
        }
    }
    return name;
}

bool shotsCmdPicture(Shots *shots, uint32_t frame, const Tracer *tracer, bool blueFirst) {
    Gpu *gpu = shots->gpu;
    Shot *shot = &shots->shots[frame];
    const VkBufferCopy all = {0, 0, 4 * (VkDeviceSize)tracer->width * tracer->height};
    char *path = nextName(shots);
    if (!path) {
        return sayError("no memory for a picture's name");
    }
    if (!gpuCreateBuffer(gpu, all.size, GPU_HOST, "picture of a frame", &shot->pixels)) {
        free(path);
        return false;
    }
    shot->path = path;
    shot->width = tracer->width;
    shot->height = tracer->height;
    shot->blueFirst = blueFirst;
    vkCmdCopyBuffer(gpu->cmd, tracer->pixels.buffer, shot->pixels.buffer, 1, &all);
    gpuHostBarrier(gpu);
    return true;
}

bool shotsWrite(Shots *shots, void *pixels, uint32_t width, uint32_t height, char path[256]) {
    const Shot shot = {
        .pixels = {.mapped = pixels}, .width = width, .height = height, .path = nextName(shots)};
    const bool written = shot.path ? writePicture(&shot)
                                   : sayError("no memory for a picture's name");
    (void)snprintf(path, 256, "%s", shot.path ? shot.path : "");
    free(shot.path);
    return written;
}
