/* What commands check before anything is planned or recorded.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_CHECK_H
#define MUR_CHECK_H

#include "../device/device.h"

/* Memory that a command is given by address. */
typedef struct MurArgument {
    const char *name;
    MurArray array;
    uint32_t
        element; /* bytes, and what the address is a multiple of; 0: the table has no such array */
    uint64_t count; /* elements that the command touches at most */
    bool required;
    bool written;
} MurArgument;

/* Refuses what is missing, misaligned, too short, or ends beyond the last address, and two that
 * overlap if one of them is written. */
VkResult mur_check_arguments(MurContext context, const char *command, const MurArgument *arguments,
                             size_t count);

MurArgument mur_table_argument(MurTable table, const char *name, bool written);
MurArgument mur_word_argument(VkDeviceAddress address, const char *name, bool written);

/* Does a table with these flags offer the mode? */
VkResult mur_check_mode(MurContext context, const char *command, uint32_t flags,
                        MurInsertMode mode);
/* The table must have been made for this, MUR_USES_*; function: what gives it. */
VkResult mur_check_use(MurTable table, const char *command, uint32_t use, const char *function);

/* For commands that place entries one after another: none is MUR_FULL while slots are free. */
VkResult mur_check_linear(MurTable table, const char *command);

/* A batch. keys are always required and read. */
typedef struct MurBatchRules {
    bool takesValues; /* required, and read */
    bool writesValues;
    bool writesTable;
    bool single;      /* one value a key: with slots, status bits, old values, flags */
    bool wantsResult; /* one of what is written, at least */
} MurBatchRules;
VkResult mur_check_batch(MurTable table, const char *command, const MurBatch *batch,
                         const MurBatchRules *rules);

/* Predicates, on a table of this format. */
VkResult mur_check_predicates(MurContext context, const char *command, uint32_t format,
                              const MurPredicate predicates[MUR_MAX_PREDICATES]);

/* pager.c. What a command is given besides a pager and its store. */
VkResult mur_check_paged_arguments(MurPager pager, const char *command,
                                   const MurArgument *arguments, uint32_t count);
/* others: memory that the command is given besides. */
VkResult mur_check_paging(MurPager pager, const char *command, const MurPaging *paging,
                          const MurArgument *others, uint32_t count);

#endif
