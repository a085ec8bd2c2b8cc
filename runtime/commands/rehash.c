/* The commands that move a table's entries: rehash, merge, compact.
 * SPDX-License-Identifier: MIT */
#include "check.h"

/* Fails if the destination's type cannot store the source's entries. */
static VkResult check_types(const MurCall *call) {
    const MurShape *source = call->request.source, *destination = call->request.table;
    const MurTypeInfo *from = source->type, *to = destination->type;
    const MurTableRef *ref = &source->ref, *other = &destination->ref;
    /* A table's flags do not distinguish tables with one value per key from tables with many. */
    const bool like = mur_entry_flags(ref->flags) == mur_entry_flags(other->flags) &&
                      mur_can(from, MUR_TYPE_SINGLE) == mur_can(to, MUR_TYPE_SINGLE);
    /* Hashes of compared keys are copied and not computed again: both seeds must be equal. */
    if (!like || (mur_can(from, MUR_TYPE_COMPARES) && ref->seed != other->seed)) {
        return mur_invalid_argument(
            call->context, call->name,
            "source is of murType%s(), flags 0x%x, seed %u, expected contents like "
            "the destination's: murType%s(), flags 0x%x, seed %u",
            from->name, ref->flags, ref->seed, to->name, other->flags, other->seed);
    }
    if (call->command == &mur_table_commands[MUR_VERB_MERGE] && !mur_can(from, MUR_TYPE_SINGLE)) {
        return mur_invalid_argument(call->context, call->name,
                                    "source is of murType%s(), expected %s", from->name,
                                    mur_capability_name(MUR_TYPE_SINGLE));
    }
    return VK_SUCCESS;
}

static VkResult move_entries(MurCall call, MurTable source, MurTable destination,
                             MurPlanner *planner) {
    static const MurRehash none;
    if (!source || !destination) {
        const MurTable one = source ? source : destination;
        return one ? mur_invalid_argument(one->context, call.name, "%s is NULL, expected a table",
                                          source ? "destination" : "source")
                   : MUR_ERROR_INVALID_ARGUMENT;
    }
    if (source == destination || source->context != destination->context) {
        return mur_invalid_argument(
            destination->context, call.name,
            "source and destination are %s, expected two tables of one context",
            source == destination ? "one table" : "of two contexts");
    }
    call.request.source = &source->shape;
    call.request.table = &destination->shape;
    call.request.info = call.request.info ? call.request.info : &none;
    MUR_TRY(check_types(&call));
    return mur_run(&call, mur_list_table, planner);
}

VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                      const MurRehash *pRehash) {
    return move_entries(
        *MUR_CALL(&mur_table_commands[MUR_VERB_REHASH], destination, .info = pRehash), source,
        destination, mur_plan_rehash);
}

VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination, MurInsertMode mode,
                     const MurRehash *pRehash) {
    return move_entries(
        *MUR_CALL(&mur_table_commands[MUR_VERB_MERGE], destination, .info = pRehash, .mode = mode),
        source, destination, mur_plan_merge);
}

VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash) {
    return MUR_RUN(COMPACT, pRehash, 0, 0, mur_plan_compact);
}
