/* The oracle: a table's memory.
 * SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

enum { COUNTERS = 16, COUNTER_WORDS = 32 };

/* Returns the words per slot that are stored after the keys of all slots: {value, tag} or {tag}. */
static uint32_t words_beside(const OracleConfig *c) {
    return !(c->flags & MUR_TABLE_BUCKETS)           ? 0
           : c->format == MUR_FORMAT_K64V32          ? 2
           : c->format == MUR_FORMAT_K64 && !c->wide ? 1
                                                     : 0;
}

/* Returns the number of adjacent words per slot, the others are in words_beside. */
static uint32_t words_of(const OracleConfig *c) {
    const bool split = c->format == MUR_FORMAT_K64V32 && words_beside(c) != 0;
    return split ? 2 : oracle_slot_words(c->format);
}

/* Returns the number of words of the counters after the slots, which add to the header's. */
static size_t counter_words(const OracleConfig *c) {
    return c->flags & MUR_TABLE_BUCKETS ? (size_t)COUNTERS * COUNTER_WORDS : 0;
}

static size_t words_behind(const OracleConfig *c) {
    return (c->flags & MUR_TABLE_BUCKETS ? c->slotCount / 16 : 0) +
           (c->flags & MUR_TABLE_AGES ? c->slotCount + 4 : 0);
}

/* Returns the offset of the filters and ages, which follow the slots. */
static size_t filters_at(const OracleConfig *c) {
    return MUR_HEADER_WORDS + (size_t)(words_of(c) + words_beside(c)) * c->slotCount;
}

static void put(uint32_t *words, uint64_t pair) {
    words[0] = (uint32_t)pair;
    words[1] = (uint32_t)(pair >> 32);
}

static uint64_t get(const uint32_t *words) {
    return (uint64_t)words[1] << 32 | words[0];
}

size_t oracle_image_words(const Oracle *oracle) {
    return filters_at(&oracle->config) + words_behind(&oracle->config) +
           counter_words(&oracle->config);
}

void oracle_sum_counters(const Oracle *oracle, uint32_t *words) {
    const size_t count = counter_words(&oracle->config);
    uint32_t *counters = words + oracle_image_words(oracle) - count;
    for (size_t i = 0; i < count; i += COUNTER_WORDS) {
        put(&words[MUR_HEADER_FAILED_INSERTS],
            get(&words[MUR_HEADER_FAILED_INSERTS]) + get(&counters[i]));
        put(&counters[i], 0);
    }
}

/* Returns word i of a slot: 0 hash or its low half, 1 high half or value, 2 value, 3 tag. */
static uint32_t *word_at(const OracleConfig *c, const uint32_t *image, uint32_t slot, uint32_t i) {
    const uint32_t together = words_of(c), beside = words_beside(c);
    const size_t at = i < together
                          ? (size_t)together * slot + i
                          : (size_t)together * c->slotCount + beside * slot + (i - (4 - beside));
    return (uint32_t *)image + MUR_HEADER_WORDS + at;
}

/* Returns whether slots of this format have word i (see word_at). */
static bool has_word(const OracleConfig *c, uint32_t i) {
    return i < words_of(c) || i >= 4 - words_beside(c);
}

/* Writes the hash of a K64V32 slot. A half of all ones is stored as 0; in bucketed sets, a low half
 * that equals a tombstone is also stored as 0. Each hash with a stored half of 0 has a tag, which
 * states which halves were replaced. */
static void put_tagged(uint32_t *words, uint64_t hash, bool set) {
    uint32_t tag = 0;
    put(words, hash);
    if (set && words[0] == UINT32_MAX - 1) {
        words[0] = 0;
        tag = 8;
    }
    for (uint32_t half = 0; half < 2; ++half) {
        if (words[half] == UINT32_MAX) {
            words[half] = 0;
            tag |= 2u << half;
        }
    }
    words[3] = words[0] == 0 || words[1] == 0 ? tag | 1 : 0;
}

