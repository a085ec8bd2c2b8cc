/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include "common/array.h"
#include "count_layout.h"
#include "shaders/terrain_trees.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS = 1 << 16 };

typedef struct Brick {
    struct Brick *next; /* of its chain */
    uint32_t x, y, z;
    uint8_t voxels[512]; /* x, then y, then z */
} Brick;

/* Chains of bricks with equal hashes. Bricks stay, empty ones too. */
typedef struct Voxels {
    Brick *chains[CHAINS];
} Voxels;

/* Bricks as they were before an edit. */
typedef struct Step {
    Brick *bricks;
    size_t count, capacity;
} Step;

static const int32_t worldSize[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};

static Voxels world, marks; /* the voxels of marks are the marked ones */
static Step *steps;         /* done ones, then undone ones */
static size_t done, stepCount, stepCapacity;
static bool begun;    /* the edit has its step: it changes something */
static uint8_t *copy; /* x, then y, then z */
static uint32_t copySize[3];

/* ---- Bricks and voxels ---------------------------------------------------------------------- */

/* The place of the brick in its chain, or of the chain's end. */
static Brick **slotOf(Voxels *voxels, uint32_t x, uint32_t y, uint32_t z) {
    Brick **slot = &voxels->chains[placeHash(x, y, z, 17) % CHAINS];
    while (*slot && ((*slot)->x != x || (*slot)->y != y || (*slot)->z != z)) {
        slot = &(*slot)->next;
    }
    return slot;
}

static void *allocate(size_t size) {
    void *memory = calloc(1, size);
    if (!memory) {
        abort();
    }
    return memory;
}

/* The brick, made if there is none. */
static Brick *wantBrick(Voxels *voxels, uint32_t x, uint32_t y, uint32_t z) {
    Brick **slot = slotOf(voxels, x, y, z);
    if (!*slot) {
        *slot = allocate(sizeof **slot);
        **slot = (Brick){.x = x, .y = y, .z = z};
    }
    return *slot;
}

static uint32_t indexIn(uint32_t x, uint32_t y, uint32_t z) {
    return (z & 7) << 6 | (y & 7) << 3 | (x & 7);
}

static uint8_t voxelOf(Voxels *voxels, int32_t x, int32_t y, int32_t z) {
    if (x < 0 || y < 0 || z < 0 || x >= worldSize[0] || y >= worldSize[1] || z >= worldSize[2]) {
        return 0;
    }
    const Brick *brick = *slotOf(voxels, (uint32_t)x >> 3, (uint32_t)y >> 3, (uint32_t)z >> 3);
    return brick ? brick->voxels[indexIn((uint32_t)x, (uint32_t)y, (uint32_t)z)] : 0;
}

/* Without an undo record. */
static void setVoxel(Voxels *voxels, uint32_t x, uint32_t y, uint32_t z, uint32_t color) {
    wantBrick(voxels, x >> 3, y >> 3, z >> 3)->voxels[indexIn(x, y, z)] = (uint8_t)color;
}

void modelPut(const BrickSet *set) {
    for (size_t i = 0; i < set->count; ++i) {
        const HostBrick *from = &set->bricks[i];
        Brick *brick = wantBrick(&world, from->x, from->y, from->z);
        for (uint32_t v = 0; v < 512; ++v) {
            uint32_t number = voxelNumberOf(v & 7, v >> 3 & 7, v >> 6);
            brick->voxels[v] = brickSetVoxel(set, from, number);
        }
    }
}

static void makeColumn(uint32_t size, uint32_t seed, const uint32_t origin[3],
                       const TerrainTree *tree, uint32_t x, uint32_t z) {
    const TerrainColumn column = terrainColumn((int)x, (int)z, (int)size, seed);
    for (int y = 0; y < terrainTop((int)size); ++y) {
        int color = terrainVoxel(column, (int)x, y, (int)z, (int)size, seed);
        color = color ? color : treeVoxel(*tree, (int)x, y, (int)z, seed);
        if (color) {
            setVoxel(&world, origin[0] + x, origin[1] + (uint32_t)y, origin[2] + z,
                     (uint32_t)color);
        }
    }
}

void modelTerrain(uint32_t size, uint32_t seed, const uint32_t origin[3]) {
    for (uint32_t z = 0; z < size; ++z) {
        TerrainTree tree = {0};
        for (uint32_t x = 0; x < size; ++x) {
            if (x % TREE_CELL == 0) {
                tree = terrainTree((int)(x / TREE_CELL), (int)(z / TREE_CELL), (int)size, seed);
            }
            makeColumn(size, seed, origin, &tree, x, z);
        }
    }
}

/* ---- Undo ----------------------------------------------------------------------------------- */

static void dropSteps(size_t first) {
    for (size_t i = first; i < stepCount; ++i) {
        free(steps[i].bricks);
    }
    done = stepCount = first;
}

