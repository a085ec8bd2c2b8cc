/* Tests updates of a key that changes after the update reads the value and before it exchanges the
 * value.
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"
#include "support/seed.h"

#include "update_race.h"

GPU_SPIRV(update_race_0_32);
GPU_SPIRV(update_race_0_64);
GPU_SPIRV(update_race_1_32);
GPU_SPIRV(update_race_1_64);
GPU_SPIRV(update_race_4_64);

typedef struct Kind {
    uint32_t format;
    MurAtomicWidth width;
    const uint32_t *code;
    const size_t *size;
} Kind;

typedef struct Expected {
    uint32_t status, old, after, races; /* old and after: 0 stands for the empty value */
} Expected;

static Expected expected_of(uint32_t race) {
    const uint32_t tries = MUR_UPDATE_TRIES;
    const Expected all[RACE_KINDS] = {
        [RACE_NOTHING] = {MUR_EXISTED, RACE_FIRST, RACE_UPDATED, 1},
        [RACE_ONCE] = {MUR_EXISTED, RACE_OTHER + 1, RACE_UPDATED, 2},
        [RACE_OFTEN] = {MUR_EXISTED, RACE_OTHER + tries - 1, RACE_UPDATED, tries},
        [RACE_ALWAYS] = {MUR_CONTENDED, 0, RACE_OTHER + tries, tries},
        [RACE_ERASE] = {MUR_ABSENT, 0, 0, 1},
        [RACE_RETURN] = {MUR_EXISTED, RACE_OTHER + 1, RACE_UPDATED, 2},
    };
    return all[race];
}

static void check(const RaceResult *got, uint32_t race, bool zero) {
    const Expected expected = expected_of(race);
    const uint32_t none = zero ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < RACE_GROUP; ++i) {
        assert_int_equal(got[i].status, expected.status);
        assert_int_equal(got[i].old, expected.old ? expected.old : none);
        assert_int_equal(got[i].after, expected.after ? expected.after : none);
        assert_int_equal(got[i].present, expected.after != 0);
        assert_int_equal(got[i].races, expected.races);
        assert_int_equal(got[i].slot, expected.after ? got[i].inserted : MUR_NO_SLOT);
        assert_int_equal(got[i].torn, 0);
    }
}

static void run(Gpu *gpu, const Kind *kind, const GpuKernel *kernel, bool zero) {
    MurTable table = GPU_TABLE(gpu, .capacity = 2 * RACE_GROUP, .seed = 77,
                               .type = format_type(kind->format, 0), .atomicWidth = kind->width,
                               .emptyValue = zero ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX);
    GpuBuffer results = gpu_buffer(gpu, RACE_GROUP * sizeof(RaceResult));
    for (uint32_t race = 0; race < RACE_KINDS; ++race) {
        const RacePush push = {
            .table = murGetTableRef(table), .results = results.address, .kind = race};
        gpu_begin(gpu);
        gpu_dispatch(gpu, kernel, &push, 1);
        gpu_submit(gpu);
        check(results.mapped, race, zero);
    }
    gpu_free(gpu, &results);
    murDestroyTable(table);
}

GPU_TEST(update_replaces_only_the_value_that_it_read) {
#define KIND(format, width)                                               \
    {                                                                     \
        format, MUR_ATOMIC_WIDTH_##width, update_race_##format##_##width, \
            &update_race_##format##_##width##_size                        \
    }
    const Kind kinds[] = {KIND(0, 32), KIND(0, 64), KIND(1, 32), KIND(4, 64), KIND(1, 64)};
    /* The last two types differ only in their keys, so only the long tier runs the last one. */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] - (test_full() ? 0 : 1); ++i) {
        GpuKernel kernel = gpu_kernel(gpu, kinds[i].code, *kinds[i].size, sizeof(RacePush), 0);
        run(gpu, &kinds[i], &kernel, false);
        run(gpu, &kinds[i], &kernel, true);
    }
}
