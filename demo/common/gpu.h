/* The parts of Vulkan that demo programs use besides the table: a device with one queue, buffers
 * with device addresses, kernels with push constants, timestamps.
 *
 * Functions that can fail return whether they succeeded, and print one line on stderr if not. Every
 * destroy function accepts objects (all zero) whose creation failed or did not happen.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_H
#define DEMO_GPU_H

#define VK_NO_PROTOTYPES
#include <volk.h>

#include <murmuration/murmuration.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct GpuOptions {
    const char *application;
    int device;               /* index in the loader's list; negative: the best one */
    MurFeatureFlags optional; /* enabled if the device has them */
    bool validation;          /* core and synchronization validation; a missing layer is an error */
    /* For a window: instance extensions, and a function that creates the surface. The device must
     * support the surface. NULL: no window. */
    const char *const *extensions;
    uint32_t extensionCount;
    VkResult (*createSurface)(void *user, VkInstance instance, VkSurfaceKHR *surface);
    void *user;
} GpuOptions;

/* A command buffer with its pool, the fence of its submission, and its timestamps. */
typedef struct GpuCommands {
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkQueryPool queries;
} GpuCommands;

typedef struct Gpu {
    VkInstance instance;
    VkSurfaceKHR surface; /* the window's surface, if there is a window */
    VkPhysicalDevice physicalDevice;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    VkQueue queue; /* graphics and compute; presents to the surface */
    uint32_t family;
    uint64_t timestampMask; /* valid bits; 0: the queue has no timestamps */
    GpuCommands own;
    VkCommandBuffer cmd; /* current command buffer: own, or a frame's (gpu_frames.h) */
    VkQueryPool queries; /* current timestamps */
    VkDebugUtilsMessengerEXT messenger;
    uint32_t messages; /* messages of the validation layers so far; each was printed */
    bool hasDebugUtils;
    MurFeatureFlags features; /* features of Murmuration that are enabled on the device */
    MurContext context;
    bool failed; /* a kernel could not be created while recording, so gpuSubmit fails */
} Gpu;

/* Opens a device with a queue for graphics and compute that meets the requirements of
 * Murmuration. */
bool gpuOpen(Gpu *gpu, const GpuOptions *options);
void gpuClose(Gpu *gpu);
/* Returns whether the device is a software implementation on a CPU. */
bool gpuIsSlow(const Gpu *gpu);

/* Returns whether the result is VK_SUCCESS. If it is not, prints "what: NAME OF RESULT". */
bool gpuCheck(VkResult result, const char *what);

/* ---- Memory -------------------------------------------------------------------------------------
 */

typedef struct GpuBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    VkDeviceAddress address;
    void *mapped; /* NULL unless host-visible */
} GpuBuffer;

typedef enum GpuMemory {
    GPU_DEVICE, /* device-local */
    GPU_HOST    /* host-visible, coherent, mapped; cached if possible */
} GpuMemory;

bool gpuCreateBuffer(Gpu *gpu, VkDeviceSize size, GpuMemory memory, const char *name,
                     GpuBuffer *buffer);
void gpuDestroyBuffer(Gpu *gpu, GpuBuffer *buffer);
/* Creates a device-local buffer with these contents. Waits. */
bool gpuUpload(Gpu *gpu, const void *data, VkDeviceSize size, const char *name, GpuBuffer *buffer);

/* Returns the bytes of the largest heap: device-local if own, otherwise not. 0: there is no such
 * heap. */
VkDeviceSize gpuLargestHeap(const Gpu *gpu, bool own);

/* ---- Commands -----------------------------------------------------------------------------------
 */

enum { GPU_TIMESTAMPS = 64 };

/* gpuBegin begins gpu->cmd; gpuSubmit ends it, submits it and waits. */
bool gpuBegin(Gpu *gpu);
bool gpuSubmit(Gpu *gpu);

/* For frames. Begin makes commands the current ones. Submit makes gpu->own the current ones again,
 * and does not wait; both semaphores may be null. */
