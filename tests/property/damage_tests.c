/* Overwritten table memory. Any legal result is accepted, but no command or shader call may write
 * outside of the table or its arrays, and every call must end.
 * SPDX-License-Identifier: MIT */
#include "damage_tests.h"

#include "oracle/pair.h"
#include "support/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 500,
    SEED = 3,
    COUNT = 300,
    CALLERS = 64,
    FENCE_BYTES = 65536,
    FENCE = 0x6A6A6A6A
};

/* A patient is a damaged table in the middle of a buffer. */
typedef struct Patient {
    Gpu *gpu;
    const TableKind *kind;
    GpuBuffer buffer;
    Pair pair;
    Bulk items; /* some of its keys are also in the damaged memory */
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

static uint32_t damaged_word(Damage damage, uint32_t noise, bool header, bool key,
                             uint32_t noValue) {
    switch (damage) {
    case ALL_ONES:
        return UINT32_MAX;
    case ALL_ZEROS:
        return 0;
    case EMPTY_KEYS_WITH_VALUES:
        return header || !key ? noise : MUR_EMPTY;
    case ONE_KEY_EVERYWHERE:
        return header || !key ? noise : 0x12345678;
    case RANDOM_HEADER:
        return header ? noise : key ? MUR_EMPTY : noValue;
    case HALF_RANDOM:
        return noise & 1 ? noise : key ? MUR_EMPTY : noValue;
    default:
        return noise;
    }
}

static Patient patient_new(Gpu *gpu, const TableKind *kind) {
    const PairOptions options = {.capacity = CAPACITY, .seed = SEED, .probeLimit = UINT64_MAX};
    Patient patient = {.gpu = gpu, .kind = kind};
    patient.items = bulk_open(kind->format, COUNT);
    patient.buffer = gpu_buffer(gpu, 2 * FENCE_BYTES + 32 * CAPACITY + 2048);
    pair_open_in(gpu, &patient.pair, kind, &options, &patient.buffer, FENCE_BYTES);
    return patient;
}

static void patient_free(Patient *patient) {
    bulk_close(&patient->items);
    pair_close(patient->gpu, &patient->pair);
    gpu_free(patient->gpu, &patient->buffer);
}

static void damage_table(Patient *patient, Damage damage, uint64_t seed) {
    const uint32_t format = patient->kind->format, slotWords = oracle_slot_words(format);
    const uint32_t tableWords = (uint32_t)oracle_image_words(&patient->pair.oracle);
    Random random = {seed};
    uint32_t *words = patient->buffer.mapped, *table = words + FENCE_BYTES / 4;
    for (uint32_t i = 0; i < patient->buffer.size / 4; ++i) {
        words[i] = FENCE + i;
    }
    for (uint32_t i = 0; i < tableWords; ++i) {
        table[i] = damaged_word(damage, (uint32_t)random_next(&random), i < MUR_HEADER_WORDS,
                                i % slotWords < kind_key_words(patient->kind),
                                (uint32_t)patient->pair.oracle.none);
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint64_t noise = random_next(&random);
        const uint32_t *slot = table + MUR_HEADER_WORDS +
                               slotWords * (noise % patient->pair.oracle.config.slotCount);
        const uint64_t hash = MUR_IS_64(format) ? (uint64_t)slot[1] << 32 | slot[0] : slot[0];
        bulk_set(&patient->items, i,
                 i % 3 == 0   ? oracle_key(format, hash, SEED)
                 : i % 3 == 1 ? noise
                              : i,
                 noise >> 32);
    }
}

static void expect_fences(const Patient *patient, const char *what) {
    const uint32_t *words = patient->buffer.mapped;
    const uint32_t end = FENCE_BYTES / 4 + (uint32_t)oracle_image_words(&patient->pair.oracle);
    for (uint32_t i = 0; i < patient->buffer.size / 4; ++i) {
        if ((i < FENCE_BYTES / 4 || i >= end) && words[i] != FENCE + i) {
            fail_msg("%s: word %u was written; the table ends before %u", what, i, end);
        }
    }
}

static void expect_legal(const Patient *patient, uint32_t statuses, const char *what) {
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t status = patient->items.statuses[i], slot = patient->items.slots[i];
        if (status > MUR_CONTENDED || !(statuses >> status & 1) ||
            (slot >= patient->pair.oracle.slots && slot != MUR_NO_SLOT)) {
            fail_msg("%s: item %u, key 0x%llx: status %u, slot 0x%x", what, i,
                     (unsigned long long)bulk_key(&patient->items, i), status, slot);
        }
    }
}

