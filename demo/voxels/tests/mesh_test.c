/* Exported meshes, read back from the file: each face between a voxel and none is covered once,
 * with its colour, and nothing else is; little is left to join.
 *
 * SPDX-License-Identifier: MIT */
#include "model/gltf.h"
#include "shaders/world_layout.h"
#include "support/cases.h"
#include "support/seed.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    SIDE = 24,
    LOW = 1015
}; /* voxels of a scene, and where it lies: across bricks and regions */

typedef uint8_t Grid[SIDE][SIDE][SIDE]; /* x, y, z */

static Grid grid, seen[6];
static uint64_t random64;

static uint32_t below(uint32_t limit) {
    random64 = random64 * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random64 >> 33) % limit;
}

static void fill(const uint32_t low[3], const uint32_t size[3], uint8_t color) {
    for (uint32_t i = 0; i < size[0] * size[1] * size[2]; ++i) {
        const uint32_t x = i / size[2] / size[1], y = i / size[2] % size[1], z = i % size[2];
        grid[low[0] + x][low[1] + y][low[2] + z] = color;
    }
}

/* 0 outside, too. */
static uint8_t colorAt(int64_t x, int64_t y, int64_t z) {
    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < SIDE && y < SIDE && z < SIDE;
    return inside ? grid[x][y][z] : 0;
}

static BrickSet bricksOfGrid(void) {
    BrickSet set = {0};
    for (uint32_t i = 0; i < 4 * 4 * 4; ++i) { /* those that 24 voxels may touch */
        uint8_t voxels[512];
        const uint32_t at[3] = {LOW / 8 + i / 16, LOW / 8 + i / 4 % 4, LOW / 8 + i % 4};
        for (uint32_t v = 0; v < 512; ++v) {
            const uint32_t x = v / 64, y = v / 8 % 8, z = v % 8;
            voxels[voxelNumberOf(x, y, z)] = colorAt((int64_t)at[0] * 8 + x - LOW,
                                                     (int64_t)at[1] * 8 + y - LOW,
                                                     (int64_t)at[2] * 8 + z - LOW);
        }
        assert_true(brickSetAdd(&set, at[0], at[1], at[2], voxels));
    }
    brickSetSort(&set);
    for (int i = 1; i < 256; ++i) {
        const uint8_t entry[4] = {(uint8_t)i, (uint8_t)(7 * i), (uint8_t)(255 - i), 255};
        memcpy(set.palette[i], entry, 4);
    }
    return set;
}

/* ---- A .glb file ---------------------------------------------------------------------------- */

typedef struct Glb {
    uint8_t *bytes;
    const char *json;
    const uint8_t *binary;
    uint32_t vertices, quads, imageAt[2], imageBytes[2];
    double low[3], high[3];
} Glb;

