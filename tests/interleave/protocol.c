/* The steps of inserts, finds and erases in tables with linear probing.
 * SPDX-License-Identifier: MIT */
#include "protocol.h"

enum { TAG_USED = 1, TAG_LOW = 2, TAG_HIGH = 4, UNTAGGED = 0 };

Slot stored_form(const Setting *setting, uint8_t key) {
    const Key *k = &setting->keys[key];
    const Fault fault = setting->fault;
    Slot form = {k->low, k->high, UNTAGGED, NONE};
    if (fault == FAULT_MARKERS_AS_THEY_ARE) {
        return form;
    }
    uint8_t tag = TAG_USED;
    if (k->low == EMPTY) {
        form.low = 0;
        tag |= TAG_LOW;
    }
    if (k->high == EMPTY) {
        form.high = 0;
        tag |= TAG_HIGH;
    }
    if (fault == FAULT_ONE_TAG_FOR_ALL) {
        tag = TAG_USED;
    }
    const bool zero = form.low == 0 || form.high == 0;
    const bool spared = fault == FAULT_NO_TAG ||
                        (fault == FAULT_NO_TAG_FOR_REAL_ZEROES && tag == TAG_USED);
    if (zero && !spared) {
        form.tag = tag;
    }
    return form;
}

/* Returns the oldest state of the slot that the operation may read. For plain reads of an insert,
 * this is the state at the barrier before the dispatch; for finds, the state at their begin. */
static Slot oldest(const Operation *operation) {
    return operation->start.slots[operation->slot];
}

uint32_t step_choices(const Operation *operation, const Memory *memory) {
    if (operation->phase == FILTER) {
        return operation->start.filter != memory->filter ? 16u : 0;
    }
    if (operation->phase != READ) {
        return 0;
    }
    const Slot was = oldest(operation);
    const Slot *is = &memory->slots[operation->slot];
    const bool finds = operation->kind == FIND || operation->kind == ERASE;
    return (was.low != is->low ? 1u : 0) | (was.high != is->high ? 2u : 0) |
           (was.tag != is->tag ? 4u : 0) | (finds && was.value != is->value ? 8u : 0);
}

Slot step_look(const Operation *operation, const Memory *memory, uint32_t choice) {
    const Slot *now = &memory->slots[operation->slot];
    Slot seen = oldest(operation);
    seen.low = choice & 1 ? now->low : seen.low;
    seen.high = choice & 2 ? now->high : seen.high;
    seen.tag = choice & 4 ? now->tag : seen.tag;
    seen.value = choice & 8 ? now->value : seen.value;
    return seen;
}

void step_next_slot(Operation *operation) {
    operation->phase = READ;
    operation->seen = (Slot){0};
    if (++operation->slot == SLOTS) {
        operation->phase = DONE;
        operation->status = operation->kind < FIND ? FULL : ABSENT;
    }
}

void step_end(Operation *operation, Status status, uint8_t found) {
    operation->phase = DONE;
    operation->status = (uint8_t)status;
    operation->found = found;
}

static bool may_be(uint8_t word, uint8_t unclaimed, uint8_t own) {
    return word == unclaimed || word == own;
}

/* Continues after a word was read or claimed: claims the next word, or writes the value. */
void step_go_on(Operation *operation, const Slot *form, Fault fault) {
    if (operation->phase == READ) {
        operation->phase = CLAIM_LOW;
        if (operation->seen.low != form->low) {
            return;
        }
    }
    if (operation->phase == CLAIM_LOW) {
        operation->phase = CLAIM_HIGH;
        const bool taken = fault == FAULT_HIGH_HALF_TAKEN_ON_SIGHT &&
                           operation->seen.low == form->low && operation->seen.high == EMPTY;
        if (operation->seen.high != form->high && !taken) {
            return;
        }
    }
    if (operation->phase == CLAIM_HIGH) {
        operation->phase = CLAIM_TAG;
        if (form->tag != UNTAGGED && operation->seen.tag != form->tag) {
            return;
        }
    }
    operation->phase = UPDATE;
}