typedef void Treatment(Patient *patient, const char *what);

static void treat_all(Gpu *gpu, const TableKind *kind, Treatment *treat) {
    Patient patient = patient_new(gpu, kind);
    for (uint32_t damage = 0; damage < DAMAGE_COUNT; ++damage) {
        char what[96];
        snprintf(what, sizeof what, "%s, %s", damages[damage], kind->name);
        damage_table(&patient, (Damage)damage, 100 * kind->layout + damage);
        treat(&patient, what);
        expect_fences(&patient, what);
    }
    patient_free(&patient);
}

static void find(Patient *patient, const char *what) {
    pair_find(patient->gpu, &patient->pair, &patient->items);
    expect_legal(patient, 1 << MUR_FOUND | 1 << MUR_ABSENT, what);
}

static void insert(Patient *patient, const char *what) {
    const uint32_t legal = 1 << MUR_INSERTED | 1 << MUR_EXISTED | 1 << MUR_FULL |
                           1 << MUR_INVALID_VALUE;
    const uint32_t updated = 1 << MUR_ABSENT | 1 << MUR_CONTENDED;
    for (MurInsertMode mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
        if (kind_offers(patient->kind, mode)) {
            pair_insert(patient->gpu, &patient->pair, mode, &patient->items);
            expect_legal(patient, legal | (mode == MUR_MODE_UPDATE ? updated : 0), what);
        }
    }
}

static void erase(Patient *patient, const char *what) {
    pair_erase(patient->gpu, &patient->pair, &patient->items);
    expect_legal(patient, 1 << MUR_ERASED | 1 << MUR_ABSENT, what);
}

/* Extracts COUNT entries at most. Guard words after the arrays must stay unchanged. */
static void extract(Patient *patient, const char *what) {
    enum { ROOM = 4 * COUNT }; /* words; twice the size of 64-bit keys */
    Gpu *gpu = patient->gpu;
    const uint32_t keyWords = kind_key_words(patient->kind),
                   valueWords = kind_value_words(patient->kind);
    GpuBuffer arrays = gpu_buffer(gpu, 4 * (3 * ROOM + 2));
    uint32_t *words = arrays.mapped;
    memset(words, 0x6A, arrays.size);
    const MurExtract extraction = {
        .maxCount = COUNT,
        .countAddress = gpu_part(&arrays, 3 * ROOM, 1).address,
        .keys = gpu_part(&arrays, 0, COUNT * keyWords),
        .values = valueWords ? gpu_part(&arrays, ROOM, COUNT * valueWords) : (MurArray){0, 0},
        .slots = gpu_part(&arrays, 2 * ROOM, COUNT),
    };
    const uint32_t ends[] = {COUNT * keyWords, COUNT * valueWords, COUNT};
    GPU_RUN(gpu, murCmdExtract(gpu->cmd, patient->pair.table, &extraction));
    const uint32_t count = words[3 * ROOM];
    if (count > patient->pair.oracle.slots) {
        fail_msg("%s: %u entries in %u slots", what, count, patient->pair.oracle.slots);
    }
    for (uint32_t i = 0; i < 3 * ROOM; ++i) {
        if (i % ROOM >= ends[i / ROOM] && words[i] != FENCE) {
            fail_msg("%s: word %u of the arrays was written", what, i);
        }
    }
    for (uint32_t i = 0; i < count && i < COUNT; ++i) {
        assert_true(words[2 * ROOM + i] < patient->pair.oracle.slots);
    }
    gpu_free(gpu, &arrays);
}

static void stats(Patient *patient, const char *what) {
    const uint32_t slots = patient->pair.oracle.slots;
    MurStats got;
    uint64_t histogram = 0;
    gpu_require(murBlockingStats(patient->gpu->blocking, patient->pair.table, &got));
    for (uint32_t i = 0; i < MUR_STATS_BUCKETS; ++i) {
        histogram += got.probeHistogram[i];
    }
    const uint32_t counted = patient->kind->flags ? slots / MUR_BUCKET_SLOTS : got.live;
    if ((uint64_t)got.live + got.erased + got.freeSlots != slots || histogram != counted ||
        got.probeMax > slots || got.probeSum > (uint64_t)got.live * got.probeMax) {
        fail_msg("%s: live %u, erased %u, free %u of %u slots; longest %u, sum %llu", what,
                 got.live, got.erased, got.freeSlots, slots, got.probeMax,
                 (unsigned long long)got.probeSum);
    }
}

