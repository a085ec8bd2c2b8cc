/* Murmuration: declarations shared by C, GLSL and HLSL, written once and included by all; WGSL has
 * a generated copy.
 *
 * Memory of a table: a 256-byte header (MurTableHeader), then slotCount slots, of 8 bytes {key
 * word, value word} unless the table's format is another (MUR_FORMAT_*). slotCount is the capacity
 * plus padding, a multiple of four, or eight for K32, so that slots make whole 32-byte sectors. A
 * probe starts at the home slot of a key's hash, runs upwards through the padding, and wraps to
 * slot 0 only when a cluster passes the very last slot. words.h describes the words, for the
 * library only.
 *
 * The key word holds the *hash* of the key, not the key: murmur3's finalizer is a bijection, so no
 * information is lost, and extraction, statistics and streams never hash again. Home slots are the
 * high word of hash * capacity, hence slots are in hash order up to probing.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_LAYOUT_H
#define MUR_LAYOUT_H

#define MUR_VERSION_MAJOR 0
#define MUR_VERSION_MINOR 2
#define MUR_VERSION_PATCH 0
/* Comparable: 10000 * major + 100 * minor + patch. */
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
#if defined(__cplusplus) /* so that includers with -Wold-style-cast see none */
#define MUR_CAST(type, value) static_cast<type>(value)
#else
#define MUR_CAST(type, value) ((type)(value))
#endif
#else
#ifdef MUR_HLSL
#define MUR_U32X2 uint2
#define MUR_I32X3 int3
#define MUR_F32X3 float3
#else
#define MUR_U32X2 uvec2
#define MUR_I32X3 ivec3
#define MUR_F32X3 vec3
#endif
#define MUR_U32               uint
#define MUR_ADDRESS           MUR_U32X2 /* x: low word; no 64-bit integers needed */
#define MUR_STRUCT(name)      struct name
#define MUR_CAST(type, value) type(value)
#endif

#define MUR_MAX_CAPACITY 0xFFFF0000u

/* "No slot" where a slot index is expected. */
#define MUR_NO_SLOT 0xFFFFFFFFu

/* Results of an operation on one key. Of several inserters of an absent key exactly one gets
 * MUR_INSERTED, of several erasers exactly one MUR_ERASED. */
#define MUR_ABSENT        0u /* find, erase, update: the key is not in the table */
#define MUR_FOUND         1u /* find: the key is in the table */
#define MUR_INSERTED      2u /* insert: the key was absent */
#define MUR_EXISTED       3u /* insert: the key was there; its value was treated by the mode */
#define MUR_ERASED        4u /* erase: the key was there and is no longer */
#define MUR_FULL          5u /* insert: no slot within the probe limit; MurStats.failedInserts */
#define MUR_INVALID_VALUE 6u /* insert: the value is the empty value; counted in the header */
#define MUR_UNSUPPORTED   7u /* in-shader write that this shader, or this table, does not offer */
#define MUR_CONTENDED     8u /* update: the key is there; see MUR_UPDATE_TRIES */

/* The effect of an insert on a key's value. The table's empty value is the identity of each mode
 * that the table offers (0xFFFFFFFF: insert, assign, min; 0: insert, assign, add, max, or). */
#define MUR_MODE_ASSIGN 0u /* the new value replaces */
#define MUR_MODE_INSERT 1u /* the first value stays: find-or-insert */
#define MUR_MODE_ADD    2u /* sum modulo 2^32; a sum of 0 is absence */
#define MUR_MODE_MIN    3u
#define MUR_MODE_MAX    4u
#define MUR_MODE_OR     5u
#define MUR_MODE_UPDATE 6u /* the new value replaces; an absent key stays absent */

/* An update exchanges a value that it has read, so that it restores no key that was erased after
 * the read. If other operations have changed the value this often before it could, it gives up: it
 * does nothing and returns MUR_CONTENDED. (Otherwise N assigns to one key could queue for a time
 * proportional to N squared.) The host never gives up. */
#define MUR_UPDATE_TRIES 32u

