/* Tests lookups in tables with and without MUR_STATE_ORDERED. With every access to the table, plain
 * lookups rely on the flag and stop early, unless a cluster wraps. Coherent lookups never rely on
 * it. All lookups read up to the probe limit, whether the table is sorted or not.
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <string.h>

GPU_SPIRV(lookup_address_plain);
GPU_SPIRV(lookup_address_coherent);
GPU_SPIRV(lookup_buffer_plain);
GPU_SPIRV(lookup_buffer_coherent);

/* Two keys have the same home slot, the last of its sector. The key with the larger hash is
 * inserted first. A lookup that relies on sorted slots stops there and misses the smaller hash. */
enum { CAPACITY = 1024, HOME = 7, SMALLER = HOME * (1 << 22), KEYS = 2 };
/* Keys of one home slot, sorted by hash. Some probe limits allow fewer keys. */
enum { ROW_HOME = 10, ROW_FIRST = ROW_HOME * (1 << 22), ROW = 40 };

typedef struct Push {
    MurTableRef table;
    uint32_t count;
} Push;

typedef struct Lookup {
    const char *name;
    const uint32_t *code; /* shader of the lookup; NULL means murCmdFind */
    const size_t *size;
    bool plain;
} Lookup;

static const Lookup lookups[] = {
    {"murCmdFind", NULL, NULL, true},
    {"address, plain", lookup_address_plain, &lookup_address_plain_size, true},
    {"address, coherent", lookup_address_coherent, &lookup_address_coherent_size, false},
    {"buffer, plain", lookup_buffer_plain, &lookup_buffer_plain_size, true},
    {"buffer, coherent", lookup_buffer_coherent, &lookup_buffer_coherent_size, false},
};

/* Looks up all keys of the buffer. */
static void look_up(Gpu *gpu, MurTable table, const Lookup *lookup, const GpuBuffer *keys,
                    const GpuBuffer *results) {
    const uint32_t count = (uint32_t)(keys->size / 4);
    memset(results->mapped, 0x55, 4 * (size_t)count);
    if (!lookup->code) {
        const MurBatch batch = {
            .maxCount = count, .keys = gpu_array(keys), .values = gpu_array(results)};
        GPU_RUN(gpu, murCmdFind(gpu->cmd, table, &batch));
        return;
    }
    GpuKernel kernel = gpu_kernel(gpu, lookup->code, *lookup->size, sizeof(Push), 3);
    gpu_bind(gpu, &kernel, 0, murGetTableMemory(table));
    gpu_bind(gpu, &kernel, 1, (MurBufferRange){keys->buffer, 0, VK_WHOLE_SIZE});
    gpu_bind(gpu, &kernel, 2, (MurBufferRange){results->buffer, 0, VK_WHOLE_SIZE});
    const Push push = {murGetTableRef(table), count};
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &push, 1);
    gpu_submit(gpu);
}

static void set_state(Gpu *gpu, MurTable table, uint32_t state) {
    const MurBufferRange memory = murGetTableMemory(table);
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, memory.buffer, memory.offset + 4 * MUR_HEADER_STATE, 4, state);
    gpu_submit(gpu);
}

GPU_TEST(only_plain_lookups_rely_on_order) {
    MurTable table = GPU_TABLE(gpu, .capacity = CAPACITY, .atomicWidth = MUR_ATOMIC_WIDTH_32);
    GpuBuffer keys = gpu_buffer(gpu, 4 * KEYS);
    GpuBuffer results = gpu_buffer(gpu, 4 * KEYS);
    uint32_t *key = keys.mapped;
    key[0] = mur_key(SMALLER, 0);
    key[1] = mur_key(SMALLER + 1, 0);
    for (uint32_t i = KEYS; i-- != 0;) { /* the larger hash comes first */
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

/* Writes each key and its value to the slot that it would have without the table's probe limit. */
static void put_row(Gpu *gpu, MurTable table) {
    const MurBufferRange memory = murGetTableMemory(table);
    uint32_t pairs[2 * ROW];
    for (uint32_t i = 0; i < ROW; ++i) {
        pairs[2 * i] = ROW_FIRST + i;
        pairs[2 * i + 1] = i;
    }
    gpu_begin(gpu);
    vkCmdUpdateBuffer(gpu->cmd, memory.buffer,
                      memory.offset + MUR_HEADER_SIZE + ROW_HOME * MUR_SLOT_SIZE, sizeof pairs,
                      pairs);
    gpu_submit(gpu);
}

static void expect_reach(Gpu *gpu, MurTable table, const GpuBuffer *keys,
                         const GpuBuffer *results) {
    const uint32_t sectors = murGetTableRef(table).probeSectors;
    const uint32_t end = MUR_SECTOR_SLOTS * (ROW_HOME / MUR_SECTOR_SLOTS + sectors) - ROW_HOME;
    const uint32_t *value = results->mapped;
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; ++i) {
        look_up(gpu, table, &lookups[i], keys, results);
        for (uint32_t k = 0; k < ROW; ++k) {
            if (value[k] != (k < end ? k : UINT32_MAX)) {
                fail_msg("%s, %u sectors: key %u of the row: got %u", lookups[i].name, sectors, k,
                         value[k]);
            }
        }
    }
}

GPU_TEST(lookups_end_at_the_probe_limit) {
    GpuBuffer keys = gpu_buffer(gpu, 4 * ROW);
    GpuBuffer results = gpu_buffer(gpu, 4 * ROW);
    for (uint32_t i = 0; i < ROW; ++i) {
        ((uint32_t *)keys.mapped)[i] = mur_key(ROW_FIRST + i, 0);
    }
    for (uint32_t limit = 1; limit <= 2 * ROW; limit += limit < 16 ? 4 : 29) {
        MurTable table = GPU_TABLE(gpu, .capacity = CAPACITY, .atomicWidth = MUR_ATOMIC_WIDTH_32,
                                   .probeLimit = limit);
        put_row(gpu, table);
        expect_reach(gpu, table, &keys, &results);
        set_state(gpu, table, MUR_STATE_ORDERED);
        expect_reach(gpu, table, &keys, &results);
        murDestroyTable(table);
    }
    gpu_free(gpu, &keys);
    gpu_free(gpu, &results);
}
