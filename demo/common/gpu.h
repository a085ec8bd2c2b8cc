/* The Vulkan that a demo program needs besides the table: a device with one queue, buffers with
 * device addresses, kernels with push constants, timestamps.
 *
 * Functions that can fail return whether they worked, after one line on stderr. Every destroy
 * function takes what a failed or never called create function left (all zero) and does nothing
 * with it.
 *
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
    MurFeatureFlags optional; /* enabled where the device has them */
    bool validation;          /* core and synchronization validation; a missing layer is an error */
    /* For a window: extensions of the instance, and what makes the surface that the device must be
     * able to show pictures on; NULL: no window. */
    const char *const *extensions;
    uint32_t extensionCount;
    VkResult (*createSurface)(void *user, VkInstance instance, VkSurfaceKHR *surface);
    void *user;
} GpuOptions;

typedef struct Gpu {
    VkInstance instance;
    VkSurfaceKHR surface; /* of the window, if there is one */
    VkPhysicalDevice physicalDevice;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    VkQueue queue; /* graphics and compute; presents to the surface */
    uint32_t family;
    uint64_t timestampMask; /* 0: the queue has no timestamps */
    VkCommandPool commands;
    VkCommandBuffer cmd; /* what is recorded into; frames (gpu_frames.h) put their own here */
    VkFence fence;
    VkQueryPool queries; /* likewise */
    VkDebugUtilsMessengerEXT messenger;
    uint32_t messages; /* from the validation layers; each was printed */
    bool hasDebugUtils;
    MurFeatureFlags features; /* of Murmuration, enabled on the device */
    MurContext context;
} Gpu;

/* Opens a device that has a queue for graphics and compute and all that Murmuration requires. */
bool gpuOpen(Gpu *gpu, const GpuOptions *options);
void gpuClose(Gpu *gpu);
/* Is it a processor that plays a GPU? */
bool gpuIsSlow(const Gpu *gpu);

/* Whether the result is VK_SUCCESS; otherwise says "what: NAME OF RESULT". */
bool gpuCheck(VkResult result, const char *what);

/* ---- Memory -------------------------------------------------------------------------------------
 */

typedef struct GpuBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    VkDeviceAddress address;
    void *mapped; /* host-visible ones */
} GpuBuffer;

typedef enum GpuMemory {
    GPU_DEVICE, /* device-local */
    GPU_HOST    /* host-visible, coherent, mapped; cached where there is such memory */
} GpuMemory;

bool gpuCreateBuffer(Gpu *gpu, VkDeviceSize size, GpuMemory memory, const char *name,
                     GpuBuffer *buffer);
/* In memory of this type; mapped if the host sees it. */
bool gpuCreateBufferIn(Gpu *gpu, VkDeviceSize size, uint32_t type, const char *name,
                       GpuBuffer *buffer);
void gpuDestroyBuffer(Gpu *gpu, GpuBuffer *buffer);
/* A new device-local buffer with these contents. Waits. */
bool gpuUpload(Gpu *gpu, const void *data, VkDeviceSize size, const char *name, GpuBuffer *buffer);

/* Index of a memory type with these properties, or UINT32_MAX. */
uint32_t gpuMemoryType(const Gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags properties);

/* Bytes of the largest heap that is the device's own, or that is not; 0: there is none. */
VkDeviceSize gpuLargestHeap(const Gpu *gpu, bool own);

/* ---- Commands -----------------------------------------------------------------------------------
 */

enum { GPU_TIMESTAMPS = 64 };

/* Begins gpu->cmd; gpuSubmit ends it, runs it and waits. */
bool gpuBegin(Gpu *gpu);
bool gpuSubmit(Gpu *gpu);

/* Barriers between compute shaders; between all that there is; between transfers and compute
 * shaders, both ways. */
void gpuComputeBarrier(Gpu *gpu);
void gpuFullBarrier(Gpu *gpu);
void gpuTransferBarrier(Gpu *gpu);
/* What has been written so far can be read by the host after gpuSubmit. */
void gpuHostBarrier(Gpu *gpu);

/* Records a timestamp when all earlier work is done. */
void gpuTimestamp(Gpu *gpu, uint32_t index);
/* Milliseconds between two timestamps of the last submission; negative if the queue has none. */
double gpuMilliseconds(Gpu *gpu, uint32_t from, uint32_t to);

/* Records a copy. */
void gpuCopy(Gpu *gpu, const GpuBuffer *from, VkDeviceSize at, const GpuBuffer *to,
             VkDeviceSize toAt, VkDeviceSize size);

/* Records that memory becomes what the host has: not large, it goes with the commands. Multiples of
 * four bytes. */
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
/* Of such a symbol: name, code and codeSize, as arguments. */
#define GPU_CODE(symbol) #symbol, symbol, symbol##_size

typedef struct GpuKernel {
    VkPipelineLayout layout;
    VkPipeline pipeline;
    uint32_t pushSize;
    VkDescriptorSetLayout setLayout; /* these: with bound buffers */
    VkDescriptorPool pool;
    VkDescriptorSet set;
} GpuKernel;

bool gpuCreateKernel(Gpu *gpu, const char *name, const uint32_t *code, size_t codeSize,
                     uint32_t pushSize, GpuKernel *kernel);
/* The same with storage buffers at bindings 0, 1, ... of set 0, for shaders without addresses. */
bool gpuCreateBoundKernel(Gpu *gpu, const char *name, const uint32_t *code, size_t codeSize,
                          uint32_t pushSize, const VkDescriptorBufferInfo *buffers, uint32_t count,
                          GpuKernel *kernel);
void gpuDestroyKernel(Gpu *gpu, GpuKernel *kernel);
/* Records a dispatch; groups beyond the device's limits are the caller's mistake. */
void gpuDispatch(Gpu *gpu, const GpuKernel *kernel, const void *push, uint32_t x, uint32_t y,
                 uint32_t z);
/* The same, with the number of workgroups in a buffer. */
void gpuDispatchIndirect(Gpu *gpu, const GpuKernel *kernel, const void *push,
                         const GpuBuffer *groups, VkDeviceSize offset);

#endif
