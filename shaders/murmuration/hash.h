/* Murmuration: hashing, shared by C, GLSL and HLSL.
 *
 * Source: the 32-bit finalizer ("fmix32") of MurmurHash3 by Austin Appleby (public domain), applied
 * to the key exclusive-or the table's seed. This hash is a bijection on 32 bits; mur_key is the
 * inverse. 64-bit keys use the 64-bit finalizer ("fmix64"), with the seed in both halves.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HASH_H
#define MUR_HASH_H

#include "layout.h"

#ifdef MUR_C
#define MUR_INLINE static inline
#else
#define MUR_INLINE
#endif

/* Multipliers of the hash (HASH), and their modular inverses (KEY). 64-bit multipliers are two
 * words. */
#define MUR_HASH_FIRST         0x85EBCA6Bu
#define MUR_HASH_SECOND        0xC2B2AE35u
#define MUR_KEY_FIRST          0x7ED1B41Du
#define MUR_KEY_SECOND         0xA5CB9243u
#define MUR_HASH64_FIRST_LOW   0xED558CCDu
#define MUR_HASH64_FIRST_HIGH  0xFF51AFD7u
#define MUR_HASH64_SECOND_LOW  0x1A85EC53u
#define MUR_HASH64_SECOND_HIGH 0xC4CEB9FEu
#define MUR_KEY64_FIRST_LOW    0x129337DBu
#define MUR_KEY64_FIRST_HIGH   0x9CB4B2F8u
#define MUR_KEY64_SECOND_LOW   0x22A54005u
#define MUR_KEY64_SECOND_HIGH  0x4F74430Cu

/* Returns the hash of a key, which the table stores as its key word. */
MUR_INLINE MUR_U32 mur_hash(MUR_U32 key, MUR_U32 seed) {
    MUR_U32 h = key ^ seed;
    h ^= h >> 16;
    h *= MUR_HASH_FIRST;
    h ^= h >> 13;
    h *= MUR_HASH_SECOND;
    h ^= h >> 16;
    return h;
}

/* Returns the key of a hash. Inverts each step of mur_hash: multiplies by the modular inverses; the
 * inverse of the right shift by 13 has two terms in 32 bits. */
MUR_INLINE MUR_U32 mur_key(MUR_U32 hash, MUR_U32 seed) {
    MUR_U32 h = hash;
    h ^= h >> 16;
    h *= MUR_KEY_FIRST;
    h ^= (h >> 13) ^ (h >> 26);
    h *= MUR_KEY_SECOND;
    h ^= h >> 16;
    return h ^ seed;
}

/* Returns the home slot of a hash: the high word of hash * capacity. */
#ifdef MUR_C
MUR_INLINE MUR_U32 mur_home(MUR_U32 hash, MUR_U32 capacity) {
    return MUR_CAST(MUR_U32, (MUR_CAST(uint64_t, hash) * capacity) >> 32);
}
#else
#if defined(MUR_HLSL) || defined(MUR_EMULATE_UMUL_EXTENDED)
/* Multiplies to 64 bits by products of halves: in HLSL no other way works on all devices, and some
 * translators of GLSL, such as naga, have no umulExtended. On an H200 this makes partitioned
 * inserts 3% slower, and finds in cached tables up to 2%. */
void mur_multiply(uint a, uint b, out uint high, out uint low) {
    uint middle = (a >> 16) * (b & 0xFFFFu) + ((a & 0xFFFFu) * (b & 0xFFFFu) >> 16);
    uint other = (a & 0xFFFFu) * (b >> 16) + (middle & 0xFFFFu);
    high = (a >> 16) * (b >> 16) + (middle >> 16) + (other >> 16);
    low = a * b;
}
#define MUR_MULTIPLY(a, b, high, low) mur_multiply(a, b, high, low)
#else
#define MUR_MULTIPLY(a, b, high, low) umulExtended(a, b, high, low)
#endif

MUR_INLINE MUR_U32 mur_home(MUR_U32 hash, MUR_U32 capacity) {
    uint high, low;
    MUR_MULTIPLY(hash, capacity, high, low);
    return high;
}
#endif

/* Returns the seed for entries with this index (types with MUR_TYPE_INDEXED), so that entries of
 * one key are spread over the table. In all other formats the index is 0. */
MUR_INLINE MUR_U32 mur_index_seed(MUR_U32 seed, MUR_U32 index) {
    return seed ^ index * 0x9E3779B1u;
}

/* Hash functions for 64-bit keys. The home slot of a 64-bit hash is mur_home of its high word. */
#ifdef MUR_C
/* Returns a 64-bit multiplier from its two words. */
#define MUR_WIDE(name) (MUR_CAST(uint64_t, name##_HIGH) << 32 | name##_LOW)

MUR_INLINE uint64_t mur_hash64(uint64_t key, uint32_t seed) {
    uint64_t h = key ^ (MUR_CAST(uint64_t, seed) << 32 | seed);
    h ^= h >> 33;
    h *= MUR_WIDE(MUR_HASH64_FIRST);
    h ^= h >> 33;
    h *= MUR_WIDE(MUR_HASH64_SECOND);
    h ^= h >> 33;
    return h;
}

MUR_INLINE uint64_t mur_key64(uint64_t hash, uint32_t seed) {
    uint64_t h = hash;
    h ^= h >> 33;
    h *= MUR_WIDE(MUR_KEY64_FIRST);
    h ^= h >> 33;
    h *= MUR_WIDE(MUR_KEY64_SECOND);
    h ^= h >> 33;
    return h ^ (MUR_CAST(uint64_t, seed) << 32 | seed);
}
#else
/* Returns a * b modulo 2^64; x is the low word, y the high word. */
MUR_U32X2 mur_multiply64(MUR_U32X2 a, MUR_U32X2 b) {
    uint high, low;
    MUR_MULTIPLY(a.x, b.x, high, low);
    return MUR_U32X2(low, high + a.x * b.y + a.y * b.x);
}

MUR_U32X2 mur_hash64(MUR_U32X2 key, uint seed) {
    MUR_U32X2 h = key ^ seed;
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, MUR_U32X2(MUR_HASH64_FIRST_LOW, MUR_HASH64_FIRST_HIGH));
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, MUR_U32X2(MUR_HASH64_SECOND_LOW, MUR_HASH64_SECOND_HIGH));
    h.x ^= h.y >> 1;
    return h;
}

MUR_U32X2 mur_key64(MUR_U32X2 hash, uint seed) {
    MUR_U32X2 h = hash;
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, MUR_U32X2(MUR_KEY64_FIRST_LOW, MUR_KEY64_FIRST_HIGH));
    h.x ^= h.y >> 1;
    h = mur_multiply64(h, MUR_U32X2(MUR_KEY64_SECOND_LOW, MUR_KEY64_SECOND_HIGH));
    h.x ^= h.y >> 1;
    return h ^ seed;
}
#endif

#endif
