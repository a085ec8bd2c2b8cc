/* Murmuration: tables with many values a key.
 *
 * A multi-value table is a MurTable of type murTypeMultiK32() or murTypeMultiK64(): it maps 32-bit
 * or 64-bit keys to any number of 32-bit values each.
 * Insert always adds, a pair that is there already, too. Every key is legal, and every value but
 * 0xFFFFFFFF.
 *
 *     murCmdMultiInsert      pairs
 *     murCmdMultiCount       keys -> how many values
 *     murCmdMultiFind        keys -> one value
 *     murCmdMultiRetrieve    keys -> all values
 *     murCmdMultiErase       pairs
 *     murCmdMultiEraseKeys   keys with all their values
 *
 * In shaders: MUR_MULTI before including murmuration.glsl; then mur_multi_insert, _count, _find,
 * _begin and _next, _get, _erase, _erase_key (murmuration/multi.glsl and multi_write.glsl). In host
 * memory: host_multi.h.
 *
 * How it works: a K64V32 table whose keys are {key, 0}, with the number of ordinals given out to
 * the key, and {key, 1 + ordinal}, with a value. Of 64-bit keys that second part, and 1, is an
 * index next to the key, in the slot's tag word, which every key of such a table claims: one atomic
 * more an insert. An insert takes an ordinal by one atomic and then has a slot of its own, so a key
 * with very many values costs no more than many with few: they are spread over the table all the
 * same. Slots contain no references to other slots, so they may move. murCmdClear, murCmdStats,
 * murCmdRehash, murCmdCompact and murDestroyTable serve these tables like any other; source and
 * destination of murCmdRehash are both such tables, of one type. murCmdMerge rejects them, because
 * it would merge the numbers.
 *
 * murCmdExtract and murCmdEraseWhere read, of 32-bit keys, the 64-bit keys and the stored words. Of
 * 64-bit keys, they read the key of each entry and its stored word, and predicates can test the
 * index (MUR_PREDICATE_INDEX): 1 the number of ordinals, so one entry per key; 2 + ordinal a value,
 * each bit inverted. murCmdInsert, murCmdBuild, murCmdFind and murCmdErase reject these tables. In
 * shaders, of 64-bit keys, calls for one value per key find nothing and return MUR_UNSUPPORTED.
 *
 * Capacity: one slot a value and one a key. An ordinal whose value was erased is not used again
 * until its key is erased, and its slot is not used again until the table is compacted or rehashed.
 * A key is given at most slotCount ordinals (and 0x7F000000, a 64-bit key 0x0F000000); from then on
 * its inserts report MUR_FULL, until the key is erased. A rehash into a table of fewer slots hides
 * values with higher ordinals.
 *
 * Concurrency: inserts, finds, counts and visits may run at the same time, on the same keys; so may
 * erasers of pairs with all of these and each other. A value is whole or not yet there. If a pair
 * exists n times, exactly n of its erasers get MUR_ERASED. A count concurrent with writers includes
 * values that are about to be written. A retrieve must not run concurrent with writers of its keys:
 * it returns 0xFFFFFFFF, or leaves capacity unwritten, for values that these add or erase. Erasing
 * a key must not run concurrent with inserts or pair erasers of the same key: values inserted by
 * them may stay hidden and come back later.
 *
 * For all else (queues, barriers, cost, errors) see murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_MULTI_H
#define MURMURATION_MULTI_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return types, for MurTableCreateInfo.type; emptyValue must be MUR_EMPTY_VALUE_ZERO. Any
 * thread. */
MUR_API MurType murTypeMultiK32(void);
MUR_API MurType murTypeMultiK64(void);

/* In the batches of these commands keys are 32-bit words or, in tables of 64-bit keys, pairs of
 * words, low first, at multiples of 8 bytes; values are words; slots, oldValues and statusBits are
 * none, flags 0; nothing uses scratch memory. */

/* Adds pairs. Statuses: MUR_INSERTED, MUR_FULL, MUR_INVALID_VALUE (the value is 0xFFFFFFFF). Equal
 * keys near each other in the batch cost less. To build a whole table, murCmdGroup (group.h) is
 * faster. One dispatch. */
MUR_API VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* values: required, written with the number of values of each key. A key of which pairs were
 * erased, or did not fit, is counted by walking its ordinals. One dispatch. */
MUR_API VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* One value of each key: the first inserted that is still there. At least one of values and
 * statuses is required. Statuses: MUR_FOUND, MUR_ABSENT (the value is then 0xFFFFFFFF). One
 * dispatch. */
MUR_API VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Erases pairs: values is required and read. Of several copies of a pair each item erases one.
 * Statuses: MUR_ERASED, MUR_ABSENT. An invocation walks the key's ordinals, which takes long for
 * keys with very many. One dispatch. */
MUR_API VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

/* Erases keys with all their values. values: optional, written with the number of values erased.
 * Statuses: MUR_ERASED, MUR_ABSENT (the key had no value). Of a key that comes several times, one
 * item erases. Keys with many values are shared out to whole workgroups. One dispatch. */
MUR_API VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch);

typedef struct MurMultiRetrieve {
    const void *pNext;
    /* Keys at most. 0 records nothing. */
    uint32_t maxCount;
    /* Optional: address of the number of keys, as MurBatch.countAddress. */
    VkDeviceAddress countAddress;
    /* Required; read; as in batches. A key that comes several times is retrieved as often. */
    MurArray keys;
    /* Required; written, one element more than keys: values offsets[i] ... offsets[i + 1] - 1 are
     * those of key i. With fewer keys by countAddress, as many and one. */
    MurArray offsets;
    /* Elements that values and keyIndices hold: values beyond are left out, offsets and
     * totalAddress include them. The values of all keys together must be fewer than 2^32. */
    uint32_t maxValues;
    /* Required unless maxValues is 0; written. A key's values are in the order of their ordinals,
     * or in no particular order if some were erased. */
    MurArray values;
    /* Optional; written: for each value, the index of its key in keys. */
    MurArray keyIndices;
    /* Optional: address, a multiple of 4, of a word that is written with the number of all
     * values. */
    VkDeviceAddress totalAddress;
    /* Required: memory that the command uses during execution, at a multiple of 4 bytes.
     * murGetScratchSize returns the required size. */
    MurArray scratch;
} MurMultiRetrieve;

/* All values of keys, dense, key after key: counts, prefix sums, and then one invocation for each
 * value, so that a key with many values takes no longer than many keys with few. Four dispatches
 * with barriers between them. */
MUR_API VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                                     const MurMultiRetrieve *pRetrieve);

#ifdef __cplusplus
}
#endif
#endif