/* MurTableRef.flags */
#define MUR_TABLE_INT64 1u /* slots are written with 64-bit atomics, never with 32-bit ones */
#define MUR_TABLE_ZERO  2u /* the empty value is 0 instead of 0xFFFFFFFF */
/* Inserts of 32-bit keys try to claim the home slot before they look at it: faster for new keys in
 * tables that fit into the GPU's cache, slower otherwise. murCmdInsert decides for itself; set it
 * in a reference of your own where your shaders' inserts are like that. */
#define MUR_TABLE_HOME_FIRST 4u
/* Lookups need not read from the header whether the table is in order. */
#define MUR_TABLE_UNORDERED 8u

/* Keys live in buckets (<murmuration/buckets.h>); the table has an age for each slot. */
#define MUR_TABLE_BUCKETS 256u
#define MUR_TABLE_AGES    512u

/* The content of a slot: bits 4 to 7 of MurTableRef.flags, by MurTableCreateInfo.type. Hashes of
 * 64-bit keys are two words, low first, and the high one decides the home slot. */
#define MUR_FORMAT_K32V32 0u /* {hash, value} */
#define MUR_FORMAT_K64V32 1u /* {hash low, hash high, value, tag} */
#define MUR_FORMAT_K32    2u /* {hash}: a set */
#define MUR_FORMAT_K64    3u /* {hash low, hash high}: a set */
#define MUR_FORMAT_K64V64 4u /* {hash low, hash high, value low, value high} */
#define MUR_FORMAT_COUNT  5u
/* These two are not counted above: their slots hold no plain keys. */
#define MUR_FORMAT_R32 5u /* {row number, hash}: a set of rows (<murmuration/rows.h>) */
/* Many values a 64-bit key (<murmuration/multi.h>): slots as in K64V32, but that the tag word has
 * an index, too. */
#define MUR_FORMAT_K64V32_MULTI 9u

#define MUR_TABLE_FORMAT_SHIFT  4u
#define MUR_TABLE_FORMAT_MASK   0xF0u
#define MUR_TABLE_FORMAT(flags) (((flags)&MUR_TABLE_FORMAT_MASK) >> MUR_TABLE_FORMAT_SHIFT)

/* Is it a set; and how many slots it has in the header, which follow slot slotCount - 1. Row
 * numbers are never hashes, so tables of rows have none. */
#define MUR_IS_SET(format) \
    ((format) == MUR_FORMAT_K32 || (format) == MUR_FORMAT_K64 || (format) == MUR_FORMAT_R32)
#define MUR_EXTRA_SLOTS(format) ((format) == MUR_FORMAT_R32 ? 0u : MUR_IS_SET(format) ? 2u : 1u)

/* State word of the header: kept by the GPU. */
#define MUR_STATE_ORDERED 1u /* every cluster is known to be sorted by hash (64-bit: high half) */
#define MUR_STATE_WRAPPED 2u /* some cluster ran past the last slot and continues at slot 0 */
#define MUR_STATE_FILTER  4u /* in buckets: which of the two filters counts */

#define MUR_LAYOUT_VERSION 4u

/* The age of a slot that was never touched since it was free (<murmuration/buckets.h>). */
#define MUR_AGE_UNTOUCHED 0xFFFFFFFFu

/* A table as a shader sees it: 32 bytes by value, for push constants or any buffer. Everything that
 * bounds a probe is here and nothing that bounds it is read from table memory, so that corrupted
 * table memory changes answers but never leads out of bounds. */
MUR_STRUCT(MurTableRef) {
    MUR_ADDRESS address; /* of the header; unused when the table is a bound storage buffer */
    MUR_U32 capacity;
    MUR_U32 slotCount; /* whole sectors */
    MUR_U32 seed;
    MUR_U32 probeSectors; /* sectors a probe visits before it gives up */
    MUR_U32 flags;        /* MUR_TABLE_* */
    MUR_U32 index;        /* element of the storage-buffer array, when bound; the user sets it */
};

/* The same for shaders' calls on sets. */
MUR_STRUCT(MurSetRef) {
    MurTableRef table;
};

