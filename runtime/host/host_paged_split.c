/* Tables in pages in host memory: writes, and the pages that are made and split for them. What is
 * decided here is what paged_make.glsl, paged_room.comp and paged_apply.comp decide.
 *
 * SPDX-License-Identifier: MIT */
#include "host_paged.h"

#include "host_move.h"
#include "size.h"

#include <string.h>

static uint32_t *leaves_of(const MurHostPagedTable *table) {
    return mur_paged_state(table) + MUR_PAGED_HEADER_WORDS;
}

/* False: there is no room for another group. */
static bool set_root(const MurHostPagedTable *table, uint32_t group, uint32_t root) {
    if (table->ref.locality >> 8 == MUR_PAGED_BY_HASH) {
        mur_paged_state(table)[MUR_PAGED_ROOT] = root;
        return true;
    }
    const MurHostTable groups = mur_paged_groups(table);
    return murHostInsert(&groups, MUR_MODE_ASSIGN, group, root).status != MUR_FULL;
}

/* Leaves that lead to the page of this place, or the root: the lower half to one leaf, the upper
 * half to another. */
static void set_leaves(const MurHostPagedTable *table, const PagedPlace *place, uint32_t lower,
                       uint32_t upper) {
    if (place->at == MUR_PAGED_NONE) {
        set_root(table, place->group, lower); /* the group is there */
        return;
    }
    const uint32_t first = 2 * (place->root & MUR_PAGED_INDEX);
    const uint32_t root = MUR_PAGED_DEPTH(place->root), leaf = MUR_PAGED_DEPTH(place->leaf);
    const uint32_t depth = root < MUR_PAGED_MAX_DEPTH ? root : MUR_PAGED_MAX_DEPTH;
    const uint32_t bits = depth - (leaf < depth ? leaf : depth);
    const uint32_t start = first + ((place->at - first) >> bits << bits);
    for (uint32_t i = 0; i < 1u << bits && start + i < table->ref.maxLeaves; ++i) {
        leaves_of(table)[start + i] = i << 1 >> bits == 0 ? lower : upper;
    }
}

void mur_paged_set_flags(const MurHostPagedTable *table, const PagedPlace *place, uint32_t flags) {
    const uint32_t leaf = (place->leaf & ~(MUR_PAGED_WAITS | MUR_PAGED_FRESH)) | flags;
    if (place->leaf != MUR_PAGED_NONE && leaf != place->leaf) {
        set_leaves(table, place, leaf, leaf);
    }
}

/* ---- Pages ---------------------------------------------------------------------------------- */

/* MUR_PAGED_INDEX: there is no number left. */
static uint32_t take_page(const MurHostPagedTable *table) {
    uint32_t *pages = &mur_paged_state(table)[MUR_PAGED_PAGES];
    return *pages < table->ref.pager.pageCount ? (*pages)++ : MUR_PAGED_INDEX;
}

/* An empty table of a group. */
static MurHostTable clear_page(const MurHostPagedTable *table, uint32_t page, uint32_t group) {
    uint8_t *bytes = mur_paged_page(table, page);
    const MurHostTable empty = mur_paged_table_at(table, bytes);
    murHostClear(&empty);
    memcpy(bytes + 4 * MUR_PAGED_GROUP_AT, &group, sizeof group);
    return empty;
}

/* A page for a group, or a leaf, that has none. False: there is no number left, or no group. */
static bool make_page(const MurHostPagedTable *table, const PagedPlace *place) {
    uint32_t *state = mur_paged_state(table);
    const bool group = place->root == MUR_PAGED_NONE;
    if (state[MUR_PAGED_PAGES] >= table->ref.pager.pageCount) {
        return false;
    }
    const uint32_t page = state[MUR_PAGED_PAGES];
    const uint32_t depth = group ? 0
                                 : place->root & (MUR_PAGED_DEPTH_MASK << MUR_PAGED_DEPTH_SHIFT);
    if (group && !set_root(table, place->group, page)) {
        return false;
    }
    if (!group) {
        /* The place as one leaf of its own, whatever the one that is there says of others. */
        PagedPlace own = *place;
        own.leaf = depth;
        set_leaves(table, &own, depth | page, depth | page);
    }
    state[MUR_PAGED_GROUPS] += group;
    clear_page(table, take_page(table), place->group);
    return true;
}

/* Twice as many leaves for a group: each leads where the one did that it is half of. */
static bool double_leaves(const MurHostPagedTable *table, PagedPlace *place) {
    const MurPagedRef *ref = &table->ref;
    uint32_t *state = mur_paged_state(table);
    const uint32_t depth = MUR_PAGED_DEPTH(place->root) + 1;
    const uint32_t count = ref->basePages << depth, first = state[MUR_PAGED_LEAVES];
    if (count > ref->maxLeaves || first > ref->maxLeaves - count) {
        return false;
    }
    const uint32_t from = 2 * (place->root & MUR_PAGED_INDEX);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = from + (i >> 1);
        leaves_of(table)[first + i] = place->at == MUR_PAGED_NONE ? place->root
                                      : at < ref->maxLeaves       ? leaves_of(table)[at]
                                                                  : MUR_PAGED_NONE;
    }
    state[MUR_PAGED_LEAVES] = first + count;
    return set_root(table, place->group, depth << MUR_PAGED_DEPTH_SHIFT | first >> 1);
}

