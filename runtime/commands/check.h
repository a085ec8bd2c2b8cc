/* Checks of commands, before anything is planned or recorded. The arguments of each command are
 * rows of commands.def and paging.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_CHECK_H
#define MUR_CHECK_H

#include "../device/device.h"

typedef enum MurVerb {
#define COMMAND(name, ...) MUR_VERB_##name,
#include "commands.def"
#define COMMAND(name, ...) MUR_VERB_##name,
#include "paging.def"
} MurVerb;

/* One call of a command. */
typedef struct MurCall {
    const char *name; /* of the function, in messages */
    MurVerb verb;
    MurContext context;
    VkCommandBuffer cmd;
    const void *info; /* the struct, or NULL */
    uint64_t scratch; /* bytes of scratch memory that the command requires */
    uint32_t word;    /* the insert mode, content, flags or priority */
    MurTable table;   /* moves: the destination */
    MurTable source;  /* moves only; else NULL */
    MurPager pager;   /* paged.c: the table's */
    MurPagedTable paged;
} MurCall;
#define MUR_CALL(VERB, object, given, bytes, ...)     \
    (&(const MurCall){.name = __func__,               \
                      .verb = MUR_VERB_##VERB,        \
                      .context = MUR_CONTEXT(object), \
                      .cmd = cmd,                     \
                      .info = given,                  \
                      .scratch = bytes,               \
                      __VA_ARGS__})

/* Checks a call, makes a plan, and records it: the body of a command. planned: an expression that
 * fills plan. */
#define MUR_RUN(object, checked, planned)                           \
    do {                                                            \
        MUR_TRY(checked);                                           \
        MurPlan plan;                                               \
        planned;                                                    \
        return mur_record((object)->context, cmd, __func__, &plan); \
    } while (0)

/* Memory that a command accesses. */
typedef struct MurArgument {
    const char *name;
    MurArray array;
    uint32_t element; /* bytes, and alignment; 0: no such array is allowed */
    uint64_t count;   /* elements that the command accesses at most; 0: not checked */
    uint32_t flags;
} MurArgument;
enum { REQUIRED = 1, WRITTEN = 2, SCRATCH = 6 };

enum { MUR_MOST_ARGUMENTS = 16 };
typedef struct MurArguments {
    uint32_t count;
    MurArgument of[MUR_MOST_ARGUMENTS];
} MurArguments;

/* The info of murCmdStats, which takes its array by value. */
typedef struct MurStatsArgument {
    MurArray stats;
} MurStatsArgument;

/* Rows of the two lists. Each uses the names call, bit, list, flags and format. */
#define ROW(verbs, Struct, ...)              \
    if (bit & (verbs)) {                     \
        const Struct *const in = call->info; \
        __VA_ARGS__;                         \
    }
#define ARRAY(verbs, Struct, member, element, number, bits) \
    ROW(verbs, Struct,                                      \
        list->of[list->count++] = (MurArgument){#member, in->member, element, number, bits})
#define WORD(verbs, Struct, member, bits) \
    ROW(verbs, Struct,                    \
        list->of[list->count++] = (MurArgument){#member, {in->member, 4}, 4, 1, bits})
#define BITS(verbs, Struct, member, allowed) \
    ROW(verbs, Struct,                       \
        MUR_TRY(mur_check_flags(call->context, call->name, #member, in->member, allowed)))
#define NUMBER(verbs, Struct, member, most) \
    ROW(verbs, Struct,                      \
        MUR_TRY(mur_check_number(call->context, call->name, #member, in->member, 0, most)))
#define PREDICATES(verbs, Struct) \
    ROW(verbs, Struct, MUR_TRY(mur_check_predicates(call, format, in->predicates)))
#define PARAMETER(verbs, parameter, most)                                                      \
    if (bit & (verbs)) {                                                                       \
        MUR_TRY(mur_check_number(call->context, call->name, #parameter, call->word, 0, most)); \
    }
#define MODE(verbs)                           \
    if (bit & (verbs)) {                      \
        MUR_TRY(mur_check_mode(call, flags)); \
    }

/* Checks all of a call on a table. */
VkResult mur_check(const MurCall *call);
/* pager.c. Checks all of a call on a pager or on a paged table. */
VkResult mur_check_paging(const MurCall *call);

/* Checks the struct of a call and the memory of list, to which rows adds the arguments. Rejects
 * arrays that are missing, misaligned, too short or that end beyond the last address, and written
 * arrays that overlap another one. */
typedef VkResult MurRows(const MurCall *call, MurArguments *list);
VkResult mur_check_memory(const MurCall *call, MurArguments *list, MurRows *rows);
MurArgument mur_object(const char *name, uint64_t address, uint64_t bytes, bool written);
/* Rejects modes that tables with these flags do not offer, and predicates on words that tables of
 * this format do not have. */
VkResult mur_check_mode(const MurCall *call, uint32_t flags);
VkResult mur_check_predicates(const MurCall *call, uint32_t format,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]);

#endif
