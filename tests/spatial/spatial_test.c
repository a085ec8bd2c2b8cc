/* Keys of spatial cells. The C functions are compared with a model with wider arithmetic, the GLSL
 * functions with the C functions.
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"
#include "support/seed.h"

#include <murmuration/spatial.h>

#include "layout.h"

#include <math.h>
#include <string.h>

GPU_SPIRV(spatial_keys);

enum { COUNT = 20000, LEAST = -131072, MOST = 131071, LEVELS = 32 };

static float any_bits(Random *random) {
    const uint32_t bits = (uint32_t)random_next(random);
    float any;
    memcpy(&any, &bits, sizeof any);
    return isnan(any) ? 1.5f : any;
}

/* Returns a position at level 0: an edge of a cell or close to it, an end of the range, or
 * random. */
static float any_position(Random *random) {
    static const float odd[] = {0,        -0.0f,    0.5f,      -0.5f,     1,     -1,
                                131071.f, 131072.f, -131072.f, -131073.f, 1e30f, -1e30f};
    const float edge = (float)(int)(random_below(random, 300000) - 150000);
    switch (random_below(random, 6)) {
    case 0:
        return odd[random_below(random, 12)];
    case 1:
        return edge;
    case 2:
        return nextafterf(edge, random_below(random, 2) ? INFINITY : -INFINITY);
    case 3:
        return (float)((double)random_below(random, 1u << 30) / 4096 - 131072);
    case 4:
        return any_bits(random);
    default:
        return (float)((double)random_below(random, 1u << 30) / (1 << 26) - 8);
    }
}

/* Returns 0 for positions close to 0, because GPUs may flush them to 0. */
static float no_tiny(float position) {
    return fabsf(position) < 1e-20f ? -0.0f : position;
}

static float any_ratio(Random *random) {
    static const float odd[] = {0, -3, 1, 2, 3.9999998f, 4, 2147483648.0f, 4294967296.0f, INFINITY};
    return random_below(random, 3) ? (float)ldexp(1 + random_below(random, 1000) / 1000.0,
                                                  (int)random_below(random, 40) - 4)
                                   : odd[random_below(random, 9)];
}

static SpatialItem make_item(Random *random) {
    static const float scales[] = {1, 1, 0.5f, 4, 3, 1.0f / 3, 20, 0.05f};
    static const float normals[] = {0, -0.0f, 1, -1, 0.5f, -0.5f, 0.57735f, -0.57735f};
    const float scale = scales[random_below(random, 8)];
    return (SpatialItem){
        .x = no_tiny(any_position(random) / scale),
        .y = no_tiny(any_position(random) / scale),
        .z = no_tiny(any_position(random) / scale),
        .normalX = normals[random_below(random, 8)],
        .normalY = normals[random_below(random, 8)],
        .normalZ = normals[random_below(random, 8)],
        .ratio = any_ratio(random),
        .cellsPerUnit = scale,
        .level = random_below(random, 4) ? random_below(random, 6) : random_below(random, 40),
        .octant = random_below(random, 8),
    };
}

static int model_cell(float position, float cellsPerUnit, uint32_t level) {
    const float product = position * cellsPerUnit;
    const double cell = floor(ldexp((double)product, -(int)level));
    return cell < LEAST ? LEAST : cell > MOST ? MOST : (int)cell;
}

static uint64_t model_key(const int64_t cell[3], uint32_t level, uint32_t face) {
    uint64_t key = face;
    key = key * LEVELS + level;
    for (int i = 2; i >= 0; --i) {
        const int64_t inside = cell[i] < LEAST ? LEAST : cell[i] > MOST ? MOST : cell[i];
        key = key * (1u << 18) + (uint64_t)(inside - LEAST);
    }
    return key;
}

static uint32_t model_level(float ratio) {
    uint32_t level = 0;
    while (level < LEVELS - 1 && (double)ratio >= ldexp(1, (int)level + 1)) {
        ++level;
    }
    return level;
}

static uint32_t model_face(const float normal[3]) {
    uint32_t axis = 0;
    for (uint32_t i = 1; i < 3; ++i) {
        axis = fabsf(normal[i]) > fabsf(normal[axis]) ? i : axis;
    }
    return 2 * axis + (normal[axis] < 0);
}

