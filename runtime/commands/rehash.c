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
        return one ? mur_refuse(one->context, command, "%s is NULL",
                                source ? "destination" : "source")
                   : MUR_ERROR_INVALID_ARGUMENT;
    }
    MUR_TRY(mur_check_command(destination->context, cmd, command));
    MUR_TRY(mur_check_linear(destination, command));
    MUR_TRY(mur_check_use(destination, command, MUR_USES_REHASH, "murUseRehash"));
    if (source == destination) {
        return mur_refuse(destination->context, command, "source and destination are one table");
    }
    if (source->context != destination->context) {
        return mur_refuse(destination->context, command,
                          "source and destination belong to two contexts");
    }
    const uint32_t others = MUR_TABLE_INT64 | MUR_TABLE_BUCKETS | MUR_TABLE_AGES;
    const MurTableRef *from = &source->shape.ref, *to = &destination->shape.ref;
    const bool rows = mur_table_format(source) == MUR_FORMAT_R32; /* they are not hashed again */
    if (((from->flags ^ to->flags) & ~others) != 0 || (rows && from->seed != to->seed)) {
        return mur_refuse(destination->context, command,
                          "source and destination differ in their %s",
                          rows ? "rows or seeds" : "formats or reserved values");
    }
    if (is_multi(source) != is_multi(destination)) {
        return mur_refuse(destination->context, command,
                          "%s has many values a key, the other table has not",
                          is_multi(source) ? "source" : "destination");
    }
    return VK_SUCCESS;
}

/* destination: the source itself, for murCmdCompact. */
static VkResult check_rehash(MurTable source, MurTable destination, const char *command,
                             const MurRehash *rehash) {
    static const MurRehash none;
    const bool inPlace = source == destination;
    rehash = rehash || inPlace ? rehash : &none;
    MUR_TRY(mur_check_struct(source->context, command, "pRehash", rehash));
    const uint64_t slots = (uint64_t)source->shape.ref.slotCount +
                           MUR_EXTRA_SLOTS(mur_table_format(source));
    const MurArgument scratch = {
        "scratch", rehash->scratch, 32, mur_compact_scratch(&source->shape) / 32, true, true};
    const MurArgument arguments[] = {
        mur_table_argument(source, inPlace ? "the table" : "source", inPlace),
        {"slotMap", rehash->slotMap, 4, slots, false, true},
        {"result", rehash->result, 4, MUR_REHASH_WORDS, false, true},
        inPlace ? scratch : mur_table_argument(destination, "destination", true),
    };
    return mur_check_arguments(source->context, command, arguments, MUR_LENGTH(arguments));
}

VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                      const MurRehash *pRehash) {
    MUR_TRY(check_tables(cmd, source, destination, __func__));
    MUR_TRY(check_rehash(source, destination, __func__, pRehash));
    MurPlan plan;
    mur_plan_rehash(&destination->context->planning, &source->shape, &destination->shape, pRehash,
                    &plan);
    return mur_record(destination->context, cmd, __func__, &plan);
}

VkDeviceSize murGetCompactScratchSize(MurTable table) {
    return table ? mur_compact_scratch(&table->shape) : 0;
}

VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MUR_TRY(mur_check_linear(table, __func__));
    MUR_TRY(mur_check_use(table, __func__, MUR_USES_REHASH, "murUseRehash"));
    MUR_TRY(check_rehash(table, table, __func__, pRehash));
    MurPlan plan;
    mur_plan_compact(&table->context->planning, &table->shape, pRehash, &plan);
    return mur_record(table->context, cmd, __func__, &plan);
}

VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination, MurInsertMode mode,
                     const MurRehash *pRehash) {
    MUR_TRY(check_tables(cmd, source, destination, __func__));
    const bool rows = mur_table_format(source) == MUR_FORMAT_R32;
    if (rows || is_multi(source)) {
        return mur_refuse(destination->context, __func__, "source and destination have %s",
                          rows ? "rows, which the library cannot compare"
                               : "many values a key, whose numbers would be merged");
    }
    MUR_TRY(mur_check_mode(destination->context, __func__, destination->shape.ref.flags, mode));
    MUR_TRY(check_rehash(source, destination, __func__, pRehash));
    MurPlan plan;
    mur_plan_merge(&source->shape, &destination->shape, mode, pRehash, &plan);
    return mur_record(destination->context, cmd, __func__, &plan);
}
