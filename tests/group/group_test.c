/* Tests of murCmdGroup and the host's grouping, with batches of every size and table type. GPU and
 * host alternate on one table.
 * SPDX-License-Identifier: MIT */
#include "group.h"

#include "support/seed.h"
#include "visit.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(group_visit_k32v32_address);
GPU_SPIRV(group_visit_k32v32_buffer);
GPU_SPIRV(group_visit_k64v32_address);
GPU_SPIRV(group_visit_k64v32_buffer);

/* ---- Arrays between guard words that must not change ---------------------------------------- */

enum { BEHIND = 8 };
#define UNTOUCHED 0xABABABABu

typedef struct Part {
    GpuBuffer buffer;
    MurArray array;
    uint32_t *words;
    uint64_t count;
} Part;

/* Creates an array that is aligned to `at` words and not to twice as many. */
static Part part_open(Gpu *gpu, uint64_t count, uint32_t at) {
    Part part = {.buffer = gpu_buffer(gpu, 4 * (at + count + BEHIND)), .count = count};
    memset(part.buffer.mapped, 0xAB, (size_t)part.buffer.size);
    part.array = gpu_part(&part.buffer, at, count);
    part.words = (uint32_t *)part.buffer.mapped + at;
    return part;
}

static void part_close(Gpu *gpu, Part *part) {
    for (uint32_t *word = part->buffer.mapped; word < part->words; ++word) {
        assert_int_equal(*word, UNTOUCHED);
    }
    for (uint32_t i = 0; i < BEHIND; ++i) {
        assert_int_equal(part->words[part->count + i], UNTOUCHED);
    }
    gpu_free(gpu, &part->buffer);
}

/* ---- Run of one case ------------------------------------------------------------------------ */

typedef struct Run {
    Gpu *gpu;
    const GroupCase *test;
    MurTableCreateInfo info;
    MurTable table;
    GpuBuffer memory; /* memory of the table, initially garbage */
    MurHostTable host;
    Part keys, values, groups, scratch, count;
} Run;

static void open_run(Run *run, Gpu *gpu, const GroupCase *test, const TableKind *kind) {
    const uint64_t count = test->maxCount;
    *run = (Run){.gpu = gpu, .test = test};
    run->info = kind_info(kind, test->capacity ? test->capacity : count + 100);
    run->info.seed = GROUP_SEED;
    run->info.probeLimit = test->probeLimit;
    run->info.kernels[0] = murKernelsGroup();
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &run->info, &needs));
    run->memory = gpu_buffer(gpu, needs.size);
    memset(run->memory.mapped, 0x5A, (size_t)needs.size);
    run->info.memory = (MurBufferRange){run->memory.buffer, 0, needs.size};
    gpu_require(murCreateTable(gpu->context, &run->info, &run->table));
    run->host = (MurHostTable){.pImage = run->memory.mapped, .ref = murGetTableRef(run->table)};
    run->keys = part_open(gpu, count * kind_key_words(kind), 2);
    run->values = part_open(gpu, count, 1);
    run->groups = part_open(gpu, test->words ? test->words : 2 * count + 1, 3);
    const VkDeviceSize scratch = murGetScratchSize(run->table, MUR_COMMAND_GROUP, 0,
                                                   &(MurBatch){.maxCount = test->maxCount});
    run->scratch = part_open(gpu, (scratch + 3) / 4, 4);
    run->scratch.array.size = scratch;
    run->count = part_open(gpu, 1, 1);
    *run->count.words = test->gpuCount;
}

static void close_run(Run *run) {
    Part *const parts[] = {&run->keys, &run->values, &run->groups, &run->scratch, &run->count};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        part_close(run->gpu, parts[i]);
    }
    murDestroyTable(run->table);
    gpu_free(run->gpu, &run->memory);
}

static void group_on_gpu(Run *run, bool ascending) {
    const MurGroup group = {.flags = ascending ? MUR_GROUP_ASCENDING : 0,
                            .maxCount = run->test->maxCount,
                            .countAddress = run->test->hasCount ? run->count.array.address : 0,
                            .keys = run->keys.array,
                            .values = run->values.array,
                            .groups = run->groups.array,
                            .scratch = run->scratch.array};
    GPU_RUN(run->gpu, murCmdGroup(run->gpu->cmd, run->table, &group));
}

/* Fills the table with other keys and tombstones, which the next batch must replace. */
static void leave_others(const Run *run) {
    for (uint32_t i = 0; i < 50; ++i) {
        murHostInsert(&run->host, MUR_MODE_INSERT, 1000 * i, 5);
        murHostErase(&run->host, 1000 * (i - i % 2));
    }
}

