/* The commands that process a whole table: clear, extract, erase where, statistics.
 * SPDX-License-Identifier: MIT */
#include "check.h"

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(CLEAR, NULL, 0, 0, mur_plan_clear);
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return MUR_RUN(EXTRACT, pExtract, 0, 0, mur_plan_extract);
}

VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return MUR_RUN(ERASE_WHERE, pExtract, 1, 0, mur_plan_extract);
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    return MUR_RUN(STATS, &stats, 0, 0, mur_plan_stats);
}
