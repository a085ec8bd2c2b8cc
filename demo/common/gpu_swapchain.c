/* SPDX-License-Identifier: MIT */
#include "gpu_swapchain.h"

#include "message.h"

#include <string.h>

/* Selects a format. Pixels are copied as bytes, so both 8-bit formats look the same. */
static bool pickFormat(Gpu *gpu, VkSurfaceFormatKHR *picked, bool *blueFirst) {
    VkSurfaceFormatKHR formats[128];
    uint32_t count = 128;
    VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(gpu->physicalDevice, gpu->surface,
                                                           &count, formats);
    for (uint32_t i = 0; i < count && result >= 0; ++i) {
        const VkFormat format = formats[i].format;
        *blueFirst = format == VK_FORMAT_B8G8R8A8_UNORM || format == VK_FORMAT_B8G8R8A8_SRGB;
        if (*blueFirst || format == VK_FORMAT_R8G8B8A8_UNORM || format == VK_FORMAT_R8G8B8A8_SRGB) {
            *picked = formats[i];
            return true;
        }
    }
    return sayError("the window takes no pictures of 8 bits a channel");
}

/* Returns FIFO, which every device supports, or the mode with the lowest latency. */
static VkPresentModeKHR pickMode(Gpu *gpu, bool waits) {
    VkPresentModeKHR modes[16];
    uint32_t count = 16;
    VkPresentModeKHR best = VK_PRESENT_MODE_FIFO_KHR;
    if (waits || vkGetPhysicalDeviceSurfacePresentModesKHR(gpu->physicalDevice, gpu->surface,
                                                           &count, modes) < 0) {
        return best;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (modes[i] == VK_PRESENT_MODE_IMMEDIATE_KHR ||
            (modes[i] == VK_PRESENT_MODE_MAILBOX_KHR && best == VK_PRESENT_MODE_FIFO_KHR)) {
            best = modes[i];
        }
    }
    return best;
}

static uint32_t clampTo(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : value > high ? high : value;
}

static VkCompositeAlphaFlagBitsKHR pickAlpha(VkCompositeAlphaFlagsKHR supported) {
    return supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                                                         : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
}

static bool createHandle(Gpu *gpu, const VkSurfaceCapabilitiesKHR *surface,
                         GpuSwapchain *swapchain) {
    VkSurfaceFormatKHR format = {0};
    if (!(surface->supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)) {
        return sayError("the window takes no copies of pictures");
    }
    if (!pickFormat(gpu, &format, &swapchain->blueFirst)) {
        return false;
    }
    const uint32_t wanted = surface->minImageCount + 1;
    const uint32_t most = surface->maxImageCount ? surface->maxImageCount : wanted;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = gpu->surface,
        .minImageCount = wanted < most ? wanted : most,
        .imageFormat = format.format,
        .imageColorSpace = format.colorSpace,
        .imageExtent = {swapchain->width, swapchain->height},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .preTransform = surface->currentTransform,
        .compositeAlpha = pickAlpha(surface->supportedCompositeAlpha),
        .presentMode = pickMode(gpu, swapchain->waits),
        .clipped = VK_TRUE,
        .oldSwapchain = swapchain->handle,
    };
    VkSwapchainKHR handle = VK_NULL_HANDLE;
    const VkResult result = vkCreateSwapchainKHR(gpu->device, &info, NULL, &handle);
    vkDestroySwapchainKHR(gpu->device, swapchain->handle, NULL);
    swapchain->handle = handle;
    return gpuCheck(result, "making the window's pictures");
}

static bool createSemaphores(Gpu *gpu, GpuSwapchain *swapchain) {
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i < swapchain->imageCount; ++i) {
        if (!gpuCheck(vkCreateSemaphore(gpu->device, &info, NULL, &swapchain->drawn[i]),
                      "creating a semaphore")) {
            return false;
        }
    }
    return true;
}

static void destroySemaphores(Gpu *gpu, GpuSwapchain *swapchain) {
    for (uint32_t i = 0; i < GPU_MAX_IMAGES; ++i) {
        vkDestroySemaphore(gpu->device, swapchain->drawn[i], NULL);
        swapchain->drawn[i] = VK_NULL_HANDLE;
    }
}

