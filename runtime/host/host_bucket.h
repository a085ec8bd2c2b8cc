/* Bucketed tables: the buckets of a hash, the filter that shows hashes in second buckets, and ages.
 * See shaders/murmuration/bucket.glsl; claim.glsl proves that no key gets two slots.
 *
 * Memory order: a bit of the filter is set (relaxed) before a slot of the second bucket is claimed
 * (release). A thread that finds the key, or was informed of it by such a thread, therefore reads
 * the bit.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_BUCKET_H
#define MUR_HOST_BUCKET_H

#include "host_slot.h"

/* Returns the first slot of the hash's second bucket, which may equal the first bucket. host_home
 * returns the first slot of the first bucket. */
HOST_INLINE uint32_t host_second(const HostView *view, uint32_t kind, uint64_t hash) {
    const uint32_t low = (uint32_t)hash;
    const uint32_t word = host_has_wide_keys(kind) ? low : mur_hash(low, MUR_SECOND_SEED);
    return MUR_BUCKET_SLOTS * mur_home(word, view->ref.slotCount / MUR_BUCKET_SLOTS);
}

HOST_INLINE bool host_is_in_first(const HostView *view, uint32_t kind, uint64_t hash,
                                  uint32_t slot) {
    return slot - host_home(view, kind, hash) < MUR_BUCKET_SLOTS;
}

/* Returns the address of word i of the memory that has both filters. */
HOST_INLINE HostWord *host_filter(const HostView *view, uint32_t i) {
    const uint32_t flags = view->ref.flags, slots = view->ref.slotCount;
    return host_word(view->header, MUR_FILTER_START(MUR_TABLE_FORMAT(flags), flags, slots) + i);
}

/* Returns the word offset of counter i of failed inserts. (The host counts in the header.) */
HOST_INLINE uint32_t host_counter_at(const HostView *view, uint32_t i) {
    const uint32_t flags = view->ref.flags;
    return MUR_COUNTER_AT(MUR_TABLE_FORMAT(flags), flags, view->ref.slotCount, i);
}

/* Returns the address of the front filter's word with the bit of a hash. bit (output): its mask. */
HOST_INLINE HostWord *host_filter_word(const HostView *view, uint32_t kind, uint64_t hash,
                                       uint32_t *bit) {
    const uint32_t state = atomic_load_explicit(host_state(view), memory_order_relaxed);
    const uint32_t number = host_home(view, kind, hash) / MUR_BUCKET_SLOTS * MUR_FILTER_BITS +
                            host_home_word(kind, hash) % MUR_FILTER_BITS;
    *bit = 1u << number % 32;
    return host_filter(
        view, number / 32 + (state & MUR_STATE_FILTER ? MUR_FILTER_WORDS(view->ref.slotCount) : 0));
}

HOST_INLINE bool host_may_be_in_second(const HostView *view, uint32_t kind, uint64_t hash) {
    uint32_t bit;
    HostWord *word = host_filter_word(view, kind, hash, &bit);
    return (atomic_load_explicit(word, memory_order_relaxed) & bit) != 0;
}

HOST_INLINE void host_note_second(const HostView *view, uint32_t kind, uint64_t hash) {
    uint32_t bit;
    HostWord *word = host_filter_word(view, kind, hash, &bit);
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) {
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
    }
}

/* Resets the age of a slot whose entry was removed. */
HOST_INLINE void host_forget_age(const HostView *view, uint32_t kind, uint32_t slot) {
    if (host_evicts(kind) && (view->ref.flags & MUR_TABLE_AGES)) {
        const uint32_t ages = MUR_AGES_START(host_format(kind), kind, view->ref.slotCount);
        atomic_store_explicit(host_word(view->header, ages + slot), MUR_AGE_UNTOUCHED,
                              memory_order_relaxed);
    }
}

/* host_bucket.c: returns the slot that the hash has claimed, or MUR_NO_SLOT. If filtered is true,
 * reads the second bucket only if the filter has the hash's bit. */
uint32_t mur_find_own(const HostView *view, uint64_t hash, bool filtered);

#endif