static void addBrick(Step *step, const Brick *brick) {
    if (!growItems(&step->bricks, step->count, &step->capacity, sizeof *brick)) {
        abort();
    }
    step->bricks[step->count++] = *brick;
}

/* Replaces a brick's voxels and notes the old ones. */
static void replaceBrick(const Brick *with) {
    if (!begun) {
        dropSteps(done);
        if (!growItems(&steps, stepCount, &stepCapacity, sizeof *steps)) {
            abort();
        }
        steps[stepCount++] = (Step){0};
        done = stepCount;
        begun = true;
    }
    Brick *brick = wantBrick(&world, with->x, with->y, with->z);
    addBrick(&steps[stepCount - 1], brick);
    memcpy(brick->voxels, with->voxels, sizeof brick->voxels);
}

/* Exchanges a step's voxels with the world's, which undoes it, or redoes it. */
static void swapStep(Step *step) {
    for (size_t i = step->count; i-- > 0;) {
        Brick *other = &step->bricks[i];
        Brick *brick = wantBrick(&world, other->x, other->y, other->z);
        const Brick old = *brick;
        memcpy(brick->voxels, other->voxels, sizeof old.voxels);
        memcpy(other->voxels, old.voxels, sizeof old.voxels);
    }
}

void modelUndo(void) {
    if (done > 0) {
        swapStep(&steps[--done]);
    }
}

void modelRedo(void) {
    if (done < stepCount) {
        swapStep(&steps[done++]);
    }
}

/* ---- Edits ---------------------------------------------------------------------------------- */

static uint8_t smoothed(Spot at, uint8_t old) {
    uint32_t solid = 0;
    uint8_t color = 0;
    for (int32_t i = 0; i < 27; ++i) {
        uint8_t other = voxelOf(&world, at.x + i % 3 - 1, at.y + i / 3 % 3 - 1, at.z + i / 9 - 1);
        solid += other != 0;
        color = color ? color : other;
    }
    return solid < 14 ? 0 : old ? old : color;
}

static uint8_t pasted(const Edit *edit, Spot at) {
    const Spot size = {(int)copySize[0], (int)copySize[1], (int)copySize[2]};
    const Spot from = pasteFrom(*edit, at, size);
    return copy[((size_t)from.z * (size_t)size.y + (size_t)from.y) * (size_t)size.x +
                (size_t)from.x];
}

static bool isMarked(int32_t x, int32_t y, int32_t z) {
    return voxelOf(&marks, x, y, z);
}

static uint8_t edited(const Edit *edit, Spot at, uint8_t old) {
    uint8_t color;
    Spot face;
    switch (edit->tool) {
    case TOOL_ADD:
        return (uint8_t)brushColor(*edit, at.x, at.y, at.z);
    case TOOL_PAINT:
        return old ? (uint8_t)brushColor(*edit, at.x, at.y, at.z) : 0;
    case TOOL_SMOOTH:
        return smoothed(at, old);
    case TOOL_PASTE:
        color = pasted(edit, at);
        return color || (edit->flags & EDIT_REPLACE) ? color : old;
    case TOOL_EXTRUDE:
        face = extrudeFrom(*edit, at);
        color = isMarked(face.x, face.y, face.z) ? voxelOf(&world, face.x, face.y, face.z) : 0;
        return color == 0 ? old : edit->flags & EDIT_INWARD ? 0 : old ? old : color;
    default:
        return 0;
    }
}

/* A brick after the edit; false: it is the same as before. */
static bool editBrick(const Edit *edit, Brick *brick) {
    bool changed = false;
    for (uint32_t i = 0; i < 512; ++i) {
        const Spot at = {(int)(brick->x * 8 + (i & 7)), (int)(brick->y * 8 + (i >> 3 & 7)),
                         (int)(brick->z * 8 + (i >> 6))};
        uint8_t old = voxelOf(&world, at.x, at.y, at.z);
        const bool covered = edit->flags & EDIT_MARKED ? isMarked(at.x, at.y, at.z)
                                                       : brushHas(*edit, at.x, at.y, at.z);
        brick->voxels[i] = covered ? edited(edit, at, old) : old;
        changed = changed || brick->voxels[i] != old;
    }
    return changed;
}

/* All bricks are worked out before any is replaced: smoothing looks at neighbours. */
static void brushEdit(const Edit *edit) {
    int32_t low[3];
    int32_t high[3];
    Step after = {0};
    editBounds(edit, low, high);
    for (int i = 0; i < 3; ++i) {
        low[i] = low[i] < 0 ? 0 : low[i] >> 3;
        high[i] = high[i] < worldSize[i] ? high[i] >> 3 : (worldSize[i] - 1) >> 3;
    }
    for (int32_t z = low[2]; z <= high[2]; ++z) {
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                Brick brick = {.x = (uint32_t)x, .y = (uint32_t)y, .z = (uint32_t)z};
                if (editBrick(edit, &brick)) {
                    addBrick(&after, &brick);
                }
            }
        }
    }
    for (size_t i = 0; i < after.count; ++i) {
        replaceBrick(&after.bricks[i]);
    }
    free(after.bricks);
}

