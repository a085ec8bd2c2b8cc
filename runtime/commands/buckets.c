/* Passes over tables in buckets.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>

VkResult murCmdBeginFilter(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_begin_filter);
}

VkResult murCmdEndFilter(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_end_filter);
}

VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table) {
    return MUR_RUN(FILTER, NULL, 0, 0, mur_plan_age);
}

VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge) {
    return MUR_RUN(AGE, pAge, 0, 0, mur_plan_age);
}
