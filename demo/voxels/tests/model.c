/* SPDX-License-Identifier: MIT */
#include "model.h"

#include "common/array.h"
#include "count_layout.h"
#include "shaders/terrain_trees.h"

#include <stdlib.h>
#include <string.h>

typedef struct Brick {
    uint32_t x, y, z;
    uint8_t voxels[512]; /* x, then y, then z */
} Brick;

/* Bricks as they were before an edit. */
typedef struct Step {
    Brick *bricks;
    size_t count, capacity;
} Step;

struct Model {
    Brick **slots; /* open addressing; bricks stay, empty ones too */
    size_t slotCount, used;
    Step *steps; /* done ones, then undone ones */
    size_t done, stepCount, stepCapacity;
    bool begun;    /* the edit has its step: it changes something */
    uint8_t *copy; /* x, then y, then z */
    uint32_t copySize[3];
    Model *marks; /* its voxels are the marked ones; NULL: none are */
};

static const int32_t worldSize[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};

Model *modelCreate(void) {
    Model *model = calloc(1, sizeof *model);
    if (model) {
        model->slotCount = 1 << 12;
        model->slots = calloc(model->slotCount, sizeof(Brick *));
    }
    if (model && !model->slots) {
        free(model);
        model = NULL;
    }
    return model;
}

static void dropSteps(Model *model, size_t first) {
    for (size_t i = first; i < model->stepCount; ++i) {
        free(model->steps[i].bricks);
    }
    model->stepCount = first;
}

void modelDestroy(Model *model) {
    if (model) {
        for (size_t i = 0; i < model->slotCount; ++i) {
            free(model->slots[i]);
        }
        modelDestroy(model->marks);
        dropSteps(model, 0);
        free(model->copy);
        free(model->slots);
        free(model->steps);
        free(model);
    }
}

/* ---- Bricks and voxels ---------------------------------------------------------------------- */

static Brick **slotOf(const Model *model, uint32_t x, uint32_t y, uint32_t z) {
    size_t at = placeHash(x, y, z, 17) & (model->slotCount - 1);
    while (model->slots[at] &&
           (model->slots[at]->x != x || model->slots[at]->y != y || model->slots[at]->z != z)) {
        at = (at + 1) & (model->slotCount - 1);
    }
    return &model->slots[at];
}

static bool growSlots(Model *model) {
    Brick **old = model->slots;
    size_t count = model->slotCount;
    model->slots = calloc(2 * count, sizeof(Brick *));
    if (!model->slots) {
        model->slots = old;
        return false;
    }
    model->slotCount = 2 * count;
    for (size_t i = 0; i < count; ++i) {
        if (old[i]) {
            *slotOf(model, old[i]->x, old[i]->y, old[i]->z) = old[i];
        }
    }
    free(old);
    return true;
}

/* The brick, made if there is none; NULL: no memory. */
static Brick *wantBrick(Model *model, uint32_t x, uint32_t y, uint32_t z) {
    Brick **slot = slotOf(model, x, y, z);
    if (*slot) {
        return *slot;
    }
    if (2 * ++model->used > model->slotCount) {
        if (!growSlots(model)) {
            return NULL;
        }
        slot = slotOf(model, x, y, z);
    }
    *slot = calloc(1, sizeof(Brick));
    if (*slot) {
        **slot = (Brick){.x = x, .y = y, .z = z};
    }
    return *slot;
}

static uint32_t indexIn(uint32_t x, uint32_t y, uint32_t z) {
    return (z & 7) << 6 | (y & 7) << 3 | (x & 7);
}

uint8_t modelVoxel(const Model *model, int32_t x, int32_t y, int32_t z) {
    if (x < 0 || y < 0 || z < 0 || x >= worldSize[0] || y >= worldSize[1] || z >= worldSize[2]) {
        return 0;
    }
    const Brick *brick = *slotOf(model, (uint32_t)x >> 3, (uint32_t)y >> 3, (uint32_t)z >> 3);
    return brick ? brick->voxels[indexIn((uint32_t)x, (uint32_t)y, (uint32_t)z)] : 0;
}

/* Without an undo record. */
static bool setVoxel(Model *model, uint32_t x, uint32_t y, uint32_t z, uint32_t color) {
    Brick *brick = wantBrick(model, x >> 3, y >> 3, z >> 3);
    if (brick) {
        brick->voxels[indexIn(x, y, z)] = (uint8_t)color;
    }
    return brick != NULL;
}

