/* The oracle: operations.
 * SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR_WORDS = 8, DEFAULT_PROBE_LIMIT = 16384 };

bool oracle_is_set(uint32_t format) {
    return format == MUR_FORMAT_K32 || format == MUR_FORMAT_K64;
}

static bool has_small_keys(uint32_t format) {
    return format == MUR_FORMAT_K32 || format == MUR_FORMAT_K32V32;
}

uint32_t oracle_slot_words(uint32_t format) {
    static const uint32_t words[MUR_FORMAT_COUNT] = {2, 4, 1, 2, 4};
    return words[format];
}

uint32_t oracle_slot_count(uint32_t format, uint64_t capacity) {
    const uint64_t unit = format == MUR_FORMAT_K32 ? 8 : 4;
    uint64_t padding = capacity / 8 + unit;
    padding = padding < 4096 ? padding : 4096;
    return (uint32_t)((capacity + padding + unit - 1) / unit * unit);
}

static size_t slots_size(const Oracle *oracle) {
    return oracle->slots * sizeof *oracle->slot;
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        abort();
    }
    return memory;
}

/* Returns the number of words of both filters. behind_words returns that of filters and ages. */
static size_t filter_words(const OracleConfig *config) {
    return config->flags & MUR_TABLE_BUCKETS ? config->slotCount / 16 : 0;
}

static size_t behind_words(const OracleConfig *config) {
    return filter_words(config) + (config->flags & MUR_TABLE_AGES ? config->slotCount + 4 : 0);
}

static void allocate_all(Oracle *oracle) {
    oracle->slot = allocate(slots_size(oracle));
    oracle->filters = allocate(4 * behind_words(&oracle->config) + 4);
    oracle->ages = oracle->filters + filter_words(&oracle->config);
}

void oracle_open(Oracle *oracle, const OracleConfig *config) {
    const uint32_t format = config->format;
    const uint32_t perSector = SECTOR_WORDS / oracle_slot_words(format);
    assert(config->capacity > 0 && config->slotCount >= config->capacity);
    uint64_t limit = config->probeLimit ? config->probeLimit : DEFAULT_PROBE_LIMIT;
    limit = limit < config->slotCount ? limit : config->slotCount;
    *oracle = (Oracle){
        .config = *config,
        .none = oracle_is_set(format) || config->zero ? 0
                : format == MUR_FORMAT_K64V64         ? UINT64_MAX
                                                      : UINT32_MAX,
        /* A probe reads one sector more than the limit needs: home may be a sector's last slot. */
        .probeSectors = (uint32_t)((limit + perSector - 1) / perSector + 1),
        .slots = config->slotCount + MUR_EXTRA_SLOTS(format),
    };
    if (config->flags & MUR_TABLE_BUCKETS) {
        oracle->probeSectors = format == MUR_FORMAT_K32 ? 4 : 8;
    }
    allocate_all(oracle);
    oracle_clear(oracle);
}

void oracle_close(Oracle *oracle) {
    free(oracle->slot);
    free(oracle->filters);
    *oracle = (Oracle){0};
}

void oracle_clear(Oracle *oracle) {
    for (uint32_t s = 0; s < oracle->slots; ++s) {
        oracle->slot[s] = (OracleSlot){ORACLE_FREE, 0, oracle->none};
    }
    oracle->full = oracle->refused = 0;
    oracle->ordered = oracle->wrapped = false;
    oracle->filter = 0;
    const size_t filters = filter_words(&oracle->config);
    memset(oracle->filters, 0, 4 * filters);
    memset(oracle->ages, 0xFF, 4 * (behind_words(&oracle->config) - filters));
}

Oracle oracle_copy(const Oracle *oracle) {
    Oracle copy = *oracle;
    allocate_all(&copy);
    oracle_assign(&copy, oracle);
    return copy;
}

void oracle_assign(Oracle *to, const Oracle *from) {
    const Oracle memory = *to;
    assert(to->slots == from->slots);
    *to = *from;
    to->slot = memory.slot;
    to->filters = memory.filters;
    to->ages = memory.ages;
    memcpy(to->slot, from->slot, slots_size(from));
    memcpy(to->filters, from->filters, 4 * behind_words(&from->config));
}

/* ---- Hashes: MurmurHash3's finalizers (Austin Appleby, public domain) ----------------------- */

typedef struct Finalizer {
    uint32_t first, second; /* shifts of the finalizer: first, second, first */
    uint64_t factors[2], mask;
} Finalizer;

