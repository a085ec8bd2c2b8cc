/* Murmuration: hashing, the same text for C and GLSL.
 *
 * Source: the 32-bit finalizer ("fmix32") of MurmurHash3 by Austin Appleby (public domain), over
 * the key exclusive-or the table's seed. It is a bijection on 32 bits; mur_key undoes it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HASH_H
#define MUR_HASH_H

#include "layout.h"

#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
#define MUR_INLINE static inline
#else
#define MUR_INLINE
#endif

/* Hash of a key: what the table stores as its key word. */
MUR_INLINE MUR_U32 mur_hash(MUR_U32 key, MUR_U32 seed) {
    MUR_U32 h = key ^ seed;
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    h ^= h >> 16;
    return h;
}

/* The key whose hash this is: each step of mur_hash inverted (the multipliers are the modular
 * inverses; a right shift by 13 takes two terms to undo in 32 bits). */
MUR_INLINE MUR_U32 mur_key(MUR_U32 hash, MUR_U32 seed) {
    MUR_U32 h = hash;
    h ^= h >> 16;
    h *= 0x7ED1B41Du;
    h ^= (h >> 13) ^ (h >> 26);
    h *= 0xA5CB9243u;
    h ^= h >> 16;
    return h ^ seed;
}

/* First slot that a probe for this hash examines: the high word of hash * capacity. */
#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
MUR_INLINE MUR_U32 mur_home(MUR_U32 hash, MUR_U32 capacity) {
    return (MUR_U32)(((uint64_t)hash * capacity) >> 32);
}
#else
MUR_INLINE MUR_U32 mur_home(MUR_U32 hash, MUR_U32 capacity) {
    uint high, low;
    umulExtended(hash, capacity, high, low);
    return high;
}
#endif

#endif