static uint32_t wordAt(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float floatAt(const uint8_t *bytes) {
    const uint32_t word = wordAt(bytes);
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

/* The number behind the next place that has these words, from where the one before was. */
static double next(const char **at, const char *words) {
    char *end;
    const char *found = strstr(*at, words);
    if (!found) {
        fail_msg("no %s", words);
    }
    const double number = strtod(found + strlen(words), &end);
    assert_ptr_not_equal(end, found + strlen(words));
    *at = end;
    return number;
}

static void readJson(Glb *glb, uint32_t binaryBytes) {
    const char *at = glb->json;
    static const char *const fixed[] = {
        "\"version\":\"2.0\"",
        "\"baseColorTexture\":{\"index\":0}",
        "\"emissiveTexture\":{\"index\":1},\"emissiveFactor\":[1,1,1]",
        "\"metallicFactor\":0}",
        "\"magFilter\":9728,\"minFilter\":9728",
        "\"indices\":3",
        "\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2",
        "\"images\":[{\"bufferView\":2,\"mimeType\":\"image/png\"},{\"bufferView\":3,"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i) {
        assert_non_null(strstr(glb->json, fixed[i]));
    }
    glb->vertices = (uint32_t)next(&at, "\"componentType\":5126,\"type\":\"VEC3\",\"count\":");
    for (int i = 0; i < 6; ++i) {
        *(i < 3 ? &glb->low[i] : &glb->high[i - 3]) = next(&at, i == 0   ? "\"min\":["
                                                                : i == 3 ? "],\"max\":["
                                                                         : ",");
    }
    assert_true(
        next(&at, "\"byteOffset\":12,\"componentType\":5126,\"type\":\"VEC3\",\"count\":") ==
        glb->vertices);
    assert_true(next(&at, "\"byteOffset\":24,\"componentType\":5123,\"normalized\":true,"
                          "\"type\":\"VEC2\",\"count\":") == glb->vertices);
    const double indices = next(
        &at, "\"bufferView\":1,\"componentType\":5125,\"type\":\"SCALAR\",\"count\":");
    glb->quads = glb->vertices / 4;
    assert_true(glb->quads > 0 && glb->vertices % 4 == 0 && indices == 6.0 * glb->quads);
    assert_true(next(&at, "\"bufferViews\":[{\"buffer\":0,\"byteLength\":") ==
                28.0 * glb->vertices);
    assert_true(next(&at, "\"byteStride\":") == 28 && next(&at, "\"target\":") == 34962);
    assert_true(next(&at, "\"byteOffset\":") == 28.0 * glb->vertices);
    assert_true(next(&at, "\"byteLength\":") == 4 * indices && next(&at, "\"target\":") == 34963);
    uint32_t end = 28 * glb->vertices + 4 * (uint32_t)indices;
    for (int i = 0; i < 2; ++i) {
        glb->imageAt[i] = (uint32_t)next(&at, "\"byteOffset\":");
        glb->imageBytes[i] = (uint32_t)next(&at, "\"byteLength\":");
        assert_int_equal(glb->imageAt[i], end);
        end = glb->imageAt[i] + (glb->imageBytes[i] + 3) / 4 * 4;
    }
    assert_true(next(&at, "\"buffers\":[{\"byteLength\":") == end && end == binaryBytes);
}

static Glb writtenOf(const BrickSet *set) {
    Glb glb = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(gltfWrite(file, set), BRICKS_WRITTEN);
    const size_t size = (size_t)ftell(file); /* its end */
    glb.bytes = test_allocate(size);
    rewind(file);
    assert_int_equal(fread(glb.bytes, 1, size + 1, file), size);
    (void)fclose(file);
    const uint32_t text = wordAt(glb.bytes + 12);
    assert_memory_equal(glb.bytes, "glTF\2\0\0\0", 8);
    assert_int_equal(wordAt(glb.bytes + 8), size);
    assert_memory_equal(glb.bytes + 16, "JSON", 4);
    assert_true(text % 4 == 0 && 28 + text < size);
    assert_memory_equal(glb.bytes + 24 + text, "BIN", 4);
    assert_int_equal(wordAt(glb.bytes + 20 + text), size - 28 - text);
    glb.bytes[20 + text] = '\0'; /* ends the text, for strstr */
    glb.json = (const char *)glb.bytes + 20;
    glb.binary = glb.bytes + 28 + text;
    const char *rest = strrchr(glb.json, '}') + 1;
    assert_true(strlen(glb.json) == text && strspn(rest, " ") == strlen(rest));
    readJson(&glb, (uint32_t)size - 28 - text);
    return glb;
}

static void readImage(const Glb *glb, int i, uint8_t texels[256][4]) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, glb->binary + glb->imageAt[i],
                                                 glb->imageBytes[i]));
    assert_true(image.width == 256 && image.height == 1);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, texels, 0, NULL));
}

/* ---- The surface ---------------------------------------------------------------------------- */

