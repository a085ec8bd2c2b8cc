/* Many values per key: insert, count, retrieve; value groups, and a shader that visits them; and
 * the cost of one key with many values.
 * SPDX-License-Identifier: MIT */
#include "shaders/push.h"
#include "trial.h"

#include <murmuration/group.h>
#include <murmuration/multi.h>

/* QUERIES contains each key once. COUNTS and OFFSETS belong to the queries. */
enum { KEYS, VALUES, SEEN, QUERIES, COUNTS, OFFSETS, RESULTS, INDICES, GROUPS, SCRATCH, BUFFERS };

typedef struct Multi {
    Bench *bench;
    MurTableCreateInfo info;
    uint32_t bits, valueBits; /* 2^bits pairs, 2^valueBits per key, or MULTI_ZIPF */
    uint32_t pairs, queries, keyWords;
    MurTable table, groups;
    VkDeviceSize retrieving, grouping; /* scratch memory */
    bool ascending;                    /* values of groups ascend */
    GpuBuffer buffers[BUFFERS];
    bool indices; /* the next retrieve writes indices */
    double rate;  /* rate of the last row */
    uint32_t checks;
} Multi;

static MurArray array(const Multi *multi, int buffer) {
    return trialArray(&multi->buffers[buffer]);
}

static MultiPush pushOf(const Multi *multi, int keys, int values, uint32_t check) {
    const GpuBuffer *buffers = multi->buffers;
    return (MultiPush){.table = murGetTableRef(multi->groups),
                       .groups = buffers[GROUPS].address,
                       .keys = buffers[keys].address,
                       .values = buffers[values].address,
                       .queries = buffers[QUERIES].address,
                       .seen = buffers[SEEN].address,
                       .wrong = multi->bench->wrong.address,
                       .bits = multi->bits,
                       .valueBits = multi->valueBits,
                       .check = check,
                       .keyWords = multi->keyWords,
                       .queryCount = multi->queries,
                       .lanes = 1};
}

static bool openMulti(Multi *multi) {
    Bench *bench = multi->bench;
    const uint64_t pairs = multi->pairs, queries = multi->queries, words = multi->keyWords;
    MurTableCreateInfo info = trialInfo(2ull * multi->queries, multi->info.atomicWidth,
                                        TRIAL_GROUP);
    info.type = words == 2 ? murTypeK64V32() : murTypeK32V32();
    bool done = benchTable(bench, &multi->info, &multi->table) &&
                benchTable(bench, &info, &multi->groups);
    const MurBatch keys = {.maxCount = multi->queries}, items = {.maxCount = multi->pairs};
    multi->retrieving = murGetScratchSize(multi->table, MUR_COMMAND_MULTI_RETRIEVE, 0, &keys);
    multi->grouping = murGetScratchSize(multi->groups, MUR_COMMAND_GROUP, 0, &items);
    const uint64_t sizes[] = {
        [KEYS] = words * pairs,   [VALUES] = pairs,
        [SEEN] = pairs,           [QUERIES] = words * queries,
        [COUNTS] = queries,       [OFFSETS] = queries + 1,
        [RESULTS] = pairs,        [INDICES] = pairs,
        [GROUPS] = 2 * pairs + 1, [SCRATCH] = (multi->retrieving + multi->grouping) / 4};
    for (int i = 0; i < BUFFERS && done; ++i) {
        done = benchBuffer(bench, 4 * sizes[i], GPU_DEVICE, "multi", &multi->buffers[i]);
    }
    const MultiPush push = pushOf(multi, KEYS, VALUES, MULTI_PAIRS_WRITE);
    return done && benchCheck(bench, "pairs", KERNEL_multi_pairs, &push, multi->pairs);
}

BENCH_STEP(setupEmpty, const Multi, multi) {
    return tableClear(bench, multi->table);
}

BENCH_STEP(runInsert, const Multi, multi) {
    const MurBatch batch = {
        .maxCount = multi->pairs, .keys = array(multi, KEYS), .values = array(multi, VALUES)};
    return gpuCheck(murCmdMultiInsert(bench->gpu.cmd, multi->table, &batch), "inserting");
}

