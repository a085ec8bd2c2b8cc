/* murCmdInsert: which way, directly or through shared memory (insert_sliced.c).
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Batches so small that the longest probe decides when they are done read two sectors at once, and do
 * not try for the home slot first: one of the keys will not get it. But a few may, and all but a few do
 * in an empty table. Measured: up to a sixth faster with up to MUR_FEW_INSERTS, a twentieth with up to
 * MUR_FEW_CACHED_INSERTS in a table that is cached, slower beyond them. */
enum {
    MUR_SINGLE_INSERTS = 4,
    MUR_SCATTERED_INSERTS = 1 << 12, /* in the smallest workgroups: see mur_group_size */
    MUR_FEW_INSERTS = 1 << 15,
    MUR_FEW_CACHED_INSERTS = 1 << 18,
};

static MurInsertPath direct_insert_path(MurTable table, uint32_t maxCount, bool empty) {
    const MurContext context = table->context;
    const MurInsertPath path = context->insertPath;
    if (mur_table_format(table) != MUR_FORMAT_K32V32) {
        return MUR_INSERT_LOOK;
    }
    if (path != MUR_INSERT_AUTO && path != MUR_INSERT_SLICED) {
        return path;
    }
    if (context->limits.software) {
        return MUR_INSERT_LOOK;
    }
    if (maxCount <= MUR_FEW_INSERTS) {
        return empty || maxCount <= MUR_SINGLE_INSERTS ? MUR_INSERT_HOME_TWO : MUR_INSERT_LOOK_TWO;
    }
    return !mur_is_cached(table)                ? MUR_INSERT_LOOK
           : maxCount <= MUR_FEW_CACHED_INSERTS ? MUR_INSERT_HOME_TWO
                                                : MUR_INSERT_HOME;
}

static MurKernel insert_kernel(MurTable table, MurInsertPath path, uint32_t maxCount) {
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    switch (path) {
    case MUR_INSERT_LOOK_TWO:
        if (maxCount <= MUR_SCATTERED_INSERTS) {
            return wide ? MUR_KERNEL_INSERT_SCATTERED_64 : MUR_KERNEL_INSERT_SCATTERED_32;
        }
        return wide ? MUR_KERNEL_INSERT_LOOK_TWO_64 : MUR_KERNEL_INSERT_LOOK_TWO_32;
    case MUR_INSERT_HOME_TWO:
        return wide ? MUR_KERNEL_INSERT_HOME_TWO_64 : MUR_KERNEL_INSERT_HOME_TWO_32;
    default:
        return mur_kernel(table->ref.flags, MUR_VERB_INSERT);
    }
}

void mur_record_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                       const MurBatch *batch, bool empty) {
    const MurInsertPath path = direct_insert_path(table, batch->maxCount, empty);
    const bool home = path == MUR_INSERT_HOME || path == MUR_INSERT_HOME_TWO;
    mur_record_batch(cmd, table, insert_kernel(table, path, batch->maxCount), "murCmdInsert", batch,
                     MUR_COMMAND_INSERT, (uint32_t)mode | (home ? MUR_MODE_HOME_FIRST : 0));
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
    if (mur_lets_partition(pBatch, mode, scratch)) {
        mur_record_sliced_insert(cmd, table, mode, pBatch);
    } else {
        mur_record_insert(cmd, table, mode, pBatch, false);
    }
    return result;
}
