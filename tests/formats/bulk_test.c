/* Bulk commands on every format: batches against the model, tables of every awkward size, arguments
 * that are refused.
 *
 * SPDX-License-Identifier: MIT */
#include "formats.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

/* ---- Batches -------------------------------------------------------------------------------- */

static uint64_t random_key(Random *random, const Model *model) {
    const ModelConfig *c = &model->config;
    if (random_below(random, 4) == 0) {
        return hard_key(c->format, c->seed, random_below(random, HARD_KEYS));
    }
    return random_below(random, c->capacity / 4);
}

static uint64_t random_value(Random *random, const Model *model) {
    const uint64_t value = random_below(random, 8) == 0 ? model->none
                                                        : 1 + random_below(random, 99);
    return model->config.format == MUR_FORMAT_K64V64 && value != model->none ? value << 30 : value;
}

/* What a batch that ran in some order may have reported: per key, as if some one order had been.
 * Every insert of a batch has the same value for a key, so the order does not show in the value. */
static void check_insert(const Bulk *bulk, Model *before, uint32_t mode, const Model *after) {
    for (uint32_t i = 0; i < bulk->count; ++i) {
        const uint64_t key = bulk_key(bulk, i);
        ModelResult expected = model_insert(before, mode, key, bulk_value(bulk, i));
        uint32_t status = bulk->statuses[i];
        /* Of several of one key any may be the one. */
        for (uint32_t j = 0; j < bulk->count && expected.status != status; ++j) {
            if (j != i && bulk_key(bulk, j) == key && bulk->statuses[j] == expected.status) {
                status = expected.status;
            }
        }
        const ModelResult found = model_find(after, key);
        const uint64_t value = model_find(before, key).value;
        const bool stays = expected.status == MUR_INSERTED || expected.status == MUR_EXISTED;
        const uint32_t slot = stays ? found.slot : MUR_NO_SLOT;
        if (status != expected.status || bulk->slots[i] != slot || found.value != value) {
            fail_msg("item %u, key 0x%llx: status %u, slot 0x%x, value 0x%llx; not %u, 0x%x, "
                     "0x%llx",
                     i, (unsigned long long)key, bulk->statuses[i], bulk->slots[i],
                     (unsigned long long)found.value, expected.status, slot,
                     (unsigned long long)value);
        }
    }
}

static void insert_batch(Gpu *gpu, Pair *pair, Bulk *bulk, Random *random) {
    static const uint32_t modes[2][4] = {
        {MUR_MODE_ASSIGN, MUR_MODE_KEEP, MUR_MODE_MIN, MUR_MODE_UPDATE},
        {MUR_MODE_ASSIGN, MUR_MODE_MAX, MUR_MODE_OR, MUR_MODE_UPDATE}};
    const bool set = model_is_set(bulk->format);
    const uint32_t mode = modes[pair->model.config.zero][random_below(random, set ? 2 : 4)];
    for (uint32_t i = 0; i < bulk->count; ++i) {
        bulk_set(bulk, i, random_key(random, &pair->model), random_value(random, &pair->model));
        for (uint32_t j = 0; j < i; ++j) {
            if (bulk_key(bulk, j) == bulk_key(bulk, i)) {
                bulk_set(bulk, i, bulk_key(bulk, j), bulk_value(bulk, j));
            }
        }
    }
    gpu_require(murBlockingInsert(gpu->blocking, pair->table, (MurInsertMode)mode, bulk->count,
                                  bulk->keys, bulk_values(bulk), bulk->statuses, bulk->slots));
    Model before = pair->model;
    before.slot = malloc(before.slots * sizeof *before.slot);
    assert_non_null(before.slot);
    memcpy(before.slot, pair->model.slot, before.slots * sizeof *before.slot);
    pair_adopt(pair);
    check_insert(bulk, &before, mode, &pair->model);
    if (pair->model.refused != before.refused || pair->model.full != before.full) {
        fail_msg("failures counted: %llu refused and %llu full, not %llu and %llu",
                 (unsigned long long)pair->model.refused, (unsigned long long)pair->model.full,
                 (unsigned long long)before.refused, (unsigned long long)before.full);
    }
    free(before.slot);
}

static void find_batch(Gpu *gpu, Pair *pair, Bulk *bulk, Random *random) {
    for (uint32_t i = 0; i < bulk->count; ++i) {
        bulk_set(bulk, i, random_key(random, &pair->model), 12345);
    }
    gpu_require(murBlockingFind(gpu->blocking, pair->table, bulk->count, bulk->keys,
                                bulk_values(bulk), bulk->statuses, bulk->slots));
    for (uint32_t i = 0; i < bulk->count; ++i) {
        const ModelResult found = model_find(&pair->model, bulk_key(bulk, i));
        assert_int_equal(bulk->statuses[i], found.status);
        assert_int_equal(bulk->slots[i], found.slot);
        assert_true(model_is_set(bulk->format) || bulk_value(bulk, i) == found.value);
    }
}

