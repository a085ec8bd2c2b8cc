/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include "oracle/keys.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

#define STORMS(X)       \
    X(address)          \
    X(buffer)           \
    X(address_combined) \
    X(buffer_combined)  \
    X(buckets)
#define STORM_SPIRV(name)         \
    GPU_SPIRV(storm_##name##_32); \
    GPU_SPIRV(storm_##name##_64);
STORMS(STORM_SPIRV)

enum { IMAGE_SLOTS = 2 * TRIAL_KEYS };

int arena_setup(void **state) {
    Arena *arena = test_allocate(sizeof *arena);
    Gpu *gpu = &arena->gpu;
    gpu_open(gpu);
    arena->keys = gpu_buffer(gpu, 4 * TRIAL_OPERATIONS);
    arena->values = gpu_buffer(gpu, 4 * TRIAL_OPERATIONS);
    arena->slots = gpu_buffer(gpu, 4 * TRIAL_OPERATIONS);
    arena->statuses = gpu_buffer(gpu, 4 * TRIAL_OPERATIONS);
    arena->olds = gpu_buffer(gpu, 4 * TRIAL_OPERATIONS);
    arena->tickets = gpu_buffer(gpu, 4);
    arena->records = gpu_device_buffer(gpu, sizeof(StormRecord) * TRIAL_OPERATIONS);
    arena->recordsRead = gpu_buffer(gpu, sizeof(StormRecord) * TRIAL_OPERATIONS);
    arena->image = gpu_buffer(gpu, MUR_HEADER_SIZE + 8 * IMAGE_SLOTS);
    *state = arena;
    return 0;
}

int arena_teardown(void **state) {
    Arena *arena = *state;
    Gpu *gpu = &arena->gpu;
    GpuBuffer *buffers[] = {&arena->keys,        &arena->values, &arena->slots,
                            &arena->statuses,    &arena->olds,   &arena->tickets,
                            &arena->recordsRead, &arena->image,  &arena->records};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        gpu_free(gpu, buffers[i]);
    }
    gpu_close(gpu);
    free(arena);
    return 0;
}

Trial cell_trial(const Cell *cell, MurAtomicWidth width, uint64_t seed) {
    return (Trial){.name = cell->name,
                   .mix = storm_mix(cell->mix),
                   .scheme = cell->scheme,
                   .pattern = cell->pattern,
                   .reserved = cell->reserved,
                   .present = cell->present,
                   .width = width,
                   .wideShader = width == MUR_ATOMIC_WIDTH_64,
                   .seed = seed};
}

uint32_t trial_operations(void) {
    return test_full() ? TRIAL_OPERATIONS : TRIAL_OPERATIONS / 4;
}

bool trial_combines(bool bound, bool wideShader, bool other) {
    return (bound != wideShader) != (other && test_full());
}

bool trial_has(const Trial *trial, uint32_t op) {
    for (uint32_t i = 0; i < 8; ++i) {
        if (((trial->mix >> (4 * i)) & 15u) == op) {
            return true;
        }
    }
    return false;
}

uint32_t trial_none(const Trial *trial) {
    return trial->reserved == MUR_EMPTY_VALUE_ZERO ? 0 : UINT32_MAX;
}

void trial_describe(const Trial *trial) {
    print_error(
        "trial \"%s\": %u keys, capacity %u, %s%s, %d-bit table, %s shader, mix 0x%08x, scheme "
        "%u, pattern %u, seed 0x%llx\n",
        trial->name, trial->keyCount, trial->ref.capacity,
        trial->buckets ? "buckets"
        : trial->bound ? "bound buffer"
                       : "device address",
        trial->combines ? ", combined" : "", (int)trial->width,
        trial->wideShader ? "64-bit" : "32-bit", trial->mix, trial->scheme, trial->pattern,
        (unsigned long long)trial->seed);
}

static bool names_slots(const Trial *trial) {
    return trial_has(trial, STORM_EXCHANGE) || trial_has(trial, STORM_TAKE) ||
           trial_has(trial, STORM_COMPARE);
}

/* Makes groups of keys that have one home slot and race for the same slots. Few keys form one
 * group, whose home is the last slot before the padding, so that probes wrap. Many keys form
 * adjacent groups of 16, or of 24 (more than the slots of a bucket) if not every key needs a slot.
 * The second key has the sentinel hash. */
static void make_keys(Trial *trial, uint32_t tableSeed) {
    const bool large = trial->buckets && trial->keyCount <= 256 && !names_slots(trial);
    uint32_t crowd = trial->keyCount <= 32 ? trial->keyCount : large ? 24 : 16;
    uint32_t crowds = (trial->keyCount + crowd - 1) / crowd;
    uint32_t spacing = trial->capacity / crowds;
    for (uint32_t i = 0; i < trial->keyCount; ++i) {
        uint32_t home = trial->capacity - 1 - (i / crowd) * spacing;
        uint32_t hash = i == 1 ? MUR_EMPTY : first_word(trial->capacity, home) + i % crowd;
        trial->keys[i] = mur_key(hash, tableSeed);
    }
}

/* Inserts the initially present keys. If the storm has operations by slot, all other keys also get
 * slots, and are erased again. */
static void fill_table(Arena *arena, Trial *trial, MurTable table) {
    Gpu *gpu = &arena->gpu;
    uint32_t none = trial_none(trial);
    uint32_t count = trial->keyCount;
    uint32_t *values = arena->values.mapped;
    uint32_t *slots = arena->slots.mapped;
    for (uint32_t i = 0; i < count; ++i) {
        bool present = trial->present && i % trial->present == trial->present - 1;
        values[i] = storm_value(trial->scheme, trial->operations, trial->keys[i]);
        trial->initial[i] = present ? values[i] : none;
    }
    if (names_slots(trial)) {
        gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, count, trial->keys,
                                      values, NULL, slots));
        gpu_require(murBlockingErase(gpu->blocking, table, count, trial->keys, NULL, NULL, NULL));
    }
    uint32_t *chosen = malloc(2 * sizeof *chosen * (count + 1));
    uint32_t chosenCount = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (trial->initial[i] != none) {
            chosen[chosenCount] = trial->keys[i];
            chosen[count + 1 + chosenCount++] = values[i];
        }
    }
    if (chosenCount) {
        gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, chosenCount, chosen,
                                      chosen + count + 1, NULL, NULL));
    }
    free(chosen);
}

