/* Tests more than 10^9 operations on a GPU, thousands at the same time, on few and on many keys. No
 * entry may be lost, duplicated or torn.
 * SPDX-License-Identifier: MIT */
#include "tier.h"

#include "concurrent/mix.h"
#include "concurrent/storm.h"

GPU_SPIRV(storm_tally_32);
GPU_SPIRV(storm_tally_64);

enum { ROUNDS = 128, FEW = 32 /* keys of one home slot; one has the sentinel hash */ };

typedef struct Contest {
    uint64_t operations; /* number of operations at full scale */
    uint32_t keyCount;   /* number of keys at full scale, if there are many */
    const char *mix;
    bool sums; /* values are exact sums, because nothing assigns */
    MurAtomicWidth width;
} Contest;

/* Returns a description of a key's error, or NULL. */
static const char *wrong_key(const Contest *contest, const StormTally *tally, uint32_t key,
                             uint32_t value) {
    const bool present = value != 0;
    return tally->wrong                                 ? "results that cannot be"
           : tally->inserted - tally->erased != present ? "doubled or lost"
           : value % storm_factor(key) != 0             ? "another key's value"
           : contest->sums && tally->sum != value       ? "a wrong sum"
                                                        : NULL;
}

/* Checks each key's value and tally. Each key that was inserted at least once must have one slot,
 * except the key with the sentinel hash. */
static void judge(Gpu *gpu, const Contest *contest, MurTable table, const uint32_t *keys,
                  const StormTally *tallies) {
    const uint32_t seed = murGetTableRef(table).seed;
    uint32_t *values = test_allocate(4 * (size_t)contest->keyCount);
    uint32_t live = 0, claimed = 0, sentinels = 0;
    gpu_require(murBlockingFind(gpu->blocking, table, contest->keyCount, keys, values, NULL, NULL));
    for (uint32_t i = 0; i < contest->keyCount; ++i) {
        const char *wrong = wrong_key(contest, &tallies[i], keys[i], values[i]);
        if (wrong) {
            fail_msg("%u keys, mix %s, %d-bit atomics: key %u (index %u) with value 0x%x, %u times "
                     "inserted, %u erased, sum 0x%x, %u results wrong: %s",
                     contest->keyCount, contest->mix, (int)contest->width, keys[i], i, values[i],
                     tallies[i].inserted, tallies[i].erased, tallies[i].sum, tallies[i].wrong,
                     wrong);
        }
        const bool sentinel = mur_hash(keys[i], seed) == MUR_EMPTY;
        live += values[i] != 0;
        claimed += !sentinel && tallies[i].inserted != 0;
        sentinels += sentinel && values[i] != 0;
    }
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, live);
    assert_int_equal(stats.live + stats.erased - sentinels, claimed);
    assert_int_equal(stats.failedInserts, 0);
    assert_int_equal(stats.invalidValues, 0);
    free(values);
}

static void contend(Gpu *gpu, Contest contest) {
    const bool few = contest.keyCount <= FEW, wide = contest.width == MUR_ATOMIC_WIDTH_64;
    contest.keyCount = few ? contest.keyCount : tier_size(contest.keyCount);
    MurTable table = GPU_TABLE(
        gpu, .capacity = few ? contest.keyCount : 3 * (uint64_t)contest.keyCount / 2,
        .seed = 0xC0117E57, .emptyValue = MUR_EMPTY_VALUE_ZERO, .atomicWidth = contest.width,
        .probeLimit = few ? UINT64_MAX : 0);
    GpuKernel kernel = gpu_kernel(gpu, wide ? storm_tally_64 : storm_tally_32,
                                  wide ? storm_tally_64_size : storm_tally_32_size,
                                  sizeof(StormPush), 0);
    const VkDeviceSize size = sizeof(StormTally) * (VkDeviceSize)contest.keyCount;
    GpuBuffer tallies = gpu_device_buffer(gpu, size), read = gpu_buffer(gpu, size);
    GpuBuffer keys = gpu_buffer(gpu, 4 * (VkDeviceSize)contest.keyCount);
    const MurTableRef ref = murGetTableRef(table);
    for (uint32_t i = 0; i < contest.keyCount; ++i) {
        ((uint32_t *)keys.mapped)[i] = few ? mur_key(i == 1 ? MUR_EMPTY : 0xFFFFFFFEu - i, ref.seed)
                                           : i * 0x9E3779B1u;
    }
    const uint32_t groups = tier_size(contest.operations / ROUNDS / STORM_WORKGROUP);
    const StormPush push = {
        .table = ref,
        .keys = keys.address,
        .records = tallies.address,
        .keyCount = contest.keyCount,
        .rounds = ROUNDS,
        .invocations = groups * STORM_WORKGROUP,
        .seed = 1,
        .mix = storm_mix(contest.mix),
        .scheme = STORM_MULTIPLE,
        .pattern = STORM_MANY,
    };
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, tallies.buffer, 0, VK_WHOLE_SIZE, 0);
    gpu_barrier(gpu);
    gpu_dispatch(gpu, &kernel, &push, groups);
    gpu_barrier(gpu);
    vkCmdCopyBuffer(gpu->cmd, tallies.buffer, read.buffer, 1, &(VkBufferCopy){.size = size});
    gpu_submit(gpu);
    print_message("%llu operations\n", (unsigned long long)groups * STORM_WORKGROUP * ROUNDS);
    judge(gpu, &contest, table, keys.mapped, read.mapped);
    gpu_free(gpu, &tallies);
    gpu_free(gpu, &read);
    gpu_free(gpu, &keys);
    murDestroyTable(table);
}

#define CONTEST(name, operations, keys, mix, sums)                                 \
    GPU_TEST(name) {                                                               \
        contend(gpu, (Contest){operations, keys, mix, sums, MUR_ATOMIC_WIDTH_32}); \
        contend(gpu, (Contest){operations, keys, mix, sums, MUR_ATOMIC_WIDTH_64}); \
    }
CONTEST(one_key_sums, 1 << 26, 1, "++KFFEEK", true)
CONTEST(one_key_everything, 1 << 26, 1, "A+KFFEEA", false)
CONTEST(thirty_two_keys_sums, 1 << 27, 32, "++KFFEEK", true)
CONTEST(thirty_two_keys_everything, 1 << 27, 32, "A+KFFEEA", false)
CONTEST(a_million_keys_sums, 1 << 28, 1 << 20, "++KFFEEK", true)
CONTEST(a_million_keys_everything, 1 << 28, 1 << 20, "A+KFFEEA", false)
CONTEST(ten_million_keys_sums, 1 << 28, 10000000, "++KFFFEK", true)
CONTEST(ten_million_keys_everything, 1 << 28, 10000000, "A+KFFFEA", false)

int main(int argc, char **argv) {
    tier_arguments(argc, argv);
    return cases_run();
}