BENCH_STEP(runCount, const Multi, multi) {
    const MurBatch batch = {
        .maxCount = multi->queries, .keys = array(multi, QUERIES), .values = array(multi, COUNTS)};
    return gpuCheck(murCmdMultiCount(bench->gpu.cmd, multi->table, &batch), "counting");
}

BENCH_STEP(runRetrieve, const Multi, multi) {
    const MurMultiRetrieve retrieve = {
        .maxCount = multi->queries,
        .keys = array(multi, QUERIES),
        .offsets = array(multi, OFFSETS),
        .maxValues = multi->pairs,
        .values = array(multi, RESULTS),
        .keyIndices = multi->indices ? array(multi, INDICES) : (MurArray){0},
        .scratch = array(multi, SCRATCH),
    };
    return gpuCheck(murCmdMultiRetrieve(bench->gpu.cmd, multi->table, &retrieve), "retrieving");
}

BENCH_STEP(runGroup, const Multi, multi) {
    const MurGroup group = {.flags = multi->ascending ? MUR_GROUP_ASCENDING : 0,
                            .maxCount = multi->pairs,
                            .keys = array(multi, KEYS),
                            .values = array(multi, VALUES),
                            .groups = array(multi, GROUPS),
                            .scratch = array(multi, SCRATCH)};
    return gpuCheck(murCmdGroup(bench->gpu.cmd, multi->groups, &group), "grouping");
}

BENCH_STEP(runVisit, const Multi, multi) {
    const MultiPush push = pushOf(multi, KEYS, COUNTS, 0);
    return benchDispatch(bench, KERNEL_group_visit, &push, multi->queries);
}

/* Clears all results except indices, which only some retrieves write, and except groups that will
 * be visited. */
static bool forget(Multi *multi, bool groups) {
    GpuBuffer *all = multi->buffers;
    const GpuBuffer *const results[] = {&all[COUNTS], &all[OFFSETS], &all[RESULTS], &all[GROUPS]};
    return benchForget(multi->bench, groups ? 4 : 3, results);
}

/* Checks that every pair was retrieved once, as a value of its key. The indices are from the last
 * retrieve that wrote them. */
static bool verifyRetrieve(Multi *multi) {
    const MultiPush push = pushOf(multi, INDICES, RESULTS, ++multi->checks);
    return benchCheck(multi->bench, "retrieve", KERNEL_multi_pairs, &push, multi->pairs);
}

/* Checks the result of the last timed insert. */
static bool verifyInsert(Multi *multi) {
    multi->indices = true;
    return forget(multi, false) && benchOnce(multi->bench, runRetrieve, multi) &&
           verifyRetrieve(multi);
}

static bool verifyCount(Multi *multi) {
    return benchIsAll(multi->bench, "count", &multi->buffers[COUNTS], 0, multi->queries,
                      1u << multi->valueBits);
}

/* Checks that every pair was visited once, and nothing else. Few keys may have most pairs. */
static bool verifyGroup(Multi *multi) {
    MultiPush push = pushOf(multi, KEYS, COUNTS, ++multi->checks);
    push.lanes = multi->queries < 1u << 22 ? 256 : 16;
    push.ascending = multi->ascending ? MUR_GROUP_MAX_ASCENDING : 0;
    return benchCheck(multi->bench, "group", KERNEL_group_visit, &push,
                      push.lanes * multi->queries) &&
           benchIsAll(multi->bench, "group", &multi->buffers[SEEN], 0, multi->pairs, push.check);
}

typedef bool Run(Bench *bench, void *multi);

