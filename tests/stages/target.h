/* A render target: a small image, with pipelines for vertex and fragment shaders, and a buffer for
 * results of compute shaders. Both are read back in the same way.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_STAGES_TARGET_H
#define MUR_TEST_STAGES_TARGET_H

#include "support/gpu.h"

/* Odd, so that quads at the right and lower edges reach beyond the image. */
enum { TARGET_WIDTH = 61, TARGET_HEIGHT = 47, TARGET_PIXELS = TARGET_WIDTH * TARGET_HEIGHT };

/* The value of pixels that were not drawn. */
#define TARGET_UNTOUCHED 0xDEADBEEFu

/* Push constants for run/work.glsl; corners: for run/triangle.vert. */
typedef enum Work { WORK_FIND, WORK_ASSIGN, WORK_COUNT } Work;
enum { WORK_RUN = 4 };
typedef struct Push {
    MurTableRef table;
    uint32_t width, height;
    uint32_t factor;
    uint32_t groups;
    uint32_t work;
    uint32_t pad;
    float corners[3][2];
} Push;

typedef struct Code {
    const uint32_t *words;
    size_t size; /* size of the code in bytes */
} Code;

typedef struct Image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
} Image;

typedef struct Target {
    Gpu *gpu;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    Image images[2]; /* per pixel: one word; two signed words */
    GpuBuffer words; /* results of the first image, or of a compute shader, after target_run */
    GpuBuffer slopes;
    VkDescriptorSetLayout setLayout;
    VkDescriptorPool descriptors;
    VkDescriptorSet set; /* binding 0: the table, 1: words */
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkPipelineBindPoint bindPoint;
} Target;

/* Opens a target for one pipeline, which target_close also destroys. target_bind sets the table
 * that the pipeline uses. */
Target target_open(Gpu *gpu);
void target_bind(Target *target, MurTable table);
void target_close(Target *target);

void target_graphics(Target *target, Code vertex, Code fragment, VkPrimitiveTopology topology);
void target_compute(Target *target, Code code);

/* Records one draw of `count` vertices, or TARGET_PIXELS compute invocations. Also records copies,
 * so that the results are readable after gpu_submit. */
void target_run(Target *target, const Push *push, uint32_t count);

/* Results, after gpu_submit. */
uint32_t target_word(const Target *target, uint32_t x, uint32_t y);
const int32_t *target_slope(const Target *target, uint32_t x, uint32_t y);

#endif
