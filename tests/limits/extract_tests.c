/* Extraction into arrays that are too small, by each predicate, with some arrays left out;
 * statistics into exactly their bytes.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0x0BADF00D, GUARD = 64, CAPACITY = 3000, SEED = 5 };

/* Arrays with guards: count at word GUARD, then keys, values, slots of maxCount words each. */
typedef struct Target {
    GpuBuffer buffer;
    uint32_t *words;
    uint32_t maxCount;
} Target;

/* Where array 1, 2 or 3 starts; 4: the end. */
static uint32_t target_start(const Target *target, uint32_t which) {
    return GUARD + 1 + GUARD + (which - 1) * (target->maxCount + GUARD);
}

static Target target_new(Gpu *gpu, uint32_t maxCount) {
    Target target = {.maxCount = maxCount};
    uint32_t words = target_start(&target, 4);
    target.buffer = gpu_buffer(gpu, 4ull * words);
    target.words = target.buffer.mapped;
    for (uint32_t i = 0; i < words; ++i) {
        target.words[i] = POISON;
    }
    return target;
}

static MurArray target_array(const Target *target, uint32_t which) {
    return gpu_part(&target->buffer, target_start(target, which), target->maxCount);
}

/* arrays: bit 0 keys, bit 1 values, bit 2 slots. */
static uint32_t extract_into(Gpu *gpu, MurTable table, Target *target, uint32_t arrays,
                             const MurPredicate *predicate) {
    const MurArray none = {0, 0};
    const MurExtract extract = {
        .maxCount = target->maxCount,
        .countAddress = gpu_part(&target->buffer, GUARD, 1).address,
        .keys = arrays & 1 ? target_array(target, 1) : none,
        .values = arrays & 2 ? target_array(target, 2) : none,
        .slots = arrays & 4 ? target_array(target, 3) : none,
        .predicates = {predicate ? *predicate : (MurPredicate){0}},
    };
    gpu_begin(gpu);
    gpu_require(murCmdExtract(gpu->cmd, table, &extract));
    gpu_submit(gpu);
    return target->words[GUARD];
}

/* Words outside the first written of each array, and all guards, are untouched. */
static void expect_only(const Target *target, uint32_t arrays, uint32_t written) {
    uint32_t words = target_start(target, 4);
    bool *touchable = calloc(words, sizeof *touchable);
    assert_non_null(touchable);
    touchable[GUARD] = true;
    for (uint32_t which = 1; which <= 3; ++which) {
        for (uint32_t i = 0; i < written && (arrays >> (which - 1) & 1); ++i) {
            touchable[target_start(target, which) + i] = true;
        }
    }
    for (uint32_t i = 0; i < words; ++i) {
        if (!touchable[i] && target->words[i] != POISON) {
            fail_msg("%u entries at most, arrays 0x%x: word %u was written: 0x%x", target->maxCount,
                     arrays, i, target->words[i]);
        }
    }
    free(touchable);
}

/* Keys 1 to count; key i has value 3 * i. */
static MurTable filled_table(Gpu *gpu, const Kind *kind, uint32_t count) {
    MurTable table = roomy_table(gpu, kind, CAPACITY, SEED);
    Items items = items_new(count);
    for (uint32_t i = 0; i < count; ++i) {
        items.keys[i] = i + 1;
        items.values[i] = 3 * (i + 1);
    }
    insert_items(gpu, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, "fill");
    items_free(&items);
    return table;
}

