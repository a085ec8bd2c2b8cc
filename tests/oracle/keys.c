/* SPDX-License-Identifier: MIT */
#include "keys.h"

uint32_t first_word(uint64_t capacity, uint64_t home) {
    return (uint32_t)(((home << 32) + capacity - 1) / capacity);
}

static uint32_t mixed(uint32_t number, uint32_t salt) {
    return (uint32_t)oracle_hash(MUR_FORMAT_K32, number, salt);
}

/* Returns one of the hash words that have this home slot. nth selects the word. 64-bit hashes use
 * only three words per home, because their other word also differs. */
static uint32_t word_of(const OracleConfig *table, uint64_t home, uint32_t nth) {
    return first_word(table->capacity, home) + (MUR_IS_64(table->format) ? nth % 3 : nth);
}

/* Returns the word of key i that decides its home. The table is divided into ranges of `size`
 * slots. The first 20 keys of a range have homes at its end, other keys anywhere in the range. */
static uint32_t range_end_word(const OracleConfig *table, uint32_t size, uint32_t i) {
    const uint64_t ranges = table->capacity / size, range = i % ranges, turn = i / ranges;
    const uint64_t width = (1ull << 32) / table->capacity;
    return turn < 20
               ? first_word(table->capacity, range * size + size - 2) + (uint32_t)turn
               : first_word(table->capacity, range * size + turn % 1000) + (uint32_t)(turn % width);
}

static uint32_t home_word(const Keys *keys, const OracleConfig *table, uint32_t i) {
    const uint64_t capacity = table->capacity;
    switch (keys->style) {
    case KEYS_AT:
        return word_of(table, keys->at, i);
    case KEYS_MIDDLE:
        return word_of(table, capacity / 2, i);
    case KEYS_END:
        return word_of(table, capacity - 1, i);
    case KEYS_HALF:
        return mixed(i, 77) / 2;
    case KEYS_ROW:
        return first_word(capacity, 100 + (i ? i - 1 : 0)) + (i == 0);
    case KEYS_PILE:
        return i < 600 ? word_of(table, capacity / 2, i) : mixed(i, 77);
    case KEYS_CLUMPS:
        return first_word(capacity, i % 3 * (capacity / 3) + mixed(i, 7) % 16) + i;
    case KEYS_RANGE_ENDS:
        return range_end_word(table, keys->at, i);
    case KEYS_AT_FULL_ROW:
        return i < keys->count ? first_word(capacity, keys->at + i)
                               : first_word(capacity, keys->at) + 1 + i;
    default:
        return mixed(keys->sharing ? i / keys->sharing : i, 77);
    }
}

static uint64_t numbered_hash(const Keys *keys, const OracleConfig *table, uint32_t i) {
    return oracle_hash_of(table->format, home_word(keys, table, i), mixed(i, 3));
}

uint64_t numbered_key(const Keys *keys, const OracleConfig *table, uint32_t i) {
    if (keys->special && i == keys->special) {
        return oracle_extra_key(table->format, 0, table->seed);
    }
    if (keys->style == KEYS_HARD) {
        return i < HARD_KEYS ? hard_key(table->format, table->seed, i) : 7919ull * i;
    }
    return oracle_key(table->format, numbered_hash(keys, table, i), table->seed);
}

uint64_t neighbour_key(const Keys *keys, const OracleConfig *table, uint32_t i) {
    const uint64_t key = numbered_key(keys, table, i);
    const uint64_t bit = MUR_IS_64(table->format) ? 0x80000000000 : 0x800;
    return oracle_key(table->format, oracle_hash(table->format, key, table->seed) ^ bit,
                      table->seed);
}