static void put_slot(const OracleConfig *c, const OracleSlot *slot, uint32_t *words) {
    const uint32_t format = c->format, seed = c->seed;
    const bool free = slot->state == ORACLE_FREE;
    const uint64_t hash = free                         ? UINT64_MAX
                          : slot->state == ORACLE_TOMB ? UINT64_MAX - 1
                                                       : oracle_hash(format, slot->key, seed);
    switch (format) {
    case MUR_FORMAT_K32V32:
        words[1] = (uint32_t)slot->value;
        words[0] = (uint32_t)hash;
        break;
    case MUR_FORMAT_K32:
        words[0] = (uint32_t)hash;
        break;
    case MUR_FORMAT_K64:
        put(words, hash);
        words[3] = 0;
        if (!free && words_beside(c) != 0) {
            put_tagged(words, oracle_hash(format, slot->key, seed), true);
            words[0] = slot->state == ORACLE_TOMB ? UINT32_MAX - 1 : words[0];
        }
        break;
    case MUR_FORMAT_K64V64:
        put(words, hash);
        put(words + 2, slot->value);
        break;
    default:
        if (free) {
            put(words, hash);
            words[3] = 0;
        } else {
            put_tagged(words, hash, false);
        }
        words[2] = (uint32_t)slot->value;
        break;
    }
}

/* Writes the extra slots of the header. Those of sets have one word, others the layout of slots.
 * K64V32 has no extra slots. */
static void put_extra(const Oracle *oracle, uint32_t *words) {
    const OracleConfig *c = &oracle->config;
    const OracleSlot *extra = &oracle->slot[c->slotCount];
    const bool set = oracle_is_set(c->format);
    for (uint32_t i = 0; c->format != MUR_FORMAT_K64V32 && i + c->slotCount < oracle->slots; ++i) {
        if (set) {
            words[i] = (uint32_t)extra[i].value;
        } else {
            const OracleSlot slot = {ORACLE_CLAIMED, oracle_extra_key(c->format, i, c->seed),
                                     extra[i].value};
            uint32_t whole[4];
            put_slot(c, &slot, whole);
            memcpy(words + oracle_slot_words(c->format) * i, whole,
                   4 * oracle_slot_words(c->format));
        }
    }
}

void oracle_image(const Oracle *oracle, uint32_t *words) {
    const OracleConfig *c = &oracle->config;
    memset(words, 0, MUR_HEADER_SIZE);
    words[MUR_HEADER_MAGIC] = MUR_LAYOUT_MAGIC;
    words[MUR_HEADER_VERSION] = MUR_LAYOUT_VERSION;
    words[MUR_HEADER_STATE] = oracle_stats(oracle).state;
    words[MUR_HEADER_CAPACITY] = c->capacity;
    words[MUR_HEADER_SLOT_COUNT] = c->slotCount;
    words[MUR_HEADER_SEED] = c->seed;
    words[MUR_HEADER_FLAGS] = c->format << 4 | (c->wide ? 1u : 0) |
                              (c->zero && !oracle_is_set(c->format) ? 2u : 0) | c->flags;
    words[MUR_HEADER_PROBE_SECTORS] = oracle->probeSectors;
    put(&words[MUR_HEADER_FAILED_INSERTS], oracle->full);
    put(&words[MUR_HEADER_INVALID_VALUES], oracle->refused);
    put_extra(oracle, words + MUR_HEADER_EXTRA);
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        uint32_t slot[4];
        put_slot(c, &oracle->slot[s], slot);
        for (uint32_t i = 0; i < 4; ++i) {
            if (has_word(c, i)) {
                *word_at(c, words, s, i) = slot[i];
            }
        }
    }
    memcpy(words + filters_at(c), oracle->filters, 4 * words_behind(c));
    memset(words + filters_at(c) + words_behind(c), 0, 4 * counter_words(c));
}

static char wrong[200];

static OracleSlot take_slot(const Oracle *oracle, const uint32_t *words) {
    const OracleConfig *c = &oracle->config;
    const bool small = c->format == MUR_FORMAT_K32 || c->format == MUR_FORMAT_K32V32;
    const bool set = oracle_is_set(c->format);
    const uint32_t tag = c->format == MUR_FORMAT_K64V32 || words_beside(c) != 0 ? words[3] : 0;
    uint64_t hash = small ? words[0] : get(words);
    const bool tomb = words_beside(c) != 0 ? words[0] == UINT32_MAX - 1
                                           : hash == (small ? UINT32_MAX : UINT64_MAX) - 1;
    if (set && tomb && words_beside(c) != 0) { /* one of the hashes with this tombstone */
        hash = (hash >> 32 << 32) | (tag & 8 ? UINT32_MAX - 1 : tag & 2 || tag == 0 ? 5 : 0);
    } else if (tag & 8) {
        hash |= UINT32_MAX - 1;
    }
    hash |= (tag & 2 ? UINT32_MAX : 0) | (tag & 4 ? (uint64_t)UINT32_MAX << 32 : 0);
    const uint64_t value = set                              ? 1
                           : c->format == MUR_FORMAT_K64V64 ? get(words + 2)
                                                            : words[small ? 1 : 2];
    const uint64_t empty = small ? UINT32_MAX : UINT64_MAX;
    if (hash == empty && tag == 0) {
        return (OracleSlot){ORACLE_FREE, 0, set ? 0 : value};
    }
    if (set && tomb) {
        return (OracleSlot){ORACLE_TOMB, oracle_key(c->format, hash, c->seed), 0};
    }
    return (OracleSlot){ORACLE_CLAIMED, oracle_key(c->format, hash, c->seed), value};
}