/* Predicates of an extraction: (word & mask) COMPARE reference, unsigned. */
#define MUR_MAX_PREDICATES        3u
#define MUR_PREDICATE_VALUE       0u /* the value, or the low word of it */
#define MUR_PREDICATE_KEY_LOW     1u /* the key, or the low word of it */
#define MUR_PREDICATE_KEY_HIGH    2u /* of 64-bit keys */
#define MUR_PREDICATE_INDEX       3u /* of MUR_FORMAT_K64V32_MULTI */
#define MUR_COMPARE_ALWAYS        0u
#define MUR_COMPARE_EQUAL         1u
#define MUR_COMPARE_NOT_EQUAL     2u
#define MUR_COMPARE_LESS          3u
#define MUR_COMPARE_GREATER_EQUAL 4u

#define MUR_STATS_BUCKETS 32u

#define MUR_BUCKET_SLOTS 16u

/* Values of MUR_BUCKETS, which shaders define: the tables of the shader that are in buckets. */
#define MUR_BUCKETS_ALL       1
#define MUR_BUCKETS_PER_TABLE 2 /* those whose references select it, which costs registers */
#define MUR_BUCKETS_SETS      4 /* sets; maps are not */

/* Written by murCmdEvict. liveGroups and erasedGroups are arguments of vkCmdDispatchIndirect for
 * the elements of each list: x * y workgroups, z is 1. x is at most 65535, and y is above 1 only if
 * x is 65535, so that any device accepts them. A shader's workgroup index is
 * gl_WorkGroupID.y * 65535 + gl_WorkGroupID.x, and the shader must check where the list ends. The
 * buffer needs VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT. Record a barrier from MUR_EXIT_* to
 * VK_ACCESS_INDIRECT_COMMAND_READ_BIT in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT. */
MUR_STRUCT(MurEvictResult) {
    MUR_U32 liveGroups[3];
    MUR_U32 live; /* entries retained, also if the list had no room for them */
    MUR_U32 erasedGroups[3];
    MUR_U32 erased; /* entries freed, also if the list had no room for them */
};

#ifdef MUR_C

/* First 256 bytes of a table's memory, little-endian. All but state, the counters and the extra
 * slots is information for debuggers and tools: nothing reads it back. */
typedef struct MurTableHeader {
    uint32_t magic, version;
    uint32_t state; /* MUR_STATE_* */
    uint32_t capacity, slotCount, seed, flags, probeSectors;
    uint64_t failedInserts, invalidValues;
    uint32_t stream; /* how the last streamed rehash to here went; else 0 */
    uint32_t reserved0[3];
    uint32_t extra[8]; /* the extra slots, of keys whose hashes are markers */
    uint32_t reserved1[40];
} MurTableHeader;

/* Written by murCmdStats. live + erased + free is slotCount + 1 for tables with values, slotCount
 * + 2 for sets and slotCount for rows. */
typedef struct MurStats {
    uint32_t live;          /* entries */
    uint32_t erased;        /* slots of erased keys, see murCmdCompact */
    uint32_t freeSlots;     /* slots where probes end */
    uint32_t state;         /* MUR_STATE_* */
    uint64_t failedInserts; /* inserts since the last clear that reported MUR_FULL */
    uint64_t invalidValues; /* ... that reported MUR_INVALID_VALUE */
    /* Slots examined to find each live entry once, summed; an entry in its home slot counts 1. The
     * mean probe length is probeSum / live. In buckets: buckets, 1 or 2. */
    uint64_t probeSum;
    uint32_t probeMax; /* the longest; 0 for an empty table */
    uint32_t reserved;
    /* [b]: entries of 2^b <= length < 2^(b+1). In buckets: buckets of which b slots are not free,
     * [0] to [MUR_BUCKET_SLOTS]. */
    uint32_t probeHistogram[MUR_STATS_BUCKETS];
} MurStats;

/* Written by murCmdRehash, murCmdMerge and murCmdCompact. */
typedef struct MurRehashResult {
    uint32_t moved;   /* entries of the source that the destination now has */
    uint32_t dropped; /* slots of erased keys left behind */
    uint32_t failed;  /* entries that did not fit; counted in the destination's header, too */
    uint32_t state;   /* MUR_STATE_* of the destination; it may note a wrap that did not come */
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
