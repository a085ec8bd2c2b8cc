/* Rehash into other capacities, merge, and snapshots of every format.
 *
 * SPDX-License-Identifier: MIT */
#include "image.h"

#include "oracle/oracle.h"
#include "support/seed.h"

#include <murmuration/host_multi.h>
#include <murmuration/snapshot.h>

#include <stdlib.h>
#include <string.h>

static uint32_t state_of(const Image *image) {
    return ((const uint32_t *)image->table.pImage)[MUR_HEADER_STATE];
}

/* Fills a source: keys 0 ... count - 1 with value key + 1, in another order than that of their
 * hashes; then erases every third. where: homes anywhere, in the first sixteenth, or in the last
 * slots. */
typedef enum Where { ANYWHERE, CROWDED, AT_THE_END } Where;

static uint64_t key_of(const MurTableRef *ref, Where where, uint32_t i) {
    const uint32_t random = mur_hash(i, 99), format = MUR_TABLE_FORMAT(ref->flags);
    const uint32_t word = where == CROWDED      ? random >> 4
                          : where == AT_THE_END ? UINT32_MAX - (random >> 20) * 16 - i % 16
                                                : random;
    return oracle_key(format, oracle_hash_of(format, word, i), ref->seed);
}

static uint32_t fill(const Image *image, Where where, uint32_t count) {
    const MurHostTable *table = &image->table;
    uint32_t inserted = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = key_of(&table->ref, where, i);
        inserted += murHostInsert(table, MUR_MODE_ASSIGN, key, key % 1000 + 1).status ==
                    MUR_INSERTED;
    }
    for (uint32_t i = 0; i < count; i += 3) {
        inserted -= murHostErase(table, key_of(&table->ref, where, i)).status == MUR_ERASED;
    }
    return inserted;
}

/* Each slot is where a probe for its key ends, and in the order that the state claims. */
static void check_slots(const Image *image) {
    const MurTableRef *ref = &image->table.ref;
    const OracleConfig config = {.format = MUR_TABLE_FORMAT(ref->flags),
                                 .capacity = ref->capacity,
                                 .slotCount = ref->slotCount,
                                 .seed = ref->seed,
                                 .probeLimit = UINT64_MAX,
                                 .zero = (ref->flags & MUR_TABLE_ZERO) != 0};
    Oracle oracle;
    oracle_open(&oracle, &config);
    const char *wrong = oracle_adopt(&oracle, image->table.pImage);
    if (wrong || (oracle.ordered && oracle_disorder(&oracle) != MUR_NO_SLOT)) {
        fail_msg("%s", wrong ? wrong : "out of order");
    }
    oracle_close(&oracle);
}

/* Every entry of the source is in the destination and nothing else; the map says where. */
static void check_moved(const Image *source, const Image *destination, const uint32_t *map,
                        const MurHostMoved *moved) {
    const MurHostTable *from = &source->table, *to = &destination->table;
    uint32_t live = 0, slot = 0;
    for (MurHostEntry entry = {0}; murHostNext(from, &entry); ++live) {
        const MurHostResult got = murHostFind(to, entry.key);
        if (got.status != MUR_FOUND || got.value != entry.value || map[entry.slot] != got.slot) {
            fail_msg("key 0x%llx of slot %u: %s in slot %u with value %llu, not %llu; the map says "
                     "%u",
                     (unsigned long long)entry.key, entry.slot, murStatusName(got.status), got.slot,
                     (unsigned long long)got.value, (unsigned long long)entry.value,
                     map[entry.slot]);
        }
        for (; slot < entry.slot; ++slot) {
            assert_int_equal(map[slot], MUR_NO_SLOT);
        }
        ++slot;
    }
    for (; slot <= from->ref.slotCount; ++slot) {
        assert_int_equal(map[slot], MUR_NO_SLOT);
    }
    MurStats before, after;
    murHostStats(from, &before);
    murHostStats(to, &after);
    assert_int_equal(after.live, live);
    assert_int_equal(after.erased, 0);
    assert_int_equal(moved->moved, live);
    assert_int_equal(moved->dropped, before.erased);
    assert_int_equal(moved->failed, 0);
    assert_int_equal(moved->met, 0);
}

