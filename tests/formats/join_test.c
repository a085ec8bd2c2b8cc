/* Bulk inserts of few keys, each many times, in every mode and format: as if they came one after
 * another.
 *
 * SPDX-License-Identifier: MIT */
#include "formats.h"

#include <string.h>

enum { ONE_WORKGROUP = 200, MANY = 5000 };

typedef struct Join {
    const FormatKind *kind;
    MurInsertMode mode;
    uint32_t count;
    Bulk bulk;
} Join;

static uint64_t value_of(const Join *join, uint32_t item) {
    const uint64_t low = mur_hash(item, 3) | 1;
    return join->kind->format == MUR_FORMAT_K64V64 ? low | (uint64_t)mur_hash(item, 4) % 9 << 32
                                                   : low & 0x7FFFFFFF;
}

static uint64_t joined(const Join *join, uint64_t a, uint64_t b) {
    switch (join->mode) {
    case MUR_MODE_ADD:
        return join->kind->format == MUR_FORMAT_K64V64 ? a + b : (uint32_t)(a + b);
    case MUR_MODE_MIN:
        return a < b ? a : b;
    case MUR_MODE_MAX:
        return a > b ? a : b;
    default:
        return a | b;
    }
}

static uint32_t key_of(uint32_t item) {
    return item * 7 % HARD_KEYS;
}

static void require_answers(const Join *join) {
    uint32_t inserted[HARD_KEYS] = {0};
    for (uint32_t i = 0; i < join->count; ++i) {
        assert_true(join->bulk.statuses[i] == MUR_INSERTED ||
                    join->bulk.statuses[i] == MUR_EXISTED);
        assert_int_equal(join->bulk.slots[i], join->bulk.slots[i % HARD_KEYS]);
        inserted[key_of(i)] += join->bulk.statuses[i] == MUR_INSERTED;
    }
    for (uint32_t k = 0; k < HARD_KEYS; ++k) {
        assert_int_equal(inserted[k], 1);
    }
}

static void require_values(const Join *join, const Model *model) {
    for (uint32_t k = 0; k < HARD_KEYS; ++k) {
        uint64_t expected = model->none;
        bool given = false;
        const uint64_t key = hard_key(join->kind->format, 9, k);
        const ModelResult found = model_find(model, key);
        for (uint32_t i = 0; i < join->count; ++i) {
            if (key_of(i) == k) {
                expected = joined(join, expected, value_of(join, i));
                given = given || value_of(join, i) == found.value;
                /* Who came first did not come last. */
                assert_true(join->mode != MUR_MODE_ASSIGN || found.value != value_of(join, i) ||
                            join->bulk.statuses[i] == MUR_EXISTED);
            }
        }
        const bool joins = join->mode > MUR_MODE_KEEP;
        if (found.status != MUR_FOUND || (joins ? found.value != expected : !given)) {
            fail_msg("%s, mode %u, key %u: 0x%llx", join->kind->name, join->mode, k,
                     (unsigned long long)found.value);
        }
    }
}

static void join_mode(Gpu *gpu, const FormatKind *kind, MurInsertMode mode, uint32_t count) {
    Join join = {kind, mode, count, bulk_open(kind->format, count)};
    Pair pair;
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = HARD_KEYS,
                             .seed = 9,
                             .zero = mode > MUR_MODE_KEEP && mode != MUR_MODE_MIN});
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&join.bulk, i, hard_key(kind->format, 9, key_of(i)), value_of(&join, i));
    }
    gpu_require(murBlockingInsert(gpu->blocking, pair.table, mode, count, join.bulk.keys,
                                  bulk_values(&join.bulk), join.bulk.statuses, join.bulk.slots));
    pair_adopt(&pair);
    require_answers(&join);
    if (!model_is_set(kind->format)) {
        require_values(&join, &pair.model);
    }
    bulk_close(&join.bulk);
    pair_close(gpu, &pair);
}

static void join_all_modes(Gpu *gpu, const FormatKind *kind) {
    const MurInsertMode last = model_is_set(kind->format) ? MUR_MODE_KEEP : MUR_MODE_OR;
    for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= last; ++mode) {
        join_mode(gpu, kind, mode, ONE_WORKGROUP);
        join_mode(gpu, kind, mode, MANY);
    }
}

static void items_of_a_key_are_joined(void **state) {
    for_each_kind(state, join_all_modes);
}

int main(void) {
    const struct CMUnitTest tests[] = {gpu_test(items_of_a_key_are_joined)};
    return cmocka_run_group_tests_name("format join", tests, gpu_group_setup, gpu_group_teardown);
}
