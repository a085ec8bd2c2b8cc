/* The fixture of GPU tests: a device with validation layers, buffers, user kernels, submits.
 *
 * The tests have their own volk, on purpose: programs with their own volk must link with the
 * library.
 *
 * Environment: MUR_TEST_DEVICE=N selects the N-th device (default: the first GPU, otherwise the
 * software device). MUR_TEST_NO_VALIDATION=1 runs without validation layers, for machines without
 * them; otherwise a missing layer is a failure. MUR_TEST_GPU_AV=1 adds GPU-assisted validation.
 * MUR_TEST_CASE=NAME runs only the cases of this name, with the wildcards * and ?;
 * MUR_TEST_SKIP=NAME leaves cases out.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_GPU_H
#define MUR_TEST_GPU_H

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <murmuration/blocking.h>
#include <murmuration/buckets.h>
#include <murmuration/murmuration.h>
#include <murmuration/rows.h>
#include <murmuration/words.h>

#include "random.h"
#include "ways.h"
#include "cases.h"
#include "kinds.h"

#include <stdbool.h>

typedef struct Gpu {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkPhysicalDeviceProperties properties;
    VkDevice device;
    VkQueue queue; /* graphics and compute, unless the options differ */
    uint32_t family;
    VkQueue secondQueue; /* exists only if requested; its family may differ */
    uint32_t secondFamily;
    bool software;     /* a CPU device */
    bool int64Atomics; /* enabled on the device */
    bool sharedMemory; /* large enough for the sorted and partitioned paths */
    bool skipped;      /* the case ended without cleanup, because the device lacks a feature */
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkDebugUtilsMessengerEXT messenger;
    uint32_t messages;       /* messages of the validation layers so far; each is a failure */
    uint32_t messagesBefore; /* messages at the start of the running case */
    bool expectMessages;     /* set by tests that provoke messages */
    uint32_t expected;
    struct GpuKept *kept;  /* kernels by code, shared until the device is closed */
    VkPipelineCache cache; /* used by contexts, because tests create pipelines repeatedly */
    MurContext context;
    MurTuning tuning; /* the context's default tuning */
    Way way;          /* current path of commands */
    MurBlocking blocking;
    uint32_t logErrors; /* errors logged by the library */
    char lastLog[512];
} Gpu;

/* Opens a device; fails the test if there is none. gpu_close fails the test if there was an
 * unexpected validation message. All cases of a program share one Gpu. */
void gpu_open(Gpu *gpu);

/* Additional requirements. Devices that do not meet them fail the test. All zero: as gpu_open. */
typedef struct GpuOptions {
    bool computeOnly;  /* the queue's family has compute and no graphics */
    bool secondQueue;  /* requests a second queue of the same family */
    bool secondFamily; /* requests a compute-only second queue; the context shares buffers */
} GpuOptions;
void gpu_open_with(Gpu *gpu, const GpuOptions *options);
void gpu_close(Gpu *gpu);
/* Opens a second device of the same instance, with its own context and helper. */
void gpu_open_second(const Gpu *gpu, Gpu *second);
void gpu_close_device(Gpu *gpu);
/* Selects the path of later commands of the test. Commands without this path run directly. */
void gpu_take(Gpu *gpu, Way way);
/* Returns a copy of gpu with another queue, command buffer and fence, for a second thread. */
void gpu_open_lane(const Gpu *gpu, Gpu *lane, VkQueue queue, uint32_t family);
void gpu_close_lane(Gpu *lane);
int gpu_group_setup(void **state);
int gpu_group_teardown(void **state);

/* Setup and teardown of each case. A watchdog (watchdog.h) ends it after 300 seconds; a validation
 * message during the case fails it. */
int gpu_test_setup(void **state);
int gpu_test_teardown(void **state);

/* Returns whether the validation layers are used. */
bool gpu_validates(void);

/* A case on the device that all cases of the program share. Its body is a function with the
 * parameter gpu. GPU_TEST_OF: the shared object has another type, whose first member is a Gpu. */
#define GPU_TEST(name) GPU_TEST_IF(name, true)
/* A case that runs only if a condition is met, for example in one tier. */
#define GPU_TEST_IF(name, has) \
    GPU_TEST_OF_IF(name, has, Gpu, gpu, gpu_group_setup, gpu_group_teardown)
#define GPU_TEST_OF(name, Shared, shared, open, close) \
    GPU_TEST_OF_IF(name, true, Shared, shared, open, close)
#define GPU_TEST_OF_IF(name, has, Shared, shared, open, close)                               \
    static void name##_on(Shared *shared);                                                   \
    static void name(void **state) {                                                         \
        name##_on(*state);                                                                   \
    }                                                                                        \
    __attribute__((constructor)) static void name##_is_a_case(void) {                        \
        const struct CMUnitTest test = cmocka_unit_test_setup_teardown(name, gpu_test_setup, \
                                                                       gpu_test_teardown);   \
        if (has) {                                                                           \
            cases_add(test, open, close);                                                    \
        }                                                                                    \
    }                                                                                        \
    static void name##_on(Shared *shared)

/* A case with an object, which is opened before the case and closed after it. Its body is a
 * function with the parameters gpu and thing (a pointer to the object). */
