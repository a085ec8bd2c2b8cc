/* Murmuration: the words of a table's memory, for the library's own C, GLSL and HLSL; WGSL has a
 * generated copy. Users need only layout.h; public C headers do not include this file.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_WORDS_H
#define MUR_WORDS_H

#include "layout.h"

#define MUR_HEADER_SIZE     256u
#define MUR_SLOT_SIZE       8u
#define MUR_SECTOR_SLOTS    4u /* K32V32: slots per 32-byte sector, the unit of probing */
#define MUR_TABLE_ALIGNMENT 256u

/* Key word of a free slot: no key has claimed it, and every probe ends there. */
#define MUR_EMPTY 0xFFFFFFFFu

/* Returns the format that has the same slot layout: K64V32 for K64V32_MULTI, else the same
 * format. */
#define MUR_SLOT_FORMAT(format) ((format)&7u)

/* The bits of a table's flags that the table's type determines. */
#define MUR_TABLE_TYPE_MASK (MUR_TABLE_FORMAT_MASK | MUR_TABLE_BUCKETS)

/* Do tables with these flags evict entries (MUR_TYPE_EVICTS)? Their keys are in buckets. */
#define MUR_EVICTS(flags) (((flags)&MUR_TABLE_BUCKETS) != 0u)
/* Returns the number of slots with the same home: those of a bucket, in other tables one. */
#define MUR_HOME_SLOTS(evicts) ((evicts) ? MUR_BUCKET_SLOTS : 1u)

/* Properties of a format: does it have 64-bit keys? log2 of a slot's bytes; does it have slots of
 * 16 bytes? 64-bit values? Number of slots per sector. */
#define MUR_IS_64(format) \
    ((format) != MUR_FORMAT_K32V32 && (format) != MUR_FORMAT_K32 && (format) != MUR_FORMAT_R32)
#define MUR_SLOT_SHIFT(format) \
    ((format) == MUR_FORMAT_K32 ? 2u : MUR_SLOT_IS_WIDE(format) ? 4u : 3u)
#define MUR_SLOT_IS_WIDE(format) \
    (MUR_SLOT_FORMAT(format) == MUR_FORMAT_K64V32 || MUR_HAS_WIDE_VALUES(format))
#define MUR_HAS_WIDE_VALUES(format) ((format) == MUR_FORMAT_K64V64)
#define MUR_SLOTS_OF(format)        (32u >> MUR_SLOT_SHIFT(format))

/* The tag word of K64V32. A half of the hash that equals MUR_EMPTY is stored as 0, so a stored half
 * never looks like an unclaimed one. Every hash with a stored half of 0 also claims the tag word;
 * the tag encodes which halves were MUR_EMPTY. Other hashes leave the tag word 0. */
#define MUR_TAG_USED 1u
#define MUR_TAG_LOW  2u /* the low half is MUR_EMPTY */
#define MUR_TAG_HIGH 4u /* the high half is MUR_EMPTY */
#define MUR_TAG_TOMB 8u /* K64 in buckets: the low half is MUR_TOMB, which is also stored as 0 */
/* K64V32_MULTI: the tag's bits from this one on are the index, a part of the key. The index is
 * never 0, so every key claims the tag word. */
#define MUR_TAG_INDEX_SHIFT 4u

/* Key word of a tombstone in a set: the slot of an erased key. In K64 the low word is MUR_TOMB and
 * the high word MUR_EMPTY. No key uses the slot again until a rehash or murCmdCompact. */
#define MUR_TOMB 0xFFFFFFFEu

/* Memory of bucketed tables. slotCount is a multiple of MUR_BUCKET_UNIT. The keys of a bucket are
 * next to each other: the two key words of a slot, or the whole slot of a 32-bit key. After all
 * keys come, at indices of 32-bit words from the header's start that fit into 32 bits: the other
 * words of slots ({value, tag} in K64V32, {tag} in K64 with 32-bit atomics); two filters, of
 * MUR_FILTER_BITS bits per bucket; with MUR_TABLE_AGES an age per slot and sentinel slot; counters.
 */
