/* Passes over tables in buckets.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>

VkResult murCmdBeginFilter(VkCommandBuffer cmd, MurTable table) {
    MUR_RUN(table, mur_check(MUR_CALL(FILTER, table, NULL, 0, .table = table)),
            mur_plan_filter(&table->shape, true, &plan));
}

VkResult murCmdEndFilter(VkCommandBuffer cmd, MurTable table) {
    MUR_RUN(table, mur_check(MUR_CALL(FILTER, table, NULL, 0, .table = table)),
            mur_plan_filter(&table->shape, false, &plan));
}

VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table) {
    MUR_RUN(table, mur_check(MUR_CALL(FILTER, table, NULL, 0, .table = table)),
            mur_plan_age(&table->shape, NULL, &plan));
}

VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge) {
    MUR_RUN(table, mur_check(MUR_CALL(AGE, table, pAge, 0, .table = table)),
            mur_plan_age(&table->shape, pAge, &plan));
}
