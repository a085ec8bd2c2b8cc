/* The .vox reader, first half: takes a file apart and checks it.
 * SPDX-License-Identifier: MIT */
#include "vox_chunks.h"

#include "common/array.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_HEADER = 8, CHUNK_HEADER = 12, PALETTE_ENTRIES = 256 };

/* The part of the file that is being read. */
typedef struct Cursor {
    size_t at;
    size_t end;
} Cursor;

/* A string in the file, which has no final zero there. */
typedef struct Text {
    const char *start; /* NULL if the file does not have it */
    uint32_t length;
} Text;

/* The entries of a DICT that matter here. */
typedef struct Attributes {
    Text hidden;
    Text rotation;
    Text translation;
    Text type;
    Text emission;
    Text weight; /* the name in older files */
    Text flux;
} Attributes;

const VoxTransform voxIdentity = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}};

/* Text from a file is quoted as it is, but must not break the line or garble a terminal. */
static char printable(char c) {
    return c >= 0x20 && c <= 0x7e ? c : '?';
}

bool voxError(char *error, size_t errorSize, const char *format, ...) {
    if (error == NULL || errorSize == 0) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error, errorSize, format, arguments);
    va_end(arguments);
    /* A path is the user's own, in an encoding that is not known here: only lines are kept whole.
     */
    for (char *c = error; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20) {
            *c = '?';
        }
    }
    return false;
}

bool voxFail(VoxReader *reader, const char *format, ...) {
    char message[VOX_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *c = message; *c != '\0'; c++) {
        *c = printable(*c);
    }
    if (reader->chunk[0] == '\0') {
        return voxError(reader->error, reader->errorSize, "%s", message);
    }
    return voxError(reader->error, reader->errorSize, "chunk %s at byte %zu: %s", reader->chunk,
                    reader->chunkAt, message);
}

void voxSetChunk(VoxReader *reader, const char *name, size_t at) {
    memset(reader->chunk, 0, sizeof reader->chunk);
    for (int i = 0; name != NULL && i < 4; i++) {
        reader->chunk[i] = printable(name[i]);
    }
    reader->chunkAt = at;
}

static bool takeNumber(VoxReader *r, Cursor *c, uint32_t *value) {
    if (c->end - c->at < 4) {
        voxFail(r, "its content is cut off at byte %zu", c->end);
        return false;
    }
    *value = fileWord(r->data + c->at);
    c->at += 4;
    return true;
}

static bool takeText(VoxReader *r, Cursor *c, Text *text) {
    if (!takeNumber(r, c, &text->length)) {
        return false;
    }
    if (text->length > c->end - c->at) {
        voxFail(r, "the string of %" PRIu32 " bytes at byte %zu runs past the chunk's end",
                text->length, c->at);
        return false;
    }
    text->start = (const char *)r->data + c->at;
    c->at += text->length;
    return true;
}

static bool textIs(Text text, const char *wanted) {
    return text.length == strlen(wanted) && memcmp(text.start, wanted, text.length) == 0;
}

static bool takeAttributes(VoxReader *r, Cursor *c, Attributes *attributes) {
    uint32_t count;
    memset(attributes, 0, sizeof *attributes);
    if (!takeNumber(r, c, &count)) {
        return false;
    }
    /* A false count ends soon: each pair takes at least 8 bytes of the chunk. */
    for (uint32_t i = 0; i < count; i++) {
        Text key;
        Text value;
        if (!takeText(r, c, &key) || !takeText(r, c, &value)) {
            return false;
        }
        const struct {
            const char *name;
            Text *text;
        } known[] = {
            {"_hidden", &attributes->hidden}, {"_r", &attributes->rotation},
            {"_t", &attributes->translation}, {"_type", &attributes->type},
            {"_emit", &attributes->emission}, {"_weight", &attributes->weight},
            {"_flux", &attributes->flux},
        };
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (textIs(key, known[k].name)) {
                *known[k].text = value;
            }
        }
    }
    return true;
}

static bool isHidden(const Attributes *attributes) {
    return attributes->hidden.start != NULL && textIs(attributes->hidden, "1");
}

/* Whether the text is exactly N integers of 32 bits with spaces between them. */
static bool parseIntegers(Text text, int64_t *values, int count) {
    const char *at = text.start;
    const char *const end = at + text.length;
    for (int i = 0; i < count; i++) {
        while (at < end && *at == ' ') {
            at++;
        }
        const bool negative = at < end && *at == '-';
        at += negative ? 1 : 0;
        const char *const digits = at;
        int64_t value = 0;
        for (; at < end && *at >= '0' && *at <= '9'; at++) {
            value = 10 * value + (*at - '0');
            if (value > (int64_t)INT32_MAX + (negative ? 1 : 0)) {
                return false;
            }
        }
        if (at == digits || (at < end && *at != ' ')) {
            return false;
        }
        values[i] = negative ? -value : value;
    }
    while (at < end && *at == ' ') {
        at++;
    }
    return at == end;
}

