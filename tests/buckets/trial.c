/* SPDX-License-Identifier: MIT */
#include "trial.h"

#include "support/seed.h"

#include <string.h>

#define PASS_SPIRV(layout) GPU_SPIRV(pass_##layout);
BUCKET_LAYOUTS(PASS_SPIRV)

static GpuKernel kernel_of(Gpu *gpu, const TableKind *kind) {
#define PASS_CODE(layout) {pass_##layout, &pass_##layout##_size},
    static const struct {
        const uint32_t *code;
        const size_t *size;
    } codes[] = {BUCKET_LAYOUTS(PASS_CODE)};
    const uint32_t i = kind->layout - LAYOUT_buckets_k32v32_32;
    return gpu_kernel(gpu, codes[i].code, *codes[i].size, sizeof(MurTableRef) + 24, 0);
}

bool trial_open(Trial *trial, Gpu *gpu, uint32_t kind, uint32_t capacity, uint32_t flags) {
    memset(trial, 0, sizeof *trial);
    const TableKind *its = &table_kinds[kind];
    const bool usual = kind == KIND_buckets_k32v32_32_max || kind == KIND_buckets_k64v32_64_zero ||
                       kind == KIND_buckets_k32_set || kind == KIND_buckets_k64_32_set ||
                       kind == KIND_buckets_k64_64_set;
    if (!(usual || test_full()) || !gpu_offers(gpu, its->format, its->width)) {
        return false;
    }
    const PairOptions options = {
        .capacity = capacity, .seed = TRIAL_SEED, .ages = (flags & MUR_TABLE_AGES) != 0};
    pair_open(gpu, &trial->pair, its, &options);
    trial->gpu = gpu;
    trial->kind = its;
    trial->table = trial->pair.table;
    trial->ref = murGetTableRef(trial->table);
    trial->memory = gpu_buffer(gpu, 4 * PASS_WORDS);
    trial->words = trial->memory.mapped;
    return true;
}

void trial_close(Trial *trial) {
    pair_close(trial->gpu, &trial->pair);
    gpu_free(trial->gpu, &trial->memory);
}

/* Returns the hash of key i. The first hashes, or halves of them, are words with a special meaning.
 * Later hashes are random, so that second buckets fill before the table is full. Few random 64-bit
 * hashes have the first or last bucket as home, because the special hashes fill these buckets. */
static uint64_t hash_of(const Trial *trial, uint32_t i) {
    static const uint32_t marks[] = {MUR_EMPTY, MUR_TOMB, 0, 1};
    if (!MUR_IS_64(trial->kind->format)) {
        return i < 3 ? marks[i] : mur_hash(i, 1);
    }
    const uint32_t low = i < 16 || i % 64 == 0 ? marks[(i < 16 ? i / 4 : i / 64) % 4]
                                               : mur_hash(i, 2);
    const uint32_t high = i < 16 ? marks[i % 4] : mur_hash(i, 1) % 0xF8000000u + 0x04000000u;
    return (uint64_t)high << 32 | low;
}

void trial_keys(Trial *trial, uint32_t first, uint32_t count) {
    const bool wide = MUR_IS_64(trial->kind->format);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t hash = hash_of(trial, first + i);
        const uint64_t key = wide ? mur_key64(hash, TRIAL_SEED)
                                  : mur_key((uint32_t)hash, TRIAL_SEED);
        memcpy(&trial->words[PASS_KEYS + 2 * i], &key, 8);
        trial->words[PASS_VALUES + i] = first + i + 1;
    }
}

static MurBatch trial_batch(const Trial *trial, uint32_t count) {
    const GpuBuffer *memory = &trial->memory;
    const bool set = kind_is_set(trial->kind);
    return (MurBatch){.maxCount = count,
                      .keys = gpu_part(memory, PASS_KEYS, 2ull * count),
                      .values = set ? (MurArray){0, 0} : gpu_part(memory, PASS_VALUES, count),
                      .statuses = gpu_part(memory, PASS_STATUSES, count),
                      .slots = gpu_part(memory, PASS_SLOTS, count)};
}

/* Converts keys of 8 bytes, as trial_keys stores them, to the 32-bit keys that commands require. */
static void pack_keys(Trial *trial, uint32_t count) {
    for (uint32_t i = 0; i < count && !MUR_IS_64(trial->kind->format); ++i) {
        trial->words[PASS_KEYS + i] = trial->words[PASS_KEYS + 2 * i];
    }
}

uint32_t trial_insert(Trial *trial, uint32_t first, uint32_t count) {
    uint32_t refused = 0;
    trial_keys(trial, first, count);
    pack_keys(trial, count);
    const MurBatch batch = trial_batch(trial, count);
    GPU_RUN(trial->gpu, murCmdInsert(trial->gpu->cmd, trial->table, MUR_MODE_INSERT, &batch));
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t status = trial->words[PASS_STATUSES + i];
        if (status != MUR_FULL) {
            assert_int_equal(status, trial->there[first + i] ? MUR_EXISTED : MUR_INSERTED);
        } else {
            assert_false(trial->there[first + i]);
        }
        trial->there[first + i] = status != MUR_FULL;
        refused += status == MUR_FULL;
    }
    return refused;
}