/* Checks that shaders read the host's groups of all keys, and no group of an absent key. */
static void visit(Run *run, bool bound, const Pair *pairs, uint32_t count) {
#define KERNEL(symbol) gpu_kernel(run->gpu, symbol, symbol##_size, sizeof(VisitPush), 3)
    const bool wide = MUR_IS_64(type_format(run->info.type));
    GpuKernel kernel = bound  ? wide ? KERNEL(group_visit_k64v32_buffer)
                                     : KERNEL(group_visit_k32v32_buffer)
                        : wide ? KERNEL(group_visit_k64v32_address)
                              : KERNEL(group_visit_k32v32_address);
#undef KERNEL
    GpuBuffer data = gpu_buffer(run->gpu, (count + 1) * sizeof(VisitItem));
    VisitItem *items = data.mapped;
    uint32_t keys = 0;
    for (uint32_t first = 0; first < count; first = group_end(pairs, count, first)) {
        const uint64_t key = pairs[first].key;
        items[keys++] = (VisitItem){.key = (uint32_t)key, .keyHigh = (uint32_t)(key >> 32)};
    }
    items[keys++] = (VisitItem){.key = 1000}; /* an absent key */
    gpu_bind(run->gpu, &kernel, 0, run->info.memory);
    gpu_bind(run->gpu, &kernel, 1, (MurBufferRange){data.buffer, 0, data.size});
    gpu_bind(run->gpu, &kernel, 2, (MurBufferRange){run->groups.buffer.buffer, 0, VK_WHOLE_SIZE});
    gpu_begin(run->gpu);
    const VkDeviceAddress groups = run->groups.array.address;
    const VisitPush push = {murGetTableRef(run->table), groups, keys,
                            (uint32_t)(groups - run->groups.buffer.address) / 4};
    gpu_dispatch(run->gpu, &kernel, &push, (keys + 63) / 64);
    gpu_submit(run->gpu);
    for (uint32_t i = 0, first = 0; i < keys; ++i) {
        const uint32_t end = group_end(pairs, count, first);
        const uint64_t key = items[i].key | (uint64_t)items[i].keyHigh << 32;
        const bool found = murHostFind(&run->host, key).status == MUR_FOUND;
        uint32_t sum = 0;
        for (uint32_t p = first; p < end && found; ++p) {
            sum += pairs[p].value;
        }
        assert_int_equal(items[i].count, found ? end - first : UINT32_MAX);
        assert_int_equal(items[i].sum, sum);
        first = end;
    }
    gpu_free(run->gpu, &data);
}

/* Runs a case on the GPU and on the host, and reads the groups by shaders. Fast cases run twice on
 * the same memory. ascending: with MUR_GROUP_ASCENDING. */
static void run_case(Gpu *gpu, const GroupCase *test, const TableKind *kind, bool ascending) {
    const bool quick = test->maxCount <= 3000;
    const uint32_t keyBytes = 4 * kind_key_words(kind);
    Run run;
    print_message("%s, %s, bins of %u\n", test->name, kind->name,
                  murGetTuning(gpu->context).groupBinMaxPairs);
    open_run(&run, gpu, test, kind);
    for (uint32_t frame = 0; frame < (quick ? 2 : 1); ++frame) {
        uint32_t count;
        Pair *pairs = group_pairs(test, kind->format, frame, &count);
        for (uint32_t i = 0; i < test->maxCount; ++i) {
            memcpy((char *)run.keys.words + (size_t)keyBytes * i, &pairs[i].key, keyBytes);
            run.values.words[i] = pairs[i].value;
        }
        group_on_gpu(&run, ascending != (frame & 1));
        group_check(test, &run.info, &run.host, run.groups.words, run.groups.count, pairs, count,
                    ascending != (frame & 1));
        for (uint32_t bound = 0; bound < 2 && quick; ++bound) {
            visit(&run, bound, pairs, count);
        }
        leave_others(&run);
        memset(run.groups.words, 0xCD, 4 * (size_t)run.groups.count);
        assert_int_equal(murHostGroup(&run.host, count, run.keys.words, run.values.words,
                                      run.groups.words, run.groups.count),
                         VK_SUCCESS);
        group_check(test, &run.info, &run.host, run.groups.words, run.groups.count, pairs, count,
                    false);
        leave_others(&run);
        free(pairs);
    }
    close_run(&run);
}

/* Runs fast cases on two table types, slow cases on one. Batches use the default partitions,
 * none, eight bins, or two levels in turn. The long tier runs all combinations. */