static Finalizer finalizer(uint32_t format) {
    return has_small_keys(format)
               ? (Finalizer){16, 13, {0x85EBCA6B, 0xC2B2AE35}, UINT32_MAX}
               : (Finalizer){33, 33, {0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53}, UINT64_MAX};
}

static uint64_t seed_word(uint32_t format, uint32_t seed) {
    return has_small_keys(format) ? seed : (uint64_t)seed << 32 | seed;
}

uint64_t oracle_hash(uint32_t format, uint64_t key, uint32_t seed) {
    const Finalizer f = finalizer(format);
    uint64_t h = key ^ seed_word(format, seed);
    h = (h ^ h >> f.first) * f.factors[0] & f.mask;
    h = (h ^ h >> f.second) * f.factors[1] & f.mask;
    return h ^ h >> f.first;
}

/* Returns the inverse of an odd number modulo 2^64 by Newton's iteration. It begins with three
 * correct bits. Each iteration doubles their number. */
static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 5; ++i) {
        x *= 2 - odd * x;
    }
    return x;
}

/* Inverts x ^= x >> shift, by computing `shift` bits at a time from the top. */
static uint64_t unshift(uint64_t h, uint32_t shift) {
    uint64_t x = h;
    for (uint32_t known = shift; known < 64; known += shift) {
        x = h ^ x >> shift;
    }
    return x;
}

uint64_t oracle_key(uint32_t format, uint64_t hash, uint32_t seed) {
    const Finalizer f = finalizer(format);
    uint64_t h = unshift(hash, f.first) * inverse(f.factors[1]) & f.mask;
    h = unshift(h, f.second) * inverse(f.factors[0]) & f.mask;
    return unshift(h, f.first) ^ seed_word(format, seed);
}

static uint32_t oracle_home_word(uint32_t format, uint64_t hash) {
    return (uint32_t)(has_small_keys(format) ? hash : hash >> 32);
}

uint64_t oracle_hash_of(uint32_t format, uint32_t homeWord, uint32_t other) {
    return has_small_keys(format) ? homeWord : (uint64_t)homeWord << 32 | other;
}

static uint64_t marker(uint32_t format, uint32_t extra) {
    static const uint64_t markers[] = {UINT64_MAX, UINT64_MAX - 1};
    return has_small_keys(format) ? (uint32_t)markers[extra] : markers[extra];
}

uint64_t oracle_extra_key(uint32_t format, uint32_t extra, uint32_t seed) {
    return oracle_key(format, marker(format, extra), seed);
}

uint32_t oracle_home(const Oracle *oracle, uint64_t key) {
    const OracleConfig *c = &oracle->config;
    if (c->flags & MUR_TABLE_BUCKETS) {
        return oracle_bucket(oracle, key, 0);
    }
    const uint64_t high = oracle_home_word(c->format, oracle_hash(c->format, key, c->seed));
    return (uint32_t)(high * c->capacity >> 32);
}

/* Returns the first slot of a bucket. The high word of a 64-bit hash decides the first bucket, and
 * the low word the second. A 32-bit hash decides the first, and a hash of this hash the second. */
uint32_t oracle_bucket(const Oracle *oracle, uint64_t key, uint32_t which) {
    const OracleConfig *c = &oracle->config;
    const uint64_t hash = oracle_hash(c->format, key, c->seed);
    const uint64_t word = which == 0                  ? oracle_home_word(c->format, hash)
                          : has_small_keys(c->format) ? oracle_hash(c->format, hash, 0x9E3779B9)
                                                      : (uint32_t)hash;
    return (uint32_t)(word * (c->slotCount / 16) >> 32) * 16;
}

uint32_t oracle_filter_bit(const Oracle *oracle, uint64_t key) {
    const OracleConfig *c = &oracle->config;
    const uint64_t hash = oracle_hash(c->format, key, c->seed);
    return oracle_bucket(oracle, key, 0) + oracle_home_word(c->format, hash) % 16;
}

uint64_t hard_key(uint32_t format, uint32_t seed, uint32_t i) {
    /* The hashes combine 0, sentinels, words next to sentinels, and a few other words. */
    static const uint32_t lows[] = {0, UINT32_MAX, UINT32_MAX - 1, 1, 0x12345678, 7};
    static const uint32_t highs[] = {0,          UINT32_MAX, UINT32_MAX - 1, 1,
                                     0x80000000, 0x80000001, 0x80000002,     0x7FFFFFFF};
    if (!has_small_keys(format)) {
        return oracle_key(format, (uint64_t)highs[i % 8] << 32 | lows[i / 8], seed);
    }
    const uint32_t hash = i < 8 ? highs[i] : i < 28 ? UINT32_MAX - 1 - (i - 6) : 0x80000000 + i;
    return oracle_key(format, hash, seed);
}

