/* The steps of operations on bucketed tables, where a key lives in one of two buckets. They model
 * bucket_write.glsl of the shaders. claim.glsl explains the protocol.
 * SPDX-License-Identifier: MIT */
#include "protocol.h"

static bool finds(const Operation *operation) {
    return operation->kind == FIND || operation->kind == ERASE;
}

static uint8_t bit_of(const Key *key) {
    return (uint8_t)(1u << key->home / BUCKET);
}

static void read_second(const Key *key, Operation *operation) {
    operation->second = 1;
    operation->slot = key->second;
    operation->phase = READ;
}

static void claim_next(const Setting *setting, Operation *operation) {
    const Slot form = stored_form(setting, operation->key);
    operation->phase = READ; /* nothing is read, because this slot was read before */
    step_go_on(operation, &form, setting->fault);
}

/* Selects the next read slot to claim: the key's own slot, otherwise the first open slot. */
static void choose(const Setting *setting, Operation *operation) {
    const Key *key = &setting->keys[operation->key];
    const bool owns = operation->own &&
                      (setting->fault != FAULT_OPEN_BEFORE_OWN || !operation->open);
    uint8_t left = owns ? operation->own : operation->open, lane = 0;
    if (left == 0) {
        if (operation->second || key->second == key->home) {
            step_end(operation, FULL, NONE);
        } else {
            read_second(key, operation);
        }
        return;
    }
    if (setting->fault == FAULT_SECOND_FIRST && left >> BUCKET) {
        left &= (uint8_t) ~((1u << BUCKET) - 1);
    }
    while (!(left >> lane & 1)) {
        ++lane;
    }
    operation->seen = owns ? stored_form(setting, operation->key) : (Slot){EMPTY, EMPTY, 0, NONE};
    operation->open &= (uint8_t) ~(1u << lane);
    operation->slot = (uint8_t)((lane < BUCKET ? key->home : key->second) + lane % BUCKET);
    operation->phase = SET_FILTER;
    if (lane < BUCKET || setting->fault == FAULT_NO_BIT ||
        setting->fault == FAULT_BIT_AFTER_CLAIM) {
        claim_next(setting, operation);
    }
}

/* Continues after the last slot of a bucket. Inserts read both buckets before they claim a slot. */
static void end_bucket(const Setting *setting, Operation *operation) {
    const Key *key = &setting->keys[operation->key];
    if (operation->second || key->home == key->second || (operation->own && !finds(operation))) {
        if (finds(operation)) {
            step_end(operation, ABSENT, NONE);
        } else {
            choose(setting, operation);
        }
    } else if (!finds(operation) && operation->open == 0) {
        read_second(key, operation);
    } else if (finds(operation) && operation->open && setting->fault == FAULT_FIND_ENDS_AT_FREE) {
        step_end(operation, ABSENT, NONE);
    } else {
        operation->phase = FILTER;
    }
}

static void read_slot(const Setting *setting, Operation *operation) {
    const Slot form = stored_form(setting, operation->key), seen = operation->seen;
    const bool own = seen.low == form.low && seen.high == form.high && seen.tag == form.tag;
    const uint8_t bit = (uint8_t)(1u << (operation->second * BUCKET + operation->slot % BUCKET));
    if (own && operation->kind == ERASE && seen.value != NONE) {
        operation->phase = UPDATE;
        return;
    }
    if (own && finds(operation)) {
        step_end(operation, seen.value != NONE ? FOUND : ABSENT, seen.value);
        return;
    }
    operation->own |= own ? bit : 0;
    operation->open |= step_is_open(setting, seen, form) ? bit : 0;
    if (operation->slot++ % BUCKET == BUCKET - 1) {
        end_bucket(setting, operation);
    }
}

static void look_at_filter(const Setting *setting, Operation *operation, const Memory *memory,
                           uint32_t choice) {
    const Key *key = &setting->keys[operation->key];
    const uint8_t filter = choice ? memory->filter : operation->start.filter;
    if (filter & bit_of(key) &&
        (finds(operation) || setting->fault != FAULT_SECOND_NOT_LOOKED_AT)) {
        read_second(key, operation);
    } else if (finds(operation)) {
        step_end(operation, ABSENT, NONE);
    } else {
        choose(setting, operation);
    }
}

static void free_slot(const Setting *setting, Operation *operation, Memory *memory) {
    const Slot form = stored_form(setting, operation->key);
    step_end(operation, ABSENT, NONE);
    for (uint32_t s = 0; s < SLOTS; ++s) {
        Slot *slot = &memory->slots[s];
        if (slot->low == form.low && slot->high == form.high && slot->tag == form.tag) {
            step_end(operation, slot->value != NONE ? ERASED : ABSENT, slot->value);
            *slot = (Slot){EMPTY, EMPTY, 0, NONE};
        }
    }
}

void step_in_buckets(const Setting *setting, Operation *operation, Memory *memory,
                     uint32_t choice) {
    const Key *key = &setting->keys[operation->key];
    if (operation->kind == FREE) {
        free_slot(setting, operation, memory);
        return;
    }
    switch (operation->phase) {
    case READ:
        operation->seen = step_look(operation, memory, choice);
        read_slot(setting, operation);
        break;
    case FILTER:
        look_at_filter(setting, operation, memory, choice);
        break;
    case SET_FILTER:
        memory->filter |= bit_of(key);
        if (setting->fault == FAULT_BIT_AFTER_CLAIM) {
            operation->phase = DONE;
        } else {
            claim_next(setting, operation);
        }
        break;
    case UPDATE:
        step_update(operation, memory);
        if (setting->fault == FAULT_BIT_AFTER_CLAIM && !operation->own &&
            operation->slot / BUCKET != key->home / BUCKET) {
            operation->phase = SET_FILTER;
        }
        break;
    default:
        if (!step_claim(setting, operation, memory)) {
            choose(setting, operation);
        }
        break;
    }
}
