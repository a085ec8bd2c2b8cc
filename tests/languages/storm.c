/* Tests concurrent invocations on few keys, in every language. The results must be consistent with
 * each other and with the table.
 * SPDX-License-Identifier: MIT */
#include "run.h"
#include "support/seed.h"

#include <string.h>

enum { KEYS = 30, ITEMS = 3000, ROUNDS = 3, CAPACITY = 32, SEED = 0x2468ACE0 };

typedef enum Mix {
    KEEP,  /* inserts of the same keys */
    ERASE, /* inserts and erases of the same keys */
    SUM    /* additions to the same keys */
} Mix;

typedef struct Storm {
    Run run;
    Random random;
    MurHostTable table; /* attached to table memory in run.image */
    uint64_t keys[KEYS];
    uint32_t which[ITEMS]; /* number of each item's key */
    Operation operations[ITEMS];
} Storm;

/* Makes keys with chosen hashes. Their home slots are in one or two sectors. In bucketed tables,
 * more keys have the same first bucket than it has slots. Each high word and each low word belongs
 * to several 64-bit hashes, and some of these words are sentinels. */
static void make_keys(Storm *storm, uint32_t format) {
    static const uint32_t halves[] = {0, MUR_EMPTY, MUR_TOMB, 1, 0xFFFFFFF0u, 0xFFFFFFF1u};
    for (uint32_t i = 0; i < KEYS; ++i) {
        const uint64_t wide = (uint64_t)halves[1 + i / 6] << 32 | halves[i % 6];
        storm->keys[i] = MUR_IS_64(format) ? mur_key64(wide, SEED) : mur_key(0xFFFFFFFFu - i, SEED);
    }
}

static void fill(Storm *storm, Mix mix) {
    const MurInsertMode mode = mix == SUM ? MUR_MODE_ADD : MUR_MODE_INSERT;
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const uint32_t k = random_below(&storm->random, KEYS);
        const bool erases = mix == ERASE && random_below(&storm->random, 2);
        storm->which[i] = k;
        storm->operations[i] = (Operation){erases ? TRACE_ERASE : TRACE_INSERT | (i + 1) << 8,
                                           (uint32_t)storm->keys[k],
                                           (uint32_t)(storm->keys[k] >> 32), mode};
    }
}

/* Counts and sum of the results of all items of one key. */
typedef struct Told {
    uint32_t inserted, erased, full, slot;
    uint64_t sum;
} Told;

static void add_up(const Storm *storm, Mix mix, uint32_t i, Told *told) {
    const Answer *answer = &((const Answer *)storm->run.answers.mapped)[i];
    const bool set = MUR_IS_SET(MUR_TABLE_FORMAT(storm->table.ref.flags));
    told->inserted += answer->x == MUR_INSERTED;
    told->erased += answer->x == MUR_ERASED;
    told->sum += i + 1;
    if (storm->operations[i].kind == TRACE_ERASE) {
        assert_true(answer->x == MUR_ERASED || answer->x == MUR_ABSENT);
        return;
    }
    const bool buckets = (storm->table.ref.flags & MUR_TABLE_BUCKETS) != 0;
    if ((buckets || (set && mix == ERASE)) && answer->x == MUR_FULL) {
        ++told->full; /* buckets are full, or tombstones fill the table */
        return;
    }
    assert_true(answer->x == MUR_INSERTED || answer->x == MUR_EXISTED);
    assert_true(answer->z < storm->table.ref.slotCount + 2);
    if (!set || mix != ERASE) { /* each key keeps its slot */
        assert_true(told->slot == MUR_NO_SLOT || told->slot == answer->z);
        told->slot = answer->z;
    }
    if (!set && mix == KEEP && answer->x == MUR_EXISTED) { /* the value belongs to the same key */
        assert_in_range(answer->y, 1, ITEMS);
        assert_int_equal(storm->which[answer->y - 1], storm->which[i]);
    }
}