bool modelPut(Model *model, const BrickSet *set) {
    for (size_t i = 0; i < set->count; ++i) {
        const HostBrick *from = &set->bricks[i];
        Brick *brick = wantBrick(model, from->x, from->y, from->z);
        if (!brick) {
            return false;
        }
        for (uint32_t v = 0; v < 512; ++v) {
            uint32_t number = voxelNumberOf(v & 7, v >> 3 & 7, v >> 6);
            brick->voxels[v] = brickSetVoxel(set, from, number);
        }
    }
    return true;
}

static bool makeColumn(Model *model, uint32_t size, uint32_t seed, const uint32_t origin[3],
                       const TerrainTree *tree, uint32_t x, uint32_t z) {
    const TerrainColumn column = terrainColumn((int)x, (int)z, (int)size, seed);
    for (int y = 0; y < terrainTop((int)size); ++y) {
        int color = terrainVoxel(column, (int)x, y, (int)z, (int)size, seed);
        color = color ? color : treeVoxel(*tree, (int)x, y, (int)z, seed);
        if (color && !setVoxel(model, origin[0] + x, origin[1] + (uint32_t)y, origin[2] + z,
                               (uint32_t)color)) {
            return false;
        }
    }
    return true;
}

bool modelTerrain(Model *model, uint32_t size, uint32_t seed, const uint32_t origin[3]) {
    for (uint32_t z = 0; z < size; ++z) {
        TerrainTree tree = {0};
        for (uint32_t x = 0; x < size; ++x) {
            if (x % TREE_CELL == 0) {
                tree = terrainTree((int)(x / TREE_CELL), (int)(z / TREE_CELL), (int)size, seed);
            }
            if (!makeColumn(model, size, seed, origin, &tree, x, z)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Undo ----------------------------------------------------------------------------------- */

static bool beginStep(Model *model) {
    dropSteps(model, model->done);
    if (!growItems(&model->steps, model->stepCount, &model->stepCapacity, sizeof *model->steps)) {
        return false;
    }
    model->steps[model->stepCount++] = (Step){0};
    model->done = model->stepCount;
    model->begun = true;
    return true;
}

static bool addBrick(Step *step, const Brick *brick) {
    if (!growItems(&step->bricks, step->count, &step->capacity, sizeof *brick)) {
        return false;
    }
    step->bricks[step->count++] = *brick;
    return true;
}

/* Replaces a brick's voxels and notes the old ones. */
static bool replaceBrick(Model *model, const Brick *with) {
    if (!model->begun && !beginStep(model)) {
        return false;
    }
    Brick *brick = wantBrick(model, with->x, with->y, with->z);
    if (!brick || !addBrick(&model->steps[model->stepCount - 1], brick)) {
        return false;
    }
    *brick = *with;
    return true;
}

/* Exchanges a step's bricks with the world's, which undoes it, or redoes it. */
static bool swapStep(Model *model, Step *step) {
    for (size_t i = step->count; i-- > 0;) {
        Brick *brick = wantBrick(model, step->bricks[i].x, step->bricks[i].y, step->bricks[i].z);
        if (!brick) {
            return false;
        }
        const Brick old = *brick;
        *brick = step->bricks[i];
        step->bricks[i] = old;
    }
    return true;
}

bool modelUndo(Model *model) {
    return model->done == 0 || swapStep(model, &model->steps[--model->done]);
}

bool modelRedo(Model *model) {
    return model->done == model->stepCount || swapStep(model, &model->steps[model->done++]);
}

/* ---- Edits ---------------------------------------------------------------------------------- */

static uint8_t smoothed(const Model *model, int32_t x, int32_t y, int32_t z, uint8_t old) {
    uint32_t solid = 0;
    uint8_t color = 0;
    for (int32_t i = 0; i < 27; ++i) {
        uint8_t other = modelVoxel(model, x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
        solid += other != 0;
        color = color ? color : other;
    }
    return solid < 14 ? 0 : old ? old : color;
}

static uint8_t pasted(const Model *model, const Edit *edit, int32_t x, int32_t y, int32_t z) {
    const Spot size = {(int)model->copySize[0], (int)model->copySize[1], (int)model->copySize[2]};
    const Spot from = pasteFrom(*edit, (Spot){x, y, z}, size);
    return model->copy[((size_t)from.z * (size_t)size.y + (size_t)from.y) * (size_t)size.x +
                       (size_t)from.x];
}

static bool isMarked(const Model *model, int32_t x, int32_t y, int32_t z) {
    return model->marks && modelVoxel(model->marks, x, y, z);
}

static uint8_t edited(const Model *model, const Edit *edit, int32_t x, int32_t y, int32_t z,
                      uint8_t old) {
    uint8_t color;
    Spot face;
    switch (edit->tool) {
    case TOOL_ADD:
        return (uint8_t)brushColor(*edit, x, y, z);
    case TOOL_PAINT:
        return old ? (uint8_t)brushColor(*edit, x, y, z) : 0;
    case TOOL_SMOOTH:
        return smoothed(model, x, y, z, old);
    case TOOL_PASTE:
        color = pasted(model, edit, x, y, z);
        return color || (edit->flags & EDIT_REPLACE) ? color : old;
    case TOOL_EXTRUDE:
        face = extrudeFrom(*edit, (Spot){x, y, z});
        color = isMarked(model, face.x, face.y, face.z) ? modelVoxel(model, face.x, face.y, face.z)
                                                        : 0;
        return color == 0 ? old : edit->flags & EDIT_INWARD ? 0 : old ? old : color;
    default:
        return 0;
    }
}

/* A brick after the edit; false: it is the same as before. */
static bool editBrick(const Model *model, const Edit *edit, Brick *brick) {
    bool changed = false;
    for (uint32_t i = 0; i < 512; ++i) {
        int32_t x = (int32_t)(brick->x * 8 + (i & 7));
        int32_t y = (int32_t)(brick->y * 8 + (i >> 3 & 7));
        int32_t z = (int32_t)(brick->z * 8 + (i >> 6));
        uint8_t old = modelVoxel(model, x, y, z);
        const bool covered = edit->flags & EDIT_MARKED ? isMarked(model, x, y, z)
                                                       : brushHas(*edit, x, y, z);
        brick->voxels[i] = covered ? edited(model, edit, x, y, z, old) : old;
        changed = changed || brick->voxels[i] != old;
    }
    return changed;
}

/* All bricks are worked out before any is replaced: smoothing looks at neighbours. */
static bool brushEdit(Model *model, const Edit *edit) {
    int32_t low[3];
    int32_t high[3];
    Step after = {0};
    bool fine = true;
    editBounds(edit, low, high);
    for (int i = 0; i < 3; ++i) {
        low[i] = low[i] < 0 ? 0 : low[i] >> 3;
        high[i] = high[i] < worldSize[i] ? high[i] >> 3 : (worldSize[i] - 1) >> 3;
    }
    for (int32_t z = low[2]; z <= high[2] && fine; ++z) {
        for (int32_t y = low[1]; y <= high[1] && fine; ++y) {
            for (int32_t x = low[0]; x <= high[0] && fine; ++x) {
                Brick brick = {.x = (uint32_t)x, .y = (uint32_t)y, .z = (uint32_t)z};
                fine = !editBrick(model, edit, &brick) || addBrick(&after, &brick);
            }
        }
    }
    for (size_t i = 0; i < after.count && fine; ++i) {
        fine = replaceBrick(model, &after.bricks[i]);
    }
    free(after.bricks);
    return fine;
}

typedef struct Places {
    Spot *places;
    size_t count, capacity;
} Places;

static bool pushPlace(Places *stack, Spot place) {
    if (!growItems(&stack->places, stack->count, &stack->capacity, sizeof place)) {
        return false;
    }
    stack->places[stack->count++] = place;
    return true;
}

static bool canMark(const Model *model, const Edit *edit, Spot at, uint8_t first) {
    const uint8_t color = modelVoxel(model, at.x, at.y, at.z);
    const Spot before = spotBefore(edit->turn, at);
    return color && (edit->shape == MARK_FACE ? !modelVoxel(model, before.x, before.y, before.z)
                                              : edit->shape == MARK_TOUCH || color == first);
}

static bool markFrom(Model *model, const Edit *edit) {
    const Spot start = {edit->ax, edit->ay, edit->az};
    const uint8_t first = modelVoxel(model, start.x, start.y, start.z);
    Places stack = {0};
    bool fine = pushPlace(&stack, start);
    while (stack.count > 0 && fine) {
        const Spot at = stack.places[--stack.count];
        const bool fresh = !isMarked(model, at.x, at.y, at.z) && canMark(model, edit, at, first);
        fine = !fresh || setVoxel(model->marks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, 1);
        for (uint32_t side = 0; side < 6 && fresh && fine; ++side) {
            fine = pushPlace(&stack, spotBefore(side, at));
        }
    }
    free(stack.places);
    return fine;
}

static bool markColor(Model *model, uint8_t color) {
    bool fine = true;
    for (size_t slot = 0; slot < model->slotCount; ++slot) {
        const Brick *brick = model->slots[slot];
        for (uint32_t i = 0; brick && i < 512 && fine; ++i) {
            fine = brick->voxels[i] != color ||
                   setVoxel(model->marks, brick->x * 8 + (i & 7), brick->y * 8 + (i >> 3 & 7),
                            brick->z * 8 + (i >> 6), 1);
        }
    }
    return fine;
}

static bool mark(Model *model, const Edit *edit) {
    modelDestroy(model->marks);
    model->marks = modelCreate();
    return model->marks && (edit->shape == MARK_COLOR ? markColor(model, (uint8_t)edit->colors)
                                                      : markFrom(model, edit));
}

static bool markedEdit(Model *model, const Edit *edit) {
    bool fine = true;
    for (size_t slot = 0; model->marks && slot < model->marks->slotCount && fine; ++slot) {
        const Brick *marked = model->marks->slots[slot];
        if (marked) {
            Brick brick = {.x = marked->x, .y = marked->y, .z = marked->z};
            fine = !editBrick(model, edit, &brick) || replaceBrick(model, &brick);
        }
    }
    return fine;
}

bool modelEdit(Model *model, const Edit *edit) {
    const Edit full = editPasted(edit, model->copySize);
    model->begun = false;
    if (edit->tool == TOOL_PASTE && !model->copy) {
        return false;
    }
    bool fine = edit->tool == TOOL_MARK     ? mark(model, &full)
                : edit->flags & EDIT_MARKED ? markedEdit(model, &full)
                                            : brushEdit(model, &full);
    if ((edit->flags & EDIT_NO_UNDO) != 0) {
        dropSteps(model, 0);
        model->done = 0;
    }
    return fine;
}

bool modelCopy(Model *model, const int32_t low[3], const int32_t high[3], bool marked) {
    size_t bytes = 1;
    size_t i = 0;
    for (int axis = 0; axis < 3; ++axis) {
        model->copySize[axis] = (uint32_t)(high[axis] - low[axis]) + 1;
        bytes *= model->copySize[axis];
    }
    free(model->copy);
    model->copy = malloc(bytes);
    if (!model->copy) {
        return false;
    }
    for (int32_t z = low[2]; z <= high[2]; ++z) {
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                const bool wanted = !marked || isMarked(model, x, y, z);
                model->copy[i++] = wanted ? modelVoxel(model, x, y, z) : 0;
            }
        }
    }
    return true;
}

void modelCount(const Model *model, uint64_t *solid, uint64_t *sum) {
    uint32_t low = 0;
    uint32_t high = 0;
    *solid = 0;
    for (size_t slot = 0; slot < model->slotCount; ++slot) {
        const Brick *brick = model->slots[slot];
        for (uint32_t i = 0; brick && i < 512; ++i) {
            uint32_t x = brick->x * 8 + (i & 7) - WORLD_ORIGIN_X;
            uint32_t y = brick->y * 8 + (i >> 3 & 7) - WORLD_ORIGIN_Y;
            uint32_t z = brick->z * 8 + (i >> 6) - WORLD_ORIGIN_Z;
            if (brick->voxels[i]) {
                ++*solid;
                low += voxelSum(x, y, z, brick->voxels[i], 1);
                high += voxelSum(x, y, z, brick->voxels[i], 2);
            }
        }
    }
    *sum = low | (uint64_t)high << 32;
}

uint64_t modelMarked(const Model *model) {
    uint64_t count = 0;
    uint64_t sum;
    if (model->marks) {
        modelCount(model->marks, &count, &sum);
    }
    return count;
}
