/* The .vox reader, second half: puts a file's models together to a scene.
 *
 * That takes four steps: the scene graph is walked to a list of placed models (placeModels), those
 * are measured before any memory is taken for their voxels (measureScene), the voxels are listed
 * (listVoxels), and the list is sorted and merged.
 * SPDX-License-Identifier: MIT */
#include "common/array.h"
#include "vox_chunks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bounds of a scene in the file's axes. */
typedef struct Bounds {
    int64_t low[3];
    int64_t high[3];
    size_t voxelCount;
} Bounds;

static const char *chunkOf(const VoxNode *node) {
    return node->kind == VOX_TRANSFORM ? "nTRN" : node->kind == VOX_GROUP ? "nGRP" : "nSHP";
}

/* The transform that does the child's first. Moves cannot overflow: at most VOX_MAX_DEPTH moves of
 * 32 bits are added up. */
static VoxTransform compose(const VoxTransform *parent, const VoxTransform *child) {
    VoxTransform result;
    for (int i = 0; i < 3; i++) {
        const uint8_t from = parent->axis[i];
        result.axis[i] = child->axis[from];
        result.sign[i] = (int8_t)(parent->sign[i] * child->sign[from]);
        result.move[i] = parent->sign[i] * child->move[from] + parent->move[i];
    }
    return result;
}

static bool addInstance(VoxReader *r, uint32_t model, const VoxTransform *world) {
    if (!growItems(&r->instances, r->instanceCount, &r->instanceCapacity, sizeof *r->instances)) {
        return voxFail(r, "out of memory for the scene graph");
    }
    r->instances[r->instanceCount++] = (VoxInstance){model, *world};
    return true;
}

static bool addShape(VoxReader *r, const VoxNode *node, const VoxTransform *world) {
    const uint32_t model = fileWord(r->data + node->childrenAt);
    if (model >= r->modelCount) {
        voxSetChunk(r, chunkOf(node), node->chunkAt);
        return voxFail(r, "the node shows model %" PRId32 ", but the file has %" PRIu32,
                       (int32_t)model, r->modelCount);
    }
    return addInstance(r, model, world);
}

/* Walks to a node and on to all below it. A node may have several parents; that their ways are
 * counted keeps a small file from describing exponentially many. */
static bool walkNode(VoxReader *r, uint32_t id, const VoxTransform *above, uint32_t depth) {
    if (id >= VOX_MAX_NODES || r->nodeOfId[id] == 0) {
        return voxFail(r, "the scene graph has no node %" PRId32, (int32_t)id);
    }
    VoxNode *node = &r->nodes[r->nodeOfId[id] - 1];
    if (node->onWay) {
        return voxFail(r, "its child, node %" PRIu32 ", is also above it", id);
    }
    if (++r->visits > VOX_MAX_VISITS) {
        return voxFail(r, "the scene graph has more than %d ways through it", VOX_MAX_VISITS);
    }
    if (node->hidden || (node->layer < VOX_MAX_LAYERS && r->layerHidden[node->layer])) {
        r->scene->hiddenOmitted++;
        return true;
    }
    if (depth == VOX_MAX_DEPTH) {
        return voxFail(r, "the scene graph is more than %d nodes deep", VOX_MAX_DEPTH);
    }
    if (node->kind == VOX_SHAPE) {
        return addShape(r, node, above);
    }
    const VoxTransform world = compose(above, &node->local);
    bool fine = true;
    node->onWay = true;
    for (uint32_t i = 0; i < node->childCount && fine; i++) {
        voxSetChunk(r, chunkOf(node), node->chunkAt);
        fine = walkNode(r, fileWord(r->data + node->childrenAt + (size_t)4 * i), &world, depth + 1);
    }
    node->onWay = false;
    return fine;
}