/* Returns NULL if a slot is valid, otherwise an error. Slots with only a part of a key, or with a
 * value and no key, are invalid. */
static const char *check_slot(const Oracle *oracle, uint32_t s, const uint32_t *words) {
    const OracleConfig *c = &oracle->config;
    uint32_t expected[4];
    OracleSlot clean = oracle->slot[s];
    if (clean.state == ORACLE_FREE) {
        clean.value = oracle->none;
    }
    put_slot(c, &clean, expected);
    for (uint32_t i = 0; i < 4; ++i) {
        if (has_word(c, i) && expected[i] != words[i]) {
            snprintf(wrong, sizeof wrong,
                     "slot %u is neither free nor a key's: %08x %08x %08x %08x", s, words[0],
                     words[1], words[2], words[3]);
            return wrong;
        }
    }
    return NULL;
}

static void take_extra(Oracle *oracle, const uint32_t *words) {
    const OracleConfig *c = &oracle->config;
    const uint32_t size = oracle_is_set(c->format) ? 1 : oracle_slot_words(c->format);
    for (uint32_t i = 0; c->format != MUR_FORMAT_K64V32 && i + c->slotCount < oracle->slots; ++i) {
        const uint32_t *at = words + size * i;
        const uint64_t value = c->format == MUR_FORMAT_K64V64 ? get(at + 2) : at[size - 1];
        oracle->slot[c->slotCount + i] = (OracleSlot){
            value != oracle->none ? ORACLE_CLAIMED : ORACLE_FREE,
            oracle_extra_key(c->format, i, c->seed),
            value,
        };
    }
}

const char *oracle_adopt(Oracle *oracle, const uint32_t *words) {
    oracle_clear(oracle);
    oracle->ordered = (words[MUR_HEADER_STATE] & MUR_STATE_ORDERED) != 0;
    oracle->wrapped = (words[MUR_HEADER_STATE] & MUR_STATE_WRAPPED) != 0;
    oracle->full = get(&words[MUR_HEADER_FAILED_INSERTS]);
    oracle->refused = get(&words[MUR_HEADER_INVALID_VALUES]);
    const OracleConfig *c = &oracle->config;
    for (size_t i = 0; i < counter_words(c); i += COUNTER_WORDS) {
        oracle->full += get(&words[filters_at(c) + words_behind(c) + i]);
    }
    oracle->filter = (words[MUR_HEADER_STATE] & MUR_STATE_FILTER) != 0;
    memcpy(oracle->filters, words + filters_at(c), 4 * words_behind(c));
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        uint32_t slot[4] = {0};
        for (uint32_t i = 0; i < 4; ++i) {
            slot[i] = has_word(c, i) ? *word_at(c, words, s, i) : 0;
        }
        oracle->slot[s] = take_slot(oracle, slot);
        const char *why = check_slot(oracle, s, slot);
        if (why) {
            return why;
        }
    }
    take_extra(oracle, words + MUR_HEADER_EXTRA);
    const bool buckets = (c->flags & MUR_TABLE_BUCKETS) != 0;
    for (uint32_t s = 0; s < oracle->config.slotCount; ++s) {
        const OracleSlot *slot = &oracle->slot[s];
        if (slot->state == ORACLE_CLAIMED && oracle_probe(oracle, slot->key) != s) {
            snprintf(wrong, sizeof wrong,
                     "slot %u: key 0x%llx (home %u), but its probe ends at slot 0x%x", s,
                     (unsigned long long)slot->key, oracle_home(oracle, slot->key),
                     oracle_probe(oracle, slot->key));
            return wrong;
        }
        const uint32_t bit = buckets ? oracle_filter_bit(oracle, slot->key) : 0;
        if (buckets && slot->state == ORACLE_CLAIMED &&
            s / 16 != oracle_home(oracle, slot->key) / 16 &&
            !(oracle->filters[oracle->filter * c->slotCount / 32 + bit / 32] >> bit % 32 & 1)) {
            snprintf(wrong, sizeof wrong, "slot %u: key 0x%llx has no bit", s,
                     (unsigned long long)slot->key);
            return wrong;
        }
    }
    return NULL;
}
