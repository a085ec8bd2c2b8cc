/* How the host reads and writes slots: the one place that knows slot formats and atomic widths.
 *
 * Everything is inlined with kind, the format and width bits of MurTableRef.flags, as a constant,
 * so each kind gets loops of its own (HOST_BY_KIND) and pays for no other.
 *
 * Memory orders. Two locations carry meaning. A key word changes once, from empty to a hash; a
 * value word is only ever used by the key that has claimed the slot.
 *   Value changes are acquire and release, value reads acquire: whoever meets a value sees what its
 * writer did before, and presence, being one atomic word, has one order of changes that all threads
 * agree on.
 *   Key claims are release, key reads acquire. The value does not depend on it. The order flag
 * does: it is cleared (relaxed) before a claim (release), so who sees the new key, and then lets
 * others know of it by a value of its own, has the cleared flag pass on with it. A find that still
 * reads the flag as set is therefore told so by nothing that happened before it, and may act as if
 * it had run before the claim.
 *   State and failure counters are relaxed: nothing is read because of them.
 * On x86 all of these cost what relaxed ones cost.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_SLOT_H
#define MUR_HOST_SLOT_H

#include <murmuration/host.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Table memory is little-endian, and the host works on it in place."
#endif

#if defined(__GNUC__)
#define HOST_INLINE          static inline __attribute__((always_inline))
#define HOST_PREFETCH(where) __builtin_prefetch(where)
#else
#define HOST_INLINE          static inline
#define HOST_PREFETCH(where) ((void)(where))
#endif

typedef _Atomic uint32_t HostWord;
typedef _Atomic uint64_t HostPair;

/* A table, unpacked for the loops. */
typedef struct HostView {
    uint8_t *header;
    uint8_t *slots;
    MurTableRef ref;
    uint64_t none; /* the reserved value */
} HostView;

HOST_INLINE HostView host_view(const MurHostTable *table) {
    uint8_t *image = table->pImage;
    return (HostView){
        .header = image,
        .slots = image + MUR_HEADER_SIZE,
        .ref = table->ref,
        .none = (table->ref.flags & MUR_TABLE_ZERO) ? 0 : UINT32_MAX,
    };
}

/* ---- Kinds ---------------------------------------------------------------------------------- */

HOST_INLINE uint32_t host_kind(const HostView *view) {
    return view->ref.flags & MUR_TABLE_INT64;
}

/* Runs a block with KIND being each kind in turn as a constant. */
#define HOST_BY_KIND(kind, ...)          \
    switch (kind) {                      \
    case MUR_TABLE_INT64: {              \
        enum { KIND = MUR_TABLE_INT64 }; \
        __VA_ARGS__;                     \
        break;                           \
    }                                    \
    default: {                           \
        enum { KIND = 0 };               \
        __VA_ARGS__;                     \
        break;                           \
    }                                    \
    }

HOST_INLINE bool host_is_wide(uint32_t kind) {
    return (kind & MUR_TABLE_INT64) != 0;
}

/* Do key and value have the table's widths? */
HOST_INLINE bool host_fits(uint32_t kind, uint64_t key, uint64_t value) {
    (void)kind;
    return (key | value) <= UINT32_MAX;
}

HOST_INLINE uint64_t host_key_at(uint32_t kind, const void *keys, size_t i) {
    (void)kind;
    return ((const uint32_t *)keys)[i];
}

HOST_INLINE void host_set_key(uint32_t kind, void *keys, size_t i, uint64_t key) {
    (void)kind;
    ((uint32_t *)keys)[i] = (uint32_t)key;
}

HOST_INLINE uint64_t host_value_at(uint32_t kind, const void *values, size_t i) {
    (void)kind;
    return ((const uint32_t *)values)[i];
}

HOST_INLINE void host_set_value(uint32_t kind, void *values, size_t i, uint64_t value) {
    (void)kind;
    ((uint32_t *)values)[i] = (uint32_t)value;
}

/* ---- Hashes --------------------------------------------------------------------------------- */

HOST_INLINE uint64_t host_hash(const HostView *view, uint32_t kind, uint64_t key) {
    (void)kind;
    return mur_hash((uint32_t)key, view->ref.seed);
}

HOST_INLINE uint64_t host_key(const HostView *view, uint32_t kind, uint64_t hash) {
    (void)kind;
    return mur_key((uint32_t)hash, view->ref.seed);
}

HOST_INLINE uint32_t host_home(const HostView *view, uint32_t kind, uint64_t hash) {
    (void)kind;
    return mur_home((uint32_t)hash, view->ref.capacity);
}

