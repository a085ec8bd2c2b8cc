/* SPDX-License-Identifier: MIT */
#include "shot.h"

#include "common/png_file.h"
#include "model/output.h"

#include <stdio.h>
#include <string.h>

bool shotsCreate(Gpu *gpu, Shots *shots) {
    *shots = (Shots){.gpu = gpu};
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

bool shotWrite(const char *path, uint8_t *pixels, uint32_t width, uint32_t height) {
    Output output;
    const bool written = outputOpen(path, &output) &&
                         (pngWrite(output.file, pixels, width, height, false) ||
                          outputFailed(path)) &&
                         outputKeep(&output);
    outputClose(&output);
    return written;
}

bool shotsTake(Shots *shots, uint32_t frame, const char **path) {
    Shot *shot = &shots->shots[frame];
    uint8_t *pixels = shot->pixels.mapped;
    memcpy(&shots->counts, shot->counts.mapped, sizeof shots->counts);
    *path = pixels ? shot->path : NULL;
    if (!pixels) {
        return true;
    }
    for (size_t i = 0; shot->blueFirst && i < 4 * (size_t)shot->width * shot->height; i += 4) {
        const uint8_t first = pixels[i];
        pixels[i] = pixels[i + 2];
        pixels[i + 2] = first;
    }
    const bool written = shotWrite(shot->path, pixels, shot->width, shot->height);
    gpuDestroyBuffer(shots->gpu, &shot->pixels);
    return written;
}

void shotsDestroy(Shots *shots) {
    const char *path;
    for (uint32_t i = 0; i < GPU_FRAMES && shots->gpu; ++i) {
        if (shots->shots[i].counts.mapped) {
            (void)shotsTake(shots, i, &path);
        }
        gpuDestroyBuffer(shots->gpu, &shots->shots[i].pixels);
        gpuDestroyBuffer(shots->gpu, &shots->shots[i].counts);
    }
    *shots = (Shots){0};
}

void shotsCmdCounts(Shots *shots, uint32_t frame, const Tracer *tracer) {
    Gpu *gpu = shots->gpu;
    gpuCopy(gpu, &tracer->counts, 0, &shots->shots[frame].counts, 0, sizeof(ViewCounts));
    gpuHostBarrier(gpu);
}

bool shotsCmdPicture(Shots *shots, uint32_t frame, const GpuSwapchain *window, const char *path) {
    Gpu *gpu = shots->gpu;
    Shot *shot = &shots->shots[frame];
    const VkDeviceSize size = 4 * (VkDeviceSize)window->width * window->height;
    if (!gpuCreateBuffer(gpu, size, GPU_HOST, "picture of a frame", &shot->pixels)) {
        return false;
    }
    (void)snprintf(shot->path, sizeof shot->path, "%s", path);
    shot->width = window->width;
    shot->height = window->height;
    shot->blueFirst = window->blueFirst;
    gpuCopy(gpu, &window->pixels, 0, &shot->pixels, 0, size);
    gpuHostBarrier(gpu);
    return true;
}
