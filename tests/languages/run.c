/* See run.h. SPDX-License-Identifier: MIT */
#include "run.h"

#include "instead.h"

#include <string.h>

#define SHADERS(language)                  \
    GPU_SPIRV(trace_##language##_0_read);  \
    GPU_SPIRV(trace_##language##_0_write); \
    GPU_SPIRV(trace_##language##_1_read);  \
    GPU_SPIRV(trace_##language##_1_write); \
    GPU_SPIRV(trace_##language##_2_read);  \
    GPU_SPIRV(trace_##language##_2_write)
SHADERS(glsl);
SHADERS(hlsl);
/* One for all formats. */
GPU_SPIRV(trace_wgsl_read);
GPU_SPIRV(trace_wgsl_write);

typedef struct Shader {
    const char *name;
    const uint32_t *code;
    const size_t *size;
} Shader;
#define SHADER(name) \
    { #name, name, &name##_size }
#define FORMAT_SHADERS(language, format) \
    { SHADER(trace_##language##_##format##_read), SHADER(trace_##language##_##format##_write) }
#define LANGUAGE_SHADERS(language) \
    { FORMAT_SHADERS(language, 0), FORMAT_SHADERS(language, 1), FORMAT_SHADERS(language, 2) }
#define WGSL_SHADERS \
    { SHADER(trace_wgsl_read), SHADER(trace_wgsl_write) }
static const Shader shaders[LANGUAGE_COUNT][FORMATS][2] = {
    [LANGUAGE_GLSL] = LANGUAGE_SHADERS(glsl),
    [LANGUAGE_HLSL] = LANGUAGE_SHADERS(hlsl),
    [LANGUAGE_WGSL] = {WGSL_SHADERS, WGSL_SHADERS, WGSL_SHADERS},
};
const char *const languageNames[LANGUAGE_COUNT] = {
    [LANGUAGE_GLSL] = "GLSL",
    [LANGUAGE_HLSL] = "HLSL",
    [LANGUAGE_WGSL] = "WGSL",
};

void run_open(Run *run, Gpu *gpu) {
    *run = (Run){.gpu = gpu,
                 .image = gpu_buffer(gpu, MAX_IMAGE),
                 .operations = gpu_buffer(gpu, 4 * TRACE_FIRST + sizeof(Operation[MAX_OPERATIONS])),
                 .answers = gpu_buffer(gpu, sizeof(Answer[MAX_OPERATIONS]))};
}

void run_close(Run *run) {
    for (int i = 0; i < LANGUAGE_COUNT * FORMATS * 2; ++i) {
        GpuKernel *kernel = &run->kernels[i / (FORMATS * 2)][i / 2 % FORMATS][i % 2];
        if (kernel->pipeline) {
            gpu_kernel_free(run->gpu, kernel);
        }
    }
    gpu_free(run->gpu, &run->image);
    gpu_free(run->gpu, &run->operations);
    gpu_free(run->gpu, &run->answers);
}

static GpuKernel *kernel_of(Run *run, int language, uint32_t format, bool writes) {
    /* WGSL's are the same for all formats. */
    GpuKernel *kernel = &run->kernels[language][language == LANGUAGE_WGSL ? 0 : format][writes];
    if (!kernel->pipeline) {
        const Shader *shader = &shaders[language][format][writes];
        size_t size = *shader->size;
        const uint32_t *code = shader_instead(shader->name, shader->code, &size);
        *kernel = gpu_kernel(run->gpu, code, size, 0, 3);
        const GpuBuffer *buffers[] = {&run->image, &run->operations, &run->answers};
        for (uint32_t i = 0; i < 3; ++i) {
            gpu_bind(run->gpu, kernel, i,
                     (MurBufferRange){.buffer = buffers[i]->buffer, .size = buffers[i]->size});
        }
    }
    return kernel;
}

void run_operations(Run *run, int language, bool writes, const MurTableRef *ref,
                    const Operation *operations, uint32_t count, bool alone) {
    assert_true(count <= MAX_OPERATIONS);
    GpuKernel *kernel = kernel_of(run, language, MUR_TABLE_FORMAT(ref->flags), writes);
    uint32_t *words = run->operations.mapped;
    memcpy(words, ref, sizeof *ref);
    memcpy(words, &run->image.address, sizeof run->image.address);
    words[TRACE_COUNT] = count;
    words[TRACE_ALONE] = alone;
    memcpy(words + TRACE_FIRST, operations, sizeof *operations * count);
    gpu_begin(run->gpu);
    gpu_barrier(run->gpu);
    gpu_dispatch(run->gpu, kernel, NULL,
                 alone ? 1 : (count + TRACE_WORKGROUP - 1) / TRACE_WORKGROUP);
    gpu_barrier(run->gpu);
    gpu_submit(run->gpu);
}

MurHostTable run_table(void *memory, uint32_t format, uint32_t capacity, uint32_t seed, bool zero,
                       uint32_t probeLimit, bool wide) {
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = seed,
        .probeLimit = probeLimit,
        .format = (MurFormat)format,
        .reservedValue = zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
    };
    MurHostTable table;
    gpu_require(murHostCreate(&info, memory, MAX_IMAGE, &table));
    return table;
}

size_t run_image_size(const MurHostTable *table) {
    return MUR_HEADER_SIZE +
           ((size_t)table->ref.slotCount << MUR_SLOT_SHIFT(MUR_TABLE_FORMAT(table->ref.flags)));
}
