/* Host tables: moving entries between tables.
 *
 * A rehash keeps every cluster of the destination sorted by hash: an entry is inserted before the
 * first larger hash of its cluster, and later entries move up by one. Entries arrive in the order
 * of the source's slots. This is the order of hashes, except for probing, so nearly all are
 * appended. Any other entry is put before entries that were between its home slot and its slot in
 * the source. Therefore moving costs at most as much as one find of every entry.
 * SPDX-License-Identifier: MIT */
#include "host_move.h"

#include "../types/types.h"

enum { MOVE_CHUNK = 256 }; /* slots processed at a time */

/* Returns whether a probe for this hash reads the slot. */
HOST_INLINE bool reaches(const HostView *view, uint32_t kind, uint64_t hash, uint32_t slot) {
    const uint32_t home = host_home(view, kind, hash);
    const uint32_t distance = slot - home + (slot < home ? view->ref.slotCount : 0);
    return distance < host_reach(view, kind, home);
}

/* Frees a slot: moves its entry, and those before the next free slot, up by one. Returns false,
 * without a change, if the table's end comes first, or if an entry would exceed its probe limit. */
HOST_INLINE bool make_room(const HostView *view, uint32_t kind, uint32_t slot) {
    uint32_t end = slot;
    for (; end < view->ref.slotCount; ++end) {
        const HostSlot seen = host_read(view, kind, end);
        if (!seen.claimed) {
            break;
        }
        if (!reaches(view, kind, seen.hash, end + 1)) {
            return false;
        }
    }
    if (end == view->ref.slotCount) {
        return false;
    }
    for (; end > slot; --end) {
        const HostSlot seen = host_read(view, kind, end - 1);
        host_put(view, kind, end, seen);
    }
    return true;
}

/* Inserts an entry so that the table stays sorted by hash. Returns false, without a change, on
 * failure. */
HOST_INLINE bool put_in_order(const HostView *view, uint32_t kind, HostSlot entry) {
    uint32_t slot = host_home(view, kind, entry.hash);
    for (; slot < view->ref.slotCount; ++slot) {
        const HostSlot seen = host_read(view, kind, slot);
        if (!seen.claimed || seen.hash > entry.hash ||
            (seen.hash == entry.hash && seen.index >= entry.index)) {
            if ((seen.claimed && host_same_key(seen, entry)) || /* duplicate in a damaged source */
                !reaches(view, kind, entry.hash, slot) || !make_room(view, kind, slot)) {
                return false;
            }
            host_put(view, kind, slot, entry);
            return true;
        }
    }
    return false;
}

/* Puts an entry into the first free slot of its probe, which makes the table unsorted. */
HOST_INLINE bool put_anywhere(HostRehash *rehash, uint32_t kind, HostSlot entry) {
    const HostView *view = &rehash->view;
    const uint32_t home = host_home(view, kind, entry.hash);
    uint32_t slot = home;
    for (uint64_t left = host_reach(view, kind, home); left != 0; --left) {
        const HostSlot seen = host_read(view, kind, slot);
        if (!seen.claimed) {
            host_put(view, kind, slot, entry);
            rehash->ordered = false;
            rehash->wrapped = rehash->wrapped || slot < home;
            return true;
        }
        if (host_same_key(seen, entry)) {
            break;
        }
        slot = host_next(view, slot);
    }
    host_count(view, MUR_HEADER_FAILED_INSERTS);
    return false;
}

HOST_INLINE bool put_entry(HostRehash *rehash, uint32_t kind, HostSlot entry) {
    const HostView *view = &rehash->view;
    if (entry.value == view->none) {
        host_count(view, MUR_HEADER_INVALID_VALUES);
        return false;
    }
    const uint32_t extra = host_extra(kind, entry.hash);
    if (extra != HOST_NO_EXTRA) {
        const HostAt at = host_extra_slot(view, kind, extra);
        if (host_is_set(kind)) {
            atomic_store_explicit(host_word(at.key, 0), 1, memory_order_relaxed);
        } else {
            host_put_words(kind, at, host_stored(kind, entry.hash), entry.value);
        }
        return true;
    }
    /* A table that has become unsorted stays unsorted. */
    return (rehash->ordered && put_in_order(view, kind, entry)) ||
           put_anywhere(rehash, kind, entry);
}

HOST_INLINE void put_slots(HostRehash *rehash, uint32_t kind, uint32_t seed, uint64_t none,
                           const HostSlot *slots, size_t count) {
    const uint32_t ownSeed = rehash->view.ref.seed;
    for (size_t i = 0; i < count; ++i) {
        HostSlot entry = slots[i];
        if (entry.value == none) {
            rehash->moved.dropped += entry.claimed;
            continue;
        }
        if (seed != ownSeed) {
            const uint64_t key = host_key(kind, entry.hash, mur_index_seed(seed, entry.index));
            entry.hash = host_hash(kind, key, mur_index_seed(ownSeed, entry.index));
        }
        const bool put = put_entry(rehash, kind, entry);
        rehash->moved.moved += put;
        rehash->moved.failed += !put;
    }
}

bool mur_host_can_rehash(const MurTableRef *source, const MurTableRef *destination) {
    const bool compares = mur_can(mur_type_of(source->flags), MUR_TYPE_COMPARES);
    return MUR_TABLE_FORMAT(source->flags) == MUR_TABLE_FORMAT(destination->flags) &&
           (!compares ||
            (source->flags == destination->flags && source->seed == destination->seed));
}

