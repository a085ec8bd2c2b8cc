/* Commands on multi-value tables.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/multi.h>

/* A command that dispatches one kernel, with one invocation per item. */
#define MULTI_COMMAND(function, VERB, kernel)                                                      \
    VkResult function(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {               \
        MUR_RUN(table, mur_check(MUR_CALL(VERB, table, pBatch, 0, .table = table)),                \
                mur_plan_kernel(&(MurRequest){.table = &table->shape, .batch = pBatch}, kernel, 0, \
                                &plan));                                                           \
    }

MULTI_COMMAND(murCmdMultiInsert, MULTI_INSERT, MUR_KERNEL_MULTI_INSERT)
MULTI_COMMAND(murCmdMultiCount, MULTI_COUNT, MUR_KERNEL_MULTI_COUNT)
MULTI_COMMAND(murCmdMultiFind, MULTI_FIND, MUR_KERNEL_MULTI_FIND)
MULTI_COMMAND(murCmdMultiErase, MULTI_ERASE, MUR_KERNEL_MULTI_ERASE)
MULTI_COMMAND(murCmdMultiEraseKeys, MULTI_ERASE_KEYS, MUR_KERNEL_MULTI_ERASE_KEYS)

VkDeviceSize murGetMultiRetrieveScratchSize(uint32_t maxKeys) {
    return 4 * (maxKeys + 2 * (((uint64_t)maxKeys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP));
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    const uint64_t scratch = pRetrieve ? murGetMultiRetrieveScratchSize(pRetrieve->maxKeys) : 0;
    MUR_RUN(table, mur_check(MUR_CALL(MULTI_RETRIEVE, table, pRetrieve, scratch, .table = table)),
            mur_plan_multi_retrieve(&table->shape, pRetrieve, &plan));
}
