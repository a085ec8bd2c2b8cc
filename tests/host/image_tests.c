/* Tests of creating and attaching table memory: sizes, rejected headers, arbitrary content.
 * SPDX-License-Identifier: MIT */
#include "support/image.h"

#include "oracle/bulk.h"
#include "oracle/oracle.h"

#include <murmuration/snapshot.h>

#include <stdlib.h>
#include <string.h>

PLAIN_TEST(sizes_and_headers_match_the_layout) {
    static const struct {
        uint64_t capacity;
        uint32_t slots; /* capacity + an eighth (at most 4096) + a sector, in whole sectors */
    } cases[] = {{1, 8}, {4, 8}, {5, 12}, {100, 116}, {32768, 36864}, {100000, 104096}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        MurTableCreateInfo info = kind_info(&table_kinds[(int)i % KINDS_OF_K32V32],
                                            cases[i].capacity);
        info.seed = 0xABCD;
        info.probeLimit = 9;
        Image image = image_open(&info);
        assert_int_equal(image.size, 256 + 8 * (uint64_t)cases[i].slots);
        MurTableHeader header;
        memcpy(&header, image.table.pImage, sizeof header);
        assert_int_equal(header.magic, 0x5452554D);
        assert_int_equal(header.version, 4);
        assert_int_equal(header.state, 0);
        assert_int_equal(header.capacity, cases[i].capacity);
        assert_int_equal(header.slotCount, cases[i].slots);
        assert_int_equal(header.seed, 0xABCD);
        assert_int_equal(header.flags,
                         (i & 2 ? MUR_TABLE_INT64 : 0) | (i & 1 ? MUR_TABLE_ZERO : 0));
        assert_int_equal(header.probeSectors, cases[i].slots == 8 ? 3 : 4);
        MurHostTable again;
        assert_int_equal(murHostAttach(image.table.pImage, image.size, &again), VK_SUCCESS);
        assert_memory_equal(&again, &image.table, sizeof again);
        image_close(&image);
    }
}

PLAIN_TEST(default_width_is_64) {
    const MurTableCreateInfo info = {.capacity = 10};
    Image image = image_open(&info);
    assert_int_equal(image.table.ref.flags, MUR_TABLE_INT64);
    image_close(&image);
}

PLAIN_TEST(bad_descriptions_are_rejected) {
    static const int other = 0;
    const MurTableCreateInfo good = {.capacity = 10};
    MurTableCreateInfo bad[4] = {good, good, good, good};
    bad[0].capacity = 0;
    bad[1].emptyValue = (MurEmptyValue)2;
    bad[2].atomicWidth = (MurAtomicWidth)16;
    bad[3].pNext = &other;
    uint64_t size = 77;
    for (size_t i = 0; i < 4; ++i) {
        assert_refused(murHostGetImageSize(&bad[i], &size));
    }
    bad[0].capacity = (uint64_t)MUR_MAX_CAPACITY + 1;
    assert_int_equal(murHostGetImageSize(&bad[0], &size), MUR_ERROR_TOO_LARGE);
    assert_refused(murHostGetImageSize(NULL, &size));
    assert_refused(murHostGetImageSize(&good, NULL));
    assert_int_equal(size, 77);
    bad[0].capacity = MUR_MAX_CAPACITY;
    assert_int_equal(murHostGetImageSize(&bad[0], &size), VK_SUCCESS);
    assert_int_equal(size, 256 + 8 * ((uint64_t)MUR_MAX_CAPACITY + 4096));
}

PLAIN_TEST(bad_memory_is_rejected) {
    const MurTableCreateInfo info = {.capacity = 10};
    Image image = image_open(&info);
    uint8_t *memory = image.table.pImage;
    MurHostTable table = {0};
    assert_refused(murHostCreate(&info, memory + 8, image.size - 8, &table));
    assert_refused(murHostCreate(&info, memory, image.size - 1, &table));
    assert_refused(murHostCreate(&info, NULL, image.size, &table));
    assert_refused(murHostCreate(&info, memory, image.size, NULL));
    assert_refused(murHostAttach(memory + 8, image.size - 8, &table));
    assert_refused(murHostAttach(NULL, image.size, &table));
    assert_refused(murHostAttach(memory, image.size, NULL));
    assert_int_equal(murHostAttach(memory, image.size - 1, &table), MUR_ERROR_CORRUPT);
    assert_int_equal(murHostAttach(memory, 255, &table), MUR_ERROR_CORRUPT);
    assert_int_equal(murHostAttach(memory, 0, &table), MUR_ERROR_CORRUPT);
    assert_null(table.pImage);
    image_close(&image);
}

