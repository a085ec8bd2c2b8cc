/* Edges: the smallest tables, full ones, tombstones, the wrap, odd keys, the order flag.
 *
 * SPDX-License-Identifier: MIT */
#include "host_test.h"

#include <stdlib.h>
#include <string.h>

static uint64_t no_value(const MurTableCreateInfo *info) {
    return info->reservedValue == MUR_RESERVED_VALUE_ZERO ? 0 : UINT32_MAX;
}

static void expect(const MurTableCreateInfo *info, MurHostResult got, uint32_t status,
                   uint64_t value, uint32_t slot) {
    if (got.status != status || got.value != value || got.slot != slot) {
        fail_msg("%s: got %s, value 0x%llx, slot %u; expected %s, 0x%llx, %u", image_text(info),
                 murStatusName(got.status), (unsigned long long)got.value, got.slot,
                 murStatusName(status), (unsigned long long)value, slot);
    }
}

static uint32_t state_of(const Image *image) {
    return ((const uint32_t *)image->table.pImage)[MUR_HEADER_STATE];
}

/* Key number i of those that live in the last home slot of a table with seed 0. */
static uint32_t last_home_key(uint32_t i) {
    return mur_key(MUR_EMPTY - 1 - i, 0);
}

static void capacity_one(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 1);
        const uint64_t none = no_value(&info);
        Image image = image_open(&info);
        const MurHostTable *table = &image.table;
        expect(&info, murHostFind(table, 5), MUR_ABSENT, none, MUR_NO_SLOT);
        expect(&info, murHostErase(table, 5), MUR_ABSENT, none, MUR_NO_SLOT);
        expect(&info, murHostInsert(table, MUR_MODE_KEEP, 5, 50), MUR_INSERTED, none, 0);
        expect(&info, murHostInsert(table, MUR_MODE_KEEP, 5, 60), MUR_EXISTED, 50, 0);
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, 5, 70), MUR_EXISTED, 50, 0);
        expect(&info, murHostFind(table, 5), MUR_FOUND, 70, 0);
        expect(&info, murHostErase(table, 5), MUR_ERASED, 70, 0);
        expect(&info, murHostErase(table, 5), MUR_ABSENT, none, MUR_NO_SLOT);
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, 6, 1), MUR_INSERTED, none, 1);
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, 5, 2), MUR_INSERTED, none, 0);
        image_close(&image);
    }
}

/* Counts of failed inserts so high that the next one needs the high word. */
static void count_high(const MurHostTable *table) {
    MurTableHeader header;
    memcpy(&header, table->pImage, sizeof header);
    header.full = header.refused = UINT32_MAX;
    memcpy(table->pImage, &header, sizeof header);
}

/* Every slot taken, padding and all; then full, for ever, but for the keys that are there. */
static void exactly_full(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 20); /* 28 slots */
        const uint64_t none = no_value(&info);
        Image image = image_open(&info);
        const MurHostTable *table = &image.table;
        count_high(table);
        for (uint32_t key = 0; key < 28; ++key) {
            const MurHostResult got = murHostInsert(table, MUR_MODE_ASSIGN, key, key + 1);
            assert_int_equal(got.status, MUR_INSERTED);
            assert_true(got.slot < 28);
        }
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, 28, 1), MUR_FULL, none, MUR_NO_SLOT);
        expect(&info, murHostFind(table, 28), MUR_ABSENT, none, MUR_NO_SLOT);
        for (uint32_t key = 0; key < 28; ++key) {
            assert_int_equal(murHostFind(table, key).value, key + 1);
            assert_int_equal(murHostErase(table, key).status, MUR_ERASED);
        }
        /* All tombstones: no key but these has a slot, and these have. */
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, 28, 1), MUR_FULL, none, MUR_NO_SLOT);
        MurStats stats;
        murHostStats(table, &stats);
        assert_int_equal(stats.erased, 28);
        assert_int_equal(stats.live, 0);
        assert_int_equal(stats.full, UINT32_MAX + UINT64_C(2));
        assert_int_equal(stats.refused, UINT32_MAX);
        for (uint32_t key = 0; key < 28; ++key) {
            assert_int_equal(murHostInsert(table, MUR_MODE_KEEP, key, 9).status, MUR_INSERTED);
        }
        murHostClear(table);
        assert_int_equal(murHostInsert(table, MUR_MODE_ASSIGN, 28, 1).status, MUR_INSERTED);
        murHostStats(table, &stats);
        assert_int_equal(stats.full, 0);
        assert_int_equal(stats.erased, 0);
        image_close(&image);
    }
}

