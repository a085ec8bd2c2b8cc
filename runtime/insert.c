/* murCmdInsert: which way, directly or through shared memory (insert_sliced.c).
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Trying for the home slot first is for tables that stay in the cache. */
static bool tries_home(MurTable table) {
    const MurContext context = table->context;
    if (mur_table_format(table) != MUR_FORMAT_K32V32 || context->insertPath == MUR_INSERT_LOOK) {
        return false;
    }
    return context->insertPath == MUR_INSERT_HOME ||
           (!context->limits.software && mur_is_cached(table));
}

void mur_record_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                       const MurBatch *batch) {
    mur_record_batch(cmd, table, mur_kernel(table->ref.flags, MUR_VERB_INSERT), "murCmdInsert",
                     batch, MUR_COMMAND_INSERT,
                     (uint32_t)mode | (tries_home(table) ? MUR_MODE_HOME_FIRST : 0));
}

VkDeviceSize mur_insert_scratch(MurTable table, uint32_t maxCount) {
    const VkDeviceSize sliced = mur_sliced_insert_scratch(table, maxCount);
    const VkDeviceSize sorted = mur_sort_scratch(table, maxCount, MUR_COMMAND_INSERT);
    return sliced > sorted ? sliced : sorted;
}

VkResult murCmdInsert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                      const MurBatch *pBatch) {
    const char *command = "murCmdInsert";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = mur_check_insert(table, command, mode, pBatch);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkDeviceSize scratch = mur_sliced_insert_scratch(table, pBatch->maxCount);
    if ((pBatch->flags & MUR_BATCH_EXCLUSIVE) && mur_lets_partition(pBatch, mode, scratch)) {
        mur_record_sliced_insert(cmd, table, mode, pBatch);
    } else {
        mur_record_insert(cmd, table, mode, pBatch);
    }
    return result;
}