/* ---- Slots ---------------------------------------------------------------------------------- */

HOST_INLINE uint8_t *host_slot(const HostView *view, uint32_t kind, uint32_t slot) {
    (void)kind;
    return view->slots + (size_t)slot * MUR_SLOT_SIZE;
}

/* The same for slots up to slotCount, the extra slot. */
HOST_INLINE uint8_t *host_any_slot(const HostView *view, uint32_t kind, uint32_t slot) {
    return slot == view->ref.slotCount ? view->header + 4 * MUR_HEADER_EXTRA
                                       : host_slot(view, kind, slot);
}

HOST_INLINE HostWord *host_word(uint8_t *at, uint32_t i) {
    return (HostWord *)(void *)at + i;
}

HOST_INLINE HostPair *host_pair(uint8_t *at) {
    return (HostPair *)(void *)at;
}

/* The key is the low half, the value the high one: an addition's carry falls off the top. */
HOST_INLINE uint64_t host_pack(uint64_t hash, uint64_t value) {
    return hash | value << 32;
}

/* Slot contents as read. */
typedef struct HostSlot {
    uint64_t hash; /* MUR_EMPTY: claimed by no key */
    uint64_t value;
} HostSlot;

/* value is read only if the slot is the hash's. */
HOST_INLINE HostSlot host_look(uint32_t kind, uint8_t *at, uint64_t hash) {
    if (host_is_wide(kind)) {
        uint64_t pair = atomic_load_explicit(host_pair(at), memory_order_acquire);
        return (HostSlot){(uint32_t)pair, pair >> 32};
    }
    uint32_t key = atomic_load_explicit(host_word(at, 0), memory_order_acquire);
    if (key != hash) {
        return (HostSlot){key, 0};
    }
    return (HostSlot){key, atomic_load_explicit(host_word(at, 1), memory_order_acquire)};
}

HOST_INLINE HostSlot host_read(uint32_t kind, uint8_t *at) {
    if (host_is_wide(kind)) {
        return host_look(kind, at, 0);
    }
    return (HostSlot){atomic_load_explicit(host_word(at, 0), memory_order_acquire),
                      atomic_load_explicit(host_word(at, 1), memory_order_acquire)};
}

/* For who has the image to himself. */
HOST_INLINE void host_put(uint32_t kind, uint8_t *at, HostSlot slot) {
    if (host_is_wide(kind)) {
        atomic_store_explicit(host_pair(at), host_pack(slot.hash, slot.value),
                              memory_order_relaxed);
    } else {
        atomic_store_explicit(host_word(at, 0), (uint32_t)slot.hash, memory_order_relaxed);
        atomic_store_explicit(host_word(at, 1), (uint32_t)slot.value, memory_order_relaxed);
    }
}

/* Tries to claim an empty slot; the key word that was there: MUR_EMPTY if it is ours now. With
 * 64-bit atomics the value is published by the same operation. */
HOST_INLINE uint64_t host_claim(const HostView *view, uint32_t kind, uint8_t *at, uint64_t hash,
                                uint64_t value) {
    if (host_is_wide(kind)) {
        uint64_t seen = host_pack(MUR_EMPTY, view->none);
        (void)atomic_compare_exchange_strong_explicit(host_pair(at), &seen, host_pack(hash, value),
                                                      memory_order_acq_rel, memory_order_acquire);
        return (uint32_t)seen;
    }
    uint32_t seen = MUR_EMPTY;
    (void)atomic_compare_exchange_strong_explicit(host_word(at, 0), &seen, (uint32_t)hash,
                                                  memory_order_acq_rel, memory_order_acquire);
    return seen;
}

/* ---- Values of claimed slots ---------------------------------------------------------------- */

/* What a mode makes of a present or absent value: the reserved value is each one's identity. */
HOST_INLINE uint64_t host_combine(const HostView *view, uint64_t old, uint64_t value,
                                  uint32_t mode) {
    switch (mode) {
    case MUR_MODE_KEEP:
        return old == view->none ? value : old;
    case MUR_MODE_ADD:
        return (uint32_t)(old + value);
    case MUR_MODE_MIN:
        return value < old ? value : old;
    case MUR_MODE_MAX:
        return value > old ? value : old;
    case MUR_MODE_OR:
        return old | value;
    default:
        return value;
    }
}

/* By compare-and-swap: what no instruction does in one, and whatever may turn out to change
 * nothing. Goes round again only when another thread has changed the value. */
