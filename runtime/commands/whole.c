/* The commands that go over a whole table: clear, extract, erase where, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MurPlan plan;
    mur_plan_clear(&table->shape, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

/* A predicate that holds whatever it sees need not fit the format. */
VkResult mur_check_predicates(MurContext context, const char *command, uint32_t format,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]) {
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        const MurPredicate *predicate = &predicates[i];
        const char *lacks =
            predicate->compare == MUR_COMPARE_ALWAYS                          ? NULL
            : predicate->word == MUR_PREDICATE_VALUE && MUR_IS_SET(format)    ? "values"
            : predicate->word == MUR_PREDICATE_KEY_HIGH && !MUR_IS_64(format) ? "64-bit keys"
            : predicate->word == MUR_PREDICATE_INDEX && format != MUR_FORMAT_K64V32_MULTI
                ? "indices"
                : NULL;
        if (predicate->compare > MUR_COMPARE_GREATER_EQUAL) {
            return mur_refuse(context, command, "predicates[%u].compare is %u", i,
                              predicate->compare);
        }
        if (predicate->word > MUR_PREDICATE_INDEX || lacks) {
            return mur_refuse(context, command, "predicates[%u].word is %u%s%s", i, predicate->word,
                              lacks ? ", but the table has no " : "", lacks ? lacks : "");
        }
    }
    return VK_SUCCESS;
}

static VkResult run_extract(VkCommandBuffer cmd, MurTable table, const char *command,
                            const MurExtract *extract, bool erases) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, command));
    const uint32_t format = mur_table_format(table);
    MUR_TRY(mur_check_struct(table->context, command, "pExtract", extract));
    MUR_TRY(mur_check_predicates(table->context, command, format, extract->predicates));
    MurArgument count = mur_word_argument(extract->countAddress, "countAddress", true);
    count.required = true;
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", erases),
        count,
        {"keys", extract->keys, mur_key_size(format), extract->maxCount, false, true},
        {"values", extract->values, mur_value_size(format), extract->maxCount, false, true},
        {"slots", extract->slots, 4, extract->maxCount, false, true},
    };
    MUR_TRY(mur_check_arguments(table->context, command, arguments, MUR_LENGTH(arguments)));
    MurPlan plan;
    mur_plan_extract(&table->shape, extract, erases, &plan);
    return mur_record(table->context, cmd, command, &plan);
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return run_extract(cmd, table, __func__, pExtract, false);
}

VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return run_extract(cmd, table, __func__, pExtract, true);
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", false),
        {"stats", stats, 4, MUR_STATS_WORDS, true, true},
    };
    MUR_TRY(mur_check_arguments(table->context, __func__, arguments, 2));
    MurPlan plan;
    mur_plan_stats(&table->shape, stats, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}