/* Returns the extra slot of a key, or MUR_NO_SLOT. In K64V32, every hash has a normal slot. */
static uint32_t extra_slot(const Oracle *oracle, uint64_t key) {
    const OracleConfig *c = &oracle->config;
    const uint64_t hash = oracle_hash(c->format, key, c->seed);
    for (uint32_t s = c->slotCount; s < oracle->slots && c->format != MUR_FORMAT_K64V32; ++s) {
        if (hash == marker(c->format, s - c->slotCount)) {
            return s;
        }
    }
    return MUR_NO_SLOT;
}

static bool is_own(const Oracle *oracle, uint32_t s, uint64_t key) {
    return oracle->slot[s].state == ORACLE_CLAIMED && oracle->slot[s].key == key;
}

/* Returns the key's own slot in its two buckets, otherwise their first free slot. */
static uint32_t probe_buckets(const Oracle *oracle, uint64_t key) {
    for (uint32_t i = 0; i < 64; ++i) {
        const uint32_t s = oracle_bucket(oracle, key, i / 16 % 2) + i % 16;
        if (i < 32 ? is_own(oracle, s, key) : oracle->slot[s].state == ORACLE_FREE) {
            return s;
        }
    }
    return MUR_NO_SLOT;
}

uint32_t oracle_probe(const Oracle *oracle, uint64_t key) {
    const uint32_t extra = extra_slot(oracle, key);
    if (extra != MUR_NO_SLOT) {
        return extra;
    }
    if (oracle->config.flags & MUR_TABLE_BUCKETS) {
        return probe_buckets(oracle, key);
    }
    const uint32_t perSector = SECTOR_WORDS / oracle_slot_words(oracle->config.format);
    const uint32_t slotCount = oracle->config.slotCount;
    const uint32_t home = oracle_home(oracle, key);
    const uint64_t reach = (uint64_t)perSector * oracle->probeSectors - home % perSector;
    for (uint32_t i = 0; i < slotCount && i < reach; ++i) {
        const uint32_t s = (uint32_t)(((uint64_t)home + i) % slotCount);
        if (oracle->slot[s].state == ORACLE_FREE || is_own(oracle, s, key)) {
            return s;
        }
    }
    return MUR_NO_SLOT;
}

uint32_t oracle_claimed(const Oracle *oracle, uint64_t key) {
    const uint32_t s = oracle_probe(oracle, key);
    const bool extra = s != MUR_NO_SLOT && s >= oracle->config.slotCount;
    return extra || (s != MUR_NO_SLOT && is_own(oracle, s, key)) ? s : MUR_NO_SLOT;
}

uint64_t oracle_value(const Oracle *oracle, uint64_t key) {
    return oracle_find(oracle, key).value;
}

bool oracle_entry(const Oracle *oracle, uint32_t slot, uint64_t *key, uint64_t *value) {
    *value = oracle->none;
    if (slot >= oracle->slots || oracle->slot[slot].state != ORACLE_CLAIMED ||
        oracle->slot[slot].value == oracle->none) {
        return false;
    }
    *key = oracle->slot[slot].key;
    *value = oracle->slot[slot].value;
    return true;
}

/* Sets the filter bit of a key if this slot is in the key's second bucket. */
static void note_second(Oracle *oracle, uint64_t key, uint32_t s) {
    const OracleConfig *c = &oracle->config;
    if ((c->flags & MUR_TABLE_BUCKETS) && s < c->slotCount &&
        s / 16 != oracle_home(oracle, key) / 16) {
        const uint32_t bit = oracle_filter_bit(oracle, key);
        oracle->filters[oracle->filter * c->slotCount / 32 + bit / 32] |= 1u << bit % 32;
    }
}

static void forget_age(Oracle *oracle, uint32_t s) {
    if (oracle->config.flags & MUR_TABLE_AGES) {
        oracle->ages[s] = UINT32_MAX;
    }
}

