/* A user's shader with the include, compared with the library's command for the same work; and all
 * invocations on one key. SPDX-License-Identifier: MIT */
#include "operations.h"
#include "shaders/push.h"

/* Returns the kernel for the table's width. narrow: the kernel for 32 bits. */
static Kernel ofWidth(const Trial *trial, Kernel narrow) {
    return (Kernel)(narrow + (trial->width == MUR_ATOMIC_WIDTH_64));
}

/* Adds rows of the commands, each followed by the shaders that do the same. */
static bool calls(Bench *bench, MurAtomicWidth width, uint32_t pairs) {
    static const Operation inserts[] = {OPERATION_INSERT, OPERATION_SHADER_INSERT, OPERATION_AGAIN,
                                        OPERATION_SHADER_AGAIN, OPERATION_COUNT};
    static const Operation finds[] = {
        OPERATION_FIND_HIT,  OPERATION_SHADER_HIT,  OPERATION_SHADER_HIT_COHERENT,
        OPERATION_FIND_MISS, OPERATION_SHADER_MISS, OPERATION_SHADER_MISS_COHERENT,
        OPERATION_COUNT};
    Trial trial = {0};
    bool done = trialOpen(&trial, bench, "inshader", trialInfo(2ull * pairs, width, TRIAL_BUILD),
                          pairs);
    trial.mode = MUR_MODE_INSERT;
    done = done && operationRows(&trial, inserts) && operationRowsInStates(&trial, finds);
    trialClose(&trial);
    return done;
}

typedef struct OneKey {
    Trial trial;
    Kernel kernel;
    InShaderPush push;
} OneKey;

BENCH_STEP(setupEmpty, const OneKey, in) {
    return trialRecordClear(&in->trial);
}

BENCH_STEP(runAdds, const OneKey, in) {
    return benchDispatch(bench, in->kernel, &in->push, in->push.count);
}

/* Returns the subgroup size, or 0 if subgroups lack the operations for MUR_SUBGROUP_COMBINE. */
static uint32_t subgroupSize(const Bench *bench) {
    const VkSubgroupFeatureFlags needed = VK_SUBGROUP_FEATURE_BASIC_BIT |
                                          VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                          VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
                                          VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vkGetPhysicalDeviceProperties2(bench->gpu.physicalDevice, &properties);
    return (subgroup.supportedOperations & needed) == needed ? subgroup.subgroupSize : 0;
}

static bool isSum(const Trial *trial, const char *what) {
    return benchIsAll(trial->bench, what, &trial->values, 0, 1, trial->pairs);
}

/* Times additions to one key. The ceiling is one atomic per subgroup, or per invocation without
 * MUR_SUBGROUP_COMBINE. */
static bool oneKey(Bench *bench, MurAtomicWidth width, uint32_t subgroup) {
    const uint32_t count = 1u << (bench->options.quick ? 9 : 24);
    MurTableCreateInfo info = trialInfo(1024, width, 0);
    OneKey in = {.trial = {.found = isSum}};
    Trial *trial = &in.trial;
    MurStats stats;
    Timing timing;
    info.emptyValue = MUR_EMPTY_VALUE_ZERO;
    bool done = trialOpen(trial, bench, "inshader", info, count);
    if (done) {
        in.kernel = ofWidth(trial, subgroup ? KERNEL_in_combine_32 : KERNEL_in_add_32);
        in.push = (InShaderPush){.table = murGetTableRef(trial->table),
                                 .keys = trial->source.keys.address,
                                 .count = count};
        trial->entries = 1;
        done = benchTime(bench, &(Timed){setupEmpty, runAdds, &in}, &timing) &&
               trialHolds(trial, "add one key", 0, &stats);
    }
    if (done) {
        Row row = trialRow(trial, "add one key", "empty", count, timing);
        snprintf(row.variant, sizeof row.variant, "mur_add%s, %d-bit atomics",
                 subgroup ? ", MUR_SUBGROUP_COMBINE" : "", (int)width);
        done = benchCeiling(bench, KERNEL_CAS_32, 8, &row);
        row.ceiling *= subgroup ? subgroup : 1;
        done = done && benchRow(bench, &row);
    }
    trialClose(trial);
    return done;
}

/* One table that fits into caches, and one that does not. */
bool suiteInShader(Bench *bench) {
    const uint32_t small = bench->options.quick ? 9 : 20, subgroup = subgroupSize(bench);
    bool done = true;
    for (int i = trialWide(bench) ? 0 : 1; i < 2 && done; ++i) {
        const MurAtomicWidth width = i == 0 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
        done = calls(bench, width, 1u << small) && calls(bench, width, 16u << small) &&
               oneKey(bench, width, 0) && (!subgroup || oneKey(bench, width, subgroup));
    }
    return done;
}