/* Sets MUR_STATE_ORDERED (sorted by hash) in an empty table. A clear does not set it. The first
 * insert of a key must clear it. */
static void declare_ordered(Gpu *gpu, MurTable table) {
    MurBufferRange memory = murGetTableMemory(table);
    gpu_begin(gpu);
    gpu_barrier(gpu);
    vkCmdFillBuffer(gpu->cmd, memory.buffer, memory.offset + 4 * MUR_HEADER_STATE, 4,
                    MUR_STATE_ORDERED);
    gpu_submit(gpu);
}

MurTable trial_begin(Arena *arena, Trial *trial) {
    assert_true(trial->keyCount <= TRIAL_KEYS);
    trial->operations = trial_operations();
    trial->rounds = TRIAL_ROUNDS;
    if (trial->capacity == 0) {
        trial->capacity = trial->keyCount +
                          (trial->buckets ? trial->keyCount + 1000 : trial->keyCount / 8 + 1);
    }
    Random random = {test_seed(trial->seed)};
    const MurTableCreateInfo info = {
        .capacity = trial->capacity,
        .seed = (uint32_t)random_next(&random),
        .emptyValue = trial->reserved,
        .atomicWidth = trial->width,
        .probeLimit = trial->probeLimit ? trial->probeLimit : UINT64_MAX,
        .type = format_type(MUR_FORMAT_K32V32, trial->buckets ? MUR_TABLE_BUCKETS : 0),
    };
    MurTable table = gpu_table(&arena->gpu, &info);
    if (!trial->buckets) {
        declare_ordered(&arena->gpu, table);
    }
    trial->ref = murGetTableRef(table);
    trial->keys = malloc(sizeof *trial->keys * trial->keyCount);
    trial->initial = malloc(sizeof *trial->initial * trial->keyCount);
    trial->records = malloc(sizeof *trial->records * trial->operations);
    trial->found = malloc(sizeof *trial->found * trial->keyCount);
    assert_true(trial->ref.slotCount <= IMAGE_SLOTS);
    const OracleConfig config = {.capacity = trial->capacity,
                                 .slotCount = trial->ref.slotCount,
                                 .seed = info.seed,
                                 .probeLimit = info.probeLimit,
                                 .flags = trial->buckets ? MUR_TABLE_BUCKETS : 0,
                                 .zero = trial->reserved == MUR_EMPTY_VALUE_ZERO};
    oracle_open(&trial->table, &config);
    make_keys(trial, info.seed);
    fill_table(arena, trial, table);
    memcpy(arena->keys.mapped, trial->keys, sizeof *trial->keys * trial->keyCount);
    return table;
}

