/* Random calls in shaders against the oracle, slot by slot: every call of the include, for every
 * format and access. For every access, the tables equal the oracle's, bit by bit. One invocation
 * makes all calls on a table. Tables are small and keys hard, so that probes are long, wrap and
 * fail.
 * SPDX-License-Identifier: MIT */
#include "damage_tests.h"
#include "oracle/pair.h"
#include "sequence.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

/* One dispatch uses all tables by device address. Bound tables need one dispatch each, so there are
 * fewer of them, and their sequences are longer. */
enum {
    ADDRESS_TABLES = 96, /* per run; 768 in the long tier */
    ADDRESS_CALLS = 96,
    BOUND_TABLES = 12, /* a multiple of CALL_ARRAY_TABLES */
    BOUND_CALLS = 200,
    MAX_CAPACITY = 30,
    MAX_KEYS = 40, /* four times as many in bucketed tables */
    PRINTED = 16,
    GAP = 0x5AA5C33C
};

/* ---- Random calls, and their results by the oracle ------------------------------------------- */

static bool takes_slot(uint32_t call) {
    return call == CALL_SLOT_ENTRY || call == CALL_SLOT_VALUE || call >= CALL_SLOT_EXCHANGE;
}

static uint32_t random_call(Random *random, bool set, bool lookups) {
    uint32_t call;
    do {
        /* Most calls are inserts and erases by key. */
        call = lookups                        ? random_below(random, CALL_LOOKUPS)
               : random_below(random, 3) != 0 ? random_below(random, CALL_COUNT)
               : random_below(random, 3) == 0 ? CALL_ERASE
                                              : CALL_MODE + MUR_MODE_INSERT;
    } while (set && !call_is_of_sets(call));
    return call;
}

/* Generates calls on these keys. lookups: only calls that read-only shaders support. */
static void calls_generate(Random *random, const Oracle *oracle, const TableKind *kind,
                           bool lookups, const uint64_t *keys, uint32_t keyCount, Call *calls,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = random_below(random, oracle->slots + 3); /* some slots do not exist */
        calls[i] = (Call){
            .call = random_call(random, kind_is_set(kind), lookups),
            .key = keys[random_below(random, keyCount)],
            .value = random_value(random, kind),
            .mode = random_below(random, MUR_MODE_UPDATE + 1),
            .slot = slot > oracle->slots + 1 ? MUR_NO_SLOT : slot,
        };
    }
}

static uint32_t mode_of(const Call *call) {
    return call->call == CALL_INSERT_MODE ? call->mode : (call->call - CALL_MODE) % CALL_MODES;
}

static Answer expect_lookup(const Oracle *oracle, const Call *call) {
    Answer answer = {0};
    if (takes_slot(call->call)) {
        answer.status = oracle_entry(oracle, call->slot, &answer.key, &answer.value);
        return call->call == CALL_SLOT_ENTRY ? answer : (Answer){.value = answer.value};
    }
    const OracleResult found = oracle_find(oracle, call->key);
    answer.status = call->call == CALL_FIND && found.status == MUR_FOUND;
    answer.value = call->call == CALL_FIND_SLOT_BARE ? 0 : found.value;
    answer.slot = call->call == CALL_FIND ? 0 : found.slot;
    return answer;
}

static uint64_t exchange(Oracle *oracle, const Call *call) {
    if (call->call == CALL_SLOT_EXCHANGE) {
        return oracle_exchange(oracle, call->slot, call->value);
    }
    uint64_t key, there;
    (void)oracle_entry(oracle, call->slot, &key, &there);
    return oracle_compare_exchange(oracle, call->slot, call->mode & 1 ? there : call->value ^ 1,
                                   call->value);
}

