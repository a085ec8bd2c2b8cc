/* The oracle: a table's memory.
 *
 * SPDX-License-Identifier: MIT */
#include "model.h"

#include <stdio.h>
#include <string.h>

size_t model_image_words(const Model *model) {
    return MUR_HEADER_WORDS +
           (size_t)model_slot_words(model->config.format) * model->config.slotCount;
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

static void put_slot(const Model *model, const ModelSlot *slot, uint32_t *words) {
    const ModelConfig *c = &model->config;
    const bool free = slot->state == MODEL_FREE;
    uint64_t hash = free                        ? UINT64_MAX
                    : slot->state == MODEL_TOMB ? UINT64_MAX - 1
                                                : model_hash(c->format, slot->key, c->seed);
    switch (c->format) {
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

void model_image(const Model *model, uint32_t *words) {
    const ModelConfig *c = &model->config;
    memset(words, 0, MUR_HEADER_SIZE);
    words[MUR_HEADER_MAGIC] = MUR_LAYOUT_MAGIC;
    words[MUR_HEADER_VERSION] = MUR_LAYOUT_VERSION;
    words[MUR_HEADER_STATE] = model->wrapped ? MUR_STATE_WRAPPED : 0;
    words[MUR_HEADER_CAPACITY] = c->capacity;
    words[MUR_HEADER_SLOT_COUNT] = c->slotCount;
    words[MUR_HEADER_SEED] = c->seed;
    words[MUR_HEADER_FLAGS] = c->format << 4 | (c->wide ? 1u : 0) | (c->zero ? 2u : 0);
    words[MUR_HEADER_PROBE_SECTORS] = model->probeSectors;
    put(&words[MUR_HEADER_FULL], model->full);
    put(&words[MUR_HEADER_REFUSED], model->refused);
    const ModelSlot *extra = &model->slot[c->slotCount];
    if (model_is_set(c->format)) {
        words[MUR_HEADER_EXTRA] = (uint32_t)extra[0].value;
        words[MUR_HEADER_EXTRA + 1] = (uint32_t)extra[1].value;
        words[MUR_HEADER_EXTRA + 2] = (uint32_t)extra[2].value;
    } else if (c->format == MUR_FORMAT_K64V64) {
        for (uint32_t i = 0; i < 2; ++i) {
            put(&words[MUR_HEADER_EXTRA + 4 * i], model_marker(c->format, i));
            put(&words[MUR_HEADER_EXTRA + 4 * i + 2], extra[i].value);
        }
    }
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        put_slot(model, &model->slot[s],
                 &words[MUR_HEADER_WORDS + model_slot_words(c->format) * s]);
    }
}

static char wrong[200];

static const char *take_slot(Model *model, uint32_t s, const uint32_t *words) {
    const ModelConfig *c = &model->config;
    const bool small = c->format == MUR_FORMAT_K32;
    const bool tagged = c->format == MUR_FORMAT_K64V32;
    uint64_t hash = small ? words[0] : get(words);
    uint32_t tag = tagged ? words[3] : 0;
    uint64_t value = 1;
    if (tagged) {
        value = words[2];
        hash |= (tag & 2 ? UINT32_MAX : 0) | (tag & 4 ? (uint64_t)UINT32_MAX << 32 : 0);
    } else if (c->format == MUR_FORMAT_K64V64) {
        value = get(words + 2);
    }
    const uint64_t empty = small ? UINT32_MAX : UINT64_MAX;
    ModelSlot slot = {MODEL_CLAIMED, model_key(c->format, hash, c->seed), value};
    if (hash == empty && tag == 0) {
        slot = (ModelSlot){MODEL_FREE, 0, model_is_set(c->format) ? 0 : value};
    } else if (model_is_set(c->format) && hash == empty - 1) {
        slot = (ModelSlot){MODEL_TOMB, 0, 0};
    }
    /* As it should look; a half-claimed slot does not, nor one with a value and no key. */
    uint32_t expected[4];
    ModelSlot clean = slot;
    if (slot.state == MODEL_FREE) {
        clean.value = model->none;
    }
    put_slot(model, &clean, expected);
    model->slot[s] = slot;
    if (memcmp(expected, words, 4 * model_slot_words(c->format)) != 0) {
        snprintf(wrong, sizeof wrong, "slot %u is neither free nor a key's: %08x %08x %08x %08x", s,
                 words[0], small ? 0 : words[1], tagged ? words[2] : 0, tag);
        return wrong;
    }
    return NULL;
}

const char *model_adopt(Model *model, const uint32_t *words) {
    const ModelConfig *c = &model->config;
    model_clear(model);
    model->wrapped = (words[MUR_HEADER_STATE] & MUR_STATE_WRAPPED) != 0;
    model->full = get(&words[MUR_HEADER_FULL]);
    model->refused = get(&words[MUR_HEADER_REFUSED]);
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        const uint32_t *slot = &words[MUR_HEADER_WORDS + model_slot_words(c->format) * s];
        const char *why = take_slot(model, s, slot);
        if (why) {
            return why;
        }
    }
    for (uint32_t i = 0; i + c->slotCount < model->slots; ++i) {
        ModelSlot *slot = &model->slot[c->slotCount + i];
        slot->key = model_key(c->format, model_marker(c->format, i), c->seed);
        slot->value = model_is_set(c->format)          ? words[MUR_HEADER_EXTRA + i]
                      : c->format == MUR_FORMAT_K64V64 ? get(&words[MUR_HEADER_EXTRA + 4 * i + 2])
                                                       : model->none;
        slot->state = slot->value != model->none ? MODEL_CLAIMED : MODEL_FREE;
    }
    for (uint32_t s = 0; s < c->slotCount; ++s) {
        const ModelSlot *slot = &model->slot[s];
        if (slot->state != MODEL_CLAIMED) {
            continue;
        }
        ModelSlot kept = *slot;
        /* A value of its own, so that an erased key is looked for as well. */
        model->slot[s].value = model->none + 1;
        const uint32_t found = model_find(model, kept.key).slot;
        model->slot[s] = kept;
        if (found != s) {
            snprintf(wrong, sizeof wrong, "a probe for key 0x%llx of slot %u ends at slot 0x%x",
                     (unsigned long long)kept.key, s, found);
            return wrong;
        }
    }
    return NULL;
}