static bool can_split(const MurHostPagedTable *table, const PagedPlace *place, uint32_t live) {
    const uint32_t depth = MUR_PAGED_DEPTH(place->leaf), base = table->ref.basePages;
    return live > table->ref.slotCount / 2 && depth < MUR_PAGED_MAX_DEPTH &&
           base << (depth + 1) >> (depth + 1) == base &&
           mur_paged_state(table)[MUR_PAGED_PAGES] < table->ref.pager.pageCount;
}

/* Splits the page of a key, or, if that cannot be, puts it together anew: false. */
static bool split(const MurHostPagedTable *table, uint32_t name, uint64_t key) {
    PagedPlace place = mur_paged_place(table, name, key);
    const uint32_t page = place.leaf & MUR_PAGED_INDEX, depth = MUR_PAGED_DEPTH(place.leaf);
    const size_t pageSize = (size_t)1 << table->ref.pager.pageShift;
    uint8_t *room = mur_paged_room(table);
    const MurHostTable source = mur_paged_table_at(table, room);
    MurStats stats;
    memcpy(room, mur_paged_page(table, page), pageSize);
    murHostStats(&source, &stats);
    bool splits = can_split(table, &place, stats.live);
    if (splits && depth >= MUR_PAGED_DEPTH(place.root)) {
        splits = double_leaves(table, &place);
        place = mur_paged_place(table, name, key);
    }
    const MurHostTable lower = clear_page(table, page, place.group);
    MurHostTable upper = lower;
    if (splits) {
        const uint32_t other = take_page(table);
        const uint32_t leaf = place.leaf + (1u << MUR_PAGED_DEPTH_SHIFT);
        upper = clear_page(table, other, place.group);
        set_leaves(table, &place, leaf, (leaf & ~MUR_PAGED_INDEX) | other);
    }
    for (MurHostEntry entry = {.next = 0}; murHostNext(&source, &entry);) {
        const bool goes = splits && mur_paged_upper(table, entry.key, depth);
        murHostInsert(goes ? &upper : &lower, MUR_MODE_ASSIGN, entry.key, entry.value);
    }
    return splits;
}

/* ---- Writes --------------------------------------------------------------------------------- */

/* A key that is new takes no slot further than sectors from its home. */
static MurHostResult do_write(const MurHostPagedTable *table, uint32_t page, uint32_t sectors,
                              uint32_t op, uint64_t key, uint64_t value) {
    const MurHostTable whole = mur_paged_table_at(table, mur_paged_page(table, page));
    if (op == MUR_PAGED_ERASE) {
        return murHostErase(&whole, key);
    }
    MurHostTable near = whole;
    if (murHostFind(&whole, key).status != MUR_FOUND && sectors < near.ref.probeSectors) {
        near.ref.probeSectors = sectors;
    }
    return murHostInsert(&near, (MurInsertMode)op, key, value);
}

/* Is it a write that a table like this does? MUR_PENDING: yes. */
static uint32_t refuses(const MurHostPagedTable *table, uint32_t op, uint64_t key, uint64_t value) {
    const MurHostTable any = mur_paged_table_at(table, NULL);
    const uint32_t format = MUR_TABLE_FORMAT(table->ref.flags);
    const bool erases = op == MUR_PAGED_ERASE;
    const bool fits = (MUR_IS_64(format) || key <= UINT32_MAX) &&
                      (erases || mur_value_size(format) != 4 || value <= UINT32_MAX);
    return erases && !fits ? MUR_ABSENT
           : !fits ||
                   (!erases && (op > MUR_MODE_UPDATE || !mur_host_offers(&any, (MurInsertMode)op)))
               ? MUR_UNSUPPORTED
           : !erases && !MUR_IS_SET(format) && value == host_no_value(table->ref.flags)
               ? MUR_REFUSED
               : MUR_PENDING;
}

MurHostResult mur_paged_write(const MurHostPagedTable *table, uint32_t op, uint32_t name,
                              uint64_t key, uint64_t value) {
    MurHostResult result = {host_no_value(table->ref.flags), refuses(table, op, key, value),
                            MUR_NO_SLOT};
    if (result.status != MUR_PENDING) {
        return result;
    }
    const bool needs = op < MUR_MODE_UPDATE; /* an absent key is inserted */
    for (bool grows = true; result.status == MUR_PENDING;) {
        const PagedPlace place = mur_paged_place(table, name, key);
        if (!mur_paged_has_page(table, place.leaf)) {
            result.status = !needs ? MUR_ABSENT : make_page(table, &place) ? MUR_PENDING : MUR_FULL;
            continue;
        }
        if (place.leaf & MUR_PAGED_FRESH) {
            clear_page(table, place.leaf & MUR_PAGED_INDEX, place.group);
            mur_paged_set_flags(table, &place, place.leaf & MUR_PAGED_WAITS);
        }
        result = do_write(table, place.leaf & MUR_PAGED_INDEX,
                          grows ? table->ref.probeSectors : UINT32_MAX, op, key, value);
        if (result.status == MUR_FULL && grows) {
            grows = split(table, name, key);
            result.status = MUR_PENDING;
        }
    }
    result.slot = MUR_NO_SLOT;
    return result;
}
