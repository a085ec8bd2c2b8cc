/* Bulk commands on every format: tables of every awkward size, arguments that are refused.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include <stdlib.h>
#include <string.h>

/* ---- Capacity ------------------------------------------------------------------------------- */

/* As many keys as fit, one more, all erased, others again. Capacity keys fit whatever they hash to:
 * here all but a few have the same home. */
static void fill(Gpu *gpu, const TableKind *kind, uint32_t capacity, bool alike) {
    Pair pair;
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = capacity, .seed = 5, .probeLimit = UINT32_MAX});
    const uint32_t slots = pair.oracle.config.slotCount;
    const uint32_t count = 2 * slots;
    Bulk bulk = bulk_open(kind->format, count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t hash = MUR_IS_64(kind->format) ? 0xABCDull << 48 | i : 0xFFFFFFF0 - i;
        bulk_set(&bulk, i, alike ? oracle_key(kind->format, hash, 5) : 7 * i, i + 1);
    }
    gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_KEEP, capacity, bulk.keys,
                                  bulk_values(&bulk), bulk.statuses, NULL));
    for (uint32_t i = 0; i < capacity; ++i) {
        assert_int_equal(bulk.statuses[i], MUR_INSERTED);
    }
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &bulk);
    uint32_t statuses[8] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        ++statuses[bulk.statuses[i] % 8];
    }
    assert_int_equal(statuses[MUR_EXISTED], capacity);
    assert_int_equal(statuses[MUR_INSERTED], slots - capacity);
    assert_int_equal(statuses[MUR_FULL], slots);
    pair_adopt(&pair);
    assert_int_equal(pair.oracle.full, slots);
    pair_require_same(gpu, &pair);
    pair_erase(gpu, &pair, &bulk);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t status = oracle_erase(&pair.oracle, bulk_key(&bulk, i)).status;
        assert_int_equal(bulk.statuses[i], status);
    }
    pair_require_same(gpu, &pair);
    /* All tombstones: in a set nothing fits any more, elsewhere the same keys do. */
    gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_KEEP, capacity, bulk.keys,
                                  bulk_values(&bulk), bulk.statuses, NULL));
    for (uint32_t i = 0; i < capacity; ++i) {
        assert_int_equal(bulk.statuses[i], oracle_is_set(kind->format) ? MUR_FULL : MUR_INSERTED);
    }
    gpu_require(murBlockingClear(gpu->blocking, pair.table));
    oracle_clear(&pair.oracle);
    pair_require_same(gpu, &pair);
    bulk_close(&bulk);
    pair_close(gpu, &pair);
}

static void capacities(Gpu *gpu, const TableKind *kind) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        fill(gpu, kind, sizes[i], i % 2 != 0);
    }
}

static void probe_limits(Gpu *gpu, const TableKind *kind) {
    /* Keys of one home slot: those within the limit fit, and no more. */
    for (uint32_t limit = 1; limit < 40; limit += 3) {
        Pair pair;
        pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 200, .probeLimit = limit});
        Bulk bulk = bulk_open(kind->format, 60);
        uint64_t fit = 0;
        for (uint32_t i = 0; i < bulk.count; ++i) {
            const uint64_t hash = MUR_IS_64(kind->format) ? 0x70000000ull << 32 | i
                                                          : 0x70000000 + i;
            bulk_set(&bulk, i, oracle_key(kind->format, hash, 0), 1);
            fit += oracle_insert(&pair.oracle, MUR_MODE_KEEP, bulk_key(&bulk, i), 1).status ==
                   MUR_INSERTED;
        }
        pair_insert(gpu, &pair, MUR_MODE_KEEP, &bulk);
        pair_adopt(&pair);
        const MurStats stats = oracle_stats(&pair.oracle);
        assert_int_equal(stats.live, fit);
        assert_int_equal(stats.full, bulk.count - fit);
        assert_true(fit >= limit || fit == bulk.count);
        bulk_close(&bulk);
        pair_close(gpu, &pair);
    }
}

/* Items at the edges of workgroups, and the clear of tables whose stores do not fill them. */
static void counts(Gpu *gpu, const TableKind *kind) {
    static const uint32_t sizes[] = {0, 1, 255, 256, 257, 4000};
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 6000, .seed = 3});
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        Bulk bulk = bulk_open(kind->format, sizes[i]);
        for (uint32_t j = 0; j < bulk.count; ++j) {
            bulk_set(&bulk, j, (uint64_t)j * 0x100000001, j);
        }
        gpu_require(murBlockingClear(gpu->blocking, pair.table));
        pair_insert(gpu, &pair, MUR_MODE_ASSIGN, &bulk);
        pair_adopt(&pair);
        assert_int_equal(oracle_stats(&pair.oracle).live, bulk.count);
        pair_require_same(gpu, &pair);
        pair_find(gpu, &pair, &bulk);
        for (uint32_t j = 0; j < bulk.count; ++j) {
            assert_int_equal(bulk.statuses[j], MUR_FOUND);
            assert_true(oracle_is_set(kind->format) || bulk_value(&bulk, j) == j);
        }
        bulk_close(&bulk);
    }
    pair_close(gpu, &pair);
}

