/* murgrid: groups points by cell of a uniform grid and joins two sets of them, by cell and by
 * distance. Compares with a join on the CPU.
 * SPDX-License-Identifier: MIT */
#include "common/gpu.h"
#include "common/message.h"
#include "grid.h"

#include <murmuration/group.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 4096, MAX_PAIRS = 1 << 21 };

GPU_SPIRV(grid_spv);

/* A set of points: packed coordinates, the cell of each, and 0, 1, ... */
typedef struct Set {
    GpuBuffer points, keys, indices;
} Set;

typedef struct Grid {
    Gpu gpu;
    MurTable cells; /* cell -> its points of the second set, in groups */
    GpuKernel kernel;
    Set sets[2];
    GpuBuffer groups, scratch;
    GpuBuffer same, close; /* pairs of points: in one cell; within the distance */
} Grid;

static bool host(Grid *grid, uint64_t words, const char *name, GpuBuffer *buffer) {
    return gpuCreateBuffer(&grid->gpu, 4 * words, GPU_HOST, name, buffer);
}

static MurArray array(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

/* Half of the points are random, half are in a few cells. */
static void scatter(uint32_t *points, uint32_t seed) {
    for (uint32_t i = 0; i < POINTS; ++i) {
        uint32_t at[3];
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const uint32_t random = mur_hash(3 * i + axis, seed);
            at[axis] = i % 2 ? random % GRID_AXIS : 448 + random % 160;
        }
        points[i] = at[0] | at[1] << 10 | at[2] << 20;
    }
}

static bool openGrid(Grid *grid) {
    Gpu *gpu = &grid->gpu;
    const MurBatch points = {.maxCount = POINTS};
    /* One slot per cell, at most one cell per point. At half of the capacity, lookups are
     * fastest. */
    const MurTableCreateInfo info = {
        .capacity = 2 * POINTS, .kernels = {murKernelsGroup()}, .pName = "cells"};
    bool done = gpuCheck(murCreateTable(gpu->context, &info, &grid->cells), "a table") &&
                gpuCreateKernel(gpu, "grid", grid_spv, grid_spv_size, sizeof(GridPush),
                                &grid->kernel) &&
                host(grid, 2 * POINTS + 1, "groups", &grid->groups) &&
                host(grid, murGetScratchSize(grid->cells, MUR_COMMAND_GROUP, 0, &points) / 4,
                     "scratch", &grid->scratch) &&
                host(grid, 2 * (MAX_PAIRS + 1), "same", &grid->same) &&
                host(grid, 2 * (MAX_PAIRS + 1), "close", &grid->close);
    for (uint32_t s = 0; done && s < 2; ++s) {
        Set *set = &grid->sets[s];
        done = host(grid, POINTS, "points", &set->points) &&
               host(grid, POINTS, "keys", &set->keys) &&
               host(grid, POINTS, "indices", &set->indices);
        if (done) {
            scatter(set->points.mapped, 1 + s);
        }
    }
    return done;
}

static void closeGrid(Grid *grid) {
    Gpu *gpu = &grid->gpu;
    GpuBuffer *const buffers[] = {&grid->groups, &grid->scratch, &grid->same, &grid->close};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        gpuDestroyBuffer(gpu, buffers[i]);
    }
    for (uint32_t s = 0; s < 2; ++s) {
        gpuDestroyBuffer(gpu, &grid->sets[s].points);
        gpuDestroyBuffer(gpu, &grid->sets[s].keys);
        gpuDestroyBuffer(gpu, &grid->sets[s].indices);
    }
    gpuDestroyKernel(gpu, &grid->kernel);
    murDestroyTable(grid->cells);
    gpuClose(gpu);
}

static void dispatch(Grid *grid, const Set *set, uint32_t phase) {
    const GridPush push = {.cells = murGetTableRef(grid->cells),
                           .points = set->points.address,
                           .others = grid->sets[1].points.address,
                           .keys = set->keys.address,
                           .indices = set->indices.address,
                           .groups = grid->groups.address,
                           .same = grid->same.address,
                           .close = grid->close.address,
                           .count = POINTS,
                           .phase = phase,
                           .maxPairs = MAX_PAIRS};
    gpuDispatch(&grid->gpu, &grid->kernel, &push, POINTS / 64, 1, 1);
}

