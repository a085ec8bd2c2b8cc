/* Reading and writing of slots: the only code that depends on slot formats and atomic widths.
 *
 * All functions are inlined. kind: format and width bits of MurTableRef.flags. HOST_BY_KIND makes
 * it a constant, so each table type gets its own loops without overhead of other types.
 *
 * Memory orders. Two types of words matter. A key word changes once, from empty to a hash (in sets
 * once more, to a tombstone). A value is only used by the key that has claimed the slot.
 *   Value changes are acquire and release, value reads acquire: a thread that reads a value
 * observes everything that its writer did before. Presence is one atomic word, so all threads agree
 * on the order of its changes.
 *   Key claims are release, key reads acquire. Values do not depend on this, but the flag "sorted
 * by hash" does: it is cleared (relaxed) before a claim (release). A thread that reads the new key,
 * and then informs others of it by a value of its own, passes the cleared flag on with that value.
 * Therefore, if a find still reads the flag as set, nothing that happened before the find depends
 * on the new key, and the find may behave as if it ran before the claim.
 *   State and failure counters are relaxed: no other read depends on them.
 * On x86 all of these cost the same as relaxed accesses.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_SLOT_H
#define MUR_HOST_SLOT_H

#include "host_kind.h"

#include <murmuration/host.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Table memory is little-endian, and the host works on it in place."
#endif

typedef _Atomic uint32_t HostWord;
typedef _Atomic uint64_t HostPair;

/* The addresses and the reference of a host table, in the form that loops use. */
typedef struct HostView {
    uint8_t *header;
    uint8_t *slots;
    MurTableRef ref;
    uint64_t none; /* the empty value; 0 in sets, in which a present key has 1 */
} HostView;

HOST_INLINE uint64_t host_no_value(uint32_t flags) {
    const uint32_t format = MUR_TABLE_FORMAT(flags);
    if ((flags & MUR_TABLE_ZERO) || MUR_IS_SET(format)) {
        return 0;
    }
    return MUR_HAS_WIDE_VALUES(format) ? UINT64_MAX : UINT32_MAX;
}

/* Flag in MurHostTable.ref.flags: the table belongs to a mirror, so calls that write also mark the
 * change in pMarks. Headers never have this flag. Host tables do not use its bit otherwise. */
#define HOST_MARKED MUR_TABLE_HOME_FIRST

HOST_INLINE HostView host_view(const MurHostTable *table) {
    uint8_t *image = table->pImage;
    return (HostView){
        .header = image,
        .slots = image + MUR_HEADER_SIZE,
        .ref = table->ref,
        .none = host_no_value(table->ref.flags),
    };
}

HOST_INLINE uint32_t host_kind(const HostView *view) {
    return host_kind_of(view->ref.flags);
}

/* Returns the hash of a key. For a key with an index, callers pass mur_index_seed() as the seed. */
HOST_INLINE uint64_t host_hash(uint32_t kind, uint64_t key, uint32_t seed) {
    return host_has_wide_keys(kind) ? mur_hash64(key, seed) : mur_hash((uint32_t)key, seed);
}

HOST_INLINE uint64_t host_key(uint32_t kind, uint64_t hash, uint32_t seed) {
    return host_compares(kind)        ? (uint32_t)hash
           : host_has_wide_keys(kind) ? mur_key64(hash, seed)
                                      : mur_key((uint32_t)hash, seed);
}

/* Returns the 32-bit word of a hash that decides its home. */
HOST_INLINE uint32_t host_home_word(uint32_t kind, uint64_t hash) {
    return (uint32_t)(host_has_wide_keys(kind) ? hash >> 32 : hash);
}

/* Returns the home slot of a hash, or the first of the slots that have its home. */
HOST_INLINE uint32_t host_home(const HostView *view, uint32_t kind, uint64_t hash) {
    const uint32_t each = MUR_HOME_SLOTS(host_evicts(kind));
    const uint32_t homes = host_evicts(kind) ? view->ref.slotCount / each : view->ref.capacity;
    return each * mur_home(host_home_word(kind, hash), homes);
}

