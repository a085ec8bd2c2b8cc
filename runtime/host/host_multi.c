/* Multi-value host tables, like shaders/murmuration/multi.glsl and multi_write.glsl, whose comments
 * prove that no pair is lost.
 * SPDX-License-Identifier: MIT */
#include "host_move.h"

#include "../types/types.h"

#include <murmuration/host_multi.h>

/* The key of an entry in the table. For index 0, entry_of returns the entry that counts the values
 * of a key so far, for index i + 1 the entry of the value with ordinal i. */
typedef struct Entry {
    uint64_t key;
    uint32_t index;
} Entry;

static bool is_wide(const MurHostTable *table) {
    return mur_type_flags(table->ref.flags) == mur_types[MUR_TYPE_MULTI_K64].flags;
}

static bool takes(const MurHostTable *table, uint64_t key) {
    const bool narrow = mur_type_flags(table->ref.flags) == mur_types[MUR_TYPE_MULTI_K32].flags;
    return (table->ref.flags & MUR_TABLE_ZERO) && (is_wide(table) || (narrow && key <= UINT32_MAX));
}

static Entry entry_of(const MurHostTable *table, uint64_t key, uint32_t index) {
    return is_wide(table) ? (Entry){key, index + 1} : (Entry){key | (uint64_t)index << 32, 0};
}

static MurHostResult find(const MurHostTable *table, uint64_t key, uint32_t index) {
    if (!takes(table, key)) {
        return (MurHostResult){0, MUR_ABSENT, MUR_NO_SLOT};
    }
    const Entry entry = entry_of(table, key, index);
    return mur_host_find(table, entry.key, entry.index);
}

static uint32_t erase(const MurHostTable *table, uint64_t key, uint32_t index) {
    const Entry entry = entry_of(table, key, index);
    return (uint32_t)mur_host_erase(table, entry.key, entry.index).value;
}

/* Returns the maximum number of ordinals (numbers of values) that a key can have. */
static uint32_t room(const MurHostTable *table) {
    const uint32_t slots = table->ref.slotCount;
    return is_wide(table) && slots > MUR_MULTI_MOST_64 ? MUR_MULTI_MOST_64 : slots;
}

static uint32_t ordinals_in(const MurHostTable *table, uint64_t number) {
    const uint32_t ordinals = (uint32_t)number & ~MUR_MULTI_HOLES;
    return ordinals < room(table) ? ordinals : room(table);
}

static HostWord *value_word(const MurHostTable *table, uint32_t slot) {
    const HostView view = host_view(table);
    return host_word(host_slot(&view, host_kind(&view), slot).beside, 0);
}

static void note_hole(const MurHostTable *table, uint32_t slot) {
    atomic_fetch_or_explicit(value_word(table, slot), MUR_MULTI_HOLES, memory_order_acq_rel);
}

static uint32_t full(const MurHostTable *table) {
    const HostView view = host_view(table);
    host_count(&view, MUR_HEADER_FAILED_INSERTS);
    return MUR_FULL;
}

/* Allocates an ordinal, the number of a new value of a key. */
static MurHostResult take(const MurHostTable *table, uint64_t key) {
    const Entry counter = entry_of(table, key, 0);
    MurHostResult number = mur_host_find(table, counter.key, counter.index);
    const uint32_t most = room(table) < MUR_MULTI_MOST ? room(table) : MUR_MULTI_MOST;
    if (((uint32_t)number.value & ~MUR_MULTI_HOLES) >= most) {
        number.status = full(table);
        return number;
    }
    return mur_host_insert(table, MUR_MODE_ADD, counter.key, counter.index, 1);
}

uint32_t murHostMultiInsert(const MurHostTable *pTable, uint64_t key, uint32_t value) {
    if (!takes(pTable, key)) {
        return MUR_UNSUPPORTED;
    }
    if (value == UINT32_MAX) {
        const HostView view = host_view(pTable);
        host_count(&view, MUR_HEADER_INVALID_VALUES);
        return MUR_INVALID_VALUE;
    }
    const MurHostResult number = take(pTable, key);
    if (number.status == MUR_FULL) {
        return MUR_FULL;
    }
    const uint32_t ordinal = (uint32_t)number.value & ~MUR_MULTI_HOLES;
    const Entry entry = entry_of(pTable, key, ordinal + 1);
    const uint32_t status =
        ordinal < room(pTable)
            ? mur_host_insert(pTable, MUR_MODE_INSERT, entry.key, entry.index, ~value).status
            : full(pTable);
    if (status == MUR_FULL) {
        note_hole(pTable, number.slot);
    }
    return status;
}

uint32_t murHostMultiOrdinals(const MurHostTable *pTable, uint64_t key) {
    return ordinals_in(pTable, find(pTable, key, 0).value);
}

VkBool32 murHostMultiGet(const MurHostTable *pTable, uint64_t key, uint32_t ordinal,
                         uint32_t *pValue) {
    *pValue = ordinal < room(pTable) ? ~(uint32_t)find(pTable, key, ordinal + 1).value : UINT32_MAX;
    return *pValue != UINT32_MAX;
}

uint32_t murHostMultiCount(const MurHostTable *pTable, uint64_t key) {
    const uint64_t number = find(pTable, key, 0).value;
    const uint32_t ordinals = ordinals_in(pTable, number);
    if (!(number & MUR_MULTI_HOLES)) {
        return ordinals;
    }
    uint32_t count = 0, value;
    for (uint32_t ordinal = 0; ordinal < ordinals; ++ordinal) {
        count += murHostMultiGet(pTable, key, ordinal, &value);
    }
    return count;
}

uint32_t murHostMultiErase(const MurHostTable *pTable, uint64_t key, uint32_t value) {
    const MurHostResult number = find(pTable, key, 0);
    for (uint32_t i = 0; value != UINT32_MAX && i < ordinals_in(pTable, number.value); ++i) {
        const MurHostResult entry = find(pTable, key, i + 1);
        uint32_t seen = ~value;
        if (entry.value == seen &&
            atomic_compare_exchange_strong_explicit(value_word(pTable, entry.slot), &seen, 0,
                                                    memory_order_acq_rel, memory_order_acquire)) {
            note_hole(pTable, number.slot);
            return MUR_ERASED;
        }
    }
    return MUR_ABSENT;
}

uint32_t murHostMultiEraseKey(const MurHostTable *pTable, uint64_t key) {
    uint32_t erased = 0;
    if (takes(pTable, key)) {
        const uint32_t ordinals = ordinals_in(pTable, erase(pTable, key, 0));
        for (uint32_t i = 0; i < ordinals; ++i) {
            erased += erase(pTable, key, i + 1) != 0;
        }
    }
    return erased;
}
