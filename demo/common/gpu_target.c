/* An offscreen picture: drawn by full-screen passes, a few rows a command so that long pictures can
 * show progress, then copied to the host.
 *
 * SPDX-License-Identifier: MIT */
#include "gpu.h"
#include "say.h"

static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM; /* drawable on every device */

static bool createImage(Gpu *gpu, GpuTarget *target) {
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {target->width, target->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    if (!gpuCheck(vkCreateImage(gpu->device, &info, NULL, &target->image), "creating an image")) {
        return false;
    }
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(gpu->device, target->image, &requirements);
    uint32_t type = gpuMemoryType(gpu, requirements.memoryTypeBits,
                                  VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements.size,
        .memoryTypeIndex = type != UINT32_MAX ? type
                                              : gpuMemoryType(gpu, requirements.memoryTypeBits, 0),
    };
    return gpuCheck(vkAllocateMemory(gpu->device, &allocate, NULL, &target->memory),
                    "allocating memory for the picture") &&
           gpuCheck(vkBindImageMemory(gpu->device, target->image, target->memory, 0),
                    "binding memory");
}

/* The picture stays in the attachment layout from one pass to the next. */
static bool createRenderPass(Gpu *gpu, GpuTarget *target) {
    const VkAttachmentDescription attachment = {
        .format = format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &reference,
    };
    const VkSubpassDependency dependency = {
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    return gpuCheck(vkCreateRenderPass(gpu->device, &info, NULL, &target->renderPass),
                    "creating a render pass");
}

static bool createFramebuffer(Gpu *gpu, GpuTarget *target) {
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = target->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    if (!gpuCheck(vkCreateImageView(gpu->device, &view, NULL, &target->view),
                  "creating an image view")) {
        return false;
    }
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target->renderPass,
        .attachmentCount = 1,
        .pAttachments = &target->view,
        .width = target->width,
        .height = target->height,
        .layers = 1,
    };
    return gpuCheck(vkCreateFramebuffer(gpu->device, &info, NULL, &target->framebuffer),
                    "creating a framebuffer");
}

bool gpuCreateTarget(Gpu *gpu, uint32_t width, uint32_t height, GpuTarget *target) {
    *target = (GpuTarget){.width = width, .height = height};
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    if (width > limits->maxFramebufferWidth || height > limits->maxFramebufferHeight) {
        return sayError("the device draws pictures up to %ux%u only", limits->maxFramebufferWidth,
                        limits->maxFramebufferHeight);
    }
    return createImage(gpu, target) && createRenderPass(gpu, target) &&
           createFramebuffer(gpu, target) &&
           gpuCreateBuffer(gpu, 4 * (VkDeviceSize)width * height, GPU_HOST, "pixels",
                           &target->pixels);
}

void gpuDestroyTarget(Gpu *gpu, GpuTarget *target) {
    if (target->image) {
        gpuDestroyBuffer(gpu, &target->pixels);
        vkDestroyFramebuffer(gpu->device, target->framebuffer, NULL);
        vkDestroyRenderPass(gpu->device, target->renderPass, NULL);
        vkDestroyImageView(gpu->device, target->view, NULL);
        vkDestroyImage(gpu->device, target->image, NULL);
        vkFreeMemory(gpu->device, target->memory, NULL);
    }
    *target = (GpuTarget){0};
}

static void changeLayout(Gpu *gpu, const GpuTarget *target, VkImageLayout from, VkImageLayout to,
                         VkPipelineStageFlags before, VkAccessFlags beforeAccess,
                         VkPipelineStageFlags after, VkAccessFlags afterAccess) {
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = beforeAccess,
        .dstAccessMask = afterAccess,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = target->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkCmdPipelineBarrier(gpu->cmd, before, after, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void gpuClearTarget(Gpu *gpu, GpuTarget *target) {
    const VkClearColorValue black = {.float32 = {0, 0, 0, 1}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    changeLayout(gpu, target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                 VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0,
                 VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdClearColorImage(gpu->cmd, target->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                         &range);
    changeLayout(gpu, target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                 VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                 VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                 VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
}

void gpuDrawRows(Gpu *gpu, GpuTarget *target, const GpuPass *pass, const void *push, uint32_t first,
                 uint32_t count) {
    const VkRect2D rows = {{0, (int32_t)first}, {target->width, count}};
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = target->renderPass,
        .framebuffer = target->framebuffer,
        .renderArea = rows,
    };
    const VkViewport viewport = {0, 0, (float)target->width, (float)target->height, 0, 1};
    vkCmdBeginRenderPass(gpu->cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(gpu->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->pipeline);
    vkCmdSetViewport(gpu->cmd, 0, 1, &viewport);
    vkCmdSetScissor(gpu->cmd, 0, 1, &rows);
    vkCmdPushConstants(gpu->cmd, pass->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, pass->pushSize,
                       push);
    vkCmdDraw(gpu->cmd, 3, 1, 0, 0);
    vkCmdEndRenderPass(gpu->cmd);
}

void gpuCopyTarget(Gpu *gpu, GpuTarget *target, const GpuBuffer *pixels) {
    changeLayout(
        gpu, target, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {target->width, target->height, 1},
    };
    vkCmdCopyImageToBuffer(gpu->cmd, target->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           pixels->buffer, 1, &region);
}

void gpuReadTarget(Gpu *gpu, GpuTarget *target) {
    gpuCopyTarget(gpu, target, &target->pixels);
    gpuHostBarrier(gpu);
}
