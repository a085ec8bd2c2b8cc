/* The images of a window. A frame's picture is drawn in a buffer with four bytes per pixel, and
 * copied to the window's image. Therefore no pipeline depends on the window's format.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_SWAPCHAIN_H
#define DEMO_GPU_SWAPCHAIN_H

#include "gpu_frames.h"

enum { GPU_MAX_IMAGES = 16 };

typedef struct GpuSwapchain {
    VkSwapchainKHR handle;
    uint32_t width, height;
    bool blueFirst;   /* order of bytes: blue, green, red, alpha; otherwise red first */
    bool waits;       /* waits for the display's refresh */
    bool stale;       /* the window has changed, so the swapchain must be created again */
    GpuBuffer pixels; /* width * height pixels of the next picture */
    uint32_t imageCount;
    VkImage images[GPU_MAX_IMAGES];
    VkSemaphore drawn[GPU_MAX_IMAGES]; /* per image: signaled when its commands are complete */
    uint32_t image;                    /* acquired image */
} GpuSwapchain;

/* Creates the swapchain of gpu->surface, or creates it again after the window changed. Waits for
 * the device. width, height: the window's size, used if the surface does not specify it. A window
 * without an area gets width 0 and no handle. */
bool gpuCreateSwapchain(Gpu *gpu, uint32_t width, uint32_t height, bool waits,
                        GpuSwapchain *swapchain);
void gpuDestroySwapchain(Gpu *gpu, GpuSwapchain *swapchain);

/* Records the copy of the pixels to the image, after compute shaders and transfers that wrote
 * them. */
void gpuCmdShow(Gpu *gpu, const GpuSwapchain *swapchain);

/* Records and submits a frame that waits for the first semaphore and signals the second. */
typedef bool (*GpuDraw)(void *user, VkSemaphore acquired, VkSemaphore drawn);
/* Shows one frame: waits, acquires an image, draws, presents; or marks the swapchain as stale.
 * Returns false if the device is lost or drawing failed. */
bool gpuShowFrame(Gpu *gpu, GpuFrames *frames, GpuSwapchain *swapchain, GpuDraw draw, void *user);
/* Returns whether the swapchain is stale, or its size differs from the window's: some drivers scale
 * pictures without an error. */
bool gpuIsStale(const GpuSwapchain *swapchain, uint32_t width, uint32_t height);

#endif
