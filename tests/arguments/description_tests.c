/* Tests of invalid create infos: each function that reads one rejects it and creates nothing.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A function with a create info as argument. output: name of its output parameter, or NULL. */
typedef struct Function {
    const char *name;
    VkResult (*call)(MurContext context, const void *info, void *output);
    const char *output;
} Function;
/* A create info and all functions that accept it. The first function creates the object, the second
 * returns its memory requirements. The last element has no name. */
enum { CREATE = 1, REQUIREMENTS = 2 };
typedef struct Description {
    const Function *functions;
    const void *info; /* a valid create info */
    size_t size;
} Description;

#define FUNCTION(function)                                                                \
    static VkResult function##_call(MurContext context, const void *info, void *output) { \
        return function(context, info, output);                                           \
    }
#define NAMED(function, output) \
    { #function, function##_call, output }

FUNCTION(murCreateTable)
FUNCTION(murGetTableRequirements)
FUNCTION(murCreatePager)
FUNCTION(murGetPagerRequirements)
FUNCTION(murCreatePagedTable)
FUNCTION(murGetPagedTableRequirements)
FUNCTION(murCreateGrowable)
FUNCTION(murCreateMirror)
FUNCTION(murCreateBlocking)
static VkResult murPreparePipelines_call(MurContext context, const void *info, void *output) {
    (void)output;
    return murPreparePipelines(context, info);
}

/* A function that creates an object and destroys it again. */
#define MADE(Type)                                                                    \
    static VkResult make_##Type(MurContext context, const void *info, void *output) { \
        Mur##Type made = NULL;                                                        \
        const VkResult result = murCreate##Type(context, info, &made);                \
        murDestroy##Type(made);                                                       \
        (void)output;                                                                 \
        return result;                                                                \
    }
MADE(Growable)
MADE(Mirror)

static const Function tables[4] = {NAMED(murCreateTable, "pTable"),
                                   NAMED(murGetTableRequirements, "pRequirements"),
                                   NAMED(murPreparePipelines, NULL)};
static const Function pagers[3] = {NAMED(murCreatePager, "pPager"),
                                   NAMED(murGetPagerRequirements, "pRequirements")};
static const Function pagedTables[3] = {NAMED(murCreatePagedTable, "pTable"),
                                        NAMED(murGetPagedTableRequirements, "pRequirements")};
static const Function growables[3] = {NAMED(murCreateGrowable, "pGrowable"),
                                      {"murCreateGrowable", make_Growable, NULL}};
static const Function mirrors[3] = {NAMED(murCreateMirror, "pMirror"),
                                    {"murCreateMirror", make_Mirror, NULL}};
static const Function helpers[2] = {NAMED(murCreateBlocking, "pBlocking")};

/* Checks that a call fails, creates nothing, and logs one error with this text (NULL: no error). */
static void reject_call(Scene *scene, const Function *function, bool creates, MurContext context,
                        const void *info, bool output, VkResult expected, const char *text) {
    void *words[32];
    memset(words, 0xA5, sizeof words);
    void *const pattern = words[1];
    const int32_t objects = interpose_objects(), live = scene->observed.memory.live;
    const VkResult result = function->call(context, info, output ? words : NULL);
    expect_rejected(scene, result, expected, interpose_recorded(), text, "", function->name);
    assert_ptr_equal(words[0], creates && output ? NULL : pattern);
    assert_ptr_equal(words[1], pattern);
    assert_int_equal(interpose_objects(), objects);
    assert_int_equal(scene->observed.memory.live, live);
}

/* Checks that functions reject an info. functions: a mask of CREATE, REQUIREMENTS, ...; 0: all. */
static void reject_info(Scene *scene, const Description *description, const void *info,
                        uint32_t functions, VkResult expected, const char *text) {
    for (uint32_t i = 0; description->functions[i].name; ++i) {
        if (functions == 0 || functions >> i & 1) {
            reject_call(scene, &description->functions[i], i == 0, scene->observed.context, info,
                        true, expected ? expected : MUR_ERROR_INVALID_ARGUMENT, text);
        }
    }
}

/* Checks that each function with this create info rejects NULL pointers, a pNext and bad values.
 * Bad.types: a mask of the functions that must reject this bad value. */
