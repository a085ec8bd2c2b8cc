/* Murmuration: the words of a table's memory, for the library's own C, GLSL and HLSL; WGSL has a
 * generated copy. layout.h has all that users need, and public C headers include only that.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_WORDS_H
#define MUR_WORDS_H

#include "layout.h"

#define MUR_HEADER_SIZE     256u
#define MUR_SLOT_SIZE       8u
#define MUR_SECTOR_SLOTS    4u /* slots a 32-byte sector, the unit of probing */
#define MUR_TABLE_ALIGNMENT 256u

/* Key word of a free slot: no key has claimed it, and no probe goes on behind it. */
#define MUR_EMPTY 0xFFFFFFFFu

/* Is there such a format; and its slot layout: the first format of those that share it. */
#define MUR_IS_FORMAT(format)   ((format) <= MUR_FORMAT_R32 || (format) == MUR_FORMAT_K64V32_MULTI)
#define MUR_SLOT_FORMAT(format) ((format)&7u)

/* Of a format: has it 64-bit keys, the logarithm of a slot's bytes, slots a 32-byte sector. */
#define MUR_IS_64(format) \
    ((format) != MUR_FORMAT_K32V32 && (format) != MUR_FORMAT_K32 && (format) != MUR_FORMAT_R32)
#define MUR_SLOT_SHIFT(format) \
    ((format) == MUR_FORMAT_K32 ? 2u : MUR_SLOT_IS_WIDE(format) ? 4u : 3u)
#define MUR_SLOT_IS_WIDE(format) \
    (MUR_SLOT_FORMAT(format) == MUR_FORMAT_K64V32 || (format) == MUR_FORMAT_K64V64)
#define MUR_SLOTS_OF(format) (32u >> MUR_SLOT_SHIFT(format))

/* The tag word of K64V32. A half of the hash that equals MUR_EMPTY is stored as 0, so that a stored
 * half is never mistaken for an unclaimed one; every hash with a stored half of 0 also claims the
 * tag word, with a tag that encodes which halves were MUR_EMPTY. Other hashes leave it 0. */
#define MUR_TAG_USED 1u
#define MUR_TAG_LOW  2u /* the low half is MUR_EMPTY */
#define MUR_TAG_HIGH 4u /* the high half is MUR_EMPTY */
#define MUR_TAG_TOMB 8u /* K64 in buckets: the low half is MUR_TOMB, which is stored as 0, too */
/* K64V32_MULTI: the tag's bits from here on are part of the key, and never 0, so that every key
 * claims the tag word. */
#define MUR_TAG_INDEX_SHIFT 4u

/* Key word of a set's slot whose key was erased; in K64 the low one, next to a high one of
 * MUR_EMPTY. No key uses the slot again until a rehash, or murCmdCompact. */
#define MUR_TOMB 0xFFFFFFFEu

/* Tables in buckets. Slots are whole units; a bucket's keys lie together: of 64-bit keys the pair
 * of words of a slot, of 32-bit ones the slot. After all keys follow, in words of 32 bits from the
 * header's start, whose indices fit into 32 bits: the other words of slots, {value, tag} in K64V32
 * and {tag} in K64 that is written with 32-bit atomics; two filters, of MUR_FILTER_BITS bits per
 * bucket; with MUR_TABLE_AGES an age for each slot and sentinel slot; counters. */
#define MUR_BUCKET_UNIT         128u
#define MUR_MAX_BUCKET_CAPACITY 0x20000000u
#define MUR_FILTER_BITS         16u
/* Of 32 bytes, in a bucket. */
#define MUR_BUCKET_SECTORS(format) ((format) == MUR_FORMAT_K32 ? 2u : 4u)
#define MUR_SECOND_SEED            0x9E3779B9u /* of a 32-bit hash's second bucket */
#define MUR_HAS_BUCKETS(format)    ((format) < MUR_FORMAT_COUNT && (format) != MUR_FORMAT_K64V64)
/* The format in which key words of a bucket are read. */
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
/* Inserts that found no slot are those that MUR_HEADER_FAILED_INSERTS and these count, each 64 bits
 * in 128 bytes: in a full cache there are thousands a dispatch, and atomics on one word follow each
 * other (on an H200 they took a third of the update's time). Shaders choose one by the hash. */
#define MUR_COUNTERS      16u
#define MUR_COUNTER_WORDS 32u
#define MUR_COUNTER_AT(format, flags, slotCount, i) \
    (MUR_COUNTERS_START(format, flags, slotCount) + (i) % MUR_COUNTERS * MUR_COUNTER_WORDS)
#define MUR_BUCKET_WORDS(format, flags, slotCount) \
    (MUR_COUNTERS_START(format, flags, slotCount) + MUR_COUNTERS * MUR_COUNTER_WORDS)

/* Word indices of the header, for shaders; MurTableHeader is the same for C. */
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
#define MUR_HEADER_STREAM         12u /* MUR_STREAM_*: how the last streamed rehash to here went */
/* The extra slots, of the keys whose hashes are MUR_EMPTY and, in sets, MUR_TOMB, in that
 * order. Each as a slot of the table, {MUR_EMPTY, value word} and so on; in sets a word that is 1
 * if the key is there. K64V32 makes no use of them. */
#define MUR_HEADER_EXTRA 16u
#define MUR_HEADER_WORDS 64u

#define MUR_LAYOUT_MAGIC 0x5452554Du /* "MURT" in memory */

/* How a stream goes, decided when it executes. */
#define MUR_STREAM_SPARSE 0u /* rehash_slices.comp */
#define MUR_STREAM_DENSE  1u /* rehash_dense.comp */
#define MUR_STREAM_FAILED 2u /* neither could do it: entry by entry */

/* Word indices of MurRehashResult. */
#define MUR_REHASH_MOVED   0u
#define MUR_REHASH_DROPPED 1u
#define MUR_REHASH_FAILED  2u
#define MUR_REHASH_STATE   3u
#define MUR_REHASH_WORDS   4u

/* Tables with many values a key are K64V32 tables, for 32-bit keys, or K64V32_MULTI tables, for
 * 64-bit keys, whose empty value is 0. {key, 0} has the number of ordinals given out to the key
 * so far; {key, 1 + ordinal} has a value, each bit inverted. A pair of words is such a 64-bit key;
 * with 64-bit keys the second part, and 1, is the index in the tag. An ordinal whose value was
 * erased stays empty: this bit of the number is set if there may be such. */
#define MUR_MULTI_HOLES 0x80000000u
/* Ordinals that a key is given at most, or as many as there are slots. Invocations that run at the
 * same time may pass it by as many as they are, which must not reach the bit above. */
#define MUR_MULTI_MOST 0x7F000000u
/* ... of 64-bit keys: the most that an index can hold. */
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
