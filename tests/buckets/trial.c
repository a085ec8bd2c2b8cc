/* SPDX-License-Identifier: MIT */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

#define PASSES(X) \
    X(k32v32_32)  \
    X(k32v32_64)  \
    X(k64v32_32)  \
    X(k64v32_64)  \
    X(k32_32)     \
    X(k64_32)     \
    X(k64_64)
#define PASS_SPIRV(name) GPU_SPIRV(pass_##name);
PASSES(PASS_SPIRV)

static GpuKernel kernel_of(Gpu *gpu, const TableKind *kind) {
#define PASS_CODE(name) {pass_##name, &pass_##name##_size},
    static const struct {
        const uint32_t *code;
        const size_t *size;
    } codes[] = {PASSES(PASS_CODE)};
    const uint32_t wide = kind_is_wide(kind);
    const uint32_t i = kind->format == MUR_FORMAT_K32   ? 4
                       : kind->format == MUR_FORMAT_K64 ? 5 + wide
                                                        : 2 * kind->format + wide;
    return gpu_kernel(gpu, codes[i].code, *codes[i].size, sizeof(MurTableRef) + 24, 0);
}

bool trial_open(Trial *trial, Gpu *gpu, uint32_t kind, uint64_t capacity, uint32_t flags) {
    memset(trial, 0, sizeof *trial);
    const TableKind *its = &table_kinds[kind];
    if (!gpu_offers(gpu, its->format == MUR_FORMAT_K64 ? MUR_FORMAT_K64V32 : its->format,
                    its->width)) {
        return false;
    }
    MurTableCreateInfo info = kind_info(its, capacity);
    info.seed = TRIAL_SEED;
    info.flags |= flags;
    trial->gpu = gpu;
    trial->kind = its;
    trial->table = gpu_table(gpu, &info);
    trial->ref = murGetTableRef(trial->table);
    trial->memory = gpu_buffer(gpu, 4 * PASS_WORDS);
    trial->words = trial->memory.mapped;
    trial->image = malloc(murGetTableMemory(trial->table).size);
    assert_non_null(trial->image);
    return true;
}

