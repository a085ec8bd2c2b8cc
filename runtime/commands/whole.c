/* The commands that process a whole table: clear, extract, erase where, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

VkResult murCmdClear(VkCommandBuffer cmd, MurTable table) {
    const MurCall call = MUR_CALL(CLEAR, table, NULL, 0);
    MUR_TRY(mur_check(&call));
    MurPlan plan;
    mur_plan_clear(&table->shape, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

VkResult mur_check_predicates(MurContext context, const char *command, uint32_t format,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]) {
    const uint32_t words = 1u << MUR_PREDICATE_KEY_LOW |
                           (uint32_t)!MUR_IS_SET(format) << MUR_PREDICATE_VALUE |
                           (uint32_t)MUR_IS_64(format) << MUR_PREDICATE_KEY_HIGH |
                           (uint32_t)(format == MUR_FORMAT_K64V32_MULTI) << MUR_PREDICATE_INDEX;
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        const uint32_t word = predicates[i].word, compare = predicates[i].compare;
        if (compare > MUR_COMPARE_GREATER_EQUAL) {
            return mur_refuse(context, command, "predicates[%u].compare is %u, expected 0 to %u", i,
                              compare, MUR_COMPARE_GREATER_EQUAL);
        }
        /* Predicates that are always true need not fit the format. */
        if (word > MUR_PREDICATE_INDEX || (compare != MUR_COMPARE_ALWAYS && !(words >> word & 1))) {
            return mur_refuse(context, command,
                              "predicates[%u].word is %u, expected a word of the table's entries: "
                              "bits 0x%x",
                              i, word, words);
        }
    }
    return VK_SUCCESS;
}

static VkResult run_extract(const MurCall *call, bool erases) {
    const MurExtract *extract = call->info;
    MUR_TRY(mur_check(call));
    MUR_TRY(mur_check_predicates(call->table->context, call->name, mur_table_format(call->table),
                                 extract->predicates));
    MurPlan plan;
    mur_plan_extract(&call->table->shape, extract, erases, &plan);
    return mur_record(call->table->context, call->cmd, call->name, &plan);
}

VkResult murCmdExtract(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return run_extract(&MUR_CALL(EXTRACT, table, pExtract, 0), false);
}

VkResult murCmdEraseWhere(VkCommandBuffer cmd, MurTable table, const MurExtract *pExtract) {
    return run_extract(&MUR_CALL(ERASE_WHERE, table, pExtract, 0), true);
}

VkResult murCmdStats(VkCommandBuffer cmd, MurTable table, MurArray stats) {
    const MurStatsArgument argument = {stats};
    const MurCall call = MUR_CALL(STATS, table, &argument, 0);
    MUR_TRY(mur_check(&call));
    MurPlan plan;
    mur_plan_stats(&table->shape, stats, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}
