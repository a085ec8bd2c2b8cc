/* Tests of murCmdEvict: evicted entries, lists of slots, dispatch sizes, frame numbers that wrap. A
 * new entry never inherits the age of its slot's last entry, whichever operation erased that entry.
 * SPDX-License-Identifier: MIT */
#include "trial.h"

#include <string.h>

enum { FRAME = -8, MARGIN = 0x3C3C3C3C };

static MurEvictResult age(Trial *trial, MurEvict info) {
    const GpuBuffer *memory = &trial->memory;
    memset(&trial->words[PASS_LIVE], MARGIN & 0xFF, 8 * PASS_ITEMS);
    info.live = gpu_part(memory, PASS_LIVE, PASS_ITEMS);
    info.erased = gpu_part(memory, PASS_ERASED, PASS_ITEMS);
    info.result = gpu_part(memory, PASS_RESULT, 8);
    GPU_RUN(trial->gpu, murCmdEvict(trial->gpu->cmd, trial->table, &info));
    MurEvictResult result;
    memcpy(&result, &trial->words[PASS_RESULT], sizeof result);
    return result;
}

static MurEvict of(uint32_t frame, uint32_t maxAge) {
    return (MurEvict){.frame = frame,
                      .maxAge = maxAge,
                      .maxLive = PASS_ITEMS,
                      .maxErased = PASS_ITEMS,
                      .groupEntries = 64};
}

/* Checks that the list has `count` different slots. lives: true if the slots must have entries. */
static void check_list(const Trial *trial, uint32_t list, uint32_t count, bool lives) {
    bool listed[TRIAL_SLOTS + 2] = {false};
    for (uint32_t i = 0; i < PASS_ITEMS; ++i) {
        const uint32_t slot = trial->words[list + i];
        if (i >= count) {
            assert_int_equal(slot, MARGIN);
            continue;
        }
        assert_true(slot < trial->ref.slotCount + 2 && !listed[slot]);
        listed[slot] = true;
        assert_true(trial_slot_is_live(trial, slot) == lives);
    }
}

/* Marks keys as absent in the expected content of the table. */
static void forget(Trial *trial, uint32_t first, uint32_t count) {
    memset(&trial->there[first], 0, count);
}

static void touch(Trial *trial, uint32_t first, uint32_t count, uint32_t frame) {
    trial_find(trial, first, count);
    trial->words[PASS_SLOTS + count] = MUR_NO_SLOT; /* not a slot, so the pass must ignore it */
    trial_run(trial, PASS_TOUCH, count + 1, frame);
}

static void check_groups(const uint32_t groups[3], uint32_t entries, uint32_t a_group) {
    const uint32_t all = (entries + a_group - 1) / a_group;
    assert_int_equal(groups[0], all < 65535 ? all : 65535);
    assert_int_equal(groups[1], (all + 65534) / 65535);
    assert_int_equal(groups[2], 1);
}

EACH_TRIAL(old_entries_are_evicted, TRIAL_SLOTS, MUR_TABLE_AGES) {
    trial_insert_all(trial, 0, 550);
    trial_erase(trial, 450, 100, 1, 0); /* no list may contain tombstones */
    touch(trial, 0, 150, (uint32_t)FRAME);
    touch(trial, 150, 150, (uint32_t)FRAME + 5);
    MurEvict info = of((uint32_t)FRAME + 20, 16); /* frame numbers have wrapped past 2^32 */
    info.maxLive = 100;
    MurEvictResult result = age(trial, info);
    forget(trial, 0, 150);
    trial_check(trial, true);
    assert_int_equal(result.erased, 150);
    assert_int_equal(result.live, 300);
    check_list(trial, PASS_ERASED, 150, false);
    check_list(trial, PASS_LIVE, 100, true);
    check_groups(result.erasedGroups, 150, 64);
    check_groups(result.liveGroups, 100, 64);
    assert_int_equal(gpu_stats(trial->gpu, trial->table).erased, 0);
    /* Entries of age maxAge stay. The first murCmdEvict set the age of untouched entries. */
    result = age(trial, of((uint32_t)FRAME + 21, 16));
    assert_int_equal(result.live, 300);
    result = age(trial, of((uint32_t)FRAME + 22, 16));
    assert_int_equal(result.erased, 150);
    forget(trial, 150, 150);
    result = age(trial, of((uint32_t)FRAME + 36, 16));
    assert_int_equal(result.erased, 0);
    info = of((uint32_t)FRAME + 37, 16);
    info.groupEntries = 0;
    result = age(trial, info);
    assert_int_equal(result.erased, 150);
    assert_int_equal(result.erasedGroups[0] + result.liveGroups[0], 0);
    forget(trial, 300, 150);
    trial_check(trial, true);
}

