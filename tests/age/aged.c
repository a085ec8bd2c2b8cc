/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "aged.h"

#include <murmuration/host.h>

#include <stdlib.h>
#include <string.h>

enum { LISTS_AT = 16 }; /* words, after the result */

uint32_t *aged_words(const Aged *aged) {
    return aged->ages.mapped;
}

void aged_open(Gpu *gpu, Aged *aged, const Kind *kind, const ChurnOptions *options) {
    *aged = (Aged){.slots = 0};
    churn_open(gpu, &aged->churn, kind, options);
    aged->slots = aged->churn.view.slotCount + MUR_EXTRA_SLOTS(kind->format);
    aged->ages = gpu_buffer(gpu, 4ull * (aged->slots + AGED_MARGIN));
    memset(aged->ages.mapped, AGED_UNTOUCHED & 0xFF, aged->ages.size);
    aged->live = calloc(2ull * aged->slots, 4);
    assert_non_null(aged->live);
    aged->erased = aged->live + aged->slots;
}

void aged_close(Aged *aged) {
    free(aged->live);
    gpu_free(aged->churn.gpu, &aged->ages);
    churn_close(&aged->churn);
}

static int compare_words(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- The model ------------------------------------------------------------------------------ */

static uint32_t age_of(const Aged *aged, const MurAge *age, const Item *item) {
    const uint32_t word = aged_words(aged)[item->slot];
    return word == MUR_AGE_UNTOUCHED ? 0 : age->frame - word;
}

static uint32_t told_apart(uint32_t age) {
    return age < MUR_AGE_BINS - 1 ? age : UINT32_MAX;
}

/* Sets of each item whether it goes: too old, or no younger than entries that do not all fit. */
static void choose(const Aged *aged, const MurAge *age, bool *goes) {
    const Churn *churn = &aged->churn;
    uint32_t *ages = calloc(churn->count + 1ull, 4), count = 0;
    assert_non_null(ages);
    for (uint32_t i = 0; i < churn->count; ++i) {
        const Item *item = &churn->items[i];
        goes[i] = item->value != 0 && age_of(aged, age, item) > age->maxAge;
        if (item->value != 0 && !goes[i]) {
            ages[count++] = told_apart(age_of(aged, age, item));
        }
    }
    qsort(ages, count, sizeof *ages, compare_words);
    const uint32_t n = age->maxEntries;
    for (uint32_t i = 0; i < churn->count && (age->flags & MUR_AGE_YOUNGEST) && n < count; ++i) {
        const Item *item = &churn->items[i];
        if (item->value != 0 && told_apart(age_of(aged, age, item)) >= ages[n]) {
            goes[i] = true;
        }
    }
    free(ages);
}

static void erase_words(View *view, uint32_t slot) {
    const uint32_t none = view->zero ? 0 : UINT32_MAX;
    const bool extra = slot >= view->slotCount, set = MUR_IS_SET(view->format);
    const uint32_t unit = view_slot_words(view);
    uint32_t *words = extra ? view->words + MUR_HEADER_EXTRA +
                                  (slot - view->slotCount) * (set ? 1 : unit)
                            : view->words + MUR_HEADER_WORDS + (size_t)slot * unit;
    if (set) {
        words[0] = extra ? 0 : MUR_TOMB;
        if (!extra && unit == 2) {
            words[1] = MUR_EMPTY;
        }
        return;
    }
    words[unit / 2] = none;
    words[view->format == MUR_FORMAT_K64V64 ? 3 : unit / 2] = none;
}

/* ---- The command ---------------------------------------------------------------------------- */

static void require_words(const char *what, const uint32_t *words, const uint32_t *expected,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (words[i] != expected[i]) {
            fail_msg("%s: word %u of %u is 0x%x instead of 0x%x", what, i, count, words[i],
                     expected[i]);
        }
    }
}

static void run(Aged *aged, const MurAge *age) {
    Gpu *gpu = aged->churn.gpu;
    const uint32_t slots = aged->slots;
    GpuBuffer lists = gpu_buffer(gpu, 4 * (LISTS_AT + 2ull * slots));
    GpuBuffer scratch = gpu_buffer(gpu, MUR_AGE_SCRATCH_SIZE + 4);
    memset(lists.mapped, 0xAB, lists.size);
    memset(scratch.mapped, 0xAB, scratch.size);
    MurAge own = *age;
    own.ages = gpu_part(&aged->ages, 0, slots);
    own.result = gpu_part(&lists, 0, MUR_AGE_WORDS);
    own.live = gpu_part(&lists, LISTS_AT, slots);
    own.erased = gpu_part(&lists, LISTS_AT + slots, slots);
    own.maxLive = own.maxErased = slots;
    own.scratch = gpu_array(&scratch);
    gpu_begin(gpu);
    gpu_require(murCmdAge(gpu->cmd, aged->churn.table, &own));
    gpu_submit(gpu);
    const uint32_t *words = lists.mapped;
    memcpy(&aged->result, words, sizeof aged->result);
    memcpy(aged->live, words + LISTS_AT, 8ull * slots);
    assert_int_equal(words[MUR_AGE_WORDS], 0xABABABAB);
    assert_int_equal(((uint32_t *)scratch.mapped)[MUR_AGE_SCRATCH_SIZE / 4], 0xABABABAB);
    for (uint32_t i = aged->result.live; i < slots; ++i) {
        assert_int_equal(aged->live[i], 0xABABABAB);
    }
    for (uint32_t i = aged->result.erased; i < slots; ++i) {
        assert_int_equal(aged->erased[i], 0xABABABAB);
    }
    gpu_free(gpu, &scratch);
    gpu_free(gpu, &lists);
}

