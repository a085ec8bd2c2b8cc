/* Commands on multi-value tables.
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/multi.h>

VkResult murCmdMultiInsert(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(MULTI_INSERT, pBatch, MUR_KERNEL_MULTI_INSERT, 0, mur_plan_kernel);
}

VkResult murCmdMultiCount(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(MULTI_COUNT, pBatch, MUR_KERNEL_MULTI_COUNT, 0, mur_plan_kernel);
}

VkResult murCmdMultiFind(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(MULTI_FIND, pBatch, MUR_KERNEL_MULTI_FIND, 0, mur_plan_kernel);
}

VkResult murCmdMultiErase(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(MULTI_ERASE, pBatch, MUR_KERNEL_MULTI_ERASE, 0, mur_plan_kernel);
}

VkResult murCmdMultiEraseKeys(VkCommandBuffer cmd, MurTable table, const MurBatch *pBatch) {
    return MUR_RUN(MULTI_ERASE_KEYS, pBatch, MUR_KERNEL_MULTI_ERASE_KEYS, 0, mur_plan_kernel);
}

VkResult murCmdMultiRetrieve(VkCommandBuffer cmd, MurTable table,
                             const MurMultiRetrieve *pRetrieve) {
    return MUR_RUN(MULTI_RETRIEVE, pRetrieve, 0, 0, mur_plan_retrieve);
}
