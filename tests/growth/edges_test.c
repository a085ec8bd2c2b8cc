/* Tests of growable tables: allocations that fail at each step of growth, memory of the engine, the
 * limit of used slots, slot maps.
 * SPDX-License-Identifier: MIT */
#include "engine.h"
#include "support/seed.h"

#include <string.h>

static Engine engine; /* too large for the stack */

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

/* Memory that the engine's callbacks allocate for tables: buffers of the fixture. */
typedef struct Pool {
    Gpu *gpu;
    GpuBuffer buffers[32];
    uint32_t allocated, freed, failNext; /* failNext 1: the next allocation fails */
    const uint32_t *map;                 /* slot map of the last move */
    uint32_t mapSlots;                   /* slots of the map's source table */
    bool failAlways, onePlace;           /* onePlace: all tables get the same memory */
} Pool;

static VkResult VKAPI_PTR pool_allocate(void *user, MurMemoryKind kind,
                                        const MurTableRequirements *needs, MurBufferRange *memory) {
    Pool *pool = user;
    if (pool->failAlways || (pool->failNext && --pool->failNext == 0)) {
        memset(memory, 0xA5, sizeof *memory); /* garbage, which a failed callback may leave */
        return VK_ERROR_TOO_MANY_OBJECTS;
    }
    for (uint32_t i = 0; i < 32; ++i) {
        GpuBuffer *buffer = &pool->buffers[i];
        if (!buffer->buffer || pool->onePlace) {
            const VkDeviceSize size = needs->size + 2 * needs->alignment;
            const bool map = kind == MUR_MEMORY_SLOT_MAP;
            pool->mapSlots = map ? needs->slotCount : pool->mapSlots;
            if (!buffer->buffer) {
                *buffer = map              ? gpu_buffer(pool->gpu, size)
                          : pool->onePlace ? gpu_device_buffer(pool->gpu, 1 << 20)
                                           : gpu_device_buffer(pool->gpu, size);
            }
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
            ++pool->freed;
            if (!pool->onePlace || pool->freed == pool->allocated) {
                gpu_free(pool->gpu, &pool->buffers[i]);
            }
            return;
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

/* Makes every step of growth fail once. The step must succeed in the next frame. */
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
        const FramePlan plan = {.inserts = 30, .assigns = 20, .erasures = 5, .finds = 50};
        engine_frame(&engine, &plan);
        if (engine.use.growth == VK_SUCCESS) {
            assert_true(!failedBefore || engine.use.source == table);
            continue;
        }
        assert_int_equal(engine.use.growth, fault->result);
        assert_int_equal(engine.status.lastFailure, fault->result);
        assert_int_equal(engine.status.failures, ++failures);
        assert_int_equal(engine.status.capacity, capacity);
        assert_ptr_equal(engine.use.table, table);
        assert_null(engine.use.source);
        assert_int_equal(engine.use.slotMap.address, 0);
        /* If a call of the library failed, the log has its error, then "growth failed". */
        assert_int_equal(observed.log.errors, fault->kind == FAULT_ENGINE ? 0 : 1);
        assert_non_null(strstr(observed.log.lastInfo, "murCmdBeginGrowableFrame"));
    }
    arm(&observed, &pool, fault, 0);
    assert_int_equal(failures, engine.status.moves);
    assert_true(failures >= 4);
    engine_find_all(&engine);
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

/* If all later allocations fail, the table works until it is full, and then reports MUR_FULL. */
GPU_TEST(failed_growth_keeps_the_old_table_working) {
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
    engine_close(&engine);
    assert_int_equal(pool.allocated, pool.freed);
}

OBSERVED_CASE(move_into_the_same_memory_is_rejected) {
    Pool pool = {.gpu = gpu, .onePlace = true};
    EngineOptions options = small_options(false);
    use_pool(&options.info, &pool);
    options.info.framesInFlight = 1;
    engine_open(&engine, gpu, observed->context, &options);
    log_book_clear(&observed->log);
    MurTable table = VK_NULL_HANDLE;
    for (uint32_t frame = 1; frame <= 5; ++frame) {
        engine_frame(&engine, &(const FramePlan){.declared = frame < 3 ? 10 : 1000});
        assert_int_equal(engine.use.growth, frame < 3 ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
        assert_null(engine.use.source);
        assert_true(frame == 1 || engine.use.table == table);
        table = engine.use.table;
        assert_int_equal(pool.allocated - pool.freed, 1);
        /* Each frame logs murCmdRehash's error; only the first frame logs that growth failed. */
        assert_int_equal(observed->log.errors, frame < 3 ? 0 : frame - 2);
        assert_int_equal(observed->log.infos, frame < 3 ? 0 : 1);
    }
    engine_close(&engine);
    assert_int_equal(pool.allocated, pool.freed);
}

/* If the engine's allocation callback fails, creation returns its result and logs its name. */
OBSERVED_CASE(creation_without_memory_names_the_function) {
    Pool pool = {.gpu = gpu, .failAlways = true};
    MurGrowableCreateInfo info = small_options(false).info;
    MurGrowable growable = (MurGrowable)&info;
    use_pool(&info, &pool);
    assert_int_equal(murCreateGrowable(observed->context, &info, &growable),
                     VK_ERROR_TOO_MANY_OBJECTS);
    assert_null(growable);
    assert_int_equal(observed->log.errors, 1);
    assert_non_null(strstr(observed->log.lastError, "pfnAllocate"));
}

/* ---- The limit of used slots ---------------------------------------------------------------- */

typedef struct Limit {
    uint64_t capacity;
    float maxLoad;
    uint32_t keys, erased; /* inserted keys, and how many of them are erased */
    uint64_t limit;        /* number of used slots at which the table need not grow */
    uint64_t after;        /* capacity after one more declared insert */
} Limit;

static void open_limit(Gpu *gpu, const Limit *limit) {
    EngineOptions options = small_options(false);
    options.info.table.capacity = limit->capacity;
    options.info.framesInFlight = 1;
    options.info.maxLoad = limit->maxLoad;
    engine_open(&engine, gpu, gpu->context, &options);
}

static void close_limit(void) {
    engine_drain(&engine);
    engine_close(&engine);
}

/* Declares inserts up to the limit, then one more insert, which must grow or clean the table. */
static void pass_limit(Gpu *gpu, const Limit *limit) {
    open_limit(gpu, limit);
    engine_frame(&engine, &(const FramePlan){.inserts = limit->erased});
    engine_frame(&engine, &(const FramePlan){.inserts = limit->keys - limit->erased,
                                             .eraseCount = limit->erased});
    const MurTable table = engine.use.table;
    engine_frame(&engine, &(const FramePlan){0}); /* counts the used slots */
    engine_frame(&engine, &(const FramePlan){.declared = limit->limit - limit->keys});
    assert_int_equal(engine.status.live, limit->keys - limit->erased);
    assert_int_equal(engine.status.erased, limit->erased);
    assert_int_equal(engine.status.usedAtMost, limit->limit);
    assert_int_equal(engine.status.moves, 0);
    engine_frame(&engine, &(const FramePlan){.declared = 1});
    assert_ptr_equal(engine.use.source, table);
    assert_int_equal(engine.status.capacity, limit->after);
    close_limit();
}

/* Declares inserts in the first frame. A table that is too small is replaced before it is used. */
static void declare_at_first(Gpu *gpu, const Limit *limit, uint64_t inserts, uint64_t capacity) {
    open_limit(gpu, limit);
    engine_frame(&engine, &(const FramePlan){.declared = inserts});
    assert_int_equal(engine.status.capacity, capacity);
    close_limit();
}

GPU_TEST(declared_inserts_up_to_the_limit_do_not_grow) {
    static const Limit limits[] = {
        {64, 0, 40, 0, 48, 128},          {64, 0, 40, 4, 48, 128}, /* tombstones use slots too */
        {64, 0, 40, 5, 48, 64},  /* cleaning frees slots for the inserts of four frames */
        {64, 0, 24, 14, 48, 64}, /* cleaned at the same capacity */
        {1000, 0.25f, 100, 7, 250, 2000}, {100, 0.5f, 20, 0, 50, 200}, {4, 0, 3, 0, 3, 8},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        pass_limit(gpu, &limits[i]);
        declare_at_first(gpu, &limits[i], limits[i].limit, limits[i].capacity);
        declare_at_first(gpu, &limits[i], limits[i].limit + 1, 2 * limits[i].capacity);
    }
}

/* ---- Slot maps ------------------------------------------------------------------------------ */

/* Compares the slot map with the slots that murCmdFind reports in the old and the new table. */
static void check_map(Gpu *gpu, uint32_t format) {
    enum { KEYS = 200 };
    Pool pool = {.gpu = gpu};
    GpuBuffer found = gpu_buffer(gpu, 4 * 2 * KEYS);
    const uint32_t *slots = found.mapped;
    EngineOptions options = small_options(true);
    use_pool(&options.info, &pool);
    options.info.table = (MurTableCreateInfo){.capacity = 512, .type = format_type(format, 0)};
    options.info.framesInFlight = 1;
    engine_open(&engine, gpu, gpu->context, &options);
    engine_frame(&engine, &(const FramePlan){.inserts = KEYS});
    assert_null(engine.use.source);
    assert_int_equal(engine.use.slotMap.address, 0);
    engine_frame(&engine, &(const FramePlan){.findCount = KEYS, .declared = 1000});
    assert_non_null(engine.use.source);
    engine_drain(&engine);
    MurBatch batch = {
        .maxCount = KEYS, .keys = engine_found_keys(&engine), .slots = gpu_part(&found, 0, KEYS)};
    gpu_begin(gpu);
    gpu_require(murCmdFind(gpu->cmd, engine.use.source, &batch));
    batch.slots = gpu_part(&found, KEYS, KEYS);
    gpu_require(murCmdFind(gpu->cmd, engine.use.table, &batch));
    gpu_submit(gpu);
    assert_int_equal(pool.mapSlots, murGetTableRef(engine.use.source).slotCount);
    const uint32_t slotCount = pool.mapSlots + MUR_EXTRA_SLOTS(format);
    assert_int_equal(engine.use.slotMap.size, 4 * slotCount);
    uint32_t entries = 0;
    for (uint32_t slot = 0; slot < slotCount; ++slot) {
        entries += pool.map[slot] != MUR_NO_SLOT;
    }
    assert_int_equal(entries, KEYS);
    for (uint32_t i = 0; i < KEYS; ++i) {
        const uint32_t from = slots[i], to = slots[KEYS + i];
        if (from >= slotCount || to == MUR_NO_SLOT || pool.map[from] != to) {
            fail_msg("format %u, key %u: slot %u to %u", format, i, from, to);
        }
    }
    engine_close(&engine);
    assert_int_equal(pool.allocated, 3);
    assert_int_equal(pool.freed, 3);
    gpu_free(gpu, &found);
}

GPU_TEST(slot_maps_map_old_slots_to_new_slots) {
    for (uint32_t format = 0; format < MUR_FORMAT_COUNT; format += test_full() ? 1 : 2) {
        check_map(gpu, format);
    }
}

GPU_TEST(status_query_accepts_null) {
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
