/* SPDX-License-Identifier: MIT */
#include "vox_second.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 300, ENTRIES = 256 };

typedef struct Dot {
    int64_t at[3]; /* in the file's axes */
    size_t order;
    uint8_t color;
} Dot;

/* A column is a place: at = turn * at + move. Places are in halves of a voxel, so that the middle
 * of one is a whole number. */
typedef struct Pose {
    int64_t turn[3][3];
    int64_t move[3];
} Pose;

typedef struct File {
    const uint8_t *data;
    size_t size;
    bool broken; /* it says something that cannot be followed */
    size_t *nodes, *models;
    size_t nodeCount, modelCount;
    bool packed;
    bool layerHidden[ENTRIES];
    Dot *dots;
    size_t dotCount, dotCapacity;
    uint32_t further, hidden;
    bool material[ENTRIES]; /* that is not light */
    uint8_t palette[ENTRIES][4];
    int glow[ENTRIES][2];
} File;

static void *grow(void *items, size_t bytes) {
    void *grown = realloc(items, bytes);
    if (!grown) {
        abort();
    }
    return grown;
}

static int32_t number(File *f, size_t at) {
    if (f->size < 4 || at > f->size - 4) {
        f->broken = true;
        return 0;
    }
    const uint8_t *b = f->data + at;
    return (int32_t)(b[0] + 256u * (b[1] + 256u * (b[2] + 256u * (uint32_t)b[3])));
}

static size_t textEnd(File *f, size_t at) {
    const int32_t length = number(f, at);
    if (length < 0 || (size_t)length > f->size - at - 4) {
        f->broken = true;
    }
    return f->broken ? f->size : at + 4 + (size_t)length;
}

/* What a DICT has for a key, empty if nothing; key may be NULL. Returns where the DICT ends. */
static size_t dict(File *f, size_t at, const char *key, char value[64]) {
    int32_t pairs = number(f, at);
    at += 4;
    if (key) {
        value[0] = '\0';
    }
    for (; pairs > 0 && !f->broken; --pairs) {
        const size_t middle = textEnd(f, at);
        const size_t end = textEnd(f, middle);
        if (!f->broken && key && middle - at - 4 == strlen(key) &&
            memcmp(f->data + at + 4, key, strlen(key)) == 0) {
            (void)snprintf(value, 64, "%.*s", (int)(end - middle - 4),
                           (const char *)f->data + middle + 4);
        }
        at = end;
    }
    return at;
}

static bool isChunk(const File *f, size_t at, const char *name) {
    return memcmp(f->data + at, name, 4) == 0;
}

void secondDefaultPalette(uint8_t palette[256][4]) {
    static const int channels[4] = {1, 2, 4, 7}; /* bits: red, green, blue */
    int i = 0;
    memset(palette, 0, sizeof(uint8_t[256][4]));
    for (int r = 255; r >= 0; r -= 51) {
        for (int g = 255; g >= 0; g -= 51) {
            for (int b = 255; b >= 0; b -= 51) {
                const uint8_t color[4] = {(uint8_t)r, (uint8_t)g, (uint8_t)b, 255};
                memcpy(palette[r + g + b ? ++i : 0], color, 4);
            }
        }
    }
    for (int c = 0; c < 4; ++c) {
        for (const char *digit = "edba875421"; *digit; ++digit) { /* twice: ee, dd, bb ... */
            const int half = *digit >= 'a' ? *digit - 'a' + 10 : *digit - '0';
            ++i;
            for (int bit = 0; bit < 3; ++bit) {
                palette[i][bit] = (uint8_t)(channels[c] >> bit & 1 ? 17 * half : 0);
            }
            palette[i][3] = 255;
        }
    }
    memset(palette[0], 0, 4);
}

/* Hundredths, as far as a byte of the scene holds them. */
static int rounded(const char *text, double factor, double most) {
    double value = atof(text);
    value = value > 0 ? value : 0; /* and what is not a number */
    return (int)((value < most ? value : most) * factor + 0.5);
}

