/* Greedy meshing, after M. Lysenko, "Meshing in a Minecraft Game" (0fps.net, 2012): faces are
 * joined to rows, and rows of the same ends to rectangles. Sorting makes joinable faces adjacent,
 * so memory grows with the world's surface, not with its volume.
 * SPDX-License-Identifier: MIT */
#include "mesh.h"

#include "common/array.h"
#include "shaders/world_layout.h"

#include <string.h>

/* By all that must be the same if one is to continue another along axis k of their size; last by
 * the place there. */
static int compareAlong(const MeshQuad *a, const MeshQuad *b, uint32_t k) {
    const uint32_t axis = a->face / 2u;
    const uint32_t along = (axis + 1 + k) % 3, across = (axis + 2 - k) % 3;
    const uint32_t words[6][2] = {{a->face, b->face},
                                  {a->color, b->color},
                                  {a->at[axis], b->at[axis]},
                                  {a->at[across], b->at[across]},
                                  {a->size[1 - k], b->size[1 - k]},
                                  {a->at[along], b->at[along]}};
    for (int i = 0; i < 6; ++i) {
        if (words[i][0] != words[i][1]) {
            return words[i][0] < words[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static int compareRows(const void *a, const void *b) {
    return compareAlong(a, b, 0);
}

static int compareColumns(const void *a, const void *b) {
    return compareAlong(a, b, 1);
}

/* Makes the last one longer, if the new one continues it along axis k of its size; else adds it. */
static bool append(Mesh *mesh, const MeshQuad *quad, uint32_t k) {
    if (mesh->count > 0) {
        MeshQuad *last = &mesh->quads[mesh->count - 1];
        MeshQuad end = *last;
        end.at[(last->face / 2u + 1 + k) % 3] += last->size[k];
        if (compareAlong(&end, quad, k) == 0) {
            last->size[k] += quad->size[k];
            return true;
        }
    }
    if (!growItems(&mesh->quads, mesh->count, &mesh->capacity, sizeof *quad)) {
        return false;
    }
    mesh->quads[mesh->count++] = *quad;
    return true;
}

static void join(Mesh *mesh, uint32_t k) {
    const size_t count = mesh->count;
    if (count > 0) {
        qsort(mesh->quads, count, sizeof *mesh->quads, k == 0 ? compareRows : compareColumns);
    }
    mesh->count = 0;
    for (size_t i = 0; i < count; ++i) {
        const MeshQuad quad = mesh->quads[i];
        (void)append(mesh, &quad, k); /* never more than there were */
    }
}

/* The faces of a brick's voxels that look one way. */
static bool addFaces(const BrickSet *set, const HostBrick *brick, uint32_t face, Mesh *mesh) {
    const uint32_t axis = face / 2, up = face % 2;
    const uint32_t place[3] = {brick->x, brick->y, brick->z};
    uint32_t next[3] = {brick->x, brick->y, brick->z};
    next[axis] += up ? 1 : UINT32_MAX;
    const HostBrick *beside = brickSetFind(set, next);
    bool fine = true;
    for (uint32_t i = 0; i < BRICK_VOXELS && fine; ++i) {
        uint32_t at[3], to[3];
        at[(axis + 1) % 3] = to[(axis + 1) % 3] = i % 8;
        at[(axis + 2) % 3] = to[(axis + 2) % 3] = i / 8 % 8;
        at[axis] = i / 64;
        to[axis] = (at[axis] + (up ? 1 : 7)) % 8;
        const HostBrick *other = at[axis] == (up ? 7 : 0) ? beside : brick;
        const uint8_t color = brickSetVoxel(set, brick, voxelNumberOf(at[0], at[1], at[2]));
        if (color && !(other && brickSetVoxel(set, other, voxelNumberOf(to[0], to[1], to[2])))) {
            MeshQuad quad = {.size = {1, 1}, .face = (uint8_t)face, .color = color};
            for (uint32_t j = 0; j < 3; ++j) {
                quad.at[j] = place[j] * BRICK_WIDTH + at[j] + (j == axis ? up : 0);
            }
            fine = append(mesh, &quad, 0);
        }
    }
    return fine;
}

bool meshMake(const BrickSet *set, Mesh *mesh) {
    bool fine = true;
    for (size_t i = 0; i < 6 * set->count && fine; ++i) {
        fine = addFaces(set, &set->bricks[i / 6], (uint32_t)(i % 6), mesh);
    }
    join(mesh, 0);
    join(mesh, 1);
    return fine;
}

void meshFree(Mesh *mesh) {
    free(mesh->quads);
    memset(mesh, 0, sizeof *mesh);
}
