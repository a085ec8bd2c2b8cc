/* Table memory that has been tampered with: answers may be anything legal, but no command and no
 * call in a shader writes outside the table or its arrays, and each comes to an end.
 *
 * SPDX-License-Identifier: MIT */
#include "calls.h"
#include "limits.h"
#include "support/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GPU_SPIRV(calls_address_read_spv);
GPU_SPIRV(calls_address_32_spv);
GPU_SPIRV(calls_address_64_spv);
GPU_SPIRV(calls_buffer_read_spv);
GPU_SPIRV(calls_buffer_32_spv);
GPU_SPIRV(calls_buffer_64_spv);

#define KERNEL(access, kind, bound, readOnly, wide)                                             \
    {                                                                                           \
#access ", " #kind, calls_##access##_##kind##_spv, &calls_##access##_##kind##_spv_size, \
            bound, readOnly, wide                                                               \
    }
const CallKernel call_kernels[CALL_KERNEL_COUNT] = {
    KERNEL(address, read, false, true, false), KERNEL(address, 32, false, false, false),
    KERNEL(address, 64, false, false, true),   KERNEL(buffer, read, true, true, false),
    KERNEL(buffer, 32, true, false, false),    KERNEL(buffer, 64, true, false, true),
};

enum { CAPACITY = 900, SEED = 3, COUNT = 500, GUARD_WORDS = 16384, FENCE = 0x6A6A6A6A };

/* A table in the middle of a device-local buffer, and the same in host memory. */
typedef struct Patient {
    Gpu *gpu;
    const Kind *kind;
    GpuBuffer buffer;
    GpuBuffer staging;
    GpuBuffer arrays; /* keys, then results with fences around them */
    uint32_t *words;  /* staging: GUARD_WORDS, the table, GUARD_WORDS */
    uint32_t tableWords;
    MurTable table;
    uint32_t keys[COUNT];
} Patient;

typedef enum Damage {
    RANDOM_WORDS,
    ALL_ONES,
    ALL_ZEROS,
    EMPTY_KEYS_WITH_VALUES,
    ONE_KEY_EVERYWHERE,
    RANDOM_HEADER,
    HALF_RANDOM,
    DAMAGE_COUNT
} Damage;
static const char *const damages[DAMAGE_COUNT] = {
    "random words",       "all ones",      "all zeros",  "empty keys with values",
    "one key everywhere", "random header", "half random"};

static uint32_t damaged_word(Damage damage, Random *random, uint32_t word, uint32_t noValue) {
    bool header = word < MUR_HEADER_WORDS;
    uint32_t noise = (uint32_t)random_next(random);
    switch (damage) {
    case ALL_ONES:
        return UINT32_MAX;
    case ALL_ZEROS:
        return 0;
    case EMPTY_KEYS_WITH_VALUES:
        return header || word % 2 ? noise : MUR_EMPTY;
    case ONE_KEY_EVERYWHERE:
        return header || word % 2 ? noise : 0x12345678;
    case RANDOM_HEADER:
        return header ? noise : word % 2 ? noValue : MUR_EMPTY;
    case HALF_RANDOM:
        return noise & 1 ? noise : word % 2 ? noValue : MUR_EMPTY;
    default:
        return noise;
    }
}

static Patient patient_new(Gpu *gpu, const Kind *kind) {
    MurTableCreateInfo info = {
        .capacity = CAPACITY,
        .seed = SEED,
        .reservedValue = kind->reserved,
        .atomicWidth = kind->width,
        .probeLimit = UINT64_MAX,
    };
    MurTableRequirements requirements;
    gpu_require(murGetTableRequirements(gpu->context, &info, &requirements));
    Patient patient = {.gpu = gpu, .kind = kind, .tableWords = (uint32_t)requirements.size / 4};
    VkDeviceSize size = 2 * 4ull * GUARD_WORDS + requirements.size;
    patient.buffer = gpu_device_buffer(gpu, size);
    patient.staging = gpu_buffer(gpu, size);
    patient.words = patient.staging.mapped;
    patient.arrays = gpu_buffer(gpu, 4ull * COUNT * (CALL_WORDS + 4));
    info.memory = (MurBufferRange){patient.buffer.buffer, 4ull * GUARD_WORDS, requirements.size};
    gpu_require(murCreateTable(gpu->context, &info, &patient.table));
    return patient;
}