static void clear(Patient *patient, const char *what) {
    gpu_require(murBlockingClear(patient->gpu->blocking, patient->pair.table));
    oracle_clear(&patient->pair.oracle);
    pair_require_same(patient->gpu, &patient->pair);
    expect_fences(patient, what);
}

/* Every command ends, and a clear repairs all damage. */
EACH_KIND(commands_survive_damage) {
    static Treatment *const treatments[] = {find, insert, erase, extract, stats, clear};
    for (size_t i = 0; i < sizeof treatments / sizeof treatments[0]; ++i) {
        /* Tables with values have two empty values. Each gets half of the kinds of damage. */
        if (test_full() || kind_is_set(kind) || (i + (size_t)(kind - table_kinds)) % 2 == 0) {
            treat_all(gpu, kind, treatments[i]);
        }
    }
}

bool call_is_of_sets(uint32_t call) {
    return call == CALL_FIND || call == CALL_FIND_SLOT_BARE || call == CALL_SLOT_ENTRY ||
           call == CALL_MODE + MUR_MODE_INSERT || call == CALL_BARE + MUR_MODE_INSERT ||
           call == CALL_ERASE || call == CALL_ERASE_BARE;
}

/* Makes calls on keys and slots of the damaged table. Each invocation makes all calls, concurrently
 * with other invocations. */
static void make_calls(const Patient *patient, bool lookups, Call *calls, uint32_t callCount) {
    Random random = {7};
    for (uint32_t i = 0; i < CALLERS * callCount; ++i) {
        const uint32_t slot = random_below(&random, patient->pair.oracle.slots + 3);
        calls[i] = (Call){.call = i % callCount % (lookups ? CALL_LOOKUPS : CALL_COUNT),
                          .key = bulk_key(&patient->items, i / callCount),
                          .value = random_next(&random),
                          .mode = random_below(&random, MUR_MODE_UPDATE + 1),
                          .slot = i % 7 ? slot : (uint32_t)random_next(&random)};
        if (kind_is_set(patient->kind) && !call_is_of_sets(calls[i].call)) {
            calls[i].call = lookups ? CALL_FIND : CALL_MODE + MUR_MODE_INSERT;
        }
    }
}

static void expect_answers(const Patient *patient, const Call *calls, const Answer *answers,
                           uint32_t count, const char *what) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = answers[i].slot;
        if (answers[i].status > MUR_CONTENDED ||
            (slot >= patient->pair.oracle.slots && slot != MUR_NO_SLOT)) {
            fail_msg("%s: call %u: status %u, slot 0x%x", what, calls[i].call, answers[i].status,
                     slot);
        }
    }
}

void damage_by_calls(Gpu *gpu, const TableKind *kind, Layout shader, Access access, bool lookups) {
    const uint32_t callCount = lookups ? CALL_LOOKUPS : CALL_COUNT;
    Patient patient = patient_new(gpu, kind);
    GpuKernel kernel = call_kernel(gpu, shader, access, lookups);
    GpuBuffer calls = gpu_buffer(gpu, CALLERS * callCount * sizeof(Call));
    GpuBuffer answers = gpu_buffer(gpu, CALLERS * callCount * sizeof(Answer));
    GpuBuffer refs = gpu_buffer(gpu, CALLERS * sizeof(MurTableRef));
    for (uint32_t i = 0; i < CALLERS; ++i) {
        ((MurTableRef *)refs.mapped)[i] = murGetTableRef(patient.pair.table);
    }
    const CallPush push = {.table = murGetTableRef(patient.pair.table),
                           .tables = refs.address,
                           .calls = calls.address,
                           .answers = answers.address,
                           .tableCount = CALLERS,
                           .callCount = callCount};
    const MurBufferRange memory = murGetTableMemory(patient.pair.table);
    for (uint32_t damage = 0; damage < DAMAGE_COUNT; ++damage) {
        char what[96];
        snprintf(what, sizeof what, "calls, %s, %s", damages[damage], kind->name);
        damage_table(&patient, (Damage)damage, 100 * kind->layout + damage);
        make_calls(&patient, lookups, calls.mapped, callCount);
        call_run(gpu, &kernel, access, &push, &memory);
        expect_answers(&patient, calls.mapped, answers.mapped, CALLERS * callCount, what);
        expect_fences(&patient, what);
    }
    gpu_free(gpu, &calls);
    gpu_free(gpu, &answers);
    gpu_free(gpu, &refs);
    patient_free(&patient);
}
