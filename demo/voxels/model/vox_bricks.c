/* SPDX-License-Identifier: MIT */
#include "vox_bricks.h"

#include "files.h"
#include "shaders/world_layout.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading -------------------------------------------------------------------------------- */

bool voxToBricks(const VoxScene *scene, const uint32_t origin[3], BrickSet *set) {
    const VoxVoxel *voxel = scene->voxels;
    const VoxVoxel *end = voxel + scene->voxelCount;
    bool fine = true;
    memcpy(set->palette, scene->palette, sizeof set->palette);
    memcpy(set->glow, scene->glow, sizeof set->glow);
    while (voxel < end && fine) {
        const VoxVoxel *first = voxel;
        const uint64_t brick = voxOrder(voxel) >> 9;
        uint8_t voxels[BRICK_VOXELS] = {0};
        for (; voxel < end && voxOrder(voxel) >> 9 == brick; ++voxel) {
            voxels[voxelNumberOf(voxel->position[0] & 7u, voxel->position[1] & 7u,
                                 voxel->position[2] & 7u)] = voxel->color;
        }
        fine = brickSetAdd(set, (origin[0] + first->position[0]) >> BRICK_SHIFT,
                           (origin[1] + first->position[1]) >> BRICK_SHIFT,
                           (origin[2] + first->position[2]) >> BRICK_SHIFT, voxels);
    }
    return fine;
}

/* ---- Writing -------------------------------------------------------------------------------- */

enum { MODEL_BRICKS = VOX_MAX_MODEL_SIZE / 8 };

/* A brick and the model that it belongs to. */
typedef struct Part {
    uint64_t model; /* its place: z, y and x in models */
    const HostBrick *brick;
} Part;

static int compareParts(const void *a, const void *b) {
    const Part *one = a;
    const Part *other = b;
    if (one->model != other->model) {
        return one->model < other->model ? -1 : 1;
    }
    return one->brick < other->brick ? -1 : one->brick > other->brick;
}

static void putWord(FILE *file, uint32_t word) {
    fileWriteWords(file, &word, 1);
}

/* A string and its length before it. */
static void putText(FILE *file, const char *text) {
    putWord(file, (uint32_t)strlen(text));
    (void)fputs(text, file);
}

static void putHead(FILE *file, const char *name, uint32_t bytes, uint32_t childBytes) {
    (void)fputs(name, file);
    putWord(file, bytes);
    putWord(file, childBytes);
}

static uint32_t voxelsOf(const BrickSet *set, const HostBrick *brick) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 512; ++i) {
        count += brickSetVoxel(set, brick, i) != 0;
    }
    return count;
}

/* A file has z up and y away from the viewer: (x, y, z) here is (x, -z, y) there. */
static void putModel(FILE *file, const BrickSet *set, const Part *parts, size_t count) {
    uint32_t voxels = 0;
    for (size_t i = 0; i < count; ++i) {
        voxels += voxelsOf(set, parts[i].brick);
    }
    putHead(file, "SIZE", 12, 0);
    fileWriteWords(file, (const uint32_t[]){256, 256, 256}, 3);
    putHead(file, "XYZI", 4 + 4 * voxels, 0);
    putWord(file, voxels);
    for (size_t i = 0; i < count; ++i) {
        const HostBrick *brick = parts[i].brick;
        for (uint32_t v = 0; v < 512; ++v) {
            uint32_t x = (brick->x % MODEL_BRICKS) * 8 + (v & 7);
            uint32_t y = (brick->y % MODEL_BRICKS) * 8 + (v >> 3 & 7);
            uint32_t z = (brick->z % MODEL_BRICKS) * 8 + (v >> 6);
            uint8_t color = brickSetVoxel(set, brick, voxelNumberOf(x & 7, y & 7, z & 7));
            const uint8_t voxel[4] = {(uint8_t)x, (uint8_t)(255 - z), (uint8_t)y, color};
            if (color) {
                (void)fwrite(voxel, 1, 4, file);
            }
        }
    }
}

