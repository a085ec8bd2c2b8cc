/* Tests exported meshes by reading the file: they must cover each face between a solid and an empty
 * voxel exactly once, in its colour, and nothing else.
 * SPDX-License-Identifier: MIT */
#include "model/gltf.h"
#include "shaders/world_layout.h"
#include "support/cases.h"
#include "support/random.h"
#include "support/seed.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 24, LOW = 1015 }; /* of scenes, in voxels: they span bricks and regions */

/* A box of voxels. color 0: removes voxels. */
typedef struct Box {
    uint32_t low[3], size[3];
    uint8_t color;
} Box;

static BrickSet bricksOf(const Box *boxes, size_t count) {
    BrickSet set = {0};
    for (uint32_t i = 0; i < 64 * 512; ++i) {
        static uint8_t voxels[512];
        const uint32_t brick[3] = {LOW / 8 + i / 512 % 4, LOW / 8 + i / 2048 % 4,
                                   LOW / 8 + i / 8192};
        const uint32_t in[3] = {i % 8, i / 8 % 8, i / 64 % 8};
        uint8_t *voxel = &voxels[voxelNumberOf(in[0], in[1], in[2])];
        *voxel = 0;
        for (const Box *box = boxes; box < boxes + count; ++box) {
            bool inside = true;
            for (int j = 0; j < 3; ++j) {
                inside = inside && 8 * brick[j] + in[j] - LOW - box->low[j] < box->size[j];
            }
            *voxel = inside ? box->color : *voxel;
        }
        assert_true(i % 512 < 511 || brickSetAdd(&set, brick[0], brick[1], brick[2], voxels));
    }
    return set;
}

/* Returns a hash of a unit face. The sum of all faces' hashes identifies a surface. */
static uint64_t faceNumber(uint32_t face, const uint32_t at[3], uint32_t color) {
    uint64_t number = face << 8 | color;
    for (int i = 0; i < 3; ++i) {
        number = (number ^ at[i]) * 0x9E3779B97F4A7C15u;
        number ^= number >> 29;
    }
    return number * 0xBF58476D1CE4E5B9u;
}

static uint8_t colorAt(const BrickSet *set, const uint32_t at[3]) {
    for (const HostBrick *brick = set->bricks; brick < set->bricks + set->count; ++brick) {
        if (brick->x == at[0] / 8 && brick->y == at[1] / 8 && brick->z == at[2] / 8) {
            return brickSetVoxel(set, brick, voxelNumberOf(at[0] % 8, at[1] % 8, at[2] % 8));
        }
    }
    return 0;
}

/* Returns the sum of the hashes of all faces between solid and empty voxels, and the solid box. */
static uint64_t surfaceOf(const BrickSet *set, uint32_t low[3], uint32_t high[3]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < set->count * 512; ++i) {
        const HostBrick *brick = &set->bricks[i / 512];
        const uint32_t at[3] = {8 * brick->x + i % 8, 8 * brick->y + i / 8 % 8,
                                8 * brick->z + i / 64 % 8};
        const uint8_t color = colorAt(set, at);
        for (uint32_t face = 0; face < 6 && color; ++face) {
            uint32_t next[3] = {at[0], at[1], at[2]};
            next[face / 2] += face % 2 ? 1 : UINT32_MAX;
            sum += colorAt(set, next) ? 0 : faceNumber(face, at, color);
        }
        for (int j = 0; j < 3 && color; ++j) {
            low[j] = at[j] < low[j] ? at[j] : low[j];
            high[j] = at[j] >= high[j] ? at[j] + 1 : high[j];
        }
    }
    return sum;
}

/* ---- Reading a .glb file -------------------------------------------------------------------- */

