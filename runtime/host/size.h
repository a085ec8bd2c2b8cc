/* Sizes that follow from a table's description: the same for the GPU and for the host.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_SIZE_H
#define MUR_SIZE_H

#include <murmuration/murmuration.h>
#include <murmuration/rows_layout.h>
#include <murmuration/words.h>

#include <stdbool.h>

static inline uint64_t mur_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline uint64_t mur_round_up_16(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/* Bytes of a format's keys and values in arrays; 0: it has no values. */
uint32_t mur_key_size(uint32_t format);
uint32_t mur_value_size(uint32_t format);
/* The same of the keys that a table with many values a key has. */
uint32_t mur_multi_key_size(uint32_t format);

/* flags: MUR_TABLE_* with the format. */

/* Those that follow from a description, whatever the device: all but the atomic width. */
uint32_t mur_flags_from_info(const MurTableCreateInfo *info);

/* Are these flags of MurTableCreateInfo, for its format? */
bool mur_flags_valid(const MurTableCreateInfo *info);

/* Tables that one atomic width alone can write; MUR_ATOMIC_WIDTH_DEFAULT: both can. */
MurAtomicWidth mur_required_width(uint32_t flags);

/* Is the mode one of the table's, which has one value a key? */
bool mur_offers_mode(uint32_t flags, MurInsertMode mode);

/* The most that a table's capacity can be. */
uint64_t mur_max_capacity(uint32_t flags);

/* Slots of a table of this capacity, 1 ... mur_max_capacity. */
uint32_t mur_slot_count(uint64_t capacity, uint32_t flags);

/* Sectors that a probe visits; probeLimit as in MurTableCreateInfo. */
uint32_t mur_probe_sectors(uint64_t probeLimit, uint32_t slotCount, uint32_t flags);

/* A probe limit of which mur_probe_sectors makes this. */
uint64_t mur_probe_limit(uint32_t probeSectors, uint32_t format);

/* Bytes of all of it. */
uint64_t mur_table_size(uint32_t slotCount, uint32_t flags);

/* The largest capacity of a table that fits into a page of so many bytes, 4096 at least. */
uint32_t mur_page_capacity(uint32_t pageSize, uint32_t format);

#endif
