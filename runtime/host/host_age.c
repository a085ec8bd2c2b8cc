/* Host tables: erasing entries by age.
 *
 * SPDX-License-Identifier: MIT */
#include "host_move.h"

typedef struct Aging {
    const MurHostTable *table;
    const MurHostAge *age;
    uint32_t limit; /* ages that stay, as many as are told apart */
    MurAgeResult result;
} Aging;

static uint32_t told_apart(uint32_t age) {
    return age < MUR_AGE_BINS - 1 ? age : MUR_AGE_BINS - 1;
}

/* An entry that nobody has touched is as old as one of this frame. */
static uint32_t age_of(const Aging *aging, uint32_t slot) {
    const uint32_t word = aging->age->pAges[slot];
    return word == MUR_AGE_UNTOUCHED ? 0 : aging->age->frame - word;
}

static bool stays(const Aging *aging, uint32_t slot) {
    const uint32_t age = age_of(aging, slot);
    return age <= aging->age->maxAge && told_apart(age) < aging->limit;
}

/* The youngest ages whose entries all fit. */
static uint32_t youngest(const Aging *aging) {
    uint32_t counts[MUR_AGE_BINS] = {0}, ages = 0;
    for (MurHostEntry entry = {0}; murHostNext(aging->table, &entry);) {
        if (stays(aging, entry.slot)) {
            ++counts[told_apart(age_of(aging, entry.slot))];
        }
    }
    for (uint32_t room = aging->age->maxEntries; ages < MUR_AGE_BINS && counts[ages] <= room;) {
        room -= counts[ages++];
    }
    return ages;
}

static void list(uint32_t *pSlots, uint32_t most, uint32_t *pCount, uint32_t slot) {
    if (pSlots && *pCount < most) {
        pSlots[*pCount] = slot;
    }
    ++*pCount;
}

/* Slots without an entry, from one on, are untouched; returns where to go on. */
static uint32_t renew(const Aging *aging, uint32_t from, uint32_t to) {
    for (; from < to; ++from) {
        aging->age->pAges[from] = MUR_AGE_UNTOUCHED;
    }
    return to + 1;
}

static void erase_entries(Aging *aging) {
    const MurTableRef *ref = &aging->table->ref;
    const MurHostAge *age = aging->age;
    uint32_t slot = 0;
    for (MurHostEntry entry = {0}; murHostNext(aging->table, &entry);) {
        slot = renew(aging, slot, entry.slot);
        if (stays(aging, entry.slot)) {
            age->pAges[entry.slot] = age->frame - age_of(aging, entry.slot);
            list(age->pLive, age->maxLive, &aging->result.live, entry.slot);
        } else {
            mur_host_erase(aging->table, entry.key, entry.index);
            age->pAges[entry.slot] = MUR_AGE_UNTOUCHED;
            list(age->pErased, age->maxErased, &aging->result.erased, entry.slot);
        }
    }
    renew(aging, slot, ref->slotCount + MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(ref->flags)));
}

void murHostAge(const MurHostTable *pTable, const MurHostAge *pAge, MurAgeResult *pResult) {
    Aging aging = {.table = pTable, .age = pAge, .limit = MUR_AGE_BINS};
    aging.limit = pAge->flags & MUR_AGE_YOUNGEST ? youngest(&aging) : MUR_AGE_BINS;
    erase_entries(&aging);
    murHostReclaim(pTable, 0, NULL, &aging.result.reclaim);
    if (pResult) {
        *pResult = aging.result;
    }
}
