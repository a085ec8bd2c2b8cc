/* What a table's memory says, slot by slot, read without the library; which slots of erased keys
 * may be freed, by walking over every live key's probe; and what must hold of any table.
 *
 * SPDX-License-Identifier: MIT */
#ifndef RECLAIM_MODEL_H
#define RECLAIM_MODEL_H

#include <murmuration/layout.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct View {
    uint32_t format;
    bool zero; /* the reserved value */
    uint32_t capacity, slotCount;
    uint32_t *words; /* of the whole memory, the header first */
} View;

/* SLOT_HALF: no operation leaves one like this. */
typedef enum SlotKind { SLOT_FREE, SLOT_LIVE, SLOT_ERASED, SLOT_HOLE, SLOT_HALF } SlotKind;

typedef struct Slot {
    SlotKind kind;
    uint64_t hash; /* of live keys, and of erased ones but in sets */
    uint64_t value;
} Slot;

uint32_t view_slot_words(const View *view);
uint32_t view_words(const View *view);
View view_of(const MurTableRef *ref, uint32_t *words);
Slot view_slot(const View *view, uint32_t slot);
uint32_t view_home(const View *view, uint64_t hash);
/* Of the table's slots, not those in the header. */
uint32_t view_count(const View *view, SlotKind kind);

/* Is the table known to be in order? */
bool view_is_ordered(const View *view);

/* As murCmdReclaim should: in place. slots: room for all; what was freed, in rising order. */
MurReclaimResult view_reclaim(View *view, uint32_t *slots);

/* What finds and inserts rely on: no slot on a live key's probe is free, no key lives twice, no
 * erased slot with a live key's hash is looked at before it, and a table in order has no holes.
 * NULL, or what is wrong. */
const char *view_wrong(const View *view);

#endif
