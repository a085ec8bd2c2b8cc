/* Murmuration, optional: multi-value tables (multi.h) in host memory (host.h).
 *
 * Images are copies of the memory of GPU tables, with 32-bit keys (murHostTypeMultiK32()) or 64-bit
 * keys (murHostTypeMultiK64()). murHostCreate creates both, murHostAttach accepts both. In a table
 * of another type, and for a key wider than the table's keys, lookups find no values and inserts
 * return MUR_UNSUPPORTED. The rules of multi.h for capacity and concurrency also hold for threads.
 *
 *     for (uint32_t i = 0, value; i < murHostMultiOrdinals(&table, key); ++i)
 *         if (murHostMultiGet(&table, key, i, &value)) ...
 *
 * murHostNextEntry visits the stored entries: for each key one with its number of ordinals, and one
 * per value, with each bit inverted. With 64-bit keys, MurHostEntry.index is 1 for the number and 2
 * + ordinal for a value. With 32-bit keys, the key's high word is 0 for the number and 1 + ordinal
 * for a value. murHostRehash, murHostClear, murHostStats and snapshots work as for other tables. Do
 * not use murHostMerge: it merges the numbers of ordinals, or, with 64-bit keys, fails. With 64-bit
 * keys the inserts of host.h return MUR_UNSUPPORTED and its finds MUR_ABSENT.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_MULTI_H
#define MURMURATION_HOST_MULTI_H

#include <murmuration/host.h>

/* Adds a pair. Returns MUR_INSERTED, MUR_FULL, MUR_INVALID_VALUE (the value is 0xFFFFFFFF) or
 * MUR_UNSUPPORTED. */
MUR_API uint32_t murHostMultiInsert(const MurHostTable *pTable, uint64_t key, uint32_t value);

/* Returns the number of values of the key. */
MUR_API uint32_t murHostMultiCount(const MurHostTable *pTable, uint64_t key);

/* Returns the number of ordinals of the key. All values of the key have lower ordinals. */
MUR_API uint32_t murHostMultiOrdinals(const MurHostTable *pTable, uint64_t key);

/* Writes the value with this ordinal. Returns false, and writes 0xFFFFFFFF, if the key has none. */
MUR_API VkBool32 murHostMultiGet(const MurHostTable *pTable, uint64_t key, uint32_t ordinal,
                                 uint32_t *pValue);

/* Erases one copy of a pair. Returns MUR_ERASED or MUR_ABSENT. */
MUR_API uint32_t murHostMultiErase(const MurHostTable *pTable, uint64_t key, uint32_t value);

/* Erases a key with all its values. Returns the number of erased values. */
MUR_API uint32_t murHostMultiEraseKey(const MurHostTable *pTable, uint64_t key);
#endif