/* Each key once: who of several erasers is told is for tests of concurrency. */
static void erase_batch(Gpu *gpu, Pair *pair, Bulk *bulk, Random *random) {
    const uint32_t first = random_below(random, 1000);
    for (uint32_t i = 0; i < bulk->count; ++i) {
        const ModelConfig *c = &pair->model.config;
        bulk_set(bulk, i,
                 i < HARD_KEYS / 2 ? hard_key(c->format, c->seed, 2 * i + first % 2)
                                   : 3 * i + first % 3,
                 12345);
    }
    gpu_require(murBlockingErase(gpu->blocking, pair->table, bulk->count, bulk->keys,
                                 bulk_values(bulk), bulk->statuses, bulk->slots));
    for (uint32_t i = 0; i < bulk->count; ++i) {
        const ModelResult erased = model_erase(&pair->model, bulk_key(bulk, i));
        assert_int_equal(bulk->statuses[i], erased.status);
        assert_int_equal(bulk->slots[i], erased.slot);
        assert_true(model_is_set(bulk->format) || bulk_value(bulk, i) == erased.value);
    }
}

static void extract_all(Gpu *gpu, const Pair *pair) {
    const MurStats stats = model_stats(&pair->model);
    const uint32_t room = pair->model.slots + 5;
    Bulk bulk = bulk_open(pair->model.config.format, room);
    uint32_t count = 0;
    gpu_require(murBlockingExtract(gpu->blocking, pair->table, 0, NULL, room, bulk.keys,
                                   bulk_values(&bulk), bulk.slots, &count));
    assert_int_equal(count, stats.live);
    bool *seen = calloc(pair->model.slots, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t key = 0, value;
        assert_true(model_entry(&pair->model, bulk.slots[i], &key, &value));
        assert_false(seen[bulk.slots[i]]);
        seen[bulk.slots[i]] = true;
        assert_true(bulk_key(&bulk, i) == key);
        assert_true(model_is_set(bulk.format) || bulk_value(&bulk, i) == value);
    }
    free(seen);
    bulk_close(&bulk);
}

static bool holds(const MurPredicate *predicate, uint64_t key, uint64_t value) {
    const uint32_t words[] = {(uint32_t)value, (uint32_t)key, (uint32_t)(key >> 32)};
    const uint32_t word = words[predicate->word] & (predicate->mask ? predicate->mask : UINT32_MAX);
    const bool results[] = {true, word == predicate->reference, word != predicate->reference,
                            word < predicate->reference, word >= predicate->reference};
    return results[predicate->compare];
}

static bool all_hold(const MurPredicate *predicates, uint64_t key, uint64_t value) {
    bool all = true;
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        all = all && holds(&predicates[i], key, value);
    }
    return all;
}

/* Some predicates hold always; the others are of entries that are there, so that some hold. */
static void random_predicates(Random *random, const Model *model, MurPredicate *predicates) {
    static const uint32_t masks[] = {0, 0x7F, 0xFFFF0000, 1, UINT32_MAX};
    const uint32_t format = model->config.format;
    const uint32_t first = model_is_set(format) ? MUR_PREDICATE_KEY_LOW : MUR_PREDICATE_VALUE;
    const uint32_t last = format == MUR_FORMAT_K32 ? MUR_PREDICATE_KEY_LOW : MUR_PREDICATE_KEY_HIGH;
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        uint64_t key = random_key(random, model), value = random_below(random, 100);
        for (uint32_t tries = 0; tries < 50; ++tries) {
            if (model_entry(model, random_below(random, model->slots), &key, &value)) {
                break;
            }
        }
        MurPredicate *predicate = &predicates[i];
        *predicate = (MurPredicate){.word = first + random_below(random, last - first + 1),
                                    .compare = random_below(random, 5),
                                    .mask = masks[random_below(random, 5)]};
        const uint32_t words[] = {(uint32_t)value, (uint32_t)key, (uint32_t)(key >> 32)};
        predicate->reference = words[predicate->word] &
                               (predicate->mask ? predicate->mask : UINT32_MAX);
    }
}

