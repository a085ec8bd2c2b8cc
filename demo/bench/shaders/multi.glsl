// Pairs with many values per key, in random order. The value of a pair is its number, which
// identifies its key. Included after murmuration.glsl, item.glsl and pair.glsl.
// SPDX-License-Identifier: MIT

// Returns the number to which a permutation of the numbers with `bits` bits maps i.
uint shuffled(uint i, uint bits) {
    uint mask = (1u << bits) - 1u;
    i = (i ^ i >> (bits + 1u) / 2u) * 0x9E3779B1u & mask;
    i = (i ^ i >> (bits + 2u) / 3u) * 0x85EBCA6Bu & mask;
    return i ^ i >> (bits + 1u) / 2u;
}

// Returns the key of pair i. For Zipf keys (exponent 1), each power of two has equally many pairs.
uint key_of(uint i) {
    uint n = shuffled(i, push.bits);
    if (push.valueBits != MULTI_ZIPF) {
        return pair_key(n >> push.valueBits);
    }
    uint power = 1u << mur_hash(n, 7u) % push.bits;
    return pair_key(power | (n & (power - 1u)));
}