/* The next two functions return the key words of a free slot, and those of a tombstone. */
HOST_INLINE uint64_t host_free_words(uint32_t kind) {
    return host_has_wide_keys(kind) && !host_compares(kind) ? UINT64_MAX : MUR_EMPTY;
}

HOST_INLINE uint64_t host_tomb_words(uint32_t kind) {
    return host_has_wide_keys(kind) ? (uint64_t)MUR_EMPTY << 32 | MUR_TOMB : MUR_TOMB;
}

/* A hash in the form in which a slot stores it. */
typedef struct HostStored {
    uint64_t words; /* the key words */
    uint32_t tag;   /* the tag word; 0: none */
} HostStored;

HOST_INLINE HostStored host_stored_at(uint32_t kind, uint64_t hash, uint32_t index) {
    if (!host_has_tags(kind)) {
        return (HostStored){hash, 0};
    }
    const bool low = (uint32_t)hash == MUR_EMPTY, high = hash >> 32 == MUR_EMPTY;
    const bool tomb = host_is_set(kind) && (uint32_t)hash == MUR_TOMB;
    const uint64_t words = (low || tomb ? 0 : (uint32_t)hash) | (high ? 0 : hash >> 32 << 32);
    const uint32_t tag = MUR_TAG_USED | (low ? MUR_TAG_LOW : 0) | (high ? MUR_TAG_HIGH : 0) |
                         (tomb ? MUR_TAG_TOMB : 0) | index << MUR_TAG_INDEX_SHIFT;
    const bool tagged = index != 0 || (uint32_t)words == 0 || words >> 32 == 0;
    return (HostStored){words, tagged ? tag : 0};
}

HOST_INLINE HostStored host_stored(uint32_t kind, uint64_t hash) {
    return host_stored_at(kind, hash, 0);
}

/* Returns the hash of the only key that this sentinel slot can store. */
HOST_INLINE uint64_t host_marker(uint32_t kind, uint32_t extra) {
    return extra == 0 ? host_free_words(kind) : host_tomb_words(kind);
}

/* Returns the sentinel slot for this hash, or HOST_NO_EXTRA if its key needs an ordinary slot. */
#define HOST_NO_EXTRA 2u
HOST_INLINE uint32_t host_extra(uint32_t kind, uint64_t hash) {
    const uint32_t format = host_format(kind);
    const bool none = format == MUR_FORMAT_K64V32;
    for (uint32_t i = 0; !none && i < MUR_EXTRA_SLOTS(format); ++i) {
        if (hash == host_marker(kind, i)) {
            return i;
        }
    }
    return HOST_NO_EXTRA;
}

/* Pointers to the two parts of a slot. `key` points to the key words, in K32V32 also to the value.
 * `beside` points to the other words, which tables that evict store after the keys of all slots. */
typedef struct HostAt {
    uint8_t *key;
    uint8_t *beside; /* {value, tag}, {value low, value high} or, in sets, {tag} */
} HostAt;

/* Returns log2 of the bytes from the key words of a slot to those of the next. */
HOST_INLINE uint32_t host_key_shift(uint32_t kind) {
    const uint32_t shift = MUR_SLOT_SHIFT(host_format(kind));
    return host_evicts(kind) && shift > 3 ? 3 : shift;
}

HOST_INLINE HostAt host_slot(const HostView *view, uint32_t kind, uint32_t slot) {
    const uint32_t format = host_format(kind);
    uint8_t *at = view->slots + ((size_t)slot << host_key_shift(kind));
    if (!host_evicts(kind)) {
        return (HostAt){at, at + 8};
    }
    const size_t beside = MUR_BESIDE_START(format, view->ref.slotCount) +
                          (size_t)MUR_BESIDE_WORDS(format, kind) * slot;
    return (HostAt){at, view->header + 4 * beside};
}

/* Returns the number of slots, including the sentinel slots, which have the highest indices. */
HOST_INLINE uint64_t host_slots(const HostView *view, uint32_t kind) {
    return (uint64_t)view->ref.slotCount + MUR_EXTRA_SLOTS(host_format(kind));
}