void mur_host_rehash_begin(HostRehash *rehash, const MurHostTable *destination) {
    murHostClear(destination);
    *rehash = (HostRehash){.view = host_view(destination)};
    rehash->ordered = !host_compares(host_kind(&rehash->view));
}

void mur_host_rehash_slots(HostRehash *rehash, uint32_t seed, uint64_t none, const HostSlot *slots,
                           size_t count) {
    HOST_BY_LINEAR_KIND(host_kind(&rehash->view),
                        { put_slots(rehash, KIND, seed, none, slots, count); })
}

void mur_host_rehash_end(const HostRehash *rehash) {
    const uint32_t state = (rehash->ordered ? MUR_STATE_ORDERED : 0) |
                           (rehash->wrapped ? MUR_STATE_WRAPPED : 0);
    atomic_store_explicit(host_state(&rehash->view), state, memory_order_relaxed);
}

/* Reads up to MOVE_CHUNK slots, beginning with slot first, and returns their number. Sentinel slots
 * have the highest numbers. */
static size_t read_slots(const HostView *view, uint64_t first, HostSlot *slots) {
    const uint64_t left = host_slots(view, host_kind(view)) - first;
    const size_t count = left < MOVE_CHUNK ? (size_t)left : MOVE_CHUNK;
    HOST_BY_KIND(host_kind(view), {
        for (size_t i = 0; i < count; ++i) {
            slots[i] = host_read_any(view, KIND, (uint32_t)(first + i));
        }
    })
    return count;
}

static void write_slot_map(const HostView *view, const MurHostTable *destination, uint32_t *map) {
    HostSlot slots[MOVE_CHUNK];
    for (uint64_t first = 0; first < host_slots(view, host_kind(view)); first += MOVE_CHUNK) {
        const size_t count = read_slots(view, first, slots);
        for (size_t i = 0; i < count; ++i) {
            const uint32_t index = slots[i].index, seed = mur_index_seed(view->ref.seed, index);
            uint64_t key = 0;
            HOST_BY_KIND(host_kind(view), { key = host_key(KIND, slots[i].hash, seed); })
            map[first + i] = slots[i].value == view->none
                                 ? MUR_NO_SLOT
                                 : mur_host_find(destination, key, index).slot;
        }
    }
}

static bool can_move(const MurHostTable *source, const MurHostTable *destination) {
    return source && destination && source->pImage != destination->pImage &&
           mur_can(mur_type_of(destination->ref.flags), MUR_TYPE_DESTINATION) &&
           mur_host_can_rehash(&source->ref, &destination->ref);
}

VkResult murHostRehash(const MurHostTable *pSource, const MurHostTable *pDestination,
                       uint32_t *pSlotMap, MurHostMoved *pMoved) {
    if (!can_move(pSource, pDestination) ||
        (pSlotMap && mur_can(mur_type_of(pSource->ref.flags), MUR_TYPE_COMPARES))) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    const HostView view = host_view(pSource);
    HostRehash rehash;
    mur_host_rehash_begin(&rehash, pDestination);
    HostSlot slots[MOVE_CHUNK];
    for (uint64_t first = 0; first < host_slots(&view, host_kind(&view)); first += MOVE_CHUNK) {
        const size_t count = read_slots(&view, first, slots);
        mur_host_rehash_slots(&rehash, view.ref.seed, view.none, slots, count);
    }
    mur_host_rehash_end(&rehash);
    if (pSlotMap) {
        write_slot_map(&view, pDestination, pSlotMap);
    }
    if (pMoved) {
        *pMoved = rehash.moved;
    }
    return VK_SUCCESS;
}

/* Inserts the entries of a chunk as a batch. The arrays keys and values have the table's widths. */
static void merge_chunk(const MurHostTable *destination, MurInsertMode mode, size_t count,
                        const void *keys, const void *values, MurHostMoved *moved) {
    uint32_t statuses[MOVE_CHUNK];
    murHostInsertBatch(destination, mode, count, keys, values, NULL, statuses, NULL);
    for (size_t i = 0; i < count; ++i) {
        moved->moved += statuses[i] == MUR_INSERTED;
        moved->met += statuses[i] == MUR_EXISTED;
        moved->failed += statuses[i] == MUR_FULL || statuses[i] == MUR_INVALID_VALUE;
    }
}

VkResult murHostMerge(const MurHostTable *pSource, const MurHostTable *pDestination,
                      MurInsertMode mode, MurHostMoved *pMoved) {
    if (!can_move(pSource, pDestination) || !mur_host_offers(pDestination, mode)) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    const HostView view = host_view(pSource);
    MurHostMoved moved = {0};
    for (uint64_t first = 0; first < host_slots(&view, host_kind(&view)); first += MOVE_CHUNK) {
        HostSlot slots[MOVE_CHUNK];
        uint64_t keys[MOVE_CHUNK]; /* enough for the widest type */
        uint64_t values[MOVE_CHUNK];
        const size_t slotCount = read_slots(&view, first, slots);
        size_t count = 0;
        HOST_BY_KIND(host_kind(&view), {
            for (size_t i = 0; i < slotCount; ++i) {
                if (slots[i].value != view.none) {
                    host_set_key(KIND, keys, count, host_key(KIND, slots[i].hash, view.ref.seed));
                    host_set_value(KIND, values, count, slots[i].value);
                    ++count;
                } else {
                    moved.dropped += slots[i].claimed;
                }
            }
        })
        merge_chunk(pDestination, mode, count, keys, values, &moved);
    }
    if (pMoved) {
        *pMoved = moved;
    }
    return VK_SUCCESS;
}
