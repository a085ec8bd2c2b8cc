/* The commands that take a table's entries elsewhere: rehash, merge, compact.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

static bool is_multi(MurTable table) {
    return (table->shape.uses & MUR_USES_MULTI) != 0;
}

static VkResult check_tables(VkCommandBuffer cmd, MurTable source, MurTable destination,
                             const char *command) {
    if (!source || !destination) {
        const MurTable one = source ? source : destination;
        return one ? mur_fail(&one->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s is NULL",
                              command, source ? "destination" : "source")
                   : MUR_ERROR_INVALID_ARGUMENT;
    }
    VkResult result = mur_check_command(cmd, destination, command);
    if (result == VK_SUCCESS) {
        result = mur_check_use(destination, command, MUR_USES_REHASH, "murUseRehash");
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    const MurLogger *logger = &destination->context->logger;
    if (source == destination) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination are one table", command);
    }
    if (source->context != destination->context) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination belong to two contexts", command);
    }
    if ((source->shape.ref.flags ^ destination->shape.ref.flags) & ~MUR_TABLE_INT64) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination differ in their formats or reserved values",
                        command);
    }
    if (is_multi(source) != is_multi(destination)) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s has many values a key, the other table has not", command,
                        is_multi(source) ? "source" : "destination");
    }
    return VK_SUCCESS;
}

/* destination: the source itself, for murCmdCompact. */
static VkResult check_rehash(MurTable source, MurTable destination, const char *command,
                             const MurRehash *rehash) {
    static const MurRehash none;
    if (!rehash) {
        rehash = &none;
    }
    if (rehash->pNext) {
        return mur_fail(&source->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: pRehash->pNext is not NULL", command);
    }
    const bool inPlace = source == destination;
    const uint64_t slots = (uint64_t)source->shape.ref.slotCount +
                           MUR_EXTRA_SLOTS(mur_table_format(source));
    const MurArgument scratch = {"scratch", rehash->scratch, 32, source->shape.bytes / 32, true,
                                 true};
    const MurArgument arguments[] = {
        mur_table_argument(source, inPlace ? "the table" : "source", inPlace),
        {"slotMap", rehash->slotMap, 4, slots, false, true},
        {"result", rehash->result, 4, MUR_REHASH_WORDS, false, true},
        inPlace ? scratch : mur_table_argument(destination, "destination", true),
    };
    return mur_check_arguments(source->context, command, arguments,
                               sizeof arguments / sizeof arguments[0]);
}

VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                      const MurRehash *pRehash) {
    const char *command = "murCmdRehash";
    VkResult result = check_tables(cmd, source, destination, command);
    if (result == VK_SUCCESS) {
        result = check_rehash(source, destination, command, pRehash);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_rehash(&destination->context->planning, &source->shape, &destination->shape,
                        pRehash, &plan);
        mur_record(destination->context, cmd, command, &plan);
    }
    return result;
}

VkDeviceSize murGetCompactScratchSize(MurTable table) {
    return table ? table->shape.bytes : 0;
}

VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash) {
    const char *command = "murCmdCompact";
    VkResult result = mur_check_command(cmd, table, command);
    if (result == VK_SUCCESS) {
        result = mur_check_use(table, command, MUR_USES_REHASH, "murUseRehash");
    }
    if (result == VK_SUCCESS && !pRehash) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: pRehash is NULL", command);
    }
    if (result == VK_SUCCESS) {
        result = check_rehash(table, table, command, pRehash);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_compact(&table->context->planning, &table->shape, pRehash, &plan);
        mur_record(table->context, cmd, command, &plan);
    }
    return result;
}

VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination, MurInsertMode mode,
                     const MurRehash *pRehash) {
    const char *command = "murCmdMerge";
    VkResult result = check_tables(cmd, source, destination, command);
    if (result == VK_SUCCESS && is_multi(source)) {
        result = mur_fail(&destination->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: source and destination have many values a key, whose numbers would "
                          "be merged",
                          command);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_mode(destination, command, mode);
    }
    if (result == VK_SUCCESS) {
        result = check_rehash(source, destination, command, pRehash);
    }
    if (result == VK_SUCCESS) {
        MurPlan plan;
        mur_plan_merge(&source->shape, &destination->shape, mode, pRehash, &plan);
        mur_record(destination->context, cmd, command, &plan);
    }
    return result;
}
