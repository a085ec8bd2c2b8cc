/* Sizes that follow from a table's description: the same for the GPU and for the host.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_SIZE_H
#define MUR_SIZE_H

#include <murmuration/murmuration.h>

/* Slots of a table of this capacity, 1 ... MUR_MAX_CAPACITY. */
uint32_t mur_slot_count(uint64_t capacity);

/* Sectors that a probe visits; probeLimit as in MurTableCreateInfo. */
uint32_t mur_probe_sectors(uint64_t probeLimit, uint32_t slotCount);

/* A probe limit of which mur_probe_sectors makes this. */
uint64_t mur_probe_limit(uint32_t probeSectors);

/* Bytes of header and slots. */
uint64_t mur_table_size(uint32_t slotCount);

#endif
