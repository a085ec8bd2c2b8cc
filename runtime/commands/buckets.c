/* Passes over tables in buckets.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>

static VkResult check_buckets(VkCommandBuffer cmd, MurTable table, const char *command,
                              uint32_t flags) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    return (table->shape.ref.flags & flags) == flags
               ? VK_SUCCESS
               : mur_refuse(table->context, command, "the table's flags lack %s",
                            table->shape.ref.flags & MUR_TABLE_BUCKETS ? "MUR_TABLE_AGES"
                                                                       : "MUR_TABLE_BUCKETS");
}

static VkResult filter(VkCommandBuffer cmd, MurTable table, const char *command, bool begins) {
    MUR_TRY(check_buckets(cmd, table, command, MUR_TABLE_BUCKETS));
    MurPlan plan;
    mur_plan_filter(&table->shape, begins, &plan);
    return mur_record(table->context, cmd, command, &plan);
}

VkResult murCmdBeginFilter(VkCommandBuffer cmd, MurTable table) {
    return filter(cmd, table, __func__, true);
}

VkResult murCmdEndFilter(VkCommandBuffer cmd, MurTable table) {
    return filter(cmd, table, __func__, false);
}

VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table) {
    MUR_TRY(check_buckets(cmd, table, __func__, MUR_TABLE_BUCKETS));
    MurPlan plan;
    mur_plan_age(&table->shape, NULL, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge) {
    MUR_TRY(check_buckets(cmd, table, __func__, MUR_TABLE_BUCKETS | MUR_TABLE_AGES));
    MUR_TRY(mur_check_struct(table->context, __func__, "pAge", pAge));
    const bool lists = pAge->live.address || pAge->erased.address;
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", true),
        {"live", pAge->live, 4, pAge->maxLive, false, true},
        {"erased", pAge->erased, 4, pAge->maxErased, false, true},
        {"result", pAge->result, 4, MUR_AGE_RESULT_WORDS, lists, true},
    };
    MUR_TRY(mur_check_arguments(table->context, __func__, arguments, MUR_LENGTH(arguments)));
    MurPlan plan;
    mur_plan_age(&table->shape, pAge, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}
