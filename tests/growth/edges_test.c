/* The growable table: allocations that fail at each step of growth, memory from the engine, slot
 * maps.
 *
 * SPDX-License-Identifier: MIT */
#include "load.h"
#include "support/seed.h"

#include <string.h>

static Engine engine; /* large */

static EngineOptions small_options(bool slotMap) {
    return (EngineOptions){
        .info = {.table = {.capacity = 64}, .framesInFlight = 2, .slotMap = slotMap},
        .items = 20000,
        .batch = 4096,
        .seed = 3,
    };
}

/* ---- Failed allocations --------------------------------------------------------------------- */

typedef enum FaultKind { FAULT_VULKAN, FAULT_HOST_MEMORY, FAULT_ENGINE } FaultKind;
typedef struct Fault {
    FaultKind kind;
    Interposed function;
    uint32_t nth;
    VkResult result;
} Fault;

/* The engine's own memory: buffers of the fixture. */
typedef struct Pool {
    Gpu *gpu;
    GpuBuffer buffers[32];
    uint32_t allocated, freed, failNext; /* 1: the next fails */
    const uint32_t *map;                 /* the last slot map */
    uint32_t mapSlots;                   /* of the table that it leads away from */
    bool failAlways;
} Pool;

static VkResult VKAPI_PTR pool_allocate(void *user, MurMemoryKind kind,
                                        const MurTableRequirements *needs, MurBufferRange *memory) {
    Pool *pool = user;
    if (pool->failAlways || (pool->failNext && --pool->failNext == 0)) {
        memset(memory, 0xA5, sizeof *memory); /* it says nothing */
        return VK_ERROR_TOO_MANY_OBJECTS;
    }
    for (uint32_t i = 0; i < 32; ++i) {
        GpuBuffer *buffer = &pool->buffers[i];
        if (!buffer->buffer) {
            const VkDeviceSize size = needs->size + 2 * needs->alignment;
            const bool map = kind == MUR_MEMORY_SLOT_MAP;
            pool->mapSlots = map ? needs->slotCount : pool->mapSlots;
            *buffer = map ? gpu_buffer(pool->gpu, size) : gpu_device_buffer(pool->gpu, size);
            pool->map = map ? (uint32_t *)buffer->mapped + needs->alignment / 4 : pool->map;
            *memory = (MurBufferRange){buffer->buffer, needs->alignment, needs->size};
            ++pool->allocated;
            return VK_SUCCESS;
        }
    }
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void VKAPI_PTR pool_free(void *user, const MurBufferRange *memory) {
    Pool *pool = user;
    for (uint32_t i = 0; i < 32; ++i) {
        if (pool->buffers[i].buffer == memory->buffer) {
            gpu_free(pool->gpu, &pool->buffers[i]);
            ++pool->freed;
        }
    }
}

static void use_pool(MurGrowableCreateInfo *info, Pool *pool) {
    info->pfnAllocate = pool_allocate;
    info->pfnFree = pool_free;
    info->pUserData = pool;
}

static void arm(Observed *observed, Pool *pool, const Fault *fault, uint32_t nth) {
    switch (fault->kind) {
    case FAULT_VULKAN:
        interpose_fail(fault->function, nth, fault->result);
        break;
    case FAULT_HOST_MEMORY:
        host_memory_fail(&observed->memory, nth);
        break;
    default:
        pool->failNext = nth;
    }
}

/* Every step of growth fails once, and succeeds in the next frame. */
static void fail_each_step(Gpu *gpu, const Fault *fault) {
    Observed observed;
    Pool pool = {.gpu = gpu};
    observe_open(&observed, gpu);
    EngineOptions options = small_options(true);
    if (fault->kind == FAULT_ENGINE) {
        use_pool(&options.info, &pool);
    }
    engine_open(&engine, gpu, observed.context, &options);
    uint32_t failures = 0;
    for (uint32_t i = 0; i < 60; ++i) {
        const uint64_t capacity = engine.status.capacity;
        const MurTable table = engine.use.table;
        const bool failedBefore = engine.use.growth != VK_SUCCESS;
        arm(&observed, &pool, fault, failedBefore || i == 0 ? 0 : fault->nth);
        log_book_clear(&observed.log);
        const FramePlan plan = {.inserts = 30, .upserts = 20, .erasures = 5, .finds = 50};
        engine_frame(&engine, &plan);
        if (engine.use.growth == VK_SUCCESS) {
            assert_true(!failedBefore || engine.status.capacity > capacity);
            continue;
        }
        assert_int_equal(engine.use.growth, fault->result);
        assert_int_equal(engine.status.lastFailure, fault->result);
        assert_int_equal(engine.status.failures, ++failures);
        assert_int_equal(engine.status.capacity, capacity);
        assert_ptr_equal(engine.use.table, table);
        assert_null(engine.use.source);
        assert_int_equal(engine.use.slotMap.address, 0);
        /* What failed, if it was the library's own; and what follows from it. */
        assert_int_equal(observed.log.errors, fault->kind == FAULT_ENGINE ? 0 : 1);
        assert_non_null(strstr(observed.log.lastInfo, "murCmdBeginGrowableFrame"));
    }
    arm(&observed, &pool, fault, 0);
    assert_int_equal(failures, engine.status.moves);
    assert_true(failures >= 4);
    engine_find_all(&engine);
    engine_require(&engine);
    engine_close(&engine);
    assert_int_equal(pool.allocated, pool.freed);
    assert_true(fault->kind != FAULT_ENGINE || pool.allocated >= 2 * failures);
    observe_close(&observed);
}

GPU_TEST(allocations_fail_at_each_step_of_growth) {
    const VkResult host = VK_ERROR_OUT_OF_HOST_MEMORY, device = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const Fault faults[] = {
        {FAULT_VULKAN, ON_vkCreateBuffer, 1, host},
        {FAULT_VULKAN, ON_vkCreateBuffer, 2, host},
        {FAULT_VULKAN, ON_vkAllocateMemory, 1, device},
        {FAULT_VULKAN, ON_vkAllocateMemory, 2, device},
        {FAULT_VULKAN, ON_vkBindBufferMemory, 1, device},
        {FAULT_VULKAN, ON_vkBindBufferMemory, 2, device},
        {FAULT_HOST_MEMORY, 0, 1, host},
        {FAULT_ENGINE, 0, 1, VK_ERROR_TOO_MANY_OBJECTS},
        {FAULT_ENGINE, 0, 2, VK_ERROR_TOO_MANY_OBJECTS},
    };
    for (uint32_t i = 0; i < sizeof faults / sizeof faults[0]; i += test_full() ? 1 : 2) {
        print_message("  fault %u\n", i);
        fail_each_step(gpu, &faults[i]);
    }
}

/* Nothing is ever to be had again: the table works until it is full, and says so. */
GPU_TEST(without_memory_the_old_table_goes_on) {
    Pool pool = {.gpu = gpu};
    EngineOptions options = small_options(false);
    use_pool(&options.info, &pool);
    options.info.framesInFlight = 1;
    options.mayFill = true;
    engine_open(&engine, gpu, gpu->context, &options);
    pool.failAlways = true;
    for (uint32_t i = 0; i < 30; ++i) {
        engine_frame(&engine, &(const FramePlan){.inserts = 10, .finds = 100});
        engine_drain(&engine);
        assert_int_equal(engine.use.growth, i < 4 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS);
    }
    assert_int_equal(engine.status.capacity, 64);
    assert_true(engine.live >= 64);
    assert_int_equal(engine.live + engine.full, 300);
    pool.failAlways = false;
    engine_frame(&engine, &(const FramePlan){.inserts = 10, .finds = 100});
    assert_int_equal(engine.use.growth, VK_SUCCESS);
    assert_true(engine.status.capacity > 64);
    engine_find_all(&engine);
    engine_require(&engine);
    engine_close(&engine);
    assert_int_equal(pool.allocated, pool.freed);
}

/* All tables in the same place. */
typedef struct Place {
    GpuBuffer buffer;
    uint32_t given;
} Place;

static VkResult VKAPI_PTR place_allocate(void *user, MurMemoryKind kind,
                                         const MurTableRequirements *needs,
                                         MurBufferRange *memory) {
    Place *place = user;
    assert_int_equal(kind, MUR_MEMORY_TABLE);
    *memory = (MurBufferRange){place->buffer.buffer, 0, needs->size};
    ++place->given;
    return VK_SUCCESS;
}

static void VKAPI_PTR place_free(void *user, const MurBufferRange *memory) {
    Place *place = user;
    assert_true(memory->buffer == place->buffer.buffer);
    --place->given;
}

OBSERVED_CASE(a_table_does_not_move_onto_itself) {
    Place place = {.buffer = gpu_device_buffer(gpu, 1 << 20)};
    const MurGrowableCreateInfo info = {.table = {.capacity = 64},
                                        .framesInFlight = 1,
                                        .pfnAllocate = place_allocate,
                                        .pfnFree = place_free,
                                        .pUserData = &place};
    MurGrowable growable;
    gpu_require(murCreateGrowable(observed->context, &info, &growable));
    log_book_clear(&observed->log);
    MurTable table = VK_NULL_HANDLE;
    for (uint64_t frame = 1; frame <= 5; ++frame) {
        MurGrowableUse use;
        const MurGrowableFrame begun = {NULL, frame, frame - 1, frame < 3 ? 10 : 1000};
        GPU_RUN(gpu, murCmdBeginGrowableFrame(gpu->cmd, growable, &begun, &use));
        assert_int_equal(use.growth, frame < 3 ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
        assert_true(use.source == VK_NULL_HANDLE && (frame == 1 || use.table == table));
        table = use.table;
        assert_int_equal(place.given, 1);
        /* In each frame what murCmdRehash says; in the first one what follows from it, too. */
        assert_int_equal(observed->log.errors, frame < 3 ? 0 : frame - 2);
        assert_int_equal(observed->log.infos, frame < 3 ? 0 : 1);
    }
    murDestroyGrowable(growable);
    assert_int_equal(place.given, 0);
    gpu_free(gpu, &place.buffer);
}

/* Each call of murCreateGrowable that can fail, in turn. */
IDLE_CASE(creation_that_fails_leaves_nothing) {
    static const Interposed functions[] = {ON_vkCreateBuffer, ON_vkAllocateMemory,
                                           ON_vkBindBufferMemory, ON_vkMapMemory};
    const MurGrowableCreateInfo info = small_options(false).info;
    MurTableCreateInfo prepared = info.table;
    prepared.uses[0] = murUseRehash();
    MurGrowable growable;
    gpu_require(murPreparePipelines(observed->context, &prepared));
    const int32_t objects = interpose_objects();
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t calls = functions[i] == ON_vkMapMemory ? 1 : 3;
        for (uint32_t nth = 1; nth <= calls; ++nth) {
            growable = (MurGrowable)&info;
            interpose_fail(functions[i], nth, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            assert_int_equal(murCreateGrowable(observed->context, &info, &growable),
                             VK_ERROR_OUT_OF_DEVICE_MEMORY);
            assert_true(interpose_failed());
            assert_null(growable);
            assert_int_equal(interpose_objects(), objects);
        }
    }
    host_memory_fail(&observed->memory, 1);
    assert_int_equal(murCreateGrowable(observed->context, &info, &growable),
                     VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(interpose_objects(), objects);
    /* The engine's refusal, too, is told: nobody else knows why there is no growable. */
    Pool pool = {.gpu = gpu, .failAlways = true};
    MurGrowableCreateInfo refused = info;
    use_pool(&refused, &pool);
    log_book_clear(&observed->log);
    assert_int_equal(murCreateGrowable(observed->context, &refused, &growable),
                     VK_ERROR_TOO_MANY_OBJECTS);
    assert_int_equal(observed->log.errors, 1);
    assert_non_null(strstr(observed->log.lastError, "pfnAllocate"));
}

/* ---- The limit ------------------------------------------------------------------------------ */

typedef struct Limit {
    uint64_t capacity;
    float maxLoad;
    uint32_t keys, erased; /* keys that are there, of which so many have been erased */
    uint64_t limit;        /* so many slots may be in use */
    uint64_t after;        /* capacity once it is one more */
} Limit;

typedef struct Steps {
    Gpu *gpu;
    MurGrowable growable;
    MurGrowableUse use;
    MurGrowableStatus status;
    uint64_t frame;
} Steps;

static Steps open_steps(Gpu *gpu, const Limit *limit) {
    const MurGrowableCreateInfo info = {
        .table = {.capacity = limit->capacity}, .framesInFlight = 1, .maxLoad = limit->maxLoad};
    Steps steps = {.gpu = gpu};
    gpu_require(murCreateGrowable(gpu->context, &info, &steps.growable));
    return steps;
}

/* A frame that declares so many inserts; batch: with these, of which some are erased again. */
static void step(Steps *steps, uint64_t inserts, const MurBatch *batch, uint32_t erased) {
    const MurGrowableFrame frame = {NULL, steps->frame + 1, steps->frame, inserts};
    VkCommandBuffer cmd = gpu_begin(steps->gpu);
    ++steps->frame;
    gpu_require(murCmdBeginGrowableFrame(cmd, steps->growable, &frame, &steps->use));
    murGetGrowableStatus(steps->growable, &steps->status);
    if (batch) {
        const MurBatch gone = {.maxCount = erased, .keys = batch->keys};
        gpu_barrier(steps->gpu);
        gpu_require(murCmdInsert(cmd, steps->use.table, MUR_MODE_KEEP, batch));
        gpu_barrier(steps->gpu);
        gpu_require(murCmdErase(cmd, steps->use.table, &gone));
    }
    gpu_submit(steps->gpu);
}

/* Up to the limit, and beyond it, by one more declaration. */
static void pass_limit(Gpu *gpu, const Limit *limit, const GpuBuffer *keys) {
    const MurBatch batch = {
        .maxCount = limit->keys, .keys = gpu_array(keys), .values = gpu_array(keys)};
    Steps steps = open_steps(gpu, limit);
    step(&steps, limit->keys, &batch, limit->erased);
    const MurTable table = steps.use.table;
    step(&steps, 0, NULL, 0); /* its statistics tell of the keys */
    step(&steps, limit->limit - limit->keys, NULL, 0);
    assert_int_equal(steps.status.live, limit->keys - limit->erased);
    assert_int_equal(steps.status.erased, limit->erased);
    assert_int_equal(steps.status.usedAtMost, limit->limit);
    assert_int_equal(steps.status.moves, 0);
    step(&steps, 1, NULL, 0);
    assert_ptr_equal(steps.use.source, table);
    assert_int_equal(steps.status.capacity, limit->after);
    murDestroyGrowable(steps.growable);
}

/* The first table is made anew, larger, before anything is in it. */
static void declare_at_first(Gpu *gpu, const Limit *limit, uint64_t inserts, uint64_t capacity) {
    Steps steps = open_steps(gpu, limit);
    step(&steps, inserts, NULL, 0);
    assert_int_equal(steps.status.capacity, capacity);
    murDestroyGrowable(steps.growable);
}

GPU_TEST(the_limit_itself_is_allowed) {
    static const Limit limits[] = {
        {64, 0, 40, 0, 48, 128},          {64, 0, 40, 3, 48, 128}, /* erased ones are in use, too */
        {64, 0, 24, 14, 48, 64},                                   /* the same capacity, cleaned */
        {1000, 0.25f, 100, 7, 250, 2000}, {100, 0.5f, 20, 0, 50, 200},
    };
    GpuBuffer keys = gpu_buffer(gpu, 400);
    for (uint32_t i = 0; i < 100; ++i) {
        ((uint32_t *)keys.mapped)[i] = i;
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        pass_limit(gpu, &limits[i], &keys);
        declare_at_first(gpu, &limits[i], limits[i].limit, limits[i].capacity);
        declare_at_first(gpu, &limits[i], limits[i].limit + 1, 2 * limits[i].capacity);
    }
    gpu_free(gpu, &keys);
}

/* ---- Slot maps ------------------------------------------------------------------------------ */

enum { MAP_KEYS = 200 };

static void put_keys(uint32_t *words, uint32_t format) {
    for (uint32_t i = 0; i < MAP_KEYS; ++i) {
        if (MUR_IS_64(format)) {
            words[2 * i] = 1000 * i;
            words[2 * i + 1] = i % 3;
        } else {
            words[i] = 1000 * i;
        }
        words[2 * MAP_KEYS + 2 * i] = words[2 * MAP_KEYS + 2 * i + 1] = 1;
    }
}

/* The slots of keys in the old table and in the new one, by find, against the map. */
static void check_map(Gpu *gpu, uint32_t format) {
    const uint32_t n = MAP_KEYS;
    Pool pool = {.gpu = gpu};
    GpuBuffer memory = gpu_buffer(gpu, 4 * 6 * n);
    uint32_t *words = memory.mapped;
    const MurGrowableCreateInfo info = {.table = {.capacity = 512, .format = format},
                                        .framesInFlight = 1,
                                        .slotMap = true,
                                        .pfnAllocate = pool_allocate,
                                        .pfnFree = pool_free,
                                        .pUserData = &pool};
    const bool set = MUR_IS_SET(format);
    MurBatch batch = {.maxCount = n, .keys = gpu_part(&memory, 0, 2 * n)};
    MurGrowable growable;
    MurGrowableUse use;
    MurGrowableFrame frame = {.frame = 10, .completedFrame = 9, .maxInserts = n};
    put_keys(words, format);
    gpu_require(murCreateGrowable(gpu->context, &info, &growable));
    VkCommandBuffer cmd = gpu_begin(gpu);
    gpu_require(murCmdBeginGrowableFrame(cmd, growable, &frame, &use));
    gpu_barrier(gpu);
    assert_null(use.source);
    assert_int_equal(use.slotMap.address, 0);
    batch.values = set ? (MurArray){0, 0} : gpu_part(&memory, 2 * n, 2 * n);
    gpu_require(murCmdInsert(cmd, use.table, MUR_MODE_KEEP, &batch));
    gpu_submit(gpu);
    frame = (MurGrowableFrame){.frame = 20, .completedFrame = 19, .maxInserts = 1000};
    gpu_begin(gpu);
    gpu_require(murCmdBeginGrowableFrame(cmd, growable, &frame, &use));
    gpu_barrier(gpu);
    assert_non_null(use.source);
    batch.values.address = 0;
    batch.slots = gpu_part(&memory, 4 * n, n);
    gpu_require(murCmdFind(cmd, use.source, &batch));
    batch.slots = gpu_part(&memory, 5 * n, n);
    gpu_require(murCmdFind(cmd, use.table, &batch));
    gpu_submit(gpu);
    assert_int_equal(pool.mapSlots, murGetTableRef(use.source).slotCount);
    const uint32_t slots = murGetTableRef(use.source).slotCount + MUR_EXTRA_SLOTS(format);
    assert_int_equal(use.slotMap.size, 4 * slots);
    uint32_t entries = 0;
    for (uint32_t slot = 0; slot < slots; ++slot) {
        entries += pool.map[slot] != MUR_NO_SLOT;
    }
    assert_int_equal(entries, n);
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t from = words[4 * n + i], to = words[5 * n + i];
        if (from >= slots || to == MUR_NO_SLOT || pool.map[from] != to) {
            fail_msg("format %u, key %u: slot %u to %u", format, i, from, to);
        }
    }
    murDestroyGrowable(growable);
    assert_int_equal(pool.allocated, 3);
    assert_int_equal(pool.freed, 3);
    gpu_free(gpu, &memory);
}

GPU_TEST(slot_maps_lead_from_the_old_table_to_the_new) {
    for (uint32_t format = 0; format < MUR_FORMAT_COUNT; format += test_full() ? 1 : 2) {
        check_map(gpu, format);
    }
}

GPU_TEST(status_answers_anybody) {
    MurGrowableStatus status = {.capacity = 5};
    const MurGrowableStatus zero = {0};
    murGetGrowableStatus(NULL, &status);
    assert_memory_equal(&status, &zero, sizeof zero);
    const MurGrowableCreateInfo info = small_options(false).info;
    MurGrowable growable;
    gpu_require(murCreateGrowable(gpu->context, &info, &growable));
    murGetGrowableStatus(growable, NULL);
    murGetGrowableStatus(growable, &status);
    assert_int_equal(status.capacity, 64);
    assert_int_equal(status.usedAtMost, 0);
    murDestroyGrowable(growable);
}