static void patient_free(Patient *patient) {
    murDestroyTable(patient->table);
    gpu_free(patient->gpu, &patient->buffer);
    gpu_free(patient->gpu, &patient->staging);
    gpu_free(patient->gpu, &patient->arrays);
}

static void copy_buffer(Gpu *gpu, const GpuBuffer *from, const GpuBuffer *to) {
    const VkBufferCopy all = {0, 0, from->size};
    gpu_barrier(gpu);
    vkCmdCopyBuffer(gpu->cmd, from->buffer, to->buffer, 1, &all);
    gpu_barrier(gpu);
}

/* Damages the table and chooses keys: some that the damage has put into it. */
static void damage_table(Patient *patient, Damage damage, uint64_t seed) {
    Random random = {seed};
    uint32_t *table = patient->words + GUARD_WORDS;
    for (uint32_t i = 0; i < GUARD_WORDS; ++i) {
        patient->words[i] = patient->words[GUARD_WORDS + patient->tableWords + i] = FENCE + i;
    }
    for (uint32_t i = 0; i < patient->tableWords; ++i) {
        table[i] = damaged_word(damage, &random, i, no_value(patient->kind));
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        uint32_t word = (uint32_t)random_next(&random);
        uint32_t slot = MUR_HEADER_WORDS + 2 * (word % (patient->tableWords / 2 - 32));
        patient->keys[i] = i % 3 == 0 ? mur_key(table[slot], SEED) : i % 3 == 1 ? word : i;
    }
    gpu_begin(patient->gpu);
    copy_buffer(patient->gpu, &patient->staging, &patient->buffer);
    gpu_submit(patient->gpu);
}

static void expect_fences(Patient *patient, const char *what) {
    gpu_begin(patient->gpu);
    copy_buffer(patient->gpu, &patient->buffer, &patient->staging);
    gpu_submit(patient->gpu);
    for (uint32_t i = 0; i < GUARD_WORDS; ++i) {
        uint32_t behind = GUARD_WORDS + patient->tableWords + i;
        if (patient->words[i] != FENCE + i || patient->words[behind] != FENCE + i) {
            fail_msg("%s: %s the table, word %u was written", what,
                     patient->words[i] != FENCE + i ? "before" : "behind", i);
        }
    }
}

static void expect_any_status(const Items *items, const uint32_t *allowed, const char *what) {
    for (uint32_t i = 0; i < items->count; ++i) {
        bool legal = false;
        for (uint32_t j = 0; j < 4; ++j) {
            legal |= items->statuses[i] == allowed[j];
        }
        if (!legal) {
            fail_msg("%s: item %u, key 0x%x: status %u", what, i, items->keys[i],
                     items->statuses[i]);
        }
    }
}

static void expect_any_slot(const Items *items, uint32_t slotCount, const char *what) {
    for (uint32_t i = 0; i < items->count; ++i) {
        if (items->slots[i] > slotCount + 1 && items->slots[i] != MUR_NO_SLOT) {
            fail_msg("%s: item %u, key 0x%x: slot %u of %u", what, i, items->keys[i],
                     items->slots[i], slotCount);
        }
    }
}

typedef void Treatment(Patient *patient, Items *items, const char *what);

static void for_each_damage(Gpu *gpu, Treatment *treat) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        Patient patient = patient_new(gpu, &kinds[k]);
        for (uint32_t damage = 0; damage < DAMAGE_COUNT; ++damage) {
            char what[96];
            snprintf(what, sizeof what, "%s, %s", damages[damage], kinds[k].name);
            damage_table(&patient, (Damage)damage, 100 * k + damage);
            Items items = items_new(COUNT);
            memcpy(items.keys, patient.keys, sizeof patient.keys);
            treat(&patient, &items, what);
            expect_fences(&patient, what);
            items_free(&items);
        }
        patient_free(&patient);
    }
}

static void treat_by_find(Patient *patient, Items *items, const char *what) {
    static const uint32_t allowed[4] = {MUR_FOUND, MUR_ABSENT, MUR_ABSENT, MUR_ABSENT};
    find_items(patient->gpu, patient->table, items);
    expect_any_status(items, allowed, what);
    expect_any_slot(items, murGetTableRef(patient->table).slotCount, what);
}

static void find_survives_damage(void **state) {
    for_each_damage(*state, treat_by_find);
}

