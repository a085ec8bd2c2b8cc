/* murCmdEraseWhere beside other operations, each at the worst moment: after the predicates have
 * seen an entry, before the atomic that erases it. By the library's objects, but for that kernel,
 * into which race.glsl is compiled. And entries that are being inserted.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include "race.h"

#include <murmuration/hash.h>

#include <string.h>

typedef struct Kind {
    const char *name;
    MurFormat format;
    MurAtomicWidth width;
} Kind;

static const Kind kinds[] = {
    {"K32V32, 32-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32},
    {"K32V32, 64-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64},
    {"K64V32, 32-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32},
    {"K64V32, 64-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64},
    {"K32", MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32},
    {"K64", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64},
    {"K64V64", MUR_FORMAT_K64V64, MUR_ATOMIC_WIDTH_64},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], KEYS = 500, SEED = 11 };

/* A table in memory that the host sees, and arrays as its format has them. */
typedef struct Bench {
    const Kind *kind;
    bool zero;
    MurTable table;
    GpuBuffer memory;
    uint64_t keys[KEYS], values[KEYS]; /* the arrays' bytes */
    uint32_t statuses[KEYS], slots[KEYS];
} Bench;

static bool wide_keys(const Bench *bench) {
    return MUR_IS_64(bench->kind->format);
}

static bool wide_values(const Bench *bench) {
    return bench->kind->format == MUR_FORMAT_K64V64;
}

static uint64_t get(const uint64_t *array, uint32_t i, bool wide) {
    return wide ? array[i] : ((const uint32_t *)(const void *)array)[i];
}

static void put(uint64_t *array, uint32_t i, bool wide, uint64_t number) {
    if (wide) {
        array[i] = number;
    } else {
        ((uint32_t *)(void *)array)[i] = (uint32_t)number;
    }
}

/* Key number i; the last two live in extra slots, where the format has such. */
static uint64_t key_of(const Bench *bench, uint32_t i) {
    const uint32_t low = i == KEYS - 1 ? MUR_EMPTY : MUR_TOMB;
    if (i < KEYS - 2) {
        return wide_keys(bench) ? (uint64_t)(i / 3) << 32 | i : i;
    }
    return wide_keys(bench) ? mur_key64((uint64_t)MUR_EMPTY << 32 | low, SEED) : mur_key(low, SEED);
}

/* What happens to it meanwhile. */
static uint32_t race_of(const Bench *bench, uint32_t i) {
    return MUR_IS_SET(bench->kind->format) ? (uint32_t)key_of(bench, i) & 3 : i / 2 % 4;
}

static uint64_t value_of(const Bench *bench, uint32_t i) {
    const uint64_t value = 0x1000 * (i + 1) + race_of(bench, i);
    return wide_values(bench) ? (uint64_t)i << 32 | value : value;
}

static void *values_of(Bench *bench) {
    return MUR_IS_SET(bench->kind->format) ? NULL : bench->values;
}

static void bench_open(Bench *bench, Gpu *gpu, const Kind *kind, bool zero) {
    *bench = (Bench){.kind = kind, .zero = zero};
    MurTableCreateInfo info = {
        .capacity = KEYS + 50,
        .seed = SEED,
        .reservedValue = zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = kind->width,
        .format = kind->format,
    };
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needs));
    bench->memory = gpu_buffer(gpu, needs.size);
    info.memory = (MurBufferRange){bench->memory.buffer, 0, needs.size};
    gpu_require(murCreateTable(gpu->context, &info, &bench->table));
    gpu_require(murBlockingClear(gpu->blocking, bench->table));
    for (uint32_t i = 0; i < KEYS; ++i) {
        put(bench->keys, i, wide_keys(bench), key_of(bench, i));
        put(bench->values, i, wide_values(bench), value_of(bench, i));
    }
    gpu_require(murBlockingInsert(gpu->blocking, bench->table, MUR_MODE_ASSIGN, KEYS, bench->keys,
                                  values_of(bench), bench->statuses, bench->slots));
    for (uint32_t i = 0; i < KEYS; ++i) {
        assert_int_equal(bench->statuses[i], MUR_INSERTED);
    }
}

static void bench_close(Bench *bench, Gpu *gpu) {
    murDestroyTable(bench->table);
    gpu_free(gpu, &bench->memory);
}

/* The key's number in a list of erased entries, or KEYS. */
static uint32_t listed(const Bench *bench, const uint64_t *keys, uint32_t count, uint64_t key) {
    for (uint32_t i = 0; i < count; ++i) {
        if (get(keys, i, wide_keys(bench)) == key) {
            return i;
        }
    }
    return KEYS;
}

