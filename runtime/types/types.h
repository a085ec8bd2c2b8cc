/* Table types: the properties that all tables of a type share (types.def), and the sizes that
 * follow from a table's description. The GPU and the host use the same types.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TYPES_H
#define MUR_TYPES_H

#include <murmuration/murmuration.h>
#include <murmuration/words.h>

#include "names.h"

#include <stdbool.h>

static inline uint64_t mur_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline uint64_t mur_round_up_16(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/* Capabilities of table types, as bits. Code requires a capability, never a particular type. */
enum {
    MUR_TYPE_EVERY = 0,
    MUR_TYPE_SINGLE = 1,        /* one value per key, or none: insert, find, erase, merge */
    MUR_TYPE_MULTI = 2,         /* many values per key */
    MUR_TYPE_COMPARES = 4,      /* keys are elements of the engine's array, which it compares */
    MUR_TYPE_REHASHED = 8,      /* a rehash inserts keys into it by their hashes */
    MUR_TYPE_ORDERED = 16,      /* slots are in hash order: allows builds and sorted batches */
    MUR_TYPE_DESTINATION = 32,  /* can be the destination of rehashes and merges, so it can grow */
    MUR_TYPE_PAGED = 64,        /* a page can contain such a table */
    MUR_TYPE_GROUPS = 128,      /* has value groups */
    MUR_TYPE_STREAMED = 256,    /* a rehash can read it as a stream */
    MUR_TYPE_PARTITIONED = 512, /* allows partitioned batches in shared memory */
    MUR_TYPE_EVICTS = 1024,     /* every key can use the slot of an evicted entry */
    MUR_TYPE_INDEXED = 2048,    /* keys have an index: a multi-value table with 64-bit keys */
    MUR_TYPE_SLOTS_BY_WIDTH = 4096 /* the atomic width decides the format of slots */
};

typedef struct MurTypeInfo {
    const char *name;      /* NAME of murTypeNAME(), for messages */
    uint32_t flags;        /* MUR_TABLE_* that all tables of the type have, including the format */
    uint32_t variant;      /* 2 * MUR_TYPE_* of the type whose kernels it uses */
    uint32_t capabilities; /* MUR_TYPE_* */
    uint8_t keySize;       /* bytes */
    uint8_t storedKeySize;
    uint8_t valueSize; /* 0 for a set */
    uint8_t slotSize;
    uint8_t sentinels;
    uint8_t widths;      /* mask of the atomic widths (MurAtomicWidth) that can write its tables */
    uint8_t emptyValues; /* one bit per MurEmptyValue; 0 for a set */
} MurTypeInfo;

extern const MurTypeInfo mur_types[MUR_TYPE_COUNT];

/* kernels: the type's kernel families, NULL after the last. In types of host tables: NULL. */
struct MurType_T {
    const MurTypeInfo *info;
    const struct MurFamily *const *kernels;
};

/* Returns those flags of a table that its type decides. */
static inline uint32_t mur_type_flags(uint32_t tableFlags) {
    return tableFlags & MUR_TABLE_TYPE_MASK;
}

/* Returns those flags of a table that decide what its keys and values are. */
uint32_t mur_entry_flags(uint32_t tableFlags);

/* Returns the type of tables with these flags, or NULL. If several types have the flags, returns
 * the first: tables with many values per 32-bit key store them as one value per 64-bit key. */
const MurTypeInfo *mur_type_of(uint32_t tableFlags);

/* Returns whether a type has all these capabilities. NULL has none. */
static inline bool mur_can(const MurTypeInfo *type, uint32_t capabilities) {
    return type && (type->capabilities & capabilities) == capabilities;
}

/* Returns the only atomic width that writes tables of a type; MUR_ATOMIC_WIDTH_DEFAULT: both do. */
static inline MurAtomicWidth mur_required_width(const MurTypeInfo *type) {
    return type->widths == (MUR_ATOMIC_WIDTH_32 | MUR_ATOMIC_WIDTH_64)
               ? MUR_ATOMIC_WIDTH_DEFAULT
               : (MurAtomicWidth)type->widths;
}

/* Returns the name of a capability for messages about arguments ("expected ..."). */
const char *mur_capability_name(uint32_t capability);

/* A table: its type, its reference for shaders, and its kernel sets. */
typedef struct MurShape {
    const MurTypeInfo *type;
    MurTableRef ref;
    uint64_t bytes;
    uint32_t kernels; /* MUR_KERNELS_* */
    bool mirrored;    /* only updates of a mirror write it */
} MurShape;

/* Returns the number of slots, including the sentinel slots in the header. */
static inline uint32_t mur_slots(const MurShape *shape) {
    return shape->ref.slotCount + shape->type->sentinels;
}

/* An error in a table description, for the message "ARGUMENT is VALUE, expected EXPECTED NUMBER". A
 * number 0 is not printed. Other files format the text, because this file uses no C library. */
typedef struct MurReason {
    const char *argument;
    long long value;
    const char *expected;
    unsigned long long number;
} MurReason;

/* Checks a table description, and sets shape except for its address, index and kernels. wide:
 * whether 64 bits are the default atomic width if the type allows both. reason may be NULL. */
typedef VkResult MurDescriber(const MurTableCreateInfo *info, bool wide, MurReason *reason,
                              MurShape *shape);
MurDescriber mur_describe;
/* Checks a description except for its capacity. Sets only type and ref.flags of the shape. */
MurDescriber mur_describe_type;

/* Returns whether some table can have these flags. */
bool mur_flags_valid(uint32_t tableFlags);

/* Returns whether a table with these flags and one value per key supports the insert mode. */
bool mur_offers_mode(uint32_t tableFlags, MurInsertMode mode);

uint64_t mur_max_capacity(uint32_t tableFlags);

/* Returns the number of slots of a table of this capacity, 1 to mur_max_capacity. */
uint32_t mur_slot_count(uint64_t capacity, uint32_t tableFlags);

/* Returns the number of sectors that a probe visits. probeLimit: as in MurTableCreateInfo. */
uint32_t mur_probe_sectors(uint64_t probeLimit, uint32_t slotCount, uint32_t tableFlags);

/* Returns a probe limit for which mur_probe_sectors returns this number. */
uint64_t mur_probe_limit(uint32_t probeSectors, uint32_t format);

/* Returns the bytes of table memory, including the header. */
uint64_t mur_table_size(uint32_t slotCount, uint32_t tableFlags);

/* Returns the largest capacity of a table that fits into a page of at least 4096 bytes. */
uint32_t mur_page_capacity(uint32_t pageSize, uint32_t tableFlags);

#endif