/* Marks the faces that a rectangle covers. middle: where 0 of the file is in the grid. */
static void coverQuad(const Glb *glb, uint32_t quad, const double middle[3]) {
    const uint8_t *indices = glb->binary + 28 * (size_t)glb->vertices + 24 * (size_t)quad;
    const uint8_t *first = glb->binary + 28 * (size_t)wordAt(indices);
    double corners[6][3], low[3], high[3];
    int axis = 0;
    while (axis < 2 && floatAt(first + 12 + 4 * axis) == 0) {
        ++axis;
    }
    const double normal = floatAt(first + 12 + 4 * axis);
    const uint32_t color = (uint32_t)(wordAt(first + 24) % 65536 / 65535.0 * 256);
    for (int i = 0; i < 6; ++i) {
        const uint32_t index = wordAt(indices + 4 * i);
        const uint8_t *vertex = glb->binary + 28 * (size_t)index;
        assert_true(index / 4 == quad);
        assert_memory_equal(vertex + 12, first + 12, 16); /* normal and colour */
        for (int j = 0; j < 3; ++j) {
            corners[i][j] = floatAt(vertex + 4 * j) + middle[j];
            assert_true(corners[i][j] - middle[j] >= glb->low[j] &&
                        corners[i][j] - middle[j] <= glb->high[j]);
            low[j] = i == 0 ? corners[i][j] : fmin(low[j], corners[i][j]);
            high[j] = i == 0 ? corners[i][j] : fmax(high[j], corners[i][j]);
            assert_true(j == axis || floatAt(vertex + 12 + 4 * j) == 0);
        }
    }
    assert_true(fabs(normal) == 1 && low[axis] == high[axis]);
    /* Each triangle is half of it, turns like the normal, and they share the diagonal. */
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < 2; ++i) {
        const double *a = corners[3 * i], *b = corners[3 * i + 1], *c = corners[3 * i + 2];
        const double area = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
        assert_true(area * normal == (high[u] - low[u]) * (high[v] - low[v]));
    }
    assert_memory_equal(corners[0], corners[3], sizeof *corners);
    assert_memory_equal(corners[2], corners[4], sizeof *corners);
    const int64_t inside = (int64_t)low[axis] - (normal > 0);
    for (int64_t i = (int64_t)low[u]; i < (int64_t)high[u]; ++i) {
        for (int64_t j = (int64_t)low[v]; j < (int64_t)high[v]; ++j) {
            int64_t at[3];
            at[axis] = inside;
            at[u] = i;
            at[v] = j;
            assert_int_equal(colorAt(at[0], at[1], at[2]), color);
            assert_int_equal(seen[2 * axis + (normal > 0)][at[0]][at[1]][at[2]]++, 0);
            at[axis] += normal > 0 ? 1 : -1;
            assert_int_equal(colorAt(at[0], at[1], at[2]), 0);
        }
    }
}

/* The grid as a file, and back; in so many rectangles (0: any number). */
static void expectSurface(uint32_t quads) {
    BrickSet set = bricksOfGrid();
    Glb glb = writtenOf(&set);
    uint32_t low[3] = {SIDE, SIDE, SIDE}, high[3] = {0}, faces = 0, covered = 0;
    for (uint32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
        const uint32_t at[3] = {i / SIDE / SIDE, i / SIDE % SIDE, i % SIDE};
        for (int j = 0; j < 6 && colorAt(at[0], at[1], at[2]); ++j) {
            int64_t to[3] = {at[0], at[1], at[2]};
            to[j / 2] += j % 2 ? 1 : -1;
            faces += colorAt(to[0], to[1], to[2]) == 0;
            low[j / 2] = at[j / 2] < low[j / 2] ? at[j / 2] : low[j / 2];
            high[j / 2] = at[j / 2] >= high[j / 2] ? at[j / 2] + 1 : high[j / 2];
        }
    }
    const double middle[3] = {(low[0] + high[0]) / 2.0, low[1], (low[2] + high[2]) / 2.0};
    for (int i = 0; i < 3; ++i) {
        assert_true(glb.low[i] == low[i] - middle[i] && glb.high[i] == high[i] - middle[i]);
    }
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < glb.quads; ++i) {
        coverQuad(&glb, i, middle);
    }
    for (size_t i = 0; i < sizeof seen; ++i) {
        covered += ((const uint8_t *)seen)[i];
    }
    assert_int_equal(covered, faces);
    assert_true(quads == 0 || quads == glb.quads);
    free(glb.bytes);
    brickSetFree(&set);
}

