/* Tests of cases that random sequences do not reach: keys and values that are too wide, unknown
 * modes, the sorted flag, the filter of buckets.
 * SPDX-License-Identifier: MIT */
#include "support/image.h"

#include <stdlib.h>
#include <string.h>

static uint64_t no_value(const MurTableCreateInfo *info) {
    return info->emptyValue == MUR_EMPTY_VALUE_ZERO ? 0 : UINT32_MAX;
}

static void expect(const MurTableCreateInfo *info, MurHostResult got, uint32_t status,
                   uint64_t value, uint32_t slot) {
    if (got.status != status || got.value != value || got.slot != slot) {
        fail_msg("%s: got %s, value 0x%llx, slot %u; expected %s, 0x%llx, %u", image_text(info),
                 murStatusName(got.status), (unsigned long long)got.value, got.slot,
                 murStatusName(status), (unsigned long long)value, slot);
    }
}

PLAIN_TEST(too_wide_keys_and_values_are_rejected) {
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

PLAIN_TEST(unknown_modes_are_unsupported) {
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

/* Inserts keys of one cluster, more than a batch processes at once, the smallest hash last. If the
 * header wrongly states that the table is sorted, a find of the last key stops at a larger hash. */
PLAIN_TEST(finds_stop_early_only_in_sorted_tables) {
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

/* ---- Bucketed tables ------------------------------------------------------------------------ */

/* A find reads the second bucket only if the filter has the key's bit. An insert always reads the
 * second bucket, and sets a missing bit. */
PLAIN_TEST(inserts_restore_a_missing_filter_bit) {
    for (int kind = TABLE_KINDS; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 128);
        Image image = image_open(&info);
        const MurHostTable *table = &image.table;
        const bool wide = MUR_IS_64(type_format(info.type));
        uint64_t key = 0;
        uint32_t i = 0, slot = 0; /* finds keys of bucket 0 until one is in its second bucket */
        for (; slot < MUR_BUCKET_SLOTS; slot = murHostInsert(table, MUR_MODE_INSERT, key, 1).slot) {
            ++i;
            key = wide ? mur_key64((uint64_t)i << 32 | 0x40000000, 0) : mur_key(i, 0);
        }
        uint32_t *filter = (uint32_t *)table->pImage + MUR_FILTER_START(type_format(info.type),
                                                                        table->ref.flags,
                                                                        table->ref.slotCount);
        assert_int_equal(i, 17);
        assert_int_equal(*filter, 2); /* key 17 has bit 17 % 16 */
        *filter = 0;
        assert_int_equal(murHostFind(table, key).status, MUR_ABSENT);
        assert_int_equal(murHostErase(table, key).status, MUR_ABSENT);
        const MurHostResult got = murHostInsert(table, MUR_MODE_INSERT, key, 2);
        assert_int_equal(got.status, MUR_EXISTED);
        assert_int_equal(got.slot, slot);
        assert_int_equal(*filter, 2);
        *filter = 0;
        murHostErase(table, wide ? mur_key64((uint64_t)1 << 32 | 0x40000000, 0) : mur_key(1, 0));
        murHostRebuildFilter(table);
        assert_int_equal(murHostFind(table, key).slot, slot);
        *filter = 0; /* although slot 0 is free now, the key must be found */
        assert_int_equal(murHostInsert(table, MUR_MODE_INSERT, key, 2).slot, slot);
        image_close(&image);
    }
}

/* Shaders count failed inserts in counters after the slots. Host statistics must add these
 * counters. A clear must set them to 0. */
PLAIN_TEST(host_statistics_include_shader_counters) {
    for (int kind = TABLE_KINDS; kind < ALL_KINDS; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 300);
        info.flags |= kind % 2 ? MUR_TABLE_AGES : 0;
        Image image = image_open(&info);
        uint32_t *end = (uint32_t *)image.table.pImage + image.size / 4;
        MurStats stats;
        for (uint32_t i = 1; i <= 16; ++i) {
            end[-32 * (int)i] = i == 16 ? UINT32_MAX : i; /* low words of 64-bit counters */
            end[1 - 32 * (int)i] = i == 1;
        }
        murHostStats(&image.table, &stats);
        assert_int_equal(stats.failedInserts, 120 + 0x1FFFFFFFFull);
        murHostClear(&image.table);
        murHostStats(&image.table, &stats);
        assert_int_equal(stats.failedInserts, 0);
        assert_int_equal(end[-1] | end[-512] | end[-511], 0);
        image_close(&image);
    }
}