/* Computes the cells of the second set, the groups, and both joins. */
static bool runGrid(Grid *grid) {
    Gpu *gpu = &grid->gpu;
    const Set *first = &grid->sets[0], *second = &grid->sets[1];
    const MurGroup group = {.maxCount = POINTS,
                            .keys = array(&second->keys),
                            .values = array(&second->indices),
                            .groups = array(&grid->groups),
                            .scratch = array(&grid->scratch)};
    *(uint32_t *)grid->same.mapped = *(uint32_t *)grid->close.mapped = 0;
    if (!gpuBegin(gpu)) {
        return false;
    }
    dispatch(grid, second, GRID_PHASE_CELLS);
    gpuComputeBarrier(gpu);
    const bool done = gpuCheck(murCmdGroup(gpu->cmd, grid->cells, &group), "grouping");
    gpuComputeBarrier(gpu);
    dispatch(grid, first, GRID_PHASE_JOIN);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu) && done;
}

/* ---- The same on the CPU: all pairs of points. */

static bool sameCell(uint32_t a, uint32_t b) {
    const uint32_t cells = 0x3C0u | 0x3C0u << 10 | 0x3C0u << 20;
    return (a & cells) == (b & cells);
}

static bool near(uint32_t a, uint32_t b) {
    int distance = 0;
    for (uint32_t shift = 0; shift < 30; shift += 10) {
        const int way = (int)(a >> shift & (GRID_AXIS - 1)) - (int)(b >> shift & (GRID_AXIS - 1));
        distance += way * way;
    }
    return distance <= (int)(GRID_CELL * GRID_CELL);
}

/* Writes one byte per pair of points: 1 if the join must contain it. */
static uint32_t expect(const Grid *grid, bool (*joins)(uint32_t a, uint32_t b), uint8_t *expected) {
    const uint32_t *a = grid->sets[0].points.mapped, *b = grid->sets[1].points.mapped;
    uint32_t count = 0;
    for (uint32_t i = 0; i < POINTS; ++i) {
        for (uint32_t j = 0; j < POINTS; ++j) {
            const bool is = joins(a[i], b[j]);
            expected[i * POINTS + j] = is;
            count += is;
        }
    }
    return count;
}

static bool check(const char *name, uint8_t *expected, uint32_t count, const uint32_t *pairs) {
    const uint32_t found = pairs[0];
    printf("%s: %u pairs\n", name, found);
    if (found != count || found > MAX_PAIRS) {
        return sayError("%s: %u pairs, expected %u", name, found, count);
    }
    for (uint32_t n = 0; n < found; ++n) {
        const uint32_t i = pairs[2 * n + 2], j = pairs[2 * n + 3];
        if (i >= POINTS || j >= POINTS || !expected[i * POINTS + j]) {
            return sayError("%s: pair %u of %u and %u is wrong or duplicated", name, n, i, j);
        }
        expected[i * POINTS + j] = 0;
    }
    return true;
}

static bool checkGrid(const Grid *grid) {
    uint8_t *expected = malloc((size_t)POINTS * POINTS);
    if (!expected) {
        return sayError("no memory");
    }
    bool done = check("by cell", expected, expect(grid, sameCell, expected), grid->same.mapped);
    done = done && check("by distance", expected, expect(grid, near, expected), grid->close.mapped);
    free(expected);
    return done;
}

int main(int argc, char **argv) {
    sayProgram("murgrid");
    const GpuOptions options = {.application = "murgrid",
                                .device = -1,
                                .optional = MUR_FEATURE_INT64_ATOMICS,
                                .validation = argc == 2 && strcmp(argv[1], "--validation") == 0};
    Grid grid = {0};
    bool done = argc == 1 || options.validation ||
                sayError("argument is %s, expected --validation", argv[1]);
    done = done && gpuOpen(&grid.gpu, &options) && openGrid(&grid) && runGrid(&grid) &&
           checkGrid(&grid);
    done = done && (grid.gpu.messages == 0 || sayError("the validation layers reported messages"));
    closeGrid(&grid);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
