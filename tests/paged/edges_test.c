/* Descriptions, memory and arguments of paged tables that are wrong.
 *
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <murmuration/paged.h>

#define INVALID MUR_ERROR_INVALID_ARGUMENT

enum { PAGE = MUR_PAGE_MIN_SIZE, ITEMS = 64 };

/* A pager of an observed context, and a description of a table in it that is right. */
typedef struct Edges {
    Gpu *gpu;
    Observed observed;
    MurPager pager;
    MurPagedTableCreateInfo right;
} Edges;

static void edges_open(Edges *edges, Gpu *gpu) {
    const MurPagerCreateInfo info = {.pageCount = 8,
                                     .pageSize = PAGE,
                                     .pageFrameCount = 3,
                                     .framesInFlight = 2,
                                     .chunkPages = 4,
                                     .flags = MUR_PAGER_FORCE};
    edges->gpu = gpu;
    observe_open_idle(&edges->observed, gpu);
    gpu_require(murCreatePager(edges->observed.context, &info, &edges->pager));
    edges->right = (MurPagedTableCreateInfo){.pager = edges->pager, .maxPending = ITEMS};
    log_book_clear(&edges->observed.log);
}

static void edges_close(Edges *edges) {
    murDestroyPager(edges->pager);
    observe_close(&edges->observed);
}

/* ---- Descriptions --------------------------------------------------------------------------- */

static void refused_description(Edges *edges, const MurPagedTableCreateInfo *info,
                                const char *text) {
    Observed *observed = &edges->observed;
    MurPagedTable table = (MurPagedTable)edges; /* becomes NULL */
    MurPagedTableRequirements needs = {.size = 17};
    expect_error(observed, murCreatePagedTable(observed->context, info, &table), INVALID, text,
                 text);
    assert_null(table);
    expect_error(observed, murGetPagedTableRequirements(observed->context, info, &needs), INVALID,
                 text, text);
    assert_int_equal(needs.size, 17);
}