/* Returns the addresses of a sentinel slot, which is like other slots, but one word in sets. */
HOST_INLINE HostAt host_extra_slot(const HostView *view, uint32_t kind, uint32_t extra) {
    const uint32_t shift = host_is_set(kind) ? 2 : MUR_SLOT_SHIFT(host_format(kind));
    uint8_t *at = view->header + 4 * (size_t)MUR_HEADER_EXTRA + ((size_t)extra << shift);
    return (HostAt){at, at + 8};
}

/* Returns the addresses of a slot, which may be a sentinel slot. */
HOST_INLINE HostAt host_any_slot(const HostView *view, uint32_t kind, uint32_t slot) {
    const uint32_t slots = view->ref.slotCount;
    return slot < slots ? host_slot(view, kind, slot) : host_extra_slot(view, kind, slot - slots);
}

HOST_INLINE HostWord *host_word(uint8_t *at, uint32_t i) {
    return (HostWord *)(void *)at + i;
}

HOST_INLINE HostPair *host_pair(uint8_t *at) {
    return (HostPair *)(void *)at;
}

HOST_INLINE uint32_t host_load(uint8_t *at, uint32_t i) {
    return atomic_load_explicit(host_word(at, i), memory_order_acquire);
}

HOST_INLINE uint64_t host_load_pair(uint8_t *at) {
    return atomic_load_explicit(host_pair(at), memory_order_acquire);
}

/* Packs a hash and its value. The value is high, so that sums carry nothing into the hash. */
HOST_INLINE uint64_t host_pack(uint64_t hash, uint64_t value) {
    return hash | value << 32;
}

/* Returns the key words of a slot. If they are claimed one after the other, one may be empty. */
HOST_INLINE uint64_t host_key_words(uint32_t kind, HostAt at) {
    if (host_is_packed(kind)) {
        return (uint32_t)host_load_pair(at.key);
    }
    if (!host_has_wide_keys(kind)) {
        return host_load(at.key, 0);
    }
    if (host_is_wide(kind)) {
        return host_load_pair(at.key);
    }
    const uint64_t low = host_load(at.key, 0);
    return low | (uint64_t)host_load(at.key, 1) << 32;
}

/* Returns the address of the 32-bit value of a slot. */
HOST_INLINE HostWord *host_value_word(uint32_t kind, HostAt at) {
    return host_has_wide_keys(kind) ? host_word(at.beside, 0) : host_word(at.key, 1);
}

HOST_INLINE uint64_t host_value(uint32_t kind, HostAt at) {
    return host_is_packed(kind) ? host_load_pair(at.key) >> 32
           : host_has_wide_values(kind)
               ? host_load_pair(at.beside)
               : atomic_load_explicit(host_value_word(kind, at), memory_order_acquire);
}

HOST_INLINE HostWord *host_tag_word(uint32_t kind, HostAt at) {
    return host_word(at.beside, host_is_set(kind) ? 0 : 1);
}

HOST_INLINE uint32_t host_tag(uint32_t kind, HostAt at) {
    return atomic_load_explicit(host_tag_word(kind, at), memory_order_acquire);
}

/* Returns whether the slot with these key words is claimed by the hash `stored`. */
HOST_INLINE bool host_is_own(uint32_t kind, HostAt at, uint64_t words, HostStored stored) {
    return words == stored.words && (!host_has_tags(kind) || host_tag(kind, at) == stored.tag);
}

/* Returns whether these are the key words of a set's tombstone. */
HOST_INLINE bool host_is_tomb(uint32_t kind, uint64_t words) {
    return host_is_set(kind) && (host_claims_halves(kind) ? (uint32_t)words == MUR_TOMB
                                                          : words == host_tomb_words(kind));
}

/* Returns the number by which a table is sorted: a 32-bit hash, or the high half of a 64-bit hash.
 * The two largest high halves count as equal. */
HOST_INLINE uint32_t host_rank(uint32_t kind, uint64_t hash) {
    if (!host_has_wide_keys(kind)) {
        return (uint32_t)hash;
    }
    const uint32_t high = (uint32_t)(hash >> 32);
    return high < MUR_EMPTY - 1 ? high : MUR_EMPTY - 1;
}

