/* Host tables: operations on one key, and on many keys.
 *
 * The probing and its proof are those of shaders/murmuration/claim.glsl: all probes for a hash read
 * the same slots in the same order and stop at the first slot that is empty or contains the hash.
 * Therefore no two slots contain the same hash. In bucketed tables, an insert first looks for its
 * hash in both buckets.
 * SPDX-License-Identifier: MIT */
#include "host_mirror.h"
#include "host_window.h"

#include "../types/types.h"

/* Number of items whose probes are prefetched together, to keep enough cache misses in flight. */
enum { HOST_GROUP = 32 };

HOST_INLINE MurHostResult absent(const HostView *view) {
    return (MurHostResult){view->none, MUR_ABSENT, MUR_NO_SLOT};
}

/* Returns the slot that the hash has claimed and its value, otherwise MUR_NO_SLOT and the empty
 * value. Begins `others` slots after the home slot, because the slots before belong to other keys
 * (host_window.h). In a table sorted by hash, no slot after a larger hash can contain this hash. */
HOST_INLINE MurHostResult find_hash(const HostView *view, uint32_t kind, uint64_t hash,
                                    uint32_t index, uint32_t others) {
    const uint32_t extra = host_extra(kind, hash);
    if (extra != HOST_NO_EXTRA) {
        const uint32_t slot = view->ref.slotCount + extra;
        return (MurHostResult){host_read_any(view, kind, slot).value, MUR_FOUND, slot};
    }
    if (host_evicts(kind)) {
        const uint32_t slot = mur_find_own(view, hash, true);
        if (slot == MUR_NO_SLOT) {
            return absent(view);
        }
        const HostAt at = host_slot(view, kind, slot);
        return (MurHostResult){host_is_set(kind) ? 1 : host_value(kind, at), MUR_FOUND, slot};
    }
    const HostStored stored = host_stored_at(kind, hash, index);
    const uint32_t home = host_home(view, kind, hash);
    const uint64_t reach = host_reach(view, kind, home);
    uint32_t slot = home + others;
    for (uint64_t i = others; i < reach; ++i) {
        const HostAt at = host_slot(view, kind, slot);
        const uint64_t pair = host_is_packed(kind) ? host_load_pair(at.key) : 0;
        const uint64_t words = host_is_packed(kind) ? (uint32_t)pair : host_key_words(kind, at);
        if (host_is_own(kind, at, words, stored)) {
            const uint64_t value = host_is_packed(kind) ? pair >> 32
                                   : host_is_set(kind)  ? 1
                                                        : host_value(kind, at);
            return (MurHostResult){value, MUR_FOUND, slot};
        }
        if (words == host_free_words(kind) ||
            (host_ordered(view) && host_is_beyond(kind, at, words, hash))) {
            break;
        }
        slot = host_next(view, slot);
    }
    return absent(view);
}

HOST_INLINE MurHostResult find_entry(const HostView *view, uint32_t kind, uint64_t hash,
                                     uint32_t index, uint32_t others) {
    const MurHostResult result = find_hash(view, kind, hash, index, others);
    return result.value == view->none ? absent(view) : result;
}

/* Applies an insert mode to the value in a sentinel slot. Returns the previous value. */
HOST_INLINE uint64_t update_extra(const HostView *view, uint32_t kind, uint32_t extra,
                                  uint64_t hash, uint64_t value, uint32_t mode) {
    const HostAt at = host_extra_slot(view, kind, extra);
    if (host_is_set(kind)) {
        return atomic_exchange_explicit(host_word(at.key, 0), (uint32_t)value,
                                        memory_order_acq_rel) != 0;
    }
    return host_update(view, kind, at, hash, value, mode);
}