static void run_cases(Gpu *gpu, const GroupCase *cases, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const uint32_t pairs = cases[i].maxCount;
        const bool quick = pairs <= 1100;
        const uint32_t bins[] = {gpu->tuning.groupBinMaxPairs, UINT32_MAX,
                                 pairs >> (quick ? 3 : 10)};
        enum { SPLITS = sizeof bins / sizeof bins[0] };
        for (size_t k = 0; k < KINDS_WITH_WIDTHS; ++k) {
            const TableKind *kind = &table_kinds[k];
            const bool taken = k == 5 * i % KINDS_WITH_WIDTHS ||
                               (quick && k == (5 * i + 7) % KINDS_WITH_WIDTHS);
            for (size_t s = 0; s < SPLITS && gpu_offers(gpu, kind->format, kind->width); ++s) {
                if (test_full() || (taken && (i + k) % SPLITS == s)) {
                    MurTuning tuning = gpu->tuning;
                    tuning.groupBinMaxPairs = bins[s];
                    gpu_require(murSetTuning(gpu->context, &tuning));
                    run_case(gpu, &cases[i], kind, (i + k / KINDS_OF_K32V32) % 2);
                }
            }
        }
    }
    gpu_take(gpu, WAY_DEFAULT);
}

#define CASES(name, ...)                                       \
    GPU_TEST(name) {                                           \
        static const GroupCase cases[] = {__VA_ARGS__};        \
        run_cases(gpu, cases, sizeof cases / sizeof cases[0]); \
    }

/* ---- Test cases ----------------------------------------------------------------------------- */

#define IN_TURN(many)  .keys = KEYS_IN_TURN, .of = (many)
#define IN_RUNS(each)  .keys = KEYS_IN_RUNS, .of = (each)
#define ZIPF(bits)     .keys = KEYS_ZIPF, .of = (bits)
#define OF_A_BIN(many) .keys = KEYS_OF_A_BIN, .of = (many)
#define COUNT(count)   .hasCount = true, .gpuCount = (count)

/* clang-format off */
CASES(few_pairs,
    {"no pair", IN_TURN(1), .maxCount = 0},
    {"one pair", IN_TURN(1), .maxCount = 1},
    {"keys that are markers", .keys = KEYS_HARD, .maxCount = 500},
    {"as many as a workgroup takes, less one", IN_RUNS(1), .maxCount = 1023},
    {"as many as a workgroup takes", IN_RUNS(1), .maxCount = 1024},
    {"one more", IN_RUNS(1), .maxCount = 1025},
    {"one key, as many as a workgroup takes", IN_TURN(1), .maxCount = 1024},
    {"one key and one more", IN_TURN(1), .maxCount = 1025},
    {"two keys in turn", IN_TURN(2), .maxCount = 1024},
    {"eight a key", IN_RUNS(8), .maxCount = 1000})

CASES(bins,
    {"bins of one level", IN_RUNS(1), .maxCount = 6000},
    {"eight a key, far apart", IN_TURN(1000), .maxCount = 8000},
    {"two keys", IN_TURN(2), .maxCount = 5000},
    {"one key", IN_TURN(1), .maxCount = 5001},
    {"a thousand a key", IN_RUNS(1000), .maxCount = 12000},
    {"Zipf", ZIPF(16), .maxCount = 12000},
    {"sixty-four or sixty-five a key", IN_TURN(63), .maxCount = 64 * 63 + 30},
    {"as many a key as are sorted", IN_RUNS(3072), .maxCount = 3 * 3072},
    {"one more a key", IN_RUNS(3073), .maxCount = 3 * 3073 + 1500},
    {"keys that are markers, often", .keys = KEYS_HARD, .maxCount = 9000},
    {"a bin of three quarters", OF_A_BIN(769), .maxCount = 3000},
    {"a bin that just fits", OF_A_BIN(1024), .maxCount = 1024},
    {"a bin that does not", OF_A_BIN(1025), .maxCount = 1100},
    {"a large bin of different keys", OF_A_BIN(2500), .maxCount = 4000})

CASES(many_pairs,
    {"the last of one level", ZIPF(22), .maxCount = 392000},
    {"the first of two levels", IN_TURN(60000), .maxCount = 394000},
    {"a bin of more tiles than workgroups, and more keys", IN_RUNS(3), .maxCount = 1100000},
)