/* Returns whether a slot with these key words is sorted after `hash`; false for tombstones. */
HOST_INLINE bool host_is_beyond(uint32_t kind, HostAt at, uint64_t words, uint64_t hash) {
    if (host_is_tomb(kind, words)) {
        return false;
    }
    if (host_has_tags(kind)) {
        const uint32_t tag = host_tag(kind, at);
        words |= (tag & MUR_TAG_LOW ? MUR_EMPTY : 0) |
                 (tag & MUR_TAG_HIGH ? (uint64_t)MUR_EMPTY << 32 : 0);
    }
    return host_rank(kind, words) > host_rank(kind, hash);
}

/* The content of a slot, read word by word while other threads may write. If the value is not the
 * empty value, the content is complete. Otherwise, the slot may be half claimed, or look broken. */
typedef struct HostSlot {
    uint64_t hash;  /* undefined if the slot is not claimed */
    uint64_t value; /* the empty value: no entry */
    bool claimed;   /* a key has claimed the slot, and may be erased */
    bool broken;    /* the words have a state that no operation leaves */
    uint32_t index;
} HostSlot;

HOST_INLINE HostSlot host_read(const HostView *view, uint32_t kind, uint32_t slot) {
    const HostAt at = host_slot(view, kind, slot);
    /* Reads the value first: writers store it after the key, so the key is then complete. */
    const uint64_t pair = host_is_packed(kind) ? host_load_pair(at.key) : 0;
    const uint64_t value = host_is_packed(kind) ? pair >> 32
                           : host_is_set(kind)  ? 0
                                                : host_value(kind, at);
    const uint64_t words = host_is_packed(kind) ? (uint32_t)pair : host_key_words(kind, at);
    if (host_is_tomb(kind, words)) {
        return (HostSlot){.hash = words, .claimed = true};
    }
    if (!host_has_tags(kind)) {
        const bool claimed = words != host_free_words(kind), set = host_is_set(kind);
        const bool half = host_compares(kind) &&
                          ((uint32_t)words == MUR_EMPTY) != (words >> 32 == 0);
        return (HostSlot){words, set ? claimed : value, claimed,
                          half || (!set && !claimed && value != view->none), 0};
    }
    const uint32_t low = (uint32_t)words, high = (uint32_t)(words >> 32), tag = host_tag(kind, at);
    const bool tomb = host_is_set(kind) && (tag & MUR_TAG_TOMB);
    const uint64_t hash = (tag & MUR_TAG_LOW ? MUR_EMPTY
                           : tomb            ? MUR_TOMB
                                             : low) |
                          (uint64_t)(tag & MUR_TAG_HIGH ? MUR_EMPTY : high) << 32;
    const uint32_t index = tag >> MUR_TAG_INDEX_SHIFT;
    const HostStored stored = host_stored_at(kind, hash, index);
    const bool indexed = MUR_TABLE_FORMAT(view->ref.flags) == MUR_FORMAT_K64V32_MULTI;
    const bool claimed = low != MUR_EMPTY && high != MUR_EMPTY &&
                         (tag != 0 || (low != 0 && high != 0));
    const bool vacant = words == UINT64_MAX && tag == 0 && value == view->none;
    const bool right = claimed
                           ? stored.words == words && stored.tag == tag && indexed == (index != 0)
                           : vacant;
    return (HostSlot){hash, host_is_set(kind) ? claimed : value, claimed, !right, index};
}

/* Reads any slot like host_read, including the sentinel slots. */
HOST_INLINE HostSlot host_read_any(const HostView *view, uint32_t kind, uint32_t slot) {
    if (slot < view->ref.slotCount) {
        return host_read(view, kind, slot);
    }
    const uint32_t extra = slot - view->ref.slotCount;
    const HostAt at = host_extra_slot(view, kind, extra);
    HostSlot seen = {.hash = host_marker(kind, extra)};
    if (host_is_set(kind)) {
        seen.value = host_load(at.key, 0) != 0;
    } else {
        seen.value = host_format(kind) == MUR_FORMAT_K64V32 ? view->none : host_value(kind, at);
    }
    seen.claimed = seen.value != view->none; /* otherwise free, as it blocks no other key */
    return seen;
}

