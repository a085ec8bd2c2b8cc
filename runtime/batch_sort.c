/* Sorting a batch by home slot before a direct command, by a counting sort into a few bins. In a table
 * far larger than the cache, items in random order each fetch memory of their own; in this order
 * neighbours share it, and all of it is read and written once.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

enum {
    MUR_SORT_TILE = MUR_SORT_ITEMS * MUR_LARGE_WORKGROUP_SIZE,
    MUR_SORT_COUNT_GROUPS = 1024,
    /* Part of the table that a bin covers. A few of them should fit the cache; the larger, the
     * longer are the runs that the sort writes. */
    MUR_SORT_BIN_BYTES = 16 << 20
};

/* Measured on one GPU with a cache of 50 MB: the bytes of a table from which on sorting pays, for
 * commands that change it and for finds, whose reads the memory serves faster; and the part of the
 * capacity that a batch must be, so that a bin's items share what they fetch. */
enum {
    MUR_SORT_LEAST_CHANGED = 112 << 20,
    MUR_SORT_LEAST_FOUND = 168 << 20,
    MUR_SORT_LEAST_PART = 8
};

MUR_STATIC_ASSERT(MUR_SORT_BINS == MUR_LARGE_WORKGROUP_SIZE); /* an invocation counts for each */
MUR_STATIC_ASSERT(4 * MUR_SORT_WORDS % 16 == 0);

static VkDeviceSize align(VkDeviceSize bytes) {
    return (bytes + 15) / 16 * 16;
}

/* Where arrays lie in scratch memory, in bytes: first the counters, then what every batch needs, then
 * what only those need that want results. */
typedef struct Layout {
    VkDeviceSize keys, values, places, statuses, slots, end;
} Layout;

static bool writes_values(MurCommand command) {
    return command == MUR_COMMAND_FIND || command == MUR_COMMAND_ERASE;
}

static VkDeviceSize key_size(MurTable table, MurCommand command) {
    return command == MUR_COMMAND_MULTI_INSERT ? 4 : mur_key_size(mur_table_format(table));
}

static Layout layout(MurTable table, uint32_t maxCount, MurCommand command, bool values,
                     bool places, bool statuses, bool slots) {
    const VkDeviceSize words = align(4 * (VkDeviceSize)maxCount);
    Layout at = {.keys = 4 * MUR_SORT_WORDS};
    at.values = at.keys + align(key_size(table, command) * maxCount);
    at.places = at.values;
    if (values) {
        at.places += align((VkDeviceSize)mur_value_size(mur_table_format(table)) * maxCount);
    }
    at.statuses = at.places + (places ? words : 0);
    at.slots = at.statuses + (statuses ? words : 0);
    at.end = at.slots + (slots ? words : 0);
    return at;
}

static Layout batch_layout(MurTable table, const MurBatch *batch, MurCommand command) {
    const bool values = batch->values.address != 0;
    const bool statuses = batch->statuses.address != 0;
    const bool slots = batch->slots.address != 0;
    const bool places = statuses || slots || (values && writes_values(command));
    return layout(table, batch->maxCount, command, values, places, statuses, slots);
}

static MurKernel count_kernel(uint32_t format, MurCommand command) {
    return command == MUR_COMMAND_MULTI_INSERT ? MUR_KERNEL_SORT_COUNT_MULTI
           : MUR_IS_64(format)                 ? MUR_KERNEL_SORT_COUNT_64
                                               : MUR_KERNEL_SORT_COUNT_32;
}

static MurKernel move_kernel(uint32_t format, MurCommand command) {
    return command == MUR_COMMAND_MULTI_INSERT ? MUR_KERNEL_SORT_MOVE_MULTI
           : format == MUR_FORMAT_K64V64       ? MUR_KERNEL_SORT_MOVE_64_64
           : MUR_IS_64(format)                 ? MUR_KERNEL_SORT_MOVE_64
                                               : MUR_KERNEL_SORT_MOVE_32;
}

static void add(MurKernelList *list, uint32_t format, MurCommand command) {
    const MurKernel kernels[] = {MUR_KERNEL_SORT_PREPARE, count_kernel(format, command),
                                 MUR_KERNEL_SORT_SCAN, move_kernel(format, command),
                                 MUR_KERNEL_UNSORT};
    mur_add_kernels(list, kernels, sizeof kernels / sizeof kernels[0]);
}

void mur_add_sort(MurKernelList *list, uint32_t format) {
    /* Or any other command but MUR_COMMAND_MULTI_INSERT. */
    add(list, format, MUR_COMMAND_INSERT);
}

void mur_add_multi_sort(MurKernelList *list) {
    add(list, MUR_FORMAT_K64V32, MUR_COMMAND_MULTI_INSERT);
}

