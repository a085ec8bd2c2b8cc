/* SPDX-License-Identifier: MIT */
#include "bulk_lies.h"

#include "oracle/oracle.h"

#include <string.h>

static const Command *first_of(const Run *run, CommandKind kind, const Placement **at) {
    for (uint32_t i = 0; i < run->sequence->commandCount; ++i) {
        *at = &run->placements[i];
        if (run->sequence->commands[i].kind == kind) {
            return &run->sequence->commands[i];
        }
    }
    return NULL;
}

/* The first status of such a command that is this one becomes another. Sums that come to 0 on the
 * way insert a key once more, or not, as the order has it. */
static bool restate(uint32_t *words, const Run *run, CommandKind kind, uint32_t from, uint32_t to) {
    const Placement *at;
    const Command *command = first_of(run, kind, &at);
    const bool sums = kind == COMMAND_INSERT && command && command->mode == MUR_MODE_ADD;
    for (uint32_t i = 0; command && command->statuses && !sums && i < command_items(command); ++i) {
        if (words[at->statuses + i] == from) {
            words[at->statuses + i] = to;
            return true;
        }
    }
    return false;
}

/* Each tells one lie if the sequence has a place for it, and whether it did. */
#define RESTATES(name, kind, from, to)                        \
    static bool name(uint32_t *words, const Run *run) {       \
        return restate(words, run, COMMAND_##kind, from, to); \
    }
RESTATES(deny_insertion, INSERT, MUR_INSERTED, MUR_EXISTED)
RESTATES(insert_twice, INSERT, MUR_EXISTED, MUR_INSERTED)
RESTATES(forget_find, FIND, MUR_FOUND, MUR_ABSENT)
RESTATES(erase_twice, ERASE, MUR_ABSENT, MUR_ERASED)

/* Of the first command of that kind, if it has what is given. */
#define CHANGES(name, kind, given, change)                           \
    static bool name(uint32_t *words, const Run *run) {              \
        const Placement *at;                                         \
        const Command *command = first_of(run, COMMAND_##kind, &at); \
        const uint32_t items = command ? command_items(command) : 0; \
        (void)items;                                                 \
        const bool has = command && (given);                         \
        if (has) {                                                   \
            change;                                                  \
        }                                                            \
        return has;                                                  \
    }
CHANGES(move_insertion, INSERT, command->slots &&items, words[at->slots] ^= 1)
CHANGES(forge_old_value, INSERT, command->oldValues &&items,
        words[at->oldValues + run->valueWords * items - 1] ^= 0x10)
CHANGES(flip_bit, FIND, command->statusBits &&items, words[at->statusBits] ^= 1)
CHANGES(set_bit_beyond, ERASE, command->statusBits &&items % 32 != 0,
        words[at->statusBits + items / 32] |= 0x80000000)
CHANGES(write_beyond, FIND, command->values, words[at->values + run->valueWords * items] = 0)
CHANGES(extract_one_more, EXTRACT, true, ++words[at->count])
CHANGES(extract_the_same, EXTRACT, command->slots && command->maxCount > 1 && words[at->count] > 1,
        words[at->slots + 1] = words[at->slots])
CHANGES(lengthen_probes, STATS, true, ++words[at->stats + MUR_STATS_PROBE_SUM])

/* Of the copy of the table after an insert with several items, where not every word is predicted.
 */
static uint32_t *image_of_batch(uint32_t *words, const Run *run) {
    const Placement *at;
    const Command *command = first_of(run, COMMAND_INSERT, &at);
    return command && command_items(command) > 1 ? words + at->image : NULL;
}

static bool miscount_full(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    if (image) {
        ++image[MUR_HEADER_FULL];
    }
    return image != NULL;
}

static bool stay_ordered(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    if (image && !(image[MUR_HEADER_STATE] & MUR_STATE_ORDERED)) {
        image[MUR_HEADER_STATE] |= MUR_STATE_ORDERED;
        return true;
    }
    return false;
}

/* In buckets: of the words that lie together. */
static uint32_t slot_size(const Run *run) {
    const uint32_t words = oracle_slot_words(run->sequence->table.kind->format);
    return run->sequence->table.kind->flags && words == 4 ? 2 : words;
}

/* The first slot that has an entry, or has none and is unclaimed; NULL if there is no such slot. */
static uint32_t *find_slot(uint32_t *image, const Run *run, bool claimed) {
    for (uint32_t s = 0; image && s < run->ref.slotCount; ++s) {
        uint32_t *slot = image + MUR_HEADER_WORDS + slot_size(run) * s;
        if ((slot[0] != MUR_EMPTY) == claimed) {
            return slot;
        }
    }
    return NULL;
}

static bool double_key(uint32_t *words, const Run *run) {
    uint32_t *image = image_of_batch(words, run);
    uint32_t *from = find_slot(image, run, true);
    uint32_t *to = find_slot(image, run, false);
    if (from && to) {
        memcpy(to, from, slot_size(run) * sizeof *to);
        return true;
    }
    return false;
}

static bool tear_value(uint32_t *words, const Run *run) {
    uint32_t *slot = find_slot(image_of_batch(words, run), run, true);
    if (slot && run->valueWords) {
        slot[slot_size(run) == 2 ? 1 : 2] ^= 0x00010000u;
    }
    return slot && run->valueWords;
}

static bool lose_slot(uint32_t *words, const Run *run) {
    uint32_t *slot = find_slot(image_of_batch(words, run), run, true);
    if (slot) {
        slot[0] = MUR_EMPTY;
    }
    return slot != NULL;
}

const Lie lies[LIE_COUNT] = {
    {"an insertion denied", deny_insertion},
    {"a second insertion", insert_twice},
    {"another slot reported", move_insertion},
    {"another value that was there", forge_old_value},
    {"a wrong bit", flip_bit},
    {"a bit of no item", set_bit_beyond},
    {"a write beyond the count", write_beyond},
    {"an entry not found", forget_find},
    {"a second erasure", erase_twice},
    {"one entry too many", extract_one_more},
    {"an entry extracted twice", extract_the_same},
    {"a probe too long", lengthen_probes},
    {"a failure counted twice", miscount_full},
    {"an order that is none", stay_ordered},
    {"a key with two slots", double_key},
    {"a torn value", tear_value},
    {"a key lost", lose_slot},
};