static void readMaterial(File *f, size_t at) {
    const int32_t id = number(f, at);
    char type[64], emit[64], weight[64], flux[64];
    (void)dict(f, at + 4, "_type", type);
    (void)dict(f, at + 4, "_emit", emit);
    (void)dict(f, at + 4, "_weight", weight);
    (void)dict(f, at + 4, "_flux", flux);
    const bool light = strcmp(type, "_emit") == 0;
    if (!light && type[0] && strcmp(type, "_diffuse") != 0 && id > 0 && id < ENTRIES) {
        f->material[id] = true;
    }
    if (light && id > 0 && id < ENTRIES) {
        f->glow[id][0] = rounded(emit[0] ? emit : weight, 100, 1);
        f->glow[id][1] = rounded(flux, 1, 99);
    }
}

static void readChunk(File *f, size_t at, size_t *sizeAt) {
    const size_t content = at + 12;
    char value[64];
    if (isChunk(f, at, "SIZE")) {
        *sizeAt = content;
    } else if (isChunk(f, at, "XYZI") && *sizeAt) {
        f->models = grow(f->models, (f->modelCount + 1) * 2 * sizeof *f->models);
        f->models[2 * f->modelCount] = *sizeAt;
        f->models[2 * f->modelCount++ + 1] = content;
    } else if (isChunk(f, at, "nTRN") || isChunk(f, at, "nGRP") || isChunk(f, at, "nSHP")) {
        f->nodes = grow(f->nodes, (f->nodeCount + 1) * sizeof *f->nodes);
        f->nodes[f->nodeCount++] = at;
    } else if (isChunk(f, at, "LAYR")) {
        const int32_t id = number(f, content);
        (void)dict(f, content + 4, "_hidden", value);
        if (id >= 0 && id < ENTRIES) {
            f->layerHidden[id] = strcmp(value, "1") == 0;
        }
    } else if (isChunk(f, at, "RGBA")) {
        (void)number(f, content + 1020);
        memcpy(f->palette[1], f->data + content, f->broken ? 0 : 1020);
    } else if (isChunk(f, at, "MATL")) {
        readMaterial(f, content);
    } else if (isChunk(f, at, "PACK")) {
        f->packed = true;
    }
}

static void readChunks(File *f) {
    size_t sizeAt = 0;
    size_t at = 20;
    const size_t end = at + (uint32_t)number(f, 16);
    while (at < end && !f->broken) {
        (void)number(f, at + 8);
        if (!f->broken) {
            readChunk(f, at, &sizeAt);
            at += 12 + (size_t)(uint32_t)number(f, at + 4) + (uint32_t)number(f, at + 8);
        }
    }
    f->broken = f->broken || at != end || end > f->size;
}

static Pose product(const Pose *a, const Pose *b) {
    Pose p;
    for (int i = 0; i < 3; ++i) {
        p.move[i] = a->move[i];
        for (int j = 0; j < 3; ++j) {
            p.move[i] += a->turn[i][j] * b->move[j];
            p.turn[i][j] = 0;
            for (int k = 0; k < 3; ++k) {
                p.turn[i][j] += a->turn[i][k] * b->turn[k][j];
            }
        }
    }
    return p;
}

/* A frame of a transform node. */
static Pose poseOf(File *f, size_t frame) {
    Pose p = {.move = {0}};
    char turn[64], move[64];
    long long to[3] = {0, 0, 0};
    (void)dict(f, frame, "_r", turn);
    (void)dict(f, frame, "_t", move);
    const int bits = turn[0] ? atoi(turn) : 0 | 1 << 2;
    const int row[2] = {bits & 3, bits >> 2 & 3};
    for (int i = 0; i < 3; ++i) {
        const int column = i < 2 ? row[i] : 3 - row[0] - row[1];
        if (column < 0 || column > 2) {
            f->broken = true;
            return p;
        }
        p.turn[i][column] = bits >> (4 + i) & 1 ? -1 : 1;
    }
    (void)sscanf(move, "%lld %lld %lld", &to[0], &to[1], &to[2]);
    for (int i = 0; i < 3; ++i) {
        p.move[i] = 2 * to[i];
    }
    return p;
}

