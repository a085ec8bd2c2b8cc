/* Shared by the two halves of the .vox reader: vox_chunks.c parses and checks a file, vox.c
 * assembles its models to a scene. Other users include vox.h.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VOX_CHUNKS_H
#define MURVOXELS_VOX_CHUNKS_H

#include "common/message.h"
#include "files.h"
#include "vox.h"

/* Turns, then moves: coordinate i of the result is sign[i] * (coordinate axis[i]) + move[i]. */
typedef struct VoxTransform {
    int64_t move[3];
    int8_t sign[3];
    uint8_t axis[3];
} VoxTransform;

extern const VoxTransform voxIdentity;

typedef struct VoxModel {
    size_t voxelsAt; /* offset of its x, y, z, colour quadruples in the file */
    uint32_t voxelCount;
    uint32_t solid; /* of its voxels, those that have a colour */
    uint16_t size[3];
    uint8_t low[3]; /* bounds of the solid voxels, which may lie beyond size */
    uint8_t high[3];
} VoxModel;

typedef enum VoxNodeKind { VOX_TRANSFORM, VOX_GROUP, VOX_SHAPE } VoxNodeKind;

typedef struct VoxNode {
    size_t chunkAt;    /* offset of its chunk in the file */
    size_t childrenAt; /* offset of the ids of its children; a shape's model */
    uint32_t childCount;
    uint32_t layer;
    VoxNodeKind kind;
    bool hidden;
    bool onWay; /* from the root to the present node */
    VoxTransform local;
} VoxNode;

typedef struct VoxInstance {
    uint32_t model;
    VoxTransform world;
} VoxInstance;

/* A file being read. */
typedef struct VoxReader {
    const uint8_t *data;
    size_t size;
    VoxScene *scene;
    char *error;
    size_t errorSize;

    char chunk[5]; /* the chunk that a message is about; empty if it is about none */
    size_t chunkAt;
    bool hasSize; /* a SIZE chunk is waiting for its XYZI */
    size_t modelSizeAt;
    uint16_t modelSize[3];
    char unknown[5]; /* the last chunk since that SIZE that is of no known kind */

    bool hasPack;
    bool layerHidden[VOX_MAX_LAYERS];
    bool materialLost[256]; /* of that colour: it is more than a light */
    uint8_t place[256];     /* of a colour in the editor's palette: IMAP */
    VoxModel *models;
    uint32_t modelCount;
    size_t modelCapacity;
    VoxNode *nodes;
    uint32_t nodeCount;
    size_t nodeCapacity;
    uint32_t nodeOfId[VOX_MAX_NODES]; /* 1 + index into nodes; 0: there is no node with that id */
    VoxInstance *instances;
    uint32_t instanceCount;
    size_t instanceCapacity;
    uint32_t visits; /* of nodes */
} VoxReader;

/* Reads all chunks: the models, nodes and layers into the reader, the palette into the scene. */
bool voxReadChunks(VoxReader *reader);

/* Makes the messages to come about that chunk, or, with NULL, about the file as a whole. */
void voxSetChunk(VoxReader *reader, const char *name, size_t at);

/* Write a message of one line. Always false, so that a caller can fail in one statement. */
SAY_LIKE_PRINTF(2, 3) bool voxFail(VoxReader *reader, const char *format, ...);
SAY_LIKE_PRINTF(3, 4) bool voxError(char *error, size_t errorSize, const char *format, ...);

#endif
