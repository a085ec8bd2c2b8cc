/* murCmdAge where it is hard: lists that are short or none, more workgroups than a row has, damaged
 * memory, arguments that are wrong.
 *
 * SPDX-License-Identifier: MIT */
#include "aged.h"

#include <murmuration/multi.h>

#include <string.h>

enum { NOTHING = 0x77777777 };

/* The first item's entry is too old in an aged table. */
static void half_old(Aged *aged) {
    churn_insert(&aged->churn, some_absent, 100);
    for (uint32_t i = 0; i < aged->slots; ++i) {
        aged_words(aged)[i] = 10 + i % 2;
    }
}

/* What cannot be freed stays as an erase leaves it. */
static void tables_in_order(void **state) {
    for (uint32_t i = 0; i < KINDS; ++i) {
        Aged aged;
        aged_open(*state, &aged, &kinds[i],
                  &(ChurnOptions){.capacity = 2000, .seed = 12 + i, .items = 1500});
        churn_insert(&aged.churn, some_absent, 100);
        churn_put_in_order(&aged.churn);
        for (uint32_t j = 0; j < aged.slots; ++j) {
            aged_words(&aged)[j] = 10 + j % 2;
        }
        aged_check(&aged, &(MurAge){.frame = 11});
        assert_int_not_equal(aged.result.reclaim.kept, 0);
        assert_true(view_is_ordered(&aged.churn.view));
        churn_check(&aged.churn);
        churn_insert(&aged.churn, some_absent, 100);
        churn_check(&aged.churn);
        aged_close(&aged);
    }
}

/* Writes no more than there is room for, and tells how many there are; without lists the same. */
static void lists_may_be_short_or_none(void **state) {
    enum { MOST = 10, MARGIN = 1000, LIVE_AT = 8, ERASED_AT = 32, GROUP = 4 };
    Gpu *gpu = *state;
    GpuBuffer buffer = gpu_buffer(gpu, 4 * (ERASED_AT + MARGIN));
    uint32_t *words = buffer.mapped;
    for (uint32_t i = 0; i < 4; ++i) {
        Aged aged;
        aged_open(gpu, &aged, &kinds[i],
                  &(ChurnOptions){.capacity = 2000, .seed = 6, .items = 1500});
        half_old(&aged);
        const uint32_t count = view_count(&aged.churn.view, SLOT_LIVE);
        memset(words, NOTHING & 0xFF, buffer.size);
        const bool lists = i < 2, result = i < 3;
        MurAge age = {.ages = gpu_part(&aged.ages, 0, aged.slots),
                      .frame = 11,
                      .groupEntries = GROUP,
                      .maxLive = lists ? MOST + 1 : 0,
                      .maxErased = lists ? MOST : 0};
        age.result = result ? gpu_part(&buffer, 0, MUR_AGE_WORDS) : age.result;
        age.live = lists ? gpu_part(&buffer, LIVE_AT, MOST + 1) : age.live;
        age.erased = lists ? gpu_part(&buffer, ERASED_AT, MOST) : age.erased;
        gpu_begin(gpu);
        gpu_require(murCmdAge(gpu->cmd, aged.churn.table, &age));
        gpu_submit(gpu);
        const uint32_t live = view_count(&aged.churn.view, SLOT_LIVE);
        assert_in_range(live, count / 3, count * 2 / 3);
        const uint32_t listed = lists ? MOST + 1 : live + 1; /* the extra slot is live, too */
        MurAgeResult told;
        memcpy(&told, words, sizeof told);
        if (result) {
            assert_in_range(told.live, live, live + 1);
            assert_in_range(told.erased, count - live, count - live + 1);
            assert_in_range(told.dispatch[0], (listed - 1) / GROUP, (listed + GROUP - 1) / GROUP);
        } else {
            assert_int_equal(told.live, NOTHING);
        }
        for (uint32_t j = MUR_AGE_WORDS; j < buffer.size / 4; ++j) {
            const bool mine = lists && ((j >= LIVE_AT && j <= LIVE_AT + MOST) ||
                                        (j >= ERASED_AT && j < ERASED_AT + MOST));
            assert_true(mine ? words[j] < aged.slots : words[j] == NOTHING);
        }
        aged_close(&aged);
    }
    gpu_free(gpu, &buffer);
}

/* A workgroup an entry: more than a row has. */
static void dispatches_have_rows(void **state) {
    const ChurnOptions options = {.capacity = 90000, .seed = 8, .items = 70000};
    Aged aged;
    aged_open(*state, &aged, &kinds[6], &options);
    churn_insert(&aged.churn, some_absent, 100);
    aged_check(&aged, &(MurAge){.frame = 1, .maxAge = UINT32_MAX, .groupEntries = 1});
    assert_int_equal(aged.result.dispatch[0], 65535);
    assert_int_equal(aged.result.dispatch[1], 2);
    aged_close(&aged);
}

/* ---- Anything at all ------------------------------------------------------------------------ */

