/* murweld: turns separate vertices into an indexed mesh, and checks it on the CPU.
 * SPDX-License-Identifier: MIT */
#include "common/gpu.h"
#include "common/message.h"
#include "weld.h"

#include <murmuration/rows.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, VERTICES = 6 * SIDE * SIDE };

GPU_SPIRV(weld_spv);

typedef struct Weld {
    Gpu gpu;
    MurTable table;
    GpuKernel kernel;
    GpuBuffer buffers[WELD_BUFFERS];
} Weld;

/* A wavy surface of squares, two triangles each, without shared vertices: copies of a corner differ
 * by less than a quarter of the grid. A crease has two normals at one position. */
static void makeVertices(float *vertices) {
    static const uint32_t corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    for (uint32_t v = 0; v < VERTICES; ++v) {
        const uint32_t left = v / 6 % SIDE, x = left + corners[v % 6][0];
        const uint32_t y = v / 6 / SIDE + corners[v % 6][1];
        const bool steep = left >= SIDE / 2;
        const uint32_t snapped[WELD_FLOATS] = {
            16 * x, 16 * y, x * y % 37, steep ? 600 : 0, 0, steep ? 829 : 1024, 16 * x, 16 * y};
        for (uint32_t i = 0; i < WELD_FLOATS; ++i) {
            const float off = (float)(mur_hash(v * WELD_FLOATS + i, 1) % 1000) / 2000 - 0.25f;
            vertices[v * WELD_FLOATS + i] = ((float)snapped[i] + off) / (float)WELD_GRID;
        }
    }
}

static bool openWeld(Weld *weld) {
    const VkDeviceSize size = 4 * VERTICES * WELD_FLOATS; /* enough for the largest array */
    /* flags 0, because the shader defines equality. At half of the capacity, lookups are
     * fastest. */
    const MurTableCreateInfo info = {
        .capacity = 2 * VERTICES, .type = murTypeRows(), .pName = "vertices"};
    bool done = gpuCheck(murCreateTable(weld->gpu.context, &info, &weld->table), "a table") &&
                gpuCreateKernel(&weld->gpu, "weld", weld_spv, weld_spv_size, sizeof(WeldPush),
                                &weld->kernel);
    for (uint32_t i = 0; done && i < WELD_BUFFERS; ++i) {
        done = gpuCreateBuffer(&weld->gpu, size, GPU_HOST, "mesh", &weld->buffers[i]);
    }
    return done;
}

static void closeWeld(Weld *weld) {
    for (uint32_t i = 0; i < WELD_BUFFERS; ++i) {
        gpuDestroyBuffer(&weld->gpu, &weld->buffers[i]);
    }
    gpuDestroyKernel(&weld->gpu, &weld->kernel);
    murDestroyTable(weld->table);
    gpuClose(&weld->gpu);
}

static bool runWeld(Weld *weld) {
    Gpu *gpu = &weld->gpu;
    makeVertices(weld->buffers[WELD_INPUT].mapped);
    *(uint32_t *)weld->buffers[WELD_COUNTER].mapped = 0;
    WeldPush push = {.table = murGetTableRef(weld->table), .vertexCount = VERTICES};
    for (uint32_t i = 0; i < WELD_BUFFERS; ++i) {
        push.buffers[i] = weld->buffers[i].address;
    }
    bool done = gpuBegin(gpu) && gpuCheck(murCmdClear(gpu->cmd, weld->table), "clearing");
    for (; done && push.phase < 2; ++push.phase) {
        gpuComputeBarrier(gpu);
        gpuDispatch(gpu, &weld->kernel, &push, VERTICES / 64, 1, 1);
    }
    gpuHostBarrier(gpu);
    return done && gpuSubmit(gpu);
}

/* ---- The same on the CPU: by sorting. */
static int compare(const void *a, const void *b) {
    int difference = 0;
    for (uint32_t i = 0; difference == 0 && i < WELD_FLOATS; ++i) {
        difference = (int)floorf(((const float *)a)[i] * WELD_GRID + 0.5f) -
                     (int)floorf(((const float *)b)[i] * WELD_GRID + 0.5f);
    }
    return difference;
}

/* Each index leads to an equal vertex, and the number of vertices is that of different ones. */
static bool checkWeld(const Weld *weld) {
    float *vertices = weld->buffers[WELD_INPUT].mapped;
    const float *mesh = weld->buffers[WELD_MESH].mapped;
    const uint32_t *indices = weld->buffers[WELD_INDICES].mapped;
    const uint32_t count = *(const uint32_t *)weld->buffers[WELD_COUNTER].mapped;
    for (uint32_t v = 0; v < VERTICES; ++v) {
        if (indices[v] >= count ||
            compare(vertices + v * WELD_FLOATS, mesh + indices[v] * WELD_FLOATS) != 0) {
            return sayError("vertex %u became %u of %u, which differs", v, indices[v], count);
        }
    }
    qsort(vertices, VERTICES, WELD_FLOATS * sizeof *vertices, compare);
    uint32_t different = 1;
    for (uint32_t v = 1; v < VERTICES; ++v) {
        different += compare(vertices + (v - 1) * WELD_FLOATS, vertices + v * WELD_FLOATS) != 0;
    }
    printf("%u vertices became %u\n", VERTICES, count);
    return count == different || sayError("expected %u different vertices", different);
}

int main(int argc, char **argv) {
    sayProgram("murweld");
    const GpuOptions options = {.application = "murweld",
                                .device = -1,
                                .validation = argc == 2 && strcmp(argv[1], "--validation") == 0};
    Weld weld = {0};
    bool done = argc == 1 || options.validation ||
                sayError("argument is %s, expected --validation", argv[1]);
    done = done && gpuOpen(&weld.gpu, &options) && openWeld(&weld) && runWeld(&weld);
    done = done && checkWeld(&weld) &&
           (weld.gpu.messages == 0 || sayError("the validation layers reported messages"));
    closeWeld(&weld);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