static Answer expect_write(Oracle *oracle, const Call *call, bool writable) {
    const bool erase = call->call == CALL_ERASE || call->call == CALL_ERASE_BARE;
    const bool bare = (call->call >= CALL_BARE && call->call < CALL_OLD) ||
                      call->call == CALL_ERASE_BARE;
    const bool old = (call->call >= CALL_OLD && call->call < CALL_INSERT_MODE) ||
                     call->call == CALL_ERASE;
    OracleResult result = {MUR_UNSUPPORTED, MUR_NO_SLOT, oracle->none};
    if (writable) {
        result = erase ? oracle_erase(oracle, call->key)
                       : oracle_insert(oracle, mode_of(call), call->key, call->value);
    }
    return (Answer){
        .status = result.status, .slot = bare ? 0 : result.slot, .value = old ? result.value : 0};
}

/* Applies a call to the oracle. writable: false if the shader must reject writes. */
static Answer calls_expect(Oracle *oracle, const Call *call, bool writable) {
    Answer answer;
    if (call->call < CALL_LOOKUPS) {
        answer = expect_lookup(oracle, call);
    } else if (call->call >= CALL_SLOT_EXCHANGE) {
        answer = (Answer){.value = writable ? exchange(oracle, call) : oracle->none};
    } else {
        answer = expect_write(oracle, call, writable);
    }
    if (oracle_is_set(oracle->config.format)) {
        answer.value = 0;
    }
    return answer;
}

static void calls_print(uint32_t index, const Call *call, const Answer *answer) {
    print_error(
        "  call %u: CALL_* %u on key 0x%llx, slot 0x%x, value 0x%llx, mode %u -> status %u, "
        "slot 0x%x, value 0x%llx, key 0x%llx\n",
        index, call->call, (unsigned long long)call->key, call->slot,
        (unsigned long long)call->value, call->mode, answer->status, answer->slot,
        (unsigned long long)answer->value, (unsigned long long)answer->key);
}

/* ---- Worlds of tables ------------------------------------------------------------------------ */

/* A table with its oracle and keys. A world is many such tables in one buffer, with gaps. */
typedef struct WorldTable {
    TableSpec spec;
    Pair pair;
    VkDeviceSize begin, end; /* the table's bytes in the buffer */
    uint64_t keys[4 * MAX_KEYS];
    uint32_t keyCount;
} WorldTable;

typedef struct World {
    Gpu *gpu;
    uint64_t seed;
    const TableKind *kind;
    uint32_t count, callCount;
    WorldTable *tables;
    GpuBuffer memory, calls, answers, refs;
} World;

static VkDeviceSize open_table(World *world, WorldTable *table, Random *random, VkDeviceSize at) {
    do {
        table->spec = random_table(random, world->kind,
                                   (ProbeLimit)random_below(random, LIMIT_COUNT));
    } while (table->spec.capacity > MAX_CAPACITY);
    const TableSpec *spec = &table->spec;
    const PairOptions options = {.capacity = spec->capacity,
                                 .seed = spec->seed,
                                 .probeLimit = spec->probeLimit,
                                 .ages = spec->ages};
    table->keyCount = random_keys(random, spec, table->keys,
                                  world->kind->flags ? 4 * MAX_KEYS : MAX_KEYS);
    table->begin = at + 256ull * spec->gap;
    const VkDeviceSize next = pair_open_in(world->gpu, &table->pair, world->kind, &options,
                                           &world->memory, table->begin);
    table->end = table->begin + 4 * oracle_image_words(&table->pair.oracle);
    /* The test sets the state bit "ordered", because no call sets it. */
    table->pair.oracle.ordered = spec->ordered;
    ((uint32_t *)world->memory.mapped)[table->begin / 4 + MUR_HEADER_STATE] =
        spec->ordered ? MUR_STATE_ORDERED : 0;
    return next;
}

