/* A second context on the fixture's device. Tests observe its Vulkan calls (interpose.h), host
 * allocations and log.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_OBSERVE_H
#define MUR_TEST_OBSERVE_H

#include "gpu.h"
#include "interpose.h"

#include <stdatomic.h>

/* Host allocations through VkAllocationCallbacks. */
typedef struct HostMemory {
    VkAllocationCallbacks callbacks;
    atomic_int live;       /* allocations not yet freed */
    atomic_uint calls;     /* requested allocations and reallocations */
    atomic_uint countdown; /* the call that decrements this to 0 fails; 0: none fails */
    atomic_bool failed;
} HostMemory;

void host_memory_init(HostMemory *memory);
/* Makes the nth allocation from now (1: the next) fail. 0: no allocation fails. */
void host_memory_fail(HostMemory *memory, uint32_t nth);

typedef struct LogBook {
    atomic_flag busy; /* guards the members; messages may come from any thread */
    atomic_uint errors;
    atomic_uint infos;
    char lastError[512];
    char lastInfo[512];
} LogBook;

VKAPI_ATTR void VKAPI_CALL log_book_write(void *book, MurLogSeverity severity, const char *message);
void log_book_clear(LogBook *book);

typedef struct Observed {
    Gpu *gpu;
    HostMemory memory;
    LogBook log;
    MurContext context;
    MurBlocking blocking;
} Observed;

/* Restarts the interposition. Returns a complete create info for murCreateContext. */
MurContextCreateInfo observe(Observed *observed, Gpu *gpu);
/* Calls observe and creates the context. */
void observe_open(Observed *observed, Gpu *gpu);
/* Opens a context whose shaders do nothing (interpose_empty_shaders): commands never run. */
void observe_open_idle(Observed *observed, Gpu *gpu);
void observe_open_blocking(Observed *observed, Gpu *gpu);
/* Destroys the objects, and fails the test if an object or an allocation is left. */
void observe_close(Observed *observed);

/* Cases with an open context, Observed *observed. */
#define OBSERVED_CASE(name) GPU_CASE(name, Observed, observed, observe_open, observe_close)
#define IDLE_CASE(name)     GPU_CASE(name, Observed, observed, observe_open_idle, observe_close)
#define BLOCKING_CASE(name) GPU_CASE(name, Observed, observed, observe_open_blocking, observe_close)

/* Requires this result, and that one error was logged that contains the text (NULL: that no error
 * was logged). Clears the log. what: the name of the call in failure messages. */
#define expect_error(observed, actual, expected, text, what) \
    expect_error_(observed, actual, expected, text, what, __FILE__, __LINE__)
void expect_error_(Observed *observed, VkResult actual, VkResult expected, const char *text,
                   const char *what, const char *file, int line);
/* Fails the test unless the call rejects an argument and logs this text. */
#define expect_refused(observed, call, text) \
    expect_error(observed, call, MUR_ERROR_INVALID_ARGUMENT, text, #call)

MurTable observed_table(const Observed *observed, uint64_t capacity);

#endif
