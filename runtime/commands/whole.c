/* The commands that process a whole table: clear, extract, erase where, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    MUR_RUN(table, mur_check(MUR_CALL(CLEAR, table, NULL, 0, .table = table)),
            mur_plan_clear(&table->shape, &plan));
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    MUR_RUN(table, mur_check(MUR_CALL(EXTRACT, table, pExtract, 0, .table = table)),
            mur_plan_extract(&table->shape, pExtract, false, &plan));
}

VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    MUR_RUN(table, mur_check(MUR_CALL(ERASE_WHERE, table, pExtract, 0, .table = table)),
            mur_plan_extract(&table->shape, pExtract, true, &plan));
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    const MurStatsArgument argument = {stats};
    MUR_RUN(table, mur_check(MUR_CALL(STATS, table, &argument, 0, .table = table)),
            mur_plan_stats(&table->shape, stats, &plan));
}
