/* Tests of eviction passes over bucketed tables, by commands and by a shader with mur_evict and
 * mur_retain. The filter is checked in table memory.
 * SPDX-License-Identifier: MIT */
#include "trial.h"

#include "support/seed.h"

#include <string.h>

/* Decides at random what the pass does with each slot: it evicts `frees` of eight slots, retains
 * `stays` of eight, and skips the rest. If frees is not 0, it evicts the sentinel slots. */
static void decide(Trial *trial, uint32_t frees, uint32_t stays) {
    Random random = {5};
    for (uint32_t slot = 0; slot < trial->ref.slotCount + 2; ++slot) {
        const uint32_t choice = slot < trial->ref.slotCount ? random_below(&random, 8) : 0;
        trial->words[PASS_DECISIONS + slot] = choice < frees           ? PASS_FREES
                                              : choice < frees + stays ? PASS_STAYS
                                                                       : 0;
    }
}

/* Runs a user's eviction pass concurrently with finds. Finds of retained keys succeed. */
static void pass_over(Trial *trial, uint32_t frees, uint32_t stays) {
    static uint32_t slots[PASS_ITEMS];
    decide(trial, 0, 0);
    trial_keys(trial, 0, PASS_ITEMS);
    trial_run(trial, PASS_RUN, PASS_ITEMS, 0); /* a pass that skips all slots must not change any */
    memcpy(slots, &trial->words[PASS_SLOTS], sizeof slots);
    decide(trial, frees, stays);
    trial_run(trial, PASS_RUN, PASS_ITEMS, 0);
    for (uint32_t i = 0; i < PASS_ITEMS; ++i) {
        const uint32_t now = trial->words[PASS_SLOTS + i];
        assert_true(trial->there[i] == (slots[i] != MUR_NO_SLOT));
        if (trial->there[i] && trial->words[PASS_DECISIONS + slots[i]] == PASS_FREES) {
            assert_true(now == slots[i] || now == MUR_NO_SLOT);
            trial->there[i] = false;
        } else {
            assert_int_equal(now, slots[i]);
        }
    }
}

EACH_TRIAL(users_pass_rebuilds_the_filter, TRIAL_SLOTS, 0) {
    trial_insert(trial, 0, 980);
    trial_erase(trial, 750, 200, 1, 0); /* many of the last keys are in second buckets */
    for (uint32_t i = 0; i < 3; ++i) {
        GPU_RUN(trial->gpu, murCmdBeginEviction(trial->gpu->cmd, trial->table));
        pass_over(trial, 3, 5);
        GPU_RUN(trial->gpu, murCmdEndEviction(trial->gpu->cmd, trial->table));
        trial_check(trial, true);
        trial_insert(trial, 600 * i, 700);
        trial_check(trial, false);
    }
}

/* A pass without murCmdBeginEviction may skip slots, because the front filter keeps all bits. */
EACH_TRIAL(partial_passes_keep_filter_bits, TRIAL_SLOTS, MUR_TABLE_AGES) {
    for (uint32_t i = 0; i < 3; ++i) {
        trial_insert(trial, 300 * i, 950);
        pass_over(trial, 2, i);
        trial_check(trial, false);
    }
    GPU_RUN(trial->gpu, murCmdRebuildFilter(trial->gpu->cmd, trial->table));
    trial_check(trial, true);
}

/* Overwrites words of table memory, to create a state that no operation creates. */
static void fill(Trial *trial, uint32_t first, uint32_t count, uint32_t word) {
    const MurBufferRange memory = murGetTableMemory(trial->table);
    vkCmdFillBuffer(gpu_begin(trial->gpu), memory.buffer, memory.offset + 4 * first, 4 * count,
                    word);
    gpu_submit(trial->gpu);
}

/* If a bit is missing in the filter, an insert that finds its key sets the bit. */
EACH_TRIAL(inserts_set_missing_filter_bits, TRIAL_SLOTS, 0) {
    const uint32_t flags = trial->ref.flags, slots = trial->ref.slotCount;
    trial_insert(trial, 0, 980);
    fill(trial, MUR_FILTER_START(MUR_TABLE_FORMAT(flags), flags, slots),
         2 * MUR_FILTER_WORDS(slots), 0);
    trial_insert(trial, 0, 980);
    trial_check(trial, true);
}

