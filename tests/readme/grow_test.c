/* The growth recipe of shaders/languages.md, translated by naga: moves the entries of one table to
 * a larger one.
 * SPDX-License-Identifier: MIT */
#include "manual.h"

#include "languages/instead.h"

#include <murmuration/host.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 20000, SEED = 7 };

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

GPU_TEST_IF(growth_recipe_moves_all_entries, getenv("MUR_TEST_SHADERS")) {
    GpuBuffer buffers[4]; /* indexed by binding */
    const MurHostTable to = make_image(gpu, 50000, &buffers[0], &buffers[1]);
    const MurHostTable from = make_image(gpu, 25000, &buffers[2], &buffers[3]);
    for (uint32_t i = 0; i <= KEYS; ++i) {
        assert_int_equal(murHostInsert(&from, MUR_MODE_INSERT, key_of(i), i).status, MUR_INSERTED);
    }
    for (uint32_t i = 0; i < KEYS; i += 3) {
        assert_int_equal(murHostErase(&from, key_of(i)).status, MUR_ERASED);
    }
    size_t size;
    const uint32_t *code = shader_instead("manual_grow", NULL, &size);
    assert_non_null(code);
    ManualRun run = {.groups = 37};
    for (uint32_t i = 0; i < 4; ++i) {
        run.bound[i] = manual_range(&buffers[i]);
    }
    manual_run(gpu, code, size, &run);
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