HOST_INLINE MurHostResult erase_hash(const HostView *view, uint32_t kind, uint64_t hash,
                                     uint32_t index, uint32_t others) {
    MurHostResult result = find_hash(view, kind, hash, index, others);
    if (result.value == view->none) {
        return absent(view);
    }
    result.status = MUR_ERASED;
    if (result.slot >= view->ref.slotCount) {
        result.value = update_extra(view, kind, result.slot - view->ref.slotCount, hash, view->none,
                                    MUR_MODE_ASSIGN);
    } else if (host_is_set(kind)) {
        const HostAt at = host_slot(view, kind, result.slot);
        const uint64_t words = host_stored(kind, hash).words;
        result.value = host_swap_key(kind, at, words, host_tomb_words(kind)) == words;
    } else {
        const HostAt at = host_slot(view, kind, result.slot);
        result.value = host_update(view, kind, at, hash, view->none, MUR_MODE_ASSIGN);
    }
    if (result.value == view->none) {
        return absent(view); /* another thread erased it first */
    }
    host_forget_age(view, kind, result.slot);
    return result;
}

HOST_INLINE MurHostResult updated(const HostView *view, uint64_t old, uint32_t slot) {
    return (MurHostResult){old, old == view->none ? MUR_INSERTED : MUR_EXISTED, slot};
}

/* Tries to insert a key into one slot of its probe. words: the key words of the slot. Returns false
 * if the slot belongs to another key, so that the probe must continue. */
HOST_INLINE bool insert_at(const HostView *view, uint32_t kind, uint32_t home, uint32_t slot,
                           uint64_t words, uint64_t hash, uint32_t index, uint64_t value,
                           uint32_t mode, MurHostResult *result) {
    const HostAt at = host_slot(view, kind, slot);
    const HostStored stored = host_stored_at(kind, hash, index);
    const uint64_t free = host_free_words(kind);
    bool won = false;
    if (host_is_packed(kind) || (host_is_set(kind) && !host_claims_halves(kind))) {
        if (words == free) { /* a claim also writes the entry */
            host_note_claim(view, home, slot);
            words = host_is_set(kind) ? host_swap_key(kind, at, free, hash)
                                      : host_claim_packed(view, at, hash, value);
            if (words == free) {
                *result = updated(view, view->none, slot);
                return true;
            }
        }
        if (words != hash) {
            return false;
        }
    } else if (!host_is_own(kind, at, words, stored)) {
        if (!host_is_open(kind, at, words, stored)) {
            return false;
        }
        host_note_claim(view, home, slot);
        if (!host_claim(kind, at, stored, &won)) {
            return false;
        }
    }
    *result = updated(
        view, host_is_set(kind) ? !won : host_update(view, kind, at, hash, value, mode), slot);
    return true;
}

/* Tries to insert into a slot of one of the hash's buckets, like insert_at. */
HOST_INLINE bool insert_in_bucket(const HostView *view, uint32_t kind, uint32_t slot, uint64_t hash,
                                  uint64_t value, uint32_t mode, MurHostResult *result) {
    const HostAt at = host_slot(view, kind, slot);
    const uint64_t words = host_key_words(kind, at);
    if (!host_is_open(kind, at, words, host_stored(kind, hash))) {
        return false;
    }
    if (!host_is_in_first(view, kind, hash, slot)) {
        host_note_second(view, kind, hash);
    }
    return insert_at(view, kind, slot, slot, words, hash, 0, value, mode, result);
}

/* Inserts a key into one of its two buckets. First searches for a slot that the key already has,
 * because earlier slots may have become free after its claim. While threads insert, no slot becomes
 * free, so an insert skips no slot that another insert of the same key claims. */
HOST_INLINE MurHostResult insert_in_buckets(const HostView *view, uint32_t kind, uint64_t hash,
                                            uint64_t value, uint32_t mode) {
    const uint32_t buckets[] = {host_home(view, kind, hash), host_second(view, kind, hash)};
    const uint32_t own = mur_find_own(view, hash, false);
    MurHostResult result;
    if (own != MUR_NO_SLOT && insert_in_bucket(view, kind, own, hash, value, mode, &result)) {
        return result; /* otherwise the slot has become a tombstone */
    }
    for (uint32_t i = 0; i < 2 * MUR_BUCKET_SLOTS; ++i) {
        const uint32_t slot = buckets[i / MUR_BUCKET_SLOTS] + i % MUR_BUCKET_SLOTS;
        if (insert_in_bucket(view, kind, slot, hash, value, mode, &result)) {
            return result;
        }
    }
    host_count(view, MUR_HEADER_FAILED_INSERTS);
    return (MurHostResult){view->none, MUR_FULL, MUR_NO_SLOT};
}

