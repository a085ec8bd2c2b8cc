/* Checks of commands on pagers and paged tables. Their arguments are rows of paging.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_CHECK_PAGING_H
#define MUR_CHECK_PAGING_H

#include "../device/paged.h"
#include "check.h"

typedef enum MurPagingVerb {
#define COMMAND(name, parameter) MUR_PAGING_##name,
#include "paging.def"
} MurPagingVerb;

/* One call of a command on a pager, or on a table in its pages. */
typedef struct MurPagingCall {
    const char *name; /* of the function, in messages */
    MurPagingVerb verb;
    VkCommandBuffer cmd;
    MurPager pager;
    MurPagedTable table; /* NULL: the command takes the pager alone */
    const void *info;
    uint64_t scratch; /* bytes of scratch memory that the command requires */
} MurPagingCall;
#define MUR_PAGING_CALL(VERB, of, in, given, bytes)   \
    ((const MurPagingCall){.name = __func__,          \
                           .verb = MUR_PAGING_##VERB, \
                           .cmd = cmd,                \
                           .pager = of,               \
                           .table = in,               \
                           .info = given,             \
                           .scratch = bytes})
#define MUR_TABLE_CALL(VERB, given, bytes) \
    MUR_PAGING_CALL(VERB, table ? table->pager : VK_NULL_HANDLE, table, given, bytes)

/* pager.c. Checks all of a call. */
VkResult mur_check_paging(const MurPagingCall *call);

#endif
