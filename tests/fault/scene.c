/* SPDX-License-Identifier: MIT */
#include "scene.h"

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

static VkResult run_create_context(Scene *scene) {
    return murCreateContext(&scene->info, &scene->observed.context);
}

static VkResult run_create_context_of_two_families(Scene *scene) {
    static const uint32_t families[] = {0, 1}; /* only copied: no buffer is made */
    interpose_families(2);
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

/* Of a file that nobody reads: creation calls none of these. */
static VkResult VKAPI_PTR read_nothing(void *user, uint32_t page, void *bytes) {
    (void)user, (void)page, (void)bytes;
    return MUR_ERROR_FILE;
}

static VkResult VKAPI_PTR write_nothing(void *user, uint32_t page, const void *bytes) {
    (void)user, (void)page, (void)bytes;
    return MUR_ERROR_FILE;
}

static VkResult VKAPI_PTR commit_nothing(void *user) {
    (void)user;
    return MUR_ERROR_FILE;
}

static VkResult run_create_pager(Scene *scene) {
    const MurPageFile file = {NULL, read_nothing, write_nothing, commit_nothing};
    const MurPagerCreateInfo info = {.pageCount = 9,
                                     .pageSize = MUR_PAGE_MIN_SIZE,
                                     .pageFrameCount = 2,
                                     .framesInFlight = 1,
                                     .chunkPages = 8,
                                     .flags = MUR_PAGER_FORCE,
                                     .pFile = &file};
    return murCreatePager(scene->observed.context, &info, &scene->pager);
}

static void undo_pager(Scene *scene) {
    murDestroyPager(scene->pager);
    scene->pager = NULL;
}

static void with_pager_pipelines(Scene *scene) {
    gpu_require(run_create_pager(scene));
    undo_pager(scene);
}

static VkResult run_create_paged_table(Scene *scene) {
    const MurPagedTableCreateInfo info = {.pager = scene->pager, .maxPending = 64};
    return murCreatePagedTable(scene->observed.context, &info, &scene->paged);
}

static void undo_paged_table(Scene *scene) {
    murDestroyPagedTable(scene->paged);
    scene->paged = NULL;
}

static void with_pager_and_pipelines(Scene *scene) {
    gpu_require(run_create_pager(scene));
    gpu_require(run_create_paged_table(scene));
    undo_paged_table(scene);
}

static VkResult run_create_blocking(Scene *scene) {
    const MurBlockingCreateInfo info = {
        .queue = scene->observed.gpu->queue,
        .queueFamilyIndex = scene->observed.gpu->family,
    };
    return murCreateBlocking(scene->observed.context, &info, &scene->observed.blocking);
}

static void undo_context(Scene *scene) {
    murDestroyContext(scene->observed.context);
    scene->observed.context = NULL;
}

static void undo_pipelines(Scene *scene) {
    undo_context(scene);
    gpu_require(run_create_context(scene));
}

static void undo_table(Scene *scene) {
    murDestroyTable(scene->table);
    scene->table = NULL;
}

static void undo_blocking(Scene *scene) {
    murDestroyBlocking(scene->observed.blocking);
    scene->observed.blocking = NULL;
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

static void *the_context(Scene *scene) {
    return scene->observed.context;
}

static void *the_table(Scene *scene) {
    return scene->table;
}

static void *the_pager(Scene *scene) {
    return scene->pager;
}

static void *the_paged_table(Scene *scene) {
    return scene->paged;
}

static void *the_blocking(Scene *scene) {
    return scene->observed.blocking;
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
    MurStats stats;
    gpu_require(murBlockingStats(scene->observed.gpu->blocking, scene->table, &stats));
    return stats.live;
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

const Operation create_context = {
    .name = "murCreateContext",
    .run = run_create_context,
    .undo = undo_context,
    .creates = the_context,
    .makesContext = true,
    .faults = 1, /* the pipeline layout */
};
const Operation create_context_of_two_families = {
    .name = "murCreateContext with two families",
    .run = run_create_context_of_two_families,
    .undo = undo_context,
    .creates = the_context,
    .makesContext = true,
    .faults = 1,
};
const Operation prepare_pipelines = {
    .name = "murPreparePipelines",
    .run = run_prepare_pipelines,
    .undo = undo_pipelines,
    .makesPipelines = true,
};
const Operation create_table = {
    .name = "murCreateTable",
    .prepare = with_pipelines,
    .run = run_create_table,
    .undo = undo_table,
    .creates = the_table,
    .faults = 3, /* create, allocate, bind */
};
const Operation create_pager = {
    .name = "murCreatePager",
    .prepare = with_pager_pipelines,
    .run = run_create_pager,
    .undo = undo_pager,
    .creates = the_pager,
    .faults = 3 + 3 * (3 + 1), /* create, allocate, bind; two chunks and lists: and map */
};
const Operation create_paged_table = {
    .name = "murCreatePagedTable",
    .prepare = with_pager_and_pipelines,
    .run = run_create_paged_table,
    .undo = undo_paged_table,
    .creates = the_paged_table,
    .faults = 3, /* create, allocate, bind */
};
const Operation create_blocking = {
    .name = "murCreateBlocking",
    .run = run_create_blocking,
    .undo = undo_blocking,
    .creates = the_blocking,
    .faults = 3, /* pool, command buffer, fence */
};
