/* Random changes of a multi-value table, each on the GPU or in host memory.
 * SPDX-License-Identifier: MIT */
#include "multi.h"
#include "support/seed.h"

#include <stdlib.h>

enum { KEYS = 24, STEPS = 25, STEP_KINDS = 10, BATCH = 300 };

/* Inserts values until a key has as many as a workgroup or a single invocation processes, or one
 * more or fewer. */
static void fill_up(Multi *multi, Random *random, uint32_t key) {
    static const uint32_t lengths[] = {15, 16, 17, 255, 256, 257, 600};
    const uint32_t length = lengths[random_below(random, 7)];
    MultiPair pairs[600];
    uint32_t count = 0;
    for (uint32_t has = multi_model_count(multi, key); has < length; ++has) {
        pairs[count++] = (MultiPair){key, 1000 + has};
    }
    if (count) {
        multi_insert(multi, count, pairs);
    }
}

/* Moves the entries to a table of another capacity, and perhaps with another seed and width. The
 * counters of failed inserts begin at 0, as after a compaction. */
static void move(Multi *multi, Random *random) {
    Gpu *gpu = multi->gpu;
    const Way way = gpu->way;
    const MurTable from = multi->table;
    const bool wide = random_below(random, 2) &&
                      gpu_offers(gpu, MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64);
    multi->table = multi_table(gpu, 10000 + random_below(random, 10000),
                               wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32, 0,
                               random_below(random, 2) ? MULTI_SEED : 123456789);
    gpu_take(gpu, random_below(random, 2) ? WAY_STREAM : way);
    GPU_RUN(gpu, murCmdRehash(gpu->cmd, from, multi->table, NULL));
    gpu_take(gpu, way);
    murDestroyTable(from);
    multi->full = multi->refused = 0;
}

static void compact(Multi *multi) {
    Gpu *gpu = multi->gpu;
    GpuBuffer scratch = gpu_device_buffer(
        gpu, murGetScratchSize(multi->table, MUR_COMMAND_COMPACT, 0, NULL));
    const MurRehash arguments = {.scratch = gpu_array(&scratch)};
    GPU_RUN(gpu, murCmdCompact(gpu->cmd, multi->table, &arguments));
    gpu_free(gpu, &scratch);
    multi->full = multi->refused = 0;
}

/* Inserts or erases random pairs. */
static void change(Multi *multi, Random *random, const uint32_t *keys) {
    MultiPair pairs[BATCH];
    uint32_t erased[3];
    const uint32_t count = random_below(random, BATCH) + 1;
    const uint32_t values = random_below(random, 5) ? 40 : 1; /* 1: many copies of a pair */
    for (uint32_t i = 0; i < count; ++i) {
        /* small key numbers are more frequent */
        const uint32_t k = random_below(random, random_below(random, KEYS) + 1);
        const uint32_t value = random_below(random, values);
        pairs[i] = (MultiPair){keys[k], random_below(random, 100) ? value : UINT32_MAX};
    }
    for (uint32_t i = 0; i < 3; ++i) {
        erased[i] = keys[random_below(random, KEYS)];
    }
    switch (random_below(random, 5)) {
    case 0:
        multi_erase_keys(multi, 3, erased);
        break;
    case 1:
    case 2:
        multi_erase(multi, count, pairs);
        break;
    default:
        multi_insert(multi, count, pairs);
        break;
    }
}

/* Changes a copy in host memory twice, and replaces the table's memory by it. */
static void change_on_host(Multi *multi, Random *random, const uint32_t *keys) {
    uint64_t size;
    void *image = multi_download(multi, &size);
    MurHostTable host;
    gpu_require(murHostAttach(image, size, &host));
    multi->host = &host;
    multi_require_same(multi, KEYS, keys);
    change(multi, random, keys);
    change(multi, random, keys);
    multi_require_same(multi, KEYS, keys);
    multi->host = NULL;
    gpu_require(murBlockingUpload(multi->gpu->blocking, multi->table, image, size));
    free(image);
}

void multi_random_sequence(Multi *multi, uint64_t seed) {
    seed = test_seed(seed);
    print_message("seed %llu\n", (unsigned long long)seed);
    Random random = {seed};
    uint32_t keys[KEYS];
    static const uint32_t special[] = {UINT32_MAX, MUR_TOMB, 0x80000000u, 1};
    for (uint32_t i = 0; i < KEYS; ++i) {
        keys[i] = i < 4 ? special[i] : 3 * (i - 4);
    }
    for (uint32_t step = 0; step < STEPS; ++step) {
        multi_require_same(multi, KEYS, keys);
        switch (multi->byShaders ? STEP_KINDS : random_below(&random, STEP_KINDS)) {
        case 0:
            move(multi, &random);
            break;
        case 1:
            compact(multi);
            break;
        case 2:
            change_on_host(multi, &random, keys);
            break;
        case 3:
            fill_up(multi, &random, keys[random_below(&random, KEYS)]);
            break;
        default:
            change(multi, &random, keys);
            break;
        }
    }
    multi_require_same(multi, KEYS, keys);
    assert_int_equal(multi->full, 0);
}
