#version 450
#extension GL_GOOGLE_include_directive : require
// One step of a flood: a workgroup floods one brick of the list at a time, an invocation one row of
// 8 voxels, and puts the neighbours that it leads into on the next step's list.
// SPDX-License-Identifier: MIT
#define PUSH FloodPush
#include "edit.glsl"

layout(local_size_x = 64) in;
#include "flood.glsl"

const uint MAX_ROUNDS = 512u; // as many as a brick has voxels

shared uint growing;
shared uint faces;      // those that the flood leaves through, as bits
shared uint slots[6];   // of the neighbours behind them, or MUR_NO_SLOT

uint spread(uint bits, uint match) {
    for (uint i = 0u; i < 7u; ++i) {
        bits |= (bits << 1 | bits >> 1) & match;
    }
    return bits;
}

// Floods the rows in shared memory as far as they go. All invocations come out together.
void floodRows(uint row, uint match) {
    bool going = true;
    for (uint round = 0u; round < MAX_ROUNDS && going; ++round) {
        barrier();
        uint bits = rows[row];
        uint more = bits;
        more |= (row & 7u) > 0u ? rows[row - 1u] : 0u;
        more |= (row & 7u) < 7u ? rows[row + 1u] : 0u;
        more |= row >= 8u ? rows[row - 8u] : 0u;
        more |= row < 56u ? rows[row + 8u] : 0u;
        more = spread(more & match, match);
        if (row == 0u) {
            growing = 0u;
        }
        barrier();
        rows[row] = more;
        if (more != bits) {
            atomicOr(growing, 1u);
        }
        barrier();
        going = growing != 0u;
    }
}

// The neighbours of fresh voxels of this row behind face f (-x, +x, -y, +y, -z, +z): the row and
// its voxels.
uint beyond(uint f, uint row, uint fresh, out uint toRow) {
    toRow = row;
    switch (f) {
    case 0u:
        return (fresh & 1u) << 7;
    case 1u:
        return fresh >> 7;
    case 2u:
        toRow = row + 7u;
        return (row & 7u) == 0u ? fresh : 0u;
    case 3u:
        toRow = row - 7u;
        return (row & 7u) == 7u ? fresh : 0u;
    case 4u:
        toRow = row + 56u;
        return row < 8u ? fresh : 0u;
    default:
        toRow = row - 56u;
        return row >= 56u ? fresh : 0u;
    }
}

// The slot of the neighbour's mask; MUR_NO_SLOT: the flood cannot go there.
uint reachNeighbour(FloodAt flood, uvec3 brick, uint f) {
    ivec3 to = ivec3(brick);
    to[f >> 1] += (f & 1u) == 0u ? -1 : 1;
    if (!isInWorld(to * int(BRICK_WIDTH))) {
        return MUR_NO_SLOT;
    }
    uint value = findBrick(push.world, uvec3(to));
    uint target = flood.flood.target;
    bool possible = brickHasVoxels(value) ||
                    (brickUniform(value) && (target == 0u || brickColor(value) == target));
    uint slot = MUR_NO_SLOT;
    if (possible) {
        uint mark = push.step + 2u; // 1 + the next step
        uint status = mur_insert(flood.flood.table, brickKey(uvec3(to)), mark, slot);
        bool listed = status == MUR_EXISTED &&
                      mur_slot_exchange(flood.flood.table, slot, mark) == mark;
        if (status == MUR_FULL) {
            flood.flood.state = FLOOD_FULL;
        } else if (!listed) {
            uint i = atomicAdd(flood.flood.counts[(push.step + 1u) % 3u], 1u);
            Words(flood.flood.lists[(push.step + 1u) % 2u]).words[i] = slot;
        }
        if (status == MUR_INSERTED) {
            atomicAdd(flood.flood.bricks, 1u);
        }
    }
    return slot;
}

void floodBrick(FloodAt flood, uint slot) {
    uint row = gl_LocalInvocationIndex;
    BrickKey key;
    uint mark;
    mur_slot_entry(flood.flood.table, slot, key, mark);
    uvec3 brick = keyBrick(key);
    uint match = matchingRow(flood, brick, findBrick(push.world, brick), row);
    uint before = markedRow(flood, slot, row);
    uint word = Words(flood.flood.wanted).words[slot * FLOOD_MASK_WORDS + (row >> 2)];
    uint wanted = word >> (8u * (row & 3u)) & 255u;
    barrier();
    rows[row] = before | (wanted & match);
    if (row == 0u) {
        faces = 0u;
    }
    floodRows(row, match);
    uint fresh = rows[row] & ~before;
    storeMarks(flood, slot, row);
    countMarks(flood, brick, row, fresh);
    uint toRow;
    for (uint f = 0u; f < 6u; ++f) {
        if (beyond(f, row, fresh, toRow) != 0u) {
            atomicOr(faces, 1u << f);
        }
    }
    barrier();
    if (row < 6u) {
        bool leaves = (faces & (1u << row)) != 0u;
        slots[row] = leaves ? reachNeighbour(flood, brick, row) : MUR_NO_SLOT;
    }
    barrier();
    for (uint f = 0u; f < 6u; ++f) {
        uint bits = beyond(f, row, fresh, toRow);
        if (bits != 0u && slots[f] != MUR_NO_SLOT) {
            atomicOr(Words(flood.flood.wanted).words[slots[f] * FLOOD_MASK_WORDS + (toRow >> 2)],
                     bits << (8u * (toRow & 3u)));
        }
    }
}

// Marks all of the colour in the brick of that slot of the brick table.
void markColor(FloodAt flood, uint from) {
    uint row = gl_LocalInvocationIndex;
    BrickKey key;
    uint value;
    bool there = mur_slot_entry(push.world.bricks, from, key, value);
    barrier();
    rows[row] = there ? matchingRow(flood, keyBrick(key), value, row) : 0u;
    growing = 0u;
    slots[0] = MUR_NO_SLOT;
    barrier();
    countMarks(flood, keyBrick(key), row, rows[row]);
    if (rows[row] != 0u) {
        growing = 1u;
    }
    barrier();
    if (row == 0u && growing != 0u) {
        if (mur_insert(flood.flood.table, key, 1u, slots[0]) == MUR_FULL) {
            flood.flood.state = FLOOD_FULL;
        }
        atomicAdd(flood.flood.bricks, 1u);
    }
    barrier();
    if (slots[0] != MUR_NO_SLOT) {
        storeMarks(flood, slots[0], row);
    }
}

void main() {
    FloodAt flood = FloodAt(push.flood);
    if (push.step == 0u) {
        bool all = flood.flood.kind == MARK_COLOR;
        uint last = all ? push.world.bricks.slotCount + 1u : 0u;
        for (uint i = gl_WorkGroupID.x; i < last; i += gl_NumWorkGroups.x) {
            markColor(flood, i);
        }
        if (!all && gl_GlobalInvocationID.x == 0u) {
            begin(flood);
        }
        return;
    }
    uint count = flood.flood.counts[push.step % 3u];
    if (gl_GlobalInvocationID.x == 0u) {
        flood.flood.counts[(push.step + 2u) % 3u] = 0u;
        if (count == 0u && flood.flood.state == FLOOD_RUNNING) {
            flood.flood.state = FLOOD_DONE;
        }
    }
    for (uint i = gl_WorkGroupID.x; i < count; i += gl_NumWorkGroups.x) {
        floodBrick(flood, Words(flood.flood.lists[push.step % 2u]).words[i]);
    }
}
