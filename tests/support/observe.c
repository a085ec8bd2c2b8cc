/* SPDX-License-Identifier: MIT */
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stored before each block of memory: malloc's pointer, and the size, which reallocations need. */
typedef struct Block {
    void *start;
    size_t size;
} Block;

/* Returns whether an allocation succeeds. A driver's allocations inside recording functions always
 * succeed: these functions cannot report a failure, and Mesa 22's software device crashes. */
static bool may_allocate(HostMemory *memory) {
    if (interpose_recording()) {
        return true;
    }
    atomic_fetch_add(&memory->calls, 1);
    if (atomic_load(&memory->countdown) == 0 || atomic_fetch_sub(&memory->countdown, 1) != 1) {
        return true;
    }
    atomic_store(&memory->failed, true);
    return false;
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment,
                                            VkSystemAllocationScope scope) {
    HostMemory *memory = user;
    (void)scope;
    if (!may_allocate(memory)) {
        return NULL;
    }
    if (alignment < _Alignof(Block)) {
        alignment = _Alignof(Block);
    }
    uint8_t *start = malloc(sizeof(Block) + alignment + size);
    assert_non_null(start);
    uintptr_t at = (uintptr_t)start + sizeof(Block);
    uint8_t *result = start + sizeof(Block) + (alignment - at % alignment) % alignment;
    ((Block *)(void *)result)[-1] = (Block){start, size};
    atomic_fetch_add(&memory->live, 1);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL release(void *user, void *pointer) {
    HostMemory *memory = user;
    if (pointer) {
        atomic_fetch_sub(&memory->live, 1);
        free(((Block *)pointer)[-1].start);
    }
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *original, size_t size,
                                              size_t alignment, VkSystemAllocationScope scope) {
    if (size == 0) {
        release(user, original);
        return NULL;
    }
    void *moved = allocate(user, size, alignment, scope);
    if (moved && original) {
        size_t old = ((Block *)original)[-1].size;
        memcpy(moved, original, old < size ? old : size);
        release(user, original);
    }
    return moved;
}

void host_memory_init(HostMemory *memory) {
    memset(memory, 0, sizeof *memory);
    memory->callbacks = (VkAllocationCallbacks){
        .pUserData = memory,
        .pfnAllocation = allocate,
        .pfnReallocation = reallocate,
        .pfnFree = release,
    };
}

void host_memory_fail(HostMemory *memory, uint32_t nth) {
    atomic_store(&memory->failed, false);
    atomic_store(&memory->countdown, nth);
}

VKAPI_ATTR void VKAPI_CALL log_book_write(void *user, MurLogSeverity severity,
                                          const char *message) {
    LogBook *book = user;
    bool error = severity == MUR_LOG_ERROR;
    atomic_fetch_add(error ? &book->errors : &book->infos, 1);
    while (atomic_flag_test_and_set(&book->busy)) {
    }
    snprintf(error ? book->lastError : book->lastInfo, sizeof book->lastError, "%s", message);
    atomic_flag_clear(&book->busy);
}

void log_book_clear(LogBook *book) {
    memset(book, 0, sizeof *book);
}

MurContextCreateInfo observe(Observed *observed, Gpu *gpu) {
    interpose_start();
    memset(observed, 0, sizeof *observed);
    observed->gpu = gpu;
    host_memory_init(&observed->memory);
    return (MurContextCreateInfo){
        .instance = gpu->instance,
        .physicalDevice = gpu->physicalDevice,
        .device = gpu->device,
        .getInstanceProcAddr = interpose_get_instance_proc_addr,
        .enabledFeatures = MUR_FEATURE_BUFFER_DEVICE_ADDRESS |
                           (gpu->int64Atomics ? MUR_FEATURE_INT64_ATOMICS : 0u),
        .pipelineCache = gpu->cache,
        .pAllocator = &observed->memory.callbacks,
        .pfnLog = log_book_write,
        .pLogUserData = &observed->log,
    };
}

void observe_open(Observed *observed, Gpu *gpu) {
    const MurContextCreateInfo info = observe(observed, gpu);
    gpu_require(murCreateContext(&info, &observed->context));
}

void observe_open_idle(Observed *observed, Gpu *gpu) {
    observe_open(observed, gpu);
    interpose_empty_shaders();
}

void observe_open_blocking(Observed *observed, Gpu *gpu) {
    observe_open(observed, gpu);
    const MurBlockingCreateInfo info = {.queue = gpu->queue, .queueFamilyIndex = gpu->family};
    gpu_require(murCreateBlocking(observed->context, &info, &observed->blocking));
}

void observe_close(Observed *observed) {
    murDestroyBlocking(observed->blocking);
    murDestroyContext(observed->context);
    if (interpose_objects() != 0 || atomic_load(&observed->memory.live) != 0) {
        fail_msg("left behind: %d Vulkan objects, %d host allocations", interpose_objects(),
                 atomic_load(&observed->memory.live));
    }
}

void expect_error_(Observed *observed, VkResult actual, VkResult expected, const char *text,
                   const char *what, const char *file, int line) {
    const LogBook *log = &observed->log;
    bool logged = text ? log->errors == 1 && strstr(log->lastError, text) : log->errors == 0;
    if (actual != expected || !logged) {
        print_error(
            "%s:%d: %s: got %s, expected %s; %u errors logged, the last \"%s\", expected to "
            "contain \"%s\"\n",
            file, line, what, murResultName(actual), murResultName(expected), log->errors,
            log->lastError, text ? text : "(nothing)");
        _fail(file, line);
    }
    log_book_clear(&observed->log);
}

MurTable observed_table(const Observed *observed, uint64_t capacity) {
    const MurTableCreateInfo info = {.capacity = capacity};
    MurTable table;
    gpu_require(murCreateTable(observed->context, &info, &table));
    return table;
}
