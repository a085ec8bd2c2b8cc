/* Inserting and erasing large batches in tables a few times larger than the cache: directly, but part of
 * the table by part.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Measured on one GPU, with a cache of 50 MB: the bytes of the tables for which this pays, and in how many
 * parts. With more, reading the keys once for each is dearer than what it saves. Inserts with 32-bit atomics
 * need two of them, whose number counts for more than where they go. */
typedef struct Rule {
    VkDeviceSize least, most;
    VkDeviceSize sorted; /* from here on, sorting is better where there is scratch memory for it */
    uint32_t share;      /* the capacity by the smallest batch */
    uint32_t parts;      /* at most */
} Rule;

#define MUR_MIB(n) ((VkDeviceSize)(n) << 20)
static const Rule insert_rules[] = {
    {MUR_MIB(160), MUR_MIB(384), MUR_MIB(200), 4, 4}, /* 32-bit atomics */
    {MUR_MIB(72), MUR_MIB(384), MUR_MIB(200), 4, 4},
    {MUR_MIB(58), MUR_MIB(72), MUR_MIB(200), 2, 2}, /* 64-bit, below the one before */
};
static const Rule erase_rule = {MUR_MIB(72), MUR_MIB(1100), MUR_MIB(304), 16, 6};
/* In a table that is nearly full all inserts of a part meet in its few free slots, and are up to a third
 * slower than all over the table. So a batch must not fill more than this, in 32nds of the capacity; nor
 * be small, as that would be which is added to a full table. */
enum { MUR_SWEPT_FULLEST = 27 };

/* For tests, on a software device. */
enum { MUR_SWEPT_GROUPS = 4 };

static bool is_wide(MurTable table) {
    return (table->ref.flags & MUR_TABLE_INT64) != 0;
}

static const Rule *rule_of(MurTable table, MurCommand command) {
    if (command == MUR_COMMAND_ERASE) {
        return &erase_rule;
    }
    return !is_wide(table)                               ? &insert_rules[0]
           : table->memory.size >= insert_rules[1].least ? &insert_rules[1]
                                                         : &insert_rules[2];
}

static uint32_t part_count(MurTable table, MurCommand command) {
    const uint32_t most = rule_of(table, command)->parts;
    const uint32_t parts = mur_cached_parts(table);
    return parts < 2 ? 2 : parts < most ? parts : most;
}

static bool fits(MurTable table, const MurBatch *batch, MurCommand command) {
    const VkDeviceSize bytes = table->memory.size;
    const uint64_t count = batch->maxCount;
    const uint64_t capacity = table->ref.capacity;
    const Rule *rule = rule_of(table, command);
    return bytes >= rule->least && bytes <= rule->most && count >= capacity / rule->share &&
           (command == MUR_COMMAND_ERASE || 32 * count <= MUR_SWEPT_FULLEST * capacity);
}

/* Would sorting it be better? */
static bool sorts(MurTable table, const MurBatch *batch, MurCommand command) {
    return mur_lets_sort(table, batch, command) &&
           (table->context->sortPath != MUR_SORT_AUTO ||
            table->memory.size >= rule_of(table, command)->sorted);
}

/* Other results than statuses would be written part by part, a few at a time. */
static bool is_worthwhile(MurTable table, const MurBatch *batch, MurCommand command) {
    const MurContext context = table->context;
    const bool insert = command == MUR_COMMAND_INSERT;
    if (context->sweepPath != MUR_SWEEP_AUTO ||
        (insert && context->insertPath != MUR_INSERT_AUTO)) {
        return context->sweepPath == MUR_SWEEP_ALWAYS;
    }
    return !context->limits.software && fits(table, batch, command) && !batch->slots.address &&
           (insert || !batch->values.address) && !sorts(table, batch, command);
}

bool mur_can_sweep(MurContext context) {
    return context->limits.subgroups && (context->limits.sideBySide || context->limits.software);
}

bool mur_sweeps(MurTable table, const MurBatch *batch, MurCommand command) {
    return (command == MUR_COMMAND_INSERT || command == MUR_COMMAND_ERASE) &&
           mur_table_format(table) == MUR_FORMAT_K32V32 && mur_can_sweep(table->context) &&
           is_worthwhile(table, batch, command);
}

static MurKernel swept_kernel(MurTable table, MurCommand command) {
    if (command == MUR_COMMAND_INSERT) {
        return is_wide(table) ? MUR_KERNEL_INSERT_SWEPT_64 : MUR_KERNEL_INSERT_SWEPT_32;
    }
    return is_wide(table) ? MUR_KERNEL_ERASE_SWEPT_64 : MUR_KERNEL_ERASE_SWEPT_32;
}

void mur_record_swept(VkCommandBuffer cmd, MurTable table, const MurBatch *batch,
                      MurCommand command, uint32_t mode) {
    const MurContext context = table->context;
    const MurBatchPush push = mur_batch_push(table, batch,
                                             (mode & MUR_MODE_MASK) |
                                                 part_count(table, command) * MUR_MODE_PART |
                                                 rule_of(table, command)->share * MUR_MODE_LEAST);
    const uint32_t side = context->limits.sideBySide ? context->limits.sideBySide
                                                     : MUR_SWEPT_GROUPS;
    const uint32_t wanted = (batch->maxCount - 1) / MUR_WORKGROUP_SIZE + 1;
    mur_dispatch_groups(context, cmd, swept_kernel(table, command), &push, sizeof push,
                        wanted < side ? wanted : side);
}
