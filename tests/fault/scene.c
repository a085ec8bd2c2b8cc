/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include "support/disk.h"

#include <string.h>

static const MurTableCreateInfo table_info = {.capacity = 1000, .pName = "faulty"};

void scene_poison(Scene *scene) {
    memset(scene->out, 0xC3, sizeof scene->out);
    memset(&scene->stats, 0xC3, sizeof scene->stats);
    scene->count = 0xC3C3C3C3;
}

static bool all_poison(const void *memory, size_t size) {
    const uint8_t *bytes = memory;
    for (size_t i = 0; i < size; ++i) {
        if (bytes[i] != 0xC3) {
            return false;
        }
    }
    return true;
}

void scene_expect_untouched(const Scene *scene, const char *what) {
    if (!all_poison(scene->out, sizeof scene->out) ||
        !all_poison(&scene->stats, sizeof scene->stats) || scene->count != 0xC3C3C3C3) {
        fail_msg("%s: the host arrays of a call that failed were written", what);
    }
}

void scene_begin(Scene *scene, Gpu *gpu, const Operation *operation) {
    memset(scene, 0, sizeof *scene);
    scene->info = observe(&scene->observed, gpu);
    if (!operation->check) { /* what it makes is not run */
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

/* What a scene holds: how it is told whether it was made, and how it goes. */
#define HELD(name, place, destroy)          \
    static void *the_##name(Scene *scene) { \
        return scene->place;                \
    }                                       \
    static void undo_##name(Scene *scene) { \
        destroy(scene->place);              \
        scene->place = NULL;                \
    }
HELD(context, observed.context, murDestroyContext)
HELD(blocking, observed.blocking, murDestroyBlocking)
HELD(table, table, murDestroyTable)
HELD(pager, pager, murDestroyPager)
HELD(paged_table, paged, murDestroyPagedTable)
HELD(growable, growable, murDestroyGrowable)

static VkResult run_create_context(Scene *scene) {
    return murCreateContext(&scene->info, &scene->observed.context);
}

static VkResult run_create_context_of_two_families(Scene *scene) {
    static const uint32_t families[] = {0, 1}; /* only copied: no buffer is made */
    interposition.families = 2;
    scene->info.queueFamilyIndexCount = 2;
    scene->info.pQueueFamilyIndices = families;
    return murCreateContext(&scene->info, &scene->observed.context);
}

static VkResult run_prepare_pipelines(Scene *scene) {
    return murPreparePipelines(scene->observed.context, &table_info);
}

static void with_pipelines(Scene *scene) {
    gpu_require(run_prepare_pipelines(scene));
}

static VkResult run_create_table(Scene *scene) {
    return murCreateTable(scene->observed.context, &table_info, &scene->table);
}

static VkResult run_create_pager(Scene *scene) {
    const MurPageFile file = disk_file(NULL); /* creation calls no function of it */
    const MurPagerCreateInfo info = {.pageCount = 9,
                                     .pageSize = MUR_PAGE_MIN_SIZE,
                                     .pageFrameCount = 2,
                                     .framesInFlight = 1,
                                     .chunkPages = 8,
                                     .flags = MUR_PAGER_FORCE,
                                     .pFile = &file};
    return murCreatePager(scene->observed.context, &info, &scene->pager);
}

static void with_pager_pipelines(Scene *scene) {
    gpu_require(run_create_pager(scene));
    undo_pager(scene);
}

static VkResult run_create_paged_table(Scene *scene) {
    const MurPagedTableCreateInfo info = {.pager = scene->pager, .maxPending = 64};
    return murCreatePagedTable(scene->observed.context, &info, &scene->paged);
}

static void with_pager_and_pipelines(Scene *scene) {
    gpu_require(run_create_pager(scene));
    gpu_require(run_create_paged_table(scene));
    undo_paged_table(scene);
}

static VkResult run_create_growable(Scene *scene) {
    const MurGrowableCreateInfo info = {.table = table_info, .framesInFlight = 2};
    return murCreateGrowable(scene->observed.context, &info, &scene->growable);
}

static void with_growable_pipelines(Scene *scene) {
    gpu_require(run_create_growable(scene));
    undo_growable(scene);
}

static VkResult run_create_blocking(Scene *scene) {
    const MurBlockingCreateInfo info = {
        .queue = scene->observed.gpu->queue,
        .queueFamilyIndex = scene->observed.gpu->family,
    };
    return murCreateBlocking(scene->observed.context, &info, &scene->observed.blocking);
}

static void undo_pipelines(Scene *scene) {
    undo_context(scene);
    gpu_require(run_create_context(scene));
}

/* A new helper has no buffers yet, so that each call makes them. */
static void undo_call(Scene *scene) {
    undo_blocking(scene);
    gpu_require(run_create_blocking(scene));
}