#define GPU_CASE(name, Type, thing, open, close)  \
    static void name##_of(Gpu *gpu, Type *thing); \
    GPU_TEST(name) {                              \
        Type thing;                               \
        open(&thing, gpu);                        \
        name##_of(gpu, &thing);                   \
        close(&thing);                            \
    }                                             \
    static void name##_of(Gpu *gpu, Type *thing)

/* Fails the test unless the result is VK_SUCCESS. The case ends as skipped if the device lacks
 * 64-bit atomics (which the library reports by an error) or 64-bit integers in shaders. Loops over
 * table types call gpu_offers first, so that the other types still run. */
#define gpu_require(expression) gpu_require_(expression, #expression, __FILE__, __LINE__)
void gpu_require_(VkResult result, const char *expression, const char *file, int line);

/* Fails the test unless the call rejected an argument and logged this text. */
#define gpu_refused(gpu, call, text) gpu_refused_(gpu, call, text, #call, __FILE__, __LINE__)
void gpu_refused_(Gpu *gpu, VkResult result, const char *text, const char *call, const char *file,
                  int line);

/* Returns whether the device supports tables of this format and atomic width. Fails unless the
 * library reports the documented result for the device. */
bool gpu_offers(const Gpu *gpu, uint32_t format, MurAtomicWidth width);
/* Ends the case as skipped if the device lacks the SPIR-V's capabilities. */
void gpu_skip_unless_it_runs(Gpu *gpu, const uint32_t *code, size_t codeSize);

/* A buffer with a device address and every usage of the tests. Mapped if host-visible. */
typedef struct GpuBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    VkDeviceAddress address;
    void *mapped;
} GpuBuffer;

GpuBuffer gpu_buffer(Gpu *gpu, VkDeviceSize size);        /* host-visible and coherent, mapped */
GpuBuffer gpu_device_buffer(Gpu *gpu, VkDeviceSize size); /* device-local, not mapped */
void gpu_free(Gpu *gpu, GpuBuffer *buffer);
/* Allocates memory without a buffer. */
VkDeviceMemory gpu_allocate(Gpu *gpu, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags flags);
MurArray gpu_array(const GpuBuffer *buffer);
/* Returns a part of a buffer. first and count are numbers of 4-byte elements. */
MurArray gpu_part(const GpuBuffer *buffer, uint64_t first, uint64_t count);

/* Nanoseconds to wait for a device. Large, because other processes may use the device. */
#define GPU_WAIT 1500000000000ull

/* gpu_begin starts gpu->cmd. gpu_submit ends it, submits it and waits. gpu_send and gpu_wait do the
 * same as gpu_submit, but without its final barrier to the host. */
VkCommandBuffer gpu_begin(Gpu *gpu);
void gpu_submit(Gpu *gpu);
void gpu_send(Gpu *gpu);
void gpu_wait(Gpu *gpu);
/* Records one command into gpu->cmd, and runs it. call: an expression that records. */
#define GPU_RUN(gpu, call) (gpu_begin(gpu), gpu_require(call), gpu_submit(gpu))
/* A barrier between all types of work, including host reads. */
void gpu_barrier(Gpu *gpu);

/* A test's own compute shader: push constants at offset 0, and storage buffers in set 0 at the
 * bindings 0, 1, ... */
enum { GPU_MAX_BINDINGS = 4 };
typedef struct GpuKernel {
    VkDescriptorSetLayout setLayout;
    VkDescriptorPool descriptors;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    uint32_t pushSize;
    uint32_t bindings;
    uint32_t elements; /* buffers per binding */
} GpuKernel;

/* Returns a kernel. Creating a pipeline may take seconds, even with a cache. Each shader code
 * therefore has one pipeline, which is kept until the device is closed. */
GpuKernel gpu_kernel(Gpu *gpu, const uint32_t *code, size_t codeSize, uint32_t pushSize,
                     uint32_t bindings);
/* Returns a kernel with one binding, which is an array of buffers. */
GpuKernel gpu_kernel_of_array(Gpu *gpu, const uint32_t *code, size_t codeSize, uint32_t pushSize,
                              uint32_t elements);
void gpu_free_kept(Gpu *gpu); /* called when the device is closed */
/* Requires that no recorded work with the kernel is pending. */
void gpu_bind(Gpu *gpu, GpuKernel *kernel, uint32_t binding, MurBufferRange range);
void gpu_bind_element(Gpu *gpu, GpuKernel *kernel, uint32_t binding, uint32_t element,
                      MurBufferRange range);
void gpu_dispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t groups);

/* Returns a cleared table. The case fails if the device lacks a feature for 64-bit atomics. */
MurTable gpu_table(Gpu *gpu, const MurTableCreateInfo *info);
#define GPU_TABLE(gpu, ...) gpu_table(gpu, &(const MurTableCreateInfo){__VA_ARGS__})
MurStats gpu_stats(Gpu *gpu, MurTable table);

/* SPIR-V embedded by the build. */
#define GPU_SPIRV(symbol)           \
    extern const uint32_t symbol[]; \
    extern const size_t symbol##_size

#endif