static bool placeModels(VoxReader *r) {
    const uint32_t count = r->hasPack && r->modelCount > 1 ? 1 : r->modelCount;
    r->scene->framesOmitted += r->modelCount - count;
    if (r->nodeCount > 0) {
        const bool walked = walkNode(r, 0, &voxIdentity, 0);
        if (walked) {
            voxSetChunk(r, NULL, 0);
        }
        return walked;
    }
    for (uint32_t i = 0; i < count; i++) {
        VoxTransform world = voxIdentity;
        for (int axis = 0; axis < 3; axis++) {
            world.move[axis] = r->models[i].size[axis] / 2;
        }
        if (!addInstance(r, i, &world)) {
            return false;
        }
    }
    return true;
}

/* The place of a voxel of a placed model, in the file's axes. */
static void placeVoxel(const VoxTransform *world, const VoxModel *model, const uint8_t *voxel,
                       int64_t *place) {
    for (int i = 0; i < 3; i++) {
        const uint8_t axis = world->axis[i];
        const int64_t offset = voxel[axis] - model->size[axis] / 2;
        /* A voxel fills offset to offset + 1; the other way round, its low end is -offset - 1. */
        place[i] = world->move[i] + (world->sign[i] > 0 ? offset : -offset - 1);
    }
}

static void include(Bounds *bounds, const int64_t *place) {
    for (int i = 0; i < 3; i++) {
        bounds->low[i] = place[i] < bounds->low[i] ? place[i] : bounds->low[i];
        bounds->high[i] = place[i] > bounds->high[i] ? place[i] : bounds->high[i];
    }
}

/* Is it a part of a larger world, as voxWrite cuts it: a cube of a grid of the largest models? */
static bool isPart(const VoxModel *model, const VoxTransform *world) {
    bool part = true;
    for (int i = 0; i < 3; i++) {
        part = part && model->size[i] == VOX_MAX_MODEL_SIZE && world->axis[i] == i &&
               world->sign[i] > 0 && (world->move[i] & 255) == VOX_MAX_MODEL_SIZE / 2;
    }
    return part;
}

static bool measureScene(VoxReader *r, Bounds *bounds) {
    bool parts = false;
    *bounds = (Bounds){{INT64_MAX, INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN, INT64_MIN}, 0};
    for (uint32_t i = 0; i < r->instanceCount; i++) {
        const VoxInstance *instance = &r->instances[i];
        const VoxModel *model = &r->models[instance->model];
        if (model->solid == 0) {
            continue;
        }
        const bool part = isPart(model, &instance->world);
        r->scene->objects += !part || !parts; /* all parts are one object */
        parts = parts || part;
        int64_t corner[3];
        placeVoxel(&instance->world, model, model->low, corner);
        include(bounds, corner);
        placeVoxel(&instance->world, model, model->high, corner);
        include(bounds, corner);
        if (model->solid > VOX_MAX_VOXELS - bounds->voxelCount) {
            return voxFail(r, "the scene has more than %zu voxels", (size_t)VOX_MAX_VOXELS);
        }
        bounds->voxelCount += model->solid;
    }
    if (bounds->voxelCount == 0) {
        return voxFail(r, "the file has no visible voxel");
    }
    for (int i = 0; i < 3; i++) {
        const int64_t extent = bounds->high[i] - bounds->low[i] + 1;
        if (extent > VOX_MAX_EXTENT) {
            return voxFail(r,
                           "the scene is %" PRId64 " voxels long along %c; at most %d can be read",
                           extent, "xyz"[i], VOX_MAX_EXTENT);
        }
    }
    return true;
}

/* Lists the voxels of all placed models, in their final axes but in the file's order. */
static void listVoxels(const VoxReader *r, const Bounds *bounds, VoxVoxel *list) {
    for (uint32_t i = 0; i < r->instanceCount; i++) {
        const VoxInstance *instance = &r->instances[i];
        const VoxModel *model = &r->models[instance->model];
        const uint8_t *voxel = r->data + model->voxelsAt;
        for (uint32_t n = 0; n < model->voxelCount; n++, voxel += 4) {
            int64_t place[3];
            if (voxel[3] == 0) {
                continue;
            }
            placeVoxel(&instance->world, model, voxel, place);
            list->position[0] = (uint16_t)(place[0] - bounds->low[0]);
            list->position[1] = (uint16_t)(place[2] - bounds->low[2]);
            list->position[2] = (uint16_t)(bounds->high[1] - place[1]);
            list->color = r->place[voxel[3]];
            list->unused = 0;
            list++;
        }
    }
}