/* The fixture's own helper does it, so that the scene's stays fresh. */
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

static VkResult run_clear(Scene *scene) {
    return murBlockingClear(scene->observed.blocking, scene->table);
}

static VkResult run_insert(Scene *scene) {
    return murBlockingInsert(scene->observed.blocking, scene->table, MUR_MODE_ASSIGN, SCENE_COUNT,
                             scene->keys, scene->values, scene->out[1], scene->out[2]);
}

static VkResult run_find(Scene *scene) {
    return murBlockingFind(scene->observed.blocking, scene->table, SCENE_COUNT, scene->keys,
                           scene->out[0], scene->out[1], scene->out[2]);
}

static VkResult run_erase(Scene *scene) {
    return murBlockingErase(scene->observed.blocking, scene->table, SCENE_COUNT, scene->keys,
                            scene->out[0], scene->out[1], scene->out[2]);
}

static VkResult run_extract(Scene *scene) {
    return murBlockingExtract(scene->observed.blocking, scene->table, 0, NULL, SCENE_COUNT,
                              scene->out[0], scene->out[1], scene->out[2], &scene->count);
}

static VkResult run_stats(Scene *scene) {
    return murBlockingStats(scene->observed.blocking, scene->table, &scene->stats);
}

static uint32_t live_entries(Scene *scene) {
    return gpu_stats(scene->observed.gpu, scene->table).live;
}

static void check_cleared(Scene *scene) {
    assert_int_equal(live_entries(scene), 0);
}

static void check_statuses(Scene *scene, uint32_t expected) {
    for (uint32_t i = 0; i < SCENE_COUNT; ++i) {
        assert_int_equal(scene->out[1][i], expected);
    }
}

static void check_inserted(Scene *scene) {
    check_statuses(scene, MUR_EXISTED);
    assert_int_equal(live_entries(scene), SCENE_COUNT);
}

static void check_found(Scene *scene) {
    check_statuses(scene, MUR_FOUND);
    assert_memory_equal(scene->out[0], scene->values, sizeof scene->values);
}

static void check_erased(Scene *scene) {
    check_statuses(scene, MUR_ERASED);
    assert_int_equal(live_entries(scene), 0);
}

static void check_extracted(Scene *scene) {
    assert_int_equal(scene->count, SCENE_COUNT);
    for (uint32_t i = 0; i < SCENE_COUNT; ++i) {
        assert_int_equal(scene->out[0][i], 7 * scene->out[1][i]);
    }
}

static void check_counted(Scene *scene) {
    assert_int_equal(scene->stats.live, SCENE_COUNT);
}

/* The blocking calls' faults: two buffers (create, allocate, bind), map, reset, begin, end, reset
 * the fence, submit, wait. */
#define BLOCKING(call, result)          \
    const Operation blocking_##call = { \
        .name = "blocking " #call,      \
        .prepare = with_table,          \
        .run = run_##call,              \
        .check = check_##result,        \
        .undo = undo_call,              \
        .faults = 2 * 3 + 1 + 6,        \
    }
BLOCKING(clear, cleared);
BLOCKING(insert, inserted);
BLOCKING(find, found);
BLOCKING(erase, erased);
BLOCKING(extract, extracted);
BLOCKING(stats, counted);

const Operation prepare_pipelines = {
    .name = "murPreparePipelines",
    .run = run_prepare_pipelines,
    .undo = undo_pipelines,
    .makesPipelines = true,
};

/* What makes an object, and the faults on the way; the rest of the members, if there are any. */
#define CREATES(operation, name_, object, faults_, ...)   \
    const Operation operation = {.name = name_,           \
                                 .run = run_##operation,  \
                                 .undo = undo_##object,   \
                                 .creates = the_##object, \
                                 .faults = faults_,       \
                                 __VA_ARGS__}
CREATES(create_context, "murCreateContext", context, 1 /* the pipeline layout */,
        .makesContext = true);
CREATES(create_context_of_two_families, "murCreateContext with two families", context, 1,
        .makesContext = true);
/* Create, allocate, bind; two chunks and lists: and map. */
CREATES(create_table, "murCreateTable", table, 3, .prepare = with_pipelines);
CREATES(create_pager, "murCreatePager", pager, 3 + 3 * (3 + 1), .prepare = with_pager_pipelines);
CREATES(create_paged_table, "murCreatePagedTable", paged_table, 3,
        .prepare = with_pager_and_pipelines);
/* A table and two buffers, of which one is mapped. */
CREATES(create_growable, "murCreateGrowable", growable, 3 * 3 + 1,
        .prepare = with_growable_pipelines);
/* Pool, command buffer, fence. */
CREATES(create_blocking, "murCreateBlocking", blocking, 3, .prepare = NULL);
