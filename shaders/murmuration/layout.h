/* Murmuration: declarations shared by C, GLSL and HLSL, which include this file; WGSL has a
 * generated copy.
 *
 * Memory of a table: a 256-byte header (MurTableHeader), then slotCount slots. A slot of K32V32 has
 * 8 bytes {key word, value word}; for other formats see MUR_FORMAT_*. slotCount is the capacity
 * plus padding, rounded up to whole 32-byte sectors: a multiple of four, or of eight for K32. A
 * probe starts at the home slot of a key's hash and goes upwards through the padding. It continues
 * at slot 0 only if a cluster passes the last slot. words.h describes the words, for the library
 * only.
 *
 * The key word stores the *hash* of the key, not the key. murmur3's finalizer is a bijection, so no
 * information is lost, and extraction, statistics and rehashing need not hash again. The home slot
 * is the high word of hash * capacity, so slots are sorted by hash, except for probing.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_LAYOUT_H
#define MUR_LAYOUT_H

#define MUR_VERSION_MAJOR 0
#define MUR_VERSION_MINOR 4
#define MUR_VERSION_PATCH 0
/* The version as one number: 10000 * major + 100 * minor + patch. */
#define MUR_VERSION (10000 * MUR_VERSION_MAJOR + 100 * MUR_VERSION_MINOR + MUR_VERSION_PATCH)

/* Some HLSL compilers define the macros of C compilers. */
#if (defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)) && !defined(MUR_HLSL)
#define MUR_C 1
#endif

#ifdef MUR_C
#include <stddef.h>
#include <stdint.h>
#define MUR_U32     uint32_t
#define MUR_ADDRESS uint64_t
#define MUR_STRUCT(name)      \
    typedef struct name name; \
    struct name
#if defined(__cplusplus) /* avoids warnings of -Wold-style-cast */
#define MUR_CAST(type, value) static_cast<type>(value)
#else
#define MUR_CAST(type, value) ((type)(value))
#endif
#else
#ifdef MUR_HLSL
#define MUR_U32X2 uint2
#define MUR_U32X4 uint4
#define MUR_I32X3 int3
#define MUR_F32X3 float3
#else
#define MUR_U32X2 uvec2
#define MUR_U32X4 uvec4
#define MUR_I32X3 ivec3
#define MUR_F32X3 vec3
#endif
#define MUR_U32               uint
#define MUR_ADDRESS           MUR_U32X2 /* x: low word; no 64-bit integers needed */
#define MUR_STRUCT(name)      struct name
#define MUR_CAST(type, value) type(value)
#endif

#define MUR_MAX_CAPACITY 0xFFFF0000u

/* A slot index that means "no slot". */
#define MUR_NO_SLOT 0xFFFFFFFFu

/* Results of an operation on one key. If several inserts add the same absent key, exactly one
 * reports MUR_INSERTED. If several erases remove the same key, exactly one reports MUR_ERASED. */
#define MUR_ABSENT        0u /* find, erase, update: the key is not in the table */
#define MUR_FOUND         1u /* find: the key is in the table */
#define MUR_INSERTED      2u /* insert: the key was absent */
#define MUR_EXISTED       3u /* insert: the key was present; the mode decided its value */
#define MUR_ERASED        4u /* erase: the key was present */
#define MUR_FULL          5u /* insert: no slot within the probe limit; MurStats.failedInserts */
#define MUR_INVALID_VALUE 6u /* insert: the value is the empty value; MurStats.invalidValues */
#define MUR_UNSUPPORTED   7u /* write in a shader: the shader or the table does not support it */
#define MUR_CONTENDED     8u /* update: the key is present; see MUR_UPDATE_TRIES */

/* The effect of an insert on a key's value. Tables with values offer insert, assign and update. The
 * empty value 0xFFFFFFFF adds min, of which it is the identity; 0 adds add, max and or. */
#define MUR_MODE_ASSIGN 0u /* the new value replaces the old one */
#define MUR_MODE_INSERT 1u /* the old value stays: find or insert */
#define MUR_MODE_ADD    2u /* sum modulo 2^32, or 2^64; a sum of 0 means absent */
#define MUR_MODE_MIN    3u
#define MUR_MODE_MAX    4u
#define MUR_MODE_OR     5u
#define MUR_MODE_UPDATE 6u /* the new value replaces the old one; an absent key stays absent */

/* Maximum number of tries of an update. An update reads the value and exchanges it only if it is
 * unchanged, so it restores no key that was erased after the read. If other operations change the
 * value during each try, the update has no effect and returns MUR_CONTENDED. (Otherwise N assigns
 * to one key could take a time proportional to N squared.) On the host there is no limit. */
#define MUR_UPDATE_TRIES 32u

