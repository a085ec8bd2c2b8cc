/* SPDX-License-Identifier: MIT */
#include "check.h"

static uint64_t used(const MurArgument *argument) {
    return argument->array.address ? argument->count * argument->element : 0;
}

static VkResult check_argument(const MurLogger *logger, const char *command,
                               const MurArgument *argument) {
    const MurArray array = argument->array;
    if (array.address == 0) {
        return argument->required ? mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                                             "%s: %s is required", command, argument->name)
                                  : VK_SUCCESS;
    }
    if (argument->element == 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: a set has no %s", command,
                        argument->name);
    }
    if (array.address % argument->element != 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of %s, 0x%llx, is not a multiple of %u", command,
                        argument->name, (unsigned long long)array.address, argument->element);
    }
    if (array.size / argument->element < argument->count) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s is %llu bytes, too short for %llu elements of %u bytes", command,
                        argument->name, (unsigned long long)array.size,
                        (unsigned long long)argument->count, argument->element);
    }
    if (array.size > 0 - array.address) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s, %llu bytes at 0x%llx, ends beyond the last address", command,
                        argument->name, (unsigned long long)array.size,
                        (unsigned long long)array.address);
    }
    return VK_SUCCESS;
}

static bool overlap(const MurArgument *a, const MurArgument *b) {
    const VkDeviceAddress first = a->array.address, second = b->array.address;
    return used(a) && used(b) &&
           (first < second ? second - first < used(a) : first - second < used(b));
}

static VkResult check_pair(const MurLogger *logger, const char *command, const MurArgument *a,
                           const MurArgument *b) {
    const MurArgument *written = a->written ? a : b, *other = a->written ? b : a;
    return written->written && overlap(a, b)
               ? mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: %s, %llu bytes at 0x%llx, is written and overlaps %s, %llu bytes at "
                          "0x%llx",
                          command, written->name, (unsigned long long)used(written),
                          (unsigned long long)written->array.address, other->name,
                          (unsigned long long)used(other), (unsigned long long)other->array.address)
               : VK_SUCCESS;
}

VkResult mur_check_arguments(MurContext context, const char *command, const MurArgument *arguments,
                             size_t count) {
    VkResult result = VK_SUCCESS;
    for (size_t i = 0; i < count && result == VK_SUCCESS; ++i) {
        result = check_argument(&context->logger, command, &arguments[i]);
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < i && result == VK_SUCCESS; ++j) {
            result = check_pair(&context->logger, command, &arguments[i], &arguments[j]);
        }
    }
    return result;
}

MurArgument mur_table_argument(MurTable table, const char *name, bool written) {
    return (MurArgument){
        name, {table->shape.ref.address, table->shape.bytes}, 1, table->shape.bytes, true, written};
}

MurArgument mur_word_argument(VkDeviceAddress address, const char *name, bool written) {
    return (MurArgument){name, {address, 4}, 4, 1, false, written};
}

VkResult mur_check_command(VkCommandBuffer cmd, MurTable table, const char *command) {
    if (!table) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    return cmd ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: cmd is NULL",
                          command);
}

bool mur_offers_mode(uint32_t flags, MurInsertMode mode) {
    const bool zero = (flags & MUR_TABLE_ZERO) != 0;
    const bool set = MUR_IS_SET(MUR_TABLE_FORMAT(flags));
    switch (mode) {
    case MUR_MODE_ASSIGN:
    case MUR_MODE_KEEP:
        return true;
    case MUR_MODE_UPDATE:
        return !set;
    case MUR_MODE_MIN:
        return !zero && !set;
    case MUR_MODE_ADD:
    case MUR_MODE_MAX:
    case MUR_MODE_OR:
        return zero && !set;
    default:
        return false;
    }
}

VkResult mur_check_mode(MurTable table, const char *command, MurInsertMode mode) {
    return mur_offers_mode(table->shape.ref.flags, mode)
               ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: mode %u is not one that a table of its format and reserved value "
                          "offers",
                          command, mode);
}

VkResult mur_check_use(MurTable table, const char *command, uint32_t use, const char *function) {
    return table->shape.uses & use
               ? VK_SUCCESS
               : mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: the table was made without %s() in MurTableCreateInfo.uses", command,
                          function);
}

static VkResult check_items(MurTable table, const char *command, const MurBatch *batch,
                            const MurBatchRules *rules) {
    const uint32_t count = batch->maxCount;
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", rules->writesTable),
        mur_word_argument(batch->countAddress, "countAddress", false),
        {"keys", batch->keys, rules->keySize, count, true, false},
        {"values", batch->values, rules->valueSize, count,
         rules->takesValues && rules->valueSize != 0, rules->writesValues},
        {"statuses", batch->statuses, 4, count, false, true},
        {"slots", batch->slots, 4, count, false, true},
        {"oldValues", batch->oldValues, rules->valueSize, count, false, true},
        {"statusBits", batch->statusBits, 4, (count + 31ull) / 32, false, true},
        {"scratch", batch->scratch, 16, batch->scratch.size / 16, false, true},
    };
    VkResult result = mur_check_arguments(table->context, command, arguments,
                                          sizeof arguments / sizeof arguments[0]);
    const bool result_is_written = (rules->writesValues && batch->values.address) ||
                                   batch->statuses.address || batch->slots.address ||
                                   batch->statusBits.address;
    if (result == VK_SUCCESS && rules->wantsResult && !result_is_written) {
        result = mur_fail(&table->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: one of values, statuses%s is required", command,
                          rules->hasSlots ? ", slots and statusBits" : "");
    }
    return result;
}

VkResult mur_check_batch(MurTable table, const char *command, const MurBatch *batch,
                         const MurBatchRules *rules) {
    const MurLogger *logger = &table->context->logger;
    if (!batch || batch->pNext) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", command,
                        batch ? "pBatch->pNext is not NULL" : "pBatch is NULL");
    }
    if (batch->flags & ~rules->flags) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: flags is 0x%x", command,
                        batch->flags);
    }
    const char *stray = !rules->hasSlots && batch->slots.address           ? "slots"
                        : !rules->hasOldValues && batch->oldValues.address ? "oldValues"
                        : !rules->hasBits && batch->statusBits.address     ? "statusBits"
                                                                           : NULL;
    if (stray) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s must be none", command, stray);
    }
    /* With maxCount 0 nothing will be touched, so nothing need be given; what is given must be
     * right. */
    if (batch->maxCount == 0) {
        const MurArgument arguments[] = {
            mur_word_argument(batch->countAddress, "countAddress", false),
            {"scratch", batch->scratch, 16, 0, false, true},
        };
        return mur_check_arguments(table->context, command, arguments, 2);
    }
    return check_items(table, command, batch, rules);
}
