/* SPDX-License-Identifier: MIT */
#include "bulk_judge.h"

#include <stdlib.h>
#include <string.h>

static int by_rank(const void *a, const void *b) {
    const Ranked *left = a, *right = b;
    return left->key != right->key ? (left->key > right->key) - (left->key < right->key)
                                   : (left->item > right->item) - (left->item < right->item);
}

Ranked *ranked_open(const Item *items, uint32_t count) {
    Ranked *ranked = test_allocate(count * sizeof *ranked);
    for (uint32_t i = 0; i < count; ++i) {
        ranked[i] = (Ranked){items[i].key, i};
    }
    qsort(ranked, count, sizeof *ranked, by_rank);
    return ranked;
}

uint32_t ranked_first(const Ranked *ranked, uint32_t count, uint64_t key) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ranked[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t ranked_end(const Ranked *ranked, uint32_t count, uint32_t begin) {
    uint32_t end = begin;
    while (end < count && ranked[end].key == ranked[begin].key) {
        ++end;
    }
    return end;
}

static bool is_present(const Check *a, uint64_t key) {
    return oracle_value(&a->before, key) != a->before.none;
}

/* Returns whether an insert of this item had an effect. */
static bool takes_effect(const Check *a, const Item *item) {
    const bool passes = a->command->mode == MUR_MODE_UPDATE && !is_present(a, item->key);
    return item->value != a->before.none && !passes &&
           oracle_claimed(&a->after, item->key) != MUR_NO_SLOT;
}

static int by_size(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Returns whether each item's previous value was in the table or is from another item. */
static bool are_visited(const uint64_t *left, const uint64_t *entered, uint32_t items,
                        uint64_t before) {
    for (uint32_t i = 0; i < items; ++i) {
        bool visited = left[i] != entered[i] || left[i] == before;
        for (uint32_t j = 0; j < items && !visited; ++j) {
            visited = left[j] != entered[j] && entered[j] == left[i];
        }
        if (!visited) {
            return false;
        }
    }
    return true;
}

/* Checks that the items of a key form a chain. Each value (before the batch, or of an item) must be
 * the previous value of another item, or the value after the batch. */
static bool check_links(const Check *a, uint32_t begin, uint32_t end) {
    uint64_t *left = test_allocate(2 * (end - begin + 1) * sizeof *left);
    uint64_t *entered = left + (end - begin + 1);
    const uint64_t key = a->ranked[begin].key, none = a->before.none;
    uint32_t count = 0;
    for (uint32_t r = begin; r < end; ++r) {
        const uint32_t i = a->ranked[r].item;
        const Item *item = &a->item[i];
        const uint64_t old = run_number(a->words + a->at->oldValues, i, a->run->valueWords);
        if (!takes_effect(a, item)) {
            if (old != none) {
                return wrong(a, "item %u did nothing and met 0x%llx", i, (unsigned long long)old);
            }
            continue;
        }
        const uint32_t status = old == none ? MUR_INSERTED : MUR_EXISTED;
        if (a->at->statuses && a->words[a->at->statuses + i] != status) {
            return wrong(a, "item %u met 0x%llx and says otherwise", i, (unsigned long long)old);
        }
        left[count] = old;
        entered[count++] = oracle_combine(&a->before, a->command->mode, old, item->value);
    }
    const bool visited = are_visited(left, entered, count, oracle_value(&a->before, key));
    entered[count] = oracle_value(&a->before, key);
    left[count++] = oracle_value(&a->after, key);
    qsort(left, count, sizeof *left, by_size);
    qsort(entered, count, sizeof *entered, by_size);
    const bool links = visited && memcmp(left, entered, count * sizeof *left) == 0;
    free(left);
    return links ||
           wrong(a, "key 0x%llx: its items met values in no order", (unsigned long long)key);
}

static bool bit(const Check *a, uint32_t i) {
    return (a->words[a->at->statusBits + i / 32] >> i % 32 & 1) != 0;
}

/* Returns how many items of a key must have their status bit set. */
static uint32_t expected_bits(const Check *a, uint64_t key, uint32_t items, uint32_t effective) {
    switch (a->command->kind) {
    case COMMAND_FIND:
        return is_present(a, key) ? items : 0;
    case COMMAND_ERASE:
        return is_present(a, key) ? 1 : 0;
    default:
        return a->command->mode == MUR_MODE_UPDATE ? effective
               : effective && !is_present(a, key)  ? 1
                                                   : 0;
    }
}

static bool check_bits_of(const Check *a, uint32_t begin, uint32_t end) {
    const Command *command = a->command;
    const bool insert = command_inserts(command);
    const uint64_t key = a->ranked[begin].key;
    const uint32_t done = command->kind == COMMAND_FIND      ? MUR_FOUND
                          : command->kind == COMMAND_ERASE   ? MUR_ERASED
                          : command->mode == MUR_MODE_UPDATE ? MUR_EXISTED
                                                             : MUR_INSERTED;
    uint32_t items = 0, effective = 0, bits = 0;
    for (uint32_t r = begin; r < end; ++r) {
        const uint32_t i = a->ranked[r].item;
        ++items;
        effective += insert && takes_effect(a, &a->item[i]);
        bits += bit(a, i);
        if (a->at->statuses && bit(a, i) != (a->words[a->at->statuses + i] == done)) {
            return wrong(a, "item %u: bit %d, status %u", i, bit(a, i),
                         a->words[a->at->statuses + i]);
        }
    }
    const bool sums = insert && command->mode == MUR_MODE_ADD; /* a key with sum 0 is absent */
    return sums || bits == expected_bits(a, key, items, effective) ||
           wrong(a, "key 0x%llx: %u of %u bits are set", (unsigned long long)key, bits, items);
}

bool check_answers(const Check *a) {
    bool right = true;
    for (uint32_t begin = 0, end; begin < a->items && right; begin = end) {
        end = ranked_end(a->ranked, a->items, begin);
        right = (!a->at->oldValues || check_links(a, begin, end)) &&
                (!a->at->statusBits || check_bits_of(a, begin, end));
    }
    for (uint32_t i = a->items; a->at->statusBits && i % 32 != 0 && right; ++i) {
        right = !bit(a, i) || wrong(a, "a bit after the last item's is set");
    }
    return right;
}
