/* Murmuration, optional: tables with many values a key (multi.h) in host memory (host.h).
 *
 * Images are those of the GPU's tables, of 32-bit keys (murHostTypeMultiK32()) or of 64-bit
 * keys (murHostTypeMultiK64()); murHostCreate makes either, murHostAttach takes either. A
 * table of another kind, or a key that is wider than the table's, has no values, and inserts return
 * MUR_UNSUPPORTED. The rules of multi.h for capacity and concurrency hold for threads, too.
 *
 *     for (uint32_t i = 0, value; i < murHostMultiOrdinals(&table, key); ++i)
 *         if (murHostMultiGet(&table, key, i, &value)) ...
 *
 * murHostNextEntry visits the entries one by one: a number of ordinals for each key, and the
 * values, each bit inverted. With 64-bit keys the entry's index distinguishes them, 1 and 2 +
 * ordinal, otherwise the key's high word, 0 and 1 + ordinal. murHostRehash, murHostClear,
 * murHostStats and snapshots serve these tables like any other; murHostMerge would merge the
 * numbers, and rejects 64-bit keys; inserts of host.h return MUR_UNSUPPORTED there, and finds
 * MUR_ABSENT.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_MULTI_H
#define MURMURATION_HOST_MULTI_H

#include <murmuration/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a pair: MUR_INSERTED, MUR_FULL, MUR_INVALID_VALUE (the value is 0xFFFFFFFF),
 * MUR_UNSUPPORTED. */
MUR_API uint32_t murHostMultiInsert(const MurHostTable *pTable, uint64_t key, uint32_t value);

/* How many values the key has. */
MUR_API uint32_t murHostMultiCount(const MurHostTable *pTable, uint64_t key);

/* Ordinals given out to the key: its values have ordinals below this. */
MUR_API uint32_t murHostMultiOrdinals(const MurHostTable *pTable, uint64_t key);

/* The value with this ordinal; false, and 0xFFFFFFFF: the key has none. pValue: required. */
MUR_API VkBool32 murHostMultiGet(const MurHostTable *pTable, uint64_t key, uint32_t ordinal,
                                 uint32_t *pValue);

/* Erases a pair, one copy of it: MUR_ERASED, MUR_ABSENT. */
MUR_API uint32_t murHostMultiErase(const MurHostTable *pTable, uint64_t key, uint32_t value);

/* Erases a key with all its values; returns how many it had. */
MUR_API uint32_t murHostMultiEraseKey(const MurHostTable *pTable, uint64_t key);

#ifdef __cplusplus
}
#endif
#endif