/* Inserts a key. Requires a mode that the table supports, and a value that is not empty. */
HOST_INLINE MurHostResult insert_hash(const HostView *view, uint32_t kind, uint64_t hash,
                                      uint32_t index, uint64_t value, uint32_t mode,
                                      uint32_t others) {
    const uint32_t extra = host_extra(kind, hash);
    if (extra != HOST_NO_EXTRA) {
        return updated(view, update_extra(view, kind, extra, hash, value, mode),
                       view->ref.slotCount + extra);
    }
    if (host_evicts(kind)) {
        return insert_in_buckets(view, kind, hash, value, mode);
    }
    const uint32_t home = host_home(view, kind, hash);
    const uint64_t reach = host_reach(view, kind, home);
    uint32_t slot = home + others;
    for (uint64_t i = others; i < reach; ++i) {
        MurHostResult result;
        const uint64_t words = host_key_words(kind, host_slot(view, kind, slot));
        if (insert_at(view, kind, home, slot, words, hash, index, value, mode, &result)) {
            return result;
        }
        slot = host_next(view, slot);
    }
    host_count(view, MUR_HEADER_FAILED_INSERTS);
    return (MurHostResult){view->none, MUR_FULL, MUR_NO_SLOT};
}

HOST_INLINE MurHostResult update_hash(const HostView *view, uint32_t kind, uint64_t hash,
                                      uint64_t value, uint32_t others) {
    MurHostResult result = find_hash(view, kind, hash, 0, others);
    if (result.value == view->none) {
        return absent(view);
    }
    const HostAt at = host_any_slot(view, kind, result.slot);
    result.value = host_update(view, kind, at, hash, value, MUR_MODE_UPDATE);
    result.status = MUR_EXISTED;
    return result.value == view->none ? absent(view) : result; /* erased concurrently */
}

HOST_INLINE MurHostResult insert_value(const HostView *view, uint32_t kind, uint64_t hash,
                                       uint32_t index, uint64_t value, uint32_t mode,
                                       uint32_t others) {
    if (value == view->none) {
        host_count(view, MUR_HEADER_INVALID_VALUES);
        return (MurHostResult){view->none, MUR_INVALID_VALUE, MUR_NO_SLOT};
    }
    return mode == MUR_MODE_UPDATE && !host_is_set(kind)
               ? update_hash(view, kind, hash, value, others)
               : insert_hash(view, kind, hash, index, value, mode, others);
}

typedef enum HostVerb { HOST_INSERT, HOST_FIND, HOST_ERASE } HostVerb;

HOST_INLINE MurHostResult run_verb(const HostView *view, uint32_t kind, HostVerb verb,
                                   uint32_t mode, uint64_t hash, uint32_t index, uint64_t value,
                                   uint32_t others) {
    switch (verb) {
    case HOST_INSERT:
        return insert_value(view, kind, hash, index, value, mode, others);
    case HOST_FIND:
        return find_entry(view, kind, hash, index, others);
    default:
        return erase_hash(view, kind, hash, index, others);
    }
}

/* Insert modes require a table with at most one value per key. */
bool mur_host_offers(const MurHostTable *table, MurInsertMode mode) {
    return mur_can(mur_type_of(table->ref.flags), MUR_TYPE_SINGLE) &&
           mur_offers_mode(table->ref.flags, mode);
}

static MurHostTable without_marks(const MurHostTable *table) {
    MurHostTable plain = {.pImage = table->pImage, .ref = table->ref};
    plain.ref.flags &= ~HOST_MARKED;
    return plain;
}

static void mark_key(const MurHostTable *table, uint64_t key) {
    const uint32_t kind = host_kind_of(table->ref.flags);
    mur_host_mark(table, host_hash(kind, key, table->ref.seed));
}

static void mark_keys(const MurHostTable *table, size_t count, const void *keys) {
    for (size_t i = 0; i < count; ++i) {
        mark_key(table, host_key_at(host_kind_of(table->ref.flags), keys, i));
    }
}

