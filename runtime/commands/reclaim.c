/* Freeing slots of erased keys where they are.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/reclaim.h>

static VkResult check_reclaim(MurTable table, const char *command, const MurReclaim *reclaim) {
    const MurLogger *logger = &table->context->logger;
    if (!reclaim) {
        return VK_SUCCESS;
    }
    if (reclaim->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: pReclaim->pNext is not NULL",
                        command);
    }
    if (reclaim->slots.address && !reclaim->result.address) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: result is required with slots: it tells how many there are", command);
    }
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", true),
        {"slots", reclaim->slots, 4, reclaim->maxCount, false, true},
        {"result", reclaim->result, 4, MUR_RECLAIM_WORDS, false, true},
    };
    return mur_check_arguments(table->context, command, arguments,
                               sizeof arguments / sizeof arguments[0]);
}

VkResult murCmdReclaim(VkCommandBuffer cmd, MurTable table, const MurReclaim *pReclaim) {
    const char *command = "murCmdReclaim";
    VkResult result = mur_check_command(MUR_CONTEXT(table), cmd, command);
    if (result == VK_SUCCESS) {
        result = mur_check_use(table, command, MUR_USES_RECLAIM, "murUseReclaim");
    }
    if (result == VK_SUCCESS) {
        result = check_reclaim(table, command, pReclaim);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_reclaim(&table->shape, pReclaim, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}
