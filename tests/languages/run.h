/* Table memory, operations in the layout of trace.h, and a device that runs the operations by a
 * shader of a language.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_RUN_H
#define MUR_TEST_RUN_H

#include "support/gpu.h"

#include <murmuration/host.h>

#include "trace.h"

enum {
    LANGUAGE_GLSL,
    LANGUAGE_HLSL,
    LANGUAGE_WGSL,
    LANGUAGE_COUNT,
    MAX_OPERATIONS = 4096,
    MAX_IMAGE = 64 << 10,
    IN_BUCKETS = 4, /* shaders: MUR_FORMAT_*, + IN_BUCKETS if bucketed; 3 is unused */
    SHADERS = 8
};

extern const char *const languageNames[LANGUAGE_COUNT];

typedef struct Operation {
    uint32_t kind, a, b, c;
} Operation;

typedef struct Answer {
    uint32_t x, y, z, w;
} Answer;

typedef struct Run {
    Gpu *gpu;
    GpuKernel kernels[LANGUAGE_COUNT][SHADERS][2]; /* without, with writes. Created on first use */
    GpuBuffer image, operations, answers;          /* mapped to the host */
} Run;

/* Returns whether this tier runs the shader. Compilers are slow, and tests/property runs the GLSL
 * calls of the other formats. */
bool run_has(int language, uint32_t shader);

void run_open(Run *run, Gpu *gpu);
void run_close(Run *run);

/* Runs count operations on the table in the image buffer, bounded by ref, and waits. alone: one
 * invocation runs them in order; otherwise each has its own. The results are in run->answers. */
void run_operations(Run *run, int language, uint32_t shader, bool writes, const MurTableRef *ref,
                    const Operation *operations, uint32_t count, bool alone);

/* Creates an empty table in memory of MAX_IMAGE bytes. */
MurHostTable run_table(void *memory, const MurTableCreateInfo *info);
size_t run_image_size(const MurHostTable *table);

#endif