static void clusters_wrap_at_the_last_slot(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind],
                                            16); /* 24 slots, the last home is 15 */
        info.probeLimit = 24;
        Image image = image_open(&info);
        for (uint32_t i = 0; i < 24; ++i) {
            const uint32_t slot = (15 + i) % 24;
            expect(&info, murHostInsert(&image.table, MUR_MODE_ASSIGN, last_home_key(i), i + 1),
                   MUR_INSERTED, no_value(&info), slot);
            assert_int_equal(state_of(&image), slot < 15 ? MUR_STATE_WRAPPED : 0);
        }
        for (uint32_t i = 0; i < 24; ++i) {
            expect(&info, murHostFind(&image.table, last_home_key(i)), MUR_FOUND, i + 1,
                   (15 + i) % 24);
        }
        assert_int_equal(murHostFind(&image.table, last_home_key(24)).status, MUR_ABSENT);
        assert_int_equal(murHostInsert(&image.table, MUR_MODE_ADD, last_home_key(24), 1).status,
                         kind & 1 ? MUR_FULL : MUR_UNSUPPORTED);
        image_close(&image);
    }
}

/* Home 15 is the last of its sector: a limit of 5 slots is 2 sectors and one more, 9 slots. */
static void the_probe_limit_is_in_whole_sectors(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 16);
        info.probeLimit = 5;
        Image image = image_open(&info);
        for (uint32_t i = 0; i < 12; ++i) {
            const uint32_t status =
                murHostInsert(&image.table, MUR_MODE_ASSIGN, last_home_key(i), 1).status;
            assert_int_equal(status, i < 9 ? MUR_INSERTED : MUR_FULL);
        }
        image_close(&image);
    }
}

static void odd_keys_and_values(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 50);
        info.seed = 0x1234567;
        const uint64_t none = no_value(&info);
        Image image = image_open(&info);
        const MurHostTable *table = &image.table;
        const uint32_t extra = table->ref.slotCount;
        const uint32_t keys[] = {mur_key(MUR_EMPTY, info.seed), mur_key(0, info.seed), 0,
                                 UINT32_MAX, 0x80000000};
        for (uint32_t i = 0; i < 5; ++i) {
            const MurHostResult got = murHostInsert(table, MUR_MODE_KEEP, keys[i], 100 + i);
            assert_int_equal(got.status, MUR_INSERTED);
            assert_true(i == 0 ? got.slot == extra : got.slot < extra);
        }
        for (uint32_t i = 0; i < 5; ++i) {
            assert_int_equal(murHostFind(table, keys[i]).value, 100 + i);
        }
        expect(&info, murHostInsert(table, MUR_MODE_KEEP, keys[0], 7), MUR_EXISTED, 100, extra);
        expect(&info, murHostErase(table, keys[0]), MUR_ERASED, 100, extra);
        expect(&info, murHostFind(table, keys[0]), MUR_ABSENT, none, MUR_NO_SLOT);
        assert_int_equal(murHostSlotExchange(table, extra, 8), none);
        expect(&info, murHostFind(table, keys[0]), MUR_FOUND, 8, extra);
        /* The reserved value is refused, present or absent, and counted. */
        count_high(table);
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, keys[0], none), MUR_REFUSED, none,
               MUR_NO_SLOT);
        expect(&info, murHostInsert(table, MUR_MODE_KEEP, 77, none), MUR_REFUSED, none,
               MUR_NO_SLOT);
        expect(&info, murHostFind(table, keys[0]), MUR_FOUND, 8, extra);
        MurStats stats;
        murHostStats(table, &stats);
        assert_int_equal(stats.refused, UINT32_MAX + UINT64_C(2));
        assert_int_equal(stats.full, UINT32_MAX);
        image_close(&image);
    }
}

static void wide_keys_and_values_are_not_the_tables(void **state) {
    (void)state;
    const uint64_t wide = (uint64_t)1 << 32 | 5;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 50);
        const uint64_t none = no_value(&info);
        Image image = image_open(&info);
        const MurHostTable *table = &image.table;
        murHostInsert(table, MUR_MODE_ASSIGN, 5, 50);
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, wide, 1), MUR_UNSUPPORTED, none,
               MUR_NO_SLOT);
        expect(&info, murHostInsert(table, MUR_MODE_ASSIGN, 5, wide), MUR_UNSUPPORTED, none,
               MUR_NO_SLOT);
        expect(&info, murHostFind(table, wide), MUR_ABSENT, none, MUR_NO_SLOT);
        expect(&info, murHostErase(table, wide), MUR_ABSENT, none, MUR_NO_SLOT);
        assert_int_equal(murHostSlotExchange(table, murHostFind(table, 5).slot, wide), none);
        assert_int_equal(murHostFind(table, 5).value, 50);
        image_close(&image);
    }
}

