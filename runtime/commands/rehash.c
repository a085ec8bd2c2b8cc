/* The commands that move a table's entries: rehash, merge, compact.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

static bool is_multi(MurTable table) {
    return (table->shape.uses & MUR_USES_MULTI) != 0;
}

static VkResult check_contents(const MurCall *call) {
    const MurTable source = call->source, destination = call->table;
    const uint32_t others = MUR_TABLE_INT64 | MUR_TABLE_BUCKETS | MUR_TABLE_AGES;
    const MurTableRef *from = &source->shape.ref, *to = &destination->shape.ref;
    const bool rows = mur_table_format(source) == MUR_FORMAT_R32; /* hashes are copied */
    if (((from->flags ^ to->flags) & ~others) != 0 || (rows && from->seed != to->seed)) {
        return mur_refuse(destination->context, call->name,
                          "source and destination differ, expected equal %s",
                          rows ? "rows or seeds" : "formats and reserved values");
    }
    if (is_multi(source) != is_multi(destination)) {
        return mur_refuse(destination->context, call->name,
                          "%s is a multi-value table, expected the type of the other table",
                          is_multi(source) ? "source" : "destination");
    }
    const bool merges = call->verb == MUR_VERB_MERGE;
    return merges && (rows || is_multi(source))
               ? mur_refuse(destination->context, call->name,
                            "source and destination have %s, expected single-valued tables",
                            rows ? "rows" : "many values per key")
               : VK_SUCCESS;
}

static VkResult check_move(const MurCall *call) {
    const MurTable source = call->source, destination = call->table;
    if (!source || !destination) {
        const MurTable one = source ? source : destination;
        return one ? mur_refuse(one->context, call->name, "%s is NULL, expected a table",
                                source ? "destination" : "source")
                   : MUR_ERROR_INVALID_ARGUMENT;
    }
    if (source == destination || source->context != destination->context) {
        return mur_refuse(destination->context, call->name,
                          "source and destination are %s, expected two tables of one context",
                          source == destination ? "one table" : "of two contexts");
    }
    MUR_TRY(mur_check(call));
    return check_contents(call);
}

static const MurRehash no_rehash;
#define CHECK_MOVE(VERB, mode)                                                              \
    check_move(MUR_CALL(VERB, destination, pRehash ? pRehash : &no_rehash, 0, .word = mode, \
                        .table = destination, .source = source))

VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                      const MurRehash *pRehash) {
    MUR_RUN(destination, CHECK_MOVE(REHASH, 0),
            mur_plan_rehash(&destination->context->planning, &source->shape, &destination->shape,
                            pRehash, &plan));
}

VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination, MurInsertMode mode,
                     const MurRehash *pRehash) {
    MUR_RUN(destination, CHECK_MOVE(MERGE, mode),
            mur_plan_merge(&source->shape, &destination->shape, mode, pRehash, &plan));
}

VkDeviceSize murGetCompactScratchSize(MurTable table) {
    return table ? mur_compact_scratch(&table->shape) : 0;
}

VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash) {
    const uint64_t scratch = murGetCompactScratchSize(table);
    MUR_RUN(table, mur_check(MUR_CALL(COMPACT, table, pRehash, scratch, .table = table)),
            mur_plan_compact(&table->context->planning, &table->shape, pRehash, &plan));
}
