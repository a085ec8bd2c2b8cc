/* Sizes that follow from a table's description.
 *
 * SPDX-License-Identifier: MIT */
#include "size.h"

enum { MUR_DEFAULT_PROBE_LIMIT = 16384, MUR_MAX_PADDING = 4096 };

/* Capacity plus padding, in whole sectors. The padding takes the clusters that run past the last
 * home slot, so that they wrap only when it is full; an eighth keeps small tables small. */
uint32_t mur_slot_count(uint64_t capacity) {
    uint64_t padding = capacity / 8 + MUR_SECTOR_SLOTS;
    if (padding > MUR_MAX_PADDING) {
        padding = MUR_MAX_PADDING;
    }
    uint64_t slots = (capacity + padding + MUR_SECTOR_SLOTS - 1) / MUR_SECTOR_SLOTS;
    return (uint32_t)(slots * MUR_SECTOR_SLOTS);
}

/* The home slot may be the last of its sector, hence one more than the limit divided. One visit
 * more than there are sectors comes back to the slots before the home slot. */
uint32_t mur_probe_sectors(uint64_t probeLimit, uint32_t slotCount) {
    uint64_t limit = probeLimit ? probeLimit : MUR_DEFAULT_PROBE_LIMIT;
    if (limit > slotCount) {
        limit = slotCount;
    }
    return (uint32_t)((limit + MUR_SECTOR_SLOTS - 1) / MUR_SECTOR_SLOTS + 1);
}

uint64_t mur_probe_limit(uint32_t probeSectors) {
    return (uint64_t)MUR_SECTOR_SLOTS * (probeSectors - 1);
}

uint64_t mur_table_size(uint32_t slotCount) {
    return MUR_HEADER_SIZE + (uint64_t)MUR_SLOT_SIZE * slotCount;
}