static void rehash_and_check(const Image *source, const MurTableCreateInfo *info, bool ordered) {
    Image destination = image_open(info);
    murHostInsert(&destination.table, MUR_MODE_ASSIGN, 0xDEAD, 1); /* replaced */
    uint32_t *copy = malloc((size_t)source->size);
    uint32_t *map = malloc(4 * ((size_t)source->table.ref.slotCount + 2)); /* a set's extra slots */
    assert_true(copy && map);
    memcpy(copy, source->table.pImage, (size_t)source->size);
    MurHostMoved moved;
    assert_int_equal(murHostRehash(&source->table, &destination.table, map, &moved), VK_SUCCESS);
    check_moved(source, &destination, map, &moved);
    assert_memory_equal(copy, source->table.pImage, (size_t)source->size);
    if (ordered) {
        assert_int_equal(state_of(&destination), MUR_STATE_ORDERED);
    }
    check_slots(&destination);
    free(map);
    free(copy);
    image_close(&destination);
}

PLAIN_TEST(rehash_into_any_capacity) {
    static const uint64_t capacities[] = {2100, 2200, 3000, 4000, 8192, 100000};
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        for (Where where = ANYWHERE; where <= AT_THE_END; ++where) {
            MurTableCreateInfo info = kind_info(&table_kinds[kind], 4000);
            info.seed = 0x5EED;
            info.probeLimit = 4000;
            Image source = image_open(&info);
            const uint32_t live = fill(&source, where, 3000);
            assert_int_equal(live, image_live(&source.table));
            for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
                if (!test_full() && ((int)i + kind + (int)where) % 2 != 0) {
                    continue;
                }
                const int width = kind < KINDS_WITH_WIDTHS ? kind ^ ((int)i % 2 * 2) : kind;
                MurTableCreateInfo other = kind_info(kind_without_buckets(&table_kinds[width]),
                                                     capacities[i]);
                other.probeLimit = capacities[i];
                other.seed = i < 4 ? 0x5EED : (uint32_t)i;
                rehash_and_check(&source, &other, where == ANYWHERE || i >= 4);
            }
            image_close(&source);
        }
    }
}

PLAIN_TEST(the_extra_slot_moves_along) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 10);
        Image source = image_open(&info);
        murHostInsert(&source.table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, 0), 1);
        murHostInsert(&source.table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, 9), 2);
        info.capacity = 20;
        rehash_and_check(&source, &info, true);
        info.seed = 9; /* the other one's place there */
        rehash_and_check(&source, &info, true);
        image_close(&source);
        info = kind_info(&table_kinds[kind],
                         224); /* 256 slots: the extra one is in a chunk of its own */
        source = image_open(&info);
        assert_int_equal(source.table.ref.slotCount, 256);
        murHostInsert(&source.table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, 0), 1);
        rehash_and_check(&source, &info, true);
        Image merged = image_open(&info);
        MurHostMoved moved;
        assert_int_equal(murHostMerge(&source.table, &merged.table, MUR_MODE_KEEP, &moved),
                         VK_SUCCESS);
        assert_int_equal(moved.moved, 1);
        assert_int_equal(murHostFind(&merged.table, mur_key(MUR_EMPTY, 0)).value, 1);
        image_close(&merged);
        image_close(&source);
    }
}

/* A destination that is too small keeps what fits, says how much does not, and counts it. */
PLAIN_TEST(what_does_not_fit_is_reported) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 1000);
        Image source = image_open(&info);
        for (uint32_t key = 0; key < 1000; ++key) {
            murHostInsert(&source.table, MUR_MODE_ASSIGN, key, key + 1);
        }
        info.capacity = 100; /* 116 slots */
        Image destination = image_open(&info);
        uint32_t *map = test_allocate(4 * ((size_t)source.table.ref.slotCount + 1));
        MurHostMoved moved;
        assert_int_equal(murHostRehash(&source.table, &destination.table, map, &moved), VK_SUCCESS);
        assert_int_equal(moved.moved, 116);
        assert_int_equal(moved.failed, 1000 - 116);
        MurStats stats;
        murHostStats(&destination.table, &stats);
        assert_int_equal(stats.live, 116);
        assert_int_equal(stats.full, 1000 - 116);
        check_slots(&destination);
        uint32_t mapped = 0;
        for (MurHostEntry entry = {0}; murHostNext(&source.table, &entry);) {
            const MurHostResult got = murHostFind(&destination.table, entry.key);
            assert_int_equal(map[entry.slot], got.slot);
            mapped += got.status == MUR_FOUND;
        }
        assert_int_equal(mapped, 116);
        assert_int_equal(image_live(&source.table), 1000);
        free(map);
        image_close(&destination);
        image_close(&source);
    }
}

