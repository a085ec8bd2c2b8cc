/* Table types: what tables of a type have in common, one record each (types.def), and the sizes
 * that follow from a table's description. The same for the GPU and for the host.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TYPES_H
#define MUR_TYPES_H

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

/* Types are a row per table type of types.def. */
typedef enum MurTypeName {
#define TYPE(name, ...) MUR_TYPE_##name,
#include "types.def"
#undef TYPE
    MUR_TYPE_COUNT
} MurTypeName;

/* Capabilities, bits. Code requires one of these, never a type by its name. */
enum {
    MUR_TYPE_EVERY = 0,
    MUR_TYPE_SINGLE = 1,        /* one value per key, or none: insert, find, erase, merge */
    MUR_TYPE_MULTI = 2,         /* many values per key */
    MUR_TYPE_COMPARES = 4,      /* the engine hashes and compares its keys, which lie in an array */
    MUR_TYPE_REHASHED = 8,      /* as a destination, places keys by their hashes */
    MUR_TYPE_ORDERED = 16,      /* slots are in hash order: builds, and batches that are sorted */
    MUR_TYPE_DESTINATION = 32,  /* of rehashes and merges, so it can grow */
    MUR_TYPE_PAGED = 64,        /* pages can hold such tables */
    MUR_TYPE_GROUPS = 128,      /* value groups */
    MUR_TYPE_STREAMED = 256,    /* a rehash can stream it */
    MUR_TYPE_PARTITIONED = 512, /* batches are partitioned in shared memory */
    MUR_TYPE_EVICTS = 1024,     /* a freed slot is free for every key: passes over caches */
    MUR_TYPE_INDEXED = 2048,    /* keys have an index */
    MUR_TYPE_SLOTS_BY_WIDTH = 4096 /* the atomic width decides what slots look like */
};

typedef struct MurTypeInfo {
    const char *name;      /* in messages: of murType...() */
    uint32_t flags;        /* MUR_TABLE_* that all tables of the type have, the format among them */
    uint32_t variant;      /* 2 * MUR_TYPE_* of the type that has its kernels */
    uint32_t capabilities; /* MUR_TYPE_* */
    uint8_t keySize;       /* bytes */
    uint8_t storedKeySize;
    uint8_t valueSize; /* 0: it is a set */
    uint8_t slotSize;
    uint8_t sentinels;
    uint8_t widths;      /* MurAtomicWidth, of two both */
    uint8_t emptyValues; /* bits by MurEmptyValue; 0: a set */
} MurTypeInfo;

extern const MurTypeInfo mur_types[MUR_TYPE_COUNT];

/* kernels: brought by types of the GPU, up to a NULL. NULL: a type of the host. */
struct MurType_T {
    const MurTypeInfo *info;
    const struct MurFamily *const *kernels;
};

/* Returns those of a table's flags that its type decides. */
static inline uint32_t mur_type_flags(uint32_t tableFlags) {
    return tableFlags & (MUR_TABLE_FORMAT_MASK | MUR_TABLE_BUCKETS);
}

/* Returns the type of tables with these flags; of several the first: many values per 32-bit key are
 * stored as one value per 64-bit key. NULL: there is none. */
const MurTypeInfo *mur_type_of(uint32_t tableFlags);

/* Without a type there is no capability. */
static inline bool mur_can(const MurTypeInfo *type, uint32_t capabilities) {
    return type && (type->capabilities & capabilities) == capabilities;
}

/* The only atomic width that can write such tables; MUR_ATOMIC_WIDTH_DEFAULT: both can. */
static inline MurAtomicWidth mur_required_width(const MurTypeInfo *type) {
    return type->widths == (MUR_ATOMIC_WIDTH_32 | MUR_ATOMIC_WIDTH_64)
               ? MUR_ATOMIC_WIDTH_DEFAULT
               : (MurAtomicWidth)type->widths;
}

/* Returns what a message expects of a table if its type lacks this capability. */
const char *mur_capability_name(uint32_t capability);

/* A table as described: its type, and what bounds it, without address and index. */
typedef struct MurDescription {
    const MurTypeInfo *type;
    MurTableRef ref;
    uint64_t bytes;
} MurDescription;

/* An error in a description: "argument is value, expected expected number". number 0: none. Other
 * files format the text, because this one uses no C library. */
typedef struct MurReason {
    const char *argument;
    long long value;
    const char *expected;
    unsigned long long number;
} MurReason;

/* Checks all of a description except its capacity, memory and kernels; sets type and ref.flags.
 * wide: of two atomic widths the default is 64. reason may be NULL. */
VkResult mur_describe_type(const MurTableCreateInfo *info, bool wide, MurReason *reason,
                           MurDescription *description);
/* Checks the capacity, and sets the rest. */
VkResult mur_describe_size(const MurTableCreateInfo *info, MurReason *reason,
                           MurDescription *description);
/* Are these the flags of some table? */
bool mur_flags_valid(uint32_t tableFlags);

/* Is the mode one of the table's, which has one value per key? */
bool mur_offers_mode(uint32_t tableFlags, MurInsertMode mode);

/* The largest capacity of a table. */
uint64_t mur_max_capacity(uint32_t tableFlags);

/* Slots of a table of this capacity, 1 ... mur_max_capacity. */
uint32_t mur_slot_count(uint64_t capacity, uint32_t tableFlags);

/* Sectors that a probe visits; probeLimit as in MurTableCreateInfo. */
uint32_t mur_probe_sectors(uint64_t probeLimit, uint32_t slotCount, uint32_t tableFlags);

/* A probe limit of which mur_probe_sectors makes this. */
uint64_t mur_probe_limit(uint32_t probeSectors, uint32_t format);

/* Bytes of all of it. */
uint64_t mur_table_size(uint32_t slotCount, uint32_t tableFlags);

/* Returns the largest capacity of a table that fits into a page of at least 4096 bytes. */
uint32_t mur_page_capacity(uint32_t pageSize, uint32_t tableFlags);

#endif