/* Writes the words of a slot. Requires exclusive access to the table. */
HOST_INLINE void host_put_words(uint32_t kind, HostAt at, HostStored stored, uint64_t value) {
    const uint64_t words = stored.words;
    if (host_is_packed(kind)) {
        atomic_store_explicit(host_pair(at.key), host_pack(words, value), memory_order_relaxed);
        return;
    }
    if (host_has_wide_keys(kind) && host_is_wide(kind)) {
        atomic_store_explicit(host_pair(at.key), words, memory_order_relaxed);
    } else {
        const uint32_t high = (uint32_t)(words >> 32);
        atomic_store_explicit(host_word(at.key, 0), (uint32_t)words, memory_order_relaxed);
        if (host_has_wide_keys(kind)) {
            atomic_store_explicit(host_word(at.key, 1), high, memory_order_relaxed);
        }
    }
    if (host_has_tags(kind)) {
        atomic_store_explicit(host_tag_word(kind, at), stored.tag, memory_order_relaxed);
    }
    if (host_has_wide_values(kind)) {
        atomic_store_explicit(host_pair(at.beside), value, memory_order_relaxed);
    } else if (!host_is_set(kind)) {
        atomic_store_explicit(host_value_word(kind, at), (uint32_t)value, memory_order_relaxed);
    }
}

/* Writes a slot that is not free: one with an entry, an erased key, or a set's tombstone. */
HOST_INLINE void host_put(const HostView *view, uint32_t kind, uint32_t slot, HostSlot entry) {
    host_put_words(kind, host_slot(view, kind, slot), host_stored_at(kind, entry.hash, entry.index),
                   entry.value);
}

HOST_INLINE bool host_same_key(HostSlot a, HostSlot b) {
    return a.hash == b.hash && a.index == b.index;
}

HOST_INLINE void host_put_free(const HostView *view, uint32_t kind, uint32_t slot) {
    const HostStored free = {host_free_words(kind), 0};
    host_put_words(kind, host_slot(view, kind, slot), free, view->none);
}

/* Tries to change a word of a slot from `unclaimed` to `wanted`. Returns whether it then is
 * `wanted`. Sets `won` to whether this call, not another thread, wrote the word. */
HOST_INLINE bool host_claim_word(HostWord *at, uint32_t unclaimed, uint32_t wanted, bool *won) {
    uint32_t seen = unclaimed;
    *won = atomic_compare_exchange_strong_explicit(at, &seen, wanted, memory_order_acq_rel,
                                                   memory_order_acquire);
    return *won || seen == wanted;
}

HOST_INLINE bool host_claim_pair(HostPair *at, uint64_t wanted) {
    uint64_t seen = UINT64_MAX;
    (void)atomic_compare_exchange_strong_explicit(at, &seen, wanted, memory_order_acq_rel,
                                                  memory_order_acquire);
    return seen == UINT64_MAX || seen == wanted;
}

/* Tries to claim a slot for a hash, word after word: shaders/murmuration/claim.glsl proves that
 * this is correct. Returns false if another key owns the slot. Sets `won` to whether this call
 * wrote the last word; in sets, the call has then inserted the key. Formats that claim with one
 * atomic exchange use other functions. */
HOST_INLINE bool host_claim(uint32_t kind, HostAt at, HostStored stored, bool *won) {
    const uint32_t low = (uint32_t)stored.words, high = (uint32_t)(stored.words >> 32);
    if (!host_has_wide_keys(kind)) {
        return host_claim_word(host_word(at.key, 0), MUR_EMPTY, low, won);
    }
    const bool ours = host_is_wide(kind)
                          ? host_claim_pair(host_pair(at.key), stored.words)
                          : host_claim_word(host_word(at.key, 0), MUR_EMPTY, low, won) &&
                                host_claim_word(host_word(at.key, 1), MUR_EMPTY, high, won);
    return ours &&
           (stored.tag == 0 || host_claim_word(host_tag_word(kind, at), 0, stored.tag, won));
}