PLAIN_TEST(inconsistent_headers_are_rejected) {
    static const struct {
        uint32_t word, value;
        VkResult result;
        uint32_t format;
    } cases[] = {
        {MUR_HEADER_MAGIC, 0x5452554C, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_VERSION, MUR_LAYOUT_VERSION - 1, MUR_ERROR_VERSION, MUR_FORMAT_K32V32},
        {MUR_HEADER_VERSION, MUR_LAYOUT_VERSION + 1, MUR_ERROR_VERSION, MUR_FORMAT_K32V32},
        {MUR_HEADER_STATE, 4, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_CAPACITY, 0, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_CAPACITY, 101, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_CAPACITY, UINT32_MAX, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_SLOT_COUNT, 112, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_SLOT_COUNT, 120, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_SLOT_COUNT, UINT32_MAX, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_FLAGS, 1u << 31, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_PROBE_SECTORS, 0, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_PROBE_SECTORS, 1, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_PROBE_SECTORS, 31, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_PROBE_SECTORS, UINT32_MAX, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_EXTRA, 0, MUR_ERROR_CORRUPT, MUR_FORMAT_K32V32},
        {MUR_HEADER_EXTRA, 0, MUR_ERROR_CORRUPT, MUR_FORMAT_K64V64},
        {MUR_HEADER_EXTRA + 1, 0, MUR_ERROR_CORRUPT, MUR_FORMAT_K64V64},
        {MUR_HEADER_EXTRA, 2, MUR_ERROR_CORRUPT, MUR_FORMAT_K32},
        {MUR_HEADER_EXTRA + 1, 2, MUR_ERROR_CORRUPT, MUR_FORMAT_K64},
        {MUR_HEADER_EXTRA, 1, VK_SUCCESS, MUR_FORMAT_K32}, /* a key whose hash is a marker */
        {MUR_HEADER_EXTRA + 1, 1, VK_SUCCESS, MUR_FORMAT_K64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        /* 116 slots; a K32V32 table has 29 sectors */
        const MurTableCreateInfo info = {.capacity = 100, .type = format_type(cases[i].format, 0)};
        Image image = image_open(&info);
        uint32_t *words = image.table.pImage;
        MurHostTable table = {0};
        assert_int_equal(murHostAttach(words, image.size, &table), VK_SUCCESS);
        table = (MurHostTable){0};
        words[cases[i].word] = cases[i].value;
        const VkResult result = murHostAttach(words, 2 * image.size, &table);
        if (result != cases[i].result || (table.pImage != NULL) != (result == VK_SUCCESS)) {
            fail_msg("word %u is 0x%x: %s, not %s", cases[i].word, cases[i].value,
                     murResultName(result), murResultName(cases[i].result));
        }
        image_close(&image);
    }
}

/* Tries invalid descriptions, and headers in which one word is wrong. */
PLAIN_TEST(inconsistent_bucketed_headers_are_rejected) {
    uint64_t size;
    for (uint32_t i = 0; i < 32 * MUR_FORMAT_COUNT; ++i) {
        const uint32_t format = i / 32, flags = i % 32 / 2, in = i % 2;
        const MurType type = format_type(format, in * MUR_TABLE_BUCKETS);
        const MurTableCreateInfo info = {
            .capacity = 9, .type = type, .flags = flags * MUR_TABLE_BUCKETS};
        const bool able = flags == 0 || (in && type && flags * MUR_TABLE_BUCKETS == MUR_TABLE_AGES);
        assert_int_equal(murHostGetImageSize(&info, &size),
                         able ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    }
    MurTableCreateInfo info = {.capacity = MUR_MAX_BUCKET_CAPACITY,
                               .type = murHostTypeBucketsK64V32(),
                               .flags = MUR_TABLE_AGES};
    assert_int_equal(murHostGetImageSize(&info, &size), VK_SUCCESS);
    assert_int_equal(size, 256 + 162 * (MUR_MAX_BUCKET_CAPACITY / UINT64_C(8)) + 16 + 16 * 128);
    ++info.capacity;
    assert_int_equal(murHostGetImageSize(&info, &size), MUR_ERROR_TOO_LARGE);
    static const struct {
        uint32_t word, flip;
    } cases[] = {
        {MUR_HEADER_FLAGS, MUR_TABLE_BUCKETS},
        {MUR_HEADER_FLAGS, 1024},
        {MUR_HEADER_FLAGS, MUR_FORMAT_K64V64 * 16},
        {MUR_HEADER_STATE, MUR_STATE_ORDERED},
        {MUR_HEADER_STATE, MUR_STATE_WRAPPED},
        {MUR_HEADER_CAPACITY, 256},
        {MUR_HEADER_SLOT_COUNT, 4},
        {MUR_HEADER_PROBE_SECTORS, 1},
        {MUR_HEADER_EXTRA, 1},
    };
    info = (MurTableCreateInfo){
        .capacity = 128, .type = murHostTypeBucketsK32V32(), .flags = MUR_TABLE_AGES};
    Image image = image_open(&info);
    uint32_t *words = image.table.pImage;
    MurHostTable table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        words[cases[i].word] ^= cases[i].flip;
        assert_int_equal(murHostAttach(words, 9 * image.size, &table), MUR_ERROR_CORRUPT);
        words[cases[i].word] ^= cases[i].flip;
    }
    words[MUR_HEADER_STATE] = MUR_STATE_FILTER;
    assert_int_equal(murHostAttach(words, image.size, &table), VK_SUCCESS);
    assert_int_equal(murHostAttach(words, image.size - 1, &table), MUR_ERROR_CORRUPT);
    image_close(&image);
}

PLAIN_TEST(formats_that_differ_from_the_header_are_rejected) {
    for (int kind = 0; kind < TABLE_KINDS; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 40);
        Image image = image_open(&info);
        uint32_t *words = image.table.pImage;
        MurHostTable table;
        assert_int_equal(murHostAttach(words, image.size, &table), VK_SUCCESS);
        for (uint32_t format = 0; format < 16; ++format) { /* formats of other sizes, or invalid */
            const uint32_t flags = words[MUR_HEADER_FLAGS];
            words[MUR_HEADER_FLAGS] = (flags & ~MUR_TABLE_FORMAT_MASK) |
                                      format << MUR_TABLE_FORMAT_SHIFT;
            const VkResult result = murHostAttach(words, image.size, &table);
            assert_int_equal(result == VK_SUCCESS || result == MUR_ERROR_CORRUPT, true);
            const bool able = format <= MUR_FORMAT_R32 ||
                              (format == MUR_FORMAT_K64V32_MULTI && (flags & MUR_TABLE_ZERO));
            assert_true(able || result == MUR_ERROR_CORRUPT);
            words[MUR_HEADER_FLAGS] = flags;
        }
        if (type_format(info.type) == MUR_FORMAT_K32 || type_format(info.type) == MUR_FORMAT_K64) {
            words[MUR_HEADER_FLAGS] ^= MUR_TABLE_INT64;
            assert_int_equal(murHostAttach(words, image.size, &table), MUR_ERROR_CORRUPT);
        }
        image_close(&image);
    }
}