uint64_t voxOrder(const VoxVoxel *voxel) {
    const uint64_t x = voxel->position[0];
    const uint64_t y = voxel->position[1];
    const uint64_t z = voxel->position[2];
    return (z >> 3) << 35 | (y >> 3) << 22 | (x >> 3) << 9 | (z & 7) << 6 | (y & 7) << 3 | (x & 7);
}

static uint8_t sortDigit(const VoxVoxel *voxel, int pass) {
    return (uint8_t)(voxOrder(voxel) >> 8 * pass);
}

/* A radix sort, because it keeps voxels at the same place in the order they had, and because no
 * order they had can make it slow. Returns which of the two arrays the result is in; the contents
 * of the other are then of no use. */
static VoxVoxel *sortVoxels(VoxVoxel *voxels, VoxVoxel *scratch, size_t count) {
    VoxVoxel *from = voxels;
    VoxVoxel *to = scratch;
    for (int pass = 0; pass < 6; pass++) {
        size_t starts[256] = {0};
        for (size_t i = 0; i < count; i++) {
            starts[sortDigit(&from[i], pass)]++;
        }
        if (starts[sortDigit(&from[0], pass)] == count) {
            continue;
        }
        size_t start = 0;
        for (int digit = 0; digit < 256; digit++) {
            const size_t length = starts[digit];
            starts[digit] = start;
            start += length;
        }
        for (size_t i = 0; i < count; i++) {
            to[starts[sortDigit(&from[i], pass)]++] = from[i];
        }
        VoxVoxel *const swapped = from;
        from = to;
        to = swapped;
    }
    return from;
}

/* Keeps the last of each run of voxels at the same place. Returns how many are left. */
static size_t mergeVoxels(VoxVoxel *voxels, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const VoxVoxel *next = &voxels[i + 1];
        if (i + 1 == count ||
            memcmp(voxels[i].position, next->position, sizeof next->position) != 0) {
            voxels[kept++] = voxels[i];
        }
    }
    return kept;
}

/* Puts palette and materials into the editor's order. */
static void orderColors(VoxReader *r) {
    VoxScene *scene = r->scene;
    const VoxScene before = *scene;
    bool lost[256];
    memcpy(lost, r->materialLost, sizeof lost);
    for (int i = 0; i < 256; i++) {
        const uint8_t to = r->place[i];
        memcpy(scene->palette[to], before.palette[i], sizeof before.palette[i]);
        memcpy(scene->glow[to], before.glow[i], sizeof before.glow[i]);
        r->materialLost[to] = lost[i];
    }
}

static bool makeScene(VoxReader *r) {
    Bounds bounds;
    orderColors(r);
    if (!placeModels(r) || !measureScene(r, &bounds)) {
        return false;
    }
    VoxVoxel *voxels = malloc(bounds.voxelCount * sizeof *voxels);
    VoxVoxel *scratch = malloc(bounds.voxelCount * sizeof *scratch);
    if (voxels == NULL || scratch == NULL) {
        free(voxels);
        free(scratch);
        return voxFail(r, "out of memory for the scene's %zu voxels", bounds.voxelCount);
    }
    listVoxels(r, &bounds, voxels);
    VoxVoxel *const sorted = sortVoxels(voxels, scratch, bounds.voxelCount);
    free(sorted == voxels ? scratch : voxels);
    r->scene->voxels = sorted;
    r->scene->voxelCount = mergeVoxels(sorted, bounds.voxelCount);
    for (size_t i = 0; i < r->scene->voxelCount; i++) {
        bool *lost = &r->materialLost[sorted[i].color];
        r->scene->materialsOmitted += *lost;
        *lost = false;
    }
    r->scene->size[0] = (uint32_t)(bounds.high[0] - bounds.low[0] + 1);
    r->scene->size[1] = (uint32_t)(bounds.high[2] - bounds.low[2] + 1);
    r->scene->size[2] = (uint32_t)(bounds.high[1] - bounds.low[1] + 1);
    return true;
}

