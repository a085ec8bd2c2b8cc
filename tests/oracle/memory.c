/* The oracle: a table's memory.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

size_t oracle_image_words(const Oracle *oracle) {
    return MUR_HEADER_WORDS +
           (size_t)oracle_slot_words(oracle->config.format) * oracle->config.slotCount;
}

static void put(uint32_t *words, uint64_t pair) {
    words[0] = (uint32_t)pair;
    words[1] = (uint32_t)(pair >> 32);
}

static uint64_t get(const uint32_t *words) {
    return (uint64_t)words[1] << 32 | words[0];
}

/* Words of a hash in K64V32: a half of all ones is stored as 0, and a stored half of 0 has a
 * tag. */
static void put_tagged(uint32_t *words, uint64_t hash) {
    uint32_t tag = 0;
    put(words, hash);
    for (uint32_t half = 0; half < 2; ++half) {
        if (words[half] == UINT32_MAX) {
            words[half] = 0;
            tag |= 2u << half;
        }
    }
    words[3] = words[0] == 0 || words[1] == 0 ? tag | 1 : 0;
}

static void put_slot(uint32_t format, uint32_t seed, const OracleSlot *slot, uint32_t *words) {
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
            put_tagged(words, hash);
        }
        words[2] = (uint32_t)slot->value;
        break;
    }
}

/* The extra slots in the header: of sets a word each, else as slots of the table; K64V32 has none.
 */
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
            put_slot(c->format, c->seed, &slot, words + oracle_slot_words(c->format) * i);
        }
    }
}

static uint32_t *slot_words(const Oracle *oracle, const uint32_t *image, uint32_t slot) {
    return (uint32_t *)image + MUR_HEADER_WORDS + oracle_slot_words(oracle->config.format) * slot;
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
                              (c->zero && !oracle_is_set(c->format) ? 2u : 0);
    words[MUR_HEADER_PROBE_SECTORS] = oracle->probeSectors;
    put(&words[MUR_HEADER_FULL], oracle->full);
    put(&words[MUR_HEADER_REFUSED], oracle->refused);
    put_extra(oracle, words + MUR_HEADER_EXTRA);
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        put_slot(c->format, c->seed, &oracle->slot[s], slot_words(oracle, words, s));
    }
}

static char wrong[200];

static OracleSlot take_slot(const Oracle *oracle, const uint32_t *words) {
    const OracleConfig *c = &oracle->config;
    const bool small = c->format == MUR_FORMAT_K32 || c->format == MUR_FORMAT_K32V32;
    const bool set = oracle_is_set(c->format);
    const uint32_t tag = c->format == MUR_FORMAT_K64V32 ? words[3] : 0;
    uint64_t hash = small ? words[0] : get(words);
    hash |= (tag & 2 ? UINT32_MAX : 0) | (tag & 4 ? (uint64_t)UINT32_MAX << 32 : 0);
    const uint64_t value = set                              ? 1
                           : c->format == MUR_FORMAT_K64V64 ? get(words + 2)
                                                            : words[small ? 1 : 2];
    const uint64_t empty = small ? UINT32_MAX : UINT64_MAX;
    if (hash == empty && tag == 0) {
        return (OracleSlot){ORACLE_FREE, 0, set ? 0 : value};
    }
    if (set && hash == empty - 1) {
        return (OracleSlot){ORACLE_TOMB, 0, 0};
    }
    return (OracleSlot){ORACLE_CLAIMED, oracle_key(c->format, hash, c->seed), value};
}

/* As it should look: a half-claimed slot does not, nor one with a value and no key. */
static const char *check_slot(const Oracle *oracle, uint32_t s, const uint32_t *words) {
    const uint32_t format = oracle->config.format, size = oracle_slot_words(format);
    uint32_t expected[4];
    OracleSlot clean = oracle->slot[s];
    if (clean.state == ORACLE_FREE) {
        clean.value = oracle->none;
    }
    put_slot(format, oracle->config.seed, &clean, expected);
    if (memcmp(expected, words, 4 * size) == 0) {
        return NULL;
    }
    snprintf(wrong, sizeof wrong, "slot %u is neither free nor a key's: %08x %08x %08x %08x", s,
             words[0], words[size > 1], words[size > 2 ? 2 : 0], words[size - 1]);
    return wrong;
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
    oracle->full = get(&words[MUR_HEADER_FULL]);
    oracle->refused = get(&words[MUR_HEADER_REFUSED]);
    for (uint32_t s = 0; s < oracle->config.slotCount; ++s) {
        const uint32_t *slot = slot_words(oracle, words, s);
        oracle->slot[s] = take_slot(oracle, slot);
        const char *why = check_slot(oracle, s, slot);
        if (why) {
            return why;
        }
    }
    take_extra(oracle, words + MUR_HEADER_EXTRA);
    for (uint32_t s = 0; s < oracle->config.slotCount; ++s) {
        const OracleSlot *slot = &oracle->slot[s];
        if (slot->state == ORACLE_CLAIMED && oracle_probe(oracle, slot->key) != s) {
            snprintf(wrong, sizeof wrong,
                     "slot %u: key 0x%llx (home %u), but its probe ends at slot 0x%x", s,
                     (unsigned long long)slot->key, oracle_home(oracle, slot->key),
                     oracle_probe(oracle, slot->key));
            return wrong;
        }
    }
    return NULL;
}
