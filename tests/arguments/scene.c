/* One object of each type, in memory with gaps between them.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

enum { CAPACITY = ITEMS, PAGES = 8, PAGE = MUR_PAGE_MIN_SIZE, MEMORY = 1 << 24 };

#define ZERO     .emptyValue = MUR_EMPTY_VALUE_ZERO
#define AGES     .flags = MUR_TABLE_AGES
#define OF_WORDS .flags = MUR_ROWS(ROW_WORDS, ROW_STRIDE)
#define NO_USES \
    { NULL }
#define USES \
    { murKernelsLargeBatches, murKernelsBuild, murKernelsRehash }
#define BUCKET_USES \
    { murKernelsLargeBatches }
#define GROUP_USES \
    { murKernelsLargeBatches, murKernelsBuild, murKernelsRehash, murKernelsGroup }
#define MULTI_USES \
    { murKernelsRehash }

const TypeInfo type_infos[TYPES] = {
    [PLAIN] = {"plain", murTypeK32V32, {.pNext = NULL}, NO_USES, 4, 4, 4, 1, 0},
    [K32V32] = {"K32V32", murTypeK32V32, {.pNext = NULL}, GROUP_USES, 4, 4, 4, 1, 0},
    [K32V32_ZERO] = {"K32V32 of 0", murTypeK32V32, {ZERO}, GROUP_USES, 4, 4, 4, 2, 0},
    [K64V32] = {"K64V32", murTypeK64V32, {ZERO}, GROUP_USES, 8, 8, 4, 3, 0},
    [K64V64] = {"K64V64", murTypeK64V64, {.pNext = NULL}, USES, 8, 8, 8, 4, 0},
    [K32] = {"K32", murTypeK32, {.pNext = NULL}, USES, 4, 4, 0, 5, 0},
    [K64] = {"K64", murTypeK64, {.pNext = NULL}, USES, 8, 8, 0, 6, 0},
    [BUCKETS_K32V32] =
        {"buckets, K32V32", murTypeBucketsK32V32, {.pNext = NULL}, BUCKET_USES, 4, 4, 4, 1, 0},
    [BUCKETS_K64V32] =
        {"buckets, ages", murTypeBucketsK64V32, {ZERO, AGES}, BUCKET_USES, 8, 8, 4, 3, 0},
    [BUCKETS_K32] =
        {"buckets, K32", murTypeBucketsK32, {.pNext = NULL}, BUCKET_USES, 4, 4, 0, 5, 0},
    [BUCKETS_K64] =
        {"buckets, K64", murTypeBucketsK64, {.pNext = NULL}, BUCKET_USES, 8, 8, 0, 6, 0},
    [MULTI_32] = {"multi, 32 bits", murTypeMultiK32, {ZERO}, MULTI_USES, 8, 4, 4, 7, 0},
    [MULTI_64] = {"multi, 64 bits", murTypeMultiK64, {ZERO}, MULTI_USES, 8, 8, 4, 8, 0},
    [ROWS] = {"rows", murTypeRows, {OF_WORDS}, {murKernelsRehash}, 4, 4, 0, 9, 0},
    [SHADER_ROWS] =
        {"rows of shaders", murTypeRows, {.pNext = NULL}, {murKernelsRehash}, 4, 4, 0, 10, 0},
    [PAGED_BY_KEY] =
        {"by key", murTypeK32V32, {.pNext = NULL}, NO_USES, 4, 4, 4, 0, MUR_PAGE_BY_KEY},
    [PAGED_BY_PARTITION] =
        {"by partition", murTypeK64V32, {ZERO}, NO_USES, 8, 8, 4, 0, MUR_PAGE_BY_PARTITION},
    [PAGED_BY_HASH] =
        {"by hash", murTypeK32, {.pNext = NULL}, NO_USES, 4, 4, 0, 0, MUR_PAGE_BY_HASH},
    [PAGER] = {.name = "pager"},
    [GROWABLE] = {.name = "growable"},
    [MIRROR] = {.name = "mirror"},
};

MurBufferRange scene_take(Scene *scene, VkDeviceSize size) {
    const VkDeviceSize at = scene->taken + SCENE_GAP;
    scene->taken = (at + size + PAGE - 1) / PAGE * PAGE;
    assert_in_range(scene->taken + SCENE_GAP, 0, MEMORY);
    return (MurBufferRange){scene->memory.buffer, at, size};
}

static Range range_of(const Scene *scene, const char *name, const MurBufferRange *memory) {
    return (Range){name, scene->memory.address + memory->offset, memory->size};
}

MurTableCreateInfo scene_table_info(Type type) {
    MurTableCreateInfo info = type_infos[type].info;
    info.type = type_infos[type].type();
    info.capacity = CAPACITY;
    for (uint32_t i = 0; i < MUR_MAX_KERNELS && type_infos[type].kernels[i]; ++i) {
        info.kernels[i] = type_infos[type].kernels[i]();
    }
    return info;
}

static MurTable make_table(Scene *scene, Type type, Range *range) {
    const MurContext context = scene->observed.context;
    MurTableCreateInfo info = scene_table_info(type);
    MurTableRequirements needs;
    MurTable table;
    gpu_require(murGetTableRequirements(context, &info, &needs));
    info.memory = scene_take(scene, needs.size);
    gpu_require(murCreateTable(context, &info, &table));
    *range = range_of(scene, "the table", &info.memory);
    return table;
}

static MurPager make_pager(Scene *scene, Object *object) {
    const MurContext context = scene->observed.context;
    MurPagerCreateInfo info = {.pageCount = PAGES,
                               .pageSize = PAGE,
                               .poolPageCount = 3,
                               .framesInFlight = 2,
                               .chunkPages = PAGES / 2,
                               .chunkCount = 2,
                               .flags = MUR_PAGER_FORCE};
    MurPagerChunk chunks[2];
    MurPagerRequirements needs;
    MurPager pager;
    gpu_require(murGetPagerRequirements(context, &info, &needs));
    info.memory = scene_take(scene, needs.size);
    object->ranges[object->rangeCount++] = range_of(scene, "the pager", &info.memory);
    for (uint32_t i = 0; i < 2; ++i) {
        const MurBufferRange memory = scene_take(scene, needs.chunkSize);
        chunks[i] = (MurPagerChunk){memory, (uint8_t *)scene->memory.mapped + memory.offset};
        object->ranges[object->rangeCount++] = range_of(scene, "the store", &memory);
    }
    info.pChunks = chunks;
    gpu_require(murCreatePager(context, &info, &pager));
    return pager;
}

static MurPagedTable make_paged(Scene *scene, Type type, Object *object) {
    const MurContext context = scene->observed.context;
    const TypeInfo *of = &type_infos[type];
    object->pager = make_pager(scene, object);
    MurPagedTableCreateInfo info = {.pager = object->pager,
                                    .type = of->type(),
                                    .emptyValue = of->info.emptyValue,
                                    .locality = of->locality,
                                    .maxPending = ITEMS,
                                    .persistent = type == PAGED_BY_HASH};
    MurPagedTableRequirements needs;
    MurPagedTable table;
    gpu_require(murGetPagedTableRequirements(context, &info, &needs));
    info.memory = scene_take(scene, needs.size);
    object->ranges[object->rangeCount++] = range_of(scene, "the table", &info.memory);
    gpu_require(murCreatePagedTable(context, &info, &table));
    return table;
}

static void make_object(Scene *scene, Type type) {
    Object *object = &scene->objects[type];
    const uint32_t format = type_infos[type].type ? type_format(type_infos[type].type()) : 0;
    if (type < TABLE_TYPES) {
        if (format < MUR_FORMAT_COUNT &&
            !gpu_offers(&scene->gpu, format, MUR_ATOMIC_WIDTH_DEFAULT)) {
            return;
        }
        object->handle = make_table(scene, type, &object->ranges[0]);
        object->rangeCount = 1;
        object->twin = make_table(scene, type, &object->twinRange);
    } else if (type < PAGER) {
        object->handle = make_paged(scene, type, object);
    } else if (type == PAGER) {
        object->handle = make_pager(scene, object);
    } else if (type == MIRROR) {
        const MurMirrorCreateInfo info = {.table = {.capacity = CAPACITY}, .framesInFlight = 2};
        MurMirror mirror;
        gpu_require(murCreateMirror(scene->observed.context, &info, &mirror));
        object->handle = mirror;
    } else {
        const MurGrowableCreateInfo info = {.table = {.capacity = CAPACITY}, .framesInFlight = 2};
        MurGrowable growable;
        gpu_require(murCreateGrowable(scene->observed.context, &info, &growable));
        object->handle = growable;
    }
}

int scene_setup(void **state) {
    Scene *scene = test_allocate(sizeof *scene);
    *state = scene;
    gpu_open(&scene->gpu);
    observe_open_blocking(&scene->observed, &scene->gpu);
    interpose_empty_shaders();
    scene->memory = gpu_buffer(&scene->gpu, MEMORY);
    const MurTableCreateInfo foreign = {.capacity = CAPACITY, .kernels = {murKernelsRehash()}};
    gpu_require(murCreateTable(scene->gpu.context, &foreign, &scene->foreign));
    for (uint32_t type = 0; type < TYPES; ++type) {
        make_object(scene, type);
    }
    for (uint32_t i = 0; i < MOST_MEMBERS; ++i) {
        scene->homes[i] = scene->memory.address + scene_take(scene, SCENE_GAP).offset;
    }
    log_book_clear(&scene->observed.log);
    return 0;
}

int scene_teardown(void **state) {
    Scene *scene = *state;
    for (uint32_t type = 0; type < TABLE_TYPES; ++type) {
        murDestroyTable(scene->objects[type].handle);
        murDestroyTable(scene->objects[type].twin);
    }
    for (uint32_t type = PAGED_BY_KEY; type < PAGER; ++type) {
        murDestroyPagedTable(scene->objects[type].handle);
        murDestroyPager(scene->objects[type].pager);
    }
    murDestroyPager(scene->objects[PAGER].handle);
    murDestroyGrowable(scene->objects[GROWABLE].handle);
    murDestroyMirror(scene->objects[MIRROR].handle);
    murDestroyTable(scene->foreign);
    gpu_free(&scene->gpu, &scene->memory);
    observe_close(&scene->observed);
    gpu_close(&scene->gpu);
    free(scene);
    return 0;
}
