/* Checks calls of commands, before anything is recorded. The files commands.def and paging.def (in
 * the folder paging) have a row per argument of each command.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_CHECK_H
#define MUR_CHECK_H

#include "../objects/objects.h"

/* A command, and its requirements: see commands.def. */
typedef struct MurCommandRow {
    const char *parameter;
    uint32_t needs, flags;
    int bit; /* 1 << the number of the command in the list */
} MurCommandRow;

/* Commands on tables. */
typedef enum MurVerb {
#define COMMAND(name, ...) MUR_VERB_##name,
#include "commands.def"
    MUR_VERB_COUNT
} MurVerb;
extern const MurCommandRow mur_table_commands[MUR_VERB_COUNT];

/* One call of a command. */
typedef struct MurCall {
    const char *name; /* name of the function, for messages */
    const MurCommandRow *command;
    MurContext context;
    VkCommandBuffer cmd;
    MurRequest request;
} MurCall;
#define MUR_CALL(row, object, ...) \
    (&(const MurCall){__func__, row, MUR_CONTEXT(object), cmd, {__VA_ARGS__}})
/* Returns a pointer to the shape (description) of an object, or NULL if the object is NULL. */
#define MUR_SHAPE(object) ((object) ? &(object)->shape : NULL)

/* An array or an object in memory that a command accesses. */
typedef struct MurArgument {
    const char *name;
    MurArray array;
    uint32_t element; /* size and alignment in bytes; 0: the array must be absent */
    uint64_t count;   /* elements that the command may access; 0: nothing is checked */
    uint32_t flags;
} MurArgument;
enum { REQUIRED = 1, WRITTEN = 2, SCRATCH = 6 };

enum { MUR_MOST_ARGUMENTS = 80 };
typedef struct MurArguments {
    uint32_t count;
    MurArgument of[MUR_MOST_ARGUMENTS];
} MurArguments;

/* Lists all memory that a call accesses, and checks its other arguments. scratch: the bytes of
 * scratch memory that the plan uses (MurPlan.scratch). */
typedef VkResult MurLister(const MurCall *call, uint64_t scratch, MurArguments *list);
MurLister mur_list_table;

/* Runs a command: checks table and struct, plans, checks the arrays (the plan has the size of
 * scratch memory), and records the plan. Rejects arrays that are missing, misaligned or too short,
 * arrays that end beyond the last address, and written arrays that overlap other arrays. */
VkResult mur_run(const MurCall *call, MurLister *lister, MurPlanner *planner);

/* Runs a command. Uses the caller's variables cmd and table. operation: MurRequest.op. */
#define MUR_RUN(VERB, given, operation, insertMode, planner)                                 \
    mur_run(MUR_CALL(&mur_table_commands[MUR_VERB_##VERB], table, .table = MUR_SHAPE(table), \
                     .info = given, .op = operation, .mode = insertMode),                    \
            mur_list_table, planner)

/* Macros for the rows of commands.def and paging.def. They use the variables call, scratch, list,
 * bit, flags and type of the MurLister that includes the file. */
#define ROW(verbs, Struct, ...)                      \
    if (bit & (verbs)) {                             \
        const Struct *const in = call->request.info; \
        __VA_ARGS__;                                 \
    }
#define LIST(...)                             \
    list->of[list->count++] = (MurArgument) { \
        __VA_ARGS__                           \
    }
#define ARRAY(verbs, Struct, member, element, number, bits) \
    ROW(verbs, Struct, LIST(#member, in->member, element, number, bits))
#define WORD(verbs, Struct, member, bits) \
    ROW(verbs, Struct, LIST(#member, {in->member, 4}, 4, 1, bits))
#define MUR_CHECK_NUMBER(...) \
    MUR_TRY(mur_check_numbers(call->context, call->name, &(const MurNumber){__VA_ARGS__}, 1))
#define NUMBER(verbs, Struct, member, most) \
    ROW(verbs, Struct, MUR_CHECK_NUMBER(#member, in->member, 0, most))
#define PREDICATES(verbs, Struct) \
    ROW(verbs, Struct, MUR_TRY(mur_check_predicates(call, type, in->predicates)))
#define PARAMETER(verbs, parameter, most)                          \
    if (bit & (verbs)) {                                           \
        MUR_CHECK_NUMBER(#parameter, call->request.word, 0, most); \
    }
#define MODE(verbs, updates)                           \
    if (bit & (verbs)) {                               \
        MUR_TRY(mur_check_mode(call, flags, updates)); \
    }

void mur_list_object(MurArguments *list, const char *name, uint64_t address, uint64_t bytes,
                     bool written);
/* Rejects modes that tables with these flags do not offer, and predicates on words that tables of
 * this type do not have. updates: the command offers MUR_MODE_UPDATE. */
VkResult mur_check_mode(const MurCall *call, uint32_t flags, bool updates);
VkResult mur_check_predicates(const MurCall *call, const MurTypeInfo *type,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]);

#endif