void oracle_rebuild(Oracle *oracle) {
    const OracleConfig *c = &oracle->config;
    memset(oracle->filters, 0, 4 * filter_words(c));
    if (c->flags & MUR_TABLE_AGES) { /* the ages of extra slots always have four words */
        memset(oracle->ages + oracle->slots, 0xFF, 4 * (4 - (oracle->slots - c->slotCount)));
    }
    oracle->filter = 0;
    for (uint32_t s = 0; s < oracle->slots; ++s) {
        if (oracle->slot[s].value == oracle->none) {
            oracle->slot[s] = (OracleSlot){ORACLE_FREE, 0, oracle->none};
            forget_age(oracle, s);
        } else {
            note_second(oracle, oracle->slot[s].key, s);
        }
    }
}

void oracle_switch_filters(Oracle *oracle) {
    const size_t words = filter_words(&oracle->config) / 2;
    const uint32_t last = oracle->filter;
    uint32_t *old = allocate(4 * words);
    memcpy(old, oracle->filters + last * words, 4 * words);
    oracle_rebuild(oracle);
    memcpy(oracle->filters + !last * words, oracle->filters, 4 * words);
    memcpy(oracle->filters + last * words, old, 4 * words);
    oracle->filter = !last;
    free(old);
}

OracleResult oracle_find(const Oracle *oracle, uint64_t key) {
    const uint32_t s = oracle_claimed(oracle, key);
    if (s == MUR_NO_SLOT || oracle->slot[s].value == oracle->none) {
        return (OracleResult){MUR_ABSENT, MUR_NO_SLOT, oracle->none};
    }
    return (OracleResult){MUR_FOUND, s, oracle->slot[s].value};
}

bool oracle_offers(const Oracle *oracle, uint32_t mode) {
    if (mode == MUR_MODE_ASSIGN || mode == MUR_MODE_INSERT ||
        oracle_is_set(oracle->config.format)) {
        return mode <= MUR_MODE_INSERT;
    }
    return mode == MUR_MODE_UPDATE || oracle->config.zero == (mode != MUR_MODE_MIN);
}

uint64_t oracle_combine(const Oracle *oracle, uint32_t mode, uint64_t old, uint64_t value) {
    if (old == oracle->none || value == oracle->none) {
        return old == oracle->none ? value : old;
    }
    switch (mode) {
    case MUR_MODE_INSERT:
        return old;
    case MUR_MODE_ADD:
        return oracle->config.format == MUR_FORMAT_K64V64 ? old + value : (uint32_t)(old + value);
    case MUR_MODE_MIN:
        return old < value ? old : value;
    case MUR_MODE_MAX:
        return old > value ? old : value;
    case MUR_MODE_OR:
        return old | value;
    default:
        return value;
    }
}

OracleResult oracle_insert(Oracle *oracle, uint32_t mode, uint64_t key, uint64_t value) {
    OracleResult result = {MUR_UNSUPPORTED, MUR_NO_SLOT, oracle->none};
    if (!oracle_offers(oracle, mode)) {
        return result;
    }
    if (oracle_is_set(oracle->config.format)) {
        value = 1;
        mode = MUR_MODE_INSERT;
    }
    if (value == oracle->none) {
        ++oracle->refused;
        result.status = MUR_INVALID_VALUE;
        return result;
    }
    if (mode == MUR_MODE_UPDATE && oracle_find(oracle, key).status == MUR_ABSENT) {
        result.status = MUR_ABSENT;
        return result;
    }
    const uint32_t s = oracle_probe(oracle, key);
    if (s == MUR_NO_SLOT) {
        ++oracle->full;
        result.status = MUR_FULL;
        return result;
    }
    OracleSlot *slot = &oracle->slot[s];
    if (slot->state == ORACLE_FREE && s < oracle->config.slotCount &&
        !(oracle->config.flags & MUR_TABLE_BUCKETS)) {
        oracle->ordered = false;
        oracle->wrapped = oracle->wrapped || s < oracle_home(oracle, key);
    }
    note_second(oracle, key, s);
    result.status = slot->value == oracle->none ? MUR_INSERTED : MUR_EXISTED;
    result.slot = s;
    result.value = slot->value;
    *slot = (OracleSlot){ORACLE_CLAIMED, key, oracle_combine(oracle, mode, slot->value, value)};
    return result;
}

OracleResult oracle_erase(Oracle *oracle, uint64_t key) {
    OracleResult result = oracle_find(oracle, key);
    if (result.status == MUR_FOUND) {
        OracleSlot *slot = &oracle->slot[result.slot];
        result.status = MUR_ERASED;
        slot->value = oracle->none;
        forget_age(oracle, result.slot);
        if (oracle_is_set(oracle->config.format)) {
            slot->state = result.slot < oracle->config.slotCount ? ORACLE_TOMB : ORACLE_FREE;
        }
    }
    return result;
}