static bool failText(VoxReader *r, const char *name, Text text, const char *wanted) {
    const int shown = text.length < 40 ? (int)text.length : 40;
    return voxFail(r, "%s is '%.*s', which is not %s", name, shown, text.start, wanted);
}

static bool readTransform(VoxReader *r, const Attributes *attributes, VoxTransform *transform) {
    const Text translation = attributes->translation;
    const Text rotation = attributes->rotation;
    if (translation.start != NULL && !parseIntegers(translation, transform->move, 3)) {
        return failText(r, "_t", translation, "three integers of 32 bits");
    }
    if (rotation.start == NULL) {
        return true;
    }
    int64_t packed = 0;
    const bool isByte = parseIntegers(rotation, &packed, 1) && packed >= 0 && packed <= 127;
    const uint8_t first = (uint8_t)(packed & 3);
    const uint8_t second = (uint8_t)(packed >> 2 & 3);
    if (!isByte || first == 3 || second == 3 || first == second) {
        return failText(r, "_r", rotation, "a packed rotation");
    }
    transform->axis[0] = first;
    transform->axis[1] = second;
    transform->axis[2] = (uint8_t)(3 - first - second);
    for (int i = 0; i < 3; i++) {
        transform->sign[i] = (packed >> (4 + i) & 1) != 0 ? -1 : 1;
    }
    return true;
}

static bool failSize(VoxReader *r) {
    voxSetChunk(r, "SIZE", r->modelSizeAt);
    return voxFail(r, "there is no XYZI chunk after it%s%s",
                   r->unknown[0] ? ", but one that cannot be read: " : "", r->unknown);
}

static bool readSize(VoxReader *r, Cursor c) {
    if (r->hasSize) {
        return failSize(r);
    }
    uint32_t size[3];
    if (!takeNumber(r, &c, &size[0]) || !takeNumber(r, &c, &size[1]) ||
        !takeNumber(r, &c, &size[2])) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (size[i] < 1 || size[i] > VOX_MAX_MODEL_SIZE) {
            return voxFail(
                r, "a model of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " is not within 1 to %d",
                size[0], size[1], size[2], VOX_MAX_MODEL_SIZE);
        }
        r->modelSize[i] = (uint16_t)size[i];
    }
    r->hasSize = true;
    r->modelSizeAt = r->chunkAt;
    r->unknown[0] = '\0';
    return true;
}

/* Measures the voxels. VoxelShop writes a size that is too small: the model is as large as its
 * voxels then, and is turned about the middle of the size in the file. */
static void measureVoxels(VoxReader *r, VoxModel *model) {
    bool outside = false;
    memset(model->low, UINT8_MAX, sizeof model->low);
    memset(model->high, 0, sizeof model->high);
    for (uint32_t n = 0; n < model->voxelCount; n++) {
        const uint8_t *voxel = r->data + model->voxelsAt + (size_t)4 * n;
        for (int i = 0; i < 3 && voxel[3] != 0; i++) {
            outside = outside || voxel[i] >= model->size[i];
            model->low[i] = voxel[i] < model->low[i] ? voxel[i] : model->low[i];
            model->high[i] = voxel[i] > model->high[i] ? voxel[i] : model->high[i];
        }
        model->solid += voxel[3] != 0;
    }
    r->scene->modelsEnlarged += outside;
    r->scene->colorlessOmitted += model->voxelCount - model->solid;
}

static bool readVoxels(VoxReader *r, Cursor c) {
    uint32_t count;
    if (!r->hasSize) {
        return voxFail(r, "there is no SIZE chunk before it");
    }
    if (!takeNumber(r, &c, &count)) {
        return false;
    }
    if (count > (c.end - c.at) / 4) {
        return voxFail(r, "%" PRIu32 " voxels do not fit into the %zu bytes left of its content",
                       count, c.end - c.at);
    }
    if (r->modelCount == VOX_MAX_MODELS) {
        return voxFail(r, "the file has more than %d models", VOX_MAX_MODELS);
    }
    if (!growItems(&r->models, r->modelCount, &r->modelCapacity, sizeof *r->models)) {
        return voxFail(r, "out of memory for models");
    }
    r->hasSize = false;
    VoxModel *model = &r->models[r->modelCount++];
    model->voxelsAt = c.at;
    model->voxelCount = count;
    model->solid = 0;
    memcpy(model->size, r->modelSize, sizeof model->size);
    measureVoxels(r, model);
    return true;
}

