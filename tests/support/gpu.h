/* What every GPU test needs: a device with the validation layers on, buffers, user kernels,
 * submits.
 *
 * The tests carry their own volk on purpose: that a program with its own volk links beside the
 * library is one of the promises.
 *
 * Environment: MUR_TEST_DEVICE=N picks the N-th device (default: the first GPU, else the software
 * device). MUR_TEST_NO_VALIDATION=1 runs without the validation layers, for machines that do not
 * have them; without it a missing layer is a failure. MUR_TEST_GPU_AV=1 adds GPU-assisted
 * validation. MUR_TEST_CASE=NAME runs the cases of this name alone; * and ? are wildcards, as in
 * MUR_TEST_SKIP=NAME, which leaves cases out.
 *
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

#include <stdbool.h>

typedef struct Gpu {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkPhysicalDeviceProperties properties;
    VkDevice device;
    VkQueue queue; /* graphics and compute, unless the options say otherwise */
    uint32_t family;
    VkQueue secondQueue; /* if asked for; may be of another family */
    uint32_t secondFamily;
    bool software;     /* a CPU device */
    bool int64Atomics; /* enabled on the device */
    bool sharedMemory; /* as much, and workgroups as large, as sorted and sliced ways want */
    bool skipped;      /* a case, for want of these: what it had made is left */
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkDebugUtilsMessengerEXT messenger;
    uint32_t messages;       /* from the validation layers, so far; each is a failure */
    uint32_t messagesBefore; /* of those, before the running test */
    bool expectMessages;     /* for tests that provoke them: they count as expected instead */
    uint32_t expected;
    struct GpuKept *kept;  /* what kernels of the same code share until the device closes */
    VkPipelineCache cache; /* of contexts: tests of errors make the same pipelines very often */
    MurContext context;
    MurTuning tuning; /* of the context as it came */
    Way way;          /* that commands take at the moment */
    MurBlocking blocking;
    uint32_t logErrors; /* errors that the library has logged */
    char lastLog[512];
} Gpu;

/* Opens a device; fails the test if there is none. gpu_close fails the test if a validation message
 * came or went unnoticed. A cmocka group has one Gpu: gpu_group_setup and gpu_group_teardown. */
void gpu_open(Gpu *gpu);

/* What a device must have besides; one that lacks it fails the test. All zero: gpu_open. */
typedef struct GpuOptions {
    bool computeOnly;  /* the queue is of a family with compute and without graphics */
    bool secondQueue;  /* there is a second queue, of the same family, */
    bool secondFamily; /* or of a compute-only family: the context then shares between both */
} GpuOptions;
void gpu_open_with(Gpu *gpu, const GpuOptions *options);
void gpu_close(Gpu *gpu);
/* A second device of the same instance, with a context and a helper of its own. */
void gpu_open_second(const Gpu *gpu, Gpu *second);
void gpu_close_device(Gpu *gpu);
/* The way that commands recorded from now on go, where they can, until the test ends. */
void gpu_take(Gpu *gpu, Way way);
/* A copy of gpu with command buffer and fence of its own for another queue: for a second thread. */
void gpu_open_lane(const Gpu *gpu, Gpu *lane, VkQueue queue, uint32_t family);
void gpu_close_lane(Gpu *lane);
int gpu_group_setup(void **state);
int gpu_group_teardown(void **state);

/* Per-test setup and teardown: a watchdog (watchdog.h) of 300 seconds, and no validation message in
 * between. */
int gpu_test_setup(void **state);
int gpu_test_teardown(void **state);

/* Do runs have the validation layers? */
bool gpu_validates(void);

/* A case on the device that all of the program's share: what follows is the body of a function of
 * gpu. And: of something else that they share, which begins with a Gpu. */
#define GPU_TEST(name) GPU_TEST_IF(name, true)
/* One that only some runs have, by their tier. */
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

/* A case of something that is opened for it on the device and closed after it. What follows is the
 * body of a function of gpu and of a pointer to the thing. */
#define GPU_CASE(name, Type, thing, open, close)  \
    static void name##_of(Gpu *gpu, Type *thing); \
    GPU_TEST(name) {                              \
        Type thing;                               \
        open(&thing, gpu);                        \
        name##_of(gpu, &thing);                   \
        close(&thing);                            \
    }                                             \
    static void name##_of(Gpu *gpu, Type *thing)