#define MUR_BUCKET_UNIT         128u
#define MUR_MAX_BUCKET_CAPACITY 0x20000000u
#define MUR_FILTER_BITS         16u
/* Number of sectors (32 bytes) per bucket, which contain only keys and, in K32V32, values. */
#define MUR_BUCKET_SECTORS(format) ((format) == MUR_FORMAT_K32 ? 2u : 4u)
#define MUR_SECOND_SEED            0x9E3779B9u /* of the hash of a 32-bit key's second bucket */
#define MUR_HAS_BUCKETS(format)    ((format) < MUR_FORMAT_COUNT && (format) != MUR_FORMAT_K64V64)
/* Returns the format in which a sector of key words in a bucket is read. */
#define MUR_KEY_FORMAT(format) ((format) == MUR_FORMAT_K64V32 ? MUR_FORMAT_K64 : (format))
#define MUR_BESIDE_WORDS(format, flags)                                   \
    ((format) == MUR_FORMAT_K64V32                                   ? 2u \
     : (format) == MUR_FORMAT_K64 && ((flags)&MUR_TABLE_INT64) == 0u ? 1u \
                                                                     : 0u)
#define MUR_BESIDE_START(format, slotCount) \
    (MUR_HEADER_WORDS + ((format) == MUR_FORMAT_K32 ? (slotCount) : 2u * (slotCount)))
#define MUR_FILTER_START(format, flags, slotCount) \
    (MUR_BESIDE_START(format, slotCount) + MUR_BESIDE_WORDS(format, flags) * (slotCount))
#define MUR_FILTER_WORDS(slotCount) ((slotCount) / (32u * MUR_BUCKET_SLOTS / MUR_FILTER_BITS))
#define MUR_AGES_START(format, flags, slotCount) \
    (MUR_FILTER_START(format, flags, slotCount) + 2u * MUR_FILTER_WORDS(slotCount))
#define MUR_COUNTERS_START(format, flags, slotCount) \
    (MUR_AGES_START(format, flags, slotCount) +      \
     (((flags)&MUR_TABLE_AGES) != 0u ? (slotCount) + 4u : 0u))
/* Counters of inserts without a slot, in addition to MUR_HEADER_FAILED_INSERTS. Each has 64 bits in
 * 128 bytes; the hash selects one. A full cache has thousands of such inserts per dispatch, and
 * atomics on one word are serialized: on an H200 they took a third of the update's time. */
#define MUR_COUNTERS      16u
#define MUR_COUNTER_WORDS 32u
#define MUR_COUNTER_AT(format, flags, slotCount, i) \
    (MUR_COUNTERS_START(format, flags, slotCount) + (i) % MUR_COUNTERS * MUR_COUNTER_WORDS)
#define MUR_EVICTING_WORDS(format, flags, slotCount) \
    (MUR_COUNTERS_START(format, flags, slotCount) + MUR_COUNTERS * MUR_COUNTER_WORDS)

/* Word indices of the table's header, for shaders; MurTableHeader is the header in C. */
#define MUR_HEADER_MAGIC          0u
#define MUR_HEADER_VERSION        1u
#define MUR_HEADER_STATE          2u
#define MUR_HEADER_CAPACITY       3u
#define MUR_HEADER_SLOT_COUNT     4u
#define MUR_HEADER_SEED           5u
#define MUR_HEADER_FLAGS          6u
#define MUR_HEADER_PROBE_SECTORS  7u
#define MUR_HEADER_FAILED_INSERTS 8u  /* 64-bit count, low word first: inserts without a slot */
#define MUR_HEADER_INVALID_VALUES 10u /* 64-bit count: inserts of the empty value */
#define MUR_HEADER_STREAM         12u /* MUR_STREAM_*: path of the last streamed rehash into it */
/* The sentinel slots. A table with values has one, for the key whose hash is MUR_EMPTY; it has the
 * layout of any other slot. A set has two, for the keys whose hashes are MUR_EMPTY and MUR_TOMB;
 * each is one word, 1 if the key is present. K64V32 never uses its sentinel slot. */
#define MUR_HEADER_EXTRA 16u
#define MUR_HEADER_WORDS 64u

#define MUR_LAYOUT_MAGIC 0x5452554Du /* "MURT" in memory */

/* The kernel of a streamed rehash, selected when the command executes. */
#define MUR_STREAM_SPARSE 0u /* rehash_slices.comp */
#define MUR_STREAM_DENSE  1u /* rehash_dense.comp */
#define MUR_STREAM_FAILED 2u /* neither kernel is possible; entries are inserted one by one */

