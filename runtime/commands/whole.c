/* The commands that go over a whole table: clear, extract, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    const char *command = "murCmdClear";
    const VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_clear(&table->shape, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

static VkResult check_extract(MurTable table, const char *command, const MurExtract *extract) {
    const MurLogger *logger = &table->context->logger;
    const uint32_t format = mur_table_format(table);
    if (!extract || extract->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        extract ? "pExtract->pNext is not NULL" : "pExtract is NULL");
    }
    if (extract->predicate.compare > MUR_COMPARE_GREATER_EQUAL) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: predicate.compare is %u", command,
                        extract->predicate.compare);
    }
    if (MUR_IS_SET(format) && extract->predicate.compare != MUR_COMPARE_ALWAYS) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: predicate.compare is %u, but a set has no values", command,
                        extract->predicate.compare);
    }
    MurArgument count = mur_word_argument(extract->countAddress, "countAddress", true);
    count.required = true;
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", false),
        count,
        {"keys", extract->keys, mur_key_size(format), extract->maxCount, false, true},
        {"values", extract->values, mur_value_size(format), extract->maxCount, false, true},
        {"slots", extract->slots, 4, extract->maxCount, false, true},
    };
    return mur_check_arguments(table->context, command, arguments,
                               sizeof arguments / sizeof arguments[0]);
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    const char *command = "murCmdExtract";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_extract(table, command, pExtract);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_extract(&table->shape, pExtract, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    const char *command = "murCmdStats";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        const MurArgument arguments[] = {
            mur_table_argument(table, "the table", false),
            {"stats", stats, 4, MUR_STATS_WORDS, true, true},
        };
        result = mur_check_arguments(table->context, command, arguments, 2);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_stats(&table->shape, stats, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}
