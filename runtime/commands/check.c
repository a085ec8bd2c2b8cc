/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

/* Requirements of a table. */
enum { ANY = 0, SINGLE = 1, LINEAR = 2, BUCKETS = 4, AGES = 8, MULTI = 16, GROUPED = 32 };
enum { REHASHED = 64, ROWS = 128 };
/* Properties of a command. */
enum { WRITES = 1, RESULT = 2 };

static const struct {
    const char *parameter;
    uint32_t needs, flags;
} rows_of_commands[] = {
#define COMMAND(name, parameter, needs, flags) {parameter, needs, flags},
#include "commands.def"
#define COMMAND(name, parameter, needs, flags) {parameter, needs, flags},
#include "paging.def"
};

/* ---- Arguments ------------------------------------------------------------------------------ */

static uint64_t slots_of(const MurRequest *move) {
    const MurTableRef *ref = &(move->source ? move->source : move->table)->ref;
    return ref->slotCount + (uint64_t)MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(ref->flags));
}

/* 32-bit words of an array of rows, all of which the command may read. items: one row each, if
 * each is a row of this array. */
static uint64_t words_of(const MurCall *call, MurArray array, uint64_t items, bool each) {
    const uint32_t flags = call->request.table->ref.flags;
    const uint64_t least = each && items
                               ? (items - 1) * MUR_ROW_STRIDE(flags) + MUR_ROW_WORDS(flags)
                               : items != 0;
    return array.size / 4 < least ? least : array.size / 4;
}

VkResult mur_check_predicates(const MurCall *call, uint32_t format,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]) {
    const uint32_t words = 1u << MUR_PREDICATE_KEY_LOW |
                           (uint32_t)!MUR_IS_SET(format) << MUR_PREDICATE_VALUE |
                           (uint32_t)MUR_IS_64(format) << MUR_PREDICATE_KEY_HIGH |
                           (uint32_t)(format == MUR_FORMAT_K64V32_MULTI) << MUR_PREDICATE_INDEX;
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        const uint32_t word = predicates[i].word, compare = predicates[i].compare;
        if (compare > MUR_COMPARE_GREATER_EQUAL) {
            return mur_invalid_argument(call->context, call->name,
                                        "predicates[%u].compare is %u, expected 0 to %u", i,
                                        compare, MUR_COMPARE_GREATER_EQUAL);
        }
        /* Predicates that are always true need not fit the format. */
        if (word > MUR_PREDICATE_INDEX || (compare != MUR_COMPARE_ALWAYS && !(words >> word & 1))) {
            return mur_invalid_argument(
                call->context, call->name,
                "predicates[%u].word is %u, expected a word of the table's entries: "
                "bits 0x%x",
                i, word, words);
        }
    }
    return VK_SUCCESS;
}

static uint64_t used(const MurArgument *argument) {
    return argument->array.address ? argument->count * argument->element : 0;
}

static VkResult check_argument(const MurCall *call, const MurArgument *argument) {
    const unsigned long long address = argument->array.address, size = argument->array.size;
    const uint32_t element = argument->element;
    if (argument->count == 0 || (address == 0 && !(element && argument->flags & REQUIRED))) {
        return VK_SUCCESS;
    }
    if (address == 0) {
        return mur_invalid_argument(call->context, call->name,
                                    "%s is 0, expected an address: it is required", argument->name);
    }
    if (element == 0) {
        return mur_invalid_argument(
            call->context, call->name,
            "%s is 0x%llx, expected 0: the command takes no such array for this table",
            argument->name, address);
    }
    if (address % element != 0) {
        return mur_invalid_argument(call->context, call->name,
                                    "%s is at 0x%llx, expected a multiple of %u", argument->name,
                                    address, element);
    }
    if (size / element < argument->count) {
        return mur_invalid_argument(
            call->context, call->name, "%s is %llu bytes, expected %llu elements of %u bytes",
            argument->name, size, (unsigned long long)argument->count, element);
    }
    return size > 0 - address
               ? mur_invalid_argument(
                     call->context, call->name,
                     "%s is %llu bytes at 0x%llx, expected none beyond the last address",
                     argument->name, size, address)
               : VK_SUCCESS;
}

static VkResult check_pair(const MurCall *call, const MurArgument *a, const MurArgument *b) {
    const MurArgument *written = a->flags & WRITTEN ? a : b, *other = a->flags & WRITTEN ? b : a;
    const unsigned long long to = written->array.address, from = other->array.address;
    const unsigned long long size = used(written), otherSize = used(other);
    return written->flags & WRITTEN && size && otherSize &&
                   (to < from ? from - to < size : to - from < otherSize)
               ? mur_invalid_argument(
                     call->context, call->name,
                     "%s is %llu bytes at 0x%llx, expected no overlap with %s, %llu bytes "
                     "at 0x%llx, because the command writes it",
                     written->name, size, to, other->name, otherSize, from)
               : VK_SUCCESS;
}

