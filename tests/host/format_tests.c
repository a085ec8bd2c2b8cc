/* The formats other than K32V32: snapshots and damage.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/oracle.h"

#include "image.h"

#include <murmuration/snapshot.h>

#include <stdlib.h>
#include <string.h>

enum { FIRST_KIND = KINDS_OF_K32V32, KEYS = 100 };

/* An image and its model. */
typedef struct Case {
    Random random;
    MurTableCreateInfo info;
    Image image;
    Oracle oracle;
    uint64_t keys[KEYS];
} Case;

#define check(run, got, expected)                                                                 \
    do {                                                                                          \
        const uint64_t got_ = (got), expected_ = (expected);                                      \
        if (got_ != expected_) {                                                                  \
            fail_msg("%s, line %d: %s is 0x%llx, not 0x%llx", image_text(&(run)->info), __LINE__, \
                     #got, (unsigned long long)got_, (unsigned long long)expected_);              \
        }                                                                                         \
    } while (0)

static void open_case(Case *run, int kind, uint64_t capacity, uint64_t probeLimit, uint32_t seed) {
    *run = (Case){.random = {seed}, .info = kind_info(&table_kinds[kind], capacity)};
    run->info.seed = seed;
    run->info.probeLimit = probeLimit;
    run->image = image_open(&run->info);
    const MurTableRef *ref = &run->image.table.ref;
    const OracleConfig config = {
        .format = run->info.format,
        .capacity = ref->capacity,
        .slotCount = ref->slotCount,
        .seed = seed,
        .probeLimit = probeLimit,
        .zero = (ref->flags & MUR_TABLE_ZERO) != 0,
        .wide = (ref->flags & MUR_TABLE_INT64) != 0,
    };
    check(run, ref->slotCount, oracle_slot_count(run->info.format, capacity));
    oracle_open(&run->oracle, &config);
    check(run, ref->probeSectors, run->oracle.probeSectors);
    for (uint32_t i = 0; i < KEYS; ++i) {
        run->keys[i] = i < HARD_KEYS
                           ? hard_key(config.format, seed, i)
                           : oracle_key(config.format,
                                        mur_hash64(i, 5) >> (MUR_IS_64(config.format) ? 0 : 32),
                                        seed);
    }
}

static void close_case(Case *run) {
    oracle_close(&run->oracle);
    image_close(&run->image);
}

static uint32_t below(Case *run, uint32_t bound) {
    return random_below(&run->random, bound);
}

static uint64_t any_key(Case *run) {
    return run->keys[below(run, KEYS)];
}

static uint64_t any_value(Case *run) {
    static const uint64_t values[] = {0,          1,           0x80000000,     0xFFFFFFFE,
                                      0xFFFFFFFF, 0x100000000, UINT64_MAX - 1, UINT64_MAX};
    if (MUR_IS_SET(run->info.format)) {
        return 1;
    }
    const uint64_t value = below(run, 4) == 0 ? values[below(run, 8)] : 1 + below(run, 50);
    return run->info.format == MUR_FORMAT_K64V64 ? value : (uint32_t)value;
}

/* ---- Snapshots --------------------------------------------------------------- */

/* All keys with values 1, 2, ...; every third erased. */
static void fill(const Case *run) {
    for (uint32_t i = 0; i < KEYS; ++i) {
        murHostInsert(&run->image.table, MUR_MODE_ASSIGN, run->keys[i], i + 1);
    }
    for (uint32_t i = 0; i < KEYS; i += 3) {
        assert_int_equal(murHostErase(&run->image.table, run->keys[i]).status, MUR_ERASED);
    }
}

static void check_filled(const Case *run, const MurHostTable *table) {
    for (uint32_t i = 0; i < KEYS; ++i) {
        const MurHostResult got = murHostFind(table, run->keys[i]);
        const uint64_t value = MUR_IS_SET(run->info.format) ? 1 : i + 1;
        check(run, got.status, i % 3 == 0 ? MUR_ABSENT : MUR_FOUND);
        check(run, got.value, i % 3 == 0 ? run->oracle.none : value);
    }
    MurStats stats;
    murHostStats(table, &stats);
    check(run, stats.live, KEYS - (KEYS + 2) / 3);
}

static void snapshots(void **state) {
    (void)state;
    for (int kind = FIRST_KIND; kind < TABLE_KINDS; ++kind) {
        Case run;
        open_case(&run, kind, 130, 130, 3);
        fill(&run);
        const uint64_t size = murGetSnapshotSize(&run.image.table);
        uint8_t *data = malloc((size_t)size);
        assert_non_null(data);
        assert_int_equal(murWriteSnapshot(&run.image.table, data, size), VK_SUCCESS);
        MurSnapshotInfo info;
        assert_int_equal(murReadSnapshotInfoFromMemory(data, size, &info), VK_SUCCESS);
        check(&run, info.createInfo.format, run.info.format);
        Image copy = image_open(&info.createInfo);
        assert_memory_equal(&copy.table.ref, &run.image.table.ref, sizeof copy.table.ref);
        assert_int_equal(murLoadSnapshotFromMemory(data, size, &copy.table), VK_SUCCESS);
        assert_memory_equal(copy.table.pImage, run.image.table.pImage, (size_t)copy.size);
        for (size_t i = 0; i < 8 * (size_t)size; i += 5) { /* not every bit, for time */
            data[i / 8] ^= (uint8_t)(1 << i % 8);
            assert_int_not_equal(murLoadSnapshotFromMemory(data, size, &copy.table), VK_SUCCESS);
            data[i / 8] ^= (uint8_t)(1 << i % 8);
        }
        assert_memory_equal(copy.table.pImage, run.image.table.pImage, (size_t)copy.size);
        image_close(&copy);
        info.createInfo.capacity = 3000;
        copy = image_open(&info.createInfo);
        assert_int_equal(murLoadSnapshotFromMemory(data, size, &copy.table), VK_SUCCESS);
        check_filled(&run, &copy.table);
        image_close(&copy);
        const MurTableCreateInfo foreign = {.capacity = 500};
        copy = image_open(&foreign);
        assert_int_equal(murLoadSnapshotFromMemory(data, size, &copy.table),
                         MUR_ERROR_INVALID_ARGUMENT);
        image_close(&copy);
        free(data);
        close_case(&run);
    }
}

/* ---- Damage --------------------------------------------------------------------------------- */

static void bad_headers(void **state) {
    (void)state;
    for (int kind = FIRST_KIND; kind < TABLE_KINDS; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 40);
        Image image = image_open(&info);
        uint32_t *words = image.table.pImage;
        MurHostTable table;
        assert_int_equal(murHostAttach(words, image.size, &table), VK_SUCCESS);
        for (uint32_t format = 0; format < 16; ++format) { /* of another size, or of none */
            const uint32_t flags = words[MUR_HEADER_FLAGS];
            words[MUR_HEADER_FLAGS] = (flags & ~MUR_TABLE_FORMAT_MASK) |
                                      format << MUR_TABLE_FORMAT_SHIFT;
            const VkResult result = murHostAttach(words, image.size, &table);
            assert_int_equal(result == VK_SUCCESS || result == MUR_ERROR_BAD_IMAGE, true);
            const bool able = format < MUR_FORMAT_COUNT ||
                              (format == MUR_FORMAT_K64V32_MULTI && (flags & MUR_TABLE_ZERO));
            assert_true(able || result == MUR_ERROR_BAD_IMAGE);
            words[MUR_HEADER_FLAGS] = flags;
        }
        if (info.format == MUR_FORMAT_K32 || info.format == MUR_FORMAT_K64) {
            words[MUR_HEADER_EXTRA + 1] = 2;
            assert_int_equal(murHostAttach(words, image.size, &table), MUR_ERROR_BAD_IMAGE);
            words[MUR_HEADER_EXTRA + 1] = 0;
            words[MUR_HEADER_FLAGS] ^= MUR_TABLE_INT64;
            assert_int_equal(murHostAttach(words, image.size, &table), MUR_ERROR_BAD_IMAGE);
        } else if (info.format == MUR_FORMAT_K64V64) {
            words[MUR_HEADER_EXTRA + 1] = 0;
            assert_int_equal(murHostAttach(words, image.size, &table), MUR_ERROR_BAD_IMAGE);
        }
        image_close(&image);
    }
}

