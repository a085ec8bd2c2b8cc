/* SPDX-License-Identifier: MIT */
#include "gltf.h"

#include "common/png_file.h"
#include "files.h"
#include "mesh.h"

#include <math.h>
#include <string.h>

enum {
    TEXT_BYTES = 2048, /* padded with spaces: it is written last, when all lengths are known */
    BINARY_AT = 12 + 8 + TEXT_BYTES + 8,
    VERTEX_WORDS = 7, /* position, normal, and two fractions of 16 bits, a place in the palette */
    VERTICES = 4,
    INDICES = 6,
    GLTF = 0x46546C67, /* their letters */
    JSON = 0x4E4F534A,
    BIN = 0x004E4942
};

static const char format[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"murvoxels\"},"
    "\"extensionsUsed\":[\"KHR_materials_emissive_strength\"],"
    "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},"
    "\"indices\":3,\"material\":0}]}],"
    "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},"
    "\"metallicFactor\":0},\"emissiveTexture\":{\"index\":1},\"emissiveFactor\":[1,1,1],"
    "\"extensions\":{\"KHR_materials_emissive_strength\":{\"emissiveStrength\":%.2f}}}],"
    "\"textures\":[{\"sampler\":0,\"source\":0},{\"sampler\":0,\"source\":1}],"
    "\"samplers\":[{\"magFilter\":9728,\"minFilter\":9728,\"wrapS\":33071,\"wrapT\":33071}],"
    "\"images\":[{\"bufferView\":2,\"mimeType\":\"image/png\"},"
    "{\"bufferView\":3,\"mimeType\":\"image/png\"}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":%u,"
    "\"min\":[%.1f,0,%.1f],\"max\":[%.1f,%.1f,%.1f]},"
    "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"type\":\"VEC3\",\"count\":%u},"
    "{\"bufferView\":0,\"byteOffset\":24,\"componentType\":5123,\"normalized\":true,"
    "\"type\":\"VEC2\",\"count\":%u},"
    "{\"bufferView\":1,\"componentType\":5125,\"type\":\"SCALAR\",\"count\":%u}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u,\"byteStride\":28,\"target\":34962},"
    "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"target\":34963},"
    "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},"
    "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}],\"buffers\":[{\"byteLength\":%u}]}";

/* Counterclockwise, seen from the outside. */
static void putVertices(FILE *file, const MeshQuad *quad, const float middle[3]) {
    const uint32_t axis = quad->face / 2, up = quad->face % 2;
    uint32_t words[VERTICES][VERTEX_WORDS];
    for (uint32_t i = 0; i < VERTICES; ++i) {
        const bool far[2] = {i == 1 || i == 2, i >= 2};
        float values[6] = {0};
        for (uint32_t j = 0; j < 3; ++j) {
            values[j] = (float)quad->at[j] - middle[j];
        }
        values[(axis + 1) % 3] += far[!up] ? (float)quad->size[0] : 0;
        values[(axis + 2) % 3] += far[up] ? (float)quad->size[1] : 0;
        values[3 + axis] = up ? 1 : -1;
        memcpy(words[i], values, sizeof values);
        words[i][6] = ((2u * quad->color + 1) * 65535 + 256) / 512 | 32768u << 16;
    }
    fileWriteWords(file, words[0], VERTICES * VERTEX_WORDS);
}

/* A channel of the palette, `times` as bright. */
static uint8_t dimmed(uint8_t channel, double times) {
    const double value = channel / 255.0;
    const double light = times *
                         (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    return (uint8_t)lround(
        255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055));
}

/* The image's offset in the binary part, and its length. */
static bool putImage(FILE *file, const uint8_t *texels, uint32_t where[2]) {
    where[0] = (uint32_t)(ftell(file) - BINARY_AT);
    uint8_t pixels[4 * 256];
    memcpy(pixels, texels, sizeof pixels);
    const bool written = pngWrite(file, pixels, 256, 1, false);
    where[1] = (uint32_t)(ftell(file) - BINARY_AT) - where[0];
    (void)fwrite("\0\0\0", 1, -where[1] % 4, file);
    return written;
}

/* The brightest light is as the palette has it; how bright that is is a number of its own. */
static float lightOf(const BrickSet *set, uint8_t texels[256][4]) {
    uint8_t most = 1;
    for (int i = 1; i < 256; ++i) {
        most = set->glow[i][0] > most ? set->glow[i][0] : most;
    }
    for (int i = 1; i < 256; ++i) {
        for (int j = 0; j < 3; ++j) {
            texels[i][j] = dimmed(set->palette[i][j], (double)set->glow[i][0] / most);
        }
    }
    return GLOW_RADIANCE * most / 100.0f;
}

static bool putMesh(FILE *file, const Mesh *mesh, const BrickSet *set) {
    const uint32_t quads = (uint32_t)mesh->count;
    const uint32_t vertices = quads * VERTICES, indices = quads * INDICES;
    const uint32_t indicesAt = vertices * VERTEX_WORDS * 4;
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0};
    uint8_t texels[256][4] = {{0}};
    uint32_t image[2], light[2];
    char text[TEXT_BYTES + 1];
    for (uint32_t i = 0; i < 3 * quads; ++i) { /* corners of faces lie at all ends */
        const uint32_t at = mesh->quads[i / 3].at[i % 3];
        low[i % 3] = at < low[i % 3] ? at : low[i % 3];
        high[i % 3] = at > high[i % 3] ? at : high[i % 3];
    }
    const float ends[3] = {(float)(high[0] - low[0]) / 2, (float)(high[1] - low[1]),
                           (float)(high[2] - low[2]) / 2};
    const float middle[3] = {(float)low[0] + ends[0], (float)low[1], (float)low[2] + ends[2]};
    (void)fseek(file, BINARY_AT, SEEK_SET);
    for (uint32_t i = 0; i < quads; ++i) {
        putVertices(file, &mesh->quads[i], middle);
    }
    for (uint32_t at = 0; at < vertices; at += VERTICES) {
        fileWriteWords(file, (const uint32_t[]){at, at + 1, at + 2, at, at + 2, at + 3}, INDICES);
    }
    const float strength = lightOf(set, texels);
    bool written = putImage(file, set->palette[0], image);
    written = putImage(file, texels[0], light) && written;
    const uint32_t size = (uint32_t)(ftell(file) - BINARY_AT);
    const int length = snprintf(text, sizeof text, format, strength, vertices, -ends[0], -ends[2],
                                ends[0], ends[1], ends[2], vertices, vertices, indices, indicesAt,
                                indicesAt, 4 * indices, image[0], image[1], light[0], light[1],
                                size);
    memset(text + length, ' ', (size_t)(TEXT_BYTES - length));
    (void)fseek(file, 0, SEEK_SET);
    fileWriteWords(file, (const uint32_t[]){GLTF, 2, BINARY_AT + size, TEXT_BYTES, JSON}, 5);
    (void)fwrite(text, TEXT_BYTES, 1, file);
    fileWriteWords(file, (const uint32_t[]){size, BIN}, 2);
    return written && !ferror(file) && fseek(file, 0, SEEK_END) == 0;
}

BricksWritten gltfWrite(FILE *file, const BrickSet *set) {
    Mesh mesh = {0};
    const bool made = meshMake(set, &mesh);
    const bool fits = !made || (mesh.count > 0 && mesh.count <= GLTF_MAX_QUADS);
    const bool written = made && fits && putMesh(file, &mesh, set);
    meshFree(&mesh);
    return written ? BRICKS_WRITTEN : fits ? BRICKS_NOT_WRITTEN : BRICKS_TOO_MANY;
}