static VkResult check_list(const MurCall *call, const MurArguments *list) {
    bool items = false, results = false; /* a batch without items has no results */
    for (uint32_t i = 0; i < list->count; ++i) {
        const MurArgument *argument = &list->of[i];
        MUR_TRY(check_argument(call, argument));
        items |= argument->flags & REQUIRED && argument->count;
        results |= (argument->flags & SCRATCH) == WRITTEN && argument->array.address;
        for (uint32_t j = 0; j < i; ++j) {
            MUR_TRY(check_pair(call, argument, &list->of[j]));
        }
    }
    return results || !items || !(rows_of_commands[call->verb].flags & RESULT)
               ? VK_SUCCESS
               : mur_invalid_argument(
                     call->context, call->name,
                     "values is 0 and so are all arrays of results, expected an address: "
                     "one of them is required");
}

/* ---- Objects -------------------------------------------------------------------------------- */

static VkResult check_table(const MurCall *call, uint32_t needs) {
    const uint32_t flags = call->request.table->ref.flags, format = MUR_TABLE_FORMAT(flags);
    const uint32_t uses = call->request.table->uses;
    const struct {
        uint32_t need;
        bool met;
        const char *is, *expected;
    } rules[] = {
        {SINGLE, format != MUR_FORMAT_K64V32_MULTI, "of format MUR_FORMAT_K64V32_MULTI",
         "one value per key, or a command of murmuration/multi.h"},
        {SINGLE, format != MUR_FORMAT_R32, "of format MUR_FORMAT_R32",
         "keys, or a command of murmuration/rows.h"},
        {LINEAR, !(flags & MUR_TABLE_BUCKETS), "in buckets", "linear probing"},
        {BUCKETS, flags & MUR_TABLE_BUCKETS, "not in buckets", "MUR_TABLE_BUCKETS among its flags"},
        {AGES, flags & MUR_TABLE_AGES, "without ages", "MUR_TABLE_AGES among its flags"},
        {MULTI, uses & MUR_USES_MULTI, "single-valued", "murUseMulti() among its uses"},
        {GROUPED, uses & MUR_USES_GROUP, "without groups", "murUseGroup() among its uses"},
        {REHASHED, uses & MUR_USES_REHASH, "without rehash", "murUseRehash() among its uses"},
        {ROWS, format == MUR_FORMAT_R32, "without rows", "format MUR_FORMAT_R32"},
        {ROWS, MUR_ROW_WORDS(flags) != 0, "one whose rows only shaders compare",
         "MUR_ROWS among its flags"},
    };
    for (size_t i = 0; i < MUR_LENGTH(rules); ++i) {
        if (needs & rules[i].need && !rules[i].met) {
            return mur_invalid_argument(call->context, call->name, "the table is %s, expected %s",
                                        rules[i].is, rules[i].expected);
        }
    }
    return VK_SUCCESS;
}

VkResult mur_check_mode(const MurCall *call, uint32_t flags) {
    return mur_offers_mode(flags, call->request.word)
               ? VK_SUCCESS
               : mur_invalid_argument(
                     call->context, call->name,
                     "mode is %u, expected one that the table's format and empty value "
                     "offer",
                     call->request.word);
}

void mur_list_object(MurArguments *list, const char *name, uint64_t address, uint64_t bytes,
                     bool written) {
    list->of[list->count++] = (MurArgument){
        name, {address, bytes}, 1, bytes, written ? SCRATCH : 0};
}

VkResult mur_list_table(const MurCall *call, uint64_t scratch, MurArguments *list) {
    enum {
#define COMMAND(name, ...) name = 1 << MUR_VERB_##name,
#include "commands.def"
        SINGLES = INSERT | BUILD | FIND | ERASE,
        MULTIS = MULTI_INSERT | MULTI_COUNT | MULTI_FIND | MULTI_ERASE | MULTI_ERASE_KEYS
    };
    const MurShape *table = call->request.table, *source = call->request.source;
    const bool writes = rows_of_commands[call->verb].flags & WRITES;
    const uint32_t flags = table->ref.flags, format = MUR_TABLE_FORMAT(flags);
    const int bit = 1 << call->verb;
    const bool multi = (bit & (MULTIS | MULTI_RETRIEVE)) != 0;
    const uint32_t key = multi ? mur_multi_key_size(format) : mur_key_size(format);
    const uint32_t value = mur_value_size(format);
    mur_list_object(list, source ? "destination" : "the table", table->ref.address, table->bytes,
                    writes);
    if (source) {
        mur_list_object(list, "source", source->ref.address, source->bytes, false);
    }
#include "commands.def"
    return VK_SUCCESS;
}

VkResult mur_run(const MurCall *call, MurLister *lister, MurPlanner *planner) {
    const char *parameter = rows_of_commands[call->verb].parameter;
    MUR_TRY(mur_check_command(call->context, call->cmd, call->name));
    MUR_TRY(call->request.table ? check_table(call, rows_of_commands[call->verb].needs)
                                : VK_SUCCESS);
    MUR_TRY(parameter ? mur_check_struct(call->context, call->name, parameter, call->request.info)
                      : VK_SUCCESS);
    MurRequest request = call->request;
    MurArguments list;
    MurPlan plan;
    list.count = 0;
    request.device = &call->context->planning;
    mur_make_plan(&request, planner, &plan);
    MUR_TRY(lister(call, plan.scratch, &list));
    MUR_TRY(check_list(call, &list));
    return mur_record(call->context, call->cmd, call->name, &plan);
}