HOST_INLINE uint64_t host_update_wide(const HostView *view, uint8_t *at, uint64_t hash,
                                      uint64_t value, uint32_t mode) {
    uint64_t seen = atomic_load_explicit(host_pair(at), memory_order_acquire);
    for (;;) {
        uint64_t old = seen >> 32;
        uint64_t wanted = host_combine(view, old, value, mode);
        if (wanted == old ||
            atomic_compare_exchange_weak_explicit(host_pair(at), &seen, host_pack(hash, wanted),
                                                  memory_order_acq_rel, memory_order_acquire)) {
            return old;
        }
    }
}

HOST_INLINE uint64_t host_update_narrow(const HostView *view, uint8_t *at, uint64_t value,
                                        uint32_t mode) {
    uint32_t seen = atomic_load_explicit(host_word(at, 1), memory_order_acquire);
    for (;;) {
        uint32_t old = seen;
        uint32_t wanted = (uint32_t)host_combine(view, old, value, mode);
        if (wanted == old ||
            atomic_compare_exchange_weak_explicit(host_word(at, 1), &seen, wanted,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            return old;
        }
    }
}

/* Applies a mode to the value of a slot that the hash has claimed; the value before. */
HOST_INLINE uint64_t host_update(const HostView *view, uint32_t kind, uint8_t *at, uint64_t hash,
                                 uint64_t value, uint32_t mode) {
    if (host_is_wide(kind)) {
        switch (mode) {
        case MUR_MODE_ASSIGN:
            return atomic_exchange_explicit(host_pair(at), host_pack(hash, value),
                                            memory_order_acq_rel) >>
                   32;
        case MUR_MODE_ADD:
            return atomic_fetch_add_explicit(host_pair(at), host_pack(0, value),
                                             memory_order_acq_rel) >>
                   32;
        default:
            return host_update_wide(view, at, hash, value, mode);
        }
    }
    switch (mode) {
    case MUR_MODE_ASSIGN:
        return atomic_exchange_explicit(host_word(at, 1), (uint32_t)value, memory_order_acq_rel);
    case MUR_MODE_ADD:
        return atomic_fetch_add_explicit(host_word(at, 1), (uint32_t)value, memory_order_acq_rel);
    default:
        return host_update_narrow(view, at, value, mode);
    }
}

/* ---- Header --------------------------------------------------------------------------------- */

HOST_INLINE HostWord *host_state(const HostView *view) {
    return host_word(view->header, MUR_HEADER_STATE);
}

/* Counts a failure: MUR_HEADER_FULL or MUR_HEADER_REFUSED. */
HOST_INLINE void host_count(const HostView *view, uint32_t word) {
    atomic_fetch_add_explicit(host_pair(view->header + 4 * (size_t)word), 1, memory_order_relaxed);
}

HOST_INLINE uint64_t host_counter(const HostView *view, uint32_t word) {
    return atomic_load_explicit(host_pair(view->header + 4 * (size_t)word), memory_order_relaxed);
}

/* Notes, before a slot is claimed, what claiming it makes untrue or true of the whole table. */
HOST_INLINE void host_note_claim(const HostView *view, uint32_t home, uint32_t slot) {
    if (atomic_load_explicit(host_state(view), memory_order_relaxed) & MUR_STATE_ORDERED) {
        atomic_fetch_and_explicit(host_state(view), ~MUR_STATE_ORDERED, memory_order_relaxed);
    }
    if (slot < home) {
        atomic_fetch_or_explicit(host_state(view), MUR_STATE_WRAPPED, memory_order_relaxed);
    }
}

/* May a find stop at the first larger hash? Asked anew by every find: see the memory orders. */
HOST_INLINE bool host_ordered(const HostView *view) {
    uint32_t state = atomic_load_explicit(host_state(view), memory_order_relaxed);
    return (state & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
}

/* ---- Probes --------------------------------------------------------------------------------- */

/* Slots that a probe from this home examines at most: to the end of the last sector that the probe
 * limit allows. More than there are comes round to the slots before the home slot. */
HOST_INLINE uint64_t host_reach(const HostView *view, uint32_t home) {
    return (uint64_t)MUR_SECTOR_SLOTS * view->ref.probeSectors - home % MUR_SECTOR_SLOTS;
}

HOST_INLINE uint32_t host_next(const HostView *view, uint32_t slot) {
    return slot + 1 == view->ref.slotCount ? 0 : slot + 1;
}

#endif