/* Word indices of MurRehashResult. */
#define MUR_REHASH_MOVED   0u
#define MUR_REHASH_DROPPED 1u
#define MUR_REHASH_FAILED  2u
#define MUR_REHASH_STATE   3u
#define MUR_REHASH_WORDS   4u

/* Multi-value tables are K64V32 tables for 32-bit keys, and K64V32_MULTI tables for 64-bit keys.
 * The empty value is 0. Each insert of a key's value takes the next ordinal, from 0 on. The entry
 * {key, 0} has the number of ordinals of the key. The entry {key, 1 + ordinal} has a value, with
 * each bit inverted. For 32-bit keys such a pair is the 64-bit key of a slot. For 64-bit keys the
 * second part plus 1 is the index in the tag. Ordinals without a value (erased, or no slot) are
 * holes: bit MUR_MULTI_HOLES of the number of ordinals is set if there may be holes. */
#define MUR_MULTI_HOLES 0x80000000u
/* Maximum number of ordinals of a key, also limited by the number of slots. Each concurrent
 * invocation may exceed the maximum by one; the sum must not reach MUR_MULTI_HOLES. */
#define MUR_MULTI_MOST 0x7F000000u
/* Maximum number of ordinals of a 64-bit key, because the index must fit into the tag. */
#define MUR_MULTI_MOST_64 0x0F000000u

/* Word indices of MurStats. */
#define MUR_STATS_LIVE           0u
#define MUR_STATS_ERASED         1u
#define MUR_STATS_FREE_SLOTS     2u
#define MUR_STATS_STATE          3u
#define MUR_STATS_FAILED_INSERTS 4u
#define MUR_STATS_INVALID_VALUES 6u
#define MUR_STATS_PROBE_SUM      8u
#define MUR_STATS_PROBE_MAX      10u
#define MUR_STATS_HISTOGRAM      12u
#define MUR_STATS_WORDS          44u

#ifdef MUR_C
MUR_STATIC_ASSERT(sizeof(MurRehashResult) == 4u * MUR_REHASH_WORDS);
MUR_WORD_AT(MurRehashResult, state, MUR_REHASH_STATE);
MUR_STATIC_ASSERT(sizeof(MurTableHeader) == MUR_HEADER_SIZE);
MUR_STATIC_ASSERT(sizeof(MurStats) == 4u * MUR_STATS_WORDS);
MUR_WORD_AT(MurTableHeader, magic, MUR_HEADER_MAGIC);
MUR_WORD_AT(MurTableHeader, version, MUR_HEADER_VERSION);
MUR_WORD_AT(MurTableHeader, state, MUR_HEADER_STATE);
MUR_WORD_AT(MurTableHeader, capacity, MUR_HEADER_CAPACITY);
MUR_WORD_AT(MurTableHeader, slotCount, MUR_HEADER_SLOT_COUNT);
MUR_WORD_AT(MurTableHeader, seed, MUR_HEADER_SEED);
MUR_WORD_AT(MurTableHeader, flags, MUR_HEADER_FLAGS);
MUR_WORD_AT(MurTableHeader, probeSectors, MUR_HEADER_PROBE_SECTORS);
MUR_WORD_AT(MurTableHeader, failedInserts, MUR_HEADER_FAILED_INSERTS);
MUR_WORD_AT(MurTableHeader, invalidValues, MUR_HEADER_INVALID_VALUES);
MUR_WORD_AT(MurTableHeader, stream, MUR_HEADER_STREAM);
MUR_WORD_AT(MurTableHeader, extra, MUR_HEADER_EXTRA);
MUR_WORD_AT(MurStats, state, MUR_STATS_STATE);
MUR_WORD_AT(MurStats, failedInserts, MUR_STATS_FAILED_INSERTS);
MUR_WORD_AT(MurStats, invalidValues, MUR_STATS_INVALID_VALUES);
MUR_WORD_AT(MurStats, probeSum, MUR_STATS_PROBE_SUM);
MUR_WORD_AT(MurStats, probeMax, MUR_STATS_PROBE_MAX);
MUR_WORD_AT(MurStats, probeHistogram, MUR_STATS_HISTOGRAM);
#endif
#endif
