/* A MurBatch, as the commands of murmuration.h and multi.h take it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ARGUMENTS_BATCH_H
#define MUR_TEST_ARGUMENTS_BATCH_H

/* key: KEY or MULTI_KEY. The others are flags: of values; of slots and status bits; of old
 * values. */
#define BATCH(key, ofValues, ofSlots, ofOldValues)                     \
    INFO(pBatch, MurBatch, .maxCount = ITEMS),                         \
        .members = {                                                   \
            {AT(MurBatch, countAddress), 4, 1, ADDRESS},               \
            {AT(MurBatch, keys), key, ITEMS, REQUIRED},                \
            {AT(MurBatch, values), VALUE, ITEMS, ofValues},            \
            {AT(MurBatch, statuses), 4, ITEMS, WRITTEN},               \
            {AT(MurBatch, slots), 4, ITEMS, ofSlots},                  \
            {AT(MurBatch, oldValues), VALUE, ITEMS, ofOldValues},      \
            {AT(MurBatch, statusBits), 4, (ITEMS + 31) / 32, ofSlots}, \
            {AT(MurBatch, scratch), 16, 0, WRITTEN | WHOLE},           \
    }

#endif