/* ---- Cases ---------------------------------------------------------------------------------- */

static void faces_are_joined(void **state) {
    static const struct {
        uint32_t boxes[2][6]; /* low corner and size, of two colours */
        uint8_t colors[2];
        uint32_t quads;
    } scenes[] = {
        {{{9, 9, 9, 1, 1, 1}}, {255}, 6},
        {{{9, 9, 9, 8, 8, 8}}, {1}, 6},    /* a brick, also of a region */
        {{{1, 1, 1, 16, 16, 16}}, {7}, 6}, /* eight, of eight regions */
        {{{0, 0, 0, SIDE, SIDE, SIDE}}, {7}, 6},
        {{{0, 3, 0, SIDE, 1, SIDE}, {1, 3, 1, SIDE - 2, 1, SIDE - 2}}, {7, 0}, 16}, /* a frame */
        {{{3, 0, 0, 1, SIDE, SIDE}, {3, 1, 1, 1, SIDE - 2, SIDE - 2}}, {7, 0}, 16},
        {{{0, 0, 3, SIDE, SIDE, 1}, {1, 1, 3, SIDE - 2, SIDE - 2, 1}}, {7, 0}, 16},
        {{{1, 1, 1, 8, 16, 16}, {9, 1, 1, 8, 16, 16}}, {7, 8}, 10}, /* nothing between colours */
        {{{1, 1, 1, 16, 8, 16}, {1, 9, 1, 16, 8, 16}}, {7, 8}, 10},
        {{{2, 2, 2, 19, 19, 19}, {3, 3, 3, 17, 17, 17}}, {7, 0}, 12}, /* hollow */
        {{{0, 0, 0, 5, 5, 5}, {5, 5, 5, 5, 5, 5}}, {7, 7}, 12},       /* at one corner */
        {{{0, 0, 0, 1, 1, 1}, {23, 23, 23, 1, 1, 1}}, {7, 7}, 12},    /* apart */
        {{{0, 0, 0, 9, 4, 9}, {4, 0, 0, 1, 4, 9}}, {7, 0}, 12},       /* split */
        {{{0, 0, 0, 9, 4, 9}, {9, 0, 0, 9, 4, 8}}, {7, 7}, 8 + 2},    /* steps */
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        memset(grid, 0, sizeof grid);
        for (int j = 0; j < 2; ++j) {
            fill(scenes[i].boxes[j], scenes[i].boxes[j] + 3, scenes[i].colors[j]);
        }
        expectSurface(scenes[i].quads);
    }
}

static void random_scenes_keep_their_surface(void **state) {
    random64 = test_seed(1);
    for (int round = 0; round < (test_full() ? 500 : 15); ++round) {
        const uint32_t sizes = 2 + below(SIDE - 2), colors = 1 + below(4);
        memset(grid, 0, sizeof grid);
        grid[below(SIDE)][below(SIDE)][below(SIDE)] = 1;
        for (uint32_t i = 20 * below(20); i > 0; --i) {
            uint32_t low[3], size[3];
            for (int j = 0; j < 3; ++j) {
                size[j] = 1 + below(sizes);
                low[j] = below(SIDE + 1 - size[j]);
            }
            fill(low, size, i == 1 ? 255 : (uint8_t)below(colors + 1));
        }
        expectSurface(0);
    }
}