/* ---- Build, and arguments ------------------------------------------------------------------- */

static void build(Gpu *gpu, const TableKind *kind) {
    enum { COUNT = 1000 };
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = COUNT});
    GpuBuffer arrays = gpu_buffer(gpu, 16 * COUNT);
    Bulk bulk = bulk_open(kind->format, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        bulk_set(&bulk, i, 3 * i, i + 1);
    }
    memcpy(arrays.mapped, bulk.keys, 8 * COUNT);
    memcpy((char *)arrays.mapped + 8 * COUNT, bulk.values, 8 * COUNT);
    const MurBatch batch = {
        .maxCount = COUNT,
        .keys = {arrays.address, 8 * COUNT},
        .values = {bulk_values(&bulk) ? arrays.address + 8 * COUNT : 0, 8 * COUNT},
    };
    for (uint32_t i = 0; i < 2; ++i) { /* the second time it replaces the first */
        VkCommandBuffer cmd = gpu_begin(gpu);
        gpu_require(murCmdBuild(cmd, pair.table, MUR_MODE_ASSIGN, &batch));
        gpu_barrier(gpu);
        gpu_submit(gpu);
        pair_adopt(&pair);
        assert_int_equal(oracle_stats(&pair.oracle).live, COUNT);
        assert_int_equal(oracle_find(&pair.oracle, 3 * (COUNT - 1)).status, MUR_FOUND);
    }
    bulk_close(&bulk);
    gpu_free(gpu, &arrays);
    pair_close(gpu, &pair);
}

static void refused_arguments(Gpu *gpu, const TableKind *kind) {
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 10});
    GpuBuffer arrays = gpu_buffer(gpu, 1024);
    const bool set = kind_is_set(kind);
    const uint32_t keySize = 4 * kind_key_words(kind);
    const uint32_t valueSize = kind->format == MUR_FORMAT_K64V64 ? 8 : 4;
    const MurBatch good = {
        .maxCount = 8,
        .keys = {arrays.address, 8 * keySize},
        .values = {set ? 0 : arrays.address + 512, 8 * valueSize},
        .statuses = {arrays.address + 768, 32},
    };
    VkCommandBuffer cmd = gpu_begin(gpu);
    gpu_require(murCmdInsert(cmd, pair.table, MUR_MODE_ASSIGN, &good));
    MurBatch bad = good;
    bad.keys.size -= 1;
    assert_int_equal(murCmdFind(cmd, pair.table, &bad), MUR_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.keys.address += keySize / 2;
    assert_int_equal(murCmdErase(cmd, pair.table, &bad), MUR_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.values = (MurArray){arrays.address + 512, 8 * valueSize - 1};
    assert_int_equal(murCmdInsert(cmd, pair.table, MUR_MODE_ASSIGN, &bad),
                     MUR_ERROR_INVALID_ARGUMENT); /* too short; of a set: there at all */
    bad.values = (MurArray){arrays.address + 512 + valueSize / 2, 8 * valueSize};
    assert_int_equal(murCmdFind(cmd, pair.table, &bad), MUR_ERROR_INVALID_ARGUMENT);
    bad.values = (MurArray){0, 0};
    assert_int_equal(murCmdInsert(cmd, pair.table, MUR_MODE_ASSIGN, &bad),
                     set ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    for (MurInsertMode mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
        assert_int_equal(murCmdInsert(cmd, pair.table, mode, &good),
                         kind_offers(kind, mode) ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    }
    const MurExtract extract = {.countAddress = arrays.address,
                                .predicates = {{.compare = MUR_COMPARE_EQUAL}}};
    assert_int_equal(murCmdExtract(cmd, pair.table, &extract),
                     set ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
    const MurExtract high = {
        .countAddress = arrays.address,
        .predicates = {{0}, {.word = MUR_PREDICATE_KEY_HIGH, .compare = MUR_COMPARE_EQUAL}}};
    assert_int_equal(murCmdExtract(cmd, pair.table, &high),
                     keySize == 4 ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
    vkEndCommandBuffer(cmd);
    gpu_free(gpu, &arrays);
    pair_close(gpu, &pair);
}

/* ---- Few keys, each many times: as if they came one after another --------------------------- */

enum { ONE_WORKGROUP = 200, MANY = 5000 };

typedef struct Join {
    const TableKind *kind;
    MurInsertMode mode;
    uint32_t count;
    Bulk bulk;
} Join;

static uint64_t value_of(const Join *join, uint32_t item) {
    const uint64_t low = mur_hash(item, 3) | 1;
    return join->kind->format == MUR_FORMAT_K64V64 ? low | (uint64_t)mur_hash(item, 4) % 9 << 32
                                                   : low & 0x7FFFFFFF;
}

static uint32_t key_of(uint32_t item) {
    return item * 7 % HARD_KEYS;
}

static void require_answers(const Join *join) {
    uint32_t inserted[HARD_KEYS] = {0};
    for (uint32_t i = 0; i < join->count; ++i) {
        assert_true(join->bulk.statuses[i] == MUR_INSERTED ||
                    join->bulk.statuses[i] == MUR_EXISTED);
        assert_int_equal(join->bulk.slots[i], join->bulk.slots[i % HARD_KEYS]);
        inserted[key_of(i)] += join->bulk.statuses[i] == MUR_INSERTED;
    }
    for (uint32_t k = 0; k < HARD_KEYS; ++k) {
        assert_int_equal(inserted[k], 1);
    }
}

static void require_values(const Join *join, const Oracle *oracle) {
    for (uint32_t k = 0; k < HARD_KEYS; ++k) {
        uint64_t expected = oracle->none;
        bool given = false;
        const uint64_t key = hard_key(join->kind->format, 9, k);
        const OracleResult found = oracle_find(oracle, key);
        for (uint32_t i = 0; i < join->count; ++i) {
            if (key_of(i) == k) {
                expected = oracle_combine(oracle, join->mode, expected, value_of(join, i));
                given = given || value_of(join, i) == found.value;
                /* Who came first did not come last. */
                assert_true(join->mode != MUR_MODE_ASSIGN || found.value != value_of(join, i) ||
                            join->bulk.statuses[i] == MUR_EXISTED);
            }
        }
        const bool joins = join->mode > MUR_MODE_KEEP;
        if (found.status != MUR_FOUND || (joins ? found.value != expected : !given)) {
            fail_msg("%s, mode %u, key %u: 0x%llx", join->kind->name, join->mode, k,
                     (unsigned long long)found.value);
        }
    }
}

static void join_mode(Gpu *gpu, const TableKind *kind, MurInsertMode mode, uint32_t count) {
    Join join = {kind, mode, count, bulk_open(kind->format, count)};
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = HARD_KEYS, .seed = 9});
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&join.bulk, i, hard_key(kind->format, 9, key_of(i)), value_of(&join, i));
    }
    pair_insert(gpu, &pair, mode, &join.bulk);
    pair_adopt(&pair);
    require_answers(&join);
    if (!oracle_is_set(kind->format)) {
        require_values(&join, &pair.oracle);
    }
    bulk_close(&join.bulk);
    pair_close(gpu, &pair);
}

static void join_all_modes(Gpu *gpu, const TableKind *kind) {
    for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
        if (kind_offers(kind, mode)) {
            join_mode(gpu, kind, mode, ONE_WORKGROUP);
            join_mode(gpu, kind, mode, MANY);
        }
    }
}

