/* SPDX-License-Identifier: MIT */
#include "types.h"

#include <murmuration/host.h>
#include <murmuration/rows_layout.h>

enum { MUR_DEFAULT_PROBE_LIMIT = 16384, MUR_MAX_PADDING = 4096 };

/* Short names for the columns of types.def. */
enum {
    SINGLE = MUR_TYPE_SINGLE,
    MULTI = MUR_TYPE_MULTI,
    COMPARES = MUR_TYPE_COMPARES,
    REHASHED = MUR_TYPE_REHASHED,
    ORDERED = MUR_TYPE_ORDERED,
    DESTINATION = MUR_TYPE_DESTINATION,
    PAGED = MUR_TYPE_PAGED,
    GROUPS = MUR_TYPE_GROUPS,
    STREAMED = MUR_TYPE_STREAMED,
    PARTITIONED = MUR_TYPE_PARTITIONED,
    EVICTS = MUR_TYPE_EVICTS,
    INDEXED = MUR_TYPE_INDEXED,
    SLOTS_BY_WIDTH = MUR_TYPE_SLOTS_BY_WIDTH,
    W32 = MUR_ATOMIC_WIDTH_32,
    W64 = MUR_ATOMIC_WIDTH_64,
    NONE = 0,
    MAX = 1 << MUR_EMPTY_VALUE_MAX,
    ZERO = 1 << MUR_EMPTY_VALUE_ZERO
};

