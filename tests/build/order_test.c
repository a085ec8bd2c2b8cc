/* Who relies on MUR_STATE_ORDERED: plain lookups, by every way to reach the table; never coherent
 * ones, and nobody while clusters wrap.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <string.h>

GPU_SPIRV(lookup_address_plain);
GPU_SPIRV(lookup_address_coherent);
GPU_SPIRV(lookup_buffer_plain);
GPU_SPIRV(lookup_buffer_coherent);

/* Two keys of one home slot, the last of its sector, the larger hash inserted first: a lookup of
 * the smaller one that believes in the order stops at the larger. */
enum { CAPACITY = 1024, HOME = 7, SMALLER = HOME * (1 << 22), KEYS = 2 };

typedef struct Push {
    MurTableRef table;
    uint32_t count;
} Push;

typedef struct Lookup {
    const char *name;
    const uint32_t *code; /* NULL: murCmdFind */
    const size_t *size;
    bool bound;
    bool plain;
} Lookup;

static const Lookup lookups[] = {
    {"murCmdFind", NULL, NULL, false, true},
    {"address, plain", lookup_address_plain, &lookup_address_plain_size, false, true},
    {"address, coherent", lookup_address_coherent, &lookup_address_coherent_size, false, false},
    {"buffer, plain", lookup_buffer_plain, &lookup_buffer_plain_size, true, true},
    {"buffer, coherent", lookup_buffer_coherent, &lookup_buffer_coherent_size, true, false},
};

static void look_up(Gpu *gpu, MurTable table, const Lookup *lookup, const GpuBuffer *keys,
                    const GpuBuffer *results) {
    memset(results->mapped, 0x55, 4 * KEYS);
    if (!lookup->code) {
        const MurBatch batch = {
            .maxCount = KEYS, .keys = gpu_array(keys), .values = gpu_array(results)};
        gpu_begin(gpu);
        gpu_require(murCmdFind(gpu->cmd, table, &batch));
        gpu_submit(gpu);
        return;
    }
    GpuKernel kernel = gpu_kernel(gpu, lookup->code, *lookup->size, sizeof(Push), 3);
    gpu_bind(gpu, &kernel, 0, murGetTableMemory(table));
    gpu_bind(gpu, &kernel, 1, (MurBufferRange){keys->buffer, 0, VK_WHOLE_SIZE});
    gpu_bind(gpu, &kernel, 2, (MurBufferRange){results->buffer, 0, VK_WHOLE_SIZE});
    const Push push = {murGetTableRef(table), KEYS};
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &push, 1);
    gpu_submit(gpu);
    gpu_kernel_free(gpu, &kernel);
}

static void set_state(Gpu *gpu, MurTable table, uint32_t state) {
    const MurBufferRange memory = murGetTableMemory(table);
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, memory.buffer, memory.offset + 4 * MUR_HEADER_STATE, 4, state);
    gpu_submit(gpu);
}

static void plain_lookups_alone_rely_on_order(void **state) {
    Gpu *gpu = *state;
    const MurTableCreateInfo info = {.capacity = CAPACITY, .atomicWidth = MUR_ATOMIC_WIDTH_32};
    MurTable table = gpu_table(gpu, &info);
    GpuBuffer keys = gpu_buffer(gpu, 4 * KEYS);
    GpuBuffer results = gpu_buffer(gpu, 4 * KEYS);
    uint32_t *key = keys.mapped;
    key[0] = mur_key(SMALLER, 0);
    key[1] = mur_key(SMALLER + 1, 0);
    for (uint32_t i = KEYS; i-- != 0;) { /* the larger first */
        gpu_require(
            murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, 1, &key[i], &i, NULL, NULL));
    }
    static const uint32_t states[] = {0, MUR_STATE_ORDERED, MUR_STATE_ORDERED | MUR_STATE_WRAPPED};
    for (int s = 0; s < 3; ++s) {
        set_state(gpu, table, states[s]);
        for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; ++i) {
            look_up(gpu, table, &lookups[i], &keys, &results);
            const uint32_t *value = results.mapped;
            const bool stops = states[s] == MUR_STATE_ORDERED && lookups[i].plain;
            if (value[0] != (stops ? UINT32_MAX : 0) || value[1] != 1) {
                fail_msg("%s, state %u: got %u and %u", lookups[i].name, states[s], value[0],
                         value[1]);
            }
        }
    }
    gpu_free(gpu, &keys);
    gpu_free(gpu, &results);
    murDestroyTable(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {gpu_test(plain_lookups_alone_rely_on_order)};
    return cmocka_run_group_tests_name("order", tests, gpu_group_setup, gpu_group_teardown);
}