/* Inserts or erases a key, then marks the change for the mirror: see host_mirror.h. */
HOST_APART MurHostResult run_marked(const MurHostTable *table, HostVerb verb, uint32_t mode,
                                    uint64_t key, uint64_t value) {
    const MurHostTable plain = without_marks(table);
    const MurHostResult result = verb == HOST_INSERT ? mur_host_insert(&plain, mode, key, 0, value)
                                                     : mur_host_erase(&plain, key, 0);
    mark_key(table, key);
    return result;
}

HOST_APART uint64_t exchange_marked(const MurHostTable *table, uint32_t slot, uint64_t value) {
    const MurHostTable plain = without_marks(table);
    const HostView view = host_view(&plain);
    const uint64_t old = murHostSlotExchange(&plain, slot, value);
    if (slot < host_slots(&view, host_kind(&view))) {
        mur_host_mark(table, host_read_any(&view, host_kind(&view), slot).hash);
    }
    return old;
}

/* Runs an operation on one key, without a comparison of the first 64 bytes at once (host_window.h).
 * These are not prefetched: a read of their second cache line would cost more than it saves. */
HOST_INLINE MurHostResult run_key(const HostView *view, uint32_t kind, HostVerb verb, uint32_t mode,
                                  uint64_t key, uint32_t index, uint64_t value) {
    const uint64_t given = host_is_set(kind) ? 1 : value;
    if (!host_fits(kind, key, given)) {
        const uint32_t status = verb == HOST_INSERT ? MUR_UNSUPPORTED : MUR_ABSENT;
        return (MurHostResult){view->none, status, MUR_NO_SLOT};
    }
    const uint64_t hash = host_hash(kind, key, mur_index_seed(view->ref.seed, index));
    return run_verb(view, kind, verb, mode, hash, index, given, 0);
}

/* Runs an operation on a bucketed table. Inlining would change the optimisation of the caller. */
HOST_APART MurHostResult run_in_buckets(const MurHostTable *table, HostVerb verb, uint32_t mode,
                                        uint64_t key, uint64_t value) {
    const HostView view = host_view(table);
    return run_key(&view, host_kind(&view) | MUR_TABLE_BUCKETS, verb, mode, key, 0, value);
}

HOST_INLINE MurHostResult run_one(const MurHostTable *table, HostVerb verb, uint32_t mode,
                                  uint64_t key, uint32_t index, uint64_t value) {
    const uint32_t apart = MUR_TABLE_BUCKETS | (verb == HOST_FIND ? 0 : HOST_MARKED);
    if (table->ref.flags & apart) {
        return table->ref.flags & apart & HOST_MARKED
                   ? run_marked(table, verb, mode, key, value)
                   : run_in_buckets(table, verb, mode, key, value);
    }
    const HostView view = host_view(table);
    HOST_BY_LINEAR_KEY_KIND(host_kind(&view),
                            { return run_key(&view, KIND, verb, mode, key, index, value); })
    return absent(&view);
}

MurHostResult mur_host_find(const MurHostTable *table, uint64_t key, uint32_t index) {
    return run_one(table, HOST_FIND, 0, key, index, 0);
}

MurHostResult mur_host_erase(const MurHostTable *table, uint64_t key, uint32_t index) {
    return run_one(table, HOST_ERASE, 0, key, index, 0);
}

MurHostResult mur_host_insert(const MurHostTable *table, MurInsertMode mode, uint64_t key,
                              uint32_t index, uint64_t value) {
    return run_one(table, HOST_INSERT, (uint32_t)mode, key, index, value);
}

MurHostResult murHostFind(const MurHostTable *pTable, uint64_t key) {
    return mur_host_find(pTable, key, 0);
}

MurHostResult murHostErase(const MurHostTable *pTable, uint64_t key) {
    return mur_host_erase(pTable, key, 0);
}

MurHostResult murHostInsert(const MurHostTable *pTable, MurInsertMode mode, uint64_t key,
                            uint64_t value) {
    return mur_host_offers(pTable, mode)
               ? mur_host_insert(pTable, mode, key, 0, value)
               : (MurHostResult){host_view(pTable).none, MUR_UNSUPPORTED, MUR_NO_SLOT};
}