static void check(Storm *storm, Mix mix) {
    Told told[KEYS];
    uint32_t live = 0;
    for (uint32_t k = 0; k < KEYS; ++k) {
        told[k] = (Told){.slot = MUR_NO_SLOT};
    }
    for (uint32_t i = 0; i < ITEMS; ++i) {
        add_up(storm, mix, i, &told[storm->which[i]]);
    }
    for (uint32_t k = 0; k < KEYS; ++k) {
        const MurHostResult found = murHostFind(&storm->table, storm->keys[k]);
        assert_int_equal(told[k].inserted - told[k].erased, found.status == MUR_FOUND);
        assert_true(mix == ERASE || (found.status == MUR_FOUND) == (told[k].full == 0));
        assert_true(found.status != MUR_FOUND || told[k].slot == MUR_NO_SLOT ||
                    found.slot == told[k].slot);
        assert_true(mix != SUM || told[k].full || found.value == told[k].sum);
        live += found.status == MUR_FOUND;
    }
    uint32_t entries = 0; /* a key with two slots would count twice */
    for (MurHostEntry entry = {0}; murHostNextEntry(&storm->table, &entry);) {
        ++entries;
    }
    assert_int_equal(entries, live);
}

static void storm_of(Storm *storm, int language, uint32_t format, uint32_t flags, Mix mix) {
    const MurTableCreateInfo info = {
        .capacity = format == MUR_FORMAT_K32 && mix == ERASE && !flags ? 512 : CAPACITY,
        .seed = SEED,
        .type = format_type(format, flags),
        .emptyValue = mix == SUM ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .flags = flags & ~MUR_TABLE_BUCKETS,
    };
    storm->random.state = test_seed(77 + mix);
    for (int round = 0; round < ROUNDS; ++round) {
        storm->table = run_table(storm->run.image.mapped, &info);
        make_keys(storm, format);
        fill(storm, mix);
        run_operations(&storm->run, language, format | (flags ? IN_BUCKETS : 0), true,
                       &storm->table.ref, storm->operations, ITEMS, false);
        check(storm, mix);
    }
}

/* Runs all mixes of operations. The cases are named LANGUAGE_FORMAT. */
static void storm(Gpu *gpu, int language, uint32_t format, uint32_t flags) {
    static Storm it;
    run_open(&it.run, gpu);
    storm_of(&it, language, format, flags, KEEP);
    storm_of(&it, language, format, flags, ERASE);
    if (!MUR_IS_SET(format)) {
        storm_of(&it, language, format, flags, SUM);
    }
    run_close(&it.run);
}

static void storms_in_buckets(Gpu *gpu, int language) {
    for (uint32_t format = MUR_FORMAT_K32V32; format <= MUR_FORMAT_K64; ++format) {
        storm(gpu, language, format, MUR_TABLE_BUCKETS);
    }
}

#define STORMS(name, language)                                                 \
    GPU_TEST_IF(storm_##name##_k32v32, run_has(language, MUR_FORMAT_K32V32)) { \
        storm(gpu, language, MUR_FORMAT_K32V32, 0);                            \
    }                                                                          \
    GPU_TEST(storm_##name##_k64v32) {                                          \
        storm(gpu, language, MUR_FORMAT_K64V32, 0);                            \
    }                                                                          \
    GPU_TEST_IF(storm_##name##_k32, run_has(language, MUR_FORMAT_K32)) {       \
        storm(gpu, language, MUR_FORMAT_K32, 0);                               \
    }                                                                          \
    GPU_TEST_IF(storm_##name##_buckets, run_has(language, IN_BUCKETS)) {       \
        storms_in_buckets(gpu, language);                                      \
    }
STORMS(glsl, LANGUAGE_GLSL)
STORMS(hlsl, LANGUAGE_HLSL)
STORMS(wgsl, LANGUAGE_WGSL)