bool step_is_open(const Setting *setting, Slot seen, Slot form) {
    bool open = (setting->fault == FAULT_LOW_HALF_NOT_COMPARED ||
                 may_be(seen.low, EMPTY, form.low)) &&
                may_be(seen.high, EMPTY, form.high) && may_be(seen.tag, UNTAGGED, form.tag);
    if (setting->fault == FAULT_PASSES_HALF_CLAIMED && seen.low != EMPTY && seen.high == EMPTY) {
        open = false;
    }
    return open;
}

static void read_for_insert(const Setting *setting, Operation *operation) {
    const Slot form = stored_form(setting, operation->key);
    if (step_is_open(setting, operation->seen, form)) {
        step_go_on(operation, &form, setting->fault);
    } else {
        step_next_slot(operation);
    }
}

/* Continues a find after it read a slot. An erase begins as a find. */
static void read_for_find(const Setting *setting, Operation *operation) {
    const Slot form = stored_form(setting, operation->key);
    const Slot seen = operation->seen;
    const Fault fault = setting->fault;
    const bool own = seen.low == form.low &&
                     (seen.high == form.high || fault == FAULT_FIND_IGNORES_HIGH_HALF) &&
                     (seen.tag == form.tag || fault == FAULT_FIND_IGNORES_TAG);
    const bool ends = seen.low == EMPTY && seen.high == EMPTY;
    const bool half = seen.low == EMPTY || seen.high == EMPTY;
    if (own && operation->kind == ERASE && seen.value != NONE) {
        operation->phase = UPDATE;
    } else if (own) {
        step_end(operation, seen.value != NONE ? FOUND : ABSENT, seen.value);
    } else if (ends || (half && fault == FAULT_FIND_ENDS_AT_HALF_CLAIMED)) {
        step_end(operation, ABSENT, NONE);
    } else {
        step_next_slot(operation);
    }
}

void step_update(Operation *operation, Memory *memory) {
    uint8_t *word = &memory->slots[operation->slot].value;
    const uint8_t old = *word;
    if (operation->kind == ERASE) {
        *word = NONE;
        step_end(operation, old != NONE ? ERASED : ABSENT, old);
        return;
    }
    if (operation->kind == ASSIGN || old == NONE) {
        *word = operation->value;
    }
    step_end(operation, old == NONE ? INSERTED : EXISTED, NONE);
}

/* Claims one word by compare-and-swap. Returns false if the word belongs to another key. */
static bool claim(uint8_t *word, uint8_t unclaimed, uint8_t own, bool store) {
    const bool won = may_be(*word, unclaimed, own) || store;
    if (won) {
        *word = own;
    }
    return won;
}

/* Claims the current word. If that succeeds, the operation continues. */
bool step_claim(const Setting *setting, Operation *operation, Memory *memory) {
    const Slot form = stored_form(setting, operation->key);
    const Fault fault = setting->fault;
    Slot *slot = &memory->slots[operation->slot];
    const bool believes = fault == FAULT_STALE_READ_BELIEVED;
    bool won;
    if (operation->phase == CLAIM_LOW) {
        won = claim(&slot->low, EMPTY, form.low, believes) || fault == FAULT_LOW_HALF_NOT_COMPARED;
        if (won && fault == FAULT_VALUE_BEFORE_HIGH_HALF && slot->value == NONE) {
            slot->value = operation->value;
        }
    } else if (operation->phase == CLAIM_HIGH) {
        won = claim(&slot->high, EMPTY, form.high, believes || fault == FAULT_HIGH_HALF_STORED);
        if (!won && fault == FAULT_LOSER_GIVES_BACK) {
            slot->low = EMPTY;
        }
    } else {
        won = claim(&slot->tag, UNTAGGED, form.tag, believes);
    }
    if (won) {
        step_go_on(operation, &form, fault);
    }
    return won;
}

void step(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice) {
    if (setting->buckets) {
        step_in_buckets(setting, operation, memory, choice);
        return;
    }
    if (setting->rows) {
        step_in_rows(setting, operation, memory, choice);
        return;
    }
    switch (operation->phase) {
    case READ:
        operation->seen = step_look(operation, memory, choice);
        if (operation->kind == FIND || operation->kind == ERASE) {
            read_for_find(setting, operation);
        } else {
            read_for_insert(setting, operation);
        }
        break;
    case UPDATE:
        step_update(operation, memory);
        break;
    default:
        if (!step_claim(setting, operation, memory)) {
            step_next_slot(operation);
        }
        break;
    }
}
