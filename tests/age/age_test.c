/* murCmdAge against the model, on tables of every kind: which entries go, every word of the table
 * and of the ages, the lists; and whatever finds and inserts then do.
 *
 * SPDX-License-Identifier: MIT */
#include "aged.h"

#include "support/seed.h"

/* ---- Ages ----------------------------------------------------------------------------------- */

typedef enum Ages { AGES_FEW, AGES_ONE, AGES_MANY, AGES_ANY, AGES_COUNT } Ages;

static uint32_t any_age(Random *random, Ages ages) {
    switch (ages) {
    case AGES_FEW:
        return random_below(random, 7);
    case AGES_ONE:
        return 4;
    case AGES_MANY: /* about as many as are told apart */
        return random_below(random, 2 * MUR_AGE_BINS);
    default:
        return (uint32_t)random_next(random);
    }
}

/* Slots without an entry, too: what they hold must not matter. */
static void set_ages(Aged *aged, Random *random, Ages ages, uint32_t frame) {
    for (uint32_t slot = 0; slot < aged->slots; ++slot) {
        const bool touched = random_below(random, 8) != 0;
        aged_words(aged)[slot] = touched ? frame - any_age(random, ages) : MUR_AGE_UNTOUCHED;
    }
}

/* Around zero as often as not, so that entries were touched before the count wrapped. */
static uint32_t any_frame(Random *random) {
    const uint32_t any = (uint32_t)random_next(random);
    return any % 2 ? any : any / 2 % 2000 - 1000;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void random_call(Aged *aged, Random *random) {
    static const uint32_t maxima[] = {0, 1, 4, 5, 1000, MUR_AGE_BINS, UINT32_MAX, UINT32_MAX};
    const uint32_t live = view_count(&aged->churn.view, SLOT_LIVE);
    const uint32_t most[] = {0, 1, live / 3, live / 2, live, live + 3, UINT32_MAX};
    MurAge age = {
        .frame = any_frame(random),
        .maxAge = maxima[random_below(random, 8)],
        .maxEntries = most[random_below(random, 7)],
        .groupEntries = random_below(random, 70),
        .flags = random_below(random, 2) ? MUR_AGE_YOUNGEST : 0,
    };
    set_ages(aged, random, (Ages)random_below(random, AGES_COUNT), age.frame);
    aged_check(aged, &age);
}

/* Keys come, some are erased before; a call; keys come back. */
static void rounds(Aged *aged, Random *random, uint32_t load, uint32_t count) {
    Churn *churn = &aged->churn;
    churn_insert(churn, some_absent, load);
    for (uint32_t i = 0; i < count; ++i) {
        churn_erase(churn, some_present, 10);
        random_call(aged, random);
        churn_check(churn);
        churn_insert(churn, some_present, 100);
        churn_insert(churn, some_absent, load);
        churn_check(churn);
    }
}

static void small_tables(Gpu *gpu, const Kind *kind) {
    static const uint64_t capacities[] = {1, 2, 5, 13, 31, 100};
    Random random = {test_seed(0xA6E1)};
    for (uint32_t i = 0; i < (test_full() ? 18 : 12); ++i) {
        const ChurnOptions options = {
            .capacity = capacities[i % 6],
            .probeLimit = i % 3 ? 0 : UINT32_MAX,
            .spread = (Spread)random_below(&random, SPREAD_COUNT),
            .seed = random_next(&random),
            .items = 4 + (uint32_t)capacities[i % 6] * 3,
        };
        Aged aged;
        aged_open(gpu, &aged, kind, &options);
        rounds(&aged, &random, 20 + random_below(&random, 81), 3);
        aged_close(&aged);
    }
}

/* Several workgroups. */
static void large_tables(Gpu *gpu, const Kind *kind) {
    Random random = {test_seed(0xA6E2)};
    for (uint32_t i = 0; i < 2; ++i) {
        const uint64_t capacity = 3000 + random_below(&random, 3000);
        const ChurnOptions options = {
            .capacity = capacity,
            .seed = random_next(&random),
            .items = (uint32_t)capacity,
        };
        Aged aged;
        aged_open(gpu, &aged, kind, &options);
        rounds(&aged, &random, 30 + 30 * i, 3);
        aged_close(&aged);
    }
}

/* Half of them of the age at the boundary: all of these go, or all stay. */
static void ties(Gpu *gpu, const Kind *kind) {
    const ChurnOptions options = {.capacity = 400, .seed = 3, .items = 300};
    for (uint32_t i = 0; i < 4; ++i) {
        Aged aged;
        aged_open(gpu, &aged, kind, &options);
        churn_insert(&aged.churn, some_absent, 100);
        uint32_t count = 0;
        for (uint32_t j = 0; j < aged.churn.count; ++j) {
            const Item *item = &aged.churn.items[j];
            if (item->value) {
                aged_words(&aged)[item->slot] = 100 - (count++ % 2 ? 3u : 2u);
            }
        }
        const uint32_t young = (count + 1) / 2;
        const uint32_t most[] = {young - 1, young, count - 1, count};
        const uint32_t stay[] = {0, young, young, count};
        const MurAge age = {
            .frame = 100, .maxAge = UINT32_MAX, .flags = MUR_AGE_YOUNGEST, .maxEntries = most[i]};
        aged_check(&aged, &age);
        assert_int_equal(aged.result.live, stay[i]);
        assert_int_equal(aged.result.erased, count - stay[i]);
        churn_check(&aged.churn);
        aged_close(&aged);
    }
}

/* Of each age as many; some too old to be counted at all. */
static void the_oldest_count_as_one(Gpu *gpu, const Kind *kind) {
    static const uint32_t ages[] = {3, MUR_AGE_BINS - 2, MUR_AGE_BINS - 1, 2 * MUR_AGE_BINS + 3,
                                    5 * MUR_AGE_BINS};
    const ChurnOptions options = {.capacity = 400, .seed = 3, .items = 300};
    for (uint32_t most = 1; most <= 5; ++most) {
        Aged aged;
        aged_open(gpu, &aged, kind, &options);
        churn_insert(&aged.churn, some_absent, 100);
        uint32_t count = 0, extra = 0;
        for (uint32_t j = 0; j < aged.churn.count; ++j) {
            const Item *item = &aged.churn.items[j];
            const bool isExtra = item->value && item->slot >= aged.churn.view.slotCount;
            if (item->value) {
                aged_words(&aged)[item->slot] = 0 - ages[isExtra ? 4 : count % 5];
                count += !isExtra;
                extra += isExtra;
            }
        }
        const uint32_t each = (count + 4) / 5;
        const MurAge age = {.maxAge = 4 * MUR_AGE_BINS,
                            .flags = MUR_AGE_YOUNGEST,
                            .maxEntries = most == 4 ? count - count / 5 : most * each};
        assert_true(extra || kind->format == MUR_FORMAT_K64V32);
        aged_check(&aged, &age);
        const uint32_t groups = most < 3 ? most : most == 3 ? 2 : 4;
        assert_in_range(aged.result.live, groups * (each - 1), groups * each);
        aged_close(&aged);
    }
}

/* Entries that are inserted and never touched are of the frame of the next call, wherever they
 * live. */
static void new_entries_inherit_no_age(Gpu *gpu, const Kind *kind) {
    const ChurnOptions options = {.capacity = 500, .seed = 4, .items = 400};
    Aged aged;
    aged_open(gpu, &aged, kind, &options);
    churn_insert(&aged.churn, some_absent, 60);
    Random random = {9};
    set_ages(&aged, &random, AGES_ANY, 0);
    aged_check(&aged, &(MurAge){.frame = 50, .maxAge = 1});
    const uint32_t before = aged.result.live;
    churn_insert(&aged.churn, some_absent, 100);
    const uint32_t live = aged.churn.count - aged.churn.full;
    assert_in_range(before, 1, live - 1);
    aged_check(&aged, &(MurAge){.frame = 60, .maxAge = 10});
    assert_int_equal(aged.result.live, live);
    aged_check(&aged, &(MurAge){.frame = 62, .maxAge = 2});
    assert_int_equal(aged.result.live, live - before);
    aged_check(&aged, &(MurAge){.frame = 63, .maxAge = 2});
    assert_int_equal(aged.result.live, 0);
    churn_check(&aged.churn);
    aged_close(&aged);
}

BY_KIND(small_tables)
BY_KIND(large_tables)
BY_KIND(ties)
BY_KIND(the_oldest_count_as_one)
BY_KIND(new_entries_inherit_no_age)

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(small_tables_of_every_kind),
        gpu_test(large_tables_of_every_kind),
        gpu_test(ties_of_every_kind),
        gpu_test(the_oldest_count_as_one_of_every_kind),
        gpu_test(new_entries_inherit_no_age_of_every_kind),
    };
    return cmocka_run_group_tests_name("age", tests, gpu_group_setup, gpu_group_teardown);
}