/* The entries written are entries of the table, each once. */
static void expect_entries(const Target *target, uint32_t arrays, uint32_t written,
                           const MurTableRef *ref) {
    const uint32_t *keys = target->words + target_start(target, 1);
    const uint32_t *values = target->words + target_start(target, 2);
    const uint32_t *slots = target->words + target_start(target, 3);
    bool seen[CAPACITY + 1] = {false};
    for (uint32_t i = 0; i < written && (arrays & 3); ++i) {
        uint32_t key = arrays & 1 ? keys[i] : values[i] / 3;
        bool twice = key > CAPACITY || seen[key];
        if (twice || ((arrays & 3) == 3 && values[i] != 3 * key) ||
            ((arrays & 4) && slots[i] > ref->slotCount)) {
            fail_msg("entry %u, arrays 0x%x: key %u, value %u, slot %u%s", i, arrays, key,
                     values[i], slots[i], twice ? ", not an entry or seen before" : "");
        }
        seen[key] = true;
    }
}

static void extract_up_to(Gpu *gpu, MurTable table, uint32_t maxCount, uint32_t live,
                          uint32_t arrays) {
    const MurTableRef ref = murGetTableRef(table);
    Target target = target_new(gpu, maxCount);
    uint32_t count = extract_into(gpu, table, &target, arrays, NULL);
    if (count != live) {
        fail_msg("%u entries at most, arrays 0x%x: count %u, expected %u", maxCount, arrays, count,
                 live);
    }
    uint32_t written = live < maxCount ? live : maxCount;
    expect_only(&target, arrays, written);
    expect_entries(&target, arrays, written, &ref);
    gpu_free(gpu, &target.buffer);
}

static void small_arrays_get_the_first_entries_and_the_whole_count(void **state) {
    static const uint32_t counts[] = {1, 2, 255, 256, 257, 999, 1000, 1001, 2000};
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = filled_table(*state, &kinds[k], 1000);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            extract_up_to(*state, table, counts[i], 1000, 7);
        }
        murDestroyTable(table);
    }
}

static void no_room_at_all_still_counts(void **state) {
    MurTable table = filled_table(*state, &kinds[0], 1000);
    extract_up_to(*state, table, 0, 1000, 0);
    murDestroyTable(table);
}

static void each_array_can_be_left_out(void **state) {
    MurTable table = filled_table(*state, &kinds[1], 500);
    for (uint32_t arrays = 0; arrays < 8; ++arrays) {
        extract_up_to(*state, table, 600, 500, arrays);
        extract_up_to(*state, table, 100, 500, arrays);
    }
    murDestroyTable(table);
}

static void an_empty_table_gives_nothing(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = filled_table(*state, &kinds[k], 0);
        extract_up_to(*state, table, 10, 0, 7);
        murDestroyTable(table);
    }
}

static bool satisfies(const MurPredicate *predicate, uint32_t value) {
    uint32_t masked = value & (predicate->mask ? predicate->mask : UINT32_MAX);
    switch (predicate->compare) {
    case MUR_COMPARE_EQUAL:
        return masked == predicate->reference;
    case MUR_COMPARE_NOT_EQUAL:
        return masked != predicate->reference;
    case MUR_COMPARE_LESS:
        return masked < predicate->reference;
    case MUR_COMPARE_GREATER_EQUAL:
        return masked >= predicate->reference;
    default:
        return true;
    }
}

/* All masks and references with one comparison, against the same sum on the host. */
static void extract_where(Gpu *gpu, uint32_t compare) {
    enum { LIVE = 1000 };
    static const uint32_t masks[] = {0, 0xFF, 0x80000001, 1, UINT32_MAX};
    static const uint32_t references[] = {0, 1, 42, 300, 0x80000000, UINT32_MAX};
    MurTable table = filled_table(gpu, &kinds[0], LIVE);
    Items out = items_new(LIVE);
    for (uint32_t i = 0; i < 30; ++i) {
        const MurPredicate predicate = {
            .compare = compare, .mask = masks[i / 6], .reference = references[i % 6]};
        uint64_t expectedSum = 0, sum = 0;
        uint32_t expected = 0, count;
        for (uint32_t key = 1; key <= LIVE; ++key) {
            expected += satisfies(&predicate, 3 * key);
            expectedSum += satisfies(&predicate, 3 * key) ? 3 * key : 0;
        }
        gpu_require(murBlockingExtract(gpu->blocking, table, 1, &predicate, out.count, out.keys,
                                       out.values, NULL, &count));
        for (uint32_t j = 0; j < count && j < LIVE; ++j) {
            sum += satisfies(&predicate, out.values[j]) ? out.values[j] : UINT32_MAX;
            assert_int_equal(out.values[j], 3 * out.keys[j]);
        }
        if (count != expected || sum != expectedSum) {
            fail_msg("compare %d, mask 0x%x, reference 0x%x: %u entries, expected %u", compare,
                     predicate.mask, predicate.reference, count, expected);
        }
    }
    items_free(&out);
    murDestroyTable(table);
}

