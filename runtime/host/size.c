/* Sizes that follow from a table's description.
 *
 * SPDX-License-Identifier: MIT */
#include "size.h"

enum { MUR_DEFAULT_PROBE_LIMIT = 16384, MUR_MAX_PADDING = 4096 };

uint32_t mur_key_size(uint32_t format) {
    return MUR_IS_64(format) ? 8 : 4;
}

uint32_t mur_value_size(uint32_t format) {
    return MUR_IS_SET(format) ? 0 : format == MUR_FORMAT_K64V64 ? 8 : 4;
}

uint32_t mur_multi_key_size(uint32_t format) {
    return format == MUR_FORMAT_K64V32_MULTI ? 8 : 4;
}

uint32_t mur_flags_from_info(const MurTableCreateInfo *info) {
    const bool zero = info->emptyValue == MUR_EMPTY_VALUE_ZERO && !MUR_IS_SET(info->format);
    return info->format << MUR_TABLE_FORMAT_SHIFT | info->flags | (zero ? MUR_TABLE_ZERO : 0);
}

bool mur_flags_valid(const MurTableCreateInfo *info) {
    const uint32_t words = MUR_ROW_WORDS(info->flags), stride = MUR_ROW_STRIDE(info->flags);
    if (info->format == MUR_FORMAT_R32 && words != 0) {
        return words <= stride && info->flags == MUR_ROWS(words, stride);
    }
    return info->flags == 0 ||
           (MUR_HAS_BUCKETS(info->format) && (info->flags & MUR_TABLE_BUCKETS) &&
            (info->flags & ~(MUR_TABLE_BUCKETS | MUR_TABLE_AGES)) == 0);
}

MurAtomicWidth mur_required_width(uint32_t flags) {
    const uint32_t format = MUR_TABLE_FORMAT(flags);
    if (format == MUR_FORMAT_K64 && flags & MUR_TABLE_BUCKETS) {
        return MUR_ATOMIC_WIDTH_DEFAULT;
    }
    return format == MUR_FORMAT_K32 || format == MUR_FORMAT_R32      ? MUR_ATOMIC_WIDTH_32
           : format == MUR_FORMAT_K64 || format == MUR_FORMAT_K64V64 ? MUR_ATOMIC_WIDTH_64
                                                                     : MUR_ATOMIC_WIDTH_DEFAULT;
}

bool mur_offers_mode(uint32_t flags, MurInsertMode mode) {
    const bool zero = (flags & MUR_TABLE_ZERO) != 0, set = MUR_IS_SET(MUR_TABLE_FORMAT(flags));
    const uint32_t number = (uint32_t)mode;
    return number <= MUR_MODE_INSERT ||
           (!set && (number == MUR_MODE_UPDATE ||
                     (number <= MUR_MODE_OR && zero != (number == MUR_MODE_MIN))));
}

uint64_t mur_max_capacity(uint32_t flags) {
    return flags & MUR_TABLE_BUCKETS ? MUR_MAX_BUCKET_CAPACITY : MUR_MAX_CAPACITY;
}

/* Capacity plus padding, in whole sectors, and in fours. The padding takes the clusters that run
 * past the last home slot, so that they wrap only when it is full; an eighth keeps small tables
 * small. Buckets need none. */
uint32_t mur_slot_count(uint64_t capacity, uint32_t flags) {
    const uint32_t format = MUR_TABLE_FORMAT(flags);
    const bool buckets = (flags & MUR_TABLE_BUCKETS) != 0;
    const uint64_t unit = buckets                    ? MUR_BUCKET_UNIT
                          : format == MUR_FORMAT_K32 ? MUR_SLOTS_OF(format)
                                                     : MUR_SECTOR_SLOTS;
    uint64_t padding = buckets ? 0 : capacity / 8 + unit;
    if (padding > MUR_MAX_PADDING) {
        padding = MUR_MAX_PADDING;
    }
    return (uint32_t)((capacity + padding + unit - 1) / unit * unit);
}

/* The home slot may be the last of its sector, hence one more than the limit divided. One visit
 * more than there are sectors comes back to the slots before the home slot. */
uint32_t mur_probe_sectors(uint64_t probeLimit, uint32_t slotCount, uint32_t flags) {
    if (flags & MUR_TABLE_BUCKETS) {
        return 2 * MUR_BUCKET_SECTORS(MUR_TABLE_FORMAT(flags));
    }
    const uint64_t slots = MUR_SLOTS_OF(MUR_TABLE_FORMAT(flags));
    uint64_t limit = probeLimit ? probeLimit : MUR_DEFAULT_PROBE_LIMIT;
    if (limit > slotCount) {
        limit = slotCount;
    }
    return (uint32_t)((limit + slots - 1) / slots + 1);
}

uint64_t mur_probe_limit(uint32_t probeSectors, uint32_t format) {
    return (uint64_t)MUR_SLOTS_OF(format) * (probeSectors - 1);
}

uint64_t mur_table_size(uint32_t slotCount, uint32_t flags) {
    const uint32_t format = MUR_TABLE_FORMAT(flags);
    return flags & MUR_TABLE_BUCKETS
               ? (uint64_t)4 * MUR_BUCKET_WORDS(format, flags, slotCount)
               : MUR_HEADER_SIZE + ((uint64_t)slotCount << MUR_SLOT_SHIFT(format));
}

uint32_t mur_page_capacity(uint32_t pageSize, uint32_t format) {
    uint32_t capacity = (pageSize - MUR_HEADER_SIZE) >> MUR_SLOT_SHIFT(format);
    const uint32_t flags = format << MUR_TABLE_FORMAT_SHIFT;
    while (mur_table_size(mur_slot_count(capacity, flags), flags) > pageSize) {
        --capacity;
    }
    return capacity;
}