typedef struct Glb {
    uint8_t *bytes, *binary;
    uint32_t quads, imageAt[2], imageBytes[2];
    float strength;
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

/* Compares the JSON of a file with a text that Khronos' validator accepts (gltf.sh). size: of the
 * mesh's box. Values that the test cannot compute are copied from the JSON. */
static void expectText(Glb *glb, const char *text, const uint32_t size[3], uint32_t binaryBytes) {
    char expected[4096];
    const char *light = strstr(text, "Strength\":"), *count = strstr(text, "\"count\":");
    const char *images = strstr(text, "34963},");
    uint32_t vertices = 0;
    assert_true(light && count && images);
    assert_int_equal(sscanf(light, "Strength\":%f", &glb->strength), 1);
    assert_int_equal(sscanf(count, "\"count\":%u", &vertices), 1);
    assert_int_equal(sscanf(images,
                            "34963},{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},"
                            "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}",
                            &glb->imageAt[0], &glb->imageBytes[0], &glb->imageAt[1],
                            &glb->imageBytes[1]),
                     4);
    glb->quads = vertices / 4;
    assert_int_equal(glb->imageAt[0], 136 * glb->quads);
    assert_int_equal(glb->imageAt[1], glb->imageAt[0] + (glb->imageBytes[0] + 3) / 4 * 4);
    assert_int_equal(binaryBytes, glb->imageAt[1] + (glb->imageBytes[1] + 3) / 4 * 4);
    const double x = size[0] / 2.0, y = size[1], z = size[2] / 2.0;
    (void)snprintf(
        expected, sizeof expected,
        "{'asset':{'version':'2.0','generator':'murvoxels'},"
        "'extensionsUsed':['KHR_materials_emissive_strength'],"
        "'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],'meshes':[{'primitives':["
        "{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2},'indices':3,'material':0}]}],"
        "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0},"
        "'metallicFactor':0},'emissiveTexture':{'index':1},'emissiveFactor':[1,1,1],"
        "'extensions':{'KHR_materials_emissive_strength':{'emissiveStrength':%.2f}}}],"
        "'textures':[{'sampler':0,'source':0},{'sampler':0,'source':1}],"
        "'samplers':[{'magFilter':9728,'minFilter':9728,'wrapS':33071,'wrapT':33071}],"
        "'images':[{'bufferView':2,'mimeType':'image/png'},"
        "{'bufferView':3,'mimeType':'image/png'}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':%u,"
        "'min':[%.1f,0,%.1f],'max':[%.1f,%.1f,%.1f]},"
        "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':%u},"
        "{'bufferView':0,'byteOffset':24,'componentType':5123,'normalized':true,"
        "'type':'VEC2','count':%u},"
        "{'bufferView':1,'componentType':5125,'type':'SCALAR','count':%u}],"
        "'bufferViews':[{'buffer':0,'byteLength':%u,'byteStride':28,'target':34962},"
        "{'buffer':0,'byteOffset':%u,'byteLength':%u,'target':34963},"
        "{'buffer':0,'byteOffset':%u,'byteLength':%u},"
        "{'buffer':0,'byteOffset':%u,'byteLength':%u}],'buffers':[{'byteLength':%u}]}",
        glb->strength, vertices, -x, -z, x, y, z, vertices, vertices, 6 * glb->quads, 28 * vertices,
        28 * vertices, 24 * glb->quads, glb->imageAt[0], glb->imageBytes[0], glb->imageAt[1],
        glb->imageBytes[1], binaryBytes);
    for (char *at = expected; *at; ++at) {
        *at = *at == '\'' ? '"' : *at;
    }
    assert_memory_equal(text, expected, strlen(expected));
    assert_int_equal(strspn(text + strlen(expected), " "), strlen(text) - strlen(expected));
}

static Glb writtenOf(const BrickSet *set, const uint32_t box[3]) {
    Glb glb = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(gltfWrite(file, set), BRICKS_WRITTEN);
    const size_t size = (size_t)ftell(file); /* gltfWrite ends at the file's end */
    glb.bytes = test_allocate(size);
    rewind(file);
    assert_int_equal(fread(glb.bytes, 1, size + 1, file), size);
    (void)fclose(file);
    const uint32_t text = wordAt(glb.bytes + 12);
    assert_memory_equal(glb.bytes, "glTF\2\0\0\0", 8);
    assert_int_equal(wordAt(glb.bytes + 8), size);
    assert_memory_equal(glb.bytes + 16, "JSON", 4);
    assert_true(text % 4 == 0 && 28 + text < size);
    assert_int_equal(wordAt(glb.bytes + 20 + text), size - 28 - text);
    assert_memory_equal(glb.bytes + 24 + text, "BIN", 4);
    glb.bytes[20 + text] = '\0';
    glb.binary = glb.bytes + 28 + text;
    expectText(&glb, (const char *)glb.bytes + 20, box, (uint32_t)size - 28 - text);
    return glb;
}

/* Returns the sum of hashes of the unit faces that a rectangle (quad) covers. middle: the position
 * of the file's origin in the world. */
static uint64_t facesOf(const Glb *glb, uint32_t quad, const double middle[3]) {
    const uint8_t *indices = glb->binary + 112 * (size_t)glb->quads + 24 * (size_t)quad;
    const uint8_t *first = glb->binary + 112 * (size_t)quad;
    double corners[6][3];
    uint32_t axis = 0;
    while (axis < 2 && floatAt(first + 12 + 4 * axis) == 0) {
        ++axis;
    }
    for (int i = 0; i < 6; ++i) {
        const uint8_t *vertex = glb->binary + 28 * (size_t)wordAt(indices + 4 * i);
        assert_memory_equal(vertex + 12, first + 12, 16); /* normal and texture coordinates */
        for (int j = 0; j < 3; ++j) {
            corners[i][j] = floatAt(vertex + 4 * j) + middle[j];
        }
    }
    const float normal = floatAt(first + 12 + 4 * axis);
    const uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double low[2] = {fmin(corners[0][u], corners[2][u]), fmin(corners[0][v], corners[2][v])};
    const double high[2] = {fmax(corners[0][u], corners[2][u]), fmax(corners[0][v], corners[2][v])};
    assert_true(fabsf(normal) == 1);
    assert_true(floatAt(first + 12 + 4 * u) == 0 && floatAt(first + 12 + 4 * v) == 0);
    for (int i = 0; i < 6; i += 3) { /* checks winding and area of each triangle */
        const double *a = corners[i], *b = corners[i + 1], *c = corners[i + 2];
        assert_true(a[axis] == b[axis] && b[axis] == c[axis]);
        assert_true(((b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u])) * normal ==
                    (high[0] - low[0]) * (high[1] - low[1]));
    }
    assert_memory_equal(corners[0], corners[3], sizeof *corners); /* a common diagonal */
    assert_memory_equal(corners[2], corners[4], sizeof *corners);
    const uint32_t color = (wordAt(first + 24) & 0xFFFF) * 256 / 65535;
    assert_int_equal(wordAt(first + 24) >> 16, 32768);
    uint64_t sum = 0;
    for (double i = low[0]; i < high[0]; ++i) {
        for (double j = low[1]; j < high[1]; ++j) {
            uint32_t at[3];
            at[axis] = (uint32_t)corners[0][axis] - (normal > 0);
            at[u] = (uint32_t)i;
            at[v] = (uint32_t)j;
            sum += faceNumber(2 * axis + (normal > 0), at, color);
        }
    }
    return sum;
}