/* A damaged source has a key in two slots: the second copy is reported, not moved. */
PLAIN_TEST(rehash_of_a_key_in_two_slots_moves_one) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 30);
        Image source = image_open(&info), destination = image_open(&info);
        uint64_t *slots = (uint64_t *)((uint8_t *)source.table.pImage + MUR_HEADER_SIZE);
        const uint32_t slot = murHostInsert(&source.table, MUR_MODE_ASSIGN, 5, 50).slot;
        slots[slot ? 0 : 1] = slots[slot];
        MurHostMoved moved;
        assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, &moved),
                         VK_SUCCESS);
        assert_int_equal(moved.moved, 1);
        assert_int_equal(moved.failed, 1);
        assert_int_equal(image_live(&destination.table), 1);
        image_close(&destination);
        image_close(&source);
    }
}

/* Clusters that would pass the table's end wrap, and the state says so. */
PLAIN_TEST(a_full_end_wraps) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 64);
        Image source = image_open(&info);
        for (uint32_t i = 0; i < 20; ++i) { /* 12 slots of padding: 64 + 8 + 4 */
            murHostInsert(&source.table, MUR_MODE_ASSIGN, mur_key(UINT32_MAX - 1 - i, 0), i + 1);
        }
        assert_true(state_of(&source) & MUR_STATE_WRAPPED);
        rehash_and_check(&source, &info, false);
        Image destination = image_open(&info);
        assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, NULL), VK_SUCCESS);
        assert_int_equal(state_of(&destination), MUR_STATE_WRAPPED);
        image_close(&destination);
        image_close(&source);
        source = image_open(&info); /* of another seed: others come after those that wrap */
        info.seed = 9;
        destination = image_open(&info);
        for (uint32_t i = 0; i < 20; ++i) {
            murHostInsert(&source.table, MUR_MODE_ASSIGN, mur_key(UINT32_MAX - 1 - i, 9), 1);
            murHostInsert(&source.table, MUR_MODE_ASSIGN, mur_key(i << 27, 9), 1);
        }
        assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, NULL), VK_SUCCESS);
        assert_int_equal(state_of(&destination), MUR_STATE_WRAPPED);
        image_close(&destination);
        image_close(&source);
    }
}

/* An entry may be pushed no further than its probe limit lets a find go. */
PLAIN_TEST(order_does_not_break_the_probe_limit) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 256);
        info.probeLimit = 4;
        Image source = image_open(&info);
        Random random = {3};
        for (uint32_t i = 0; i < 400; ++i) {
            murHostInsert(&source.table, MUR_MODE_ASSIGN, (uint32_t)random_next(&random), 1);
        }
        MurStats stats;
        murHostStats(&source.table, &stats);
        assert_true(stats.full > 0);
        for (info.seed = 0; info.seed < 20; ++info.seed) { /* in another order each time */
            Image destination = image_open(&info);
            MurHostMoved moved;
            assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, &moved),
                             VK_SUCCESS);
            assert_int_equal(moved.moved + moved.failed, stats.live);
            uint32_t found = 0;
            for (MurHostEntry entry = {0}; murHostNext(&destination.table, &entry); ++found) {
                assert_int_equal(murHostFind(&destination.table, entry.key).slot, entry.slot);
            }
            assert_int_equal(found, moved.moved);
            image_close(&destination);
        }
        image_close(&source);
    }
}

/* The source's reserved value may be a value, and the destination's a value of the source. */
PLAIN_TEST(reserved_values_may_differ) {
    const MurTableCreateInfo zero = kind_info(&table_kinds[1], 10),
                             max = kind_info(&table_kinds[0], 10);
    Image source = image_open(&zero), destination = image_open(&max);
    murHostInsert(&source.table, MUR_MODE_ASSIGN, 1, 100);
    murHostInsert(&source.table, MUR_MODE_ASSIGN, 2, UINT32_MAX);
    MurHostMoved moved;
    assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, &moved), VK_SUCCESS);
    assert_int_equal(moved.moved, 1);
    assert_int_equal(moved.failed, 1);
    MurStats stats;
    murHostStats(&destination.table, &stats);
    assert_int_equal(stats.refused, 1);
    assert_int_equal(murHostMerge(&source.table, &destination.table, MUR_MODE_KEEP, &moved),
                     VK_SUCCESS);
    assert_int_equal(moved.met, 1);
    assert_int_equal(moved.failed, 1);
    image_close(&destination);
    image_close(&source);
}

