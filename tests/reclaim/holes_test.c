/* Tables full of holes: what inserts, alone and many of a key at once, do with them.
 *
 * SPDX-License-Identifier: MIT */
#include "reclaim.h"

#include "support/seed.h"

static Churn with_holes(Gpu *gpu, const Kind *kind, uint64_t seed) {
    const ChurnOptions options = {.capacity = 700, .seed = seed, .items = 2000, .scratch = true};
    Churn churn;
    churn_open(gpu, &churn, kind, &options);
    churn_insert(&churn, some_absent, 32);
    for (uint32_t i = 0; i < 3; ++i) {
        churn_erase(&churn, some_present, 40);
        churn_reclaim(&churn);
        churn_insert(&churn, some_absent, 14);
    }
    churn_erase(&churn, some_present, 40);
    churn_reclaim(&churn);
    assert_true(view_count(&churn.view, SLOT_HOLE) > 20);
    return churn;
}

/* Every key that lives behind a hole, and fresh ones, by many invocations at once. */
static void storms(void **state) {
    Gpu *gpu = *state;
    for (uint32_t i = 0; i < 2 * KINDS; ++i) {
        Churn churn = with_holes(gpu, &kinds[i / 2], test_seed(0x4013) + i);
        const uint32_t holes = view_count(&churn.view, SLOT_HOLE);
        gpu_take(gpu, i % 2 ? WAY_HOME_FIRST : WAY_DIRECT);
        churn_storm(&churn, some_of_all, 10, 8);
        churn_storm(&churn, some_present, 100, 8);
        gpu_take(gpu, WAY_DEFAULT);
        churn_check(&churn);
        assert_true(view_count(&churn.view, SLOT_HOLE) < holes);
        churn_reclaim(&churn);
        churn_close(&churn);
    }
}

static void slices_claim_holes(void **state) {
    Gpu *gpu = *state;
    for (uint32_t i = 0; i < 3; ++i) { /* 32-bit keys and values */
        Churn churn = with_holes(gpu, &kinds[i], test_seed(0x4014) + i);
        const uint32_t holes = view_count(&churn.view, SLOT_HOLE);
        churn_insert_slices(&churn, some_present, 100);
        churn_check(&churn);
        assert_int_equal(view_count(&churn.view, SLOT_HOLE), holes);
        churn_insert_slices(&churn, some_of_all, 12);
        churn_check(&churn);
        assert_true(view_count(&churn.view, SLOT_HOLE) < holes);
        churn_close(&churn);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {gpu_test(storms), gpu_test(slices_claim_holes)};
    return cmocka_run_group_tests_name("reclaim_holes", tests, gpu_group_setup, gpu_group_teardown);
}