/* What the call should leave behind, from what is there before it. */
typedef struct Expected {
    View model; /* words of its own */
    uint32_t *ages, *live, *erased;
    uint32_t liveCount, erasedCount;
    MurReclaimResult reclaim;
    bool *goes;
} Expected;

static Expected expect(const Aged *aged, const MurAge *age) {
    const Churn *churn = &aged->churn;
    const uint32_t slots = aged->slots;
    Expected right = {.model = churn->view};
    right.model.words = malloc(4ull * view_words(&churn->view));
    right.ages = malloc(4ull * (4ull * slots + AGED_MARGIN));
    right.goes = calloc(churn->count + 1ull, sizeof *right.goes);
    assert_true(right.model.words && right.ages && right.goes);
    right.live = right.ages + slots + AGED_MARGIN;
    right.erased = right.live + slots;
    memcpy(right.model.words, churn->view.words, 4ull * view_words(&churn->view));
    memcpy(right.ages, aged_words(aged), aged->ages.size);
    for (uint32_t slot = 0; slot < slots; ++slot) {
        right.ages[slot] = MUR_AGE_UNTOUCHED;
    }
    choose(aged, age, right.goes);
    for (uint32_t i = 0; i < churn->count; ++i) {
        const uint32_t slot = churn->items[i].slot;
        if (right.goes[i]) {
            right.erased[right.erasedCount++] = slot;
            erase_words(&right.model, slot);
        } else if (churn->items[i].value) {
            right.live[right.liveCount++] = slot;
            right.ages[slot] = age->frame - age_of(aged, age, &churn->items[i]);
        }
    }
    qsort(right.live, right.liveCount, 4, compare_words);
    qsort(right.erased, right.erasedCount, 4, compare_words);
    right.reclaim = view_reclaim(&right.model, right.erased + slots);
    return right;
}

static void require_dispatch(const MurAgeResult *result, uint32_t groupEntries) {
    const uint64_t groups = groupEntries
                                ? ((uint64_t)result->live + groupEntries - 1) / groupEntries
                                : 0;
    const uint32_t *xyz = result->dispatch;
    assert_int_equal(xyz[0], groups < 65535 ? groups : 65535);
    assert_int_equal(xyz[1], groups < 65535 ? 1 : (groups + 65534) / 65535);
    assert_int_equal(xyz[2], 1);
}

/* The same on a copy, which the model's words and ages take the place of. */
static void check_host(const Aged *aged, const MurAge *age, const Expected *right, void *image,
                       uint32_t *ages) {
    uint32_t *lists = calloc(2ull * aged->slots, 4);
    assert_non_null(lists);
    const MurHostAge own = {.pAges = ages,
                            .frame = age->frame,
                            .maxAge = age->maxAge,
                            .flags = age->flags,
                            .maxEntries = age->maxEntries,
                            .maxLive = aged->slots,
                            .pLive = lists,
                            .maxErased = aged->slots,
                            .pErased = lists + aged->slots};
    MurHostTable table;
    MurAgeResult result;
    gpu_require(murHostAttach(image, 4ull * view_words(&right->model), &table));
    murHostAge(&table, &own, &result);
    assert_int_equal(result.live, right->liveCount);
    assert_int_equal(result.erased, right->erasedCount);
    assert_memory_equal(&result.reclaim, &right->reclaim, sizeof right->reclaim);
    require_words("host table", image, right->model.words, view_words(&right->model));
    require_words("host ages", ages, right->ages, aged->slots + AGED_MARGIN);
    require_words("host live", lists, right->live, right->liveCount);
    require_words("host erased", lists + aged->slots, right->erased, right->erasedCount);
    free(lists);
}

static void *copy_of(const void *bytes, size_t size) {
    void *copy = NULL;
    assert_int_equal(posix_memalign(&copy, 64, size), 0);
    memcpy(copy, bytes, size);
    return copy;
}

void aged_check(Aged *aged, const MurAge *age) {
    Churn *churn = &aged->churn;
    const Expected right = expect(aged, age);
    void *image = copy_of(churn->view.words, 4ull * view_words(&churn->view));
    uint32_t *ages = copy_of(aged_words(aged), aged->ages.size);
    check_host(aged, age, &right, image, ages);
    free(image);
    free(ages);
    run(aged, age);
    assert_int_equal(aged->result.live, right.liveCount);
    assert_int_equal(aged->result.erased, right.erasedCount);
    assert_int_equal(aged->result.reclaim.freed, right.reclaim.freed);
    assert_int_equal(aged->result.reclaim.kept, right.reclaim.kept);
    require_dispatch(&aged->result, age->groupEntries);
    require_words("table", churn->view.words, right.model.words, view_words(&churn->view));
    require_words("ages", aged_words(aged), right.ages, aged->slots + AGED_MARGIN);
    qsort(aged->live, right.liveCount, 4, compare_words);
    qsort(aged->erased, right.erasedCount, 4, compare_words);
    require_words("live", aged->live, right.live, right.liveCount);
    require_words("erased", aged->erased, right.erased, right.erasedCount);
    if (age->flags & MUR_AGE_YOUNGEST) {
        assert_true(aged->result.live <= age->maxEntries);
    }
    for (uint32_t i = 0; i < churn->count; ++i) {
        if (right.goes[i]) {
            churn->items[i].value = 0;
            churn->items[i].slot = MUR_NO_SLOT;
        }
    }
    free(right.model.words);
    free(right.ages);
    free(right.goes);
}
