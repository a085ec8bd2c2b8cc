/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 4, DEFAULT_PROBE_LIMIT = 16384, EXTRA = 2 };

void oracle_open(Oracle *oracle, const OracleConfig *config) {
    assert(config->capacity > 0 && config->slotCount >= config->capacity);
    assert(config->slotCount % SECTOR == 0);
    uint64_t limit = config->probeLimit ? config->probeLimit : DEFAULT_PROBE_LIMIT;
    limit = limit < config->slotCount ? limit : config->slotCount;
    *oracle = (Oracle){
        .config = *config,
        .none = config->zero ? 0 : UINT32_MAX,
        /* The home slot can be the last of its sector: one sector more than the limit fills. */
        .probeSectors = (uint32_t)((limit + SECTOR - 1) / SECTOR + 1),
        .slots = malloc(((size_t)config->slotCount + EXTRA) * sizeof(OracleSlot)),
    };
    if (!oracle->slots) {
        abort();
    }
    oracle_clear(oracle);
}

void oracle_close(Oracle *oracle) {
    free(oracle->slots);
    oracle->slots = NULL;
}

void oracle_copy(Oracle *to, const Oracle *from) {
    OracleSlot *slots = to->slots;
    assert(to->config.slotCount == from->config.slotCount);
    memcpy(slots, from->slots, ((size_t)from->config.slotCount + EXTRA) * sizeof *slots);
    *to = *from;
    to->slots = slots;
}

void oracle_clear(Oracle *oracle) {
    uint32_t extra = oracle->config.slotCount;
    for (uint32_t i = 0; i < extra; ++i) {
        oracle->slots[i] = (OracleSlot){.claimed = false, .value = oracle->none};
    }
    for (uint32_t i = 0; i < EXTRA; ++i) {
        oracle->slots[extra + i] = (OracleSlot){
            .claimed = true,
            .key = oracle_key(i == 0 ? MUR_EMPTY : MUR_HOLE, oracle->config.seed),
            .value = oracle->none,
        };
    }
    oracle->full = 0;
    oracle->refused = 0;
    oracle->ordered = false;
    oracle->wrapped = false;
}

/* ---- Hash: MurmurHash3's 32-bit finalizer (Austin Appleby, public domain)
 * ------------------------- */

static const uint32_t FIRST_FACTOR = 0x85EBCA6Bu;
static const uint32_t SECOND_FACTOR = 0xC2B2AE35u;

uint32_t oracle_hash(uint32_t key, uint32_t seed) {
    uint32_t h = key ^ seed;
    h = (h ^ (h >> 16)) * FIRST_FACTOR;
    h = (h ^ (h >> 13)) * SECOND_FACTOR;
    return h ^ (h >> 16);
}

/* The inverse of an odd factor modulo 2^32, by Newton's iteration: each step doubles the right
 * bits. */
static uint32_t inverse(uint32_t odd) {
    uint32_t x = odd; /* right in three bits */
    for (int i = 0; i < 4; ++i) {
        x *= 2 - odd * x;
    }
    return x;
}

/* Undoes x ^= x >> shift, shift bits at a time from the top. */
static uint32_t unshift(uint32_t y, uint32_t shift) {
    uint32_t x = y;
    for (uint32_t known = shift; known < 32; known += shift) {
        x = y ^ (x >> shift);
    }
    return x;
}

uint32_t oracle_key(uint32_t hash, uint32_t seed) {
    uint32_t h = unshift(hash, 16) * inverse(SECOND_FACTOR);
    h = unshift(h, 13) * inverse(FIRST_FACTOR);
    return unshift(h, 16) ^ seed;
}

static uint32_t home_of_hash(const Oracle *oracle, uint32_t hash) {
    return (uint32_t)((uint64_t)hash * oracle->config.capacity >> 32);
}

uint32_t oracle_home(const Oracle *oracle, uint32_t key) {
    return home_of_hash(oracle, oracle_hash(key, oracle->config.seed));
}

/* ---- Probing
 * -------------------------------------------------------------------------------------- */

