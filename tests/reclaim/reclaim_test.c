/* murCmdReclaim and murHostReclaim against the model, on tables of every kind whose keys come and
 * go; and whatever finds and inserts then do.
 *
 * SPDX-License-Identifier: MIT */
#include "reclaim.h"

#include "support/seed.h"

/* Keys come back, fresh ones come, some go, slots are reclaimed; each step checked. */
static void rounds(Churn *churn, uint32_t load, uint32_t churned, uint32_t count) {
    Gpu *gpu = churn->gpu;
    churn_insert(churn, some_absent, load);
    for (uint32_t i = 0; i < count; ++i) {
        churn_erase(churn, some_present, churned);
        churn_reclaim(churn);
        churn_check(churn);
        gpu_take(gpu, i % 2 ? WAY_HOME_FIRST : WAY_DIRECT);
        churn_insert(churn, some_present, 100);
        churn_insert(churn, some_absent, churned);
        churn_check(churn);
    }
    gpu_take(gpu, WAY_DEFAULT);
}

static void small_tables(Gpu *gpu, const Kind *kind) {
    static const uint64_t capacities[] = {1, 2, 3, 5, 8, 13, 31, 100};
    static const uint64_t limits[] = {0, 0, UINT32_MAX, 5};
    Random random = {test_seed(0x4EC1A1)};
    for (uint32_t i = 0; i < (test_full() ? 24 : 10); ++i) {
        const ChurnOptions options = {
            .capacity = capacities[i % 8],
            .probeLimit = limits[random_below(&random, 4)],
            .spread = (Spread)random_below(&random, SPREAD_COUNT),
            .seed = random_next(&random),
            .items = 4 + (uint32_t)capacities[i % 8] * 3,
        };
        Churn churn;
        churn_open(gpu, &churn, kind, &options);
        rounds(&churn, 10 + random_below(&random, 91), 20 + random_below(&random, 81), 4);
        churn_close(&churn);
    }
}

static void large_tables(Gpu *gpu, const Kind *kind) {
    static const uint32_t loads[] = {10, 30, 50, 70, 80, 90, 100};
    Random random = {test_seed(0x4EC1A2)};
    for (uint32_t i = 0; i < 7; i += test_full() ? 1 : 2) {
        const uint64_t capacity = 1000 + random_below(&random, 5000);
        const ChurnOptions options = {
            .capacity = capacity,
            .spread = i % 3 == 2 ? (Spread)random_below(&random, SPREAD_COUNT) : SPREAD_RANDOM,
            .seed = random_next(&random),
            .items = (uint32_t)(2 * capacity),
        };
        Churn churn;
        churn_open(gpu, &churn, kind, &options);
        rounds(&churn, loads[i] / 2, 30, 2);
        churn_close(&churn);
    }
}

/* No slot is free, and then every key goes: so do all slots, in one call. */
static void everything_erased(Gpu *gpu, const Kind *kind) {
    const uint64_t capacities[] = {1, 7, 700, test_full() ? 6000 : 3000}; /* beyond a window */
    for (uint32_t i = 0; i < 4; ++i) {
        const ChurnOptions options = {
            .capacity = capacities[i],
            .probeLimit = UINT32_MAX,
            .seed = 7 + i,
            .items = (uint32_t)(capacities[i] * 5 / 4 + 64),
        };
        Churn churn;
        churn_open(gpu, &churn, kind, &options);
        churn_insert(&churn, some_absent, 100);
        assert_int_equal(view_count(&churn.view, SLOT_FREE), 0);
        assert_int_not_equal(churn.full, 0);
        assert_int_equal(churn_reclaim(&churn).freed, 0);
        churn_erase(&churn, some_present, 50);
        churn_reclaim(&churn);
        churn_check(&churn);
        churn_erase(&churn, some_present, 100);
        churn_reclaim(&churn);
        assert_int_equal(view_count(&churn.view, SLOT_FREE), churn.view.slotCount);
        churn_insert(&churn, some_absent, 100);
        churn_check(&churn);
        churn_close(&churn);
    }
}

/* What one call leaves, the next leaves, too. */
static void twice_is_once(Gpu *gpu, const Kind *kind) {
    const ChurnOptions options = {.capacity = 3000, .seed = 9, .items = 6000};
    Churn churn;
    churn_open(gpu, &churn, kind, &options);
    churn_insert(&churn, some_absent, 45);
    churn_erase(&churn, some_present, 30);
    const MurReclaimResult first = churn_reclaim(&churn);
    const MurReclaimResult second = churn_reclaim(&churn);
    assert_int_not_equal(first.freed, 0);
    assert_int_not_equal(first.kept, 0);
    assert_int_equal(second.freed, 0);
    assert_int_equal(second.kept, first.kept);
    churn_close(&churn);
}

BY_KIND(small_tables)
BY_KIND(large_tables)
BY_KIND(everything_erased)
BY_KIND(twice_is_once)

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(small_tables_of_every_kind),
        gpu_test(large_tables_of_every_kind),
        gpu_test(everything_erased_of_every_kind),
        gpu_test(twice_is_once_of_every_kind),
    };
    return cmocka_run_group_tests_name("reclaim", tests, gpu_group_setup, gpu_group_teardown);
}
