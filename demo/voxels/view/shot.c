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

bool shotWrite(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height) {
    Output output;
    const bool written = outputOpen(path, &output) &&
                         (pngWrite(output.file, pixels, width, height) || outputFailed(path)) &&
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
    const VkBufferCopy counts = {0, 0, sizeof(ViewCounts)};
    vkCmdCopyBuffer(gpu->cmd, tracer->counts.buffer, shots->shots[frame].counts.buffer, 1, &counts);
    gpuHostBarrier(gpu);
}

bool shotsCmdPicture(Shots *shots, uint32_t frame, const GpuSwapchain *window, const char *path) {
    Gpu *gpu = shots->gpu;
    Shot *shot = &shots->shots[frame];
    const VkBufferCopy all = {0, 0, 4 * (VkDeviceSize)window->width * window->height};
    if (!gpuCreateBuffer(gpu, all.size, GPU_HOST, "picture of a frame", &shot->pixels)) {
        return false;
    }
    (void)snprintf(shot->path, sizeof shot->path, "%s", path);
    shot->width = window->width;
    shot->height = window->height;
    shot->blueFirst = window->blueFirst;
    vkCmdCopyBuffer(gpu->cmd, window->pixels.buffer, shot->pixels.buffer, 1, &all);
    gpuHostBarrier(gpu);
    return true;
}
