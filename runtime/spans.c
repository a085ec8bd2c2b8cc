/* Memory that a command is given by address: what it writes must lie in nothing else.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

static bool overlap(const MurSpan *a, const MurSpan *b) {
    const VkDeviceAddress first = a->array.address, second = b->array.address;
    return first < second ? second - first < a->used : first - second < b->used;
}

static VkResult refuse_overlap(MurContext context, const char *command, const MurSpan *a,
                               const MurSpan *b) {
    const MurSpan *written = a->written ? a : b, *other = a->written ? b : a;
    return mur_fail(
        &context->logger, MUR_ERROR_INVALID_ARGUMENT,
        "%s: %s, %llu bytes at 0x%llx, is written and overlaps %s, %llu bytes at 0x%llx", command,
        written->name, (unsigned long long)written->used,
        (unsigned long long)written->array.address, other->name, (unsigned long long)other->used,
        (unsigned long long)other->array.address);
}

VkResult mur_check_spans(MurContext context, const char *command, const MurSpan *spans,
                         size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const MurSpan *a = &spans[i];
        if (a->array.address == 0) {
            continue;
        }
        if (a->array.size > 0 - a->array.address) {
            return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                            "%s: %s, %llu bytes at 0x%llx, ends beyond the last address", command,
                            a->name, (unsigned long long)a->array.size,
                            (unsigned long long)a->array.address);
        }
        for (size_t j = 0; j < i; ++j) {
            const MurSpan *b = &spans[j];
            if (b->array.address && a->used && b->used && (a->written || b->written) &&
                overlap(a, b)) {
                return refuse_overlap(context, command, a, b);
            }
        }
    }
    return VK_SUCCESS;
}

MurSpan mur_table_span(MurTable table, const char *name, bool written) {
    return (MurSpan){name, {table->ref.address, table->memory.size}, table->memory.size, written};
}

MurSpan mur_word_span(VkDeviceAddress address, const char *name, bool written) {
    return (MurSpan){name, {address, 4}, 4, written};
}

VkResult mur_check_batch_spans(MurTable table, const char *command, const MurBatch *batch,
                               uint32_t keySize, uint32_t valueSize, MurWrites writes) {
    const VkDeviceSize count = batch->maxCount;
    const MurSpan spans[] = {
        mur_table_span(table, "the table", (writes & MUR_WRITES_TABLE) != 0),
        mur_word_span(batch->count, "count", false),
        {"keys", batch->keys, count * keySize, false},
        {"values", batch->values, count * valueSize, (writes & MUR_WRITES_VALUES) != 0},
        {"statuses", batch->statuses, 4 * count, true},
        {"slots", batch->slots, 4 * count, true},
        {"scratch", batch->scratch, batch->scratch.size, true},
    };
    return mur_check_spans(table->context, command, spans, sizeof spans / sizeof spans[0]);
}