/* Writes bricks to a file, reads it, compares surfaces. quads: expected rectangles; 0: any. */
static void expectSurface(BrickSet *set, uint32_t quads) {
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0};
    const uint64_t right = surfaceOf(set, low, high);
    const uint32_t size[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    const double middle[3] = {low[0] + size[0] / 2.0, low[1], low[2] + size[2] / 2.0};
    const Glb glb = writtenOf(set, size);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < glb.quads; ++i) {
        sum += facesOf(&glb, i, middle);
    }
    assert_true(sum == right);
    assert_true(quads == 0 || quads == glb.quads);
    free(glb.bytes);
    brickSetFree(set);
}

/* ---- Test cases ----------------------------------------------------------------------------- */

PLAIN_TEST(faces_are_joined) {
    static const struct {
        Box boxes[2];
        uint32_t quads;
    } scenes[] = {
        {{{{9, 9, 9}, {1, 1, 1}, 255}}, 6},
        {{{{9, 9, 9}, {8, 8, 8}, 1}}, 6},    /* one brick */
        {{{{1, 1, 1}, {16, 16, 16}, 7}}, 6}, /* eight bricks of eight regions */
        {{{{0, 3, 0}, {24, 1, 24}, 7}, {{1, 3, 1}, {22, 1, 22}, 0}}, 16}, /* frames */
        {{{{3, 0, 0}, {1, 24, 24}, 7}, {{3, 1, 1}, {1, 22, 22}, 0}}, 16},
        {{{{0, 0, 3}, {24, 24, 1}, 7}, {{1, 1, 3}, {22, 22, 1}, 0}}, 16},
        {{{{1, 1, 1}, {8, 16, 16}, 7}, {{9, 1, 1}, {8, 16, 16}, 8}}, 10}, /* no inner face */
        {{{{1, 1, 1}, {16, 8, 16}, 7}, {{1, 9, 1}, {16, 8, 16}, 8}}, 10},
        {{{{1, 1, 1}, {16, 16, 8}, 7}, {{1, 1, 9}, {16, 16, 8}, 8}}, 10},
        {{{{0, 0, 0}, {5, 5, 5}, 7}, {{5, 5, 5}, {5, 5, 5}, 7}}, 12},   /* touch at a corner */
        {{{{0, 0, 0}, {1, 1, 1}, 7}, {{23, 23, 23}, {1, 1, 1}, 7}}, 12} /* apart */
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        BrickSet set = bricksOf(scenes[i].boxes, 2);
        expectSurface(&set, scenes[i].quads);
    }
}