uint32_t oracle_probe(const Oracle *oracle, uint32_t key) {
    uint32_t slotCount = oracle->config.slotCount;
    uint32_t hash = oracle_hash(key, oracle->config.seed);
    if (hash == MUR_EMPTY || hash == MUR_HOLE) {
        return slotCount + (hash == MUR_HOLE);
    }
    uint32_t home = home_of_hash(oracle, hash);
    uint64_t reach = (uint64_t)SECTOR * oracle->probeSectors - home % SECTOR;
    for (uint32_t i = 0; i < slotCount && i < reach; ++i) {
        uint32_t slot = (uint32_t)(((uint64_t)home + i) % slotCount);
        if (!oracle->slots[slot].claimed || oracle->slots[slot].key == key) {
            return slot;
        }
    }
    return MUR_NO_SLOT;
}

uint32_t oracle_claimed(const Oracle *oracle, uint32_t key) {
    uint32_t slot = oracle_probe(oracle, key);
    return slot != MUR_NO_SLOT && oracle->slots[slot].claimed ? slot : MUR_NO_SLOT;
}

uint32_t oracle_value(const Oracle *oracle, uint32_t key) {
    uint32_t slot = oracle_claimed(oracle, key);
    return slot == MUR_NO_SLOT ? oracle->none : oracle->slots[slot].value;
}

/* ---- Operations
 * ----------------------------------------------------------------------------------- */

bool oracle_offers(const Oracle *oracle, uint32_t mode) {
    switch (mode) {
    case MUR_MODE_ASSIGN:
    case MUR_MODE_KEEP:
    case MUR_MODE_UPDATE:
        return true;
    case MUR_MODE_MIN:
        return !oracle->config.zero;
    default:
        return oracle->config.zero;
    }
}

uint32_t oracle_combine(const Oracle *oracle, uint32_t mode, uint32_t old, uint32_t value) {
    if (old == oracle->none) {
        return value;
    }
    if (value == oracle->none) {
        return old;
    }
    switch (mode) {
    case MUR_MODE_ASSIGN:
    case MUR_MODE_UPDATE:
        return value;
    case MUR_MODE_KEEP:
        return old;
    case MUR_MODE_ADD:
        return old + value;
    case MUR_MODE_MIN:
        return value < old ? value : old;
    case MUR_MODE_MAX:
        return value > old ? value : old;
    default:
        return old | value;
    }
}

OracleResult oracle_find(const Oracle *oracle, uint32_t key) {
    uint32_t value = oracle_value(oracle, key);
    if (value == oracle->none) {
        return (OracleResult){MUR_ABSENT, oracle->none, MUR_NO_SLOT};
    }
    return (OracleResult){MUR_FOUND, value, oracle_claimed(oracle, key)};
}

OracleResult oracle_insert(Oracle *oracle, uint32_t mode, uint32_t key, uint32_t value) {
    OracleResult result = {MUR_UNSUPPORTED, oracle->none, MUR_NO_SLOT};
    if (!oracle_offers(oracle, mode)) {
        return result;
    }
    if (value == oracle->none) {
        ++oracle->refused;
        result.status = MUR_REFUSED;
        return result;
    }
    if (mode == MUR_MODE_UPDATE && oracle_value(oracle, key) == oracle->none) {
        result.status = MUR_ABSENT;
        return result;
    }
    uint32_t at = oracle_probe(oracle, key);
    if (at == MUR_NO_SLOT) {
        ++oracle->full;
        result.status = MUR_FULL;
        return result;
    }
    OracleSlot *slot = &oracle->slots[at];
    if (!slot->claimed) {
        slot->claimed = true;
        slot->key = key;
        oracle->ordered = false;
        oracle->wrapped = oracle->wrapped || at < oracle_home(oracle, key);
    }
    result.status = slot->value == oracle->none ? MUR_INSERTED : MUR_EXISTED;
    result.slot = at;
    result.value = slot->value;
    slot->value = oracle_combine(oracle, mode, slot->value, value);
    return result;
}

OracleResult oracle_erase(Oracle *oracle, uint32_t key) {
    OracleResult result = oracle_find(oracle, key);
    if (result.status == MUR_FOUND) {
        result.status = MUR_ERASED;
        oracle->slots[result.slot].value = oracle->none;
    }
    return result;
}

uint32_t oracle_exchange(Oracle *oracle, uint32_t slot, uint32_t value) {
    if (slot >= oracle->config.slotCount + EXTRA || !oracle->slots[slot].claimed) {
        return oracle->none;
    }
    uint32_t old = oracle->slots[slot].value;
    oracle->slots[slot].value = value;
    return old;
}

/* ---- The whole table
 * ------------------------------------------------------------------------------ */