static void check_c(const SpatialItem *item) {
    const float position[3] = {item->x, item->y, item->z};
    const float normal[3] = {item->normalX, item->normalY, item->normalZ};
    const uint32_t level = item->level < LEVELS ? item->level : LEVELS - 1;
    const uint32_t face = model_face(normal);
    int64_t cell[3], up[3], down[3];
    int given[3], got[3];
    for (int i = 0; i < 3; ++i) {
        given[i] = model_cell(position[i], item->cellsPerUnit, level);
        cell[i] = given[i];
        up[i] = (cell[i] - (cell[i] & 1)) / 2;
        down[i] = 2 * cell[i] + (item->octant >> i & 1);
    }
    const uint64_t key = model_key(cell, level, face);
    assert_int_equal(mur_spatial_face(normal), face);
    assert_int_equal(mur_spatial_level(item->ratio), model_level(item->ratio));
    assert_int_equal(mur_spatial_key_at(position, item->cellsPerUnit, item->level, face), key);
    assert_int_equal(mur_spatial_key(given, item->level, face), key);
    assert_int_equal(mur_spatial_parent(key),
                     level + 1 < LEVELS ? model_key(up, level + 1, face) : key);
    assert_int_equal(mur_spatial_child(key, item->octant),
                     level ? model_key(down, level - 1, face) : key);
    assert_int_equal(mur_spatial_level_of(key), level);
    assert_int_equal(mur_spatial_face_of(key), face);
    mur_spatial_cell_of(key, got);
    assert_memory_equal(got, given, sizeof got);
    assert_int_equal(key >> 62, 0);
}

GPU_TEST(c_functions_agree_with_the_model) {
    Random random = {test_seed(0x5EA71)};
    for (uint32_t i = 0; i < 50 * COUNT; ++i) {
        const SpatialItem item = make_item(&random);
        check_c(&item);
    }
}

/* The center of a position's cell has the same key. */
GPU_TEST(centers_have_the_key_of_their_cell) {
    Random random = {test_seed(0x5EA73)};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const float position[3] = {any_ratio(&random), -3, (float)random_below(&random, 1000)};
        const uint32_t level = random_below(&random, 5);
        const float size = 0.25f * (float)(1 << level);
        float center[3];
        if (position[0] > 1000 || position[0] < -1000) {
            continue;
        }
        mur_spatial_center(mur_spatial_key_at(position, 4, level, 0), 0.25f, center);
        for (int j = 0; j < 3; ++j) {
            assert_true(position[j] >= center[j] - size / 2 && position[j] < center[j] + size / 2);
        }
    }
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static SpatialAnswer answer_of(const SpatialItem *item) {
    const float position[3] = {item->x, item->y, item->z};
    const float normal[3] = {item->normalX, item->normalY, item->normalZ};
    const uint64_t key = mur_spatial_key_at(position, item->cellsPerUnit, item->level,
                                            mur_spatial_face(normal));
    const uint64_t parent = mur_spatial_parent(key);
    const uint64_t child = mur_spatial_child(key, item->octant);
    int cell[3];
    float center[3];
    mur_spatial_cell_of(key, cell);
    mur_spatial_center(key, item->cellsPerUnit, center);
    return (SpatialAnswer){{(uint32_t)key, (uint32_t)(key >> 32), (uint32_t)parent,
                            (uint32_t)(parent >> 32), (uint32_t)child, (uint32_t)(child >> 32),
                            (uint32_t)key, (uint32_t)(key >> 32), mur_spatial_level(item->ratio),
                            (uint32_t)cell[0], (uint32_t)cell[1], (uint32_t)cell[2],
                            mur_spatial_level_of(key), mur_spatial_face_of(key), bits_of(center[0]),
                            bits_of(center[1]), bits_of(center[2])}};
}

GPU_TEST(shaders_agree_with_c) {
    Random random = {test_seed(0x5EA74)};
    GpuBuffer items = gpu_buffer(gpu, COUNT * sizeof(SpatialItem));
    GpuBuffer answers = gpu_buffer(gpu, COUNT * sizeof(SpatialAnswer));
    GpuKernel kernel = gpu_kernel(gpu, spatial_keys, spatial_keys_size, 4, 2);
    gpu_bind(gpu, &kernel, 0, (MurBufferRange){items.buffer, 0, items.size});
    gpu_bind(gpu, &kernel, 1, (MurBufferRange){answers.buffer, 0, answers.size});
    SpatialItem *list = items.mapped;
    for (uint32_t i = 0; i < COUNT; ++i) {
        list[i] = make_item(&random);
    }
    const uint32_t count = COUNT;
    gpu_begin(gpu);
    gpu_dispatch(gpu, &kernel, &count, (COUNT + 63) / 64);
    gpu_submit(gpu);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const SpatialAnswer right = answer_of(&list[i]);
        const SpatialAnswer *got = (const SpatialAnswer *)answers.mapped + i;
        for (uint32_t j = 0; j < SPATIAL_WORDS; ++j) {
            if (right.words[j] != got->words[j]) {
                fail_msg("(%a, %a, %a) x %a, level %u, ratio %a: word %u is 0x%x instead of 0x%x",
                         (double)list[i].x, (double)list[i].y, (double)list[i].z,
                         (double)list[i].cellsPerUnit, list[i].level, (double)list[i].ratio, j,
                         got->words[j], right.words[j]);
            }
        }
    }
    gpu_free(gpu, &answers);
    gpu_free(gpu, &items);
}