static World world_open(Gpu *gpu, const TableKind *kind, bool bound) {
    World world = {.gpu = gpu, .seed = test_seed(1), .kind = kind};
    world.count = bound ? BOUND_TABLES : test_full() ? 8 * ADDRESS_TABLES : ADDRESS_TABLES;
    world.callCount = bound ? BOUND_CALLS : ADDRESS_CALLS;
    const VkDeviceSize calls = (VkDeviceSize)world.count * world.callCount;
    world.tables = test_allocate(world.count * sizeof *world.tables);
    world.memory = gpu_buffer(gpu, 8192ull * world.count);
    world.calls = gpu_buffer(gpu, calls * sizeof(Call));
    world.answers = gpu_buffer(gpu, calls * sizeof(Answer));
    world.refs = gpu_buffer(gpu, world.count * sizeof(MurTableRef));
    for (VkDeviceSize i = 0; i < world.memory.size / 4; ++i) {
        ((uint32_t *)world.memory.mapped)[i] = GAP;
    }
    Random random = {world.seed * 0xD1342543DE82EF95ull};
    VkDeviceSize at = 0;
    for (uint32_t t = 0; t < world.count; ++t) {
        at = open_table(&world, &world.tables[t], &random, at);
        MurTableRef *ref = (MurTableRef *)world.refs.mapped + t;
        *ref = murGetTableRef(world.tables[t].pair.table);
        ref->flags |= t % 2 ? MUR_TABLE_HOME_FIRST : 0;
    }
    return world;
}

static void world_close(World *world) {
    for (uint32_t t = 0; t < world->count; ++t) {
        pair_close(world->gpu, &world->tables[t].pair);
    }
    gpu_free(world->gpu, &world->memory);
    gpu_free(world->gpu, &world->calls);
    gpu_free(world->gpu, &world->answers);
    gpu_free(world->gpu, &world->refs);
    free(world->tables);
}

static void make_calls(World *world, bool lookups, uint32_t round) {
    for (uint32_t t = 0; t < world->count; ++t) {
        const WorldTable *table = &world->tables[t];
        Random random = {(world->seed << 32) + ((uint64_t)t << 8) + round};
        calls_generate(&random, &table->pair.oracle, world->kind, lookups, table->keys,
                       table->keyCount, (Call *)world->calls.mapped + t * world->callCount,
                       world->callCount);
    }
    memset(world->answers.mapped, 0xCD, world->answers.size);
}

/* Runs the calls: in one dispatch on all tables by address, or in one dispatch per bound table. */
static void run_calls(World *world, GpuKernel *kernel, Access access) {
    CallPush push = {.tables = world->refs.address,
                     .calls = world->calls.address,
                     .answers = world->answers.address,
                     .tableCount = access == ACCESS_ADDRESS ? world->count : 1,
                     .callCount = world->callCount};
    const uint32_t bound = access == ACCESS_ARRAY ? CALL_ARRAY_TABLES : 1;
    for (uint32_t t = 0; t < (access == ACCESS_ADDRESS ? 1 : world->count); ++t) {
        MurBufferRange memory[CALL_ARRAY_TABLES];
        for (uint32_t i = 0; i < bound; ++i) {
            memory[i] = murGetTableMemory(world->tables[t / bound * bound + i].pair.table);
        }
        push.table = ((const MurTableRef *)world->refs.mapped)[t];
        push.table.index = t % bound;
        call_run(world->gpu, kernel, access, &push, memory);
        push.calls += world->callCount * sizeof(Call);
        push.answers += world->callCount * sizeof(Answer);
    }
}

static void check_answers(const World *world, uint32_t t, bool writable) {
    Oracle *oracle = &world->tables[t].pair.oracle;
    const Call *calls = (const Call *)world->calls.mapped + t * world->callCount;
    const Answer *answers = (const Answer *)world->answers.mapped + t * world->callCount;
    for (uint32_t i = 0; i < world->callCount; ++i) {
        const Answer expected = calls_expect(oracle, &calls[i], writable);
        if (memcmp(&expected, &answers[i], sizeof expected) != 0) {
            print_error("seed %llu, table %u of %u; ", (unsigned long long)world->seed, t,
                        world->count);
            table_print(&world->tables[t].spec);
            for (uint32_t j = i < PRINTED ? 0 : i - PRINTED; j <= i; ++j) {
                calls_print(j, &calls[j], &answers[j]);
            }
            print_error("expected:\n");
            calls_print(i, &calls[i], &expected);
            fail();
        }
    }
}