/* Returns how many entries there were. */
static uint32_t extract_some(Gpu *gpu, Pair *pair, bool erases, Random *random) {
    MurPredicate predicates[MUR_MAX_PREDICATES];
    random_predicates(random, &pair->model, predicates);
    const uint32_t given = 1 + random_below(random, MUR_MAX_PREDICATES);
    memset(predicates + given, 0, (MUR_MAX_PREDICATES - given) * sizeof *predicates);
    Bulk bulk = bulk_open(pair->model.config.format, pair->model.slots);
    uint32_t count = 0, expected = 0;
    gpu_require((erases ? murBlockingEraseWhere : murBlockingExtract)(
        gpu->blocking, pair->table, given, predicates, bulk.count, bulk.keys, bulk_values(&bulk),
        bulk.slots, &count));
    for (uint32_t s = 0; s < pair->model.slots; ++s) {
        uint64_t key, value;
        expected += model_entry(&pair->model, s, &key, &value) && all_hold(predicates, key, value);
    }
    assert_int_equal(count, expected);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t key, value;
        assert_true(model_entry(&pair->model, bulk.slots[i], &key, &value));
        assert_true(key == bulk_key(&bulk, i) && all_hold(predicates, key, value));
        assert_true(model_is_set(bulk.format) || bulk_value(&bulk, i) == value);
        if (erases) {
            assert_int_equal(model_erase(&pair->model, key).slot, bulk.slots[i]);
        }
    }
    bulk_close(&bulk);
    return count;
}

static void batches(Gpu *gpu, const FormatKind *kind) {
    uint32_t extracted = 0, erased = 0;
    for (uint32_t seed = 0; seed < 6; ++seed) {
        Random random = {test_seed(1000 * kind->format + seed)};
        Pair pair;
        pair_open(gpu, &pair, kind,
                  &(PairOptions){.capacity = 400u << seed, .seed = seed, .zero = seed % 2 != 0});
        Bulk bulk = bulk_open(kind->format, 30u << seed % 4);
        for (uint32_t round = 0; round < 4; ++round) {
            insert_batch(gpu, &pair, &bulk, &random);
            pair_require_same(gpu, &pair);
            find_batch(gpu, &pair, &bulk, &random);
            erase_batch(gpu, &pair, &bulk, &random);
            pair_require_same(gpu, &pair);
            extract_all(gpu, &pair);
            for (uint32_t i = 0; i < 8; ++i) {
                extracted += extract_some(gpu, &pair, false, &random);
            }
            erased += extract_some(gpu, &pair, true, &random);
            pair_require_same(gpu, &pair);
        }
        bulk_close(&bulk);
        pair_close(gpu, &pair);
    }
    assert_true(extracted > 100 && erased > 20); /* else predicates were not tested */
}

/* ---- Capacity ------------------------------------------------------------------------------- */

/* As many keys as fit, one more, all erased, others again. Capacity keys fit whatever they hash to:
 * here all but a few have the same home. */
static void fill(Gpu *gpu, const FormatKind *kind, uint32_t capacity, bool alike) {
    Pair pair;
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = capacity, .seed = 5, .probeLimit = UINT32_MAX});
    const uint32_t slots = pair.model.config.slotCount;
    const uint32_t count = 2 * slots;
    Bulk bulk = bulk_open(kind->format, count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t hash = kind->format == MUR_FORMAT_K32 ? 0xFFFFFFF0 - i : 0xABCDull << 48 | i;
        bulk_set(&bulk, i, alike ? model_key(kind->format, hash, 5) : 7 * i, i + 1);
    }
    gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_KEEP, capacity, bulk.keys,
                                  bulk_values(&bulk), bulk.statuses, NULL));
    for (uint32_t i = 0; i < capacity; ++i) {
        assert_int_equal(bulk.statuses[i], MUR_INSERTED);
    }
    gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_KEEP, count, bulk.keys,
                                  bulk_values(&bulk), bulk.statuses, NULL));
    uint32_t statuses[8] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        ++statuses[bulk.statuses[i] % 8];
    }
    assert_int_equal(statuses[MUR_EXISTED], capacity);
    assert_int_equal(statuses[MUR_INSERTED], slots - capacity);
    assert_int_equal(statuses[MUR_FULL], slots);
    pair_adopt(&pair);
    assert_int_equal(pair.model.full, slots);
    pair_require_same(gpu, &pair);
    gpu_require(
        murBlockingErase(gpu->blocking, pair.table, count, bulk.keys, NULL, bulk.statuses, NULL));
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t status = model_erase(&pair.model, bulk_key(&bulk, i)).status;
        assert_int_equal(bulk.statuses[i], status);
    }
    pair_require_same(gpu, &pair);
    /* All tombstones: in a set nothing fits any more, elsewhere the same keys do. */
    gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_KEEP, capacity, bulk.keys,
                                  bulk_values(&bulk), bulk.statuses, NULL));
    for (uint32_t i = 0; i < capacity; ++i) {
        assert_int_equal(bulk.statuses[i], model_is_set(kind->format) ? MUR_FULL : MUR_INSERTED);
    }
    gpu_require(murBlockingClear(gpu->blocking, pair.table));
    model_clear(&pair.model);
    pair_require_same(gpu, &pair);
    bulk_close(&bulk);
    pair_close(gpu, &pair);
}