static void putModel(File *f, int32_t model, const Pose *pose) {
    if (model < 0 || (size_t)model >= f->modelCount) {
        f->broken = true;
        return;
    }
    const size_t sizeAt = f->models[2 * model];
    const size_t voxelsAt = f->models[2 * model + 1];
    const int32_t count = number(f, voxelsAt);
    for (int32_t n = 0; n < count && !f->broken; ++n) {
        const size_t at = voxelsAt + 4 + 4 * (size_t)n;
        (void)number(f, at);
        if (f->broken) {
            return;
        }
        if (f->dotCount == f->dotCapacity) {
            f->dotCapacity = 2 * f->dotCapacity + 1000;
            f->dots = grow(f->dots, f->dotCapacity * sizeof *f->dots);
        }
        Dot *dot = &f->dots[f->dotCount];
        dot->order = f->dotCount++;
        dot->color = f->data[at + 3];
        for (int i = 0; i < 3; ++i) {
            int64_t sum = pose->move[i];
            for (int j = 0; j < 3; ++j) {
                const int middle =
                    2 * (f->data[at + (size_t)j] - number(f, sizeAt + 4 * (size_t)j) / 2) + 1;
                sum += pose->turn[i][j] * middle;
            }
            dot->at[i] = (sum - 1) / 2; /* odd less one: even */
        }
    }
}

static void putNode(File *f, int32_t id, const Pose *above, int depth) {
    size_t at = 0;
    char value[64];
    for (size_t i = 0; i < f->nodeCount && !at; ++i) {
        at = number(f, f->nodes[i] + 12) == id ? f->nodes[i] : 0;
    }
    if (!at || depth > MAX_DEPTH || f->broken) {
        f->broken = true;
        return;
    }
    const size_t rest = dict(f, at + 16, "_hidden", value);
    const int32_t layer = isChunk(f, at, "nTRN") ? number(f, rest + 8) : -1;
    if (strcmp(value, "1") == 0 || (layer >= 0 && layer < ENTRIES && f->layerHidden[layer])) {
        f->hidden++;
    } else if (isChunk(f, at, "nTRN")) {
        const Pose own = poseOf(f, rest + 16);
        const Pose pose = product(above, &own);
        putNode(f, number(f, rest), &pose, depth + 1);
    } else if (isChunk(f, at, "nGRP")) {
        for (int32_t i = 0; i < number(f, rest) && !f->broken; ++i) {
            putNode(f, number(f, rest + 4 + 4 * (size_t)i), above, depth + 1);
        }
    } else {
        putModel(f, number(f, rest + 4), above);
    }
}

/* Frames after a node's first, whether or not it is shown. */
static uint32_t furtherFrames(File *f, size_t at) {
    if (isChunk(f, at, "nGRP")) {
        return 0;
    }
    const size_t rest = dict(f, at + 16, NULL, NULL);
    return (uint32_t)number(f, isChunk(f, at, "nTRN") ? rest + 12 : rest) - 1;
}

static void putScene(File *f) {
    Pose pose = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const size_t shown = f->packed && f->modelCount > 1 ? 1 : f->modelCount;
    f->further = (uint32_t)(f->modelCount - shown);
    for (size_t i = 0; i < f->nodeCount; ++i) {
        f->further += furtherFrames(f, f->nodes[i]);
    }
    if (f->nodeCount) {
        putNode(f, 0, &pose, 0);
        return;
    }
    for (size_t i = 0; i < shown; ++i) {
        for (size_t axis = 0; axis < 3; ++axis) {
            pose.move[axis] = 2 * (number(f, f->models[2 * i] + 4 * axis) / 2);
        }
        putModel(f, (int32_t)i, &pose);
    }
}