static bool readPalette(VoxReader *r, Cursor c) {
    if (c.end - c.at < PALETTE_ENTRIES * 4) {
        return voxFail(r, "a palette has 1024 bytes, but its content has %zu", c.end - c.at);
    }
    /* The chunk's last entry stands for colour 0, which no voxel has. */
    memcpy(r->scene->palette[1], r->data + c.at, (PALETTE_ENTRIES - 1) * 4);
    return true;
}

/* The palette's order in the editor: the colour at each place, the last of which is not shown.
 * A chunk without that is of no use, and is left out as others are. */
static bool readOrder(VoxReader *r, Cursor c) {
    uint8_t place[PALETTE_ENTRIES] = {0};
    bool found[PALETTE_ENTRIES] = {false};
    bool all = c.end - c.at >= PALETTE_ENTRIES;
    for (int i = 0; i < PALETTE_ENTRIES && all; i++) {
        const uint8_t color = r->data[c.at + (size_t)i];
        all = !found[color];
        found[color] = true;
        place[color] = (uint8_t)(i + 1);
    }
    const uint8_t unused = place[0];
    for (int i = 0; i < PALETTE_ENTRIES; i++) { /* a colour at the last place gets that of 0 */
        place[i] = place[i] == 0 ? unused : place[i];
    }
    place[0] = 0;
    if (all) {
        memcpy(r->place, place, sizeof place);
    }
    return true;
}

static bool readPack(VoxReader *r, Cursor c) {
    (void)c;
    r->hasPack = true;
    return true;
}

static bool readLayer(VoxReader *r, Cursor c) {
    uint32_t id;
    Attributes attributes;
    if (!takeNumber(r, &c, &id) || !takeAttributes(r, &c, &attributes)) {
        return false;
    }
    if (id >= VOX_MAX_LAYERS) {
        return voxFail(r, "layer %" PRId32 " is not within 0 to %d", (int32_t)id,
                       VOX_MAX_LAYERS - 1);
    }
    r->layerHidden[id] = isHidden(&attributes);
    return true;
}

/* A number in a text, 0 if it is none, limited to 0 to most. */
static double parseNumber(Text text, double most) {
    char copy[32] = "";
    if (text.start != NULL && text.length < sizeof copy) {
        memcpy(copy, text.start, text.length);
    }
    const double value = strtod(copy, NULL);
    return value > 0 ? (value < most ? value : most) : 0; /* not a number is not above 0 */
}

/* Light is all that is kept of a material. */
static bool readMaterial(VoxReader *r, Cursor c) {
    uint32_t id;
    Attributes attributes;
    if (!takeNumber(r, &c, &id) || !takeAttributes(r, &c, &attributes)) {
        return false;
    }
    if (attributes.type.start == NULL || id >= PALETTE_ENTRIES || id == 0) {
        return true;
    }
    if (textIs(attributes.type, "_emit")) {
        const Text light = attributes.emission.start != NULL ? attributes.emission
                                                             : attributes.weight;
        r->scene->glow[id][0] = (uint8_t)(100 * parseNumber(light, 1) + 0.5);
        r->scene->glow[id][1] = (uint8_t)(parseNumber(attributes.flux, 99) + 0.5);
    } else if (!textIs(attributes.type, "_diffuse")) {
        r->materialLost[id] = true;
    }
    return true;
}

/* Reads the start of nodes of all kinds, the id and the attributes. NULL after a failure. */
static VoxNode *readNode(VoxReader *r, Cursor *c, VoxNodeKind kind) {
    uint32_t id;
    Attributes attributes;
    if (!takeNumber(r, c, &id) || !takeAttributes(r, c, &attributes)) {
        return NULL;
    }
    if (id >= VOX_MAX_NODES) {
        voxFail(r, "node %" PRId32 " is not within 0 to %d", (int32_t)id, VOX_MAX_NODES - 1);
        return NULL;
    }
    if (r->nodeOfId[id] != 0) {
        voxFail(r, "node %" PRIu32 " was already at byte %zu", id,
                r->nodes[r->nodeOfId[id] - 1].chunkAt);
        return NULL;
    }
    if (!growItems(&r->nodes, r->nodeCount, &r->nodeCapacity, sizeof *r->nodes)) {
        voxFail(r, "out of memory for nodes");
        return NULL;
    }
    VoxNode *node = &r->nodes[r->nodeCount++];
    r->nodeOfId[id] = r->nodeCount;
    *node = (VoxNode){.chunkAt = r->chunkAt,
                      .kind = kind,
                      .layer = UINT32_MAX,
                      .hidden = isHidden(&attributes),
                      .local = voxIdentity};
    return node;
}