static void extract_where_always(void **state) {
    extract_where(*state, MUR_COMPARE_ALWAYS);
}

static void extract_where_equal(void **state) {
    extract_where(*state, MUR_COMPARE_EQUAL);
}

static void extract_where_not_equal(void **state) {
    extract_where(*state, MUR_COMPARE_NOT_EQUAL);
}

static void extract_where_less(void **state) {
    extract_where(*state, MUR_COMPARE_LESS);
}

static void extract_where_greater_or_equal(void **state) {
    extract_where(*state, MUR_COMPARE_GREATER_EQUAL);
}

static void erased_entries_are_not_extracted(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = filled_table(*state, &kinds[k], 1000);
        Items items = items_new(400);
        for (uint32_t i = 0; i < items.count; ++i) {
            items.keys[i] = 1 + 2 * i; /* odd keys below 800 */
        }
        erase_items(*state, table, &items);
        expect_statuses(&items, MUR_ERASED, kinds[k].name);
        extract_up_to(*state, table, 1000, 600, 7);
        items_free(&items);
        murDestroyTable(table);
    }
}

static void extraction_starts_its_count_anew(void **state) {
    Gpu *gpu = *state;
    MurTable table = filled_table(gpu, &kinds[0], 50);
    Target target = target_new(gpu, 60);
    assert_int_equal(extract_into(gpu, table, &target, 7, NULL), 50);
    assert_int_equal(extract_into(gpu, table, &target, 7, NULL), 50);
    gpu_free(gpu, &target.buffer);
    murDestroyTable(table);
}

static void statistics_fill_exactly_their_bytes(void **state) {
    Gpu *gpu = *state;
    MurTable table = filled_table(gpu, &kinds[0], 50);
    Target target = target_new(gpu, MUR_STATS_WORDS);
    for (uint32_t round = 0; round < 2; ++round) { /* the second must not add to the first */
        gpu_begin(gpu);
        gpu_require(murCmdStats(gpu->cmd, table, target_array(&target, 1)));
        gpu_submit(gpu);
        MurStats stats;
        memcpy(&stats, target.words + target_start(&target, 1), sizeof stats);
        assert_int_equal(stats.live, 50);
        assert_int_equal(stats.live + stats.erased + stats.free,
                         murGetTableRef(table).slotCount + 1);
        assert_int_equal(stats.reserved, 0);
    }
    target.words[GUARD] = POISON;
    expect_only(&target, 1, MUR_STATS_WORDS);
    gpu_free(gpu, &target.buffer);
    murDestroyTable(table);
}

const struct CMUnitTest extract_tests[] = {
    gpu_test(small_arrays_get_the_first_entries_and_the_whole_count),
    gpu_test(no_room_at_all_still_counts),
    gpu_test(each_array_can_be_left_out),
    gpu_test(an_empty_table_gives_nothing),
    gpu_test(extract_where_always),
    gpu_test(extract_where_equal),
    gpu_test(extract_where_not_equal),
    gpu_test(extract_where_less),
    gpu_test(extract_where_greater_or_equal),
    gpu_test(erased_entries_are_not_extracted),
    gpu_test(extraction_starts_its_count_anew),
    gpu_test(statistics_fill_exactly_their_bytes),
};
const size_t extract_test_count = sizeof extract_tests / sizeof extract_tests[0];
