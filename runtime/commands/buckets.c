/* Commands for eviction passes over bucketed tables.
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>

VkResult murCmdBeginEviction(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 1, 0, mur_plan_filter);
}

VkResult murCmdEndEviction(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_filter);
}

VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_evict);
}

VkResult murCmdEvict(VkCommandBuffer cmd, MurTable table, const MurEvict *pEvict) {
    return MUR_RUN(EVICT, pEvict, 0, 0, mur_plan_evict);
}