static bool readTransformNode(VoxReader *r, Cursor c) {
    VoxNode *node = readNode(r, &c, VOX_TRANSFORM);
    if (node == NULL) {
        return false;
    }
    node->childrenAt = c.at;
    node->childCount = 1;
    uint32_t child;
    uint32_t reserved;
    uint32_t frames;
    if (!takeNumber(r, &c, &child) || !takeNumber(r, &c, &reserved) ||
        !takeNumber(r, &c, &node->layer) || !takeNumber(r, &c, &frames)) {
        return false;
    }
    if (frames == 0) {
        return voxFail(r, "the node has no frame");
    }
    for (uint32_t i = 0; i < frames; i++) {
        Attributes attributes;
        if (!takeAttributes(r, &c, &attributes) ||
            (i == 0 && !readTransform(r, &attributes, &node->local))) {
            return false;
        }
    }
    r->scene->framesOmitted += frames - 1;
    return true;
}

static bool readGroupNode(VoxReader *r, Cursor c) {
    VoxNode *node = readNode(r, &c, VOX_GROUP);
    if (node == NULL || !takeNumber(r, &c, &node->childCount)) {
        return false;
    }
    node->childrenAt = c.at;
    if (node->childCount > (c.end - c.at) / 4) {
        return voxFail(r, "%" PRIu32 " children do not fit into the %zu bytes left of its content",
                       node->childCount, c.end - c.at);
    }
    return true;
}

static bool readShapeNode(VoxReader *r, Cursor c) {
    VoxNode *node = readNode(r, &c, VOX_SHAPE);
    uint32_t count;
    if (node == NULL || !takeNumber(r, &c, &count)) {
        return false;
    }
    node->childrenAt = c.at;
    if (count == 0) {
        return voxFail(r, "the node has no model");
    }
    /* Models after the first are later frames of an animation. */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model;
        Attributes attributes;
        if (!takeNumber(r, &c, &model) || !takeAttributes(r, &c, &attributes)) {
            return false;
        }
    }
    r->scene->framesOmitted += count - 1;
    return true;
}

/* Reads the chunk that the reader is set to, unless it is of a kind to be skipped. */
static bool readChunk(VoxReader *r, Cursor content) {
    static const struct {
        char name[5];
        bool (*read)(VoxReader *, Cursor);
    } kinds[] = {
        {"SIZE", readSize},      {"XYZI", readVoxels},    {"RGBA", readPalette},
        {"PACK", readPack},      {"LAYR", readLayer},     {"nTRN", readTransformNode},
        {"nGRP", readGroupNode}, {"nSHP", readShapeNode}, {"MATL", readMaterial},
        {"IMAP", readOrder},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (memcmp(r->chunk, kinds[i].name, 4) == 0) {
            return kinds[i].read(r, content);
        }
    }
    memcpy(r->unknown, r->chunk, sizeof r->unknown);
    return true;
}

/* Reads the header of the chunk at c->at, checks it against c->end and steps over it. */
static bool takeChunk(VoxReader *r, Cursor *c, Cursor *content, Cursor *children) {
    if (c->end - c->at < CHUNK_HEADER) {
        voxSetChunk(r, NULL, 0);
        return voxFail(r, "the header of the chunk at byte %zu is cut off at byte %zu", c->at,
                       c->end);
    }
    voxSetChunk(r, (const char *)r->data + c->at, c->at);
    const uint32_t contentSize = fileWord(r->data + c->at + 4);
    const uint32_t childrenSize = fileWord(r->data + c->at + 8);
    content->at = c->at + CHUNK_HEADER;
    const size_t left = c->end - content->at;
    if (contentSize > left || childrenSize > left - contentSize) {
        return voxFail(r,
                       "its %" PRIu32 " bytes of content and %" PRIu32
                       " of children do not fit into the %zu bytes up to byte %zu",
                       contentSize, childrenSize, left, c->end);
    }
    content->end = content->at + contentSize;
    children->at = content->end;
    children->end = children->at + childrenSize;
    c->at = children->end;
    return true;
}

bool voxReadChunks(VoxReader *r) {
    if (r->size < FILE_HEADER || memcmp(r->data, "VOX ", 4) != 0) {
        return voxFail(r, "not a .vox file: it does not start with 'VOX ' and a version");
    }
    const uint32_t version = fileWord(r->data + 4);
    if (version != 150 && version != 200) {
        return voxFail(r, "the file has version %" PRIu32 "; only 150 and 200 can be read",
                       version);
    }
    Cursor file = {FILE_HEADER, r->size};
    Cursor content;
    Cursor chunks;
    if (!takeChunk(r, &file, &content, &chunks)) {
        return false;
    }
    if (memcmp(r->chunk, "MAIN", 4) != 0) {
        return voxFail(r, "there should be the chunk MAIN here");
    }
    while (chunks.at < chunks.end) {
        Cursor children;
        if (!takeChunk(r, &chunks, &content, &children) || !readChunk(r, content)) {
            return false;
        }
    }
    if (r->hasSize) {
        return failSize(r);
    }
    voxSetChunk(r, NULL, 0);
    return true;
}
