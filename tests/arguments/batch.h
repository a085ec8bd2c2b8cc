/* A MurBatch, for the commands of murmuration.h and multi.h.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ARGUMENTS_BATCH_H
#define MUR_TEST_ARGUMENTS_BATCH_H

/* Describes a MurBatch. key: KEY or MULTI_KEY. Other parameters: flags (NONE, REQUIRED, ...) of
 * values, of slots and statusBits, and of oldValues. */
#define BATCH(key, ofValues, ofSlots, ofOldValues)                       \
    INFO(pBatch, MurBatch, .maxCount = ITEMS),                           \
        .members = {                                                     \
            MEMBER(MurBatch, countAddress, 4, 1, ADDRESS),               \
            MEMBER(MurBatch, keys, key, ITEMS, REQUIRED),                \
            MEMBER(MurBatch, values, VALUE, ITEMS, ofValues),            \
            MEMBER(MurBatch, statuses, 4, ITEMS, WRITTEN),               \
            MEMBER(MurBatch, slots, 4, ITEMS, ofSlots),                  \
            MEMBER(MurBatch, oldValues, VALUE, ITEMS, ofOldValues),      \
            MEMBER(MurBatch, statusBits, 4, (ITEMS + 31) / 32, ofSlots), \
            MEMBER(MurBatch, scratch, 16, 0, WRITTEN | WHOLE),           \
    }

#endif
