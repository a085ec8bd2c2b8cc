/* murCmdReclaim where it is hard: tables in order, probe limits beyond what is looked at, memory
 * that holds anything, lists that are too short, arguments that are wrong; and snapshots after it.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "reclaim.h"

#include <murmuration/host.h>
#include <murmuration/snapshot.h>

#include <stdlib.h>
#include <string.h>

/* ---- Order ---------------------------------------------------------------------------------- */

/* Finds of ordered tables end at the first larger hash: after a reclaim, too. */
static void order_stays(void **state) {
    for (uint32_t i = 0; i < KINDS; ++i) {
        const ChurnOptions options = {.capacity = 3000, .seed = 11 + i, .items = 4000};
        Churn churn;
        churn_open(*state, &churn, &kinds[i], &options);
        churn_insert(&churn, some_absent, 60);
        churn_put_in_order(&churn);
        churn_check(&churn);
        churn_erase(&churn, some_present, 40);
        assert_int_not_equal(churn_reclaim(&churn).freed, 0);
        assert_int_equal(churn.view.words[MUR_HEADER_STATE], MUR_STATE_ORDERED);
        churn_check(&churn);
        churn_insert(&churn, some_absent, 50);
        assert_int_equal(churn.view.words[MUR_HEADER_STATE] & MUR_STATE_ORDERED, 0);
        churn_check(&churn);
        churn_close(&churn);
    }
}

/* ---- Probe limits --------------------------------------------------------------------------- */

/* A slot of K64V32 whose key has this home; reserved: erased. */
static void put_slot(View *view, uint32_t slot, uint32_t home, uint32_t low, uint32_t value) {
    const uint64_t high = ((uint64_t)home << 32) / view->capacity + 1;
    const uint32_t words[4] = {low, (uint32_t)high, value, 0};
    memcpy(view->words + 64 + 4 * (size_t)slot, words, sizeof words);
    assert_int_equal(view_home(view, view_slot(view, slot).hash), home);
}

/* The same slots as the model, or fewer: how many are left? Nothing else changes. */
static uint32_t reclaim_some(Churn *churn) {
    const size_t bytes = 4 * (size_t)view_words(&churn->view);
    View model = churn->view;
    uint32_t *slots = malloc(4ull * model.slotCount);
    model.words = malloc(bytes);
    assert_true(slots && model.words);
    memcpy(model.words, churn->view.words, bytes);
    const MurReclaimResult most = view_reclaim(&model, slots);
    MurReclaimResult result;
    const uint32_t live = view_count(&churn->view, SLOT_LIVE);
    gpu_require(murBlockingReclaim(churn->gpu->blocking, churn->table, 0, NULL, &result));
    assert_int_equal(result.freed + result.kept, most.freed + most.kept);
    for (uint32_t slot = 0; slot < model.slotCount; ++slot) {
        const SlotKind kind = view_slot(&churn->view, slot).kind;
        if (kind != view_slot(&model, slot).kind) { /* left, though it could go */
            assert_int_equal(kind, SLOT_HOLE);
        }
    }
    assert_int_equal(view_count(&churn->view, SLOT_LIVE), live);
    assert_null(view_wrong(&churn->view));
    free(slots);
    free(model.words);
    return most.freed - result.freed;
}

/* No slot is free, or one: what lies further behind than is looked at stays, for another call. */
static void limits_beyond_what_is_looked_at(void **state) {
    enum { CAPACITY = 60000, FAR = 30000 };
    const ChurnOptions options = {
        .capacity = CAPACITY, .probeLimit = UINT32_MAX, .seed = 1, .items = 1};
    Churn churn;
    churn_open(*state, &churn, &kinds[3], &options);
    View *view = &churn.view;
    assert_int_equal(view->format, MUR_FORMAT_K64V32);
    for (uint32_t slot = 0; slot < view->slotCount; ++slot) {
        put_slot(view, slot, slot < CAPACITY ? slot : CAPACITY - 1, slot + 1, UINT32_MAX);
    }
    put_slot(view, 20005, 20000, 7, 1);
    put_slot(view, FAR, 20006, 8, 1);
    assert_int_equal(reclaim_some(&churn), view->slotCount - 2 - (FAR - 20006) - 5);
    uint32_t *free_slot = view->words + 64 + 4 * 50001ull;
    free_slot[0] = free_slot[1] = UINT32_MAX;
    free_slot[3] = 0; /* it was a hole */
    uint32_t left = view->slotCount, calls = 0;
    for (; left != 0 && calls < 20; ++calls) {
        const uint32_t now = reclaim_some(&churn);
        assert_true(now < left);
        left = now;
    }
    print_message("  %u calls\n", calls);
    assert_int_equal(left, 0);
    assert_int_equal(view_count(view, SLOT_HOLE), FAR - 20006 + 5);
    assert_int_equal(view_count(view, SLOT_ERASED), 0);
    churn_close(&churn);
}

