/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

static uint64_t used(const MurArgument *argument) {
    return argument->array.address ? argument->count * argument->element : 0;
}

static VkResult check_argument(MurContext context, const char *command,
                               const MurArgument *argument) {
    const MurArray array = argument->array;
    if (array.address == 0) {
        return argument->required ? mur_refuse(context, command, "%s is required", argument->name)
                                  : VK_SUCCESS;
    }
    if (argument->element == 0) {
        return mur_refuse(context, command, "a set has no %s", argument->name);
    }
    if (array.address % argument->element != 0) {
        return mur_refuse(context, command, "the address of %s, 0x%llx, is not a multiple of %u",
                          argument->name, (unsigned long long)array.address, argument->element);
    }
    if (array.size / argument->element < argument->count) {
        return mur_refuse(context, command,
                          "%s is %llu bytes, too short for %llu elements of %u bytes",
                          argument->name, (unsigned long long)array.size,
                          (unsigned long long)argument->count, argument->element);
    }
    if (array.size > 0 - array.address) {
        return mur_refuse(context, command,
                          "%s, %llu bytes at 0x%llx, ends beyond the last address", argument->name,
                          (unsigned long long)array.size, (unsigned long long)array.address);
    }
    return VK_SUCCESS;
}

static bool overlap(const MurArgument *a, const MurArgument *b) {
    const VkDeviceAddress first = a->array.address, second = b->array.address;
    return used(a) && used(b) &&
           (first < second ? second - first < used(a) : first - second < used(b));
}

static VkResult check_pair(MurContext context, const char *command, const MurArgument *a,
                           const MurArgument *b) {
    const MurArgument *written = a->written ? a : b, *other = a->written ? b : a;
    return written->written && overlap(a, b)
               ? mur_refuse(context, command,
                            "%s, %llu bytes at 0x%llx, is written and overlaps %s, %llu bytes at "
                            "0x%llx",
                            written->name, (unsigned long long)used(written),
                            (unsigned long long)written->array.address, other->name,
                            (unsigned long long)used(other),
                            (unsigned long long)other->array.address)
               : VK_SUCCESS;
}

VkResult mur_check_arguments(MurContext context, const char *command, const MurArgument *arguments,
                             size_t count) {
    for (size_t i = 0; i < count; ++i) {
        MUR_TRY(check_argument(context, command, &arguments[i]));
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < i; ++j) {
            MUR_TRY(check_pair(context, command, &arguments[i], &arguments[j]));
        }
    }
    return VK_SUCCESS;
}

MurArgument mur_table_argument(MurTable table, const char *name, bool written) {
    return (MurArgument){
        name, {table->shape.ref.address, table->shape.bytes}, 1, table->shape.bytes, true, written};
}

MurArgument mur_word_argument(VkDeviceAddress address, const char *name, bool written) {
    return (MurArgument){name, {address, 4}, 4, 1, false, written};
}

VkResult mur_check_mode(MurContext context, const char *command, uint32_t flags,
                        MurInsertMode mode) {
    return mur_offers_mode(flags, mode)
               ? VK_SUCCESS
               : mur_refuse(
                     context, command,
                     "mode %u is not one that a table of its format and reserved value offers",
                     mode);
}

VkResult mur_check_use(MurTable table, const char *command, uint32_t use, const char *function) {
    return table->shape.uses & use
               ? VK_SUCCESS
               : mur_refuse(table->context, command,
                            "the table was made without %s() in MurTableCreateInfo.uses", function);
}

VkResult mur_check_linear(MurTable table, const char *command) {
    return table->shape.ref.flags & MUR_TABLE_BUCKETS
               ? mur_refuse(table->context, command, "the table to fill is in buckets")
               : VK_SUCCESS;
}

static VkResult check_items(MurTable table, const char *command, const MurBatch *batch,
                            const MurBatchRules *rules) {
    const uint32_t count = batch->maxCount, format = mur_table_format(table);
    const uint32_t key = rules->single ? mur_key_size(format) : mur_multi_key_size(format);
    const uint32_t value = mur_value_size(format);
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", rules->writesTable),
        mur_word_argument(batch->countAddress, "countAddress", false),
        {"keys", batch->keys, key, count, true, false},
        {"values", batch->values, value, count, rules->takesValues && value != 0,
         rules->writesValues},
        {"statuses", batch->statuses, 4, count, false, true},
        {"slots", batch->slots, 4, count, false, true},
        {"oldValues", batch->oldValues, value, count, false, true},
        {"statusBits", batch->statusBits, 4, (count + 31ull) / 32, false, true},
        {"scratch", batch->scratch, 16, batch->scratch.size / 16, false, true},
    };
    MUR_TRY(mur_check_arguments(table->context, command, arguments, MUR_LENGTH(arguments)));
    const bool result_is_written = (rules->writesValues && batch->values.address) ||
                                   batch->statuses.address || batch->slots.address ||
                                   batch->statusBits.address;
    return result_is_written || !rules->wantsResult
               ? VK_SUCCESS
               : mur_refuse(table->context, command, "one of values, statuses%s is required",
                            rules->single ? ", slots and statusBits" : "");
}

VkResult mur_check_batch(MurTable table, const char *command, const MurBatch *batch,
                         const MurBatchRules *rules) {
    MUR_TRY(mur_check_struct(table->context, command, "pBatch", batch));
    if (batch->flags & ~(rules->single ? (MurBatchFlags)MUR_BATCH_EXCLUSIVE : 0)) {
        return mur_refuse(table->context, command, "flags is 0x%x", batch->flags);
    }
    const bool old = rules->single && rules->takesValues;
    const char *stray = !rules->single && batch->slots.address        ? "slots"
                        : !old && batch->oldValues.address            ? "oldValues"
                        : !rules->single && batch->statusBits.address ? "statusBits"
                                                                      : NULL;
    if (stray) {
        return mur_refuse(table->context, command, "%s must be none", stray);
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