static void reject_values(Scene *scene, const Description *description, const Bad *bad,
                          size_t count) {
    const MurContext context = scene->observed.context;
    const VkResult invalid = MUR_ERROR_INVALID_ARGUMENT;
    uint64_t info[64], output[32];
    assert_in_range(description->size, 8, sizeof info);
    for (uint32_t i = 0; description->functions[i].name; ++i) {
        const Function *function = &description->functions[i];
        const void *right = description->info;
        reject_call(scene, function, i == 0, NULL, right, true, invalid, NULL);
        reject_call(scene, function, i == 0, context, NULL, true, invalid, "pCreateInfo");
        if (function->output) {
            reject_call(scene, function, i == 0, context, right, false, invalid, function->output);
        }
    }
    memcpy(info, description->info, description->size);
    info[0] = 1;
    reject_info(scene, description, info, 0, invalid, "pNext");
    for (size_t i = 0; i < count; ++i) {
        memcpy(info, description->info, description->size);
        bad_put(&bad[i], info);
        if (bad[i].result == LIMIT) {
            gpu_require(description->functions[1].call(context, info, output));
        } else {
            reject_info(scene, description, info, bad[i].types, bad[i].result,
                        bad[i].text ? bad[i].text : bad[i].name);
        }
    }
}
#define REJECT_VALUES(scene, description, ...)                    \
    reject_values(scene, description, (const Bad[]){__VA_ARGS__}, \
                  sizeof((const Bad[]){__VA_ARGS__}) / sizeof(Bad))

/* Checks that functions reject invalid memory ranges. offset: bytes from the info to the range. */
static void reject_memory(Scene *scene, const Description *description, size_t offset) {
    VkDeviceSize needs[16];
    gpu_require(description->functions[1].call(scene->observed.context, description->info, needs));
    const VkDeviceSize size = needs[0], alignment = needs[1];
    const VkBuffer buffer = scene->memory.buffer;
    const VkDeviceSize all = scene->memory.size;
    const struct {
        MurBufferRange range;
        const char *text;
    } bad[] = {
        {{buffer, 0, size - 1}, "memory.size"},
        {{buffer, 0, 0}, "memory.size"},
        {{buffer, all, size}, "memory.offset"},
        {{buffer, (all - size + alignment) / alignment * alignment, size}, "beyond the buffer's"},
        {{buffer, 1ull << 40, UINT64_MAX}, "memory.offset"},
        {{buffer, UINT64_MAX - 255, size}, "memory.offset"},
        {{VK_NULL_HANDLE, alignment, 0}, "memory.buffer"},
        {{VK_NULL_HANDLE, 0, size}, "memory.buffer"},
        {{buffer, 1, size}, "multiple of"},
        {{buffer, alignment / 2, size}, "multiple of"},
    };
    uint64_t info[64];
    memcpy(info, description->info, description->size);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        memcpy((uint8_t *)info + offset, &bad[i].range, sizeof bad[i].range);
        reject_info(scene, description, info, CREATE, 0, bad[i].text);
    }
}

/* ---- Create infos of tables ----------------------------------------------------------------- */

#define SIZE      .capacity = 10
#define ZERO      .emptyValue = MUR_EMPTY_VALUE_ZERO
#define WIDTH(w)  .atomicWidth = (MurAtomicWidth)(w)
#define FLAGS(f)  .flags = (f)
#define SETS(...) .kernels = {__VA_ARGS__}

#define TOO_MANY(c) BAD(MurTableCreateInfo, capacity, c, NULL, MUR_ERROR_TOO_LARGE, sized)

typedef struct BadTable {
    MurType (*type)(void);
    MurTableCreateInfo info;
    const char *text;
} BadTable;