HOST_INLINE uint64_t exchange_in(const HostView *view, uint32_t kind, uint32_t slot,
                                 uint64_t value) {
    if (host_is_set(kind) || !host_fits(kind, 0, value) || slot >= host_slots(view, kind)) {
        return view->none;
    }
    if (slot >= view->ref.slotCount) {
        const uint32_t extra = slot - view->ref.slotCount;
        const uint64_t hash = host_marker(kind, extra);
        return host_extra(kind, hash) == extra
                   ? update_extra(view, kind, extra, hash, value, MUR_MODE_ASSIGN)
                   : view->none;
    }
    const HostSlot seen = host_read(view, kind, slot);
    return seen.claimed ? host_update(view, kind, host_slot(view, kind, slot), seen.hash, value,
                                      MUR_MODE_ASSIGN)
                        : view->none;
}

HOST_APART uint64_t exchange_in_buckets(const MurHostTable *table, uint32_t slot, uint64_t value) {
    const HostView view = host_view(table);
    const uint32_t kind = host_kind(&view) | MUR_TABLE_BUCKETS;
    const uint64_t old = exchange_in(&view, kind, slot, value);
    if (value == view.none && old != view.none) {
        host_forget_age(&view, kind, slot);
    }
    return old;
}

uint64_t murHostSlotExchange(const MurHostTable *pTable, uint32_t slot, uint64_t value) {
    if (pTable->ref.flags & (MUR_TABLE_BUCKETS | HOST_MARKED)) {
        return pTable->ref.flags & HOST_MARKED ? exchange_marked(pTable, slot, value)
                                               : exchange_in_buckets(pTable, slot, value);
    }
    const HostView view = host_view(pTable);
    HOST_BY_LINEAR_KEY_KIND(host_kind(&view), { return exchange_in(&view, KIND, slot, value); })
    return view.none;
}

/* Arrays of a batch; NULL: the caller did not request the array. */
typedef struct HostArrays {
    const void *keys;
    const void *given; /* values to insert */
    void *values;      /* results: previous values */
    uint32_t *statuses;
    uint32_t *slots;
} HostArrays;

/* Hashes the items from first to end, and prefetches the start of their probes. */
HOST_INLINE void fetch(const HostView *view, uint32_t kind, const void *keys, size_t first,
                       size_t end, uint64_t *hashes) {
    for (size_t i = first; i < end; ++i) {
        const uint64_t hash = host_hash(kind, host_key_at(kind, keys, i), view->ref.seed);
        host_window_fetch(view, kind, host_home(view, kind, hash));
        hashes[i - first] = hash;
    }
}

/* Processes the items from first to end in order. Before, compares the first slots of all probes:
 * these reads do not depend on each other. Returns the number of items with the status `done`. */
HOST_INLINE size_t run_group(const HostView *view, uint32_t kind, HostVerb verb, uint32_t mode,
                             uint32_t done, size_t first, size_t end, const uint64_t *hashes,
                             const HostArrays *arrays) {
    uint32_t others[HOST_GROUP];
    for (size_t i = first; i < end; ++i) {
        others[i - first] = host_evicts(kind) ? 0 : host_others(view, kind, hashes[i - first]);
    }
    size_t told = 0;
    for (size_t i = first; i < end; ++i) {
        const uint64_t value = verb == HOST_INSERT ? host_value_at(kind, arrays->given, i) : 0;
        const MurHostResult result =
            host_evicts(kind)
                ? run_in_buckets(&(MurHostTable){.pImage = view->header, .ref = view->ref}, verb,
                                 mode, host_key_at(kind, arrays->keys, i), value)
                : run_verb(view, kind, verb, mode, hashes[i - first], 0, value, others[i - first]);
        told += result.status == done;
        if (arrays->values) {
            host_set_value(kind, arrays->values, i, result.value);
        }
        if (arrays->statuses) {
            arrays->statuses[i] = result.status;
        }
        if (arrays->slots) {
            arrays->slots[i] = result.slot;
        }
    }
    return told;
}