/* ---- Table memory with arbitrary content ---------------------------------------------------- */

static void call_everything(const MurHostTable *table, const MurHostTable *other, Random *random) {
    enum { ITEMS = 64 };
    const uint32_t format = MUR_TABLE_FORMAT(table->ref.flags), words = oracle_slot_words(format);
    const uint32_t slots = table->ref.slotCount + MUR_EXTRA_SLOTS(format);
    const uint32_t *image = table->pImage;
    Bulk items = bulk_open(format, ITEMS);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        /* Half of the keys have hashes that are in table memory. */
        const uint32_t *slot = image + MUR_HEADER_WORDS +
                               words * random_below(random, table->ref.slotCount);
        const uint64_t hash = i % 2 ? slot[0] | (uint64_t)slot[words > 1] << 32
                                    : random_next(random);
        bulk_set(&items, i,
                 oracle_key(format, MUR_IS_64(format) ? hash : (uint32_t)hash, table->ref.seed),
                 random_next(random));
    }
    const MurInsertMode mode = (MurInsertMode)random_below(random, MUR_MODE_UPDATE + 1);
    murHostInsertBatch(table, mode, ITEMS, items.keys, bulk_values(&items), NULL, items.statuses,
                       items.slots);
    murHostEraseBatch(table, ITEMS / 2, items.keys, bulk_values(&items), items.statuses,
                      items.slots);
    murHostFindBatch(table, ITEMS, items.keys, bulk_values(&items), items.statuses, items.slots);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const uint64_t key = bulk_key(&items, i), value = random_next(random);
        assert_true(items.slots[i] < slots || items.slots[i] == MUR_NO_SLOT);
        murHostInsert(table, mode, key, value);
        murHostErase(table, key);
        murHostFind(table, key);
        murHostSlotExchange(table, (uint32_t)value % (slots + 3), 1);
    }
    bulk_close(&items);
    uint32_t entries = 0;
    for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry);) {
        assert_true(entry.slot < slots);
        assert_true(++entries <= slots);
    }
    MurStats stats;
    murHostStats(table, &stats);
    assert_int_equal(stats.live, entries);
    assert_int_equal((uint64_t)stats.live + stats.erased + stats.freeSlots, slots);
    uint32_t *map = test_allocate(4 * (size_t)slots);
    MurHostMoved moved;
    assert_int_equal(murHostRehash(table, other, map, &moved), VK_SUCCESS);
    assert_int_equal(moved.moved + moved.failed, entries);
    free(map);
    (void)murHostMerge(other, table, MUR_MODE_ASSIGN, &moved);
    murHostRebuildFilter(table);
    uint8_t *snapshot = test_allocate(1 << 16);
    (void)murWriteSnapshot(table, snapshot, 1 << 16);
    free(snapshot);
}