static void treat_by_insert(Patient *patient, Items *items, const char *what) {
    static const uint32_t allowed[4] = {MUR_INSERTED, MUR_EXISTED, MUR_FULL, MUR_REFUSED};
    bool zero = patient->kind->reserved == MUR_RESERVED_VALUE_ZERO;
    for (uint32_t mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
        if (mode > MUR_MODE_KEEP && zero == (mode == MUR_MODE_MIN)) {
            continue; /* not offered */
        }
        insert_items(patient->gpu, patient->table, (MurInsertMode)mode, items);
        expect_any_status(items, allowed, what);
        expect_any_slot(items, murGetTableRef(patient->table).slotCount, what);
    }
}

static void inserts_survive_damage(void **state) {
    for_each_damage(*state, treat_by_insert);
}

static void treat_by_erase(Patient *patient, Items *items, const char *what) {
    static const uint32_t allowed[4] = {MUR_ERASED, MUR_ABSENT, MUR_ABSENT, MUR_ABSENT};
    erase_items(patient->gpu, patient->table, items);
    expect_any_status(items, allowed, what);
    expect_any_slot(items, murGetTableRef(patient->table).slotCount, what);
}

static void erase_survives_damage(void **state) {
    for_each_damage(*state, treat_by_erase);
}

/* Into arrays of COUNT entries with fences behind. */
static void treat_by_extract(Patient *patient, Items *items, const char *what) {
    Gpu *gpu = patient->gpu;
    uint32_t slotCount = murGetTableRef(patient->table).slotCount;
    uint32_t *words = patient->arrays.mapped;
    memset(words, 0x6A, patient->arrays.size);
    const MurExtract extract = {
        .maxCount = COUNT,
        .countAddress = gpu_part(&patient->arrays, 0, 1).address,
        .keys = gpu_part(&patient->arrays, COUNT, COUNT),
        .values = gpu_part(&patient->arrays, 3 * COUNT, COUNT),
        .slots = gpu_part(&patient->arrays, 5 * COUNT, COUNT),
    };
    gpu_begin(gpu);
    gpu_require(murCmdExtract(gpu->cmd, patient->table, &extract));
    gpu_submit(gpu);
    if (words[0] > slotCount + 1) {
        fail_msg("%s: %u entries in %u slots", what, words[0], slotCount);
    }
    for (uint32_t i = 1; i < 7 * COUNT; ++i) {
        bool array = i / COUNT % 2 == 1;
        if (!array && words[i] != FENCE) {
            fail_msg("%s: word %u of the arrays was written", what, i);
        }
    }
    memcpy(items->slots, words + 5 * COUNT, COUNT * sizeof *words);
    items->count = words[0] < COUNT ? words[0] : COUNT;
    expect_any_slot(items, slotCount, what);
}

static void extract_survives_damage(void **state) {
    for_each_damage(*state, treat_by_extract);
}

static void treat_by_stats(Patient *patient, Items *items, const char *what) {
    (void)items;
    uint32_t slotCount = murGetTableRef(patient->table).slotCount;
    MurStats stats = table_stats(patient->gpu, patient->table);
    uint64_t histogram = 0;
    for (uint32_t i = 0; i < MUR_STATS_BUCKETS; ++i) {
        histogram += stats.probeHistogram[i];
    }
    if ((uint64_t)stats.live + stats.erased + stats.free != (uint64_t)slotCount + 1 ||
        histogram != stats.live || stats.probeMax > slotCount ||
        stats.probeSum > (uint64_t)stats.live * stats.probeMax) {
        fail_msg("%s: live %u, erased %u, free %u of %u slots; longest %u, sum %llu", what,
                 stats.live, stats.erased, stats.free, slotCount, stats.probeMax,
                 (unsigned long long)stats.probeSum);
    }
}

static void stats_survive_damage(void **state) {
    for_each_damage(*state, treat_by_stats);
}

static void treat_by_clear(Patient *patient, Items *items, const char *what) {
    gpu_require(murBlockingClear(patient->gpu->blocking, patient->table));
    find_items(patient->gpu, patient->table, items);
    expect_statuses(items, MUR_ABSENT, what);
    keys_with_any_home(items, 0, 0, SEED);
    insert_items(patient->gpu, patient->table, MUR_MODE_KEEP, items);
    expect_statuses(items, MUR_INSERTED, what);
    expect_table_holds(patient->gpu, patient->table, items, what);
}

static void clear_heals_all_damage(void **state) {
    for_each_damage(*state, treat_by_clear);
}