static void capacities(Gpu *gpu, const FormatKind *kind) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        fill(gpu, kind, sizes[i], i % 2 != 0);
    }
}

static void probe_limits(Gpu *gpu, const FormatKind *kind) {
    /* Keys of one home slot: those within the limit fit, and no more. */
    for (uint32_t limit = 1; limit < 40; limit += 3) {
        Pair pair;
        pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 200, .probeLimit = limit});
        Bulk bulk = bulk_open(kind->format, 60);
        uint64_t fit = 0;
        for (uint32_t i = 0; i < bulk.count; ++i) {
            const uint64_t hash = kind->format == MUR_FORMAT_K32 ? 0x70000000 + i
                                                                 : 0x70000000ull << 32 | i;
            bulk_set(&bulk, i, model_key(kind->format, hash, 0), 1);
            fit += model_insert(&pair.model, MUR_MODE_KEEP, bulk_key(&bulk, i), 1).status ==
                   MUR_INSERTED;
        }
        gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_KEEP, bulk.count,
                                      bulk.keys, bulk_values(&bulk), bulk.statuses, NULL));
        pair_adopt(&pair);
        const MurStats stats = model_stats(&pair.model);
        assert_int_equal(stats.live, fit);
        assert_int_equal(stats.full, bulk.count - fit);
        assert_true(fit >= limit || fit == bulk.count);
        bulk_close(&bulk);
        pair_close(gpu, &pair);
    }
}

/* Items at the edges of workgroups, and the clear of tables whose stores do not fill them. */
static void counts(Gpu *gpu, const FormatKind *kind) {
    static const uint32_t sizes[] = {0, 1, 255, 256, 257, 4000};
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 6000, .seed = 3});
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        Bulk bulk = bulk_open(kind->format, sizes[i]);
        for (uint32_t j = 0; j < bulk.count; ++j) {
            bulk_set(&bulk, j, (uint64_t)j * 0x100000001, j);
        }
        gpu_require(murBlockingClear(gpu->blocking, pair.table));
        gpu_require(murBlockingInsert(gpu->blocking, pair.table, MUR_MODE_ASSIGN, bulk.count,
                                      bulk.keys, bulk_values(&bulk), bulk.statuses, bulk.slots));
        pair_adopt(&pair);
        assert_int_equal(model_stats(&pair.model).live, bulk.count);
        pair_require_same(gpu, &pair);
        gpu_require(murBlockingFind(gpu->blocking, pair.table, bulk.count, bulk.keys,
                                    bulk_values(&bulk), bulk.statuses, NULL));
        for (uint32_t j = 0; j < bulk.count; ++j) {
            assert_int_equal(bulk.statuses[j], MUR_FOUND);
            assert_true(model_is_set(kind->format) || bulk_value(&bulk, j) == j);
        }
        bulk_close(&bulk);
    }
    pair_close(gpu, &pair);
}

/* ---- Build, and arguments ------------------------------------------------------------------- */

static void build(Gpu *gpu, const FormatKind *kind) {
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
        assert_int_equal(model_stats(&pair.model).live, COUNT);
        assert_int_equal(model_find(&pair.model, 3 * (COUNT - 1)).status, MUR_FOUND);
    }
    bulk_close(&bulk);
    gpu_free(gpu, &arrays);
    pair_close(gpu, &pair);
}

static void refused_arguments(Gpu *gpu, const FormatKind *kind) {
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = 10, .zero = true});
    GpuBuffer arrays = gpu_buffer(gpu, 1024);
    const bool set = model_is_set(kind->format);
    const uint32_t keySize = kind->format == MUR_FORMAT_K32 ? 4 : 8;
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
    assert_int_equal(murCmdInsert(cmd, pair.table, MUR_MODE_MIN, &good),
                     MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(murCmdInsert(cmd, pair.table, MUR_MODE_ADD, &good),
                     set ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
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

static void batches_against_the_model(void **state) {
    for_each_kind(state, batches);
}

static void tables_of_every_size_fill_up(void **state) {
    for_each_kind(state, capacities);
}

static void probes_end_at_their_limit(void **state) {
    for_each_kind(state, probe_limits);
}

static void items_at_the_edges_of_workgroups(void **state) {
    for_each_kind(state, counts);
}

static void build_replaces_the_content(void **state) {
    for_each_kind(state, build);
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
        gpu_test(batches_against_the_model),  gpu_test(tables_of_every_size_fill_up),
        gpu_test(probes_end_at_their_limit),  gpu_test(items_at_the_edges_of_workgroups),
        gpu_test(build_replaces_the_content), gpu_test(arguments_are_refused),
        gpu_test(formats_take_their_widths),
    };
    return cmocka_run_group_tests_name("format bulk", tests, gpu_group_setup, gpu_group_teardown);
}