void trial_insert_all(Trial *trial, uint32_t first, uint32_t count) {
    Bulk keys = bulk_open(trial->kind->format, count);
    trial_keys(trial, first, count);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&keys, i, ((const uint64_t *)&trial->words[PASS_KEYS])[i], 0);
    }
    assert_true(bulk_always_fits(&keys, trial->ref.slotCount, TRIAL_SEED));
    bulk_close(&keys);
    assert_int_equal(trial_insert(trial, first, count), 0);
}

uint32_t trial_erase(Trial *trial, uint32_t first, uint32_t count, uint32_t times,
                     MurBatchFlags flags) {
    uint64_t *keys = (uint64_t *)&trial->words[PASS_KEYS];
    trial_keys(trial, first, count);
    for (uint32_t i = times * count; i-- > 0;) { /* equal keys are adjacent, so they race */
        keys[i] = keys[i / times];
    }
    pack_keys(trial, times * count);
    MurBatch batch = trial_batch(trial, times * count);
    batch.flags = flags;
    GPU_RUN(trial->gpu, murCmdErase(trial->gpu->cmd, trial->table, &batch));
    const uint32_t *words = trial->words;
    uint32_t erased = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t told = 0;
        for (uint32_t j = i * times; j < (i + 1) * times; ++j) {
            const bool this = words[PASS_STATUSES + j] == MUR_ERASED;
            told += this;
            assert_true(this ? batch.values.address == 0 || words[PASS_VALUES + j] == first + i + 1
                             : words[PASS_STATUSES + j] == MUR_ABSENT);
            assert_true(this == (words[PASS_SLOTS + j] != MUR_NO_SLOT));
        }
        assert_int_equal(told, trial->there[first + i]);
        trial->there[first + i] = false;
        erased += told;
    }
    return erased;
}

static void find(Trial *trial, uint32_t first, uint32_t count) {
    trial_keys(trial, first, count);
    pack_keys(trial, count);
    const MurBatch batch = trial_batch(trial, count);
    GPU_RUN(trial->gpu, murCmdFind(trial->gpu->cmd, trial->table, &batch));
}

void trial_find(Trial *trial, uint32_t first, uint32_t count) {
    find(trial, first, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(trial->words[PASS_STATUSES + i], MUR_FOUND);
    }
    trial_keys(trial, first, count);
}

void trial_run(Trial *trial, uint32_t op, uint32_t count, uint32_t frame) {
    GpuKernel kernel = kernel_of(trial->gpu, trial->kind);
    const struct {
        MurTableRef table;
        VkDeviceAddress data;
        uint32_t op, count, frame, pad;
    } push = {trial->ref, trial->memory.address, op, count, frame, 0};
    const uint32_t slots = op == PASS_RUN ? trial->ref.slotCount + 2 : 0;
    gpu_begin(trial->gpu);
    gpu_dispatch(trial->gpu, &kernel, &push, (slots + count + 63) / 64);
    gpu_submit(trial->gpu);
}

/* ---- Checks of table memory ----------------------------------------------------------------- */

bool trial_slot_is_live(const Trial *trial, uint32_t slot) {
    uint64_t key, value;
    return oracle_entry(&trial->pair.oracle, slot, &key, &value);
}

static void check_image(Trial *trial, uint32_t live, bool exact) {
    const Oracle *oracle = &trial->pair.oracle;
    pair_adopt(&trial->pair);
    pair_require_same(trial->gpu, &trial->pair); /* compares the statistics */
    uint32_t found;
    gpu_require(murBlockingExtract(trial->gpu->blocking, trial->table, 0, NULL, 0, NULL, NULL, NULL,
                                   &found));
    assert_int_equal(found, live);
    assert_int_equal(oracle_stats(oracle).live, live);
    uint32_t want[TRIAL_SLOTS / 32] = {0};
    for (uint32_t slot = 0; slot < trial->ref.slotCount; ++slot) {
        const OracleSlot *its = &oracle->slot[slot];
        if (its->state == ORACLE_CLAIMED && slot / 16 != oracle_home(oracle, its->key) / 16) {
            const uint32_t bit = oracle_filter_bit(oracle, its->key);
            want[bit / 32] |= 1u << bit % 32;
        }
    }
    const uint32_t words = MUR_FILTER_WORDS(trial->ref.slotCount);
    const uint32_t *filter = oracle->filters + oracle->filter * words;
    assert_true(!exact || memcmp(filter, want, 4 * words) == 0); /* pair_adopt checks needed bits */
    for (uint32_t slot = 0; slot < oracle->slots && trial->ref.flags & MUR_TABLE_AGES; ++slot) {
        assert_true(trial_slot_is_live(trial, slot) || oracle->ages[slot] == MUR_AGE_UNTOUCHED);
    }
}

void trial_check(Trial *trial, bool exact) {
    const uint32_t *words = trial->words;
    uint32_t live = 0;
    find(trial, 0, PASS_ITEMS);
    for (uint32_t i = 0; i < PASS_ITEMS; ++i) {
        const bool is = trial->there[i];
        if (words[PASS_STATUSES + i] != (is ? MUR_FOUND : MUR_ABSENT)) {
            fail_msg("%s: key %u has status %u", trial->kind->name, i, words[PASS_STATUSES + i]);
        }
        assert_true(!is || kind_is_set(trial->kind) || words[PASS_VALUES + i] == i + 1);
        live += is;
    }
    check_image(trial, live, exact);
}