/* Tries to claim a slot with its value. Returns the old key word: MUR_EMPTY on success. */
HOST_INLINE uint64_t host_claim_packed(const HostView *view, HostAt at, uint64_t hash,
                                       uint64_t value) {
    uint64_t seen = host_pack(MUR_EMPTY, view->none);
    (void)atomic_compare_exchange_strong_explicit(host_pair(at.key), &seen, host_pack(hash, value),
                                                  memory_order_acq_rel, memory_order_acquire);
    return (uint32_t)seen;
}

/* Replaces the key words of a set's slot if they are `from`. Returns the previous words. If threads
 * claim the two words one after the other, replaces only the low word, which alone marks a
 * tombstone. */
HOST_INLINE uint64_t host_swap_key(uint32_t kind, HostAt at, uint64_t from, uint64_t to) {
    if (host_has_wide_keys(kind) && host_is_wide(kind)) {
        (void)atomic_compare_exchange_strong_explicit(host_pair(at.key), &from, to,
                                                      memory_order_acq_rel, memory_order_acquire);
        return from;
    }
    uint32_t seen = (uint32_t)from;
    const bool swapped = atomic_compare_exchange_strong_explicit(
        host_word(at.key, 0), &seen, (uint32_t)to, memory_order_acq_rel, memory_order_acquire);
    return swapped ? from : seen;
}

/* Returns whether a hash has claimed the slot with these key words, or can still claim it. */
HOST_INLINE bool host_is_open(uint32_t kind, HostAt at, uint64_t words, HostStored stored) {
    if (stored.tag != 0) {
        const uint32_t tag = host_tag(kind, at);
        if (tag != 0 && tag != stored.tag) {
            return false;
        }
    }
    if (!host_claims_halves(kind)) {
        return words == host_free_words(kind) || words == stored.words;
    }
    const uint32_t low = (uint32_t)words, high = (uint32_t)(words >> 32);
    return (low == MUR_EMPTY || low == (uint32_t)stored.words) &&
           (high == MUR_EMPTY || high == (uint32_t)(stored.words >> 32));
}

/* Returns the value that an insert with this mode stores. old: the empty value if the key is
 * absent; it is the identity of minimum, maximum and "or". */
HOST_INLINE uint64_t host_combine(const HostView *view, uint64_t old, uint64_t value,
                                  uint32_t mode) {
    switch (mode) {
    case MUR_MODE_INSERT:
        return old == view->none ? value : old;
    case MUR_MODE_MIN:
        return value < old ? value : old;
    case MUR_MODE_MAX:
        return value > old ? value : old;
    case MUR_MODE_OR:
        return old | value;
    case MUR_MODE_UPDATE:
        return old == view->none ? old : value;
    default:
        return value;
    }
}

/* Applies an insert mode by compare-and-swap, for modes without an atomic instruction, and for
 * changes that may have no effect. Repeats only if another thread changed the value. The 64-bit
 * word is a packed slot with the given key, or only a value. */