bool gpuCreateCommands(Gpu *gpu, GpuCommands *commands);
void gpuDestroyCommands(Gpu *gpu, const GpuCommands *commands);
bool gpuBeginCommands(Gpu *gpu, const GpuCommands *commands);
bool gpuSubmitCommands(Gpu *gpu, const GpuCommands *commands, VkSemaphore wait, VkSemaphore signal);
bool gpuAwaitCommands(Gpu *gpu, const GpuCommands *commands);

/* Barriers between compute shaders; between all stages; between transfers and compute shaders, in
 * both directions. */
void gpuComputeBarrier(Gpu *gpu);
void gpuFullBarrier(Gpu *gpu);
void gpuTransferBarrier(Gpu *gpu);
/* Makes all previous writes visible to the host after gpuSubmit. */
void gpuHostBarrier(Gpu *gpu);

/* Records a timestamp after all earlier work. */
void gpuTimestamp(Gpu *gpu, uint32_t index);
/* Returns milliseconds between two timestamps of the last submission; negative: none. */
double gpuMilliseconds(Gpu *gpu, uint32_t from, uint32_t to);

/* Records a copy. */
void gpuCopy(Gpu *gpu, const GpuBuffer *from, VkDeviceSize at, const GpuBuffer *to,
             VkDeviceSize toAt, VkDeviceSize size);

/* Records an update of memory with host data, which is copied to the command buffer. Offset and
 * size are multiples of 4 bytes. */
void gpuUpdate(Gpu *gpu, const void *data, const GpuBuffer *to, VkDeviceSize toAt,
               VkDeviceSize size);

/* Names and labels, for debuggers and validation messages. */
void gpuName(Gpu *gpu, VkObjectType type, uint64_t handle, const char *name);
void gpuBeginLabel(Gpu *gpu, const char *name);
void gpuEndLabel(Gpu *gpu);

/* ---- Pipelines ----------------------------------------------------------------------------------
 */

/* SPIR-V embedded by the build. */
#define GPU_SPIRV(symbol)           \
    extern const uint32_t symbol[]; \
    extern const size_t symbol##_size
/* Expands a symbol to the arguments name, code and codeSize. */
#define GPU_CODE(symbol) #symbol, symbol, symbol##_size

typedef struct GpuKernel {
    const char *name; /* belongs to the caller, like the code, until the kernel is destroyed */
    const uint32_t *code;
    size_t codeSize;
    VkPipelineLayout layout;
    VkPipeline pipeline; /* on a slow device, created by the first dispatch */
    uint32_t pushSize;
    VkDescriptorSetLayout setLayout; /* from here on only for kernels with bound buffers */
    VkDescriptorPool pool;
    VkDescriptorSet set;
} GpuKernel;

/* Creates a kernel. On a slow device, the first dispatch creates the pipeline, because each takes
 * up to 0.2 s, and a run does not dispatch all kernels. */
bool gpuCreateKernel(Gpu *gpu, const char *name, const uint32_t *code, size_t codeSize,
                     uint32_t pushSize, GpuKernel *kernel);
/* Creates a kernel with storage buffers at bindings 0, 1, ... of set 0, without addresses. */
bool gpuCreateBoundKernel(Gpu *gpu, const char *name, const uint32_t *code, size_t codeSize,
                          uint32_t pushSize, const VkDescriptorBufferInfo *buffers, uint32_t count,
                          GpuKernel *kernel);
void gpuDestroyKernel(Gpu *gpu, GpuKernel *kernel);
/* Records a dispatch. The number of groups must be within the device's limits. */
void gpuDispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t x, uint32_t y,
                 uint32_t z);
/* Records a dispatch with the number of workgroups in a buffer. */
void gpuDispatchIndirect(Gpu *gpu, const GpuKernel *kernel, const void *push,
                         const GpuBuffer *groups, VkDeviceSize offset);

#endif
