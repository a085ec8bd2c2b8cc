/* Writes valid or invalid .vox files in memory, for the tests and the fuzzer of the reader.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VOX_WRITER_H
#define MURVOXELS_VOX_WRITER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAIN_AT = 8, FIRST_CHUNK_AT = 20, NO_LAYER = -1 };

/* A .vox file that is being written. */
typedef struct File {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    size_t chunkAt; /* offset of the last chunk */
} File;

static inline void putBytes(File *file, const void *bytes, size_t size) {
    while (file->size + size > file->capacity) {
        file->capacity = file->capacity == 0 ? 1024 : 2 * file->capacity;
        file->bytes = realloc(file->bytes, file->capacity);
        if (file->bytes == NULL) {
            abort();
        }
    }
    if (size > 0) {
        memcpy(file->bytes + file->size, bytes, size);
        file->size += size;
    }
}

static inline void setNumber(File *file, size_t at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        file->bytes[at + (size_t)i] = (uint8_t)(value >> (8 * i));
    }
}

static inline void putNumber(File *file, uint32_t value) {
    putBytes(file, "\0\0\0", 4);
    setNumber(file, file->size - 4, value);
}

static inline void putText(File *file, const char *text) {
    putNumber(file, (uint32_t)strlen(text));
    putBytes(file, text, strlen(text));
}

static inline void openChunk(File *file, const char *name) {
    file->chunkAt = file->size;
    putBytes(file, name, 4);
    putNumber(file, 0);
    putNumber(file, 0);
}

static inline void closeChunk(File *file) {
    setNumber(file, file->chunkAt + 4, (uint32_t)(file->size - file->chunkAt - 12));
}

#define PUT_CHUNK(file, name, ...)                        \
    putChunk(file, name, (const uint32_t[]){__VA_ARGS__}, \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
static inline void putChunk(File *file, const char *name, const uint32_t *numbers, size_t count) {
    openChunk(file, name);
    for (size_t i = 0; i < count; i++) {
        putNumber(file, numbers[i]);
    }
    closeChunk(file);
}

static inline File startFile(uint32_t version) {
    File file = {0};
    putBytes(&file, "VOX ", 4);
    putNumber(&file, version);
    openChunk(&file, "MAIN");
    return file;
}

/* Stores the size of all chunks in the MAIN chunk. */
static inline void finishFile(File *file) {
    setNumber(file, MAIN_AT + 8, (uint32_t)(file->size - FIRST_CHUNK_AT));
}

/* Finishes the file, writes it to a disk and frees it. */
static inline void storeFile(File *file, const char *path) {
    FILE *disk = fopen(path, "wb");
    finishFile(file);
    if (disk == NULL || fwrite(file->bytes, 1, file->size, disk) != file->size) {
        abort();
    }
    (void)fclose(disk);
    free(file->bytes);
}

static inline void putSize(File *file, uint32_t x, uint32_t y, uint32_t z) {
    PUT_CHUNK(file, "SIZE", x, y, z);
}

static inline void putVoxels(File *file, uint32_t count, const uint8_t voxels[][4]) {
    openChunk(file, "XYZI");
    putNumber(file, count);
    putBytes(file, voxels, (size_t)4 * count);
    closeChunk(file);
}

/* Adds a model without empty voxels, in seven colours. */
static inline void putBlock(File *file, uint32_t x, uint32_t y, uint32_t z) {
    uint8_t voxel[4] = {0};
    putSize(file, x, y, z);
    openChunk(file, "XYZI");
    putNumber(file, x * y * z);
    for (uint32_t i = 0; i < x * y * z; i++) {
        voxel[0] = (uint8_t)(i % x);
        voxel[1] = (uint8_t)(i / x % y);
        voxel[2] = (uint8_t)(i / x / y);
        voxel[3] = (uint8_t)(1 + i % 7);
        putBytes(file, voxel, 4);
    }
    closeChunk(file);
}

/* Adds a model of one voxel. */
static inline void putDot(File *file, uint8_t color) {
    putSize(file, 1, 1, 1);
    putVoxels(file, 1, (const uint8_t[][4]){{0, 0, 0, color}});
}

/* Starts a file with a model of one voxel in colour 1. */
static inline File startDot(void) {
    File file = startFile(150);
    putDot(&file, 1);
    return file;
}

static inline void putAttribute(File *file, const char *key, const char *value) {
    putNumber(file, value == NULL ? 0 : 1);
    if (value != NULL) {
        putText(file, key);
        putText(file, value);
    }
}

static inline void putFrame(File *file, const char *translation, const char *rotation) {
    putNumber(file, (translation != NULL) + (uint32_t)(rotation != NULL));
    if (translation != NULL) {
        putText(file, "_t");
        putText(file, translation);
    }
    if (rotation != NULL) {
        putText(file, "_r");
        putText(file, rotation);
    }
}

/* Begins a transform node, up to its frames. */
static inline void openTransform(File *file, uint32_t id, uint32_t child, int layer,
                                 const char *hidden) {
    openChunk(file, "nTRN");
    putNumber(file, id);
    putAttribute(file, "_hidden", hidden);
    putNumber(file, child);
    putNumber(file, UINT32_MAX);
    putNumber(file, (uint32_t)layer);
}

static inline void putTransform(File *file, uint32_t id, uint32_t child, const char *translation,
                                const char *rotation) {
    openTransform(file, id, child, NO_LAYER, NULL);
    putNumber(file, 1);
    putFrame(file, translation, rotation);
    closeChunk(file);
}

static inline void putGroup(File *file, uint32_t id, uint32_t count, const uint32_t *children) {
    openChunk(file, "nGRP");
    putNumber(file, id);
    putNumber(file, 0);
    putNumber(file, count);
    for (uint32_t i = 0; i < count; i++) {
        putNumber(file, children[i]);
    }
    closeChunk(file);
}

static inline void putShape(File *file, uint32_t id, uint32_t model) {
    PUT_CHUNK(file, "nSHP", id, 0, 1, model, 0);
}

/* Adds a transform node and its child, a shape with the next id. */
static inline void putPlaced(File *file, uint32_t id, uint32_t model, const char *translation,
                             const char *rotation) {
    putTransform(file, id, id + 1, translation, rotation);
    putShape(file, id + 1, model);
}

/* Adds a material of this type with an attribute name = amount, and with _flux 2. */
static inline void putMaterial(File *file, uint32_t id, const char *type, const char *name,
                               const char *amount) {
    const char *const texts[6] = {"_type", type, name, amount, "_flux", "2"};
    openChunk(file, "MATL");
    putNumber(file, id);
    putNumber(file, 3);
    for (int i = 0; i < 6; i++) {
        putText(file, texts[i]);
    }
    closeChunk(file);
}

static inline void putLayer(File *file, uint32_t id, const char *hidden) {
    openChunk(file, "LAYR");
    putNumber(file, id);
    putAttribute(file, "_hidden", hidden);
    putNumber(file, UINT32_MAX);
    closeChunk(file);
}

#endif
