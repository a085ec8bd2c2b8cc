/* A fragment shader in each language looks keys up in a table that commands filled. The pictures
 * must be equal and show the table's entries.
 * SPDX-License-Identifier: MIT */
#include "instead.h"
#include "target.h"

#include <string.h>

GPU_SPIRV(picture_vertex);
GPU_SPIRV(picture_glsl);
GPU_SPIRV(picture_hlsl);
GPU_SPIRV(picture_wgsl);

enum { LANGUAGES = 3 };

typedef struct Picture {
    uint32_t words[TARGET_PIXELS];
    int32_t slopes[TARGET_PIXELS][2];
} Picture;

/* Inserts the number of every third pixel. */
static MurTable fill(Gpu *gpu, uint32_t *slots) {
    static uint32_t keys[TARGET_PIXELS], values[TARGET_PIXELS];
    MurTable table = GPU_TABLE(gpu, .capacity = TARGET_PIXELS, .seed = 0x13572468,
                               .atomicWidth = MUR_ATOMIC_WIDTH_32);
    uint32_t count = 0;
    for (uint32_t i = 0; i < TARGET_PIXELS; i += 3, ++count) {
        keys[count] = i;
        values[count] = 7 * i + 1;
    }
    gpu_require(
        murBlockingInsert(gpu->blocking, table, MUR_MODE_INSERT, count, keys, values, NULL, slots));
    return table;
}

static void draw(Gpu *gpu, MurTable table, Code fragment, Picture *picture) {
    Target target = target_open(gpu);
    const Push push = {.table = murGetTableRef(table),
                       .width = TARGET_WIDTH,
                       .height = TARGET_HEIGHT,
                       .corners = {{-1, -1}, {3, -1}, {-1, 3}}};
    target_graphics(&target, (Code){picture_vertex, picture_vertex_size}, fragment,
                    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    target_bind(&target, table);
    gpu_begin(gpu);
    target_run(&target, &push, 3);
    gpu_submit(gpu);
    for (uint32_t i = 0; i < TARGET_PIXELS; ++i) {
        const uint32_t x = i % TARGET_WIDTH, y = i / TARGET_WIDTH;
        picture->words[i] = target_word(&target, x, y);
        memcpy(picture->slopes[i], target_slope(&target, x, y), sizeof picture->slopes[i]);
    }
    target_close(&target);
}

GPU_TEST(pictures_of_all_languages_are_equal) {
    static Picture pictures[LANGUAGES];
    static uint32_t slots[TARGET_PIXELS];
    Code codes[LANGUAGES] = {{picture_glsl, picture_glsl_size},
                             {picture_hlsl, picture_hlsl_size},
                             {picture_wgsl, picture_wgsl_size}};
    codes[1].words = shader_instead("picture_hlsl", codes[1].words, &codes[1].size);
    MurTable table = fill(gpu, slots);
    for (int language = 0; language < LANGUAGES; ++language) {
        draw(gpu, table, codes[language], &pictures[language]);
    }
    for (uint32_t i = 0; i < TARGET_PIXELS; ++i) {
        const bool there = i % 3 == 0;
        assert_int_equal(pictures[0].words[i], there ? 7 * i + 1 : 0xFFFFFFFFu);
        assert_int_equal(pictures[0].slopes[i][0], there);
        assert_int_equal((uint32_t)pictures[0].slopes[i][1], there ? slots[i / 3] : MUR_NO_SLOT);
    }
    for (int language = 1; language < LANGUAGES; ++language) {
        assert_memory_equal(&pictures[language], &pictures[0], sizeof(Picture));
    }
    murDestroyTable(table);
}