/* Two voxels in the world's corners: each of its own, as far apart as floats can well say. */
static void corners_of_the_world(void **state) {
    BrickSet set = {0};
    const uint8_t first[512] = {3};
    uint8_t last[512] = {0};
    last[511] = 4;
    assert_true(brickSetAdd(&set, 0, 0, 0, first));
    assert_true(
        brickSetAdd(&set, WORLD_SIZE_X / 8 - 1, WORLD_SIZE_Y / 8 - 1, WORLD_SIZE_Z / 8 - 1, last));
    Glb glb = writtenOf(&set);
    assert_int_equal(glb.quads, 12);
    assert_true(glb.low[0] == -32768 && glb.high[0] == 32768 && glb.high[1] == 16384);
    assert_true(floatAt(glb.binary) == -32768 || floatAt(glb.binary) == -32767);
    free(glb.bytes);
    brickSetFree(&set);
}

static double linearOf(double channel) {
    const double value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Colours are the palette's. Light is the picture's: its texel times a strength. */
static void colors_and_light(void **state) {
    static const uint8_t glows[][3] = {{0}, {27, 12, 1}, {100, 1, 50}, {3, 0, 0}};
    memset(grid, 0, sizeof grid);
    grid[0][0][0] = 1;
    for (size_t i = 0; i < sizeof glows / sizeof *glows; ++i) {
        uint8_t colors[256][4], light[256][4];
        BrickSet set = bricksOfGrid();
        for (uint32_t j = 0; j < 3; ++j) {
            set.glow[85 * (j + 1)][0] = glows[i][j];
        }
        Glb glb = writtenOf(&set);
        readImage(&glb, 0, colors);
        readImage(&glb, 1, light);
        const char *at = glb.json;
        const double strength = next(&at,
                                     "\"KHR_materials_emissive_strength\":{\"emissiveStrength\":");
        assert_non_null(
            strstr(glb.json, "\"extensionsUsed\":[\"KHR_materials_emissive_strength\"]"));
        for (int j = 1; j < 256; ++j) {
            assert_memory_equal(colors[j], set.palette[j], 3);
            for (int k = 0; k < 3; ++k) {
                const double right = linearOf(set.palette[j][k]) * set.glow[j][0] * 0.08;
                assert_true(strength * linearOf(fmax(light[j][k] - 0.51, 0)) <= right);
                assert_true(strength * linearOf(light[j][k] + 0.51) >= right);
                assert_true(light[j][k] == 0 || set.glow[j][0]);
            }
        }
        free(glb.bytes);
        brickSetFree(&set);
    }
}

/* Of loose voxels, 64 in a brick: as many as there may be, and a brick more. */
static void what_does_not_fit_is_refused(void **state) {
    BrickSet set = {0};
    uint8_t voxels[512] = {0};
    FILE *file = tmpfile(), *full = fopen("/dev/full", "wb");
    assert_true(file && full);
    assert_int_equal(gltfWrite(file, &set), BRICKS_TOO_MANY);
    for (uint32_t i = 0; i < 64; ++i) {
        voxels[voxelNumberOf(i / 16 * 2, i / 4 % 4 * 2, i % 4 * 2)] = 1;
    }
    for (uint32_t i = 0; i < GLTF_MAX_QUADS / (64 * 6); ++i) {
        assert_true(brickSetAdd(&set, i, 0, 0, voxels));
    }
    assert_int_equal(gltfWrite(full, &set), BRICKS_NOT_WRITTEN);
    assert_int_equal(gltfWrite(file, &set), BRICKS_WRITTEN);
    assert_true(brickSetAdd(&set, 0, 0, 1, voxels));
    assert_int_equal(gltfWrite(file, &set), BRICKS_TOO_MANY);
    (void)fclose(full);
    (void)fclose(file);
    brickSetFree(&set);
}

TEST_GROUP(main, "mesh", NULL, NULL, cmocka_unit_test(faces_are_joined),
           cmocka_unit_test(random_scenes_keep_their_surface),
           cmocka_unit_test(corners_of_the_world), cmocka_unit_test(colors_and_light),
           cmocka_unit_test(what_does_not_fit_is_refused))