bool gpuCreateSwapchain(Gpu *gpu, uint32_t width, uint32_t height, bool waits,
                        GpuSwapchain *swapchain) {
    VkSurfaceCapabilitiesKHR surface;
    if (!gpuCheck(vkDeviceWaitIdle(gpu->device), "waiting for the device") ||
        !gpuCheck(
            vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu->physicalDevice, gpu->surface, &surface),
            "asking about the window")) {
        return false;
    }
    destroySemaphores(gpu, swapchain);
    gpuDestroyBuffer(gpu, &swapchain->pixels);
    const bool open = surface.currentExtent.width == UINT32_MAX;
    const VkExtent2D low = surface.minImageExtent;
    const VkExtent2D high = surface.maxImageExtent;
    swapchain->waits = waits;
    swapchain->stale = false;
    swapchain->width = open ? clampTo(width, low.width, high.width) : surface.currentExtent.width;
    swapchain->height = open ? clampTo(height, low.height, high.height)
                             : surface.currentExtent.height;
    if (swapchain->width == 0 || swapchain->height == 0) {
        gpuDestroySwapchain(gpu, swapchain);
        return true;
    }
    if (!createHandle(gpu, &surface, swapchain)) {
        return false;
    }
    swapchain->imageCount = GPU_MAX_IMAGES;
    return gpuCheck(vkGetSwapchainImagesKHR(gpu->device, swapchain->handle, &swapchain->imageCount,
                                            swapchain->images),
                    "asking for the window's pictures") &&
           createSemaphores(gpu, swapchain) &&
           gpuCreateBuffer(gpu, 4ull * swapchain->width * swapchain->height, GPU_DEVICE,
                           "a window's picture", &swapchain->pixels);
}

void gpuDestroySwapchain(Gpu *gpu, GpuSwapchain *swapchain) {
    if (gpu->device && gpu->surface) {
        destroySemaphores(gpu, swapchain);
        gpuDestroyBuffer(gpu, &swapchain->pixels);
        vkDestroySwapchainKHR(gpu->device, swapchain->handle, NULL);
    }
    *swapchain = (GpuSwapchain){0};
}

static void changeLayout(Gpu *gpu, VkImage image, const VkImageMemoryBarrier *change,
                         VkPipelineStageFlags from, VkPipelineStageFlags to) {
    VkImageMemoryBarrier barrier = *change;
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(gpu->cmd, from, to, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void gpuCmdShow(Gpu *gpu, const GpuSwapchain *swapchain) {
    const VkImage image = swapchain->images[swapchain->image];
    const VkImageMemoryBarrier before = {
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
    };
    const VkImageMemoryBarrier after = {
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
    };
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {swapchain->width, swapchain->height, 1},
    };
    gpuTransferBarrier(gpu);
    changeLayout(gpu, image, &before, VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdCopyBufferToImage(gpu->cmd, swapchain->pixels.buffer, image,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    changeLayout(gpu, image, &after, VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
}

typedef enum Shown {
    SHOWN,
    STALE, /* the window changed: the swapchain must be created again */
    LOST   /* failed with a message */
} Shown;

static Shown shown(VkResult result, const char *what) {
    if (result == VK_ERROR_OUT_OF_DATE_KHR) {
        return STALE;
    }
    return result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR || gpuCheck(result, what) ? SHOWN
                                                                                         : LOST;
}

/* Shows the image after its semaphore in drawn is signaled. */
static Shown present(Gpu *gpu, GpuSwapchain *swapchain) {
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &swapchain->drawn[swapchain->image],
        .swapchainCount = 1,
        .pSwapchains = &swapchain->handle,
        .pImageIndices = &swapchain->image,
    };
    return shown(vkQueuePresentKHR(gpu->queue, &info), "showing a picture");
}

bool gpuShowFrame(Gpu *gpu, GpuFrames *frames, GpuSwapchain *swapchain, GpuDraw draw, void *user) {
    const VkSemaphore acquired = frames->frames[gpuFrameIndex(frames)].acquired;
    if (!gpuAwaitFrame(gpu, frames)) {
        return false;
    }
    Shown frame = shown(vkAcquireNextImageKHR(gpu->device, swapchain->handle, UINT64_MAX, acquired,
                                              VK_NULL_HANDLE, &swapchain->image),
                        "asking for the window's next picture");
    if (frame == SHOWN) {
        frame = draw(user, acquired, swapchain->drawn[swapchain->image]) ? present(gpu, swapchain)
                                                                         : LOST;
    }
    swapchain->stale = frame == STALE;
    return frame != LOST;
}

bool gpuIsStale(const GpuSwapchain *swapchain, uint32_t width, uint32_t height) {
    return swapchain->stale || swapchain->width != width || swapchain->height != height;
}