static bool is_worthwhile(MurTable table, uint32_t maxCount, MurCommand command) {
    const MurContext context = table->context;
    if (!mur_can_slice(context) || !maxCount || context->sortPath == MUR_SORT_NEVER) {
        return false;
    }
    const VkDeviceSize least = command == MUR_COMMAND_FIND ? MUR_SORT_LEAST_FOUND
                                                           : MUR_SORT_LEAST_CHANGED;
    return context->sortPath >= MUR_SORT_ALWAYS ||
           (!context->limits.software && table->memory.size >= least &&
            maxCount >= table->ref.capacity / MUR_SORT_LEAST_PART);
}

VkDeviceSize mur_sort_scratch(MurTable table, uint32_t maxCount, MurCommand command) {
    return is_worthwhile(table, maxCount, command)
               ? layout(table, maxCount, command, true, true, true,
                        command != MUR_COMMAND_MULTI_INSERT)
                     .end
               : 0;
}

bool mur_lets_sort(MurTable table, const MurBatch *batch, MurCommand command) {
    return batch->scratch.address && is_worthwhile(table, batch->maxCount, command) &&
           batch->scratch.size >= batch_layout(table, batch, command).end;
}

/* log2 of the home slots a bin covers. */
static uint32_t bin_shift(MurTable table) {
    const uint32_t slotShift = MUR_SLOT_SHIFT(mur_table_format(table));
    const VkDeviceSize bytes = table->context->sortPath == MUR_SORT_FINE ? 1 : MUR_SORT_BIN_BYTES;
    uint32_t shift = 0;
    while ((table->ref.capacity - 1) >> shift >= MUR_SORT_BINS ||
           (VkDeviceSize)1 << (shift + slotShift) < bytes) {
        ++shift;
    }
    return shift;
}

void mur_record_sort(VkCommandBuffer cmd, MurTable table, const MurBatch *batch, MurCommand command,
                     MurBatch *sorted) {
    MurContext context = table->context;
    const uint32_t format = mur_table_format(table);
    const Layout at = batch_layout(table, batch, command);
    const VkDeviceAddress scratch = batch->scratch.address;
    const MurSortPush push = {
        .table = table->ref,
        .keys = batch->keys.address,
        .values = writes_values(command) ? 0 : batch->values.address,
        .count = batch->count,
        .counters = scratch,
        .sortedKeys = scratch + at.keys,
        .sortedValues = scratch + at.values,
        .places = at.statuses == at.places ? 0 : scratch + at.places,
        .maxCount = batch->maxCount,
        .shift = bin_shift(table),
    };
    const uint64_t tiles = ((uint64_t)batch->maxCount + MUR_SORT_TILE - 1) / MUR_SORT_TILE;
    mur_dispatch(context, cmd, MUR_KERNEL_SORT_PREPARE, &push, sizeof push, MUR_SORT_BINS);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, count_kernel(format, command), &push, sizeof push,
                        tiles < MUR_SORT_COUNT_GROUPS ? tiles : MUR_SORT_COUNT_GROUPS);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, MUR_KERNEL_SORT_SCAN, &push, sizeof push, 1);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, move_kernel(format, command), &push, sizeof push, tiles);
    mur_barrier(context, cmd);
    *sorted = *batch;
    sorted->keys.address = push.sortedKeys;
    sorted->values.address = batch->values.address ? push.sortedValues : 0;
    sorted->statuses.address = batch->statuses.address ? scratch + at.statuses : 0;
    sorted->slots.address = batch->slots.address ? scratch + at.slots : 0;
}

void mur_record_unsort(VkCommandBuffer cmd, MurTable table, const MurBatch *batch,
                       MurCommand command, const MurBatch *sorted) {
    const Layout at = batch_layout(table, batch, command);
    if (at.statuses == at.places) {
        return; /* no results */
    }
    const bool written = writes_values(command);
    const struct {
        VkDeviceAddress from, to;
        uint32_t words;
    } arrays[] = {
        {sorted->statuses.address, batch->statuses.address, 1},
        {sorted->slots.address, batch->slots.address, 1},
        {sorted->values.address, written ? batch->values.address : 0,
         mur_value_size(mur_table_format(table)) / 4},
    };
    mur_barrier(table->context, cmd);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        if (!arrays[i].to) {
            continue;
        }
        const MurUnsortPush push = {
            .count = batch->count,
            .places = batch->scratch.address + at.places,
            .sorted = arrays[i].from,
            .results = arrays[i].to,
            .maxCount = batch->maxCount,
            .words = arrays[i].words,
        };
        mur_dispatch(table->context, cmd, MUR_KERNEL_UNSORT, &push, sizeof push, batch->maxCount);
    }
}
