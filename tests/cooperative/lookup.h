/* Looking keys up in a shader, together and alone, in each of its variants.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_LOOKUP_H
#define MUR_TEST_LOOKUP_H

#include "support/gpu.h"

/* As in lookup.comp. */
typedef struct Query {
    uint32_t key;
    uint32_t wanted;
} Query;

typedef struct Answer {
    uint32_t slot, value;
    uint32_t found, foundValue;
    uint32_t aloneSlot, aloneValue;
    uint32_t lanes, subgroup;
} Answer;

typedef struct Variant {
    const char *name;
    const uint32_t *code;
    const size_t *size;
    uint32_t group; /* invocations a workgroup */
    bool coherent;  /* does not rely on the order of a table */
    bool full;      /* all subgroups may have all their lanes */
} Variant;

enum { VARIANT_COUNT = 13, MOST_QUERIES = 4096 };
extern const Variant variants[VARIANT_COUNT];

/* The kernels of all variants, and buffers for queries and answers. */
typedef struct Lookup {
    Gpu *gpu;
    GpuKernel kernels[VARIANT_COUNT];
    GpuBuffer queries;
    GpuBuffer answers;
} Lookup;

void lookup_open(Lookup *lookup, Gpu *gpu);
void lookup_close(Lookup *lookup);
Query *lookup_queries(const Lookup *lookup);
/* Answers the first count queries. ref: the table's own, or one with another probe limit. Fails the
 * test if subgroups are not filled as the variant says. what: for messages. */
const Answer *lookup_run(Lookup *lookup, uint32_t variant, MurBufferRange memory, MurTableRef ref,
                         uint32_t count, const char *what);
/* Fails the test unless query i was answered so, together and alone. slot MUR_NO_SLOT: no entry. */
void lookup_expect(const Lookup *lookup, uint32_t variant, MurTableRef ref, uint32_t i,
                   uint32_t slot, uint32_t value, const char *what);

int run_image_tests(void);
int run_table_tests(void);
int run_path_tests(void);

#endif