/* What must have become of key number i: in the list with the value that it had in the end, or in
 * the table. */
static void check_key(const Bench *bench, uint32_t i, const uint64_t *keys, const uint64_t *values,
                      const uint32_t *slots, uint32_t count) {
    const uint32_t race = race_of(bench, i);
    const bool set = MUR_IS_SET(bench->kind->format);
    const bool erased = set ? race != RACE_ERASE : race == RACE_NOTHING || race == RACE_CHANGE;
    const uint32_t at = listed(bench, keys, count, key_of(bench, i));
    uint64_t value = value_of(bench, i);
    if (race == RACE_CHANGE) {
        value += RACE_CHANGE_BY + (wide_values(bench) ? 1ull << 32 : 0);
    }
    if (erased != (at < KEYS) ||
        (erased && (slots[at] != bench->slots[i] ||
                    (!set && get(values, at, wide_values(bench)) != value)))) {
        fail_msg("%s: key %u, race %u: %s", bench->kind->name, i, race,
                 at == KEYS ? "not listed" : "listed, or not as it was");
    }
    const uint64_t found = get(bench->values, i, wide_values(bench));
    const bool saved = !set && race == RACE_SAVE;
    if ((bench->statuses[i] == MUR_FOUND) != saved || (saved && found != value + RACE_SAVE_BY)) {
        fail_msg("%s: key %u, race %u: %s, 0x%llx", bench->kind->name, i, race,
                 murStatusName(bench->statuses[i]), (unsigned long long)found);
    }
}

static void race_against(Gpu *gpu, const Kind *kind, bool zero) {
    Bench bench;
    bench_open(&bench, gpu, kind, zero);
    uint64_t keys[KEYS], values[KEYS];
    uint32_t slots[KEYS], count;
    const MurPredicate unsaved = {.compare = MUR_COMPARE_EQUAL, .mask = RACE_SAVED};
    const bool set = MUR_IS_SET(kind->format);
    gpu_require(murBlockingEraseWhere(gpu->blocking, bench.table, set ? 0 : 1, &unsaved, KEYS, keys,
                                      set ? NULL : values, slots, &count));
    assert_in_range(count, KEYS / 3, KEYS);
    gpu_require(murBlockingFind(gpu->blocking, bench.table, KEYS, bench.keys, values_of(&bench),
                                bench.statuses, NULL));
    uint32_t erased = 0;
    for (uint32_t i = 0; i < KEYS; ++i) {
        check_key(&bench, i, keys, values, slots, count);
        erased += listed(&bench, keys, count, key_of(&bench, i)) < KEYS;
    }
    assert_int_equal(count, erased); /* each once */
    bench_close(&bench, gpu);
}

static void entries_that_change_are_judged_again(void **state) {
    for (uint32_t i = 0; i < KINDS; ++i) {
        if (gpu_offers(*state, kinds[i].format, kinds[i].width)) {
            race_against(*state, &kinds[i], false);
            race_against(*state, &kinds[i], true);
        }
    }
}

/* Words of a table as a scan may see them while a key claims a slot: the value, but not all of the
 * key. Nothing is erased that has no key. */
static void what_is_being_inserted_is_left_alone(void **state) {
    Gpu *gpu = *state;
    for (uint32_t i = 0; i < KINDS; ++i) {
        if (!gpu_offers(gpu, kinds[i].format, kinds[i].width)) {
            continue;
        }
        Bench bench;
        bench_open(&bench, gpu, &kinds[i], false);
        const uint32_t format = kinds[i].format;
        if (!MUR_IS_SET(format)) {
            const uint32_t words = 1u << (MUR_SLOT_SHIFT(format) - 2);
            const uint32_t value = words == 2 ? 1 : 2;
            uint32_t *slot = (uint32_t *)bench.memory.mapped + MUR_HEADER_WORDS;
            uint32_t before[4], count;
            while (slot[0] != MUR_EMPTY) {
                slot += words;
            }
            slot[0] = format == MUR_FORMAT_K64V32 ? 5 : MUR_EMPTY;
            slot[value] = 0x1000;
            memcpy(before, slot, 4 * words);
            gpu_require(murBlockingEraseWhere(gpu->blocking, bench.table, 0, NULL, 0, NULL, NULL,
                                              NULL, &count));
            assert_memory_equal(slot, before, 4 * words);
            assert_in_range(count, KEYS / 2, KEYS);
        }
        bench_close(&bench, gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {gpu_test(entries_that_change_are_judged_again),
                                       gpu_test(what_is_being_inserted_is_left_alone)};
    return cmocka_run_group_tests_name("erase where", tests, gpu_group_setup, gpu_group_teardown);
}