static void no_call_leaves_a_damaged_image(void **state) {
    (void)state;
    static const uint32_t odd[] = {0, MUR_EMPTY, MUR_TOMB, 1, 3, 0x80000000};
    for (uint32_t round = 0; round < 25 * (TABLE_KINDS - FIRST_KIND); ++round) {
        Case run;
        open_case(&run, FIRST_KIND + (int)(round % 8), round / 8 % 2 ? 20 : 3, 0, round);
        uint32_t *words = run.image.table.pImage;
        for (size_t i = MUR_HEADER_WORDS; i < run.image.size / 4; ++i) {
            const uint32_t random = (uint32_t)random_next(&run.random);
            words[i] = random % 2 ? odd[random / 2 % 6] : random;
        }
        words[MUR_HEADER_STATE] = round % 4;
        const MurTableCreateInfo info = kind_info(&table_kinds[FIRST_KIND + (int)(round % 8)], 30);
        Image other = image_open(&info);
        const MurHostTable *table = &run.image.table;
        for (uint32_t i = 0; i < KEYS; ++i) {
            const MurHostResult got = murHostInsert(table, (MurInsertMode)(i % 2), any_key(&run),
                                                    any_value(&run));
            assert_true(got.slot < table->ref.slotCount + 2 || got.slot == MUR_NO_SLOT);
            (void)murHostFind(table, any_key(&run));
            (void)murHostErase(table, any_key(&run));
            (void)murHostSlotExchange(table, below(&run, table->ref.slotCount + 5), 1);
        }
        MurStats stats;
        murHostStats(table, &stats);
        uint32_t map[64];
        (void)murHostRehash(table, &other.table, map, NULL);
        (void)murHostMerge(table, &other.table, MUR_MODE_ASSIGN, NULL);
        uint8_t snapshot[4096];
        (void)murWriteSnapshot(table, snapshot, sizeof snapshot);
        image_close(&other);
        close_case(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(no_call_leaves_a_damaged_image),
    };
    return cmocka_run_group_tests_name("host: formats", tests, NULL, NULL);
}