static const BadTable kinds[] = {
    {murTypeK32V32, {SIZE, .emptyValue = (MurEmptyValue)2}, "emptyValue"},
    {murTypeK32V32, {SIZE, .emptyValue = (MurEmptyValue)-1}, "emptyValue"},
    {murTypeK32V32, {SIZE, WIDTH(16)}, "atomicWidth"},
    {murTypeK32V32, {SIZE, WIDTH(128)}, "atomicWidth"},
    {murTypeK32, {SIZE, WIDTH(64)}, "atomicWidth"},
    {murTypeK64, {SIZE, WIDTH(32)}, "atomicWidth"},
    {murTypeK64V64, {SIZE, WIDTH(32)}, "atomicWidth"},
    {murTypeRows, {SIZE, WIDTH(64)}, "atomicWidth"},
    {murTypeBucketsK32, {SIZE, WIDTH(64)}, "atomicWidth"},
    {murTypeK32V32, {SIZE, FLAGS(MUR_TABLE_AGES)}, "flags is 512"},
    {murTypeK32V32, {SIZE, FLAGS(MUR_TABLE_BUCKETS)}, "flags is 256"},
    {murTypeBucketsK32V32, {SIZE, FLAGS(MUR_TABLE_BUCKETS)}, "flags is 256"},
    {murTypeBucketsK32V32, {SIZE, FLAGS(MUR_TABLE_INT64)}, "flags is 1"},
    {murTypeBucketsK32V32, {SIZE, FLAGS(MUR_TABLE_AGES | 1024)}, "flags is 1536"},
    {murTypeMultiK32, {SIZE}, "emptyValue"},
    {murTypeMultiK64, {SIZE}, "emptyValue"},
    {murTypeMultiK64, {SIZE, ZERO, FLAGS(MUR_TABLE_AGES)}, "flags is 512"},
    {murTypeRows, {SIZE, FLAGS(MUR_TABLE_AGES)}, "flags is"},
    {murTypeRows, {SIZE, FLAGS(MUR_ROWS(0, 1))}, "flags is"},
    {murTypeRows, {SIZE, FLAGS(MUR_ROWS(1, 0))}, "flags is"},
    {murTypeRows, {SIZE, FLAGS(MUR_ROWS(3, 2))}, "flags is"},
    {murTypeRows,
     {SIZE, FLAGS(MUR_ROWS(MUR_MAX_ROW_WORDS + 2, MUR_MAX_ROW_WORDS + 2))},
     "flags is"},
    {murTypeRows, {SIZE, FLAGS(MUR_ROWS(1, MUR_MAX_ROW_WORDS + 2))}, "flags is"},
    {murTypeK32, {SIZE, FLAGS(MUR_ROWS(1, 1))}, "flags is"},
};