/* Another insert of the same key may have stored only a part of the key in a slot. An insert must
 * then complete this slot, and not use a second slot. */
EACH_TRIAL(inserts_complete_half_claimed_slots, TRIAL_SLOTS, 0) {
    enum { TAGGED = 8, PLAIN = 100 };
    const uint32_t format = trial->kind->format, slots = trial->ref.slotCount;
    const uint32_t beside = MUR_BESIDE_WORDS(format, trial->ref.flags);
    trial_insert(trial, TAGGED, 1);
    uint32_t slot = trial->words[PASS_SLOTS];
    if (beside != 0) {
        fill(trial, MUR_BESIDE_START(format, slots) + beside * (slot + 1) - 1, 1, 0);
        trial->there[TAGGED] = !kind_is_set(trial->kind); /* the entry already has a value */
        trial_insert(trial, TAGGED, 1);
        assert_int_equal(trial->words[PASS_SLOTS], slot);
    }
    trial_insert(trial, PLAIN, 1);
    slot = trial->words[PASS_SLOTS];
    if (MUR_IS_64(format) && !(trial->ref.flags & MUR_TABLE_INT64)) {
        /* The last word is another insert's claim, so the insert must report MUR_EXISTED. */
        fill(trial, MUR_HEADER_WORDS + 2 * slot, 1, MUR_EMPTY);
        trial_insert(trial, PLAIN, 1);
        assert_int_equal(trial->words[PASS_SLOTS], slot);
    }
    trial_check(trial, true);
}

/* Fills an empty table with random keys. The rates of MUR_FULL must match buckets.h. */
GPU_TEST(fills_reject_as_many_keys_as_documented) {
    enum { SLOTS = 1 << 17, PIECE = 1 << 13 };
    static const struct {
        double load, least, most; /* in millionths */
    } rates[] = {{0.5, 0, 60}, {0.75, 1500, 2700}, {0.9, 17500, 21000}};
    static uint32_t keys[PIECE], values[PIECE], statuses[PIECE];
    const MurTableCreateInfo info = {.capacity = SLOTS,
                                     .seed = 0x1234567,
                                     .type = murTypeBucketsK32V32(),
                                     .atomicWidth = MUR_ATOMIC_WIDTH_32};
    MurTable table = gpu_table(gpu, &info);
    uint32_t offered = 0, full = 0;
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; ++r) {
        const uint32_t target = (uint32_t)(rates[r].load * SLOTS);
        while (offered < target) {
            const uint32_t count = target - offered < PIECE ? target - offered : PIECE;
            for (uint32_t i = 0; i < count; ++i) {
                keys[i] = mur_key(mur_hash(offered + i, 5), 9);
            }
            gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_INSERT, count, keys,
                                          values, statuses, NULL));
            for (uint32_t i = 0; i < count; ++i) {
                full += statuses[i] == MUR_FULL;
            }
            offered += count;
        }
        const double rate = 1e6 * full / offered;
        print_message("  load %.2f: %.1f of a million\n", rates[r].load, rate);
        assert_true(rate >= rates[r].least && rate <= rates[r].most);
    }
    murDestroyTable(table);
}

/* Each frame inserts keys into a small table at load 0.75. It also erases the keys that were
 * inserted WINDOW frames ago, with or without MUR_BATCH_EXCLUSIVE. */
enum {
    FRAMES = 2000, /* frames; in the long tier 10000 */
    STEP = 12,     /* keys per frame */
    WINDOW = 16    /* lifetime of a key in frames */
};
static void churn(Trial *trial, uint32_t frame) {
    const uint32_t frames = PASS_ITEMS / STEP;
    const bool waits = trial->kind->width == MUR_ATOMIC_WIDTH_32 && frame % 3 != 0;
    trial_erase(trial, (frame + frames - WINDOW) % frames * STEP, STEP, 2,
                waits ? 0 : MUR_BATCH_EXCLUSIVE);
    if (frame % 4 == 0) {
        GPU_RUN(trial->gpu, murCmdRebuildFilter(trial->gpu->cmd, trial->table));
    }
    trial_insert(trial, frame % frames * STEP, STEP);
}