HOST_INLINE uint64_t host_combine_pair(const HostView *view, HostPair *at, uint32_t shift,
                                       uint64_t key, uint64_t value, uint32_t mode) {
    uint64_t seen = atomic_load_explicit(at, memory_order_acquire);
    for (;;) {
        const uint64_t old = seen >> shift;
        const uint64_t wanted = host_combine(view, old, value, mode);
        if (wanted == old ||
            atomic_compare_exchange_weak_explicit(at, &seen, key | wanted << shift,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            return old;
        }
    }
}

HOST_INLINE uint64_t host_combine_word(const HostView *view, HostWord *at, uint64_t value,
                                       uint32_t mode) {
    uint32_t seen = atomic_load_explicit(at, memory_order_acquire);
    for (;;) {
        const uint32_t old = seen;
        const uint32_t wanted = (uint32_t)host_combine(view, old, value, mode);
        if (wanted == old || atomic_compare_exchange_weak_explicit(
                                 at, &seen, wanted, memory_order_acq_rel, memory_order_acquire)) {
            return old;
        }
    }
}

HOST_INLINE uint64_t host_update_pair(const HostView *view, HostPair *at, uint32_t shift,
                                      uint64_t key, uint64_t value, uint32_t mode) {
    switch (mode) {
    case MUR_MODE_ASSIGN:
        return atomic_exchange_explicit(at, key | value << shift, memory_order_acq_rel) >> shift;
    case MUR_MODE_ADD:
        return atomic_fetch_add_explicit(at, value << shift, memory_order_acq_rel) >> shift;
    default:
        return host_combine_pair(view, at, shift, key, value, mode);
    }
}

HOST_INLINE uint64_t host_update_word(const HostView *view, HostWord *at, uint64_t value,
                                      uint32_t mode) {
    switch (mode) {
    case MUR_MODE_ASSIGN:
        return atomic_exchange_explicit(at, (uint32_t)value, memory_order_acq_rel);
    case MUR_MODE_ADD:
        return atomic_fetch_add_explicit(at, (uint32_t)value, memory_order_acq_rel);
    default:
        return host_combine_word(view, at, value, mode);
    }
}

/* Applies an insert mode to the value of a slot that the hash owns. Returns the previous value. */
HOST_INLINE uint64_t host_update(const HostView *view, uint32_t kind, HostAt at, uint64_t hash,
                                 uint64_t value, uint32_t mode) {
    if (host_is_packed(kind)) {
        return host_update_pair(view, host_pair(at.key), 32, hash, value, mode);
    }
    if (host_has_wide_values(kind)) {
        return host_update_pair(view, host_pair(at.beside), 0, 0, value, mode);
    }
    return host_update_word(view, host_value_word(kind, at), value, mode);
}

HOST_INLINE HostWord *host_state(const HostView *view) {
    return host_word(view->header, MUR_HEADER_STATE);
}

/* Counts a failure: word is MUR_HEADER_FAILED_INSERTS or MUR_HEADER_INVALID_VALUES. */
HOST_INLINE void host_count(const HostView *view, uint32_t word) {
    atomic_fetch_add_explicit(host_pair(view->header + 4 * (size_t)word), 1, memory_order_relaxed);
}

HOST_INLINE uint64_t host_counter(const HostView *view, uint32_t word) {
    return atomic_load_explicit(host_pair(view->header + 4 * (size_t)word), memory_order_relaxed);
}

/* Clears the flag "sorted by hash" before a claim; sets "wrapped" if the slot is before home. */
HOST_INLINE void host_note_claim(const HostView *view, uint32_t home, uint32_t slot) {
    if (atomic_load_explicit(host_state(view), memory_order_relaxed) & MUR_STATE_ORDERED) {
        atomic_fetch_and_explicit(host_state(view), ~MUR_STATE_ORDERED, memory_order_relaxed);
    }
    if (slot < home) {
        atomic_fetch_or_explicit(host_state(view), MUR_STATE_WRAPPED, memory_order_relaxed);
    }
}

/* Returns whether the table is sorted by hash, so that a find may stop at the first larger hash.
 * Every find reads the flag again: see "Memory orders" above. */
HOST_INLINE bool host_ordered(const HostView *view) {
    uint32_t state = atomic_load_explicit(host_state(view), memory_order_relaxed);
    return (state & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
}

/* Returns the maximum number of slots that a probe from this home slot reads: to the end of the
 * last sector within the probe limit. A probe of the whole table ends in its first sector, with the
 * slots before the home slot. */
HOST_INLINE uint64_t host_reach(const HostView *view, uint32_t kind, uint32_t home) {
    const uint32_t slots = MUR_SLOTS_OF(host_format(kind));
    return (uint64_t)slots * view->ref.probeSectors - home % slots;
}

HOST_INLINE uint32_t host_next(const HostView *view, uint32_t slot) {
    return slot + 1 == view->ref.slotCount ? 0 : slot + 1;
}

#endif
