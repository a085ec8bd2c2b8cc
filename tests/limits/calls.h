/* What calls.comp writes for each key, and its push constants.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_H
#define MUR_TEST_CALLS_H

#include "support/gpu.h"

enum {
    CALL_WORDS = 21,
    CALL_SLOTS = 0,    /* nine slot indices; read-only: two */
    CALL_STATUSES = 9, /* eight statuses; read-only: one */
    CALL_ENTRY = 17    /* a status; then values, which can be anything */
};

typedef struct CallPush {
    MurTableRef table;
    VkDeviceAddress keys;
    VkDeviceAddress results;
    uint32_t count;
    uint32_t pad;
} CallPush;

/* A way to reach a table from a shader. */
typedef struct CallKernel {
    const char *name;
    const uint32_t *code;
    const size_t *codeSize;
    bool bound; /* as a storage buffer */
    bool readOnly;
} CallKernel;

enum { CALL_KERNEL_COUNT = 6 };
extern const CallKernel call_kernels[CALL_KERNEL_COUNT];

#endif