PLAIN_TEST(bad_arguments_change_nothing) {
    const MurTableCreateInfo info = {.capacity = 10};
    Image image = image_open(&info), other = image_open(&info);
    murHostInsert(&image.table, MUR_MODE_ASSIGN, 1, 1);
    murHostInsert(&other.table, MUR_MODE_ASSIGN, 2, 2);
    assert_refused(murHostRehash(&image.table, &image.table, NULL, NULL));
    assert_refused(murHostRehash(NULL, &other.table, NULL, NULL));
    assert_refused(murHostRehash(&image.table, NULL, NULL, NULL));
    assert_refused(murHostMerge(&image.table, &image.table, MUR_MODE_KEEP, NULL));
    assert_refused(murHostMerge(NULL, &other.table, MUR_MODE_KEEP, NULL));
    assert_refused(murHostMerge(&image.table, NULL, MUR_MODE_KEEP, NULL));
    assert_refused(murHostMerge(&image.table, &other.table, MUR_MODE_ADD, NULL));
    assert_refused(murHostMerge(&image.table, &other.table, (MurInsertMode)7, NULL));
    assert_int_equal(image_live(&image.table), 1);
    assert_int_equal(image_live(&other.table), 1);
    image_close(&other);
    image_close(&image);
}

/* Merge by each mode: keys of one, of the other, of both. */
static void merge(const TableKind *kind, MurInsertMode mode) {
    static const uint64_t combined[] = {10, 12, 22, 10, 12, 14, 10}; /* of 12 there, 10 given */
    const bool update = mode == MUR_MODE_UPDATE, set = kind_is_set(kind);
    MurTableCreateInfo info = kind_info(kind_without_buckets(kind), 2000);
    Image destination = image_open(&info);
    info = kind_info(kind, 3000);
    info.seed = 11;
    Image source = image_open(&info);
    for (uint32_t key = 0; key < 1000; ++key) {
        murHostInsert(&destination.table, MUR_MODE_ASSIGN, key, 12);
        murHostInsert(&source.table, MUR_MODE_ASSIGN, key + 600, 10);
    }
    for (uint32_t key = 1500; key < 1600; ++key) {
        murHostErase(&source.table, key);
    }
    MurHostMoved moved;
    assert_int_equal(murHostMerge(&source.table, &destination.table, mode, &moved), VK_SUCCESS);
    assert_int_equal(moved.moved, update ? 0 : 500);
    assert_int_equal(moved.met, 400);
    assert_int_equal(moved.dropped, 100);
    assert_int_equal(moved.failed, 0);
    assert_int_equal(image_live(&destination.table), update ? 1000 : 1500);
    for (uint32_t key = 0; key < 1600; ++key) {
        const MurHostResult got = murHostFind(&destination.table, key);
        const uint64_t expected = set ? 1 : key < 600 ? 12 : key < 1000 ? combined[mode] : 10;
        const bool there = key < 1000 || (key < 1500 && !update);
        assert_int_equal(got.status, there ? MUR_FOUND : MUR_ABSENT);
        assert_true(!there || got.value == expected);
    }
    check_slots(&destination);
    image_close(&source);
    image_close(&destination);
}

PLAIN_TEST(merge_treats_common_keys_as_the_mode_says) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        for (MurInsertMode mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
            if (kind_offers(&table_kinds[kind], mode)) {
                merge(&table_kinds[kind], mode);
            }
        }
    }
}

PLAIN_TEST(formats_do_not_mix) {
    const int kinds[] = {KIND_k32v32_64_max, KIND_k64v32_64_max, KIND_k32_set, KIND_k64_set,
                         KIND_k64v64_max};
    for (int i = 0; i < 25; ++i) {
        const MurTableCreateInfo from = kind_info(&table_kinds[kinds[i / 5]], 10),
                                 to = kind_info(&table_kinds[kinds[i % 5]], 10);
        Image source = image_open(&from), destination = image_open(&to);
        const VkResult expected = i / 5 == i % 5 ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT;
        assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, NULL), expected);
        assert_int_equal(murHostMerge(&source.table, &destination.table, MUR_MODE_KEEP, NULL),
                         expected);
        image_close(&source);
        image_close(&destination);
    }
}

