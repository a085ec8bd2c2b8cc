/* Commands on multi-value tables.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/multi.h>

/* Dispatches a kernel that processes one item per invocation. */
static VkResult run(const MurCall *call, MurKernel kernel) {
    MUR_TRY(mur_check(call));
    const MurRequest request = {.table = &call->table->shape, .batch = call->info};
    MurPlan plan;
    mur_plan_kernel(&request, kernel, 0, &plan);
    return mur_record(call->table->context, call->cmd, call->name, &plan);
}

#define RUN(name) run(&MUR_CALL(name, table, pBatch, 0), MUR_KERNEL_##name)

VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return RUN(MULTI_INSERT);
}

VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return RUN(MULTI_COUNT);
}

VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return RUN(MULTI_FIND);
}

VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return RUN(MULTI_ERASE);
}

VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return RUN(MULTI_ERASE_KEYS);
}

VkDeviceSize murGetMultiRetrieveScratchSize(uint32_t maxKeys) {
    return 4 * (maxKeys + 2 * (((uint64_t)maxKeys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP));
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    const MurCall call = MUR_CALL(MULTI_RETRIEVE, table, pRetrieve,
                                  pRetrieve ? murGetMultiRetrieveScratchSize(pRetrieve->maxKeys)
                                            : 0);
    MUR_TRY(mur_check(&call));
    MurPlan plan;
    mur_plan_multi_retrieve(&table->shape, pRetrieve, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}
