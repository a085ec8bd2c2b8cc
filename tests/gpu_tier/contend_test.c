/* More than 10^9 operations on a GPU, thousands at the same time, on few and on many keys: nothing
 * lost, doubled or torn.
 *
 * SPDX-License-Identifier: MIT */
#include "tier.h"

#include "contend.h"

#include <string.h>

GPU_SPIRV(contend_32);
GPU_SPIRV(contend_64);
GPU_SPIRV(verify_spv);

enum { ROUNDS = 64, VERIFY_GROUPS = 1024 };

typedef struct Contest {
    uint64_t operations; /* at full scale */
    uint32_t keyCount;   /* at full scale, if there are many */
    const char *mix;     /* eight of A assign, K keep, + add, F find, E erase */
    bool sums;           /* no assigning: values are exact sums */
    MurAtomicWidth width;
} Contest;

static uint32_t parse_mix(const char *text) {
    const char *names = "AK+<>|FE"; /* MUR_MODE_*, then CONTEND_* */
    uint32_t mix = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        const char *name = strchr(names, text[i]);
        assert_non_null(name);
        mix |= (uint32_t)(name - names) << (4 * i);
    }
    return mix;
}

static void require_none_wrong(const Contest *contest, MurTable table, const uint32_t *errors) {
    uint32_t wrong = errors[CONTEND_WRONG] + errors[CONTEND_UNBALANCED] + errors[CONTEND_UNEQUAL];
    if (wrong) {
        uint32_t keyCount = contest->keyCount;
        uint32_t key = contend_key(errors[CONTEND_FIRST], keyCount, murGetTableRef(table).seed);
        print_error(
            "%u keys, mix %s, %d-bit atomics: %u results wrong, %u keys doubled or lost, %u "
            "sums wrong; among them key %u (index %u, factor %u) with value 0x%x\n",
            keyCount, contest->mix, (int)contest->width, errors[CONTEND_WRONG],
            errors[CONTEND_UNBALANCED], errors[CONTEND_UNEQUAL], key, errors[CONTEND_FIRST],
            contend_factor(key), errors[CONTEND_VALUE]);
    }
    assert_int_equal(wrong, 0);
}

/* No key has two slots: as many slots are claimed as keys have one. */
static void require_no_duplicates(Gpu *gpu, MurTable table, const uint32_t *errors) {
    const MurStats stats = gpu_stats(gpu, table);
    uint32_t none = (murGetTableRef(table).flags & MUR_TABLE_ZERO) ? 0 : UINT32_MAX;
    uint32_t extra; /* a live extra slot is no claimed one */
    uint32_t key = mur_key(MUR_EMPTY, murGetTableRef(table).seed);
    gpu_require(murBlockingFind(gpu->blocking, table, 1, &key, &extra, NULL, NULL));
    assert_int_equal(stats.live, errors[CONTEND_PRESENT]);
    assert_int_equal(stats.live + stats.erased - (extra != none), errors[CONTEND_CLAIMED]);
    assert_int_equal(stats.full, 0);
    assert_int_equal(stats.refused, 0);
}

static void contend(Gpu *gpu, Contest contest) {
    bool few = contest.keyCount <= CONTEND_FEW;
    contest.keyCount = few ? contest.keyCount : tier_size(contest.keyCount);
    assert_true(few || contest.keyCount > CONTEND_FEW);
    MurTable table = GPU_TABLE(
        gpu, .capacity = few ? contest.keyCount : 3 * (uint64_t)contest.keyCount / 2,
        .seed = 0xC0117E57, .reservedValue = MUR_RESERVED_VALUE_ZERO, .atomicWidth = contest.width,
        .probeLimit = few ? UINT64_MAX : 0);
    bool wide = contest.width == MUR_ATOMIC_WIDTH_64;
    GpuKernel kernel = gpu_kernel(gpu, wide ? contend_64 : contend_32,
                                  wide ? contend_64_size : contend_32_size, sizeof(ContendPush), 0);
    GpuKernel verify = gpu_kernel(gpu, verify_spv, verify_spv_size, sizeof(ContendPush), 0);
    GpuBuffer tallies = gpu_device_buffer(gpu, 8 * (VkDeviceSize)contest.keyCount);
    GpuBuffer errors = gpu_buffer(gpu, 4 * CONTEND_WORDS);
    memset(errors.mapped, 0, 4 * CONTEND_WORDS);
    ((uint32_t *)errors.mapped)[CONTEND_FIRST] = UINT32_MAX;
    ContendPush push = {
        .table = murGetTableRef(table),
        .tallies = tallies.address,
        .errors = errors.address,
        .keyCount = contest.keyCount,
        .rounds = ROUNDS,
        .seed = 1,
        .mix = parse_mix(contest.mix),
        .sums = contest.sums,
    };
    uint32_t groups = tier_size(contest.operations / ROUNDS / CONTEND_WORKGROUP);
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, tallies.buffer, 0, VK_WHOLE_SIZE, 0);
    gpu_barrier(gpu);
    gpu_dispatch(gpu, &kernel, &push, groups);
    gpu_barrier(gpu);
    gpu_dispatch(gpu, &verify, &push, VERIFY_GROUPS);
    gpu_submit(gpu);
    print_message("%llu operations\n", (unsigned long long)groups * CONTEND_WORKGROUP * ROUNDS);
    require_none_wrong(&contest, table, errors.mapped);
    require_no_duplicates(gpu, table, errors.mapped);
    gpu_free(gpu, &tallies);
    gpu_free(gpu, &errors);
    murDestroyTable(table);
}

/* name, operations, keys, mix, sums */
#define CONTESTS(X)                                                   \
    X(one_key_sums, 1 << 26, 1, "++KFFEEK", true)                     \
    X(one_key_everything, 1 << 26, 1, "A+KFFEEA", false)              \
    X(thirty_two_keys_sums, 1 << 27, 32, "++KFFEEK", true)            \
    X(thirty_two_keys_everything, 1 << 27, 32, "A+KFFEEA", false)     \
    X(a_million_keys_sums, 1 << 28, 1 << 20, "++KFFEEK", true)        \
    X(a_million_keys_everything, 1 << 28, 1 << 20, "A+KFFEEA", false) \
    X(ten_million_keys_sums, 1 << 28, 10000000, "++KFFFEK", true)     \
    X(ten_million_keys_everything, 1 << 28, 10000000, "A+KFFFEA", false)

#define CONTEST(name, operations, keys, mix, sums)                                 \
    GPU_TEST(name##_32) {                                                          \
        contend(gpu, (Contest){operations, keys, mix, sums, MUR_ATOMIC_WIDTH_32}); \
    }                                                                              \
    GPU_TEST(name##_64) {                                                          \
        contend(gpu, (Contest){operations, keys, mix, sums, MUR_ATOMIC_WIDTH_64}); \
    }
CONTESTS(CONTEST)

int main(int argc, char **argv) {
    tier_arguments(argc, argv);
    return cases_run();
}