/* bulk: the rate of the same work on a table of the other type. */
static bool row(Multi *multi, MurTable table, const char *operation, Run *setup, Run *run,
                bool (*verify)(Multi *multi), const char *more, VkDeviceSize scratch, double bulk) {
    Timing timing;
    if (!forget(multi, run == runGroup) ||
        !benchTime(multi->bench, &(Timed){setup, run, multi}, &timing) || !verify(multi)) {
        return false;
    }
    const char *state = run == runGroup ? NULL : "unordered";
    const char *wide = multi->keyWords == 2 ? " 64-bit" : "";
    Row row = tableRow(table, "multi", operation, setup ? "empty" : state, multi->pairs, timing);
    row.load = 0.5;
    row.scratch = scratch;
    row.bulk = bulk;
    multi->rate = row.rate;
    benchSay(&row, "%d-bit atomics, ", (int)multi->info.atomicWidth);
    if (multi->valueBits == MULTI_ZIPF) {
        benchSay(&row, "Zipf%s keys%s", wide, more);
    } else {
        benchSay(&row, "%u a%s key%s", 1u << multi->valueBits, wide, more);
    }
    return benchRow(multi->bench, &row);
}

static bool retrieves(Multi *multi, bool indices) {
    multi->indices = indices;
    return row(multi, multi->table, "multi count + retrieve", NULL, runRetrieve, verifyRetrieve,
               indices ? ", key indices" : "", multi->retrieving, 0);
}

/* Adds rows of groups. They are compared with the last insert. */
static bool groups(Multi *multi) {
    const double inserts = multi->rate;
    multi->ascending = true;
    const bool done = row(multi, multi->groups, "group", NULL, runGroup, verifyGroup,
                          ", scratch, ascending", multi->grouping, inserts);
    multi->ascending = false;
    return done &&
           row(multi, multi->groups, "group", NULL, runGroup, verifyGroup, ", scratch",
               multi->grouping, inserts) &&
           (multi->valueBits > 10 || /* an invocation per key is too slow for many values */
            row(multi, multi->groups, "visit groups", NULL, runVisit, verifyCount, "", 0, 0));
}

/* all: also adds operations that follow inserts. */
static bool rows(Bench *bench, uint32_t bits, uint32_t valueBits, uint32_t keyWords,
                 MurAtomicWidth width, bool all) {
    if (bits > bench->options.maxLog2) {
        return true;
    }
    const uint32_t made = bench->madeCount;
    const bool zipf = valueBits == MULTI_ZIPF;
    const uint32_t queries = 1u << (zipf ? bits : bits - valueBits);
    Multi multi = {.bench = bench,
                   .bits = bits,
                   .valueBits = valueBits,
                   .pairs = 1u << bits,
                   .queries = queries,
                   .keyWords = keyWords};
    multi.info = trialInfo(2 * ((1ull << bits) + queries), width, 0);
    multi.info.type = keyWords == 2 ? murTypeMultiK64() : murTypeMultiK32();
    multi.info.emptyValue = MUR_EMPTY_VALUE_ZERO;
    bool done = openMulti(&multi);
    done = done &&
           row(&multi, multi.table, "multi insert", setupEmpty, runInsert, verifyInsert, "", 0,
               0) &&
           groups(&multi);
    if (all) {
        done = done &&
               row(&multi, multi.table, "multi count", NULL, runCount, verifyCount, "", 0, 0) &&
               retrieves(&multi, true) && retrieves(&multi, false);
    }
    benchRelease(bench, made);
    return done;
}

bool suiteMulti(Bench *bench) {
    const uint32_t large = bench->options.quick ? 11 : 24, hot = bench->options.quick ? 8 : 16;
    bool done = true;
    for (int i = trialWide(bench) ? 0 : 1; i < 2 && done; ++i) {
        const MurAtomicWidth width = i == 0 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
        done = rows(bench, hot, 3, 1, width, true) && rows(bench, hot, hot, 1, width, true);
        for (uint32_t bits = large; bits <= large + 2; bits += 2) {
            const uint32_t valueBits[] = {3, 0, 10, MULTI_ZIPF, bits};
            for (uint32_t j = 0; j < 10 && done; ++j) {
                const bool all = j < 2 && bits == large;
                done = (!all && width != trialWidth(bench)) ||
                       rows(bench, bits, valueBits[j / 2], 1 + j % 2, width, all);
            }
        }
    }
    return done && rowsAsKeys(bench);
}