SCENE_CASE(table_descriptions_are_rejected) {
    const MurKernels group = murKernelsGroup(), build = murKernelsBuild();
    const MurKernels rehash = murKernelsRehash();
    const MurTableCreateInfo right = {SIZE};
    const Description description = {tables, &right, sizeof right};
    const BadTable ofSets[] = {
        {murTypeK32V32, {SIZE, SETS(build, build)}, "kernels[1] is murKernelsBuild"},
        {murTypeK32V32, {SIZE, SETS(build, rehash, build)}, "kernels[2] is murKernelsBuild"},
        {murTypeK32, {SIZE, SETS(group)}, "murKernelsGroup"},
        {murTypeK64, {SIZE, SETS(group)}, "murKernelsGroup"},
        {murTypeK64V64, {SIZE, SETS(group)}, "murKernelsGroup"},
        {murTypeBucketsK32V32, {SIZE, SETS(group)}, "murKernelsGroup"},
        {murTypeBucketsK64V32, {SIZE, SETS(group)}, "murKernelsGroup"},
        {murTypeBucketsK32V32, {SIZE, SETS(build)}, "murKernelsBuild"},
        {murTypeBucketsK64, {SIZE, SETS(rehash)}, "murKernelsRehash"},
        {murTypeRows, {SIZE, SETS(build), FLAGS(MUR_ROWS(1, 1))}, "murKernelsBuild"},
        {murTypeMultiK64, {SIZE, ZERO, SETS(build)}, "murKernelsBuild"},
        {murTypeMultiK32, {SIZE, ZERO, SETS(group)}, "murKernelsGroup"},
        {murTypeMultiK64, {SIZE, ZERO, SETS(group)}, "murKernelsGroup"},
        {murHostTypeK32V32, {SIZE}, "murHostTypeK32V32"},
        {murHostTypeRows, {SIZE}, "murHostTypeRows"},
    };
    const MurTableCreateInfo buckets = {.capacity = MUR_MAX_BUCKET_CAPACITY + 1ull,
                                        .type = murTypeBucketsK32V32()};
    const uint32_t sized = CREATE | REQUIREMENTS; /* murPreparePipelines reads no capacity */
    MurTableRequirements needs;
    uint64_t size;
    REJECT_VALUES(scene, &description, BAD(MurTableCreateInfo, capacity, 0, NULL, 0, sized),
                  TOO_MANY(MUR_MAX_CAPACITY + 1ull), TOO_MANY(UINT32_MAX), TOO_MANY(1ull << 32),
                  TOO_MANY((1ull << 32) + 5), TOO_MANY(1ull << 61), TOO_MANY(1ull << 63),
                  TOO_MANY(UINT64_MAX));
    reject_info(scene, &description, &buckets, sized, MUR_ERROR_TOO_LARGE, "capacity");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        MurTableCreateInfo info = kinds[i].info;
        info.type = kinds[i].type();
        reject_info(scene, &description, &info, 0, 0, kinds[i].text);
        assert_refused(murHostGetImageSize(&info, &size));
    }
    /* Table sizes do not depend on kernels, so murGetTableRequirements ignores them. */
    const uint32_t creates = ~(uint32_t)REQUIREMENTS;
    for (size_t i = 0; i < sizeof ofSets / sizeof ofSets[0]; ++i) {
        MurTableCreateInfo info = ofSets[i].info;
        info.type = ofSets[i].type();
        const uint32_t format = type_format(info.type);
        const bool wide = format == MUR_FORMAT_K64 || format == MUR_FORMAT_K64V64;
        if (!wide || scene->gpu.int64Atomics) {
            reject_info(scene, &description, &info, creates, 0, ofSets[i].text);
            gpu_require(murGetTableRequirements(scene->observed.context, &info, &needs));
        }
    }
    const MurTableCreateInfo rows = {SIZE, FLAGS(MUR_ROWS(MUR_MAX_ROW_WORDS, MUR_MAX_ROW_WORDS)),
                                     .type = murTypeRows()};
    gpu_require(murGetTableRequirements(scene->observed.context, &rows, &needs)); /* longest row */
    reject_memory(scene, &description, offsetof(MurTableCreateInfo, memory));
}

/* ---- Create infos of pagers and paged tables ------------------------------------------------ */

#define PAGE            MUR_PAGE_MIN_SIZE
#define A_PAGER(m, ...) BAD(MurPagerCreateInfo, m, __VA_ARGS__)
#define A_PAGED(m, ...) BAD(MurPagedTableCreateInfo, m, __VA_ARGS__)

static MurPagerCreateInfo pager_info(uint32_t pages, uint32_t chunkPages) {
    return (MurPagerCreateInfo){.pageCount = pages,
                                .pageSize = PAGE,
                                .poolPageCount = 3,
                                .framesInFlight = 2,
                                .chunkPages = chunkPages,
                                .flags = MUR_PAGER_FORCE};
}

SCENE_CASE(pager_descriptions_are_rejected) {
    const MurPagerCreateInfo right = pager_info(8, 4);
    const Description description = {pagers, &right, sizeof right};
    REJECT_VALUES(scene, &description, A_PAGER(pageCount, 0),
                  A_PAGER(pageCount, 4 * MUR_PAGER_CHUNKS, NULL, LIMIT),
                  A_PAGER(pageCount, 4 * MUR_PAGER_CHUNKS + 1, "chunkPages"),
                  A_PAGER(pageCount, MUR_MAX_PAGES + 1), A_PAGER(pageSize, PAGE / 2),
                  A_PAGER(pageSize, PAGE + 4), A_PAGER(pageSize, MUR_PAGE_MAX_SIZE, NULL, LIMIT),
                  A_PAGER(pageSize, 2 * MUR_PAGE_MAX_SIZE), A_PAGER(poolPageCount, 0),
                  A_PAGER(poolPageCount, MUR_MAX_POOL_PAGES, NULL, LIMIT),
                  A_PAGER(poolPageCount, MUR_MAX_POOL_PAGES + 1), A_PAGER(framesInFlight, 0),
                  A_PAGER(framesInFlight, MUR_PAGER_FRAMES_IN_FLIGHT, NULL, LIMIT),
                  A_PAGER(framesInFlight, MUR_PAGER_FRAMES_IN_FLIGHT + 1), A_PAGER(flags, 2),
                  A_PAGER(maxFilePages, MUR_PAGER_FILE_PAGES, NULL, LIMIT),
                  A_PAGER(maxFilePages, MUR_PAGER_FILE_PAGES + 1), A_PAGER(chunkPages, 3),
                  A_PAGER(chunkCount, 2, NULL, 0, CREATE));
    reject_memory(scene, &description, offsetof(MurPagerCreateInfo, memory));
}

