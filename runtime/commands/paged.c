/* Tables in pages.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../device/paged.h"

static VkResult check_command(VkCommandBuffer cmd, MurPagedTable table, const char *command) {
    if (!table) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    return cmd ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: cmd is NULL",
                          command);
}

VkResult murCmdClearPagedTable(VkCommandBuffer cmd, MurPagedTable table) {
    const char *command = "murCmdClearPagedTable";
    const VkResult result = check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_clear_paged(&table->shape, &table->pager->shape, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

static VkResult check_paging(MurPagedTable table, const char *command,
                             const MurTablePaging *paging) {
    if (!paging || paging->pNext) {
        return mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        paging ? "pPaging->pNext is not NULL" : "pPaging is NULL");
    }
    const MurArgument arguments[] = {
        {"the table",
         {table->shape.ref.groups, table->shape.bytes},
         1,
         table->shape.bytes,
         true,
         true},
        {"stats", paging->stats, 8, sizeof(MurPagedStats) / 8, false, true},
    };
    const VkResult result = mur_check_paging(table->pager, command, &paging->paging, &arguments[1]);
    return result == VK_SUCCESS ? mur_check_arguments(table->context, command, arguments, 2)
                                : result;
}

VkResult murCmdPageTable(VkCommandBuffer cmd, MurPagedTable table, const MurTablePaging *pPaging) {
    const char *command = "murCmdPageTable";
    VkResult result = check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = check_paging(table, command, pPaging);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_page_table(&table->shape, &table->pager->shape, pPaging, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}