void voxPalette(uint8_t palette[256][4]) {
    enum { STEPS = 6, CUBE = STEPS * STEPS * STEPS - 1 };
    static const uint8_t ramp[10] = {238, 221, 187, 170, 136, 119, 85, 68, 34, 17};
    for (int i = 0; i < 255; i++) {
        const int channel = (i - CUBE) / 10; /* red, green, blue; 3: all of them */
        const int steps[3] = {i / (STEPS * STEPS), i / STEPS % STEPS, i % STEPS};
        for (int c = 0; c < 3; c++) {
            const uint8_t dark = channel == c || channel == 3 ? ramp[(i - CUBE + 40) % 10] : 0;
            palette[1 + i][c] = i < CUBE ? (uint8_t)(255 - 51 * steps[c]) : dark;
        }
        palette[1 + i][3] = UINT8_MAX;
    }
}

void voxOmitted(const VoxScene *scene, char text[VOX_ERROR_SIZE]) {
    const struct {
        uint32_t count;
        const char *one, *more;
    } parts[] = {
        {scene->framesOmitted, "further frame", "further frames"},
        {scene->hiddenOmitted, "hidden object", "hidden objects"},
        {scene->materialsOmitted, "material that is not light", "materials that are not light"},
        {scene->colorlessOmitted, "voxel without a colour", "voxels without a colour"},
    };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].count > 0) {
            used += (size_t)snprintf(text + used, VOX_ERROR_SIZE - used, "%s%" PRIu32 " %s",
                                     used > 0 ? ", " : "left out: ", parts[i].count,
                                     parts[i].count == 1 ? parts[i].one : parts[i].more);
        }
    }
    if (scene->objects > 1) {
        used += (size_t)snprintf(text + used, VOX_ERROR_SIZE - used,
                                 "%s%" PRIu32 " objects became one", used > 0 ? "; " : "",
                                 scene->objects);
    }
    if (scene->modelsEnlarged > 0) {
        (void)snprintf(text + used, VOX_ERROR_SIZE - used,
                       "%s%" PRIu32 " with voxels outside of their size enlarged",
                       used > 0 ? "; " : "", scene->modelsEnlarged);
    }
}

bool voxRead(const void *data, size_t size, VoxScene *scene, char *error, size_t errorSize) {
    memset(scene, 0, sizeof *scene);
    voxError(error, errorSize, "%s", "");
    VoxReader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return voxError(error, errorSize, "out of memory for reading");
    }
    reader->data = data;
    reader->size = size;
    reader->scene = scene;
    reader->error = error;
    reader->errorSize = errorSize;
    voxPalette(scene->palette);
    for (int i = 0; i < 256; i++) {
        reader->place[i] = (uint8_t)i;
    }
    const bool done = voxReadChunks(reader) && makeScene(reader);
    free(reader->models);
    free(reader->nodes);
    free(reader->instances);
    free(reader);
    if (!done) {
        voxFree(scene);
    }
    return done;
}

bool voxLoad(const char *path, VoxScene *scene, char *error, size_t errorSize) {
    size_t size;
    char message[VOX_ERROR_SIZE];
    memset(scene, 0, sizeof *scene);
    uint8_t *data = fileBytes(path, "VOX ", VOX_MAX_FILE_BYTES, &size);
    const char *problem = data             ? message
                          : errno == EFBIG ? "the file is larger than 1 GiB"
                                           : strerror(errno);
    const bool done = data && voxRead(data, size, scene, message, sizeof message);
    free(data);
    voxError(error, errorSize, "%s", "");
    return done || voxError(error, errorSize, "%s: %s", path, problem);
}

void voxFree(VoxScene *scene) {
    free(scene->voxels);
    memset(scene, 0, sizeof *scene);
}
