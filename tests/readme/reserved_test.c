/* The eviction passes with reserved slots of include/caches.md, unchanged: in GLSL and HLSL, and in
 * WGSL if there is a translation (wgsl.sh). A model on the host evicts the same entries.
 * SPDX-License-Identifier: MIT */
#include "manual.h"

#include "languages/instead.h"

#include <murmuration/buckets.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 560, SLOTS = 512, LEVELS = 32, SEED = 5, MAX_AGE = 16 };

typedef struct Cell {
    uint32_t samples, age;
} Cell;

typedef struct Recipe {
    MurTable table;
    MurTableRef ref;
    GpuBuffer cells, levels, push;
    uint64_t keys[KEYS];
    uint32_t statuses[KEYS], slots[KEYS];
    uint32_t ages[SLOTS + 2], levelOf[SLOTS + 2]; /* ages: 0: no entry; 1: used in this frame */
} Recipe;

static void open_recipe(Gpu *gpu, Recipe *recipe) {
    memset(recipe, 0, sizeof *recipe);
    recipe->table = GPU_TABLE(gpu, .capacity = SLOTS, .seed = SEED, .type = murTypeBucketsK64(),
                              .atomicWidth = MUR_ATOMIC_WIDTH_32);
    recipe->ref = murGetTableRef(recipe->table);
    assert_int_equal(recipe->ref.slotCount, SLOTS);
    recipe->cells = gpu_buffer(gpu, sizeof(Cell[SLOTS + 2]));
    recipe->levels = gpu_buffer(gpu, 4 * LEVELS);
    recipe->push = gpu_buffer(gpu, sizeof(MurTableRef) + 16);
    memset(recipe->levels.mapped, 0, 4 * LEVELS);
    memset(recipe->cells.mapped, 0, sizeof(Cell[SLOTS + 2]));
    for (uint32_t i = 0; i < KEYS; ++i) { /* the first key is in a sentinel slot */
        recipe->keys[i] = i ? (uint64_t)(i % 5) << 54 | i : mur_key64(UINT64_MAX, SEED);
    }
    gpu_require(murBlockingInsert(gpu->blocking, recipe->table, MUR_MODE_INSERT, KEYS, recipe->keys,
                                  NULL, recipe->statuses, recipe->slots));
    Cell *cells = recipe->cells.mapped;
    for (uint32_t i = 0; i < KEYS; ++i) { /* ages repeat within buckets; some buckets are in use */
        const uint32_t slot = recipe->slots[i];
        if (recipe->statuses[i] == MUR_INSERTED) {
            const uint32_t hash = mur_hash(i, 1);
            const bool used = slot / 16 % 8 == 3 || hash % 4 == 0;
            cells[slot] = (Cell){used ? 2 : 0, i ? hash / 4 % (MAX_AGE + 1) : MAX_AGE - 1};
            recipe->ages[slot] = used ? 1 : cells[slot].age + 2;
            recipe->levelOf[slot] = (uint32_t)(recipe->keys[i] >> 54) % 32;
        }
    }
}

/* The model: evicts entries that are too old, then the oldest entries of each bucket until it has
 * enough free slots. */
static void model(Recipe *recipe, uint32_t reserved) {
    for (uint32_t slot = 0; slot < SLOTS + 2; ++slot) {
        recipe->ages[slot] *= recipe->ages[slot] <= MAX_AGE + 1;
    }
    for (uint32_t first = 0; first < SLOTS; first += 16) {
        for (bool more = true; more;) {
            uint32_t live = 0, oldest = first;
            for (uint32_t slot = first; slot < first + 16; ++slot) {
                live += recipe->ages[slot] != 0;
                oldest = recipe->ages[slot] > recipe->ages[oldest] ? slot : oldest;
            }
            more = live > 16 - reserved && recipe->ages[oldest] > 1;
            recipe->ages[oldest] *= !more;
        }
    }
}

static void check_recipe(Gpu *gpu, Recipe *recipe, uint32_t reserved) {
    const uint32_t *levels = recipe->levels.mapped;
    const Cell *cells = recipe->cells.mapped;
    uint32_t live[LEVELS] = {0}, statuses[KEYS];
    model(recipe, reserved);
    for (uint32_t slot = 0; slot < SLOTS + 2; ++slot) {
        live[recipe->levelOf[slot]] += recipe->ages[slot] != 0;
        assert_int_equal(cells[slot].samples, 0);
        assert_int_equal(cells[slot].age, recipe->ages[slot] ? recipe->ages[slot] - 1 : 0);
    }
    assert_memory_equal(levels, live, sizeof live);
    gpu_require(
        murBlockingFind(gpu->blocking, recipe->table, KEYS, recipe->keys, NULL, statuses, NULL));
    for (uint32_t i = 0; i < KEYS; ++i) {
        const bool lives = recipe->statuses[i] == MUR_INSERTED && recipe->ages[recipe->slots[i]];
        assert_int_equal(statuses[i], lives ? MUR_FOUND : MUR_ABSENT);
    }
    murDestroyTable(recipe->table);
    gpu_free(gpu, &recipe->cells);
    gpu_free(gpu, &recipe->levels);
    gpu_free(gpu, &recipe->push);
}

GPU_TEST(reserved_slots_recipes_evict_the_oldest) {
    size_t size;
    const uint32_t *code = shader_instead("manual_reserved", NULL, &size);
    assert_true(code || !getenv("MUR_TEST_SHADERS"));
    for (uint32_t i = 0; i < (code ? 3 : 2) * 4; ++i) {
        static const uint32_t all[] = {0, 1, 3, 8};
        Recipe recipe;
        open_recipe(gpu, &recipe);
        const struct {
            MurTableRef cache;
            uint32_t reserved, pad[3];
        } push = {recipe.ref, all[i % 4], {0}};
        memcpy(recipe.push.mapped, &push, sizeof push);
        const MurBufferRange table = murGetTableMemory(recipe.table);
        const MurBufferRange cells = manual_range(&recipe.cells);
        const MurBufferRange levels = manual_range(&recipe.levels);
#define RUN_PASS .groups = SLOTS / 64 + 1, .push = &push, .pushSize = sizeof push.cache + 4
        if (i / 4 == 0) {
            MANUAL_RUN(gpu, manual_caches_3, .bound = {cells, levels}, RUN_PASS);
        } else if (i / 4 == 1) {
            MANUAL_RUN(gpu, manual_caches_4, .bound = {table, cells, levels}, RUN_PASS);
        } else {
            const ManualRun run = {.bound = {table, manual_range(&recipe.push), cells, levels},
                                   .groups = SLOTS / 64 + 1};
            manual_run(gpu, code, size, &run);
        }
        check_recipe(gpu, &recipe, push.reserved);
    }
}
