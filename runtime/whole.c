/* The commands that go over a whole table: clear, extract, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Workgroups of the statistics scan: enough to fill any GPU, few enough that adding their sums
 * costs nothing. */
enum { MUR_STATS_GROUPS = 4096 };

static uint64_t sector_count(MurTable table) {
    return table->ref.slotCount / MUR_SLOTS_OF(mur_table_format(table));
}

void mur_record_clear(VkCommandBuffer cmd, MurTable table) {
    uint64_t stores = MUR_HEADER_SIZE / 16 + 2 * sector_count(table);
    mur_dispatch(table->context, cmd, MUR_KERNEL_CLEAR, &table->ref, sizeof table->ref,
                 (stores + MUR_CLEAR_STORES - 1) / MUR_CLEAR_STORES);
}

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    const char *command = "murCmdClear";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        mur_begin_label(table->context, cmd, command);
        mur_record_clear(cmd, table);
        mur_end_label(table->context, cmd);
    }
    return result;
}

static VkResult check_extract(MurTable table, const char *command, const MurExtract *extract) {
    MurContext context = table->context;
    if (!extract || extract->pNext) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        extract ? "pExtract->pNext is not NULL" : "pExtract is NULL");
    }
    if (extract->count == 0 || extract->count % 4 != 0) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: count, 0x%llx, is required and a multiple of 4", command,
                        (unsigned long long)extract->count);
    }
    if ((int)extract->predicate.compare < MUR_COMPARE_OP_ALWAYS ||
        (int)extract->predicate.compare > MUR_COMPARE_OP_GREATER_OR_EQUAL) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: predicate.compare is %d",
                        command, (int)extract->predicate.compare);
    }
    const uint32_t format = mur_table_format(table);
    if (MUR_IS_SET(format) && extract->predicate.compare != MUR_COMPARE_OP_ALWAYS) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: predicate.compare is %d, but a set has no values", command,
                        (int)extract->predicate.compare);
    }
    uint32_t count = extract->maxCount;
    VkResult result = mur_check_elements(context, command, "keys", extract->keys,
                                         mur_key_size(format), count, false);
    if (result == VK_SUCCESS) {
        result = mur_check_elements(context, command, "values", extract->values,
                                    mur_value_size(format), count, false);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "slots", extract->slots, count, false);
    }
    const MurSpan spans[] = {
        mur_table_span(table, "the table", false),
        mur_word_span(extract->count, "count", true),
        {"keys", extract->keys, (VkDeviceSize)count * mur_key_size(format), true},
        {"values", extract->values, (VkDeviceSize)count * mur_value_size(format), true},
        {"slots", extract->slots, 4 * (VkDeviceSize)count, true},
    };
    return result == VK_SUCCESS
               ? mur_check_spans(context, command, spans, sizeof spans / sizeof spans[0])
               : result;
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    const char *command = "murCmdExtract";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_extract(table, command, pExtract);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    uint32_t mask = pExtract->predicate.mask;
    const MurExtractPush push = {
        .table = table->ref,
        .keys = pExtract->keys.address,
        .values = pExtract->values.address,
        .slots = pExtract->slots.address,
        .count = pExtract->count,
        .maxCount = pExtract->maxCount,
        .compare = (uint32_t)pExtract->predicate.compare,
        .mask = mask ? mask : UINT32_MAX,
        .reference = pExtract->predicate.reference,
    };
    mur_begin_label(table->context, cmd, command);
    mur_dispatch(table->context, cmd, MUR_KERNEL_RESET, &push, sizeof push, 1);
    mur_barrier(table->context, cmd);
    mur_dispatch(table->context, cmd, mur_kernel(table->ref.flags, MUR_VERB_EXTRACT), &push,
                 sizeof push, sector_count(table) + 1);
    mur_end_label(table->context, cmd);
    return VK_SUCCESS;
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    const char *command = "murCmdStats";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = mur_check_array(table->context, command, "stats", stats, MUR_STATS_WORDS, true);
    }
    if (result == VK_SUCCESS) {
        const MurSpan spans[] = {mur_table_span(table, "the table", false),
                                 {"stats", stats, sizeof(MurStats), true}};
        result = mur_check_spans(table->context, command, spans, 2);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    uint64_t most = (uint64_t)MUR_STATS_GROUPS * MUR_WORKGROUP_SIZE;
    uint64_t slots = (uint64_t)table->ref.slotCount + MUR_EXTRA_SLOTS(mur_table_format(table));
    const MurKernel kernel = mur_kernel(table->ref.flags, MUR_VERB_STATS);
    MurStatsPush push = {.table = table->ref, .stats = stats.address, .phase = 0};
    mur_begin_label(table->context, cmd, command);
    mur_dispatch(table->context, cmd, kernel, &push, sizeof push, 1);
    mur_barrier(table->context, cmd);
    push.phase = 1;
    mur_dispatch(table->context, cmd, kernel, &push, sizeof push, slots < most ? slots : most);
    mur_end_label(table->context, cmd);
    return VK_SUCCESS;
}
