/* Murmuration: hashing, the same text for C and GLSL.
 *
 * Source: the 32-bit finalizer ("fmix32") of MurmurHash3 by Austin Appleby (public domain), over
 * the key exclusive-or the table's seed. It is a bijection on 32 bits; mur_key undoes it. 64-bit
 * keys take its 64-bit finalizer ("fmix64"), over the key exclusive-or the seed in both halves.
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
    return MUR_CAST(MUR_U32, (MUR_CAST(uint64_t, hash) * capacity) >> 32);
}
#else
MUR_INLINE MUR_U32 mur_home(MUR_U32 hash, MUR_U32 capacity) {
    uint high, low;
    umulExtended(hash, capacity, high, low);
    return high;
}
#endif

/* The seed for the entries of a 64-bit key that have this index (MUR_FORMAT_K64V32_MULTI): what
 * spreads them over the table. In all other formats the index is 0. */
MUR_INLINE MUR_U32 mur_index_seed(MUR_U32 seed, MUR_U32 index) {
    return seed ^ index * 0x9E3779B1u;
}

/* The same for 64-bit keys. The home slot is that of the hash's high word. */
#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
MUR_INLINE uint64_t mur_hash64(uint64_t key, uint32_t seed) {
    uint64_t h = key ^ (MUR_CAST(uint64_t, seed) << 32 | seed);
    h ^= h >> 33;
    h *= 0xFF51AFD7ED558CCDull;
    h ^= h >> 33;
    h *= 0xC4CEB9FE1A85EC53ull;
    h ^= h >> 33;
    return h;
}

MUR_INLINE uint64_t mur_key64(uint64_t hash, uint32_t seed) {
    uint64_t h = hash;
    h ^= h >> 33;
    h *= 0x9CB4B2F8129337DBull;
    h ^= h >> 33;
    h *= 0x4F74430C22A54005ull;
    h ^= h >> 33;
    return h ^ (MUR_CAST(uint64_t, seed) << 32 | seed);
}
#else
/* a * b modulo 2^64; x the low word, y the high one. */
uvec2 mur_multiply64(uvec2 a, uvec2 b) {
    uint high, low;
    umulExtended(a.x, b.x, high, low);
    return uvec2(low, high + a.x * b.y + a.y * b.x);
}

uvec2 mur_hash64(uvec2 key, uint seed) {
    uvec2 h = key ^ seed;
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, uvec2(0xED558CCDu, 0xFF51AFD7u));
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, uvec2(0x1A85EC53u, 0xC4CEB9FEu));
    h.x ^= h.y >> 1;
    return h;
}

uvec2 mur_key64(uvec2 hash, uint seed) {
    uvec2 h = hash;
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, uvec2(0x129337DBu, 0x9CB4B2F8u));
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, uvec2(0x22A54005u, 0x4F74430Cu));
    h.x ^= h.y >> 1;
    return h ^ seed;
}
#endif

#endif
