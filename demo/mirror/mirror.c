/* murmirror: descriptor handles of a bindless renderer. Threads create and destroy handles on the
 * host while frames are drawn. A shader looks up each handle before it uses the texture. Each frame
 * must find the handles that live during its update, and none that was destroyed before it.
 * SPDX-License-Identifier: MIT */
#include "common/gpu.h"

#include <murmuration/mirror.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, HANDLES = 3 * 1024, FRAMES = 100, CHANGES = 300 /* per thread and frame */ };

GPU_SPIRV(mirror_spv);
typedef struct Push {
    MurTableRef handles;
    VkDeviceAddress draws, results;
} Push;

enum { ALIVE, UNSURE, DESTROYED }; /* UNSURE: a thread is creating or destroying the handle */

static Gpu gpu;
static GpuBuffer draws, results;
static GpuKernel kernel;
static MurMirror mirror;
static _Atomic uint32_t states[HANDLES]; /* 4 * number of uses + state of the handle */
static _Atomic uint64_t drawn;           /* frames */

static uint64_t handle_of(uint64_t i, uint32_t state) {
    return (uint64_t)(state / 4) << 32 | i;
}

static uint32_t texture_of(uint64_t handle) {
    return (uint32_t)(mur_hash64(handle, 1) % 4096);
}

static void change(uint64_t i) {
    uint32_t state = atomic_load(&states[i]);
    const bool creates = state % 4 == DESTROYED;
    const uint64_t handle = handle_of(i, state += creates ? 4 - DESTROYED : 0);
    atomic_store(&states[i], state + UNSURE);
    if (creates) {
        murHostInsert(murGetMirrorHostTable(mirror), MUR_MODE_ASSIGN, handle, texture_of(handle));
    } else {
        murHostErase(murGetMirrorHostTable(mirror), handle);
    }
    atomic_store(&states[i], state + (creates ? ALIVE : DESTROYED));
}

static void *change_handles(void *thread) {
    uint64_t changes = 0;
    for (uint64_t frame = 0; frame < FRAMES; frame = atomic_load(&drawn)) {
        for (; changes < CHANGES * (frame + 1); ++changes) {
            change(7 * changes % (HANDLES / THREADS) * THREADS + (uintptr_t)thread);
        }
        sched_yield();
    }
    return NULL;
}

static bool draw_frame(uint64_t frame) {
    const MurMirrorUpdate update = {.frame = frame, .completedFrame = frame - 1};
    uint32_t before[HANDLES];
    for (uint32_t i = 0; i < HANDLES; ++i) {
        before[i] = atomic_load(&states[i]);
        ((uint64_t *)draws.mapped)[i] = handle_of(i, before[i]);
    }
    if (!gpuBegin(&gpu) ||
        !gpuCheck(murCmdUpdateMirror(gpu.cmd, mirror, &update), "murCmdUpdateMirror")) {
        return false;
    }
    const Push push = {murGetTableRef(murGetMirrorTable(mirror)), draws.address, results.address};
    gpuDispatch(&gpu, &kernel, &push, HANDLES / 64, 1, 1);
    gpuHostBarrier(&gpu);
    bool good = gpuSubmit(&gpu);
    for (uint32_t i = 0; i < HANDLES && good; ++i) {
        const uint32_t found = ((const uint32_t *)results.mapped)[i];
        good = found == UINT32_MAX
                   ? before[i] % 4 != ALIVE || atomic_load(&states[i]) != before[i]
                   : before[i] % 4 != DESTROYED && found == texture_of(handle_of(i, before[i]));
    }
    return good;
}

int main(void) {
    const GpuOptions options = {.application = "murmirror", .device = -1};
    const MurMirrorCreateInfo info = {.table = {.capacity = 400000, .type = murTypeK64V32()},
                                      .framesInFlight = 1};
    bool good = gpuOpen(&gpu, &options) &&
                gpuCreateKernel(&gpu, GPU_CODE(mirror_spv), sizeof(Push), &kernel) &&
                gpuCreateBuffer(&gpu, 8 * HANDLES, GPU_HOST, "draws", &draws) &&
                gpuCreateBuffer(&gpu, 4 * HANDLES, GPU_HOST, "results", &results) &&
                gpuCheck(murCreateMirror(gpu.context, &info, &mirror), "murCreateMirror");
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < HANDLES && good; ++i) {
        atomic_store(&states[i], DESTROYED);
        change(i);
    }
    for (uint32_t i = 0; i < THREADS && mirror; ++i) {
        pthread_create(&threads[i], NULL, change_handles, (void *)(uintptr_t)i);
    }
    for (uint64_t frame = 1; frame <= FRAMES && good; ++frame) {
        good = draw_frame(frame);
        atomic_store(&drawn, frame);
    }
    atomic_store(&drawn, FRAMES); /* also after an error */
    for (uint32_t i = 0; i < THREADS && mirror; ++i) {
        pthread_join(threads[i], NULL);
    }
    printf("%d frames of %d handles: %s\n", FRAMES, HANDLES, good ? "all right" : "failed");
    murDestroyMirror(mirror);
    gpuDestroyKernel(&gpu, &kernel);
    gpuDestroyBuffer(&gpu, &draws);
    gpuDestroyBuffer(&gpu, &results);
    gpuClose(&gpu);
    return !good;
}