/* Requires that no word between the tables has changed. */
static void check_gaps(const World *world) {
    const uint32_t *words = world->memory.mapped;
    VkDeviceSize at = 0;
    for (uint32_t t = 0; t <= world->count; ++t) {
        const bool last = t == world->count;
        for (; at < (last ? world->memory.size : world->tables[t].begin); at += 4) {
            if (words[at / 4] != GAP) {
                fail_msg("byte %llu, before table %u, was written", (unsigned long long)at, t);
            }
        }
        at = last ? at : world->tables[t].end;
    }
}

/* Makes calls on all tables and checks them. writable: false if the shader must reject writes. */
static void world_run(World *world, Layout shader, Access access, bool reads, uint32_t round,
                      bool writable) {
    GpuKernel kernel = call_kernel(world->gpu, shader, access, reads);
    make_calls(world, reads, round);
    run_calls(world, &kernel, access);
    for (uint32_t t = 0; t < world->count; ++t) {
        check_answers(world, t, writable);
        pair_require_memory(&world->tables[t].pair);
    }
    check_gaps(world);
}

/* Runs all calls, then only lookups in a shader with MUR_READ_ONLY, then all calls again. If a
 * table needs 64-bit atomics and the shader has none, lookups find all entries, and writes return
 * MUR_UNSUPPORTED and change nothing. Finally runs the shaders on damaged tables. */
static void run_kind(Gpu *gpu, const TableKind *kind, Layout shader, Access access) {
    World world = world_open(gpu, kind, access != ACCESS_ADDRESS);
    const bool writable = !kind_is_wide(kind) || kind_is_wide(layout_kind(shader, false));
    world_run(&world, writable ? shader : kind->layout, writable ? access : ACCESS_ADDRESS, false,
              0, true);
    world_run(&world, shader, access, true, 1, true);
    world_run(&world, shader, access, false, 2, writable);
    world_close(&world);
    if (access != ACCESS_ARRAY) {
        damage_by_calls(gpu, kind, shader, access, true);
        damage_by_calls(gpu, kind, shader, access, false);
    }
}

/* Runs the shader on tables of its format with both atomic widths, with ACCESS_ARRAY also on
 * bucketed tables. If the shader cannot write a table, another shader fills it. For bucketed sets
 * of 64-bit keys, tests/buckets covers the other atomic width. */
static void run_shader(Gpu *gpu, Layout shader, Access access) {
    const TableKind *own = layout_kind(shader, false);
    for (uint32_t i = 0; i < ALL_KINDS; ++i) {
        const TableKind *kind = &table_kinds[i];
        if (kind->format == own->format && (kind->flags == own->flags || access == ACCESS_ARRAY) &&
            (kind->layout != LAYOUT_buckets_k64_32 || own->layout == kind->layout) &&
            (kind_is_wide(kind) <= kind_is_wide(own) ||
             call_is_usual(kind->layout, ACCESS_ADDRESS)) &&
            gpu_offers(gpu, kind->format, kind->width)) {
            run_kind(gpu, kind, shader, access);
        }
    }
}

#define CALLS(way, layout, access)                                                            \
    GPU_TEST_IF(calls_by_##way##_##layout, call_is_usual(LAYOUT_##layout, ACCESS_##access)) { \
        run_shader(gpu, LAYOUT_##layout, ACCESS_##access);                                    \
    }
#define BY_ADDRESS(layout) CALLS(address, layout, ADDRESS)
#define BOUND(layout)      CALLS(bound_buffer, layout, BUFFER)
TABLE_LAYOUTS(BY_ADDRESS)
BUCKET_LAYOUTS(BY_ADDRESS)
TABLE_LAYOUTS(BOUND)
BOUND(buckets_k64v32_32)
BOUND(buckets_k64_32)
CALLS(array, k32v32_32, ARRAY)
CALLS(array, k32v32_64, ARRAY)