uint64_t oracle_exchange(Oracle *oracle, uint32_t slot, uint64_t value) {
    const OracleConfig *c = &oracle->config;
    const bool extra = slot >= c->slotCount;
    if (slot >= oracle->slots || (extra && c->format == MUR_FORMAT_K64V32)) {
        return oracle->none;
    }
    OracleSlot *s = &oracle->slot[slot];
    if (extra) { /* the key of an extra slot is always stored */
        s->state = ORACLE_CLAIMED;
        s->key = oracle_extra_key(c->format, slot - c->slotCount, c->seed);
    }
    if (s->state != ORACLE_CLAIMED) {
        return oracle->none;
    }
    const uint64_t old = s->value;
    s->value = value;
    if (value == oracle->none && old != oracle->none) {
        forget_age(oracle, slot);
    }
    return old;
}

uint64_t oracle_compare_exchange(Oracle *oracle, uint32_t slot, uint64_t compare, uint64_t value) {
    uint64_t key, old;
    if (compare == oracle->none || !oracle_entry(oracle, slot, &key, &old)) {
        return oracle->none;
    }
    return old == compare ? oracle_exchange(oracle, slot, value) : old;
}

bool oracle_satisfies(uint32_t word, uint32_t compare, uint32_t mask, uint32_t reference,
                      uint64_t key, uint64_t value) {
    const uint32_t words[] = {(uint32_t)value, (uint32_t)key, (uint32_t)(key >> 32)};
    const uint32_t masked = words[word] & (mask ? mask : UINT32_MAX);
    const bool results[] = {true, masked == reference, masked != reference, masked < reference,
                            masked >= reference};
    return results[compare];
}

/* Returns the number of slots that a find of this slot's key reads. */
static uint32_t probe_length(const Oracle *oracle, uint32_t slot) {
    const uint32_t slotCount = oracle->config.slotCount;
    if (slot >= slotCount) {
        return 1;
    }
    if (oracle->config.flags & MUR_TABLE_BUCKETS) {
        return slot / 16 == oracle_home(oracle, oracle->slot[slot].key) / 16 ? 1 : 2;
    }
    const uint32_t home = oracle_home(oracle, oracle->slot[slot].key);
    return slot - home + (slot < home ? slotCount : 0) + 1;
}

MurStats oracle_stats(const Oracle *oracle) {
    MurStats stats = {
        .state = (oracle->ordered ? MUR_STATE_ORDERED : 0) |
                 (oracle->wrapped ? MUR_STATE_WRAPPED : 0) |
                 (oracle->filter ? MUR_STATE_FILTER : 0),
        .failedInserts = oracle->full,
        .invalidValues = oracle->refused,
    };
    const bool buckets = (oracle->config.flags & MUR_TABLE_BUCKETS) != 0;
    for (uint32_t s = 0; buckets && s < oracle->config.slotCount; s += 16) {
        uint32_t taken = 0;
        for (uint32_t i = 0; i < 16; ++i) {
            taken += oracle->slot[s + i].state != ORACLE_FREE;
        }
        ++stats.probeHistogram[taken];
    }
    for (uint32_t s = 0; s < oracle->slots; ++s) {
        const OracleSlot *slot = &oracle->slot[s];
        const bool extra = s >= oracle->config.slotCount;
        if (slot->value == oracle->none) {
            ++*(slot->state == ORACLE_FREE || extra ? &stats.freeSlots : &stats.erased);
            continue;
        }
        const uint32_t length = probe_length(oracle, s);
        uint32_t bucket = 0;
        while (length >> (bucket + 1) != 0) {
            ++bucket;
        }
        ++stats.live;
        stats.probeHistogram[bucket] += buckets ? 0 : 1;
        stats.probeSum += length;
        stats.probeMax = length > stats.probeMax ? length : stats.probeMax;
    }
    return stats;
}

uint32_t oracle_disorder(const Oracle *oracle) {
    const OracleConfig *c = &oracle->config;
    uint32_t previous = 0;
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        const OracleSlot *slot = &oracle->slot[s];
        if (slot->state != ORACLE_CLAIMED) {
            previous = 0;
            continue;
        }
        const uint32_t word = oracle_home_word(c->format,
                                               oracle_hash(c->format, slot->key, c->seed));
        const uint32_t order = word < UINT32_MAX - 1 ? word : UINT32_MAX - 1;
        if (order < previous || s < oracle_home(oracle, slot->key)) {
            return s;
        }
        previous = order;
    }
    return MUR_NO_SLOT;
}