/* Processes a batch in groups. Prefetches the next group's slots before it processes a group. */
HOST_INLINE size_t run(const HostView *view, uint32_t kind, HostVerb verb, uint32_t mode,
                       uint32_t done, size_t count, const HostArrays *arrays) {
    uint64_t hashes[2][HOST_GROUP];
    size_t told = 0, first = 0, end = count < HOST_GROUP ? count : HOST_GROUP;
    fetch(view, kind, arrays->keys, first, end, hashes[0]);
    for (uint32_t now = 0; first < count; now ^= 1) {
        const size_t next = count - end < HOST_GROUP ? count : end + HOST_GROUP;
        fetch(view, kind, arrays->keys, end, next, hashes[now ^ 1]);
        told += run_group(view, kind, verb, mode, done, first, end, hashes[now], arrays);
        first = end;
        end = next;
    }
    return told;
}

/* Gives all items the status MUR_UNSUPPORTED. */
static size_t refuse_all(const HostView *view, size_t count, const HostArrays *arrays) {
    for (size_t i = 0; i < count; ++i) {
        if (arrays->values) {
            HOST_BY_KEY_KIND(host_kind(view),
                             { host_set_value(KIND, arrays->values, i, view->none); })
        }
        if (arrays->statuses) {
            arrays->statuses[i] = MUR_UNSUPPORTED;
        }
        if (arrays->slots) {
            arrays->slots[i] = MUR_NO_SLOT;
        }
    }
    return 0;
}

size_t murHostInsertBatch(const MurHostTable *pTable, MurInsertMode mode, size_t count,
                          const void *pKeys, const void *pValues, void *pOldValues,
                          uint32_t *pStatuses, uint32_t *pSlots) {
    const HostView view = host_view(pTable);
    const HostArrays arrays = {pKeys, pValues, pOldValues, pStatuses, pSlots};
    if (!mur_host_offers(pTable, mode)) {
        return refuse_all(&view, count, &arrays);
    }
    if (pTable->ref.flags & HOST_MARKED) {
        const MurHostTable plain = without_marks(pTable);
        const size_t told = murHostInsertBatch(&plain, mode, count, pKeys, pValues, pOldValues,
                                               pStatuses, pSlots);
        mark_keys(pTable, count, pKeys);
        return told;
    }
    HOST_BY_KEY_KIND(host_kind(&view), {
        /* The most common insert mode gets its own loop, without a switch over the modes. */
        if (mode == MUR_MODE_ASSIGN) {
            return run(&view, KIND, HOST_INSERT, MUR_MODE_ASSIGN, MUR_INSERTED, count, &arrays);
        }
        return run(&view, KIND, HOST_INSERT, (uint32_t)mode, MUR_INSERTED, count, &arrays);
    })
    return 0;
}

size_t murHostFindBatch(const MurHostTable *pTable, size_t count, const void *pKeys, void *pValues,
                        uint32_t *pStatuses, uint32_t *pSlots) {
    const HostView view = host_view(pTable);
    const HostArrays arrays = {pKeys, NULL, pValues, pStatuses, pSlots};
    HOST_BY_KEY_KIND(host_kind(&view),
                     { return run(&view, KIND, HOST_FIND, 0, MUR_FOUND, count, &arrays); })
    return refuse_all(&view, count, &arrays);
}

size_t murHostEraseBatch(const MurHostTable *pTable, size_t count, const void *pKeys, void *pValues,
                         uint32_t *pStatuses, uint32_t *pSlots) {
    const HostView view = host_view(pTable);
    const HostArrays arrays = {pKeys, NULL, pValues, pStatuses, pSlots};
    if (pTable->ref.flags & HOST_MARKED) {
        const MurHostTable plain = without_marks(pTable);
        const size_t told = murHostEraseBatch(&plain, count, pKeys, pValues, pStatuses, pSlots);
        mark_keys(pTable, count, pKeys);
        return told;
    }
    HOST_BY_KEY_KIND(host_kind(&view),
                     { return run(&view, KIND, HOST_ERASE, 0, MUR_ERASED, count, &arrays); })
    return refuse_all(&view, count, &arrays);
}