/* Fails the test unless the result is VK_SUCCESS. On devices without 64-bit atomics a refusal that
 * says so is the documented answer, and the case ends as skipped; so does one whose shaders need
 * 64-bit integers. Loops over kinds ask before, so that they go on: gpu_offers. */
#define gpu_require(expression) gpu_require_(expression, #expression, __FILE__, __LINE__)
void gpu_require_(VkResult result, const char *expression, const char *file, int line);

/* Fails the test unless the call was refused as a wrong argument and the log says this of it. */
#define gpu_refused(gpu, call, text) gpu_refused_(gpu, call, text, #call, __FILE__, __LINE__)
void gpu_refused_(Gpu *gpu, VkResult result, const char *text, const char *call, const char *file,
                  int line);

/* Are there such tables, or else such ones in buckets? Fails unless the library's answer is the
 * documented one. */
bool gpu_offers(const Gpu *gpu, MurFormat format, MurAtomicWidth width);
/* Ends the case as skipped if the device lacks what the SPIR-V declares. */
void gpu_skip_unless_it_runs(Gpu *gpu, const uint32_t *code, size_t codeSize);

/* A buffer with a device address and every usage the tests need. Mapped when host-visible. */
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
/* Memory alone. */
VkDeviceMemory gpu_allocate(Gpu *gpu, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags flags);
MurArray gpu_array(const GpuBuffer *buffer);
/* A part of it: elements of 4 bytes. */
MurArray gpu_part(const GpuBuffer *buffer, uint64_t first, uint64_t count);

/* Nanoseconds to wait for a device that others may keep busy; a GPU that hangs is told so. */
#define GPU_WAIT 1500000000000ull

/* gpu_begin starts gpu->cmd; gpu_submit ends it, runs it and waits. The others do the same in two
 * steps, and without a barrier at the end. */
VkCommandBuffer gpu_begin(Gpu *gpu);
void gpu_submit(Gpu *gpu);
void gpu_send(Gpu *gpu);
void gpu_wait(Gpu *gpu);
/* One command that the call records into gpu->cmd. */
#define GPU_RUN(gpu, call) (gpu_begin(gpu), gpu_require(call), gpu_submit(gpu))
/* A barrier between any two kinds of work, the host's reading included. */
void gpu_barrier(Gpu *gpu);

/* A user's compute shader: push constants from offset 0, storage buffers at set 0, binding 0... */
enum { GPU_MAX_BINDINGS = 4 };
typedef struct GpuKernel {
    VkDescriptorSetLayout setLayout;
    VkDescriptorPool descriptors;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    uint32_t pushSize;
    uint32_t bindings;
    uint32_t elements; /* buffers of a binding */
} GpuKernel;

/* A compute pipeline alone, for a layout of one's own. */
VkPipeline gpu_pipeline(Gpu *gpu, const uint32_t *code, size_t codeSize, VkPipelineLayout layout);

/* Kept until the device closes, and made once for each code: a device may take seconds for a
 * pipeline, even for one that it knows. */
GpuKernel gpu_kernel(Gpu *gpu, const uint32_t *code, size_t codeSize, uint32_t pushSize,
                     uint32_t bindings);
/* With one binding, an array. */
GpuKernel gpu_kernel_of_array(Gpu *gpu, const uint32_t *code, size_t codeSize, uint32_t pushSize,
                              uint32_t elements);
void gpu_free_kept(Gpu *gpu); /* with the device */
/* Not while a recorded use of the kernel is pending. */
void gpu_bind(Gpu *gpu, GpuKernel *kernel, uint32_t binding, MurBufferRange range);
void gpu_bind_element(Gpu *gpu, GpuKernel *kernel, uint32_t binding, uint32_t element,
                      MurBufferRange range);
void gpu_dispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t groups);

/* A cleared table. flags as in MurTableCreateInfo; a missing 64-bit feature fails the test. */
MurTable gpu_table(Gpu *gpu, const MurTableCreateInfo *info);
#define GPU_TABLE(gpu, ...) gpu_table(gpu, &(const MurTableCreateInfo){__VA_ARGS__})
MurStats gpu_stats(Gpu *gpu, MurTable table);

/* SPIR-V embedded by the build. */
#define GPU_SPIRV(symbol)           \
    extern const uint32_t symbol[]; \
    extern const size_t symbol##_size

#endif
