/* What calls.comp writes for each key, and its push constants.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALLS_H
#define MUR_TEST_CALLS_H

#include "support/gpu.h"

enum {
    CALL_WORDS = 21, /* a value, which can be anything, then pairs of a status and a slot */
    CALL_PAIRS = 10,
    CALL_LOOKUPS = 4 /* pairs of a read-only shader */
};

typedef struct CallPush {
    MurTableRef table;
    VkDeviceAddress keys;
    VkDeviceAddress results;
    uint32_t count;
    uint32_t modes;
} CallPush;

/* A way to reach a table from a shader. */
typedef struct CallKernel {
    const char *name;
    const uint32_t *code;
    const size_t *codeSize;
    bool bound; /* as a storage buffer */
    bool readOnly;
    bool wide; /* 64-bit atomics */
} CallKernel;

enum { CALL_KERNEL_COUNT = 6 };
extern const CallKernel call_kernels[CALL_KERNEL_COUNT];

#endif