#define VALUE_SIZE(format)   (MUR_IS_SET(format) ? 0 : MUR_HAS_WIDE_VALUES(format) ? 8 : 4)
#define FLAGS(format, flags) (MUR_FORMAT_##format << MUR_TABLE_FORMAT_SHIFT | (flags))
#define TYPE(id, function, format, typeFlags, defines, kernels, key, atomics, empty, can, sets) \
    [MUR_TYPE_##id] = {.name = #function,                                                       \
                       .flags = FLAGS(format, typeFlags),                                       \
                       .variant = 2 * MUR_TYPE_##kernels,                                       \
                       .capabilities = can,                                                     \
                       .keySize = key,                                                          \
                       .storedKeySize = MUR_IS_64(MUR_FORMAT_##format) ? 8 : 4,                 \
                       .valueSize = VALUE_SIZE(MUR_FORMAT_##format),                            \
                       .slotSize = 1 << MUR_SLOT_SHIFT(MUR_FORMAT_##format),                    \
                       .sentinels = MUR_EXTRA_SLOTS(MUR_FORMAT_##format),                       \
                       .widths = atomics,                                                       \
                       .emptyValues = empty},
const MurTypeInfo mur_types[MUR_TYPE_COUNT] = {
#include "types.def"
};
#undef TYPE

/* Types of host tables have no kernels. */
static const struct MurType_T host_types[MUR_TYPE_COUNT] = {
#define TYPE(id, ...) [MUR_TYPE_##id] = {.info = &mur_types[MUR_TYPE_##id]},
#include "types.def"
#undef TYPE
};
#define TYPE(id, function, ...)            \
    MurType murHostType##function(void) {  \
        return &host_types[MUR_TYPE_##id]; \
    }
#include "types.def"
#undef TYPE

/* Returns the index of the table type with these flags. Slot format and bucket flag decide it. */
static uint32_t find_type(uint32_t tableFlags) {
    uint32_t i = 0;
    while (i < MUR_TYPE_COUNT && mur_types[i].flags != mur_type_flags(tableFlags)) {
        ++i;
    }
    return i;
}

const MurTypeInfo *mur_type_of(uint32_t tableFlags) {
    const uint32_t i = find_type(tableFlags);
    return i < MUR_TYPE_COUNT ? &mur_types[i] : NULL;
}

MurType murHostTypeOf(uint32_t tableFlags) {
    const uint32_t i = find_type(tableFlags);
    return i < MUR_TYPE_COUNT ? &host_types[i] : NULL;
}

const char *mur_capability_name(uint32_t capability) {
    switch (capability) {
    case MUR_TYPE_SINGLE:
        return "a type with at most one value per key";
    case MUR_TYPE_MULTI:
        return "one of murTypeMultiK32() and murTypeMultiK64()";
    case MUR_TYPE_COMPARES:
        return "murTypeRows()";
    case MUR_TYPE_GROUPS:
        return "one of murTypeK32V32() and murTypeK64V32()";
    case MUR_TYPE_EVICTS:
        return "one of murTypeBuckets...()";
    case MUR_TYPE_ORDERED:
        return "a type with linear probing and at most one value per key";
    default:
        return "a type with linear probing";
    }
}

static VkResult give_reason(MurReason *reason, const char *argument, long long value,
                            const char *expected, unsigned long long number) {
    if (reason) {
        *reason = (MurReason){argument, value, expected, number};
    }
    return MUR_ERROR_INVALID_ARGUMENT;
}

uint32_t mur_entry_flags(uint32_t flags) {
    const uint32_t compared = MUR_ROWS(MUR_MAX_ROW_WORDS, MUR_MAX_ROW_WORDS);
    return flags & (MUR_TABLE_FORMAT_MASK | MUR_TABLE_ZERO | compared);
}

/* Returns whether a table description may add these flags to those of its type. */
static bool may_add_flags(const MurTypeInfo *type, uint32_t flags) {
    const uint32_t words = MUR_ROW_WORDS(flags), stride = MUR_ROW_STRIDE(flags);
    if (mur_can(type, MUR_TYPE_COMPARES) && words != 0) {
        return words <= stride && flags == MUR_ROWS(words, stride);
    }
    return flags == 0 || (mur_can(type, MUR_TYPE_EVICTS) && flags == MUR_TABLE_AGES);
}

bool mur_flags_valid(uint32_t tableFlags) {
    const MurTypeInfo *type = mur_type_of(tableFlags);
    if (!type) {
        return false;
    }
    const bool zero = (tableFlags & MUR_TABLE_ZERO) != 0;
    const uint32_t empty = zero ? ZERO : MAX, width = tableFlags & MUR_TABLE_INT64 ? W64 : W32;
    const uint32_t added = tableFlags & ~(type->flags | MUR_TABLE_ZERO | MUR_TABLE_INT64);
    return may_add_flags(type, added) && (type->widths & width) &&
           (type->emptyValues ? (type->emptyValues & empty) != 0 : !zero);
}

VkResult mur_describe_type(const MurTableCreateInfo *info, bool wide, MurReason *reason,
                           MurShape *shape) {
    const MurTypeInfo *type = info->type ? info->type->info : mur_types;
    const MurEmptyValue value = info->emptyValue;
    const MurAtomicWidth only = mur_required_width(type), width = info->atomicWidth;
    *shape = (MurShape){.type = type};
    if (value != MUR_EMPTY_VALUE_ZERO &&
        (value != MUR_EMPTY_VALUE_MAX || type->emptyValues == ZERO)) {
        return give_reason(reason, "emptyValue", (uint32_t)value,
                           type->emptyValues == ZERO
                               ? "MUR_EMPTY_VALUE_ZERO (1)"
                               : "MUR_EMPTY_VALUE_MAX (0) or MUR_EMPTY_VALUE_ZERO (1)",
                           0);
    }
    if (width != MUR_ATOMIC_WIDTH_DEFAULT && width != MUR_ATOMIC_WIDTH_32 &&
        width != MUR_ATOMIC_WIDTH_64) {
        return give_reason(reason, "atomicWidth", (uint32_t)width, "0, 32 or", 64);
    }
    if (width != MUR_ATOMIC_WIDTH_DEFAULT && only != MUR_ATOMIC_WIDTH_DEFAULT && width != only) {
        return give_reason(reason, "atomicWidth", (uint32_t)width, "0 or", only);
    }
    if (!may_add_flags(type, info->flags)) {
        return give_reason(reason, "flags", info->flags,
                           mur_can(type, MUR_TYPE_EVICTS)     ? "0 or MUR_TABLE_AGES"
                           : mur_can(type, MUR_TYPE_COMPARES) ? "0 or MUR_ROWS(words, stride)"
                                                              : "0",
                           0);
    }
    const MurAtomicWidth taken = only    ? only
                                 : width ? width
                                 : wide  ? MUR_ATOMIC_WIDTH_64
                                         : MUR_ATOMIC_WIDTH_32;
    const bool zero = type->emptyValues && value == MUR_EMPTY_VALUE_ZERO;
    shape->ref.flags = type->flags | info->flags | (zero ? MUR_TABLE_ZERO : 0) |
                       (taken == MUR_ATOMIC_WIDTH_64 ? MUR_TABLE_INT64 : 0);
    return VK_SUCCESS;
}

VkResult mur_describe(const MurTableCreateInfo *info, bool wide, MurReason *reason,
                      MurShape *shape) {
    const VkResult result = mur_describe_type(info, wide, reason, shape);
    if (result != VK_SUCCESS) {
        return result;
    }
    const uint32_t flags = shape->ref.flags;
    const uint64_t most = mur_max_capacity(flags);
    if (info->capacity == 0 || info->capacity > most) {
        (void)give_reason(reason, "capacity", (long long)info->capacity, "1 to", most);
        return info->capacity ? MUR_ERROR_TOO_LARGE : MUR_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t slotCount = mur_slot_count(info->capacity, flags);
    shape->ref.capacity = (uint32_t)info->capacity;
    shape->ref.slotCount = slotCount;
    shape->ref.seed = info->seed;
    shape->ref.probeSectors = mur_probe_sectors(info->probeLimit, slotCount, flags);
    shape->bytes = mur_table_size(slotCount, flags);
    return VK_SUCCESS;
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

/* Returns capacity plus padding, rounded up to whole sectors and a multiple of four. Clusters that
 * exceed the last home slot continue in the padding, and wrap only if it is full. In small tables,
 * the padding is an eighth of the capacity. Bucketed tables need no padding. */
uint32_t mur_slot_count(uint64_t capacity, uint32_t flags) {
    const uint32_t format = MUR_TABLE_FORMAT(flags);
    const bool buckets = (flags & MUR_TABLE_BUCKETS) != 0;
    const uint64_t unit = buckets                                   ? MUR_BUCKET_UNIT
                          : MUR_SLOTS_OF(format) > MUR_SECTOR_SLOTS ? MUR_SLOTS_OF(format)
                                                                    : MUR_SECTOR_SLOTS;
    uint64_t padding = buckets ? 0 : capacity / 8 + unit;
    if (padding > MUR_MAX_PADDING) {
        padding = MUR_MAX_PADDING;
    }
    return (uint32_t)((capacity + padding + unit - 1) / unit * unit);
}

/* The home slot may be the last slot of its sector, so a probe visits one sector more than the
 * limit divided by the slots per sector. A probe of all sectors ends in its first sector, in which
 * it then also reads the slots before the home slot. */
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
               ? (uint64_t)4 * MUR_EVICTING_WORDS(format, flags, slotCount)
               : MUR_HEADER_SIZE + ((uint64_t)slotCount << MUR_SLOT_SHIFT(format));
}

uint32_t mur_page_capacity(uint32_t pageSize, uint32_t flags) {
    uint32_t capacity = (pageSize - MUR_HEADER_SIZE) >> MUR_SLOT_SHIFT(MUR_TABLE_FORMAT(flags));
    while (mur_table_size(mur_slot_count(capacity, flags), flags) > pageSize) {
        --capacity;
    }
    return capacity;
}
