/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>
#include <murmuration/group.h>
#include <murmuration/multi.h>
#include <murmuration/rows.h>

#include <string.h>

/* Requirements that commands have of a table, in addition to a capability of its type. */
enum {
    NEEDS_AGES = 1 << 24,
    NEEDS_WORDS = 1 << 25,
    NEEDS_REHASH = 1 << 26,
    NEEDS_GROUP = 1 << 27,
    NEEDS_OF_TABLES = NEEDS_AGES | NEEDS_WORDS | NEEDS_REHASH | NEEDS_GROUP
};
/* Flags of commands. WRITES: writes the table. RESULT: requires at least one array of results. */
enum { WRITES = 1, RESULT = 2 };

const MurCommandRow mur_table_commands[MUR_VERB_COUNT] = {
#define COMMAND(name, parameter, needs, flags) {parameter, needs, flags, 1 << MUR_VERB_##name},
#include "commands.def"
};

static uint64_t slots_of(const MurRequest *move) {
    return mur_slots(move->source ? move->source : move->table);
}

/* Returns how many 32-bit words a command may read from an array of rows. This is the array's size,
 * but at least what the items require: a row per item if `each` is true, otherwise one word. */
static uint64_t words_of(const MurCall *call, MurArray array, uint64_t items, bool each) {
    const uint32_t flags = call->request.table->ref.flags;
    const uint64_t least = each && items
                               ? (items - 1) * MUR_ROW_STRIDE(flags) + MUR_ROW_WORDS(flags)
                               : items != 0;
    return array.size / 4 < least ? least : array.size / 4;
}

VkResult mur_check_predicates(const MurCall *call, const MurTypeInfo *type,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]) {
    const uint32_t words = 1u << MUR_PREDICATE_KEY_LOW |
                           (uint32_t)(type->valueSize != 0) << MUR_PREDICATE_VALUE |
                           (uint32_t)(type->storedKeySize == 8) << MUR_PREDICATE_KEY_HIGH |
                           (uint32_t)mur_can(type, MUR_TYPE_INDEXED) << MUR_PREDICATE_INDEX;
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        const uint32_t word = predicates[i].word, compare = predicates[i].compare;
        if (compare > MUR_COMPARE_GREATER_EQUAL) {
            return mur_invalid_argument(call->context, call->name,
                                        "predicates[%u].compare is %u, expected 0 to %u", i,
                                        compare, MUR_COMPARE_GREATER_EQUAL);
        }
        /* A predicate that is always true may name a word that the table type lacks. */
        if (word > MUR_PREDICATE_INDEX || (compare != MUR_COMPARE_ALWAYS && !(words >> word & 1))) {
            return mur_invalid_argument(call->context, call->name,
                                        "predicates[%u].word is %u, expected a word of the table's "
                                        "entries (MUR_PREDICATE_*)",
                                        i, word);
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
            "%s is 0x%llx, expected 0: the command takes no such array, or not for this table type",
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
    bool items = false, results = false; /* a batch without items requires no results */
    for (uint32_t i = 0; i < list->count; ++i) {
        const MurArgument *argument = &list->of[i];
        MUR_TRY(check_argument(call, argument));
        items |= argument->flags & REQUIRED && argument->count;
        results |= (argument->flags & SCRATCH) == WRITTEN && argument->array.address;
        for (uint32_t j = 0; j < i; ++j) {
            MUR_TRY(check_pair(call, argument, &list->of[j]));
        }
    }
    return results || !items || !(call->command->flags & RESULT)
               ? VK_SUCCESS
               : mur_invalid_argument(
                     call->context, call->name,
                     "values is 0 and so are all arrays of results, expected an address: "
                     "one of them is required");
}

static VkResult check_table(const MurCall *call, uint32_t needs) {
    const uint32_t flags = call->request.table->ref.flags;
    const uint32_t kernels = call->request.table->kernels;
    const MurTypeInfo *type = call->request.table->type;
    const uint32_t capability = needs & ~(uint32_t)NEEDS_OF_TABLES;
    const struct {
        uint32_t need;
        bool met;
        const char *is, *expected;
    } rules[] = {
        {NEEDS_AGES, flags & MUR_TABLE_AGES, "without ages", "MUR_TABLE_AGES among its flags"},
        {NEEDS_WORDS, MUR_ROW_WORDS(flags) != 0, "one whose rows only shaders compare",
         "MUR_ROWS among its flags"},
        {NEEDS_REHASH, kernels & MUR_KERNELS_REHASH, "without rehash",
         "murKernelsRehash() among its kernels"},
        {NEEDS_GROUP, kernels & MUR_KERNELS_GROUP, "without groups",
         "murKernelsGroup() among its kernels"},
    };
    if (call->command->flags & WRITES && call->request.table->mirrored) {
        return mur_invalid_argument(
            call->context, call->name,
            "the table is a mirror's, expected one that commands may write");
    }
    if (!mur_can(type, capability)) {
        return mur_invalid_argument(call->context, call->name,
                                    "the table is of murType%s(), expected %s", type->name,
                                    mur_capability_name(capability));
    }
    for (size_t i = 0; i < MUR_LENGTH(rules); ++i) {
        if (needs & rules[i].need && !rules[i].met) {
            return mur_invalid_argument(call->context, call->name, "the table is %s, expected %s",
                                        rules[i].is, rules[i].expected);
        }
    }
    return VK_SUCCESS;
}

VkResult mur_check_mode(const MurCall *call, uint32_t flags, bool updates) {
    static const char *const names[] = {"ASSIGN", "INSERT", "ADD", "MIN", "MAX", "OR", "UPDATE"};
    const uint32_t modes = updates ? MUR_MODE_UPDATE + 1 : MUR_MODE_UPDATE;
    const uint32_t mode = call->request.word;
    if (mode < modes && mur_offers_mode(flags, mode)) {
        return VK_SUCCESS;
    }
    char offered[80] = "";
    for (uint32_t i = 0; i < modes; ++i) {
        if (mur_offers_mode(flags, i)) {
            strcat(strcat(offered, i ? ", _" : "MUR_MODE_"), names[i]);
        }
    }
    return mur_invalid_argument(call->context, call->name,
                                "mode is %u (%s), expected one of %s for this type and empty value",
                                mode, mode <= MUR_MODE_UPDATE ? names[mode] : "unknown", offered);
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
    const bool writes = call->command->flags & WRITES;
    const uint32_t flags = table->ref.flags;
    const MurTypeInfo *type = table->type;
    const int bit = call->command->bit;
    const uint32_t key = bit & (EXTRACT | ERASE_WHERE) ? type->storedKeySize : type->keySize;
    const uint32_t value = type->valueSize;
    mur_list_object(list, source ? "destination" : "the table", table->ref.address, table->bytes,
                    writes);
    if (source) {
        mur_list_object(list, "source", source->ref.address, source->bytes, false);
    }
#include "commands.def"
    return VK_SUCCESS;
}

VkResult mur_run(const MurCall *call, MurLister *lister, MurPlanner *planner) {
    const char *parameter = call->command->parameter;
    MUR_TRY(mur_check_command(call->context, call->cmd, call->name));
    MUR_TRY(call->request.table ? check_table(call, call->command->needs) : VK_SUCCESS);
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