GPU_TEST(many_frames_lose_no_keys) {
    static const uint32_t kinds[] = {KIND_buckets_k64_32_set, KIND_buckets_k64_64_set};
    for (uint32_t i = 0; i < 2; ++i) {
        Trial trial;
        if (!trial_open(&trial, gpu, kinds[i], 256, 0)) {
            continue;
        }
        const uint32_t end = test_full() ? 5 * FRAMES : FRAMES;
        for (uint32_t frame = 0; frame < end; ++frame) {
            churn(&trial, frame);
            if (frame % 100 == 99) {
                trial_check(&trial, false);
            }
        }
        const MurStats stats = gpu_stats(trial.gpu, trial.table);
        assert_in_range(stats.live, 170, STEP * WINDOW);
        assert_true(stats.failedInserts < end);
        trial_close(&trial);
    }
}

GPU_TEST(wide_shader_rejects_narrow_set) {
    Trial trial;
    if (!gpu_offers(gpu, MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64) ||
        !trial_open(&trial, gpu, KIND_buckets_k64_32_set, 256, 0)) {
        return;
    }
    const TableKind *its = trial.kind;
    trial_insert_all(&trial, 0, 100);
    for (uint32_t i = 0; i < trial.ref.slotCount + 2; ++i) {
        trial.words[PASS_DECISIONS + i] = PASS_FREES;
    }
    trial_keys(&trial, 0, 100);
    trial.kind = &table_kinds[KIND_buckets_k64_64_set];
    trial_run(&trial, PASS_ERASE, 100, 0);
    trial_run(&trial, PASS_RUN, 100, 0);
    for (uint32_t i = 0; i < 100; ++i) {
        assert_int_equal(trial.words[PASS_STATUSES + i], MUR_UNSUPPORTED);
        assert_int_equal(trial.words[PASS_SLOTS + i], MUR_NO_SLOT);
    }
    trial.kind = its;
    trial_check(&trial, true);
    trial_close(&trial);
}

/* The low four bits of the hash's high word select one of 16 counters of failed inserts. */
GPU_TEST(failed_inserts_are_counted_by_hash) {
    Trial trial;
    trial_open(&trial, gpu, KIND_buckets_k64_32_set, 128, MUR_TABLE_AGES);
    assert_true(trial_insert(&trial, 0, 1000) > 800);
    uint32_t want[16] = {0};
    for (uint32_t i = 0; i < 1000; ++i) {
        const uint64_t key = ((const uint64_t *)&trial.words[PASS_KEYS])[i];
        want[(mur_hash64(key, TRIAL_SEED) >> 32) % 16] += !trial.there[i];
    }
    const uint32_t *words = trial.pair.words;
    for (uint32_t i = 0; i < 16; ++i) {
        assert_int_equal(words[oracle_image_words(&trial.pair.oracle) - 32 * (16 - i)], want[i]);
        assert_true(want[i] > 10);
    }
    assert_int_equal(words[MUR_HEADER_FAILED_INSERTS], 0);
    assert_int_equal(gpu_stats(gpu, trial.table).failedInserts,
                     1000 - gpu_stats(gpu, trial.table).live);
    /* Each counter is 2^64 - 1, so that the sum and the next count carry into the high word. */
    fill(&trial, (uint32_t)oracle_image_words(&trial.pair.oracle) - 512, 512, UINT32_MAX);
    assert_int_equal(gpu_stats(gpu, trial.table).failedInserts, UINT64_MAX - 15);
    const uint64_t more = trial_insert(&trial, 0, 1000);
    assert_int_equal(gpu_stats(gpu, trial.table).failedInserts, more - 16);
    trial_close(&trial);
}