static void unknown_modes_are_unsupported(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 50);
        Image image = image_open(&info);
        const int modes[] = {7, 8, -1, INT32_MAX, INT32_MIN};
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
            const MurInsertMode mode = (MurInsertMode)modes[i];
            assert_int_equal(murHostInsert(&image.table, mode, 1, 1).status, MUR_UNSUPPORTED);
            const uint32_t key = 1;
            uint32_t status = 0, slot = 0;
            uint32_t old = 1;
            assert_int_equal(
                murHostInsertBatch(&image.table, mode, 1, &key, &key, &old, &status, &slot), 0);
            assert_int_equal(old, no_value(&info));
            assert_int_equal(status, MUR_UNSUPPORTED);
            assert_int_equal(slot, MUR_NO_SLOT);
        }
        image_close(&image);
    }
}

/* ---- The order flag ------------------------------------------------------------------------- */

/* Keys of one cluster, the larger hashes first, more of them than a batch looks at together: order
 * says that a find of the smallest can stop. */
static void finds_stop_early_only_where_the_state_says_so(void **state) {
    (void)state;
    static const struct {
        uint32_t state;
        bool found;
    } cases[] = {{0, true},
                 {MUR_STATE_ORDERED, false},
                 {MUR_STATE_WRAPPED, true},
                 {MUR_STATE_ORDERED | MUR_STATE_WRAPPED, true}};
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 64);
        Image image = image_open(&info);
        const uint32_t low = mur_key(0x10000000, 0), high = mur_key(0x10000001, 0);
        for (uint32_t i = 0; i < 16; ++i) {
            murHostInsert(&image.table, MUR_MODE_ASSIGN, mur_key(0x10000001 + i, 0), 1);
        }
        murHostInsert(&image.table, MUR_MODE_ASSIGN, low, 2);
        uint32_t *words = image.table.pImage;
        for (size_t i = 0; i < 4; ++i) {
            words[MUR_HEADER_STATE] = cases[i].state;
            uint32_t value;
            assert_int_equal(murHostFind(&image.table, low).status,
                             cases[i].found ? MUR_FOUND : MUR_ABSENT);
            assert_int_equal(murHostFindBatch(&image.table, 1, &low, &value, NULL, NULL),
                             cases[i].found);
            assert_int_equal(murHostFind(&image.table, high).status, MUR_FOUND);
        }
        image_close(&image);
    }
}

/* Only a claim makes the order untrue; updates, failures and erasures leave it. */
static void claims_clear_the_order_flag(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 64);
        Image image = image_open(&info);
        uint32_t *words = image.table.pImage;
        murHostInsert(&image.table, MUR_MODE_ASSIGN, 1, 1);
        words[MUR_HEADER_STATE] = MUR_STATE_ORDERED;
        murHostInsert(&image.table, MUR_MODE_ASSIGN, 1, 2);
        murHostInsert(&image.table, MUR_MODE_ASSIGN, 2, (uint32_t)no_value(&info));
        murHostInsert(&image.table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, 0), 5);
        murHostFind(&image.table, 3);
        murHostErase(&image.table, 1);
        murHostInsert(&image.table, MUR_MODE_ASSIGN, 1, 3);
        assert_int_equal(state_of(&image), MUR_STATE_ORDERED);
        murHostInsert(&image.table, MUR_MODE_KEEP, 2, 1);
        assert_int_equal(state_of(&image), 0);
        image_close(&image);
    }
}

int edge_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacity_one),
        cmocka_unit_test(exactly_full),
        cmocka_unit_test(clusters_wrap_at_the_last_slot),
        cmocka_unit_test(the_probe_limit_is_in_whole_sectors),
        cmocka_unit_test(odd_keys_and_values),
        cmocka_unit_test(wide_keys_and_values_are_not_the_tables),
        cmocka_unit_test(unknown_modes_are_unsupported),
        cmocka_unit_test(finds_stop_early_only_where_the_state_says_so),
        cmocka_unit_test(claims_clear_the_order_flag),
    };
    return cmocka_run_group_tests_name("host: edges", tests, NULL, NULL);
}