typedef struct Places {
    Spot *places;
    size_t count, capacity;
} Places;

static void pushPlace(Places *stack, Spot place) {
    if (!growItems(&stack->places, stack->count, &stack->capacity, sizeof place)) {
        abort();
    }
    stack->places[stack->count++] = place;
}

static bool canMark(const Edit *edit, Spot at, uint8_t first) {
    const uint8_t color = voxelOf(&world, at.x, at.y, at.z);
    const Spot before = spotBefore(edit->turn, at);
    return color && (edit->shape == MARK_FACE ? !voxelOf(&world, before.x, before.y, before.z)
                                              : edit->shape == MARK_TOUCH || color == first);
}

static void markFrom(const Edit *edit) {
    const Spot start = {edit->ax, edit->ay, edit->az};
    const uint8_t first = voxelOf(&world, start.x, start.y, start.z);
    Places stack = {0};
    pushPlace(&stack, start);
    while (stack.count > 0) {
        const Spot at = stack.places[--stack.count];
        if (!isMarked(at.x, at.y, at.z) && canMark(edit, at, first)) {
            setVoxel(&marks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, 1);
            for (uint32_t side = 0; side < 6; ++side) {
                pushPlace(&stack, spotBefore(side, at));
            }
        }
    }
    free(stack.places);
}

static void markColor(uint8_t color) {
    for (size_t chain = 0; chain < CHAINS; ++chain) {
        for (const Brick *brick = world.chains[chain]; brick; brick = brick->next) {
            for (uint32_t i = 0; i < 512; ++i) {
                if (brick->voxels[i] == color) {
                    setVoxel(&marks, brick->x * 8 + (i & 7), brick->y * 8 + (i >> 3 & 7),
                             brick->z * 8 + (i >> 6), 1);
                }
            }
        }
    }
}

static void mark(const Edit *edit) {
    for (size_t chain = 0; chain < CHAINS; ++chain) {
        for (Brick *brick; (brick = marks.chains[chain]); free(brick)) {
            marks.chains[chain] = brick->next;
        }
    }
    if (edit->shape == MARK_COLOR) {
        markColor((uint8_t)edit->colors);
    } else {
        markFrom(edit);
    }
}

static void markedEdit(const Edit *edit) {
    for (size_t chain = 0; chain < CHAINS; ++chain) {
        for (const Brick *at = marks.chains[chain]; at; at = at->next) {
            Brick brick = {.x = at->x, .y = at->y, .z = at->z};
            if (editBrick(edit, &brick)) {
                replaceBrick(&brick);
            }
        }
    }
}

void modelEdit(const Edit *edit) {
    const Edit full = editPasted(edit, copySize);
    begun = false;
    (edit->tool == TOOL_MARK ? mark : edit->flags & EDIT_MARKED ? markedEdit : brushEdit)(&full);
    if ((edit->flags & EDIT_NO_UNDO) != 0) {
        dropSteps(0);
    }
}

void modelCopy(const int32_t low[3], const int32_t high[3], bool marked) {
    size_t i = 0;
    for (int axis = 0; axis < 3; ++axis) {
        copySize[axis] = (uint32_t)(high[axis] - low[axis]) + 1;
    }
    free(copy);
    copy = allocate((size_t)copySize[0] * copySize[1] * copySize[2]);
    for (int32_t z = low[2]; z <= high[2]; ++z) {
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            for (int32_t x = low[0]; x <= high[0]; ++x) {
                const bool wanted = !marked || isMarked(x, y, z);
                copy[i++] = wanted ? voxelOf(&world, x, y, z) : 0;
            }
        }
    }
}

/* Returns the number of solid voxels. sum: their checksum. */
static uint64_t countVoxels(const Voxels *voxels, uint64_t *sum) {
    uint64_t solid = 0;
    uint32_t low = 0;
    uint32_t high = 0;
    for (size_t chain = 0; chain < CHAINS; ++chain) {
        for (const Brick *brick = voxels->chains[chain]; brick; brick = brick->next) {
            for (uint32_t i = 0; i < 512; ++i) {
                uint32_t x = brick->x * 8 + (i & 7) - WORLD_ORIGIN_X;
                uint32_t y = brick->y * 8 + (i >> 3 & 7) - WORLD_ORIGIN_Y;
                uint32_t z = brick->z * 8 + (i >> 6) - WORLD_ORIGIN_Z;
                if (brick->voxels[i]) {
                    ++solid;
                    low += voxelSum(x, y, z, brick->voxels[i], 1);
                    high += voxelSum(x, y, z, brick->voxels[i], 2);
                }
            }
        }
    }
    *sum = low | (uint64_t)high << 32;
    return solid;
}

uint64_t modelCount(uint64_t *sum) {
    return countVoxels(&world, sum);
}

uint64_t modelMarked(void) {
    uint64_t sum;
    return countVoxels(&marks, &sum);
}