PLAIN_TEST(buckets_are_no_destination) {
    for (int kind = TABLE_KINDS; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo from = kind_info(kind_without_buckets(&table_kinds[kind]), 10),
                                 to = kind_info(&table_kinds[kind], 10);
        Image source = image_open(&from), destination = image_open(&to);
        murHostInsert(&destination.table, MUR_MODE_KEEP, 1, 1);
        assert_int_equal(murHostMultiInsert(&destination.table, 1, 1), MUR_UNSUPPORTED);
        assert_refused(murHostRehash(&source.table, &destination.table, NULL, NULL));
        assert_refused(murHostMerge(&source.table, &destination.table, MUR_MODE_KEEP, NULL));
        const uint64_t size = murGetSnapshotSize(&source.table);
        uint8_t *data = test_allocate((size_t)size);
        assert_int_equal(murWriteSnapshot(&source.table, data, size), VK_SUCCESS);
        assert_refused(murLoadSnapshotFromMemory(data, size, &destination.table));
        assert_int_equal(image_live(&destination.table), 1);
        free(data);
        image_close(&source);
        image_close(&destination);
    }
}

/* Into an image of the same kind, with each bit wrong, into a larger one, or one with ages, into
 * another format's. In buckets, erased keys and what the filter that does not count is about to be
 * are not saved. */
PLAIN_TEST(snapshots_of_every_kind) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo made = kind_info(&table_kinds[kind], 130);
        const MurTableCreateInfo foreign = kind_info(&table_kinds[(kind + 4) % TABLE_KINDS], 500);
        const bool buckets = made.flags != 0;
        Image source = image_open(&made);
        ((uint32_t *)source.table.pImage)[MUR_HEADER_STATE] = buckets ? MUR_STATE_FILTER : 0;
        fill(&source, ANYWHERE, buckets ? 200 : 100);
        const uint64_t size = murGetSnapshotSize(&source.table);
        uint8_t *data = test_allocate((size_t)size);
        assert_int_equal(murWriteSnapshot(&source.table, data, size), VK_SUCCESS);
        assert_memory_equal(data + 64, source.table.pImage, (size_t)source.size);
        MurSnapshotInfo info;
        assert_int_equal(murReadSnapshotInfoFromMemory(data, size, &info), VK_SUCCESS);
        assert_int_equal(info.createInfo.format, made.format);
        assert_int_equal(info.imageSize, source.size);
        assert_int_equal(info.entries, image_live(&source.table));
        Image copy = image_open(&info.createInfo);
        assert_memory_equal(&copy.table.ref, &source.table.ref, sizeof copy.table.ref);
        assert_int_equal(murLoadSnapshotFromMemory(data, size, &copy.table), VK_SUCCESS);
        for (size_t i = 0; i < 8 * (size_t)size; i += 5) { /* not every bit, for time */
            data[i / 8] ^= (uint8_t)(1 << i % 8);
            assert_int_not_equal(murLoadSnapshotFromMemory(data, size, &copy.table), VK_SUCCESS);
            data[i / 8] ^= (uint8_t)(1 << i % 8);
        }
        murHostRebuildFilter(&source.table);
        assert_memory_equal(copy.table.pImage, source.table.pImage, (size_t)copy.size);
        if (kind < KINDS_WITH_WIDTHS || buckets) { /* the other width's slots may have no tags */
            MurTableCreateInfo wide = info.createInfo;
            const bool tags = buckets && made.format == MUR_FORMAT_K64;
            wide.atomicWidth = kind_is_wide(&table_kinds[kind]) || made.format == MUR_FORMAT_K32
                                   ? MUR_ATOMIC_WIDTH_32
                                   : MUR_ATOMIC_WIDTH_64;
            Image width = image_open(&wide);
            assert_int_equal(murLoadSnapshotFromMemory(data, size, &width.table),
                             tags ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
            image_require_same_entries(tags ? &copy.table : &source.table,
                                       tags ? &source.table : &width.table);
            image_close(&width);
        }
        if (buckets && kind % 2) {
            info.createInfo.flags = MUR_TABLE_BUCKETS | MUR_TABLE_AGES;
        } else {
            info.createInfo.capacity = 3000;
        }
        Image larger = image_open(&info.createInfo), other = image_open(&foreign);
        assert_int_equal(murLoadSnapshotFromMemory(data, size, &larger.table),
                         buckets ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS);
        image_require_same_entries(buckets ? &copy.table : &source.table,
                                   buckets ? &source.table : &larger.table);
        assert_refused(murLoadSnapshotFromMemory(data, size, &other.table));
        image_close(&other);
        image_close(&larger);
        image_close(&copy);
        image_close(&source);
        free(data);
    }
}