GPU_TEST(wrong_descriptions) {
    Edges edges;
    edges_open(&edges, gpu);
    MurPagedTableCreateInfo info;
#define WRONG(field, value) \
    info = edges.right;     \
    info.field = value;     \
    refused_description(&edges, &info, #field)
    WRONG(pNext, &info);
    WRONG(pager, VK_NULL_HANDLE);
    WRONG(format, (MurFormat)77);
    WRONG(format, MUR_FORMAT_COUNT);
    WRONG(reservedValue, (MurReservedValue)7);
    WRONG(atomicWidth, (MurAtomicWidth)16);
    WRONG(locality, (MurPageLocality)3);
    WRONG(shift, 32);
    WRONG(basePages, 2); /* not by hash */
    WRONG(maxPending, (1u << 24) + 1);
    WRONG(maxLeaves, 2 * MUR_PAGED_INDEX + 1);
    edges.right.locality = MUR_PAGE_BY_HASH;
    WRONG(basePages, 9);
    edges.right.basePages = 8;
    WRONG(maxLeaves, 7);
    edges.right.locality = MUR_PAGE_BY_KEY;
    edges.right.basePages = 0;
    edges.right.format = MUR_FORMAT_K64V32;
    WRONG(shift, 64);
#undef WRONG
    edges_close(&edges);
}

GPU_TEST(what_is_not_there) {
    Edges edges, other;
    edges_open(&edges, gpu);
    Observed *observed = &edges.observed;
    MurContext context = observed->context;
    MurPagedTable table;
    MurPagedTableRequirements needs;
    refused_description(&edges, NULL, "pCreateInfo");
    expect_refused(observed, murCreatePagedTable(context, &edges.right, NULL), "pTable");
    expect_refused(observed, murGetPagedTableRequirements(context, &edges.right, NULL),
                   "pRequirements");
    assert_refused(murCreatePagedTable(VK_NULL_HANDLE, &edges.right, &table));
    assert_refused(murGetPagedTableRequirements(VK_NULL_HANDLE, &edges.right, &needs));
    assert_int_equal(murGetPagedTableRef(VK_NULL_HANDLE, 3).maxPending, 0);
    assert_int_equal(murGetPagedTableRef(VK_NULL_HANDLE, 3).pager.frame, 0);
    assert_int_equal(murGetPagedScratchSize(VK_NULL_HANDLE, ITEMS), 0);
    assert_int_equal(murGetPagedScratchMinimum(VK_NULL_HANDLE, ITEMS), 0);
    murDestroyPagedTable(VK_NULL_HANDLE);
    other = edges;
    other.right.pager = VK_NULL_HANDLE;
    gpu_require(murCreatePager(
        edges.gpu->context,
        &(MurPagerCreateInfo){
            .pageCount = 1, .pageSize = PAGE, .pageFrameCount = 1, .framesInFlight = 1},
        &other.right.pager));
    refused_description(&edges, &other.right, "another context's");
    murDestroyPager(other.right.pager);
    edges_close(&edges);
}

GPU_TEST(wrong_memory) {
    Edges edges;
    edges_open(&edges, gpu);
    Observed *observed = &edges.observed;
    MurPagedTable table;
    MurPagedTableRequirements needs;
    MurPagedTableCreateInfo info = edges.right;
    gpu_require(murGetPagedTableRequirements(observed->context, &info, &needs));
    GpuBuffer memory = gpu_buffer(gpu, needs.size + needs.alignment);
#define WRONG(offset, size, text)                                                                \
    info.memory = (MurBufferRange){memory.buffer, offset, size};                                 \
    expect_error(observed, murCreatePagedTable(observed->context, &info, &table), INVALID, text, \
                 #offset ", " #size);                                                            \
    assert_null(table)
    WRONG(0, needs.size - 1, "memory.size");
    WRONG(2 * needs.alignment, needs.size, "memory.offset");
    WRONG(needs.alignment / 2, needs.size, "multiple");
    info.memory = (MurBufferRange){VK_NULL_HANDLE, needs.alignment, 0};
    expect_refused(observed, murCreatePagedTable(observed->context, &info, &table),
                   "without memory.buffer");
    assert_null(table);
#undef WRONG
    info.memory = (MurBufferRange){memory.buffer, needs.alignment, needs.size};
    gpu_require(murCreatePagedTable(observed->context, &info, &table));
    murDestroyPagedTable(table);
    gpu_free(gpu, &memory);
    edges_close(&edges);
}

/* ---- Commands ------------------------------------------------------------------------------- */

/* A table, its memory, and what batches are given. */
typedef struct Calls {
    Edges edges;
    VkCommandBuffer cmd;
    MurPagedTable table;
    GpuBuffer memory, arrays, scratch;
} Calls;

static void calls_open(Calls *calls, Gpu *gpu, MurPageLocality locality) {
    Edges *edges = &calls->edges;
    edges_open(edges, gpu);
    MurPagedTableCreateInfo info = edges->right;
    MurPagedTableRequirements needs;
    info.locality = locality;
    gpu_require(murGetPagedTableRequirements(edges->observed.context, &info, &needs));
    calls->memory = gpu_buffer(gpu, needs.size);
    info.memory = (MurBufferRange){calls->memory.buffer, 0, needs.size};
    gpu_require(murCreatePagedTable(edges->observed.context, &info, &calls->table));
    calls->arrays = gpu_buffer(gpu, 4 * 4 * ITEMS + 256);
    calls->scratch = gpu_buffer(gpu, murGetPagedScratchMinimum(calls->table, ITEMS) + 256);
    calls->cmd = gpu_begin(gpu);
    log_book_clear(&edges->observed.log);
}

/* Nothing was recorded. */
static void calls_close(Calls *calls) {
    Gpu *gpu = calls->edges.gpu;
    assert_int_equal(interpose_recorded(), 0);
    gpu_submit(gpu);
    murDestroyPagedTable(calls->table);
    gpu_free(gpu, &calls->memory);
    gpu_free(gpu, &calls->arrays);
    gpu_free(gpu, &calls->scratch);
    edges_close(&calls->edges);
}

/* Array i of a batch. */
static MurArray array_of(const Calls *calls, uint32_t i) {
    return gpu_part(&calls->arrays, (uint64_t)i * ITEMS, ITEMS);
}

static MurPagedBatch right_batch(const Calls *calls) {
    return (MurPagedBatch){
        .maxCount = ITEMS,
        .keys = array_of(calls, 0),
        .values = array_of(calls, 1),
        .statuses = array_of(calls, 2),
        .scratch = {calls->scratch.address, murGetPagedScratchMinimum(calls->table, ITEMS)}};
}

#define REFUSED(call, text) expect_refused(&calls->edges.observed, call, text)

/* Behind the arrays of a batch there are two words for counts. */
static MurPagedExtract right_extract(const Calls *calls) {
    const VkDeviceAddress counts = calls->arrays.address + 4ull * 4 * ITEMS;
    return (MurPagedExtract){
        .maxCount = ITEMS,
        .countAddress = counts,
        .leftAddress = counts + 4,
        .keys = array_of(calls, 0),
        .values = array_of(calls, 1),
        .scratch = {calls->scratch.address, murGetPagedScratchMinimum(calls->table, 0)}};
}

static void wrong_extracts(Calls *calls) {
    VkCommandBuffer cmd = calls->cmd;
    MurPagedTable table = calls->table;
    const VkDeviceAddress address = calls->arrays.address, scratch = calls->scratch.address;
    const VkDeviceSize least = murGetPagedScratchMinimum(table, 0), size = 4 * ITEMS;
    const VkDeviceAddress pager = murGetPagerRef(calls->edges.pager, 0).directory;
    MurPagedExtract extract = right_extract(calls);
    REFUSED(murCmdPagedExtract(NULL, table, &extract), "cmd");
    REFUSED(murCmdPagedExtract(cmd, table, NULL), "pExtract");
    assert_refused(murCmdPagedExtract(cmd, VK_NULL_HANDLE, &extract));
#define WRONG(field, text, ...)     \
    extract = right_extract(calls); \
    extract.field = __VA_ARGS__;    \
    REFUSED(murCmdPagedExtract(cmd, table, &extract), text)
    WRONG(pNext, "pNext", &extract);
    WRONG(partitions, "partitions", array_of(calls, 3));
    WRONG(countAddress, "countAddress is required", 0);
    WRONG(countAddress, "countAddress", address + 2);
    WRONG(countAddress, "overlaps", scratch + 4);
    WRONG(leftAddress, "leftAddress", address + 4ull * 4 * ITEMS + 6);
    WRONG(leftAddress, "overlaps", extract.countAddress);
    WRONG(keys, "address of keys", (MurArray){address + 2, size});
    WRONG(keys, "keys is", (MurArray){address, size - 4});
    WRONG(keys, "overlaps", (MurArray){pager, size});
    WRONG(values, "values is", (MurArray){address + size, size - 4});
    WRONG(values, "overlaps", (MurArray){address + 4, size});
    WRONG(predicates[2], "predicates[2].word",
          (MurPredicate){.word = MUR_PREDICATE_KEY_HIGH, .compare = 1});
    WRONG(predicates[1], "predicates[1].compare", (MurPredicate){.compare = 77});
    WRONG(scratch, "scratch is required", (MurArray){0});
    WRONG(scratch, "address of scratch", (MurArray){scratch + 128, least});
    WRONG(scratch, "scratch is", (MurArray){scratch, least - 1});
    WRONG(scratch, "overlaps", (MurArray){calls->memory.address, least});
#undef WRONG
    MurPagedRehash rehash = {.scratch = extract.scratch};
    REFUSED(murCmdPagedRehash(cmd, table, &rehash), "MUR_PAGE_BY_HASH");
}

static void wrong_rehashes(Calls *calls) {
    VkCommandBuffer cmd = calls->cmd;
    MurPagedTable table = calls->table;
    const VkDeviceAddress address = calls->arrays.address, scratch = calls->scratch.address;
    const VkDeviceSize least = murGetPagedScratchMinimum(table, 0);
    MurPagedRehash rehash = {.scratch = {scratch, least}};
    REFUSED(murCmdPagedRehash(NULL, table, &rehash), "cmd");
    REFUSED(murCmdPagedRehash(cmd, table, NULL), "pRehash");
    assert_refused(murCmdPagedRehash(cmd, VK_NULL_HANDLE, &rehash));
#define WRONG(field, text, ...)                                                            \
    rehash = (MurPagedRehash){                                                             \
        .countAddress = address, .leftAddress = address + 4, .scratch = {scratch, least}}; \
    rehash.field = __VA_ARGS__;                                                            \
    REFUSED(murCmdPagedRehash(cmd, table, &rehash), text)
    WRONG(pNext, "pNext", &rehash);
    WRONG(countAddress, "countAddress", address + 2);
    WRONG(countAddress, "overlaps", address + 4);
    WRONG(leftAddress, "leftAddress", address + 2);
    WRONG(leftAddress, "overlaps", scratch + 4);
    WRONG(scratch, "scratch is required", (MurArray){0});
    WRONG(scratch, "scratch is", (MurArray){scratch, least - 1});
    WRONG(scratch, "overlaps", (MurArray){calls->memory.address, least});
#undef WRONG
}

GPU_TEST(wrong_paging) {
    Calls opened, *calls = &opened;
    calls_open(calls, gpu, MUR_PAGE_BY_HASH);
    VkCommandBuffer cmd = calls->cmd;
    MurPagedTable table = calls->table;
    const VkDeviceAddress address = calls->arrays.address;
    MurTablePaging paging = {.paging = {.frame = 1}};
    REFUSED(murCmdClearPagedTable(NULL, table, MUR_PAGES_ZERO), "cmd");
    REFUSED(murCmdPageTable(NULL, table, &paging), "cmd");
    REFUSED(murCmdPageTable(cmd, table, NULL), "pPaging is NULL");
    assert_refused(murCmdClearPagedTable(cmd, VK_NULL_HANDLE, MUR_PAGES_ZERO));
    assert_refused(murCmdPageTable(cmd, VK_NULL_HANDLE, &paging));
#define WRONG(field, text, ...)                        \
    paging = (MurTablePaging){.paging = {.frame = 1}}; \
    paging.field = __VA_ARGS__;                        \
    REFUSED(murCmdPageTable(cmd, table, &paging), text)
    WRONG(pNext, "pNext", &paging);
    WRONG(paging.pNext, "pNext", &paging);
    WRONG(paging.flags, "flags", MUR_PAGING_CHECKPOINT); /* there is no file */
    WRONG(stats, "the address of stats", (MurArray){address + 4, sizeof(MurPagedStats)});
    WRONG(stats, "stats is", (MurArray){address, sizeof(MurPagedStats) - 8});
    WRONG(paging.stats, "the address of paging.stats",
          (MurArray){address + 4, sizeof(MurPagerStats)});
    WRONG(paging.stats, "paging.stats is", (MurArray){address, sizeof(MurPagerStats) - 8});
    const VkDeviceAddress inside[] = {
        calls->memory.address,
        murGetPagerRef(calls->edges.pager, 0).directory,
    };
    for (uint32_t i = 0; i < 2; ++i) {
        WRONG(stats, "overlaps", (MurArray){inside[i], sizeof(MurPagedStats)});
        WRONG(paging.stats, "overlaps", (MurArray){inside[i], sizeof(MurPagerStats)});
    }
#undef WRONG
    paging = (MurTablePaging){
        .paging = {.frame = 1, .stats = {address, sizeof(MurPagerStats)}},
        .stats = {address + 8, sizeof(MurPagedStats)},
    };
    REFUSED(murCmdPageTable(cmd, table, &paging), "overlaps");
    wrong_rehashes(calls);
    calls_close(calls);
}

typedef VkResult Command(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *batch);

static VkResult insert(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *batch) {
    return murCmdPagedInsert(cmd, table, MUR_MODE_ASSIGN, batch);
}

static VkResult build(VkCommandBuffer cmd, MurPagedTable table, const MurPagedBatch *batch) {
    return murCmdPagedBuild(cmd, table, MUR_MODE_ASSIGN, batch);
}

/* Those that insert first. */
static Command *const commands[] = {insert, build, murCmdPagedFind, murCmdPagedErase};
enum { COMMANDS = 4, INSERTS = 2 };

GPU_TEST(wrong_batches) {
    Calls opened, *calls = &opened;
    calls_open(calls, gpu, MUR_PAGE_BY_KEY);
    VkCommandBuffer cmd = calls->cmd;
    MurPagedTable table = calls->table;
    const VkDeviceAddress address = calls->arrays.address, scratch = calls->scratch.address;
    const VkDeviceSize least = murGetPagedScratchMinimum(table, ITEMS), size = 4 * ITEMS;
    const VkDeviceAddress pager = murGetPagerRef(calls->edges.pager, 0).directory;
    MurPagedBatch batch = right_batch(calls);
    for (uint32_t i = 0; i < COMMANDS; ++i) {
        Command *command = commands[i];
        REFUSED(command(NULL, table, &batch), "cmd");
        REFUSED(command(cmd, table, NULL), "pBatch");
        assert_refused(command(cmd, VK_NULL_HANDLE, &batch));
#define WRONG(field, text, ...) \
    batch = right_batch(calls); \
    batch.field = __VA_ARGS__;  \
    REFUSED(command(cmd, table, &batch), text)
        WRONG(pNext, "pNext", &batch);
        WRONG(partitions, "partitions", array_of(calls, 3));
        WRONG(countAddress, "countAddress", address + 2);
        WRONG(countAddress, "overlaps", scratch + 4);
        WRONG(keys, "keys is required", (MurArray){0});
        WRONG(keys, "address of keys", (MurArray){address + 2, size});
        WRONG(keys, "keys is", (MurArray){address, size - 4});
        WRONG(keys, "overlaps", (MurArray){scratch, size});
        WRONG(keys, "overlaps", (MurArray){pager, size});
        WRONG(values, "address of values", (MurArray){address + size + 2, size});
        WRONG(values, "values is", (MurArray){address + size, size - 4});
        WRONG(statuses, "address of statuses", (MurArray){address + 2 * size + 1, size});
        WRONG(statuses, "statuses is", (MurArray){address + 2 * size, size - 4});
        WRONG(statuses, "overlaps", (MurArray){address + 4, size});
        WRONG(statuses, "overlaps", (MurArray){calls->memory.address, size});
        WRONG(scratch, "scratch is required", (MurArray){0});
        WRONG(scratch, "address of scratch", (MurArray){scratch + 128, least});
        WRONG(scratch, "scratch is", (MurArray){scratch, least - 1});
        WRONG(scratch, "overlaps", (MurArray){calls->memory.address, least});
        batch = (MurPagedBatch){.maxCount = 0};
        if (command != build) {
            gpu_require(command(cmd, table, &batch)); /* no items: nothing */
        }
    }
    for (uint32_t i = 0; i < INSERTS; ++i) {
        Command *command = commands[i];
        WRONG(values, "values is required", (MurArray){0});
    }
    for (uint32_t i = INSERTS; i < COMMANDS; ++i) {
        Command *command = commands[i];
        WRONG(values, "overlaps", (MurArray){address + 4, size}); /* written: the keys */
    }
    batch = right_batch(calls);
    REFUSED(murCmdPagedInsert(cmd, table, MUR_MODE_ADD, &batch), "mode"); /* for MUR_..._ZERO */
    REFUSED(murCmdPagedInsert(cmd, table, (MurInsertMode)77, &batch), "mode");
    REFUSED(murCmdPagedBuild(cmd, table, MUR_MODE_ADD, &batch), "mode");
    REFUSED(murCmdPagedBuild(cmd, table, (MurInsertMode)77, &batch), "mode");
    wrong_extracts(calls);
    calls_close(calls);
}

GPU_TEST(wrong_partitions) {
    Calls opened, *calls = &opened;
    calls_open(calls, gpu, MUR_PAGE_BY_PARTITION);
    VkCommandBuffer cmd = calls->cmd;
    MurPagedTable table = calls->table;
    const VkDeviceAddress address = calls->arrays.address;
    const VkDeviceSize size = 4 * ITEMS;
    MurPagedBatch batch;
    for (uint32_t i = 0; i < COMMANDS; ++i) {
        Command *command = commands[i];
        WRONG(partitions, "partitions is required", (MurArray){0});
        WRONG(partitions, "address of partitions", (MurArray){address + 3 * size + 2, size});
        WRONG(partitions, "partitions is", (MurArray){address + 3 * size, size - 4});
        WRONG(partitions, "overlaps", (MurArray){address + 2 * size, size}); /* statuses */
    }
    calls_close(calls);
}

#undef WRONG
