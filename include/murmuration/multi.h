/* Murmuration, optional: multi-value tables, which have many values per key.
 *
 * A multi-value table is a MurTable of type murTypeMultiK32() or murTypeMultiK64(). The table maps
 * each 32-bit or 64-bit key to any number of 32-bit values. Insert always adds a pair, also if the
 * table has this pair already. Every key is legal, and every value except 0xFFFFFFFF.
 *
 *     murCmdMultiInsert      adds pairs
 *     murCmdMultiCount       keys -> number of values
 *     murCmdMultiFind        keys -> one value
 *     murCmdMultiRetrieve    keys -> all values
 *     murCmdMultiErase       erases pairs
 *     murCmdMultiEraseKeys   erases keys with all their values
 *
 * Shaders define MUR_MULTI before they include murmuration.glsl; then they have mur_multi_insert,
 * _count, _find, _begin and _next, _get, _erase, _erase_key (murmuration/multi.glsl and
 * multi_write.glsl). host_multi.h has the same functions for host memory.
 *
 * How it works. The values of a key have ordinals, 0, 1, ... The table is a K64V32 table with two
 * types of entries: {key, 0} stores the number of ordinals of the key, {key, 1 + ordinal} stores a
 * value. With 64-bit keys the second part, plus 1, is an index in the slot's tag word; therefore
 * each insert needs one more atomic. An insert takes an ordinal by one atomic, and then has a slot
 * of its own. So one key with very many values costs no more than many keys with few values. Slots
 * contain no references to other slots, so they may move. murCmdClear, murCmdStats, murCmdRehash,
 * murCmdCompact and murDestroyTable work as for other tables; source and destination of
 * murCmdRehash have the same type. murCmdMerge rejects these tables: it would merge the numbers of
 * ordinals.
 *
 * murCmdExtract and murCmdEraseWhere process the stored entries. With 32-bit keys, these commands
 * read entries as 64-bit keys {key, 0 or 1 + ordinal}. With 64-bit keys, they read the key, and
 * predicates can test the index (MUR_PREDICATE_INDEX): 1 for the number of ordinals, which is one
 * entry per key, and 2 + ordinal for a value. Each bit of a stored value is inverted. murCmdInsert,
 * murCmdBuild, murCmdFind and murCmdErase reject these tables. In shaders, calls for one value per
 * key on a table of 64-bit keys find nothing and return MUR_UNSUPPORTED.
 *
 * Capacity. The table needs one slot per value and one per key. The ordinal of an erased value is
 * not used again until its key is erased; its slot is not used again until the table is compacted
 * or rehashed. A key has at most min(slotCount, 0x7F000000) ordinals, a 64-bit key 0x0F000000. When
 * a key has this number, its inserts report MUR_FULL, until the key is erased. A rehash into a
 * table with fewer slots hides values with higher ordinals.
 *
 * Concurrency. Inserts, finds, counts, cursors and erases of pairs may run at the same time, on the
 * same keys. A find returns complete values only. If a pair exists n times, exactly n of its erases
 * report MUR_ERASED. A count that is concurrent with writers includes values that are about to be
 * written. A retrieve must not be concurrent with writers of its keys: for values that such writers
 * add or erase, the retrieve writes 0xFFFFFFFF or leaves elements unwritten. An erase of a key must
 * not be concurrent with inserts or erases of pairs of the same key: values that these insert may
 * stay hidden and reappear later.
 *
 * Queues, barriers, cost and errors: see murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_MULTI_H
#define MURMURATION_MULTI_H

#include <murmuration/murmuration.h>

/* Return types, for MurTableCreateInfo.type; emptyValue must be MUR_EMPTY_VALUE_ZERO. Any
 * thread. */
MUR_API MurType murTypeMultiK32(void);
MUR_API MurType murTypeMultiK64(void);

/* In the batches of these commands, keys are 32-bit words or, in tables of 64-bit keys, pairs of
 * words, low first, at multiples of 8 bytes. Values are 32-bit words. slots, oldValues, statusBits
 * and flags must be zero. The commands do not use scratch memory. */

/* Adds pairs. Statuses: MUR_INSERTED, MUR_FULL, MUR_INVALID_VALUE (the value is 0xFFFFFFFF). Equal
 * keys near each other in the batch cost less. murCmdGroup (group.h) builds a whole table faster.
 * One dispatch. */
MUR_API VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Counts values. values: required, written with the number of values of each key. If pairs of a key
 * were erased or did not fit, the command visits each ordinal of the key. One dispatch. */
MUR_API VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Finds one value of each key: the oldest value that is still present. At least one of values and
 * statuses is required. Statuses: MUR_FOUND, MUR_ABSENT (the value is then 0xFFFFFFFF). One
 * dispatch. */
MUR_API VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Erases pairs. values: required, read. Each item erases one copy of its pair. Statuses:
 * MUR_ERASED, MUR_ABSENT. One invocation visits the key's ordinals, which is slow for keys with
 * very many values. One dispatch. */
MUR_API VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Erases keys with all their values. values: optional, written with the number of erased values.
 * Statuses: MUR_ERASED, MUR_ABSENT (the key had no value). If several items have one key, one of
 * them erases. Whole workgroups process keys with many values. One dispatch. */
MUR_API VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

typedef struct MurMultiRetrieve {
    const void *pNext;
    /* Maximum number of keys. 0 records nothing. */
    uint32_t maxCount;
    /* Optional: address of the number of keys, as MurBatch.countAddress. */
    VkDeviceAddress countAddress;
    /* Required; read; as in batches. If elements are equal, each gets all values of the key. */
    MurArray keys;
    /* Required; written; one element more than keys. The values of key i are values[offsets[i]] up
     * to, but not including, values[offsets[i + 1]]. If the count at countAddress is n, n + 1
     * elements are written. */
    MurArray offsets;
    /* Length of values and keyIndices. Further values are not written, but offsets and totalAddress
     * include them. The total of all keys must be below 2^32. */
    uint32_t maxValues;
    /* Required unless maxValues is 0; written. A key's values are in the order of their ordinals,
     * or in no particular order if some were erased. */
    MurArray values;
    MurArray keyIndices; /* optional; written: for each value, the index of its key in keys */
    /* Optional: address, a multiple of 4, of a word. Written: the total number of values. */
    VkDeviceAddress totalAddress;
    /* Required: memory that the command uses during execution, at a multiple of 4 bytes.
     * murGetScratchSize returns the required size. */
    MurArray scratch;
} MurMultiRetrieve;

/* Writes all values of the keys as a dense list, key after key. After two steps of counts and
 * prefix sums, one invocation processes each value, so one key with many values takes no longer
 * than many keys with few values. Four dispatches with barriers between them. */
MUR_API VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                                     const MurMultiRetrieve *pRetrieve);
#endif
