/* The growth recipe of shaders/languages.md, translated by naga: moves the entries of one table to
 * a larger one.
 *   grow_run FILE
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <murmuration/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 20000, SEED = 7 };

static const char *path;

static uint32_t key_of(uint32_t i) {
    return i == KEYS ? mur_key(MUR_EMPTY, SEED)
                     : i * 2654435761u; /* the last key is in a slot of the header */
}

static MurHostTable make_image(Gpu *gpu, uint32_t capacity, GpuBuffer *image, GpuBuffer *ref) {
    const MurTableCreateInfo info = {
        .capacity = capacity, .atomicWidth = MUR_ATOMIC_WIDTH_32, .seed = SEED};
    MurHostTable table;
    uint64_t size;
    gpu_require(murHostGetImageSize(&info, &size));
    *image = gpu_buffer(gpu, size);
    *ref = gpu_buffer(gpu, sizeof table.ref);
    gpu_require(murHostCreate(&info, image->mapped, size, &table));
    memcpy(ref->mapped, &table.ref, sizeof table.ref);
    return table;
}

static GpuKernel read_kernel(Gpu *gpu) {
    static uint32_t code[1 << 18];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(code, 1, sizeof code, file);
    assert_true(fclose(file) == 0 && size > 0 && size < sizeof code);
    return gpu_kernel(gpu, code, size, 0, 4);
}

GPU_TEST(growth_recipe_moves_all_entries) {
    GpuBuffer buffers[4]; /* indexed by binding */
    const MurHostTable to = make_image(gpu, 50000, &buffers[0], &buffers[1]);
    const MurHostTable from = make_image(gpu, 25000, &buffers[2], &buffers[3]);
    for (uint32_t i = 0; i <= KEYS; ++i) {
        assert_int_equal(murHostInsert(&from, MUR_MODE_INSERT, key_of(i), i).status, MUR_INSERTED);
    }
    for (uint32_t i = 0; i < KEYS; i += 3) {
        assert_int_equal(murHostErase(&from, key_of(i)).status, MUR_ERASED);
    }
    GpuKernel kernel = read_kernel(gpu);
    for (uint32_t i = 0; i < 4; ++i) {
        gpu_bind(gpu, &kernel, i,
                 (MurBufferRange){.buffer = buffers[i].buffer, .size = buffers[i].size});
    }
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_dispatch(gpu, &kernel, NULL, 37);
    gpu_submit(gpu);
    for (uint32_t i = 0; i <= KEYS; ++i) {
        const bool there = i % 3 != 0 || i == KEYS;
        const MurHostResult found = murHostFind(&to, key_of(i));
        assert_int_equal(found.status, there ? MUR_FOUND : MUR_ABSENT);
        assert_true(!there || found.value == i);
    }
    MurStats stats;
    murHostStats(&to, &stats);
    assert_int_equal(stats.live, KEYS + 1 - (KEYS + 2) / 3);
    assert_int_equal(stats.erased, 0);
    for (uint32_t i = 0; i < 4; ++i) {
        gpu_free(gpu, &buffers[i]);
    }
}

int main(int argc, char **argv) {
    path = argc == 2 ? argv[1] : NULL;
    return path ? cases_run() : EXIT_FAILURE;
}