/* ---- Anything at all ------------------------------------------------------------------------ */

static uint32_t any_word(Random *random) {
    static const uint32_t odd[] = {0, UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2, 1, 7, 8};
    const uint32_t any = (uint32_t)random_next(random);
    return any % 3 ? any : odd[any / 3 % 7];
}

/* Damaged tables: the call ends, and changes slots to free ones and holes and nothing else. */
static void damaged_tables(void **state) {
    Gpu *gpu = *state;
    Random random = {77};
    for (uint32_t i = 0; i < 4 * KINDS; ++i) {
        const ChurnOptions options = {.capacity = i < KINDS ? 20 : 5000,
                                      .probeLimit = i % 3 ? UINT32_MAX : 0,
                                      .seed = i,
                                      .items = 1};
        Churn churn;
        churn_open(gpu, &churn, &kinds[i % KINDS], &options);
        const View *view = &churn.view;
        const uint32_t words = view_words(view), unit = view_slot_words(view);
        uint32_t *before = malloc(4ull * words), *list = malloc(4ull * view->slotCount);
        assert_true(before && list);
        for (uint32_t word = MUR_HEADER_STATE; word < words; ++word) {
            view->words[word] = any_word(&random);
        }
        memcpy(before, view->words, 4ull * words);
        MurReclaimResult result;
        gpu_require(murBlockingReclaim(gpu->blocking, churn.table, view->slotCount, list, &result));
        assert_in_range(result.freed, 0, view->slotCount);
        for (uint32_t j = 0; j < result.freed; ++j) {
            assert_in_range(list[j], 0, view->slotCount - 1);
            assert_int_equal(view_slot(view, list[j]).kind, SLOT_FREE);
            memcpy(view->words + 64 + list[j] * unit, before + 64 + list[j] * unit, 4ull * unit);
        }
        for (uint32_t slot = 0; slot < view->slotCount; ++slot) {
            if (view_slot(view, slot).kind == SLOT_HOLE) {
                const size_t at = 64 + (size_t)slot * unit;
                memcpy(view->words + at, before + at, 4ull * unit);
            }
        }
        assert_memory_equal(view->words, before, 4ull * words);
        free(before);
        free(list);
        churn_close(&churn);
    }
}

/* ---- Lists and arguments -------------------------------------------------------------------- */

/* Writes no more than there is room for, and tells how many there are; without lists the same. */
static void lists_may_be_short_or_none(void **state) {
    Gpu *gpu = *state;
    enum { MOST = 10, MARGIN = 1000 };
    const ChurnOptions options = {.capacity = 500, .seed = 5, .items = 400};
    GpuBuffer buffer = gpu_buffer(gpu, 4 * (MOST + MARGIN + 4));
    uint32_t *words = buffer.mapped;
    for (uint32_t i = 0; i < 3; ++i) {
        Churn churn;
        churn_open(gpu, &churn, &kinds[0], &options);
        churn_insert(&churn, some_absent, 100);
        churn_erase(&churn, some_present, 100);
        const uint32_t erased = view_count(&churn.view, SLOT_ERASED);
        memset(words, 0xAB, buffer.size);
        const MurReclaim reclaim = {
            .maxCount = MOST,
            .slots = i == 0 ? gpu_part(&buffer, 4, MOST) : (MurArray){0, 0},
            .result = gpu_part(&buffer, 0, 2),
        };
        gpu_begin(gpu);
        gpu_require(murCmdReclaim(gpu->cmd, churn.table, i == 2 ? NULL : &reclaim));
        gpu_submit(gpu);
        assert_int_equal(view_count(&churn.view, SLOT_FREE), churn.view.slotCount);
        assert_int_equal(words[0], i == 2 ? 0xABABABABu : erased);
        assert_int_equal(words[1], i == 2 ? 0xABABABABu : 0);
        for (uint32_t j = 2; j < buffer.size / 4; ++j) {
            const bool listed = i == 0 && j >= 4 && j < 4 + MOST;
            assert_true(listed ? words[j] < churn.view.slotCount : words[j] == 0xABABABABu);
        }
        churn_close(&churn);
    }
    gpu_free(gpu, &buffer);
}

