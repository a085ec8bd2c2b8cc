/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include "support/disk.h"

#include <string.h>

static const MurTableCreateInfo table_info = {.capacity = 1000, .pName = "faulty"};
enum { POISON = 0xC3 };

void scene_poison(Scene *scene) {
    memset(&scene->out, POISON, sizeof scene->out);
}

void scene_expect_untouched(const Scene *scene, const char *what) {
    const uint8_t *bytes = (const uint8_t *)&scene->out;
    for (size_t i = 0; i < sizeof scene->out; ++i) {
        if (bytes[i] != POISON) {
            fail_msg("%s: the host arrays of a call that failed were written", what);
        }
    }
}

void scene_begin(Scene *scene, Gpu *gpu, const Operation *operation) {
    memset(scene, 0, sizeof *scene);
    scene->info = observe(&scene->observed, gpu);
    if (!operation->check) { /* no results to check */
        interpose_empty_shaders();
    }
    for (uint32_t i = 0; i < SCENE_COUNT; ++i) {
        scene->keys[i] = 7 * i;
        scene->values[i] = i;
    }
    if (!operation->makesContext) {
        gpu_require(murCreateContext(&scene->info, &scene->observed.context));
    }
    if (operation->prepare) {
        operation->prepare(scene);
    }
    log_book_clear(&scene->observed.log);
}

void scene_end(Scene *scene) {
    murDestroyPagedTable(scene->paged);
    murDestroyPager(scene->pager);
    murDestroyTable(scene->table);
    observe_close(&scene->observed);
}

/* ---- Operations that create an object ------------------------------------------------------- */

/* UNDO defines functions that return and destroy an object. CREATES defines the operation that
 * creates it. faults_: number of calls that can fail. The body is the call that creates it. */
#define UNDO(object, place, destroy)          \
    static void *the_##object(Scene *scene) { \
        return scene->place;                  \
    }                                         \
    static void undo_##object(Scene *scene) { \
        destroy(scene->place);                \
        scene->place = NULL;                  \
    }
/* Creates the pipelines that the object needs. */
#define WITH_PIPELINES(object)                            \
    static void with_##object##_pipelines(Scene *scene) { \
        gpu_require(create_##object.run(scene));          \
        undo_##object(scene);                             \
    }
#define CREATES(operation, object, faults_, ...)          \
    static VkResult run_##operation(Scene *scene);        \
    const Operation operation = {.name = #operation,      \
                                 .run = run_##operation,  \
                                 .undo = undo_##object,   \
                                 .creates = the_##object, \
                                 .faults = faults_,       \
                                 __VA_ARGS__};            \
    static VkResult run_##operation(Scene *scene)

UNDO(context, observed.context, murDestroyContext)
UNDO(blocking, observed.blocking, murDestroyBlocking)
UNDO(table, table, murDestroyTable)
UNDO(pager, pager, murDestroyPager)
UNDO(paged_table, paged, murDestroyPagedTable)
UNDO(growable, growable, murDestroyGrowable)
UNDO(mirror, mirror, murDestroyMirror)
WITH_PIPELINES(pager)
WITH_PIPELINES(growable)
WITH_PIPELINES(mirror)

CREATES(create_context, context, 1 /* creates the pipeline layout */, .makesContext = true) {
    return murCreateContext(&scene->info, &scene->observed.context);
}

CREATES(create_context_of_two_families, context, 1, .makesContext = true) {
    static const uint32_t families[] = {0, 1}; /* the context only copies these */
    interposition.families = 2;
    scene->info.queueFamilyIndexCount = 2;
    scene->info.pQueueFamilyIndices = families;
    return run_create_context(scene);
}

static VkResult run_prepare_pipelines(Scene *scene) {
    return murPreparePipelines(scene->observed.context, &table_info);
}

static void undo_pipelines(Scene *scene) {
    undo_context(scene);
    gpu_require(run_create_context(scene));
}

const Operation prepare_pipelines = {
    .name = "prepare_pipelines",
    .run = run_prepare_pipelines,
    .undo = undo_pipelines,
    .makesPipelines = true,
};

static void with_pipelines(Scene *scene) {
    gpu_require(run_prepare_pipelines(scene));
}

/* The calls that can fail create, allocate and bind the buffer. */
CREATES(create_table, table, 3, .prepare = with_pipelines) {
    return murCreateTable(scene->observed.context, &table_info, &scene->table);
}

/* murCreatePager creates four buffers; each is created, allocated and bound. The two chunks of the
 * backing store and the lists are also mapped. */
CREATES(create_pager, pager, 3 + 3 * (3 + 1), .prepare = with_pager_pipelines) {
    const MurPageFile file = disk_file(NULL); /* pager creation does not call the file */
    const MurPagerCreateInfo info = {.pageCount = 9,
                                     .pageSize = MUR_PAGE_MIN_SIZE,
                                     .poolPageCount = 2,
                                     .framesInFlight = 1,
                                     .chunkPages = 8,
                                     .flags = MUR_PAGER_FORCE,
                                     .pFile = &file};
    return murCreatePager(scene->observed.context, &info, &scene->pager);
}

