/* Commands on multi-value tables.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/multi.h>

/* A command that dispatches one kernel, with one invocation per item. */
#define COMMAND(function, NAME)                                                         \
    VkResult function(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {    \
        MUR_RUN(table, mur_check(MUR_CALL(NAME, table, pBatch, 0, .table = table)),     \
                mur_plan_kernel(&(MurRequest){.table = &table->shape, .batch = pBatch}, \
                                MUR_KERNEL_##NAME, 0, &plan));                          \
    }

COMMAND(murCmdMultiInsert, MULTI_INSERT)
COMMAND(murCmdMultiCount, MULTI_COUNT)
COMMAND(murCmdMultiFind, MULTI_FIND)
COMMAND(murCmdMultiErase, MULTI_ERASE)
COMMAND(murCmdMultiEraseKeys, MULTI_ERASE_KEYS)

VkDeviceSize murGetMultiRetrieveScratchSize(uint32_t maxKeys) {
    return 4 * (maxKeys + 2 * (((uint64_t)maxKeys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP));
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    const uint64_t scratch = pRetrieve ? murGetMultiRetrieveScratchSize(pRetrieve->maxKeys) : 0;
    MUR_RUN(table, mur_check(MUR_CALL(MULTI_RETRIEVE, table, pRetrieve, scratch, .table = table)),
            mur_plan_multi_retrieve(&table->shape, pRetrieve, &plan));
}