/* The call ends, and what it lists are slots. */
static void damaged_tables(void **state) {
    Gpu *gpu = *state;
    Random random = {78};
    for (uint32_t i = 0; i < 2 * KINDS; ++i) {
        Aged aged;
        aged_open(gpu, &aged, &kinds[i % KINDS],
                  &(ChurnOptions){.capacity = i < KINDS ? 20 : 2000, .seed = i, .items = 1});
        const View *view = &aged.churn.view;
        for (uint32_t word = MUR_HEADER_STATE; word < view_words(view); ++word) {
            view->words[word] = random_below(&random, 3) ? (uint32_t)random_next(&random)
                                                         : UINT32_MAX - random_below(&random, 2);
        }
        GpuBuffer lists = gpu_buffer(gpu, 4 * (16 + 2ull * aged.slots) + MUR_AGE_SCRATCH_SIZE);
        const MurAge age = {
            .ages = gpu_part(&aged.ages, 0, aged.slots),
            .maxAge = UINT32_MAX,
            .flags = MUR_AGE_YOUNGEST,
            .maxEntries = aged.slots,
            .live = gpu_part(&lists, 16, aged.slots),
            .maxLive = aged.slots,
            .erased = gpu_part(&lists, 16 + aged.slots, aged.slots),
            .maxErased = aged.slots,
            .result = gpu_part(&lists, 0, MUR_AGE_WORDS),
            .scratch = gpu_part(&lists, 16 + 2ull * aged.slots, MUR_AGE_SCRATCH_SIZE / 4),
        };
        gpu_begin(gpu);
        gpu_require(murCmdAge(gpu->cmd, aged.churn.table, &age));
        gpu_submit(gpu);
        const uint32_t *words = lists.mapped;
        assert_true(words[MUR_AGE_LIVE] + words[MUR_AGE_ERASED] <= aged.slots);
        for (uint32_t j = 0; j < words[MUR_AGE_LIVE]; ++j) {
            assert_true(words[16 + j] < aged.slots);
        }
        gpu_free(gpu, &lists);
        aged_close(&aged);
    }
}

/* ---- Arguments ------------------------------------------------------------------------------ */

static void refuse(Gpu *gpu, MurTable table, const MurAge *age, const char *text) {
    const uint32_t before = gpu->logErrors;
    assert_int_equal(murCmdAge(gpu->cmd, table, age), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(gpu->logErrors, before + 1);
    if (!strstr(gpu->lastLog, text) || !strstr(gpu->lastLog, "murCmdAge")) {
        fail_msg("\"%s\" does not say \"%s\"", gpu->lastLog, text);
    }
    gpu->logErrors = before;
}

static void bad_tables_are_refused(Gpu *gpu, const MurAge *good) {
    const MurTable plain = gpu_table(gpu, &(MurTableCreateInfo){.capacity = 100});
    refuse(gpu, plain, good, "murUseReclaim()");
    murDestroyTable(plain);
    const MurTable multi = gpu_table(
        gpu, &(MurTableCreateInfo){.capacity = 100,
                                   .format = MUR_FORMAT_K64V32,
                                   .reservedValue = MUR_RESERVED_VALUE_ZERO,
                                   .uses = {murUseReclaim(), murUseMulti()}});
    refuse(gpu, multi, good, "many values a key");
    murDestroyTable(multi);
    assert_int_equal(murCmdAge(gpu->cmd, VK_NULL_HANDLE, good), MUR_ERROR_INVALID_ARGUMENT);
}

static void bad_arguments_are_refused(void **state) {
    Gpu *gpu = *state;
    Aged aged;
    aged_open(gpu, &aged, &kinds[0], &(ChurnOptions){.capacity = 100, .seed = 5, .items = 1});
    const MurTable table = aged.churn.table;
    GpuBuffer buffer = gpu_buffer(gpu, 4096 + MUR_AGE_SCRATCH_SIZE);
    const MurAge good = {
        .ages = gpu_part(&aged.ages, 0, aged.slots),
        .flags = MUR_AGE_YOUNGEST,
        .live = gpu_part(&buffer, 16, 100),
        .maxLive = 100,
        .erased = gpu_part(&buffer, 116, 100),
        .maxErased = 100,
        .result = gpu_part(&buffer, 0, MUR_AGE_WORDS),
        .scratch = gpu_part(&buffer, 1024, MUR_AGE_SCRATCH_SIZE / 4),
    };
#define REFUSE(text, ...)               \
    do {                                \
        MurAge bad = good;              \
        __VA_ARGS__;                    \
        refuse(gpu, table, &bad, text); \
    } while (0)
    gpu_begin(gpu);
    refuse(gpu, table, NULL, "pAge is NULL");
    REFUSE("pNext", bad.pNext = &good);
    REFUSE("flags is 0x3", bad.flags = 3);
    REFUSE("result is required with live and erased", bad.result.address = 0);
    REFUSE("result is required with live and erased", bad.result.address = 0, bad.live.address = 0);
    REFUSE("ages is required", bad.ages.address = 0);
    REFUSE("ages is", bad.ages.size -= 4);
    REFUSE("ages", bad.ages.address += 2);
    REFUSE("live is 400 bytes", bad.maxLive = 101);
    REFUSE("erased is 400 bytes", bad.maxErased = 101);
    REFUSE("result is 24 bytes", bad.result.size = 24);
    REFUSE("scratch is required", bad.scratch.address = 0);
    REFUSE("scratch is", bad.scratch.size = MUR_AGE_SCRATCH_SIZE - 4);
    REFUSE("overlaps", bad.live.address = bad.erased.address);
    REFUSE("overlaps", bad.ages.address = murGetTableRef(table).address);
    bad_tables_are_refused(gpu, &good);
    gpu_submit(gpu);
    gpu_free(gpu, &buffer);
    aged_close(&aged);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(tables_in_order),           gpu_test(lists_may_be_short_or_none),
        gpu_test(dispatches_have_rows),      gpu_test(damaged_tables),
        gpu_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("age_edges", tests, gpu_group_setup, gpu_group_teardown);
}