/* MurTableRef.flags */
#define MUR_TABLE_INT64 1u /* slots are written with 64-bit atomics; exceptions: claim.glsl */
#define MUR_TABLE_ZERO  2u /* the empty value is 0 instead of 0xFFFFFFFF */
/* Assigns, adds, mins, maxs and ors (not MUR_MODE_INSERT) of 32-bit keys try to claim the home slot
 * before they read it. This is faster for new keys in tables that fit into the GPU's cache, and
 * slower otherwise. murCmdInsert chooses automatically. For your shaders, set this flag in the
 * MurTableRef.flags that they receive. */
#define MUR_TABLE_HOME_FIRST 4u
/* Lookups do not read from the header whether the table is sorted: they assume that it is not. */
#define MUR_TABLE_UNORDERED 8u

#define MUR_TABLE_BUCKETS 256u /* the table is in buckets (<murmuration/buckets.h>) */
#define MUR_TABLE_AGES    512u /* the table stores the frame of last use of each slot */

/* The layout of a slot: bits 4 to 7 of MurTableRef.flags, set by MurTableCreateInfo.type. Hashes of
 * 64-bit keys are two words, low first; the high word decides the home slot. */
#define MUR_FORMAT_K32V32 0u /* {hash, value} */
#define MUR_FORMAT_K64V32 1u /* {hash low, hash high, value, tag} */
#define MUR_FORMAT_K32    2u /* {hash}: a set */
#define MUR_FORMAT_K64    3u /* {hash low, hash high}: a set */
#define MUR_FORMAT_K64V64 4u /* {hash low, hash high, value low, value high} */
#define MUR_FORMAT_COUNT  5u
/* MUR_FORMAT_COUNT does not include R32 and K64V32_MULTI: their slots contain no plain keys. */
#define MUR_FORMAT_R32 5u /* {row number, hash}: a row table (<murmuration/rows.h>) */
/* Multi-value tables with 64-bit keys (<murmuration/multi.h>): slots as in K64V32, but the tag word
 * also has an index. */
#define MUR_FORMAT_K64V32_MULTI 9u

#define MUR_TABLE_FORMAT_SHIFT  4u
#define MUR_TABLE_FORMAT_MASK   0xF0u
#define MUR_TABLE_FORMAT(flags) (((flags)&MUR_TABLE_FORMAT_MASK) >> MUR_TABLE_FORMAT_SHIFT)

/* Is the format a set? How many sentinel slots do its tables have in the header? Numbers of
 * sentinel slots begin at slotCount. Row tables have none: their slots store no hash as a key
 * word. */
#define MUR_IS_SET(format) \
    ((format) == MUR_FORMAT_K32 || (format) == MUR_FORMAT_K64 || (format) == MUR_FORMAT_R32)
#define MUR_EXTRA_SLOTS(format) ((format) == MUR_FORMAT_R32 ? 0u : MUR_IS_SET(format) ? 2u : 1u)

/* Bits of the state word in a table's header, which the GPU updates. */
#define MUR_STATE_ORDERED 1u /* every cluster is sorted by hash (64-bit keys: by its high half) */
#define MUR_STATE_WRAPPED 2u /* some cluster may pass the last slot and continue at slot 0 */
#define MUR_STATE_FILTER  4u /* in buckets: selects the front filter of the two filters */

#define MUR_LAYOUT_VERSION 4u

/* The last use of a slot that was not touched since the slot was free (<murmuration/buckets.h>). */
#define MUR_AGE_UNTOUCHED 0xFFFFFFFFu

/* Table reference for shaders: 32 bytes by value, for push constants or any buffer. It contains all
 * bounds of a probe. Probes read no bounds from table memory, so damaged table memory changes
 * results but causes no access out of bounds. */
MUR_STRUCT(MurTableRef) {
    MUR_ADDRESS address; /* address of the header; unused if the table is a bound storage buffer */
    MUR_U32 capacity;
    MUR_U32 slotCount; /* number of slots, in whole sectors */
    MUR_U32 seed;
    MUR_U32 probeSectors; /* maximum number of sectors that a probe reads */
    MUR_U32 flags;        /* MUR_TABLE_* */
    MUR_U32 index;        /* set by the user: element in an array of bound storage buffers */
};

/* Table reference for calls on sets in shaders. */
MUR_STRUCT(MurSetRef) {
    MurTableRef table;
};

/* Predicates select entries: (word & mask) COMPARE reference, unsigned. Values of word, compare: */
#define MUR_MAX_PREDICATES        3u
#define MUR_PREDICATE_VALUE       0u /* the value, or its low word */
#define MUR_PREDICATE_KEY_LOW     1u /* the key, or its low word */
#define MUR_PREDICATE_KEY_HIGH    2u /* the high word of a 64-bit key */
#define MUR_PREDICATE_INDEX       3u /* the index in MUR_FORMAT_K64V32_MULTI */
#define MUR_COMPARE_ALWAYS        0u
#define MUR_COMPARE_EQUAL         1u
#define MUR_COMPARE_NOT_EQUAL     2u
#define MUR_COMPARE_LESS          3u
#define MUR_COMPARE_GREATER_EQUAL 4u