static void with_pager_and_pipelines(Scene *scene) {
    gpu_require(run_create_pager(scene));
    gpu_require(create_paged_table.run(scene));
    undo_paged_table(scene);
}

CREATES(create_paged_table, paged_table, 3, .prepare = with_pager_and_pipelines) {
    const MurPagedTableCreateInfo info = {.pager = scene->pager, .maxPending = 64};
    return murCreatePagedTable(scene->observed.context, &info, &scene->paged);
}

/* murCreateGrowable creates three buffers, one of them the table's; each is created, allocated and
 * bound. One is also mapped. */
CREATES(create_growable, growable, 3 * 3 + 1, .prepare = with_growable_pipelines) {
    const MurGrowableCreateInfo info = {.table = table_info, .framesInFlight = 2};
    return murCreateGrowable(scene->observed.context, &info, &scene->growable);
}

/* Creates a table and a mapped buffer. */
CREATES(create_mirror, mirror, 2 * 3 + 1, .prepare = with_mirror_pipelines) {
    const MurMirrorCreateInfo info = {.table = table_info, .framesInFlight = 2};
    return murCreateMirror(scene->observed.context, &info, &scene->mirror);
}

/* Creates a command pool, a command buffer and a fence. */
CREATES(create_blocking, blocking, 3, .prepare = NULL) {
    const MurBlockingCreateInfo info = {
        .queue = scene->observed.gpu->queue,
        .queueFamilyIndex = scene->observed.gpu->family,
    };
    return murCreateBlocking(scene->observed.context, &info, &scene->observed.blocking);
}

/* ---- Blocking calls ------------------------------------------------------------------------- */

/* The fixture's own helper fills the table, so that the tested helper stays unused. */
void scene_refill(Scene *scene) {
    if (scene->table) {
        MurBlocking fixture = scene->observed.gpu->blocking;
        gpu_require(murBlockingClear(fixture, scene->table));
        gpu_require(murBlockingInsert(fixture, scene->table, MUR_MODE_ASSIGN, SCENE_COUNT,
                                      scene->keys, scene->values, NULL, NULL));
    }
}

static void with_table(Scene *scene) {
    gpu_require(run_create_table(scene));
    gpu_require(run_create_blocking(scene));
    scene_refill(scene);
}

/* Replaces the blocking helper by one without buffers, so that the next call creates them. */
static void undo_call(Scene *scene) {
    undo_blocking(scene);
    gpu_require(run_create_blocking(scene));
}

static void check_live(const Scene *scene, uint32_t live) {
    assert_int_equal(gpu_stats(scene->observed.gpu, scene->table).live, live);
}

static void check_statuses(const Scene *scene, uint32_t expected) {
    for (uint32_t i = 0; i < SCENE_COUNT; ++i) {
        assert_int_equal(scene->out.arrays[1][i], expected);
    }
}

/* Calls that can fail in a first blocking call: create, allocate and bind two buffers, map, reset,
 * begin, end, reset the fence, submit, wait. The body checks the results of a successful call. */
#define BLOCKING(call, expression)                \
    static VkResult run_##call(Scene *scene) {    \
        return expression;                        \
    }                                             \
    static void check_##call(const Scene *scene); \
    const Operation blocking_##call = {           \
        .name = "blocking_" #call,                \
        .prepare = with_table,                    \
        .run = run_##call,                        \
        .check = check_##call,                    \
        .undo = undo_call,                        \
        .faults = 2 * 3 + 1 + 6,                  \
    };                                            \
    static void check_##call(const Scene *scene)
#define CALLED  scene->observed.blocking, scene->table
#define RESULTS scene->out.arrays[0], scene->out.arrays[1], scene->out.arrays[2]

BLOCKING(clear, murBlockingClear(CALLED)) {
    check_live(scene, 0);
}

BLOCKING(insert, murBlockingInsert(CALLED, MUR_MODE_ASSIGN, SCENE_COUNT, scene->keys, scene->values,
                                   scene->out.arrays[1], scene->out.arrays[2])) {
    check_statuses(scene, MUR_EXISTED);
    check_live(scene, SCENE_COUNT);
}

BLOCKING(find, murBlockingFind(CALLED, SCENE_COUNT, scene->keys, RESULTS)) {
    check_statuses(scene, MUR_FOUND);
    assert_memory_equal(scene->out.arrays[0], scene->values, sizeof scene->values);
}

BLOCKING(erase, murBlockingErase(CALLED, SCENE_COUNT, scene->keys, RESULTS)) {
    check_statuses(scene, MUR_ERASED);
    check_live(scene, 0);
}

BLOCKING(extract, murBlockingExtract(CALLED, 0, NULL, SCENE_COUNT, RESULTS, &scene->out.count)) {
    assert_int_equal(scene->out.count, SCENE_COUNT);
    for (uint32_t i = 0; i < SCENE_COUNT; ++i) {
        assert_int_equal(scene->out.arrays[0][i], 7 * scene->out.arrays[1][i]);
    }
}

BLOCKING(stats, murBlockingStats(CALLED, &scene->out.stats)) {
    assert_int_equal(scene->out.stats.live, SCENE_COUNT);
}
