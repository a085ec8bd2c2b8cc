/* The pictures of a window. A frame's picture is made in a buffer, four bytes a pixel, and copied
 * into the window's image: so that no stage of a pipeline has to know the window's format.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GPU_SWAPCHAIN_H
#define DEMO_GPU_SWAPCHAIN_H

#include "gpu_frames.h"

enum { GPU_MAX_IMAGES = 16 };

typedef struct GpuSwapchain {
    VkSwapchainKHR handle;
    uint32_t width, height;
    bool blueFirst;   /* order of a pixel's bytes: blue, green, red, alpha; else red first */
    bool waits;       /* for the display's refresh */
    bool stale;       /* the window has changed: make it anew */
    GpuBuffer pixels; /* width * height, what is shown next */
    uint32_t imageCount;
    VkImage images[GPU_MAX_IMAGES];
    VkSemaphore drawn[GPU_MAX_IMAGES]; /* each image's: its commands are done */
    uint32_t image;                    /* acquired, to be shown next */
} GpuSwapchain;

typedef enum GpuShow {
    GPU_SHOWN,
    GPU_STALE, /* the window changed: make the swapchain anew, then try again */
    GPU_LOST   /* said why */
} GpuShow;

/* Makes the swapchain of gpu->surface, or makes it anew after the window changed: waits for the
 * device. width and height: of the window, where the surface leaves them open. A window that has no
 * area just now gives a swapchain of width 0 and no handle. */
bool gpuCreateSwapchain(Gpu *gpu, uint32_t width, uint32_t height, bool waits,
                        GpuSwapchain *swapchain);
void gpuDestroySwapchain(Gpu *gpu, GpuSwapchain *swapchain);

/* Takes the next image; acquired is signaled when it can be written. */
GpuShow gpuAcquire(Gpu *gpu, GpuSwapchain *swapchain, VkSemaphore acquired);
/* Records the copy of the pixels into the image, after compute shaders and transfers that wrote
 * them. */
void gpuCmdShow(Gpu *gpu, const GpuSwapchain *swapchain);
/* Shows the image once its semaphore in drawn is signaled. */
GpuShow gpuPresent(Gpu *gpu, GpuSwapchain *swapchain);

/* Records and submits a frame that waits for the one semaphore and signals the other. */
typedef bool (*GpuDraw)(void *user, VkSemaphore acquired, VkSemaphore drawn);
/* All of it for the next frame: waits until it may be recorded, takes an image, draws, shows; or
 * finds out that the swapchain is stale. False: the device is lost, or drawing failed. */
bool gpuShowFrame(Gpu *gpu, GpuFrames *frames, GpuSwapchain *swapchain, GpuDraw draw, void *user);
/* Is it, or does it have another size than the window has? Some drivers show pictures of another
 * size rather than say so. */
bool gpuIsStale(const GpuSwapchain *swapchain, uint32_t width, uint32_t height);

#endif