/* Two voxels at opposite corners of the world. */
PLAIN_TEST(corners_of_the_world) {
    BrickSet set = {0};
    uint8_t voxels[2][512] = {{3}, {0}};
    voxels[1][511] = 4;
    assert_true(brickSetAdd(&set, 0, 0, 0, voxels[0]));
    assert_true(brickSetAdd(&set, WORLD_SIZE_X / 8 - 1, WORLD_SIZE_Y / 8 - 1, WORLD_SIZE_Z / 8 - 1,
                            voxels[1]));
    expectSurface(&set, 12);
}

PLAIN_TEST(random_scenes_keep_their_surface) {
    Random random = {test_seed(1)};
    for (int round = 0; round < (test_full() ? 300 : 10); ++round) {
        Box boxes[100] = {{{5, 6, 7}, {9, 9, 9}, 1}};
        const uint32_t sizes = 2 + random_below(&random, SIDE - 2),
                       colors = 2 + random_below(&random, 4);
        for (int i = 1; i < 100; ++i) {
            for (int j = 0; j < 3; ++j) {
                boxes[i].size[j] = 1 + random_below(&random, sizes);
                boxes[i].low[j] = random_below(&random, SIDE + 1 - boxes[i].size[j]);
            }
            boxes[i].color = (uint8_t)random_below(&random, colors);
        }
        BrickSet set = bricksOf(boxes, 1 + random_below(&random, 100));
        expectSurface(&set, 0);
    }
}

static double linearOf(double channel) {
    const double value = fmax(channel, 0) / 255;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Colours come from the palette. Emitted light equals that of pictures, rounded to 8 bits. */
PLAIN_TEST(colors_and_light) {
    static const uint8_t glows[][3] = {{27, 12, 1}, {100, 1, 50}, {3, 0, 0}, {0}};
    const uint32_t size[3] = {1, 1, 1};
    for (size_t i = 0; i < sizeof glows / sizeof *glows; ++i) {
        uint8_t texels[2][256][4];
        BrickSet set = bricksOf(&(Box){{0}, {1, 1, 1}, 1}, 1);
        for (int j = 1; j < 256; ++j) {
            const uint8_t entry[4] = {(uint8_t)j, (uint8_t)(7 * j), (uint8_t)(255 - j), 255};
            memcpy(set.palette[j], entry, 4);
            set.glow[j][0] = j % 85 ? 0 : glows[i][j / 85 - 1];
        }
        const Glb glb = writtenOf(&set, size);
        for (int j = 0; j < 2; ++j) {
            png_image image = {.version = PNG_IMAGE_VERSION};
            assert_true(png_image_begin_read_from_memory(&image, glb.binary + glb.imageAt[j],
                                                         glb.imageBytes[j]));
            assert_true(image.width == 256 && image.height == 1);
            image.format = PNG_FORMAT_RGBA;
            assert_true(png_image_finish_read(&image, NULL, texels[j], 0, NULL));
        }
        assert_memory_equal(texels[0][1], set.palette[1], sizeof texels[0] - 4);
        assert_true(i == 3 || fabs(glb.strength - 0.08 * glows[i][0]) < 0.006);
        for (int j = 4; j < 1024; ++j) {
            const double light = texels[1][j / 4][j % 4], glow = set.glow[j / 4][0];
            const double right = linearOf(set.palette[j / 4][j % 4]) * glow * 0.08;
            assert_true(j % 4 == 3 || ((glow > 0 || light == 0) &&
                                       glb.strength * linearOf(light - 0.51) <= right &&
                                       glb.strength * linearOf(light + 0.51) >= right));
        }
        free(glb.bytes);
        brickSetFree(&set);
    }
}

/* Writes bricks of 64 separate voxels: first as many as a file may have, then one more brick. */
PLAIN_TEST(what_does_not_fit_is_refused) {
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