SCENE_CASE(chunks_of_a_pager_are_rejected) {
    const VkBuffer buffer = scene->memory.buffer;
    MurPagerChunk chunks[] = {{{buffer, 0, 4 * PAGE}, NULL}, {{buffer, 4 * PAGE, 4 * PAGE}, NULL}};
    MurPagerCreateInfo info = pager_info(8, 4);
    const Description description = {pagers, &info, sizeof info};
    MurPager pager;
    info.pChunks = chunks;
    REJECT_VALUES(scene, &description, A_PAGER(chunkCount, 1, NULL, 0, CREATE));
    info.chunkCount = 2;
    gpu_require(murCreatePager(scene->observed.context, &info, &pager));
    assert_null(murGetPagerStorePage(pager, 0)); /* this store is not mapped */
    murDestroyPager(pager);
    chunks[1].memory.size = PAGE;
    reject_info(scene, &description, &info, CREATE, 0, "pChunks[1].memory.size");
    chunks[1].memory = (MurBufferRange){buffer, 4 * PAGE + 4, 4 * PAGE};
    reject_info(scene, &description, &info, CREATE, 0, "pChunks[1].memory");
}

SCENE_CASE(paged_table_descriptions_are_rejected) {
    const MurPagerCreateInfo foreignInfo = pager_info(8, 4);
    MurPagedTableCreateInfo info = {.pager = scene->objects[PAGER].handle, .maxPending = ITEMS};
    const Description description = {pagedTables, &info, sizeof info};
    MurPager foreign;
    gpu_require(murCreatePager(scene->gpu.context, &foreignInfo, &foreign));
    REJECT_VALUES(scene, &description, A_PAGED(pager, 0),
                  A_PAGED(pager, (uintptr_t)foreign, "another context's"),
                  A_PAGED(type, (uintptr_t)murTypeBucketsK32V32()),
                  A_PAGED(type, (uintptr_t)murTypeRows()), A_PAGED(emptyValue, 7),
                  A_PAGED(atomicWidth, 16), A_PAGED(locality, 3),
                  A_PAGED(partitionShift, 31, NULL, LIMIT), A_PAGED(partitionShift, 32),
                  A_PAGED(basePages, 1, NULL, LIMIT), A_PAGED(basePages, 2),
                  A_PAGED(maxPending, 1u << 24, NULL, LIMIT), A_PAGED(maxPending, (1u << 24) + 1),
                  A_PAGED(maxLeaves, 2 * MUR_PAGED_INDEX, NULL, LIMIT),
                  A_PAGED(maxLeaves, 2 * MUR_PAGED_INDEX + 1));
    murDestroyPager(foreign);
    reject_memory(scene, &description, offsetof(MurPagedTableCreateInfo, memory));
    info.type = murHostTypeK64V32();
    REJECT_VALUES(scene, &description, A_PAGED(partitionShift, 63, NULL, LIMIT),
                  A_PAGED(partitionShift, 64));
    info.type = NULL;
    info.locality = MUR_PAGE_BY_HASH;
    info.basePages = 8;
    REJECT_VALUES(scene, &description, A_PAGED(basePages, 9), A_PAGED(maxLeaves, 8, NULL, LIMIT),
                  A_PAGED(maxLeaves, 7));
}

/* ---- Create infos of MurGrowable and MurBlocking -------------------------------------------- */