enum { SOME = 500 };
EACH_TRIAL(no_entry_inherits_an_age, TRIAL_SLOTS, MUR_TABLE_AGES) {
    const uint32_t none = trial->kind->zero ? 0 : UINT32_MAX;
    const uint32_t ways = kind_is_set(trial->kind) ? 7 : 9;
    for (uint32_t way = 0; way < ways; ++way) {
        const uint32_t first = way % 2 ? 0 : SOME;
        gpu_require(murBlockingClear(trial->gpu->blocking, trial->table));
        memset(trial->there, 0, sizeof trial->there);
        trial_insert_all(trial, 0, SOME);
        touch(trial, 0, SOME, 1);
        uint32_t count;
        switch (way) {
        case 0:
        case 1:
            trial_erase(trial, 0, SOME, 1, way ? MUR_BATCH_EXCLUSIVE : 0);
            break;
        case 2:
            trial_erase(trial, 0, SOME, 2, MUR_BATCH_EXCLUSIVE);
            break;
        case 3:
            trial_run(trial, PASS_ERASE, SOME, 0);
            break;
        case 4:
            gpu_require(murBlockingEraseWhere(trial->gpu->blocking, trial->table, 0, NULL, 0, NULL,
                                              NULL, NULL, &count));
            break;
        case 5:
        case 6:
            for (uint32_t i = 0; i < trial->ref.slotCount + 2; ++i) {
                trial->words[PASS_DECISIONS + i] = PASS_FREES;
            }
            trial_run(trial, PASS_RUN, 0, 0);
            break;
        default:
            trial_run(trial, way == 7 ? PASS_EXCHANGE : PASS_COMPARE, SOME, none);
            break;
        }
        memset(trial->there, 0, sizeof trial->there);
        trial_check(trial, false); /* free slots must have no age */
        if (way % 2 == 0) {
            GPU_RUN(trial->gpu, murCmdRebuildFilter(trial->gpu->cmd, trial->table));
        }
        const uint32_t refused = trial_insert(trial, first, SOME);
        const MurEvictResult result = age(trial, of(1000, 10));
        assert_int_equal(result.erased, 0);
        assert_int_equal(result.live, SOME - refused);
        assert_true(refused < SOME / 5);
    }
    touch(trial, SOME, SOME, 1001);
    age(trial, of(3000, 10)); /* evicts all entries and leaves no stamps */
    forget(trial, 0, KEYS);
    trial_check(trial, true);
}

/* ---- Early evictions for reservedSlots ------------------------------------------------------ */

/* Sets the last use of live slots at random: one of eight frames, or none. */
static void stamp_slots(Trial *trial, Random *random, uint32_t frame) {
    uint8_t stamps[TRIAL_SLOTS + 2];
    for (uint32_t slot = 0; slot < trial->ref.slotCount + 2; ++slot) {
        const bool used = slot < trial->ref.slotCount && slot / 16 % 8 == 5; /* a whole bucket */
        stamps[slot] = used ? 0 : (uint8_t)random_below(random, 9);
    }
    for (uint32_t stamp = 0; stamp < 8; ++stamp) {
        uint32_t count = 0;
        for (uint32_t slot = 0; slot < trial->ref.slotCount + 2; ++slot) {
            if (stamps[slot] == stamp && trial_slot_is_live(trial, slot)) {
                trial->words[PASS_SLOTS + count++] = slot;
            }
        }
        trial_run(trial, PASS_TOUCH, count, frame - 3 * stamp);
    }
}

typedef struct Eviction {
    bool goes[TRIAL_SLOTS + 2];
    uint32_t count, early, in_use; /* in_use: buckets without enough entries to evict */
} Eviction;

/* Selects entries that are too old, then the oldest of each bucket until enough slots are free. */
static Eviction expected_eviction(const Trial *trial, const MurEvict *info) {
    Eviction e = {0};
    uint32_t ages[TRIAL_SLOTS + 2];
    const uint32_t slots = trial->ref.slotCount;
    for (uint32_t slot = 0; slot < slots + 2; ++slot) {
        const uint32_t stamp = trial->pair.oracle.ages[slot];
        ages[slot] = stamp == MUR_AGE_UNTOUCHED ? 0 : info->frame - stamp;
        e.goes[slot] = trial_slot_is_live(trial, slot) && ages[slot] > info->maxAge;
        e.count += e.goes[slot];
    }
    for (uint32_t first = 0; first < slots; first += 16) {
        for (;;) {
            uint32_t live = 0, oldest = slots;
            for (uint32_t slot = first; slot < first + 16; ++slot) {
                if (trial_slot_is_live(trial, slot) && !e.goes[slot]) {
                    ++live;
                    oldest = oldest == slots || ages[slot] > ages[oldest] ? slot : oldest;
                }
            }
            if (live + info->reservedSlots <= 16 || ages[oldest] == 0) {
                e.in_use += live + info->reservedSlots > 16;
                break;
            }
            e.goes[oldest] = true;
            ++e.early;
            ++e.count;
        }
    }
    return e;
}