uint32_t oracle_compare_exchange(Oracle *oracle, uint32_t slot, uint32_t compare, uint32_t value) {
    const bool inside = slot < oracle->config.slotCount + EXTRA;
    if (compare == oracle->none || !inside) {
        return oracle->none;
    }
    const uint32_t old = oracle->slots[slot].value; /* of a free slot: the reserved value */
    return old == compare ? oracle_exchange(oracle, slot, value) : old;
}

bool oracle_satisfies(uint32_t compare, uint32_t mask, uint32_t reference, uint32_t value) {
    uint32_t masked = mask ? value & mask : value;
    switch (compare) {
    case MUR_COMPARE_EQUAL:
        return masked == reference;
    case MUR_COMPARE_NOT_EQUAL:
        return masked != reference;
    case MUR_COMPARE_LESS:
        return masked < reference;
    case MUR_COMPARE_GREATER_EQUAL:
        return masked >= reference;
    default:
        return true;
    }
}

static uint32_t state_word(const Oracle *oracle) {
    return (oracle->ordered ? MUR_STATE_ORDERED : 0) | (oracle->wrapped ? MUR_STATE_WRAPPED : 0);
}

/* Slots that a probe for this slot's key examines, its own included. */
static uint32_t probe_length(const Oracle *oracle, uint32_t slot) {
    uint32_t slotCount = oracle->config.slotCount;
    if (slot >= slotCount) {
        return 1;
    }
    uint32_t home = oracle_home(oracle, oracle->slots[slot].key);
    return slot >= home ? slot - home + 1 : slot + slotCount - home + 1;
}

MurStats oracle_stats(const Oracle *oracle) {
    MurStats stats = {
        .state = state_word(oracle),
        .full = oracle->full,
        .refused = oracle->refused,
    };
    for (uint32_t i = 0; i < oracle->config.slotCount + EXTRA; ++i) {
        const OracleSlot *slot = &oracle->slots[i];
        if (slot->value != oracle->none) {
            uint32_t length = probe_length(oracle, i);
            uint32_t bucket = 0;
            while (length >> bucket > 1) {
                ++bucket;
            }
            ++stats.live;
            ++stats.probeHistogram[bucket];
            stats.probeSum += length;
            stats.probeMax = length > stats.probeMax ? length : stats.probeMax;
        } else if (slot->claimed && i < oracle->config.slotCount) {
            ++stats.erased;
        } else {
            ++stats.free; /* the extra slots too, when they have no value */
        }
    }
    return stats;
}

size_t oracle_image_words(const Oracle *oracle) {
    return MUR_HEADER_WORDS + 2 * (size_t)oracle->config.slotCount;
}

void oracle_image(const Oracle *oracle, uint32_t *words) {
    const OracleConfig *config = &oracle->config;
    const OracleSlot *extra = &oracle->slots[config->slotCount];
    const MurTableHeader header = {
        .magic = MUR_LAYOUT_MAGIC,
        .version = MUR_LAYOUT_VERSION,
        .state = state_word(oracle),
        .capacity = config->capacity,
        .slotCount = config->slotCount,
        .seed = config->seed,
        .flags = (config->wide ? MUR_TABLE_INT64 : 0) | (config->zero ? MUR_TABLE_ZERO : 0),
        .probeSectors = oracle->probeSectors,
        .full = oracle->full,
        .refused = oracle->refused,
        .extra = {MUR_EMPTY, extra[0].value, MUR_HOLE, extra[1].value},
    };
    memcpy(words, &header, sizeof header);
    words += MUR_HEADER_WORDS;
    for (uint32_t i = 0; i < config->slotCount; ++i) {
        const OracleSlot *slot = &oracle->slots[i];
        words[2 * i] = slot->claimed ? oracle_hash(slot->key, config->seed) : MUR_EMPTY;
        words[2 * i + 1] = slot->value;
    }
}

void oracle_adopt(Oracle *oracle, const uint32_t *words) {
    uint32_t slotCount = oracle->config.slotCount;
    oracle->slots[slotCount].value = words[MUR_HEADER_EXTRA + 1];
    oracle->slots[slotCount + 1].value = words[MUR_HEADER_EXTRA + 3];
    words += MUR_HEADER_WORDS;
    for (uint32_t i = 0; i < slotCount; ++i) {
        oracle->slots[i] = (OracleSlot){
            .claimed = words[2 * i] != MUR_EMPTY,
            .key = oracle_key(words[2 * i], oracle->config.seed),
            .value = words[2 * i + 1],
        };
    }
}