SCENE_CASE(growable_descriptions_are_rejected) {
    const MurGrowableCreateInfo right = {.table = {.capacity = 64}, .framesInFlight = 2};
    const Description description = {growables, &right, sizeof right};
#define GROWS(m, ...) BAD(MurGrowableCreateInfo, m, __VA_ARGS__)
    REJECT_VALUES(
        scene, &description, GROWS(table.pNext, 1, "pNext"),
        GROWS(table.memory.buffer, 16, "table.memory"), GROWS(table.capacity, 0, "capacity is 0"),
        GROWS(table.flags, MUR_TABLE_BUCKETS, "flags"),
        GROWS(table.type, (uintptr_t)murTypeBucketsK32V32(), "do not grow"),
        GROWS(table.type, (uintptr_t)murHostTypeK32V32(), "murHostTypeK32V32"),
        GROWS(framesInFlight, 0), GROWS(framesInFlight, MUR_GROWABLE_FRAMES, NULL, LIMIT),
        GROWS(framesInFlight, MUR_GROWABLE_FRAMES + 1), GROWS(minCapacity, 64, NULL, LIMIT),
        GROWS(minCapacity, 65), GROWS(maxCapacity, 63), GROWS(maxCapacity, 64, NULL, LIMIT),
        GROWS(maxCapacity, MUR_MAX_CAPACITY, NULL, LIMIT),
        GROWS(maxCapacity, MUR_MAX_CAPACITY + 1ull), GROWS(maxLoad, 0, .real = 0.04f),
        GROWS(maxLoad, 0, .real = 0.96f), GROWS(maxLoad, 0, .real = -0.5f),
        GROWS(maxLoad, 0, .real = NAN), GROWS(maxLoad, 0, NULL, LIMIT, .real = 0.05f),
        GROWS(maxLoad, 0, NULL, LIMIT, .real = 0.95f),
        GROWS(maxErased, 0, NULL, LIMIT, .real = 1.0f), GROWS(maxErased, 0, .real = 1.5f),
        GROWS(maxErased, 0, .real = -FLT_MIN), GROWS(pfnAllocate, 1, "pfnFree"),
        GROWS(pfnFree, 1, "pfnAllocate"));
}

SCENE_CASE(mirror_descriptions_are_rejected) {
    static uint64_t host[8];
    const MurMirrorCreateInfo right = {.table = {.capacity = 64},
                                       .framesInFlight = 2,
                                       .payloads = {{host, scene->memory.address, sizeof host}}};
    const Description description = {mirrors, &right, sizeof right};
#define MIRRORS(m, ...) BAD(MurMirrorCreateInfo, m, __VA_ARGS__)
    REJECT_VALUES(
        scene, &description, MIRRORS(table.pNext, 1, "pNext"),
        MIRRORS(table.capacity, 0, "capacity is 0"),
        MIRRORS(table.capacity, (1ull << 31) + 1, "table.capacity"),
        MIRRORS(table.type, (uint64_t)murTypeRows(), "one value per key"),
        MIRRORS(table.type, (uint64_t)murTypeMultiK64(), "one value per key"),
        MIRRORS(table.flags, MUR_TABLE_AGES, "MUR_TABLE_AGES"), MIRRORS(framesInFlight, 0),
        MIRRORS(framesInFlight, MUR_MIRROR_FRAMES, NULL, LIMIT),
        MIRRORS(framesInFlight, MUR_MIRROR_FRAMES + 1), MIRRORS(payloads[0].size, 0, "payloads"),
        MIRRORS(payloads[0].size, 56, "payloads"), MIRRORS(payloads[0].address, 0, "payloads"),
        MIRRORS(payloads[0].address, scene->memory.address + 8, "payloads"),
        MIRRORS(payloads[0].pHost, (uint64_t)(host + 1), "payloads"),
        MIRRORS(payloads[0].size, 48, NULL, LIMIT), MIRRORS(stagingSize, 1, NULL, LIMIT));
}

SCENE_CASE(blocking_descriptions_are_rejected) {
    const MurBlockingCreateInfo right = {.queue = scene->gpu.queue,
                                         .queueFamilyIndex = scene->gpu.family};
    const Description description = {helpers, &right, sizeof right};
#define BLOCKS(m, ...) BAD(MurBlockingCreateInfo, m, __VA_ARGS__)
    REJECT_VALUES(scene, &description, BLOCKS(queue, 0), BLOCKS(queueFamilyIndex, 99),
                  BLOCKS(pfnLockQueue, 1, "pfnUnlockQueue"), BLOCKS(pfnUnlockQueue, 1));
}