/* A transform node and the shape below it. */
static void putPlace(FILE *file, uint32_t id, uint32_t model, const HostBrick *brick) {
    const int x = (int)(brick->x / MODEL_BRICKS) * 256;
    const int y = (int)(brick->y / MODEL_BRICKS) * 256;
    const int z = (int)(brick->z / MODEL_BRICKS) * 256;
    char text[64]; /* of the model's middle */
    int length = snprintf(text, sizeof text, "%d %d %d", x + 128, -z - 128, y + 128);
    putHead(file, "nTRN", 28 + 4 + 2 + 4 + (uint32_t)length, 0);
    fileWriteWords(file, (const uint32_t[]){id, 0, id + 1, UINT32_MAX, UINT32_MAX, 1, 1}, 7);
    putText(file, "_t");
    putText(file, text);
    putHead(file, "nSHP", 20, 0);
    fileWriteWords(file, (const uint32_t[]){id + 1, 0, 1, model, 0}, 5);
}

static void putGroup(FILE *file, uint32_t models) {
    putHead(file, "nTRN", 28, 0);
    fileWriteWords(file, (const uint32_t[]){0, 0, 1, UINT32_MAX, UINT32_MAX, 1, 0}, 7);
    putHead(file, "nGRP", 12 + 4 * models, 0);
    fileWriteWords(file, (const uint32_t[]){1, 0, models}, 3);
    for (uint32_t i = 0; i < models; ++i) {
        putWord(file, 2 + 2 * i);
    }
}

/* A colour that gives light: the attributes of the reader, and a type for other programs. */
static void putGlow(FILE *file, uint32_t index, const uint8_t glow[2]) {
    char values[2][8];
    (void)snprintf(values[0], sizeof values[0], "%.2f", glow[0] / 100.0);
    (void)snprintf(values[1], sizeof values[1], "%u", glow[1]);
    const char *const texts[6] = {"_type", "_emit", "_emit", values[0], "_flux", values[1]};
    uint32_t bytes = 8;
    for (int i = 0; i < 6; ++i) {
        bytes += 4 + (uint32_t)strlen(texts[i]);
    }
    putHead(file, "MATL", bytes, 0);
    fileWriteWords(file, (const uint32_t[]){index, 3}, 2);
    for (int i = 0; i < 6; ++i) {
        putText(file, texts[i]);
    }
}

static bool putFile(FILE *file, const BrickSet *set, const Part *parts) {
    uint32_t models = 0;
    size_t end;
    (void)fputs("VOX ", file);
    putWord(file, 150);
    putHead(file, "MAIN", 0, 0);
    for (size_t first = 0; first < set->count; first = end, ++models) {
        for (end = first; end < set->count && parts[end].model == parts[first].model; ++end) {
        }
        putModel(file, set, parts + first, end - first);
    }
    putGroup(file, models);
    uint32_t model = 0;
    for (size_t i = 0; i < set->count; ++i) {
        if (i == 0 || parts[i].model != parts[i - 1].model) {
            putPlace(file, 2 + 2 * model, model, parts[i].brick);
            ++model;
        }
    }
    putHead(file, "RGBA", 1024, 0);
    (void)fwrite(&set->palette[1][0], 4, 255, file);
    putWord(file, 0);
    for (uint32_t i = 1; i < 256; ++i) {
        if (set->glow[i][0] || set->glow[i][1]) {
            putGlow(file, i, set->glow[i]);
        }
    }
    const long size = ftell(file);
    const bool measured = size > 0 && fseek(file, 16, SEEK_SET) == 0;
    putWord(file, (uint32_t)(size - 20));
    return measured && !ferror(file) && fseek(file, 0, SEEK_END) == 0;
}

BricksWritten voxWrite(FILE *file, const BrickSet *set) {
    uint64_t voxels = 0;
    Part *parts = malloc((set->count + 1) * sizeof *parts);
    for (size_t i = 0; i < set->count && parts; ++i) {
        const HostBrick *brick = &set->bricks[i];
        voxels += voxelsOf(set, brick);
        parts[i] = (Part){
            .model = brickKeyOf(brick->x / MODEL_BRICKS, brick->y / MODEL_BRICKS,
                                brick->z / MODEL_BRICKS),
            .brick = brick,
        };
    }
    const bool right = !parts || (voxels > 0 && voxels <= VOX_MAX_VOXELS);
    bool written = false;
    if (right && parts) {
        qsort(parts, set->count, sizeof *parts, compareParts);
        written = putFile(file, set, parts);
    }
    free(parts);
    return written ? BRICKS_WRITTEN : right ? BRICKS_NOT_WRITTEN : BRICKS_TOO_MANY;
}
