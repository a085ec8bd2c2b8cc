/* Tables as inserts and erasures leave them, at every load up to the last slot, against the model.
 *
 * SPDX-License-Identifier: MIT */
#include "lookup.h"

#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEED = 0x5EED };

typedef struct TableCase {
    const char *name;
    uint32_t capacity;
    uint32_t count;      /* keys inserted; 0: as many as there are slots */
    uint32_t homes;      /* home slots that they have, the last ones; 0: any */
    uint64_t probeLimit; /* of the table */
    uint32_t sectors;    /* that lookups probe, at most; 0: the table's limit */
    MurReservedValue reserved;
    bool erase; /* every seventh */
} TableCase;

/* A table, what is in it, and the model with the same slots. */
typedef struct Scene {
    Gpu *gpu;
    const TableCase *test;
    MurTable table;
    MurTableRef ref;
    uint32_t count;
    uint32_t *keys, *values;
    Oracle oracle;
} Scene;

static void make_keys(Scene *scene) {
    const TableCase *test = scene->test;
    const uint64_t width = ((uint64_t)1 << 32) / test->capacity; /* hashes a home */
    for (uint32_t i = 0; i < scene->count; ++i) {
        const uint64_t homes = test->homes;
        const uint32_t hash = homes ? (uint32_t)(((uint64_t)1 << 32) - homes * width +
                                                 (i * 2654435761ull) % (homes * width - 1))
                                    : mur_hash(i, 4711);
        scene->keys[i] = mur_key(hash, SEED);
        scene->values[i] = 1 + i;
    }
    scene->keys[scene->count / 2] = mur_key(MUR_EMPTY, SEED); /* the extra slot's */
}

/* The model takes the table's slots: which key lives where is for the inserts' own tests. */
static void adopt(Scene *scene) {
    const MurBufferRange memory = murGetTableMemory(scene->table);
    GpuBuffer copy = gpu_buffer(scene->gpu, memory.size);
    const VkBufferCopy region = {memory.offset, 0, memory.size};
    gpu_begin(scene->gpu);
    vkCmdCopyBuffer(scene->gpu->cmd, memory.buffer, copy.buffer, 1, &region);
    gpu_submit(scene->gpu);
    oracle_open(&scene->oracle, &(OracleConfig){.capacity = scene->ref.capacity,
                                                .slotCount = scene->ref.slotCount,
                                                .seed = SEED,
                                                .probeLimit = scene->test->probeLimit,
                                                .zero = scene->test->reserved != 0});
    assert_int_equal(scene->oracle.probeSectors, scene->ref.probeSectors);
    oracle_adopt(&scene->oracle, copy.mapped);
    gpu_free(scene->gpu, &copy);
    if (scene->test->sectors != 0) {
        scene->ref.probeSectors = scene->oracle.probeSectors = scene->test->sectors;
    }
}

static void scene_open(Scene *scene, Gpu *gpu, const TableCase *test) {
    const MurTableCreateInfo info = {.capacity = test->capacity,
                                     .seed = SEED,
                                     .reservedValue = test->reserved,
                                     .probeLimit = test->probeLimit};
    *scene = (Scene){.gpu = gpu, .test = test, .table = gpu_table(gpu, &info)};
    scene->ref = murGetTableRef(scene->table);
    scene->count = test->count ? test->count : scene->ref.slotCount + 1; /* and the extra slot */
    scene->keys = malloc(scene->count * sizeof *scene->keys);
    scene->values = malloc(scene->count * sizeof *scene->values);
    assert_true(scene->keys && scene->values);
    make_keys(scene);
    gpu_require(murBlockingInsert(gpu->blocking, scene->table, MUR_INSERT_ASSIGN, scene->count,
                                  scene->keys, scene->values, NULL, NULL));
    for (uint32_t i = 0; test->erase && i < scene->count; i += 7) {
        gpu_require(
            murBlockingErase(gpu->blocking, scene->table, 1, &scene->keys[i], NULL, NULL, NULL));
    }
    adopt(scene);
}

static void scene_close(Scene *scene) {
    oracle_close(&scene->oracle);
    murDestroyTable(scene->table);
    free(scene->keys);
    free(scene->values);
}

/* Present, erased and absent keys, and a few that nobody wants. */
static void ask(const Scene *scene, Query *queries, uint32_t count, Random *random) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t pick = random_below(random, scene->count);
        const uint32_t hash = mur_hash(scene->keys[pick], SEED);
        const uint32_t key = random_below(random, 3) ? scene->keys[pick]
                                                     : mur_key(hash ^ (1 + pick % 3), SEED);
        queries[i] = (Query){key, random_below(random, 16) != 0};
    }
}