CASES(counts_are_read_on_the_gpu,
    {"fewer", IN_TURN(300), .maxCount = 1024, COUNT(900)},
    {"more", IN_TURN(300), .maxCount = 1024, COUNT(5000)},
    {"none", IN_TURN(300), .maxCount = 1024, COUNT(0)},
    {"fewer, of bins", ZIPF(10), .maxCount = 6000, COUNT(4097)},
    {"fewer than a workgroup takes, of bins", ZIPF(10), .maxCount = 6000, COUNT(5)},
    {"none, of bins", ZIPF(10), .maxCount = 6000, COUNT(0)},
    {"few, of many", ZIPF(10), .maxCount = 30000, COUNT(3000)})

/* If the array is too small, every group is whole or missing. Word 0 holds the required size. */
CASES(too_small_arrays_leave_whole_groups_out,
    {"one word", IN_TURN(100), .maxCount = 1000, .words = 1},
    {"two words", IN_TURN(100), .maxCount = 1000, .words = 2},
    {"a word less than is needed", IN_TURN(100), .maxCount = 1000, .words = 1100},
    {"just what is needed", IN_TURN(100), .maxCount = 1000, .words = 1101},
    {"one key's, and a word less", IN_TURN(1), .maxCount = 1000, .words = 1001},
    {"half of it, of bins", IN_RUNS(3), .maxCount = 6000, .words = 4000},
    {"half of it, of large bins", IN_RUNS(3000), .maxCount = 12000, .words = 7000},
    {"half of a large bin", OF_A_BIN(2500), .maxCount = 2500, .words = 2500})

/* An insert into a full table reads as many slots as a probe can. Mesa's software device ends loops
 * after 65,535 iterations of an invocation: with many such keys per invocation, it neither inserted
 * nor counted some pairs. */
GPU_TEST(counts_of_full_tables_are_exact) {
    static const GroupCase test = {"full, long probes", OF_A_BIN(1020), .maxCount = 18500,
                                   .capacity = 14600};
    const TableKind *kind = &table_kinds[KINDS_OF_K32V32]; /* 16 bytes per slot: many sectors */
    run_case(gpu, &test, kind, false);
}

/* If the table is too small, every key that has a slot has its whole group. */
CASES(too_small_tables_keep_whole_groups,
    {"probe limit", IN_RUNS(2), .maxCount = 1000, .capacity = 520, .probeLimit = 4},
    {"full", IN_RUNS(2), .maxCount = 1000, .capacity = 100},
    {"full, of bins", IN_RUNS(3), .maxCount = 6000, .capacity = 1000},
    {"full, of large bins", OF_A_BIN(2500), .maxCount = 4000, .capacity = 2000, .probeLimit = 700},
    {"both", IN_TURN(500), .maxCount = 1000, .capacity = 100, .words = 200},
    {"every slot, listed", .keys = KEYS_HARD, .maxCount = 1100, .capacity = 8})
/* clang-format on */

/* The host functions return an error and write nothing. */
PLAIN_TEST(host_functions_reject_wrong_arguments) {
    static uint64_t image[4096];
    static const uint64_t keys[3] = {1, 2, 1};
    const uint32_t values[3] = {5, 6, 7};
    uint32_t groups[7] = {99};
    for (uint32_t i = 0; i < ALL_KINDS; ++i) {
        const MurTableCreateInfo info = kind_info(&table_kinds[i], 200);
        const bool groupable = i < KINDS_WITH_WIDTHS;
        MurHostTable table;
        assert_int_equal(
            murHostCreate(&info, image + (uintptr_t)image / 8 % 2, sizeof image - 8, &table),
            VK_SUCCESS);
        assert_int_equal(murHostInsert(&table, MUR_MODE_INSERT, 9, 1).status, MUR_INSERTED);
        groups[0] = 99;
        assert_refused(murHostGroup(NULL, 3, keys, values, groups, 7));
        assert_refused(murHostGroup(&table, 3, NULL, values, groups, 7));
        assert_refused(murHostGroup(&table, 3, keys, NULL, groups, 7));
        assert_refused(murHostGroup(&table, 3, keys, values, NULL, 7));
        assert_refused(murHostGroup(&table, 3, keys, values, groups, 0));
        assert_refused(murHostGroup(&table, MUR_MAX_GROUPED + 1u, keys, values, groups, 7));
        if (!groupable) {
            assert_refused(murHostGroup(&table, 3, keys, values, groups, 7));
        }
        assert_int_equal(murHostFind(&table, 9).status, MUR_FOUND);
        assert_int_equal(groups[0], 99);
        if (groupable) {
            assert_int_equal(murHostGroup(&table, 0, NULL, NULL, groups, 1), VK_SUCCESS);
            assert_int_equal(murHostFind(&table, 9).status, MUR_ABSENT);
            assert_int_equal(groups[0], 1);
        }
    }
}
