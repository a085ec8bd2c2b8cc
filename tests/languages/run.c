/* See run.h. SPDX-License-Identifier: MIT */
#include "run.h"

#include "instead.h"
#include "support/seed.h"

#include <string.h>

/* DO(LANGUAGE_..., name of the read-only shader, name of the writing shader, index) for all. */
#define FORMAT(DO, LANGUAGE, language, i) \
    DO(LANGUAGE, trace_##language##_##i##_read, trace_##language##_##i##_write, i)
#define FORMATS(DO, LANGUAGE, language) \
    FORMAT(DO, LANGUAGE, language, 0)   \
    FORMAT(DO, LANGUAGE, language, 1)   \
    FORMAT(DO, LANGUAGE, language, 2)   \
    FORMAT(DO, LANGUAGE, language, 4)   \
    FORMAT(DO, LANGUAGE, language, 5)   \
    FORMAT(DO, LANGUAGE, language, 6)   \
    FORMAT(DO, LANGUAGE, language, 7)
#define ALL_SHADERS(DO)     \
    FORMATS(DO, GLSL, glsl) \
    FORMATS(DO, HLSL, hlsl) \
    DO(WGSL, trace_wgsl_read, trace_wgsl_write, 0) /* for all formats */

#define DECLARE(LANGUAGE, read, write, i) \
    GPU_SPIRV(read);                      \
    GPU_SPIRV(write);
ALL_SHADERS(DECLARE)

typedef struct Shader {
    const char *name;
    const uint32_t *code;
    const size_t *size;
} Shader;
#define PAIR(LANGUAGE, read, write, i) \
    [LANGUAGE_##LANGUAGE][i] = {{#read, read, &read##_size}, {#write, write, &write##_size}},
static const Shader shaders[LANGUAGE_COUNT][SHADERS][2] = {ALL_SHADERS(PAIR)};

const char *const languageNames[LANGUAGE_COUNT] = {
    [LANGUAGE_GLSL] = "GLSL",
    [LANGUAGE_HLSL] = "HLSL",
    [LANGUAGE_WGSL] = "WGSL",
};

bool run_has(int language, uint32_t shader) {
    return language != LANGUAGE_GLSL || shader % IN_BUCKETS == MUR_FORMAT_K64V32 || test_full();
}

void run_open(Run *run, Gpu *gpu) {
    *run = (Run){.gpu = gpu,
                 .image = gpu_buffer(gpu, MAX_IMAGE),
                 .operations = gpu_buffer(gpu, 4 * TRACE_FIRST + sizeof(Operation[MAX_OPERATIONS])),
                 .answers = gpu_buffer(gpu, sizeof(Answer[MAX_OPERATIONS]))};
}

void run_close(Run *run) {
    gpu_free(run->gpu, &run->image);
    gpu_free(run->gpu, &run->operations);
    gpu_free(run->gpu, &run->answers);
}

static GpuKernel *kernel_of(Run *run, int language, uint32_t which, bool writes) {
    const uint32_t i = language == LANGUAGE_WGSL ? 0 : which;
    GpuKernel *kernel = &run->kernels[language][i][writes];
    if (!kernel->pipeline) {
        const Shader *shader = &shaders[language][i][writes];
        size_t size = *shader->size;
        const uint32_t *code = shader_instead(shader->name, shader->code, &size);
        *kernel = gpu_kernel(run->gpu, code, size, 0, 3);
        const GpuBuffer *buffers[] = {&run->image, &run->operations, &run->answers};
        for (uint32_t b = 0; b < 3; ++b) {
            gpu_bind(run->gpu, kernel, b,
                     (MurBufferRange){.buffer = buffers[b]->buffer, .size = buffers[b]->size});
        }
    }
    return kernel;
}

void run_operations(Run *run, int language, uint32_t shader, bool writes, const MurTableRef *ref,
                    const Operation *operations, uint32_t count, bool alone) {
    assert_true(count <= MAX_OPERATIONS);
    GpuKernel *kernel = kernel_of(run, language, shader, writes);
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
    gpu_submit(run->gpu);
}

MurHostTable run_table(void *memory, const MurTableCreateInfo *info) {
    MurHostTable table;
    gpu_require(murHostCreate(info, memory, MAX_IMAGE, &table));
    return table;
}

size_t run_image_size(const MurHostTable *table) {
    const uint32_t format = MUR_TABLE_FORMAT(table->ref.flags), slots = table->ref.slotCount;
    return (table->ref.flags & MUR_TABLE_BUCKETS) != 0
               ? 4 * (size_t)MUR_EVICTING_WORDS(format, table->ref.flags, slots)
               : MUR_HEADER_SIZE + ((size_t)slots << MUR_SLOT_SHIFT(format));
}
