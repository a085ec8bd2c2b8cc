/* In-shader calls, one after another, against the model: every answer and every word of memory.
 * Small tables and hard keys, so that probes are long, wrap round and fail.
 *
 * SPDX-License-Identifier: MIT */
#include "calls.h"
#include "formats.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

enum { TABLES = 64, BOUND_TABLES = 6, CALLS = 160 };

typedef struct Code {
    const uint32_t *words;
    const size_t *size;
} Code;

#define CODE(symbol) \
    { symbol, &symbol##_size }
#define DECLARE(name)                       \
    GPU_SPIRV(calls_##name##_address);      \
    GPU_SPIRV(calls_##name##_buffer);       \
    GPU_SPIRV(calls_##name##_address_read); \
    GPU_SPIRV(calls_##name##_buffer_read)
DECLARE(k64v32_32);
DECLARE(k64v32_64);
DECLARE(k64v64);
DECLARE(k32);
DECLARE(k64);

static Code code_of(uint32_t kind, bool bound, bool read) {
#define CODES(name)                                                             \
    {                                                                           \
        CODE(calls_##name##_address), CODE(calls_##name##_buffer),              \
            CODE(calls_##name##_address_read), CODE(calls_##name##_buffer_read) \
    }
    const Code codes[KIND_COUNT][4] = {CODES(k64v32_32), CODES(k64v32_64), CODES(k64v64),
                                       CODES(k32), CODES(k64)};
    return codes[kind][(bound ? 1 : 0) + (read ? 2 : 0)];
}

typedef struct Run {
    Gpu *gpu;
    uint32_t kind, tables;
    bool bound;
    Random random;
    GpuBuffer memory, calls, answers, refs;
    Pair pairs[TABLES];
} Run;

static uint64_t random_value(Random *random) {
    static const uint64_t special[] = {
        0, 1, UINT32_MAX, UINT64_MAX, (uint64_t)UINT32_MAX << 32, UINT64_MAX - 1};
    const uint32_t pick = random_below(random, 12);
    return pick < 6 ? special[pick] : random_next(random) >> random_below(random, 64);
}

static Call random_call(Run *run, const Pair *pair, bool lookups) {
    Random *random = &run->random;
    const ModelConfig *c = &pair->model.config;
    const uint32_t keys = 2 + c->capacity * 3 / 2 < HARD_KEYS ? 2 + c->capacity * 3 / 2 : HARD_KEYS;
    const uint32_t first = c->capacity % (HARD_KEYS - keys + 1);
    Call call = {
        .key = hard_key(c->format, c->seed, first + random_below(random, keys)),
        .value = random_value(random),
        .mode = random_below(random, 9),
        .slot = random_below(random, pair->model.slots + 2),
    };
    const bool set = model_is_set(c->format);
    do {
        call.call = random_below(random, lookups ? CALL_LOOKUPS : CALL_COUNT);
        /* More inserts and erases by key than anything else. */
        if (!lookups && random_below(random, 3) == 0) {
            call.call = random_below(random, 3) == 0 ? CALL_ERASE : CALL_MODE + MUR_MODE_KEEP;
        }
    } while (set &&
             (call.call == CALL_FIND_SLOT || call.call == CALL_SLOT_VALUE ||
              call.call == CALL_SLOT_EXCHANGE || call.call == CALL_SLOT_COMPARE_EXCHANGE ||
              (call.call >= CALL_MODE && call.call < CALL_ERASE &&
               call.call != CALL_MODE + MUR_MODE_KEEP && call.call != CALL_BARE + MUR_MODE_KEEP)));
    if (c->format != MUR_FORMAT_K64V64) {
        call.value = (uint32_t)call.value;
    }
    return call;
}

static Answer expect_insert(Model *model, const Call *call) {
    const bool bare = call->call >= CALL_BARE && call->call < CALL_OLD;
    const bool old = call->call >= CALL_OLD && call->call < CALL_INSERT_MODE;
    const uint32_t mode = call->call == CALL_INSERT_MODE ? call->mode
                          : bare                         ? call->call - CALL_BARE
                          : old                          ? call->call - CALL_OLD
                                                         : call->call - CALL_MODE;
    const ModelResult result = mode > MUR_MODE_UPDATE && !model_offers(model, mode)
                                   ? (ModelResult){MUR_UNSUPPORTED, MUR_NO_SLOT, 0}
                                   : model_insert(model, mode, call->key, call->value);
    return (Answer){
        .value = old ? result.value : 0, .status = result.status, .slot = bare ? 0 : result.slot};
}

static uint64_t compare_of(const Model *model, const Call *call) {
    uint64_t key, there;
    (void)model_entry(model, call->slot, &key, &there);
    return call->mode & 1 ? there : call->value ^ 1;
}

static Answer expect(Model *model, const Call *call) {
    const bool set = model_is_set(model->config.format);
    Answer answer = {0};
    ModelResult result;
    switch (call->call) {
    case CALL_FIND:
    case CALL_FIND_SLOT:
    case CALL_FIND_SLOT_BARE:
        result = model_find(model, call->key);
        answer.value = call->call == CALL_FIND_SLOT_BARE ? 0 : result.value;
        answer.slot = call->call == CALL_FIND ? 0 : result.slot;
        answer.status = call->call == CALL_FIND && result.status == MUR_FOUND;
        break;
    case CALL_SLOT_ENTRY:
    case CALL_SLOT_VALUE:
        answer.status = model_entry(model, call->slot, &answer.key, &answer.value);
        if (call->call == CALL_SLOT_VALUE) {
            answer.status = 0;
            answer.key = 0;
        }
        break;
    case CALL_ERASE:
    case CALL_ERASE_BARE:
        result = model_erase(model, call->key);
        answer.status = result.status;
        answer.slot = call->call == CALL_ERASE ? result.slot : 0;
        answer.value = call->call == CALL_ERASE ? result.value : 0;
        break;
    case CALL_SLOT_EXCHANGE:
        answer.value = model_exchange(model, call->slot, call->value);
        break;
    case CALL_SLOT_COMPARE_EXCHANGE:
        answer.value = model_compare_exchange(model, call->slot, compare_of(model, call),
                                              call->value);
        break;
    default:
        return expect_insert(model, call);
    }
    if (set) {
        answer.value = 0;
    }
    /* K64V64 has mur_slot_entry for mur_slot_value. */
    return answer;
}

static void open_tables(Run *run) {
    run->memory = gpu_buffer(run->gpu, run->tables * 1024);
    run->calls = gpu_buffer(run->gpu, run->tables * CALLS * sizeof(Call));
    run->answers = gpu_buffer(run->gpu, run->tables * CALLS * sizeof(Answer));
    run->refs = gpu_buffer(run->gpu, run->tables * sizeof(MurTableRef));
    VkDeviceSize offset = 0;
    for (uint32_t t = 0; t < run->tables; ++t) {
        const PairOptions options = {
            .capacity = 1 + random_below(&run->random, 30),
            .seed = random_below(&run->random, 2) ? 0 : (uint32_t)random_next(&run->random),
            .probeLimit = random_below(&run->random, 2) ? 0 : 1 + random_below(&run->random, 12),
            .zero = random_below(&run->random, 2) != 0,
        };
        offset = pair_open_in(run->gpu, &run->pairs[t], &format_kinds[run->kind], &options,
                              &run->memory, offset);
        ((MurTableRef *)run->refs.mapped)[t] = murGetTableRef(run->pairs[t].table);
    }
}

static void close_tables(Run *run) {
    for (uint32_t t = 0; t < run->tables; ++t) {
        pair_close(run->gpu, &run->pairs[t]);
    }
    gpu_free(run->gpu, &run->memory);
    gpu_free(run->gpu, &run->calls);
    gpu_free(run->gpu, &run->answers);
    gpu_free(run->gpu, &run->refs);
}

static void dispatch(Run *run, bool read) {
    const Code code = code_of(run->kind, run->bound, read);
    CallPush push = {.tables = run->refs.address,
                     .calls = run->calls.address,
                     .answers = run->answers.address,
                     .tableCount = run->bound ? 1 : run->tables,
                     .callCount = CALLS};
    GpuKernel kernel = gpu_kernel(run->gpu, code.words, *code.size, sizeof push, run->bound);
    for (uint32_t t = 0; t < (run->bound ? run->tables : 1); ++t) {
        if (run->bound) {
            push.table = murGetTableRef(run->pairs[t].table);
            gpu_bind(run->gpu, &kernel, 0, murGetTableMemory(run->pairs[t].table));
        }
        gpu_begin(run->gpu);
        gpu_dispatch(run->gpu, &kernel, &push, (push.tableCount + 31) / 32);
        gpu_submit(run->gpu);
        push.calls += CALLS * sizeof(Call);
        push.answers += CALLS * sizeof(Answer);
    }
    gpu_kernel_free(run->gpu, &kernel);
}

static void check(Run *run, uint64_t seed) {
    const Call *calls = run->calls.mapped;
    const Answer *answers = run->answers.mapped;
    for (uint32_t t = 0; t < run->tables; ++t) {
        for (uint32_t i = 0; i < CALLS; ++i) {
            const Call *call = &calls[t * CALLS + i];
            const Answer *is = &answers[t * CALLS + i];
            const Answer should = expect(&run->pairs[t].model, call);
            if (memcmp(is, &should, sizeof should) != 0) {
                print_error("seed %llu, table %u of capacity %u, call %u: %u on key 0x%llx, slot "
                            "%u, value 0x%llx\n"
                            "is:        status %u, slot 0x%x, value 0x%llx, key 0x%llx\n"
                            "should be: status %u, slot 0x%x, value 0x%llx, key 0x%llx\n",
                            (unsigned long long)seed, t, run->pairs[t].model.config.capacity, i,
                            call->call, (unsigned long long)call->key, call->slot,
                            (unsigned long long)call->value, is->status, is->slot,
                            (unsigned long long)is->value, (unsigned long long)is->key,
                            should.status, should.slot, (unsigned long long)should.value,
                            (unsigned long long)should.key);
                fail();
            }
        }
        pair_require_same(run->gpu, &run->pairs[t]);
    }
}

static void run_kind(Gpu *gpu, uint32_t kind, bool bound, uint64_t seed) {
    Run run = {.gpu = gpu,
               .kind = kind,
               .bound = bound,
               .tables = bound ? BOUND_TABLES : TABLES,
               .random = {test_seed(seed)}};
    open_tables(&run);
    for (uint32_t round = 0; round < 2; ++round) {
        const bool read = round == 1;
        Call *calls = run.calls.mapped;
        for (uint32_t i = 0; i < run.tables * CALLS; ++i) {
            calls[i] = random_call(&run, &run.pairs[i / CALLS], read);
        }
        memset(run.answers.mapped, 0xEE, run.tables * CALLS * sizeof(Answer));
        dispatch(&run, read);
        check(&run, seed);
    }
    close_tables(&run);
}

#define CASES(name, kind)                                    \
    static void calls_by_address_##name(void **state) {      \
        run_kind(*state, kind, false, 1000 + kind);          \
    }                                                        \
    static void calls_by_bound_buffer_##name(void **state) { \
        run_kind(*state, kind, true, 2000 + kind);           \
    }
CASES(k64v32_32, 0)
CASES(k64v32_64, 1)
CASES(k64v64, 2)
CASES(k32, 3)
CASES(k64, 4)

int main(void) {
#define TESTS(name) gpu_test(calls_by_address_##name), gpu_test(calls_by_bound_buffer_##name)
    const struct CMUnitTest tests[] = {TESTS(k64v32_32),
                                       TESTS(k64v64),
                                       TESTS(k32),
                                       gpu_test(calls_by_address_k64v32_64),
                                       gpu_test(calls_by_address_k64),
                                       gpu_test(calls_by_bound_buffer_k64v32_64),
                                       gpu_test(calls_by_bound_buffer_k64)};
    /* Bound buffers of the last two kinds are those of format_storm_test in the normal tier. */
    const size_t count = sizeof tests / sizeof tests[0] - (test_full() ? 0 : 2);
    return _cmocka_run_group_tests("format calls", tests, count, gpu_group_setup,
                                   gpu_group_teardown);
}
