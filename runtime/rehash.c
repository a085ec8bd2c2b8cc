/* The commands that take a table's entries elsewhere: rehash, merge.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

static VkResult check_tables(VkCommandBuffer cmd, MurTable source, MurTable destination,
                             const char *command) {
    if (!source || !destination) {
        const MurTable one = source ? source : destination;
        return one ? mur_fail(&one->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s is NULL",
                              command, source ? "destination" : "source")
                   : MUR_ERROR_INVALID_ARGUMENT;
    }
    VkResult result = mur_check_command(cmd, destination, command);
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
    if ((source->ref.flags ^ destination->ref.flags) & ~MUR_TABLE_INT64) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination differ in their reserved values", command);
    }
    return VK_SUCCESS;
}

static VkResult check_rehash(MurTable source, const char *command, const MurRehash *rehash) {
    if (!rehash) {
        return VK_SUCCESS;
    }
    MurContext context = source->context;
    if (rehash->pNext) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: pRehash->pNext is not NULL", command);
    }
    VkResult result = mur_check_array(context, command, "slotMap", rehash->slotMap,
                                      source->ref.slotCount + 1, false);
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "result", rehash->result, MUR_REHASH_WORDS,
                                 false);
    }
    return result;
}

static MurRehashPush make_push(MurTable source, MurTable destination, MurInsertMode mode,
                               const MurRehash *rehash) {
    return (MurRehashPush){
        .source = source->ref,
        .table = destination->ref,
        .slotMap = rehash ? rehash->slotMap.address : 0,
        .result = rehash ? rehash->result.address : 0,
        .mode = (uint32_t)mode,
    };
}

/* Zeroes the result, empties the destination if asked, inserts entry by entry. */
static void record_direct(VkCommandBuffer cmd, MurTable destination, const MurRehashPush *push,
                          bool clear) {
    MurContext context = destination->context;
    const bool wide = (destination->ref.flags & MUR_TABLE_INT64) != 0;
    if (clear) {
        mur_record_clear(cmd, destination);
    }
    if (push->result) {
        mur_dispatch(context, cmd, MUR_KERNEL_REHASH_PREPARE, push, sizeof *push, 1);
    }
    if (clear || push->result) {
        mur_barrier(context, cmd);
    }
    mur_dispatch(context, cmd, wide ? MUR_KERNEL_REHASH_DIRECT_64 : MUR_KERNEL_REHASH_DIRECT_32,
                 push, sizeof *push, (uint64_t)push->source.slotCount + 1);
}

VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                      const MurRehash *pRehash) {
    const char *command = "murCmdRehash";
    VkResult result = check_tables(cmd, source, destination, command);
    if (result == VK_SUCCESS) {
        result = check_rehash(source, command, pRehash);
    }
    if (result == VK_SUCCESS) {
        const MurRehashPush push = make_push(source, destination, MUR_INSERT_ASSIGN, pRehash);
        mur_begin_label(destination->context, cmd, command);
        record_direct(cmd, destination, &push, true);
        mur_end_label(destination->context, cmd);
    }
    return result;
}

VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination, MurInsertMode mode,
                     const MurRehash *pRehash) {
    const char *command = "murCmdMerge";
    VkResult result = check_tables(cmd, source, destination, command);
    if (result == VK_SUCCESS) {
        result = mur_check_mode(destination, command, mode);
    }
    if (result == VK_SUCCESS) {
        result = check_rehash(source, command, pRehash);
    }
    if (result == VK_SUCCESS) {
        const MurRehashPush push = make_push(source, destination, mode, pRehash);
        mur_begin_label(destination->context, cmd, command);
        record_direct(cmd, destination, &push, false);
        mur_end_label(destination->context, cmd);
    }
    return result;
}