void trial_close(Trial *trial) {
    murDestroyTable(trial->table);
    gpu_free(trial->gpu, &trial->memory);
    free(trial->image);
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* The first ones have hashes, or halves of them, that mean something else as words. */
static uint64_t hash_of(const Trial *trial, uint32_t i) {
    static const uint32_t marks[] = {MUR_EMPTY, MUR_TOMB, 0, 1};
    if (!MUR_IS_64(trial->kind->format)) {
        return i < 3 ? marks[i] : i * 2654435761u;
    }
    const uint32_t low = i < 16 || i % 64 == 0 ? marks[(i < 16 ? i / 4 : i / 64) % 4]
                                               : i * 0x85EBCA6Bu;
    return (uint64_t)(i < 16 ? marks[i % 4] : i * 2654435761u) << 32 | low;
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

MurBatch trial_batch(const Trial *trial, uint32_t count) {
    const GpuBuffer *memory = &trial->memory;
    const bool set = kind_is_set(trial->kind);
    return (MurBatch){.maxCount = count,
                      .keys = gpu_part(memory, PASS_KEYS, 2ull * count),
                      .values = set ? (MurArray){0, 0} : gpu_part(memory, PASS_VALUES, count),
                      .statuses = gpu_part(memory, PASS_STATUSES, count),
                      .slots = gpu_part(memory, PASS_SLOTS, count)};
}

/* Commands take 32-bit keys side by side. */
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
    GPU_RUN(trial->gpu, murCmdInsert(trial->gpu->cmd, trial->table, MUR_MODE_KEEP, &batch));
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

uint32_t trial_erase(Trial *trial, uint32_t first, uint32_t count, uint32_t times,
                     MurBatchFlags flags) {
    uint64_t *keys = (uint64_t *)&trial->words[PASS_KEYS];
    trial_keys(trial, first, count);
    for (uint32_t i = times * count; i-- > 0;) { /* side by side, so that they run together */
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
    gpu_barrier(trial->gpu);
    gpu_submit(trial->gpu);
    gpu_kernel_free(trial->gpu, &kernel);
}

/* ---- The image ------------------------------------------------------------------------------ */

static uint32_t tag_of(const Trial *trial, uint32_t slot) {
    const uint32_t beside = MUR_BESIDE_START(trial->kind->format, trial->ref.slotCount);
    const uint32_t words = MUR_BESIDE_WORDS(trial->kind->format, trial->ref.flags);
    return words ? trial->image[beside + words * (slot + 1) - 1] : 0;
}

static uint64_t hash_in(const Trial *trial, uint32_t slot) {
    const uint32_t *image = trial->image + MUR_HEADER_WORDS;
    if (!MUR_IS_64(trial->kind->format)) {
        return image[trial->kind->format == MUR_FORMAT_K32 ? slot : 2 * slot];
    }
    const uint32_t tag = tag_of(trial, slot);
    const uint32_t low = tag & MUR_TAG_LOW    ? MUR_EMPTY
                         : tag & MUR_TAG_TOMB ? MUR_TOMB
                                              : image[2 * slot];
    return (uint64_t)(tag & MUR_TAG_HIGH ? MUR_EMPTY : image[2 * slot + 1]) << 32 | low;
}

bool trial_slot_is_live(const Trial *trial, uint32_t slot) {
    const uint32_t none = trial->kind->zero ? 0 : UINT32_MAX, format = trial->kind->format;
    const uint32_t *keys = trial->image + MUR_HEADER_WORDS;
    const uint32_t extra = slot - trial->ref.slotCount;
    switch (format) {
    case MUR_FORMAT_K32V32:
        return (slot < trial->ref.slotCount ? keys[2 * slot + 1]
                                            : trial->image[MUR_HEADER_EXTRA + 1]) != none;
    case MUR_FORMAT_K64V32:
        return trial->image[MUR_BESIDE_START(format, trial->ref.slotCount) + 2 * slot] != none;
    default:
        if (slot >= trial->ref.slotCount) {
            return trial->image[MUR_HEADER_EXTRA + extra] != 0;
        } else if (format == MUR_FORMAT_K64) { /* as 64-bit atomics leave it, or 32-bit ones */
            const bool wide = kind_is_wide(trial->kind);
            return wide ? keys[2 * slot + 1] != MUR_EMPTY || keys[2 * slot] < MUR_TOMB
                        : keys[2 * slot] < MUR_TOMB;
        }
        return keys[slot] < MUR_TOMB;
    }
}

uint32_t trial_age(const Trial *trial, uint32_t slot) {
    return trial
        ->image[MUR_AGES_START(trial->kind->format, trial->ref.flags, trial->ref.slotCount) + slot];
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Extra slots too; of K64V32 there are none. */
static uint32_t slots_of(const Trial *trial) {
    const uint32_t extra = MUR_EXTRA_SLOTS(trial->kind->format);
    return trial->ref.slotCount + (trial->kind->format == MUR_FORMAT_K64V32 ? 0 : extra);
}

/* Notes in want where its bit is, if it lives in its second bucket. */
static uint64_t check_slot(const Trial *trial, uint32_t slot, uint32_t *want) {
    const uint64_t hash = hash_in(trial, slot);
    const uint32_t low = (uint32_t)hash, high = (uint32_t)(hash >> 32);
    const bool wide = MUR_IS_64(trial->kind->format);
    const uint32_t count = trial->ref.slotCount / MUR_BUCKET_SLOTS, bucket = slot / 16;
    const uint32_t first = mur_home(wide ? high : low, count);
    if (bucket != first) {
        assert_int_equal(bucket, mur_home(wide ? low : mur_hash(low, 0x9E3779B9u), count));
        want[first / 2] |= 1u << (16 * (first % 2) + (wide ? high : low) % 16);
    }
    return hash;
}

/* By an entry, or by a key that is erased. */
static bool is_claimed(const Trial *trial, uint32_t slot) {
    return kind_is_set(trial->kind) ? trial_slot_is_live(trial, slot)
                                    : trial->image[MUR_HEADER_WORDS + 2 * slot] != MUR_EMPTY;
}

static void check_image(Trial *trial, uint32_t live, bool exact) {
    static uint64_t hashes[TRIAL_SLOTS];
    uint32_t want[TRIAL_SLOTS / 32] = {0}, entries = 0, claimed = 0;
    gpu_require(murBlockingDownload(trial->gpu->blocking, trial->table, trial->image,
                                    murGetTableMemory(trial->table).size));
    for (uint32_t slot = 0; slot < slots_of(trial); ++slot) {
        const bool is = trial_slot_is_live(trial, slot);
        if (slot < trial->ref.slotCount && is_claimed(trial, slot)) {
            hashes[claimed++] = check_slot(trial, slot, want);
        }
        if (!is && trial->ref.flags & MUR_TABLE_AGES) {
            assert_int_equal(trial_age(trial, slot), MUR_AGE_UNTOUCHED);
        }
        entries += is;
    }
    assert_int_equal(entries, live);
    qsort(hashes, claimed, sizeof *hashes, by_number);
    for (uint32_t i = 1; i < claimed; ++i) {
        assert_true(hashes[i - 1] != hashes[i]);
    }
    const uint32_t words = MUR_FILTER_WORDS(trial->ref.slotCount);
    const uint32_t *filter = trial->image +
                             MUR_FILTER_START(trial->kind->format, trial->ref.flags,
                                              trial->ref.slotCount) +
                             (trial->image[MUR_HEADER_STATE] & MUR_STATE_FILTER ? words : 0);
    for (uint32_t i = 0; i < words; ++i) {
        assert_int_equal(filter[i] & want[i], want[i]);
        assert_true(!exact || filter[i] == want[i]);
    }
}

/* The image's, counted once more; and an extraction has as many. */
static void check_statistics(const Trial *trial, uint32_t live) {
    const MurStats stats = gpu_stats(trial->gpu, trial->table);
    const uint32_t *keys = trial->image + MUR_HEADER_WORDS;
    const uint32_t words = trial->kind->format == MUR_FORMAT_K32 ? 1 : 2;
    const uint32_t high = MUR_IS_64(trial->kind->format);
    uint32_t histogram[MUR_STATS_BUCKETS] = {0}, claimed = 0;
    for (uint32_t slot = 0, here = 0; slot < trial->ref.slotCount; ++slot) {
        here += keys[words * slot] != MUR_EMPTY || keys[words * slot + high] != MUR_EMPTY;
        if (slot % MUR_BUCKET_SLOTS == MUR_BUCKET_SLOTS - 1) {
            ++histogram[here];
            claimed += here;
            here = 0;
        }
    }
    assert_memory_equal(stats.probeHistogram, histogram, sizeof histogram);
    const uint32_t extra = MUR_EXTRA_SLOTS(trial->kind->format);
    assert_int_equal(stats.live, live);
    assert_int_equal(stats.live + stats.erased + stats.free, trial->ref.slotCount + extra);
    assert_in_range(stats.live + stats.erased - claimed, 0, extra);
    assert_in_range(stats.probeSum, live, 2 * live);
    uint32_t found;
    gpu_require(murBlockingExtract(trial->gpu->blocking, trial->table, 0, NULL, 0, NULL, NULL, NULL,
                                   &found));
    assert_int_equal(found, live);
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
    check_statistics(trial, live);
}