GpuKernel trial_kernel(Arena *arena, const Trial *trial, MurTable table) {
#define STORM_CODE(name) \
    {storm_##name##_32, &storm_##name##_32_size}, {storm_##name##_64, &storm_##name##_64_size},
    static const struct {
        const uint32_t *words;
        const size_t *size;
    } codes[] = {STORMS(STORM_CODE)};
    const uint32_t shader = trial->buckets ? 4 : 2u * trial->combines + trial->bound;
    const uint32_t at = 2 * shader + trial->wideShader;
    GpuKernel kernel = gpu_kernel(&arena->gpu, codes[at].words, *codes[at].size, sizeof(StormPush),
                                  trial->bound);
    if (trial->bound) {
        gpu_bind(&arena->gpu, &kernel, 0, murGetTableMemory(table));
    }
    return kernel;
}

StormPush trial_push(Arena *arena, const Trial *trial, MurTable table) {
    StormPush push = {
        .table = murGetTableRef(table),
        .keys = arena->keys.address,
        .slots = arena->slots.address,
        .records = arena->records.address,
        .tickets = trial->tickets ? arena->tickets.address : 0,
        .keyCount = trial->keyCount,
        .rounds = trial->rounds,
        .invocations = trial->operations / trial->rounds,
        .seed = (uint32_t)(trial->seed >> 8),
        .mix = trial->mix,
        .scheme = trial->scheme,
        .pattern = trial->pattern,
    };
    if (trial->bound) {
        push.table.address = 0; /* a shader with a bound table must not use the address */
    }
    return push;
}

void trial_end(Arena *arena, Trial *trial, MurTable table) {
    Gpu *gpu = &arena->gpu;
    MurBufferRange memory = murGetTableMemory(table);
    gpu_barrier(gpu);
    const VkBufferCopy image = {memory.offset, 0, memory.size};
    vkCmdCopyBuffer(gpu->cmd, memory.buffer, arena->image.buffer, 1, &image);
    gpu_submit(gpu);
    gpu_require(murBlockingFind(gpu->blocking, table, trial->keyCount, trial->keys, trial->found,
                                NULL, NULL));
    murDestroyTable(table);
    const char *wrong = oracle_adopt(&trial->table, arena->image.mapped);
    if (wrong) {
        trial_describe(trial);
        fail_msg("%s", wrong);
    }
}

void trial_run(Arena *arena, Trial *trial) {
    Gpu *gpu = &arena->gpu;
    trial->olds = !trial->combines;
    MurTable table = trial_begin(arena, trial);
    const GpuKernel kernel = trial_kernel(arena, trial, table);
    const StormPush push = trial_push(arena, trial, table);
    *(uint32_t *)arena->tickets.mapped = 0;
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &push, push.invocations / STORM_WORKGROUP);
    gpu_barrier(gpu);
    const VkBufferCopy copy = {0, 0, sizeof(StormRecord) * trial->operations};
    vkCmdCopyBuffer(gpu->cmd, arena->records.buffer, arena->recordsRead.buffer, 1, &copy);
    trial_end(arena, trial, table);
    memcpy(trial->records, arena->recordsRead.mapped, sizeof(StormRecord) * trial->operations);
}

void cell_run(Arena *arena, Trial *trial) {
    trial_run(arena, trial);
    trial_check(trial);
    trial_free(trial);
}

void trial_free(Trial *trial) {
    free(trial->keys);
    free(trial->initial);
    free(trial->records);
    free(trial->found);
    oracle_close(&trial->table);
}