EACH_TRIAL(reserved_slots_evict_the_oldest, TRIAL_SLOTS, MUR_TABLE_AGES) {
    static const uint32_t reserved[] = {1, 2, 0, 3, 8};
    static uint32_t slots[PASS_ITEMS];
    Random random = {9};
    uint32_t old = 0;
    for (uint32_t i = 0; i < sizeof reserved / sizeof reserved[0]; ++i) {
        const uint32_t frame = (uint32_t)FRAME + 5 * i; /* frame numbers wrap */
        trial_insert(trial, i == 1 ? 0 : 120 * i, 970);
        trial_erase(trial, 50 * i, 40, 1, 0);
        trial_check(trial, false);
        memcpy(slots, &trial->words[PASS_SLOTS], sizeof slots);
        stamp_slots(trial, &random, frame);
        pair_adopt(&trial->pair);
        MurEvict info = of(frame, 21);
        info.reservedSlots = reserved[i];
        const Eviction e = expected_eviction(trial, &info);
        assert_true((e.early > 5) == (reserved[i] > 0) && (e.in_use > 0) == (reserved[i] > 0));
        old += e.count - e.early;
        const MurEvictResult result = age(trial, info);
        for (uint32_t key = 0; key < PASS_ITEMS; ++key) {
            trial->there[key] = trial->there[key] && !e.goes[slots[key]];
        }
        trial_check(trial, true);
        assert_int_equal(result.erased, e.count);
        check_list(trial, PASS_ERASED, result.erased, false);
        for (uint32_t j = 0; j < result.erased; ++j) {
            assert_true(e.goes[trial->words[PASS_ERASED + j]]);
        }
        check_list(trial, PASS_LIVE, result.live, true);
    }
    assert_true(old > 5); /* some entries are older than maxAge */
}

/* Tests numbers of workgroups close to 65,535, the limit of one dispatch dimension. If a list is
 * absent, its maximum length has no effect. */
GPU_TEST(indirect_arguments_are_in_range) {
    enum { MANY = 1 << 18 };
    const MurTable table = GPU_TABLE(gpu, .capacity = MANY, .type = murTypeBucketsK32V32(),
                                     .flags = MUR_TABLE_AGES);
    GpuBuffer memory = gpu_buffer(gpu, 12 * MANY + 32);
    uint32_t *words = memory.mapped;
    for (uint32_t i = 0; i < 2 * MANY; ++i) {
        words[i] = i;
    }
    const MurBatch batch = {.maxCount = 70000,
                            .keys = gpu_part(&memory, 0, 70000),
                            .values = gpu_part(&memory, 0, 70000)};
    GPU_RUN(gpu, murCmdInsert(gpu->cmd, table, MUR_MODE_INSERT, &batch));
    const uint32_t most[] = {0, 1, 65534, 65535, 65536, 70000, 128, 129};
    for (uint32_t i = 0; i < 2 * sizeof most / sizeof most[0]; ++i) {
        MurEvict age = {.frame = 1, .maxAge = 5, .groupEntries = i % 8 < 6 ? 1 : 128};
        const uint32_t at = i % 8, old = i / 8; /* 0: list of live slots; 1: of evicted slots */
        if (most[at]) {
            *(old ? &age.erased : &age.live) = gpu_part(&memory, MANY, MANY);
        }
        *(old ? &age.maxErased : &age.maxLive) = most[at] ? most[at] : 128;
        age.result = gpu_part(&memory, 3 * MANY, 8);
        age.frame = old ? 100 : 1;
        if (old && at) {
            GPU_RUN(gpu, murCmdInsert(gpu->cmd, table, MUR_MODE_INSERT, &batch));
            const MurEvict first = {.frame = 1, .maxAge = 5};
            GPU_RUN(gpu, murCmdEvict(gpu->cmd, table, &first));
        }
        GPU_RUN(gpu, murCmdEvict(gpu->cmd, table, &age));
        MurEvictResult result;
        memcpy(&result, &words[3 * MANY], sizeof result);
        assert_int_equal(old ? result.erased : result.live, 70000);
        assert_int_equal(old ? result.live : result.erased, 0);
        check_groups(old ? result.erasedGroups : result.liveGroups, most[at], age.groupEntries);
        check_groups(old ? result.liveGroups : result.erasedGroups, 0, 1);
    }
    gpu_free(gpu, &memory);
    murDestroyTable(table);
}
