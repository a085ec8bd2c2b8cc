/* Tests murCmdEraseWhere with entries that change after its predicates read them and before its
 * atomic erases them, and with incomplete inserts. The program links the library's objects except
 * the kernel of murCmdEraseWhere, which it compiles with race.glsl.
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include "race.h"
#include "support/seed.h"

#include <string.h>

enum { KEYS = 500, SEED = 11 };

/* Returns key number i. The last keys live in sentinel slots, if the format has such slots. */
static uint64_t key_of(const TableKind *kind, uint32_t i) {
    const uint32_t extras = MUR_EXTRA_SLOTS(kind->format);
    if (i >= KEYS - extras && kind->format != MUR_FORMAT_K64V32) {
        return oracle_extra_key(kind->format, KEYS - 1 - i, SEED);
    }
    return MUR_IS_64(kind->format) ? (uint64_t)(i / 3) << 32 | i : i;
}

/* Returns how key number i changes during murCmdEraseWhere: one of RACE_* in race.h. */
static uint32_t race_of(const TableKind *kind, uint32_t i) {
    return kind_is_set(kind) ? (uint32_t)key_of(kind, i) & 3 : i / 2 % 4;
}

static uint64_t value_of(const TableKind *kind, uint32_t i) {
    const uint64_t value = 0x1000 * (i + 1) + race_of(kind, i);
    return kind_value_words(kind) == 2 ? (uint64_t)i << 32 | value : value;
}

static Bulk fill(Gpu *gpu, Pair *pair, const TableKind *kind) {
    /* A bucketed table needs a capacity at which all keys fit. */
    const uint32_t capacity = kind->flags ? 3 * KEYS : KEYS + 50;
    pair_open(gpu, pair, kind, &(PairOptions){.capacity = capacity, .seed = SEED});
    Bulk items = bulk_open(kind->format, KEYS);
    for (uint32_t i = 0; i < KEYS; ++i) {
        bulk_set(&items, i, key_of(kind, i), value_of(kind, i));
    }
    pair_insert(gpu, pair, MUR_MODE_ASSIGN, &items);
    for (uint32_t i = 0; i < KEYS; ++i) {
        assert_int_equal(items.statuses[i], MUR_INSERTED);
    }
    return items;
}

/* Returns the key's index in the list of erased entries, or KEYS. */
static uint32_t listed(const Bulk *erased, uint32_t count, uint64_t key) {
    uint32_t i = 0;
    while (i < count && bulk_key(erased, i) != key) {
        ++i;
    }
    return i < count ? i : KEYS;
}

/* Checks that key i is in the list of erased entries or in the results of a find (found). Its
 * change in race.h decides which. slot: the key's slot before the command. */
static void check_key(const TableKind *kind, uint32_t i, uint32_t slot, const Bulk *erased,
                      uint32_t count, const Bulk *found) {
    const uint32_t race = race_of(kind, i);
    const bool set = kind_is_set(kind);
    const bool gone = set ? race != RACE_ERASE : race == RACE_NOTHING || race == RACE_CHANGE;
    const uint32_t at = listed(erased, count, key_of(kind, i));
    uint64_t value = value_of(kind, i);
    if (race == RACE_CHANGE) {
        value += RACE_CHANGE_BY + (kind_value_words(kind) == 2 ? 1ull << 32 : 0);
    }
    if (gone != (at < KEYS) ||
        (gone && (erased->slots[at] != slot || (!set && bulk_value(erased, at) != value)))) {
        fail_msg("%s: key %u, race %u: %s", kind->name, i, race,
                 at == KEYS ? "not listed" : "listed, or not as it was");
    }
    const bool saved = !set && race == RACE_SAVE;
    if ((found->statuses[i] == MUR_FOUND) != saved ||
        (saved && bulk_value(found, i) != value + RACE_SAVE_BY)) {
        fail_msg("%s: key %u, race %u: %s, 0x%llx", kind->name, i, race,
                 murStatusName(found->statuses[i]), (unsigned long long)bulk_value(found, i));
    }
}

/* Returns whether only the long tier runs the layout. Each layout needs a shader module, and
 * compiling is slow. */
static bool is_long(const TableKind *kind) {
    return !test_full() &&
           (kind->layout == LAYOUT_k32v32_64 || kind->layout == LAYOUT_k64v32_32 ||
            kind->layout == LAYOUT_k64 || kind->layout == LAYOUT_buckets_k32v32_32 ||
            kind->layout == LAYOUT_buckets_k64v32_64 || kind->layout == LAYOUT_buckets_k32 ||
            kind->layout == LAYOUT_buckets_k64_64);
}

EACH_KIND(entries_that_change_are_judged_again) {
    Pair pair;
    if (is_long(kind)) {
        print_message("  in the long tier\n");
        return;
    }
    Bulk items = fill(gpu, &pair, kind), erased = bulk_open(kind->format, KEYS);
    uint32_t slots[KEYS], count, times = 0;
    const MurPredicate unsaved = {.compare = MUR_COMPARE_EQUAL, .mask = RACE_SAVED};
    memcpy(slots, items.slots, sizeof slots);
    gpu_require(murBlockingEraseWhere(gpu->blocking, pair.table, kind_is_set(kind) ? 0 : 1,
                                      &unsaved, KEYS, erased.keys, bulk_values(&erased),
                                      erased.slots, &count));
    assert_in_range(count, KEYS / 3, KEYS);
    pair_find(gpu, &pair, &items);
    for (uint32_t i = 0; i < KEYS; ++i) {
        check_key(kind, i, slots[i], &erased, count, &items);
        times += listed(&erased, count, key_of(kind, i)) < KEYS;
    }
    assert_int_equal(count, times); /* no key is listed twice */
    bulk_close(&items);
    bulk_close(&erased);
    pair_close(gpu, &pair);
}

/* While an insert claims a slot, a scan may read a value with an incomplete key. The command must
 * not erase such entries. */
EACH_LAYOUT(erase_where_keeps_incomplete_inserts) {
    Pair pair;
    if (is_long(kind)) {
        print_message("  in the long tier\n");
        return;
    }
    Bulk items = fill(gpu, &pair, kind);
    const uint32_t words = oracle_slot_words(kind->format), value = words == 2 ? 1 : 2;
    uint32_t *slot = (uint32_t *)pair.memory.mapped + MUR_HEADER_WORDS;
    uint32_t before[4], count;
    while (slot[0] != MUR_EMPTY) {
        slot += words;
    }
    if (!kind_is_set(kind)) {
        slot[0] = kind->format == MUR_FORMAT_K64V32 ? 5 : MUR_EMPTY;
        slot[value] = 0x1000;
    }
    memcpy(before, slot, 4 * words);
    gpu_require(
        murBlockingEraseWhere(gpu->blocking, pair.table, 0, NULL, 0, NULL, NULL, NULL, &count));
    assert_memory_equal(slot, before, 4 * words);
    assert_in_range(count, KEYS / 2, KEYS);
    bulk_close(&items);
    pair_close(gpu, &pair);
}
