/* Erasing entries by age.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/age.h>

static VkResult check_age(MurTable table, const char *command, const MurAge *age) {
    const MurLogger *logger = &table->context->logger;
    if (!age || age->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        age ? "pAge->pNext is not NULL" : "pAge is NULL");
    }
    if (age->flags & ~(MurAgeFlags)MUR_AGE_YOUNGEST) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: flags is 0x%x", command,
                        age->flags);
    }
    if (table->shape.uses & MUR_USES_MULTI) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the table has many values a key, whose entries belong together",
                        command);
    }
    if ((age->live.address || age->erased.address) && !age->result.address) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: result is required with live and erased: it tells how many there are",
                        command);
    }
    const MurArray none = {0};
    const bool youngest = (age->flags & MUR_AGE_YOUNGEST) != 0;
    const uint64_t slots = (uint64_t)table->shape.ref.slotCount +
                           MUR_EXTRA_SLOTS(mur_table_format(table));
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", true),
        {"ages", age->ages, 4, slots, true, true},
        {"live", age->live, 4, age->maxLive, false, true},
        {"erased", age->erased, 4, age->maxErased, false, true},
        {"result", age->result, 4, MUR_AGE_WORDS, false, true},
        {"scratch", youngest ? age->scratch : none, 4, MUR_AGE_SCRATCH_SIZE / 4, youngest, true},
    };
    return mur_check_arguments(table->context, command, arguments,
                               sizeof arguments / sizeof arguments[0]);
}

VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge) {
    const char *command = "murCmdAge";
    VkResult result = mur_check_command(MUR_CONTEXT(table), cmd, command);
    if (result == VK_SUCCESS) {
        result = mur_check_use(table, command, MUR_USES_RECLAIM, "murUseReclaim");
    }
    if (result == VK_SUCCESS) {
        result = check_age(table, command, pAge);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_age(&table->shape, pAge, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}
