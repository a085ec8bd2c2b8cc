/* The oracle: operations.
 *
 * SPDX-License-Identifier: MIT */
#include "model.h"

#include <stdlib.h>
#include <string.h>

bool model_is_set(uint32_t format) {
    return format == MUR_FORMAT_K32 || format == MUR_FORMAT_K64;
}

uint32_t model_slot_words(uint32_t format) {
    static const uint32_t words[MUR_FORMAT_COUNT] = {2, 4, 1, 2, 4};
    return words[format];
}

uint32_t model_slot_count(uint32_t format, uint64_t capacity) {
    const uint64_t unit = format == MUR_FORMAT_K32 ? 8 : 4;
    uint64_t padding = capacity / 8 + unit;
    padding = padding < 4096 ? padding : 4096;
    return (uint32_t)((capacity + padding + unit - 1) / unit * unit);
}

static uint64_t multiply(uint64_t a, uint64_t b, uint32_t bits) {
    return bits == 32 ? (uint32_t)((uint32_t)a * (uint32_t)b) : a * b;
}

/* murmur3's finalizers: xor of a right shift, twice a product between. */
uint64_t model_hash(uint32_t format, uint64_t key, uint32_t seed) {
    const bool small = format == MUR_FORMAT_K32;
    const uint32_t bits = small ? 32 : 64;
    const uint32_t shifts[] = {small ? 16 : 33, small ? 13 : 33, small ? 16 : 33};
    uint64_t h = key ^ (small ? seed : (uint64_t)seed << 32 | seed);
    h ^= h >> shifts[0];
    h = multiply(h, small ? 0x85EBCA6B : 0xFF51AFD7ED558CCD, bits);
    h ^= h >> shifts[1];
    h = multiply(h, small ? 0xC2B2AE35 : 0xC4CEB9FE1A85EC53, bits);
    return h ^ h >> shifts[2];
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration. */
static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 6; ++i) {
        x *= 2 - odd * x;
    }
    return x;
}

static uint64_t unshift(uint64_t h, uint32_t shift) {
    uint64_t x = h;
    for (int i = 0; i < 5; ++i) {
        x = h ^ x >> shift;
    }
    return x;
}

uint64_t model_key(uint32_t format, uint64_t hash, uint32_t seed) {
    const bool small = format == MUR_FORMAT_K32;
    const uint32_t bits = small ? 32 : 64;
    uint64_t h = unshift(hash, small ? 16 : 33);
    h = multiply(h, inverse(small ? 0xC2B2AE35 : 0xC4CEB9FE1A85EC53), bits);
    h = unshift(h, small ? 13 : 33);
    h = multiply(h, inverse(small ? 0x85EBCA6B : 0xFF51AFD7ED558CCD), bits);
    h = unshift(h, small ? 16 : 33);
    return h ^ (small ? seed : (uint64_t)seed << 32 | seed);
}

void model_open(Model *model, const ModelConfig *config) {
    const uint32_t format = config->format;
    const uint32_t perSector = 8 / model_slot_words(format);
    uint64_t limit = config->probeLimit ? config->probeLimit : 16384;
    limit = limit < config->slotCount ? limit : config->slotCount;
    *model = (Model){
        .config = *config,
        .none = model_is_set(format) || config->zero ? 0
                : format == MUR_FORMAT_K64V64        ? UINT64_MAX
                                                     : UINT32_MAX,
        .probeSectors = (uint32_t)((limit + perSector - 1) / perSector + 1),
        .slots = config->slotCount + MUR_EXTRA_SLOTS(format),
    };
    model->slot = malloc(model->slots * sizeof *model->slot);
    if (!model->slot) {
        abort();
    }
    model_clear(model);
}

void model_close(Model *model) {
    free(model->slot);
    *model = (Model){0};
}

void model_clear(Model *model) {
    for (uint32_t s = 0; s < model->slots; ++s) {
        model->slot[s] = (ModelSlot){MODEL_FREE, 0, model->none};
    }
    model->full = model->refused = 0;
    model->wrapped = false;
}

uint64_t model_marker(uint32_t format, uint32_t extra) {
    static const uint64_t markers[] = {UINT64_MAX, 0xFFFFFFFDFFFFFFFDull, UINT64_MAX - 1};
    return format == MUR_FORMAT_K32 ? (uint32_t)markers[extra] : markers[extra];
}

/* The extra slot in which a key lives, or MUR_NO_SLOT. */
static uint32_t extra_slot(const Model *model, uint64_t key) {
    const ModelConfig *c = &model->config;
    const uint64_t hash = model_hash(c->format, key, c->seed);
    if (c->format == MUR_FORMAT_K64V32) {
        return MUR_NO_SLOT;
    }
    for (uint32_t s = c->slotCount; s < model->slots; ++s) {
        if (hash == model_marker(c->format, s - c->slotCount)) {
            return s;
        }
    }
    return MUR_NO_SLOT;
}

static uint32_t home_slot(const Model *model, uint64_t key) {
    const ModelConfig *c = &model->config;
    const uint64_t hash = model_hash(c->format, key, c->seed);
    const uint64_t high = c->format == MUR_FORMAT_K32 ? hash : hash >> 32;
    return (uint32_t)(high * c->capacity >> 32);
}

/* The first slot on the key's way that is its own or free, or MUR_NO_SLOT. */
static uint32_t probe(const Model *model, uint64_t key) {
    const uint32_t extra = extra_slot(model, key);
    if (extra != MUR_NO_SLOT) {
        return extra;
    }
    const uint32_t perSector = 8 / model_slot_words(model->config.format);
    const uint32_t home = home_slot(model, key);
    const uint64_t end = (uint64_t)(home / perSector + model->probeSectors) * perSector;
    for (uint64_t at = home; at < end; ++at) {
        const uint32_t s = (uint32_t)(at % model->config.slotCount);
        const ModelSlot *slot = &model->slot[s];
        if (slot->state == MODEL_FREE || (slot->state == MODEL_CLAIMED && slot->key == key)) {
            return s;
        }
    }
    return MUR_NO_SLOT;
}

