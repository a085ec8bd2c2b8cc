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
    MUR_VERB_COUNT
} MurVerb;

/* One call of a command on a table. */
typedef struct MurCall {
    const char *name; /* of the function, in messages */
    MurVerb verb;
    VkCommandBuffer cmd;
    MurTable table; /* moves: the destination */
    const void *info;
    uint64_t scratch;   /* bytes of scratch memory that the command requires */
    MurTable source;    /* moves only; else NULL */
    MurInsertMode mode; /* MODED commands only */
} MurCall;
#define MUR_CALL(VERB, object, given, bytes)  \
    ((const MurCall){.name = __func__,        \
                     .verb = MUR_VERB_##VERB, \
                     .cmd = cmd,              \
                     .table = object,         \
                     .info = given,           \
                     .scratch = bytes})

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

/* The struct of murCmdStats, which takes its array by value. */
typedef struct MurStatsArgument {
    MurArray stats;
} MurStatsArgument;

/* Rows of the two lists. Each uses the names call and list of the function that includes them. */
#define ROW(verbs, Struct, ...)              \
    if ((verbs) >> call->verb & 1) {         \
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
    ROW(verbs, Struct, MUR_TRY(mur_check_flags(context, call->name, #member, in->member, allowed)))
#define NUMBER(verbs, Struct, member, most) \
    ROW(verbs, Struct, MUR_TRY(mur_check_number(context, call->name, #member, in->member, 0, most)))
#define PREDICATES(verbs, Struct) \
    ROW(verbs, Struct, MUR_TRY(mur_check_predicates(context, call->name, format, in->predicates)))

/* Checks all of a call on a table; or first its objects and mode, then the struct and the memory. */
VkResult mur_check(const MurCall *call);
VkResult mur_check_objects(const MurCall *call);
VkResult mur_check_memory(const MurCall *call);

/* Rejects arrays that are missing, misaligned, too short or that end beyond the last address, and
 * written arrays that overlap another one. */
VkResult mur_check_arguments(MurContext context, const char *command, const MurArguments *list);
/* Rejects modes that tables with these flags do not offer. */
VkResult mur_check_mode(MurContext context, const char *command, uint32_t flags,
                        MurInsertMode mode);
/* Rejects predicates on words that tables of this format do not have. */
VkResult mur_check_predicates(MurContext context, const char *command, uint32_t format,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]);

#endif