static void refuse(Gpu *gpu, MurTable table, const MurReclaim *reclaim, const char *text) {
    const uint32_t before = gpu->logErrors;
    assert_int_equal(murCmdReclaim(gpu->cmd, table, reclaim), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(gpu->logErrors, before + 1);
    if (!strstr(gpu->lastLog, text) || !strstr(gpu->lastLog, "murCmdReclaim")) {
        fail_msg("\"%s\" does not say \"%s\"", gpu->lastLog, text);
    }
    gpu->logErrors = before;
}

static void bad_arguments_are_refused(void **state) {
    Gpu *gpu = *state;
    const ChurnOptions options = {.capacity = 100, .seed = 5, .items = 1};
    Churn churn;
    churn_open(gpu, &churn, &kinds[0], &options);
    GpuBuffer buffer = gpu_buffer(gpu, 4096);
    const MurReclaim good = {
        .maxCount = 100, .slots = gpu_part(&buffer, 4, 100), .result = gpu_part(&buffer, 0, 2)};
    MurReclaim bad = good;
    gpu_begin(gpu);
    assert_int_equal(murCmdReclaim(gpu->cmd, VK_NULL_HANDLE, &good), MUR_ERROR_INVALID_ARGUMENT);
    bad.pNext = &good;
    refuse(gpu, churn.table, &bad, "pNext");
    bad = good;
    bad.result = (MurArray){0, 0};
    refuse(gpu, churn.table, &bad, "result is required with slots");
    bad = good;
    bad.slots.size -= 4;
    refuse(gpu, churn.table, &bad, "slots is 396 bytes");
    bad = good;
    bad.result.address += 2;
    refuse(gpu, churn.table, &bad, "result");
    bad = good;
    bad.result.size = 4;
    refuse(gpu, churn.table, &bad, "result is 4 bytes");
    bad = good;
    bad.slots.address = murGetTableRef(churn.table).address;
    refuse(gpu, churn.table, &bad, "overlaps");
    bad = good;
    bad.slots.address = bad.result.address;
    refuse(gpu, churn.table, &bad, "overlaps");
    const MurTable plain = gpu_table(gpu, &(MurTableCreateInfo){.capacity = 100});
    refuse(gpu, plain, NULL, "murUseReclaim()");
    gpu_submit(gpu);
    murDestroyTable(plain);
    gpu_free(gpu, &buffer);
    churn_close(&churn);
}

/* ---- Snapshots ------------------------------------------------------------------------------ */

/* An erased key's slot may lie where no probe for it comes any longer: that is no damage. */
static void snapshots_of_reclaimed_tables_load(void **state) {
    for (uint32_t i = 0; i < 2 * KINDS; ++i) {
        const ChurnOptions options = {.capacity = 300, .seed = 21 + i, .items = 900};
        Churn churn;
        churn_open(*state, &churn, &kinds[i % KINDS], &options);
        churn_insert(&churn, some_absent, 25);
        if (i >= KINDS) { /* elsewhere what is kept becomes a hole */
            churn_put_in_order(&churn);
        }
        churn_erase(&churn, some_present, 50);
        const MurReclaimResult result = churn_reclaim(&churn);
        assert_true(result.freed != 0 && result.kept != 0);
        void *image = NULL;
        assert_int_equal(posix_memalign(&image, 64, churn.memory.size), 0);
        memcpy(image, churn.memory.mapped, churn.memory.size);
        MurHostTable table;
        gpu_require(murHostAttach(image, churn.memory.size, &table));
        const uint64_t size = murGetSnapshotSize(&table);
        void *snapshot = malloc((size_t)size);
        assert_non_null(snapshot);
        gpu_require(murWriteSnapshot(&table, snapshot, size));
        murHostClear(&table);
        gpu_require(murLoadSnapshotFromMemory(snapshot, size, &table));
        assert_memory_equal(image, churn.memory.mapped, churn.memory.size);
        free(snapshot);
        free(image);
        churn_close(&churn);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(order_stays),
        gpu_test(limits_beyond_what_is_looked_at),
        gpu_test(damaged_tables),
        gpu_test(lists_may_be_short_or_none),
        gpu_test(bad_arguments_are_refused),
        gpu_test(snapshots_of_reclaimed_tables_load),
    };
    return cmocka_run_group_tests_name("reclaim_edges", tests, gpu_group_setup, gpu_group_teardown);
}