static void expect_call_results(const uint32_t *results, const CallKernel *kernel,
                                uint32_t slotCount, const char *what) {
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t *words = results + CALL_WORDS * i;
        uint32_t pairs = kernel->readOnly ? CALL_LOOKUPS : CALL_PAIRS;
        for (uint32_t j = 0; j < pairs; ++j) {
            uint32_t status = words[1 + 2 * j], slot = words[2 + 2 * j];
            if (status > MUR_BUSY || (slot > slotCount && slot != MUR_NO_SLOT)) {
                fail_msg("%s: item %u, call %u: status %u, slot %u of %u", what, i, j, status, slot,
                         slotCount);
            }
        }
        for (uint32_t j = 1 + 2 * pairs; j < CALL_WORDS; ++j) {
            assert_int_equal(words[j], FENCE);
        }
    }
    for (uint32_t i = COUNT * CALL_WORDS; i < COUNT * (CALL_WORDS + 2); ++i) {
        if (results[i] != FENCE) {
            fail_msg("%s: word %u behind the results was written", what, i);
        }
    }
}

/* Every call of the include on one damaged table, by a shader of one kind. */
static void treat_by_calls(Patient *patient, const CallKernel *kernel, GpuKernel *calls,
                           const char *damage) {
    Gpu *gpu = patient->gpu;
    char what[160];
    snprintf(what, sizeof what, "%s, shader: %s", damage, kernel->name);
    memset(patient->arrays.mapped, 0x6A, patient->arrays.size);
    uint32_t *words = patient->arrays.mapped;
    memcpy(words, patient->keys, sizeof patient->keys);
    const CallPush push = {
        .table = murGetTableRef(patient->table),
        .keys = patient->arrays.address,
        .results = gpu_part(&patient->arrays, 2 * COUNT, 1).address,
        .count = COUNT,
        .modes = MUR_MODE_UPDATE + 1,
    };
    gpu_begin(gpu);
    gpu_dispatch(gpu, calls, &push, (COUNT + 63) / 64);
    gpu_submit(gpu);
    expect_call_results(words + 2 * COUNT, kernel, push.table.slotCount, what);
    expect_fences(patient, what);
}

static void treat_by_kernel(Gpu *gpu, const CallKernel *kernel) {
    GpuKernel calls = gpu_kernel(gpu, kernel->code, *kernel->codeSize, sizeof(CallPush),
                                 kernel->bound ? 1 : 0);
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        Patient patient = patient_new(gpu, &kinds[k]);
        if (kernel->bound) {
            gpu_bind(gpu, &calls, 0, murGetTableMemory(patient.table));
        }
        for (uint32_t damage = 0; damage < DAMAGE_COUNT; ++damage) {
            char what[96];
            snprintf(what, sizeof what, "%s, %s", damages[damage], kinds[k].name);
            damage_table(&patient, (Damage)damage, 100 * k + damage);
            treat_by_calls(&patient, kernel, &calls, what);
        }
        patient_free(&patient);
    }
    gpu_kernel_free(gpu, &calls);
}

/* Those of 64-bit atomics by address and the others in a bound buffer, in the long tier all. */
static void treat_by_calls_of(Gpu *gpu, bool bound, bool readOnly) {
    for (uint32_t i = 0; i < CALL_KERNEL_COUNT; ++i) {
        const bool usual = readOnly || call_kernels[i].wide != bound;
        if (call_kernels[i].bound == bound && call_kernels[i].readOnly == readOnly &&
            (usual || test_full())) {
            treat_by_kernel(gpu, &call_kernels[i]);
        }
    }
}

static void lookups_by_address_survive_damage(void **state) {
    treat_by_calls_of(*state, false, true);
}

static void lookups_in_a_bound_buffer_survive_damage(void **state) {
    treat_by_calls_of(*state, true, true);
}

static void writes_by_address_survive_damage(void **state) {
    treat_by_calls_of(*state, false, false);
}

static void writes_in_a_bound_buffer_survive_damage(void **state) {
    treat_by_calls_of(*state, true, false);
}

const struct CMUnitTest corruption_tests[] = {
    gpu_test(find_survives_damage),
    gpu_test(inserts_survive_damage),
    gpu_test(erase_survives_damage),
    gpu_test(extract_survives_damage),
    gpu_test(stats_survive_damage),
    gpu_test(clear_heals_all_damage),
    gpu_test(lookups_by_address_survive_damage),
    gpu_test(lookups_in_a_bound_buffer_survive_damage),
    gpu_test(writes_by_address_survive_damage),
    gpu_test(writes_in_a_bound_buffer_survive_damage),
};
const size_t corruption_test_count = sizeof corruption_tests / sizeof corruption_tests[0];