static void items_of_a_key_are_joined(void **state) {
    for_each_kind(state, join_all_modes);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void tables_of_every_size_fill_up(void **state) {
    for_each_layout(state, capacities);
}

static void probes_end_at_their_limit(void **state) {
    for_each_layout(state, probe_limits);
}

static void items_at_the_edges_of_workgroups(void **state) {
    for_each_layout(state, counts);
}

static void build_replaces_the_content(void **state) {
    for_each_layout(state, build);
}

static void arguments_are_refused(void **state) {
    for_each_kind(state, refused_arguments);
}

static void require_creation(Gpu *gpu, uint32_t format, uint32_t width, VkResult expected) {
    const MurTableCreateInfo info = {
        .capacity = 10, .format = format, .atomicWidth = (MurAtomicWidth)width};
    MurTableRequirements needs;
    const VkResult result = murGetTableRequirements(gpu->context, &info, &needs);
    if (result != expected) {
        fail_msg("format %u with width %u: %s", format, width, murResultName(result));
    }
    MurTable table = VK_NULL_HANDLE;
    assert_int_equal(murCreateTable(gpu->context, &info, &table), expected);
    if (expected == VK_SUCCESS) {
        const uint32_t flags = murGetTableRef(table).flags;
        const bool wide = width == 64 || (width == 0 && format != MUR_FORMAT_K32);
        assert_int_equal(flags, format << MUR_TABLE_FORMAT_SHIFT | (wide ? MUR_TABLE_INT64 : 0));
    }
    murDestroyTable(table);
}

static void formats_take_their_widths(void **state) {
    /* By format: with the default, with 32 and with 64. */
    static const bool takes[MUR_FORMAT_COUNT][3] = {{true, true, true},
                                                    {true, true, true},
                                                    {true, true, false},
                                                    {true, false, true},
                                                    {true, false, true}};
    for (uint32_t format = 0; format < MUR_FORMAT_COUNT; ++format) {
        for (uint32_t i = 0; i < 3; ++i) {
            require_creation(*state, format, 32 * i,
                             takes[format][i] ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
        }
    }
    require_creation(*state, MUR_FORMAT_COUNT, 0, MUR_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(tables_of_every_size_fill_up),
        gpu_test(probes_end_at_their_limit),
        gpu_test(items_at_the_edges_of_workgroups),
        gpu_test(build_replaces_the_content),
        gpu_test(arguments_are_refused),
        gpu_test(formats_take_their_widths),
        gpu_test(items_of_a_key_are_joined),
    };
    return cmocka_run_group_tests_name("format bulk", tests, gpu_group_setup, gpu_group_teardown);
}