/* Up is z in a file, and y here; what is in front there is -y, and z here. */
static int compareDots(const void *one, const void *other) {
    const Dot *a = one;
    const Dot *b = other;
    if (a->at[1] != b->at[1]) {
        return a->at[1] > b->at[1] ? -1 : 1;
    }
    if (a->at[2] != b->at[2]) {
        return a->at[2] < b->at[2] ? -1 : 1;
    }
    if (a->at[0] != b->at[0]) {
        return a->at[0] < b->at[0] ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool sameVoxels(const File *f, const VoxScene *scene, char text[SECOND_TEXT]) {
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MIN};
    size_t seen = 0;
    for (size_t i = 0; i < f->dotCount; ++i) {
        const int64_t *at = f->dots[i].at;
        low[0] = at[0] < low[0] ? at[0] : low[0];
        low[1] = at[2] < low[1] ? at[2] : low[1];
        low[2] = at[1] > low[2] ? at[1] : low[2];
    }
    for (size_t i = 0; i < f->dotCount; ++i) {
        const Dot *dot = &f->dots[i];
        const Dot *next = dot + 1;
        if (i + 1 < f->dotCount && memcmp(dot->at, next->at, sizeof dot->at) == 0) {
            continue; /* the last one stays */
        }
        const VoxVoxel *voxel = &scene->voxels[seen];
        const int64_t at[3] = {dot->at[0] - low[0], dot->at[2] - low[1], low[2] - dot->at[1]};
        if (seen++ == scene->voxelCount || at[0] != voxel->position[0] ||
            at[1] != voxel->position[1] || at[2] != voxel->position[2] ||
            dot->color != voxel->color) {
            (void)snprintf(text, SECOND_TEXT, "voxel %zu of %zu is at %lld %lld %lld of colour %d",
                           seen - 1, scene->voxelCount, (long long)at[0], (long long)at[1],
                           (long long)at[2], dot->color);
            return false;
        }
    }
    (void)snprintf(text, SECOND_TEXT, "there are %zu voxels, not %zu", seen, scene->voxelCount);
    return seen == scene->voxelCount;
}

static bool sameColors(const File *f, const VoxScene *scene, char text[SECOND_TEXT]) {
    for (int i = 0; i < ENTRIES; ++i) {
        if (memcmp(f->palette[i], scene->palette[i], 4) != 0 ||
            f->glow[i][0] != scene->glow[i][0] || f->glow[i][1] != scene->glow[i][1]) {
            (void)snprintf(text, SECOND_TEXT, "entry %d is %d %d %d %d, its light %d %d", i,
                           f->palette[i][0], f->palette[i][1], f->palette[i][2], f->palette[i][3],
                           f->glow[i][0], f->glow[i][1]);
            return false;
        }
    }
    bool used[ENTRIES] = {false};
    unsigned materials = 0;
    for (size_t i = 0; i < scene->voxelCount; ++i) { /* which are the file's by now */
        used[scene->voxels[i].color] = true;
    }
    for (int i = 0; i < ENTRIES; ++i) {
        materials += used[i] && f->material[i];
    }
    (void)snprintf(text, SECOND_TEXT, "%u further frames, %u hidden objects, %u other materials",
                   f->further, f->hidden, materials);
    return f->further == scene->framesOmitted && f->hidden == scene->hiddenOmitted &&
           materials == scene->materialsOmitted;
}

bool secondAgrees(const uint8_t *data, size_t size, const VoxScene *scene, char text[SECOND_TEXT]) {
    File file = {.data = data, .size = size};
    bool agrees;
    secondDefaultPalette(file.palette);
    file.broken = size < 20 || memcmp(data, "VOX ", 4) != 0;
    if (!file.broken) {
        readChunks(&file);
    }
    if (!file.broken) {
        putScene(&file);
    }
    if (file.broken || file.dotCount == 0) {
        (void)snprintf(text, SECOND_TEXT, "there is no scene in it");
        agrees = !scene->voxels;
    } else if (!scene->voxels) {
        (void)snprintf(text, SECOND_TEXT, "there are %zu voxels in it", file.dotCount);
        agrees = false;
    } else {
        qsort(file.dots, file.dotCount, sizeof *file.dots, compareDots);
        agrees = sameVoxels(&file, scene, text) && sameColors(&file, scene, text);
    }
    free(file.nodes);
    free(file.models);
    free(file.dots);
    return agrees;
}
