/* SPDX-License-Identifier: MIT */
#include "lookup.h"

#include <string.h>

#define LOOKUPS(X)                    \
    X(plain, 64, false, true)         \
    X(coherent, 64, true, true)       \
    X(bound_plain, 64, false, true)   \
    X(bound_coherent, 64, true, true) \
    X(shared_out, 64, false, true)    \
    X(pairs, 64, false, true)         \
    X(fours, 64, false, true)         \
    X(eights, 64, false, true)        \
    X(whole, 64, false, true)         \
    X(partial_3, 3, false, false)     \
    X(partial_13, 13, false, false)   \
    X(partial_100, 100, true, false)  \
    X(gaps, 64, false, false)

#define DECLARE(name, group, coherent, full) GPU_SPIRV(lookup_##name);
LOOKUPS(DECLARE)

#define VARIANT(name, group, coherent, full) \
    {#name, lookup_##name, &lookup_##name##_size, group, coherent, full},
const Variant variants[VARIANT_COUNT] = {LOOKUPS(VARIANT)};

typedef struct Push {
    MurTableRef table;
    uint32_t count;
} Push;

void lookup_open(Lookup *lookup, Gpu *gpu) {
    *lookup = (Lookup){.gpu = gpu};
    lookup->queries = gpu_buffer(gpu, MOST_QUERIES * sizeof(Query));
    lookup->answers = gpu_buffer(gpu, MOST_QUERIES * sizeof(Answer));
    for (uint32_t v = 0; v < VARIANT_COUNT; ++v) {
        lookup->kernels[v] = gpu_kernel(gpu, variants[v].code, *variants[v].size, sizeof(Push), 3);
    }
}

void lookup_close(Lookup *lookup) {
    for (uint32_t v = 0; v < VARIANT_COUNT; ++v) {
        gpu_kernel_free(lookup->gpu, &lookup->kernels[v]);
    }
    gpu_free(lookup->gpu, &lookup->queries);
    gpu_free(lookup->gpu, &lookup->answers);
}

Query *lookup_queries(const Lookup *lookup) {
    return lookup->queries.mapped;
}

/* A variant for subgroups with lanes missing must have met one, in a workgroup without
 * invocations that answer nothing. */
static void check_filling(const Variant *variant, const Answer *answers, uint32_t count,
                          const char *what) {
    bool partial = false;
    for (uint32_t i = 0; i < count; ++i) {
        partial = partial || answers[i].lanes < answers[i].subgroup;
    }
    if (count >= variant->group && !variant->full && !partial) {
        fail_msg("%s, %s: all subgroups of %u are full", what, variant->name, answers->subgroup);
    }
}

const Answer *lookup_run(Lookup *lookup, uint32_t variant, MurBufferRange memory, MurTableRef ref,
                         uint32_t count, const char *what) {
    Gpu *gpu = lookup->gpu;
    GpuKernel *kernel = &lookup->kernels[variant];
    const uint32_t group = variants[variant].group;
    assert_true(count <= MOST_QUERIES);
    memset(lookup->answers.mapped, 0x5A, count * sizeof(Answer));
    gpu_bind(gpu, kernel, 0, memory);
    gpu_bind(gpu, kernel, 1, (MurBufferRange){lookup->queries.buffer, 0, VK_WHOLE_SIZE});
    gpu_bind(gpu, kernel, 2, (MurBufferRange){lookup->answers.buffer, 0, VK_WHOLE_SIZE});
    const Push push = {ref, count};
    gpu_begin(gpu);
    gpu_dispatch(gpu, kernel, &push, (count + group - 1) / group);
    gpu_submit(gpu);
    check_filling(&variants[variant], lookup->answers.mapped, count, what);
    return lookup->answers.mapped;
}

void lookup_expect(const Lookup *lookup, uint32_t variant, MurTableRef ref, uint32_t i,
                   uint32_t slot, uint32_t value, const char *what) {
    const uint32_t none = (ref.flags & MUR_TABLE_ZERO) != 0 ? 0 : UINT32_MAX;
    const Query *query = &lookup_queries(lookup)[i];
    const Answer *got = &((const Answer *)lookup->answers.mapped)[i];
    const bool found = slot != MUR_NO_SLOT;
    const uint32_t wantedSlot = query->wanted ? slot : MUR_NO_SLOT;
    const uint32_t wantedValue = query->wanted && found ? value : none;
    if (got->slot != wantedSlot || got->value != wantedValue ||
        got->found != (query->wanted && found) || got->foundValue != wantedValue) {
        fail_msg(
            "%s, %s: query %u, key 0x%08x%s, hash 0x%08x, probe of %u sectors: expected slot %u, "
            "value %u, got slot %u, value %u; found %u, value %u (%u of %u lanes)",
            what, variants[variant].name, i, query->key, query->wanted ? "" : " (not wanted)",
            mur_hash(query->key, ref.seed), ref.probeSectors, wantedSlot, wantedValue, got->slot,
            got->value, got->found, got->foundValue, got->lanes, got->subgroup);
    }
    if (got->aloneSlot != slot || got->aloneValue != (found ? value : none)) {
        fail_msg(
            "%s, %s: query %u, key 0x%08x alone: expected slot %u, value %u, got slot %u, value %u",
            what, variants[variant].name, i, query->key, slot, value, got->aloneSlot,
            got->aloneValue);
    }
}