#define MUR_STATS_BUCKETS 32u

#define MUR_BUCKET_SLOTS 16u

/* Values of MUR_BUCKETS, which shaders define: which tables of the shader are in buckets? */
#define MUR_BUCKETS_ALL       1
#define MUR_BUCKETS_PER_TABLE 2 /* tables with MUR_TABLE_BUCKETS in flags; needs more registers */
#define MUR_BUCKETS_SETS      4 /* sets are in buckets, tables with values are not */

/* Written by murCmdEvict. liveGroups and erasedGroups are arguments of vkCmdDispatchIndirect for
 * the elements of MurEvict.live and MurEvict.erased: x * y workgroups, z is 1. x is at most 65535,
 * and y is above 1 only if x is 65535, so that any device accepts them. A shader's workgroup index
 * is gl_WorkGroupID.y * 65535 + gl_WorkGroupID.x, and the shader must check the end of the list.
 * The buffer needs VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT. Record a barrier from MUR_EXIT_* to
 * VK_ACCESS_INDIRECT_COMMAND_READ_BIT in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT. */
MUR_STRUCT(MurEvictResult) {
    MUR_U32 liveGroups[3];
    MUR_U32 live; /* number of retained entries, also those beyond the end of the list */
    MUR_U32 erasedGroups[3];
    MUR_U32 erased; /* number of evicted entries, also those beyond the end of the list */
};

#ifdef MUR_C

/* The header: the first 256 bytes of a table's memory, little-endian. Shaders and commands read
 * only state, the counters, stream and the sentinel slots; the other fields are for images,
 * debuggers and tools. */
typedef struct MurTableHeader {
    uint32_t magic, version;
    uint32_t state; /* MUR_STATE_* */
    uint32_t capacity, slotCount, seed, flags, probeSectors;
    uint64_t failedInserts, invalidValues;
    uint32_t stream; /* MUR_STREAM_*: path of the last streamed rehash into this table, or 0 */
    uint32_t reserved0[3];
    uint32_t extra[8]; /* the sentinel slots, for keys whose hashes equal a sentinel */
    uint32_t reserved1[40];
} MurTableHeader;

/* Written by murCmdStats. live + erased + free is slotCount + 1 for tables with values, slotCount
 * + 2 for sets and slotCount for rows. */
typedef struct MurStats {
    uint32_t live;          /* number of entries */
    uint32_t erased;        /* number of slots of erased keys, see murCmdCompact */
    uint32_t freeSlots;     /* number of free slots */
    uint32_t state;         /* MUR_STATE_* */
    uint64_t failedInserts; /* inserts since the last clear that reported MUR_FULL */
    uint64_t invalidValues; /* inserts since the last clear that reported MUR_INVALID_VALUE */
    /* Sum of the probe lengths of all entries. A probe length is the number of slots that a find of
     * the entry examines, 1 in the home slot; in buckets the number of buckets, 1 or 2. The mean
     * is probeSum / live. */
    uint64_t probeSum;
    uint32_t probeMax; /* maximum probe length; 0 for an empty table */
    uint32_t reserved;
    /* Element b: number of entries with 2^b <= probe length < 2^(b+1). In buckets: number of
     * buckets with b slots that are not free, b from 0 to MUR_BUCKET_SLOTS. */
    uint32_t probeHistogram[MUR_STATS_BUCKETS];
} MurStats;

/* Written by murCmdRehash, murCmdMerge and murCmdCompact. */
typedef struct MurRehashResult {
    uint32_t moved;   /* number of the source's entries that the destination now has */
    uint32_t dropped; /* number of slots of erased keys, which are not copied */
    uint32_t failed;  /* number of entries that did not fit; the destination also counts them */
    uint32_t state;   /* MUR_STATE_* of the destination; MUR_STATE_WRAPPED may be a false alarm */
} MurRehashResult;

#if defined(__cplusplus)
#define MUR_STATIC_ASSERT(condition) static_assert(condition, #condition)
#else
#define MUR_STATIC_ASSERT(condition) _Static_assert(condition, #condition)
#endif
#define MUR_WORD_AT(type, field, word) MUR_STATIC_ASSERT(offsetof(type, field) == 4u * (word))
MUR_STATIC_ASSERT(sizeof(MurTableRef) == 32);
MUR_STATIC_ASSERT(sizeof(MurEvictResult) == 32);

#endif
#endif
