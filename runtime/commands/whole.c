/* The commands that process a whole table: clear, extract, erase where, statistics, and eviction
 * passes over bucketed tables.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(CLEAR, NULL, 0, 0, mur_plan_clear);
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return MUR_RUN(EXTRACT, pExtract, 0, 0, mur_plan_extract);
}

VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return MUR_RUN(ERASE_WHERE, pExtract, 0, 0, mur_plan_erase_where);
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    return MUR_RUN(STATS, &stats, 0, 0, mur_plan_stats);
}

VkResult murCmdBeginEviction(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_begin_filter);
}

VkResult murCmdEndEviction(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_end_filter);
}

VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_evict);
}

VkResult murCmdEvict(VkCommandBuffer cmd, MurTable table, const MurEvict *pEvict) {
    return MUR_RUN(EVICT, pEvict, 0, 0, mur_plan_evict);
}
