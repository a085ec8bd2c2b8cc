/* The steps of operations on row tables. As in shaders/murmuration/rows.glsl, an insert claims a
 * slot by a compare-and-swap of its row number, then stores the hash. In a slot, low is the row
 * number (the value of an insert) and high is the hash, or EMPTY if the hash is not stored yet. A
 * key is a class of equal rows; its high half is their hash.
 * SPDX-License-Identifier: MIT */
#include "protocol.h"

/* Selects the next step from the words of a slot. Sets operation->own to the row in the slot, which
 * represents this key or which a claim replaces. */
static void look_at_row(const Setting *setting, Operation *operation, uint8_t row, uint8_t hash) {
    const Key *key = &setting->keys[operation->key];
    const Fault fault = setting->fault;
    const bool free = row == EMPTY || (row == TOMB && fault == FAULT_TOMB_TAKEN);
    const bool alike = !free && row != TOMB &&
                       (hash == EMPTY ? fault != FAULT_NOT_YET_IS_ANOTHERS : hash == key->high);
    operation->own = row;
    if (free && operation->kind != KEEP) {
        step_end(operation, ABSENT, NONE);
    } else if (free) {
        operation->phase = CLAIM_LOW;
    } else if (!alike || (setting->keyOf[row] != operation->key &&
                          (hash == EMPTY || fault != FAULT_HASHES_ARE_ENOUGH))) {
        step_next_slot(operation);
    } else if (operation->kind == ERASE) {
        operation->phase = UPDATE;
    } else {
        step_end(operation, operation->kind == FIND ? FOUND : EXISTED, row);
    }
}

/* Replaces the row number by compare-and-swap. If another row number is present, processes that.
 * Its hash is not known yet. */
static bool swap(const Setting *setting, Operation *operation, Memory *memory, uint8_t row) {
    uint8_t *word = &memory->slots[operation->slot].low;
    const uint8_t told = *word;
    if (told == operation->own || (row != TOMB && setting->fault == FAULT_ROW_STORED)) {
        *word = row;
        return true;
    }
    if (setting->fault == FAULT_LOSER_GOES_ON) {
        step_next_slot(operation);
    } else {
        look_at_row(setting, operation, told, EMPTY);
    }
    return false;
}

void step_in_rows(const Setting *setting, Operation *operation, Memory *memory, uint32_t choice) {
    switch (operation->phase) {
    case READ: {
        const Slot seen = step_look(operation, memory, choice);
        look_at_row(setting, operation, seen.low, seen.high);
        break;
    }
    case CLAIM_LOW:
        if (swap(setting, operation, memory, operation->value)) {
            operation->phase = CLAIM_HIGH;
        }
        break;
    case CLAIM_HIGH:
        memory->slots[operation->slot].high = setting->keys[operation->key].high;
        step_end(operation, INSERTED, NONE);
        break;
    default: { /* UPDATE */
        const uint8_t row = operation->own;
        if (swap(setting, operation, memory, TOMB)) {
            step_end(operation, ERASED, row);
        }
        break;
    }
    }
}

const char *check_rows(const Setting *setting, const Memory *memory, uint8_t *values) {
    for (uint32_t s = 0; s < SLOTS; ++s) {
        const Slot *slot = &memory->slots[s];
        const bool free = slot->low == EMPTY, erased = slot->low == TOMB;
        const uint8_t key = free || erased ? 0 : setting->keyOf[slot->low];
        if (free ? slot->high != EMPTY
                 : slot->high == EMPTY || (!erased && slot->high != setting->keys[key].high)) {
            return "a hash is not its row's";
        }
        if (!free && !erased && values[key] != NONE) {
            return "two equal rows are there";
        }
        values[key] = free || erased ? values[key] : slot->low;
    }
    return 0;
}