static bool is_own(const Model *model, uint32_t s, uint64_t key) {
    return s != MUR_NO_SLOT && model->slot[s].state == MODEL_CLAIMED && model->slot[s].key == key;
}

ModelResult model_find(const Model *model, uint64_t key) {
    const uint32_t s = probe(model, key);
    if (!is_own(model, s, key) || model->slot[s].value == model->none) {
        return (ModelResult){MUR_ABSENT, MUR_NO_SLOT, model->none};
    }
    return (ModelResult){MUR_FOUND, s, model->slot[s].value};
}

bool model_offers(const Model *model, uint32_t mode) {
    if (mode <= MUR_MODE_KEEP) {
        return true;
    }
    if (mode == MUR_MODE_UPDATE) {
        return !model_is_set(model->config.format);
    }
    return !model_is_set(model->config.format) && model->config.zero == (mode != MUR_MODE_MIN);
}

uint64_t model_combine(const Model *model, uint32_t mode, uint64_t old, uint64_t value) {
    switch (mode) {
    case MUR_MODE_KEEP:
        return old != model->none ? old : value;
    case MUR_MODE_ADD:
        return model->config.format == MUR_FORMAT_K64V64 ? old + value : (uint32_t)(old + value);
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

ModelResult model_insert(Model *model, uint32_t mode, uint64_t key, uint64_t value) {
    ModelResult result = {MUR_UNSUPPORTED, MUR_NO_SLOT, model->none};
    const bool set = model_is_set(model->config.format);
    value = set ? 1 : value;
    mode = set ? MUR_MODE_KEEP : mode;
    if (!model_offers(model, mode)) {
        return result;
    }
    if (value == model->none) {
        ++model->refused;
        result.status = MUR_REFUSED;
        return result;
    }
    if (mode == MUR_MODE_UPDATE && model_find(model, key).status == MUR_ABSENT) {
        result.status = MUR_ABSENT;
        return result;
    }
    const uint32_t s = probe(model, key);
    if (s == MUR_NO_SLOT) {
        ++model->full;
        result.status = MUR_FULL;
        return result;
    }
    ModelSlot *slot = &model->slot[s];
    if (slot->state == MODEL_FREE && s < model->config.slotCount) {
        model->wrapped = model->wrapped || s < home_slot(model, key);
    }
    result.status = slot->value == model->none ? MUR_INSERTED : MUR_EXISTED;
    result.slot = s;
    result.value = slot->value;
    *slot = (ModelSlot){MODEL_CLAIMED, key, model_combine(model, mode, slot->value, value)};
    return result;
}

ModelResult model_erase(Model *model, uint64_t key) {
    ModelResult result = model_find(model, key);
    if (result.status == MUR_FOUND) {
        ModelSlot *slot = &model->slot[result.slot];
        result.status = MUR_ERASED;
        slot->value = model->none;
        if (model_is_set(model->config.format)) {
            slot->state = result.slot < model->config.slotCount ? MODEL_TOMB : MODEL_FREE;
        }
    }
    return result;
}

uint64_t model_exchange(Model *model, uint32_t slot, uint64_t value) {
    const ModelConfig *c = &model->config;
    if (slot >= model->slots || (c->format == MUR_FORMAT_K64V32 && slot >= c->slotCount)) {
        return model->none;
    }
    ModelSlot *s = &model->slot[slot];
    if (slot >= c->slotCount) { /* always its key's */
        s->state = MODEL_CLAIMED;
        s->key = model_key(c->format, model_marker(c->format, slot - c->slotCount), c->seed);
    }
    if (s->state != MODEL_CLAIMED) {
        return model->none;
    }
    const uint64_t old = s->value;
    s->value = value;
    return old;
}

uint64_t model_compare_exchange(Model *model, uint32_t slot, uint64_t compare, uint64_t value) {
    uint64_t key, old;
    if (compare == model->none || !model_entry(model, slot, &key, &old)) {
        return model->none;
    }
    return old == compare ? model_exchange(model, slot, value) : old;
}

bool model_entry(const Model *model, uint32_t slot, uint64_t *key, uint64_t *value) {
    *value = model->none;
    if (slot >= model->slots || model->slot[slot].state != MODEL_CLAIMED ||
        model->slot[slot].value == model->none) {
        return false;
    }
    *key = model->slot[slot].key;
    *value = model->slot[slot].value;
    return true;
}

MurStats model_stats(const Model *model) {
    MurStats stats = {.state = model->wrapped ? MUR_STATE_WRAPPED : 0,
                      .full = model->full,
                      .refused = model->refused};
    for (uint32_t s = 0; s < model->slots; ++s) {
        const ModelSlot *slot = &model->slot[s];
        const bool extra = s >= model->config.slotCount;
        if (slot->value == model->none) {
            ++*(slot->state == MODEL_FREE || extra ? &stats.free : &stats.erased);
            continue;
        }
        const uint32_t home = extra ? s : home_slot(model, slot->key);
        const uint32_t length = s - home + (s < home ? model->config.slotCount : 0) + 1;
        uint32_t bucket = 0;
        while (length >> (bucket + 1) != 0) {
            ++bucket;
        }
        ++stats.live;
        ++stats.probeHistogram[bucket];
        stats.probeSum += length;
        stats.probeMax = length > stats.probeMax ? length : stats.probeMax;
    }
    return stats;
}