/* Overwrites all words that attaching does not check: slots, counters, state, sentinel slots. Most
 * words are hashes near their slots with few gaps, so that probes are long, or special words. */
static void scramble(const Image *image, Random *random) {
    static const uint32_t odd[] = {0, MUR_EMPTY, MUR_TOMB, 1, 3, 0x80000000};
    const uint32_t format = MUR_TABLE_FORMAT(image->table.ref.flags);
    const uint32_t slotWords = oracle_slot_words(format), keyWords = MUR_IS_64(format) ? 2 : 1;
    uint32_t *words = image->table.pImage;
    const uint32_t style = random_below(random, 4);
    for (uint32_t i = 0; i < (image->size - MUR_HEADER_SIZE) / 4; ++i) {
        const uint32_t noise = (uint32_t)random_next(random), slot = i / slotWords;
        const bool key = i % slotWords < keyWords;
        words[MUR_HEADER_WORDS + i] = style == 3 && noise % 2 ? odd[noise / 2 % 6]
                                      : !key                  ? noise % 3 - 1
                                      : style == 1            ? (uint32_t)(((uint64_t)slot << 32) /
                                                                image->table.ref.slotCount)
                                      : style == 2 && slot % 16 == 0 ? MUR_EMPTY
                                                                     : noise;
    }
    const bool buckets = (image->table.ref.flags & MUR_TABLE_BUCKETS) != 0;
    words[MUR_HEADER_STATE] = buckets ? random_below(random, 2) * MUR_STATE_FILTER
                                      : random_below(random, 4);
    if (format == MUR_FORMAT_K32V32) {
        words[MUR_HEADER_EXTRA + 1] = (uint32_t)random_next(random);
    }
    for (uint32_t i = 0; i < 4; ++i) {
        words[MUR_HEADER_FAILED_INSERTS + i] = UINT32_MAX - random_below(random, 2);
    }
}

PLAIN_TEST(calls_on_damaged_tables_stay_in_bounds) {
    static const uint64_t capacities[] = {1, 3, 4, 30, 500};
    for (uint64_t seed = 1; seed <= 720; ++seed) {
        Random random = {seed};
        const TableKind *kind = &table_kinds[seed % ALL_KINDS];
        MurTableCreateInfo info = kind_info(kind, capacities[seed % 5]);
        info.probeLimit = seed % 3 ? 0 : 5;
        info.seed = (uint32_t)seed;
        Image image = image_open_at(&info,
                                    seed / 4 % 2 ? IMAGE_ENDS_AT_EDGE : IMAGE_STARTS_AT_EDGE);
        MurTableCreateInfo otherInfo = kind_info(kind_without_buckets(kind),
                                                 capacities[seed / 5 % 5]);
        otherInfo.seed = seed % 2 ? (uint32_t)seed : 7;
        Image other = image_open(&otherInfo);
        scramble(&image, &random);
        MurHostTable table;
        assert_int_equal(murHostAttach(image.table.pImage, image.size, &table), VK_SUCCESS);
        call_everything(&table, &other.table, &random);
        /* After it has attached table memory, the host must not rely on the header. */
        memset(table.pImage, 0xA5, MUR_HEADER_SIZE);
        call_everything(&table, &other.table, &random);
        image_close(&other);
        image_close(&image);
    }
}