static void check_case(Lookup *lookup, const TableCase *test) {
    Random random = {test->capacity + test->count};
    Scene scene;
    scene_open(&scene, lookup->gpu, test);
    for (uint32_t v = 0; v < VARIANT_COUNT; ++v) {
        const uint32_t count = 900 + random_below(&random, 200);
        ask(&scene, lookup_queries(lookup), count, &random);
        lookup_run(lookup, v, murGetTableMemory(scene.table), scene.ref, count, test->name);
        for (uint32_t i = 0; i < count; ++i) {
            const OracleResult expected = oracle_find(&scene.oracle, lookup_queries(lookup)[i].key);
            lookup_expect(lookup, v, scene.ref, i, expected.slot, expected.value, test->name);
        }
    }
    scene_close(&scene);
}

static void check_cases(Gpu *gpu, const TableCase *cases, size_t count) {
    Lookup lookup;
    lookup_open(&lookup, gpu);
    for (size_t i = 0; i < count; ++i) {
        check_case(&lookup, &cases[i]);
    }
    lookup_close(&lookup);
}
#define CHECK_CASES(gpu, cases) check_cases(gpu, cases, sizeof(cases) / sizeof(cases)[0])

static void loads_up_to_the_last_slot(void **state) {
    static const TableCase cases[] = {
        {"load 0.5", 4000, 2000, 0, 0, 0, MUR_RESERVED_VALUE_MAX, false},
        {"load 0.7", 4000, 2800, 0, 0, 0, MUR_RESERVED_VALUE_ZERO, true},
        {"load 0.8", 4001, 3200, 0, 0, 0, MUR_RESERVED_VALUE_MAX, true},
        {"load 0.9", 4002, 3600, 0, 0, 0, MUR_RESERVED_VALUE_ZERO, false},
        {"load 0.95", 4003, 3802, 0, 0, 0, MUR_RESERVED_VALUE_MAX, true},
        {"load 0.99", 4000, 3960, 0, 4000, 0, MUR_RESERVED_VALUE_MAX, false},
        {"load 1", 4000, 4000, 0, 4000, 0, MUR_RESERVED_VALUE_ZERO, true},
    };
    CHECK_CASES(*state, cases);
}

static void exactly_full(void **state) {
    static const TableCase cases[] = {
        {"one key a slot", 1000, 0, 0, UINT64_MAX, 0, MUR_RESERVED_VALUE_MAX, false},
        {"few slots", 3, 0, 0, UINT64_MAX, 0, MUR_RESERVED_VALUE_MAX, false},
        {"some erased", 500, 0, 0, UINT64_MAX, 0, MUR_RESERVED_VALUE_ZERO, true},
    };
    CHECK_CASES(*state, cases);
}

static void clusters_that_wrap(void **state) {
    static const TableCase cases[] = {
        {"last slot", 900, 400, 1, 1000, 0, MUR_RESERVED_VALUE_MAX, true},
        {"last slots", 901, 500, 6, 1000, 0, MUR_RESERVED_VALUE_ZERO, false},
        {"all the way round", 300, 0, 3, UINT64_MAX, 0, MUR_RESERVED_VALUE_MAX, true},
    };
    CHECK_CASES(*state, cases);
}

/* Lookups that probe less far than the inserts did: to the sector. No table is quite full: a key that
 * has gone all the way round may end in its home sector, before its home slot, where a lookup sees it
 * at once and the model only in the end. */
static void short_probe_limits(void **state) {
    for (uint32_t sectors = 1; sectors < 40; sectors += sectors < 12 ? 1 : 5) {
        char name[64];
        snprintf(name, sizeof name, "%u sectors", sectors);
        const TableCase test = {name, 800, 300, 2, 800, sectors, MUR_RESERVED_VALUE_MAX, true};
        const TableCase full = {name, 400, 390, 0, UINT64_MAX, sectors, MUR_RESERVED_VALUE_MAX,
                                false};
        CHECK_CASES(*state, ((const TableCase[]){test, full}));
    }
}

static void an_empty_table(void **state) {
    static const TableCase cases[] = {
        {"one key", 4000, 1, 0, 0, 0, MUR_RESERVED_VALUE_MAX, true},
    };
    CHECK_CASES(*state, cases);
}

int run_table_tests(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(loads_up_to_the_last_slot), gpu_test(exactly_full),   gpu_test(clusters_that_wrap),
        gpu_test(short_probe_limits),        gpu_test(an_empty_table),
    };
    return cmocka_run_group_tests_name("cooperative: tables", tests, gpu_group_setup,
                                       gpu_group_teardown);
}
