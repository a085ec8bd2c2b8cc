/* Tests that the hash is MurmurHash3's finalizer. MurmurHash3's two 128-bit hashes, written here
 * with the finalizers of hash.h, must return the values that SMHasher publishes.
 *
 * Source: MurmurHash3 and SMHasher's verification test, by Austin Appleby (public domain).
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include <murmuration/hash.h>

#include <string.h>

static uint32_t rotate32(uint32_t word, uint32_t by) {
    return word << by | word >> (32 - by);
}

static uint64_t rotate64(uint64_t word, uint32_t by) {
    return word << by | word >> (64 - by);
}

/* Reads 16 bytes of a key from `first` on. Bytes after the key's end are 0 and change no hash. */
static void read_block(const uint8_t *key, uint32_t length, uint32_t first, uint8_t block[16]) {
    memset(block, 0, 16);
    memcpy(block, key + first, length - first < 16 ? length - first : 16);
}

static uint64_t read_word(const uint8_t *bytes, uint32_t size) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < size; ++i) {
        word |= (uint64_t)bytes[i] << 8 * i;
    }
    return word;
}

static void write_word(uint8_t *bytes, uint32_t size, uint64_t word) {
    for (uint32_t i = 0; i < size; ++i) {
        bytes[i] = (uint8_t)(word >> 8 * i);
    }
}

/* Mixes a block into the hash. whole: false for a shorter last block, which adds only words. */
static void stir64(uint64_t hash[2], const uint8_t block[16], bool whole) {
    static const uint64_t factors[] = {0x87C37B91114253D5, 0x4CF5AD432745937F};
    static const uint32_t turns[] = {31, 33}, hashTurns[] = {27, 31};
    static const uint64_t adds[] = {0x52DCE729, 0x38495AB5};
    for (uint32_t i = 0; i < 2; ++i) {
        const uint64_t word = read_word(block + 8 * i, 8) * factors[i];
        hash[i] ^= rotate64(word, turns[i]) * factors[1 - i];
        if (whole) {
            hash[i] = (rotate64(hash[i], hashTurns[i]) + hash[1 - i]) * 5 + adds[i];
        }
    }
}

static void stir32(uint32_t hash[4], const uint8_t block[16], bool whole) {
    static const uint32_t factors[] = {0x239B961B, 0xAB0E9789, 0x38B34AE5, 0xA1E38B93};
    static const uint32_t turns[] = {15, 16, 17, 18}, hashTurns[] = {19, 17, 15, 13};
    static const uint32_t adds[] = {0x561CCD1B, 0x0BCAA747, 0x96CD1C35, 0x32AC3B17};
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t word = (uint32_t)read_word(block + 4 * i, 4) * factors[i];
        hash[i] ^= rotate32(word, turns[i]) * factors[(i + 1) % 4];
        if (whole) {
            hash[i] = (rotate32(hash[i], hashTurns[i]) + hash[(i + 1) % 4]) * 5 + adds[i];
        }
    }
}

/* Adds each word of the hash to the other words, before and after the finalizers. */
static void mix64(uint64_t hash[2]) {
    hash[0] += hash[1];
    hash[1] += hash[0];
}

static void mix32(uint32_t hash[4]) {
    hash[0] += hash[1] + hash[2] + hash[3];
    for (uint32_t i = 1; i < 4; ++i) {
        hash[i] += hash[0];
    }
}

typedef void Hash(const uint8_t *key, uint32_t length, uint32_t seed, uint8_t hash[16]);

static void murmur3_x64_128(const uint8_t *key, uint32_t length, uint32_t seed, uint8_t out[16]) {
    uint64_t hash[2] = {seed, seed};
    for (uint32_t first = 0; first < length; first += 16) {
        uint8_t block[16];
        read_block(key, length, first, block);
        stir64(hash, block, length - first >= 16);
    }
    hash[0] ^= length;
    hash[1] ^= length;
    mix64(hash);
    hash[0] = mur_hash64(hash[0], 0);
    hash[1] = mur_hash64(hash[1], 0);
    mix64(hash);
    write_word(out, 8, hash[0]);
    write_word(out + 8, 8, hash[1]);
}

static void murmur3_x86_128(const uint8_t *key, uint32_t length, uint32_t seed, uint8_t out[16]) {
    uint32_t hash[4] = {seed, seed, seed, seed};
    for (uint32_t first = 0; first < length; first += 16) {
        uint8_t block[16];
        read_block(key, length, first, block);
        stir32(hash, block, length - first >= 16);
    }
    for (uint32_t i = 0; i < 4; ++i) {
        hash[i] ^= length;
    }
    mix32(hash);
    for (uint32_t i = 0; i < 4; ++i) {
        hash[i] = mur_hash(hash[i], 0);
    }
    mix32(hash);
    for (uint32_t i = 0; i < 4; ++i) {
        write_word(out + 4 * i, 4, hash[i]);
    }
}

/* SMHasher's verification value: the hashes of the keys {}, {0}, {0, 1}, ..., {0 ... 254}, with
 * seeds 256, 255, ..., are concatenated. Returns the first word of the hash of the result. */
static uint32_t verification(Hash *hash) {
    uint8_t key[256], hashes[256 * 16], last[16];
    for (uint32_t length = 0; length < 256; ++length) {
        key[length] = (uint8_t)length;
        hash(key, length, 256 - length, hashes + 16 * length);
    }
    hash(hashes, sizeof hashes, 0, last);
    return (uint32_t)read_word(last, 4);
}

PLAIN_TEST(finalizer_of_64_bits_gives_smhasher_values) {
    assert_int_equal(verification(murmur3_x64_128), 0x6384BA69);
}

PLAIN_TEST(finalizer_of_32_bits_gives_smhasher_values) {
    assert_int_equal(verification(murmur3_x86_128), 0xB3ECE62A);
}
