/* murCmdInsert of large batches without scratch memory into tables a few times larger than the cache:
 * directly, but part of the table by part.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Measured on one GPU, with a cache of 50 MB: the bytes of the tables for which this pays. With 32-bit
 * atomics it is the number of the atomics that counts in the smaller ones. With more parts, reading the
 * keys once for each is dearer than what it saves. */
#define MUR_SWEPT_LEAST    ((VkDeviceSize)58 << 20)
#define MUR_SWEPT_LEAST_32 ((VkDeviceSize)112 << 20)
#define MUR_SWEPT_MOST     ((VkDeviceSize)384 << 20)
enum { MUR_SWEPT_PARTS = 4 };
/* For tests, on devices that do not tell how many run side by side. */
enum { MUR_SWEPT_GROUPS = 4 };

static uint32_t part_count(MurTable table) {
    const uint32_t parts = mur_cached_parts(table);
    return parts < 2 ? 2 : parts < MUR_SWEPT_PARTS ? parts : MUR_SWEPT_PARTS;
}

/* A batch must come to most sectors of a part while that is swept. Numbers of slots would be written
 * part by part, a few at a time. */
static bool is_worthwhile(MurTable table, const MurBatch *batch) {
    const MurContext context = table->context;
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    const VkDeviceSize bytes = table->memory.size;
    return context->insertPath == MUR_INSERT_AUTO && context->limits.sideBySide &&
           !context->limits.software && bytes >= (wide ? MUR_SWEPT_LEAST : MUR_SWEPT_LEAST_32) &&
           bytes <= MUR_SWEPT_MOST && !batch->slots.address &&
           (uint64_t)batch->maxCount * part_count(table) >= table->ref.capacity &&
           !mur_lets_sort(table, batch, MUR_COMMAND_INSERT);
}

bool mur_sweeps_insert(MurTable table, const MurBatch *batch) {
    const MurContext context = table->context;
    return batch->maxCount && mur_table_format(table) == MUR_FORMAT_K32V32 &&
           context->limits.subgroups &&
           (context->insertPath == MUR_INSERT_SWEPT || is_worthwhile(table, batch));
}

void mur_record_swept_insert(VkCommandBuffer cmd, MurTable table, MurInsertMode mode,
                             const MurBatch *batch) {
    const MurContext context = table->context;
    const bool wide = (table->ref.flags & MUR_TABLE_INT64) != 0;
    const MurBatchPush push = mur_batch_push(table, batch,
                                             (uint32_t)mode | part_count(table) * MUR_MODE_PART);
    const uint32_t side = context->limits.sideBySide ? context->limits.sideBySide : MUR_SWEPT_GROUPS;
    const uint32_t wanted = (batch->maxCount - 1) / MUR_WORKGROUP_SIZE + 1;
    mur_begin_label(context, cmd, "murCmdInsert");
    mur_dispatch_groups(context, cmd, wide ? MUR_KERNEL_INSERT_SWEPT_64 : MUR_KERNEL_INSERT_SWEPT_32,
                        &push, sizeof push, wanted < side ? wanted : side);
    mur_end_label(context, cmd);
}
