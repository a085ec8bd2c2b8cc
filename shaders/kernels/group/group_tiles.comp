#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdGroup: workgroups group pairs in shared memory, by a set of their keys. Variants:
//   BINS       a workgroup groups the pairs of a bin, and writes the groups and the slots of their
//              keys. If the bin is too large, it is cut into tiles instead
//   SORT_BINS  as BINS; also sorts the values of each group
//   COUNT      each tile inserts its keys, whose values count pairs, starting at the empty value
//   PLACE      after group_offsets.comp: writes the values of each tile into the groups
// A batch that is not split consists of tiles. Compiled once per table type and atomic width.
// SPDX-License-Identifier: MIT
#include "group.glsl"
#include "../header.glsl"

const bool ASCENDING = MUR_VARIANT == MUR_GROUP_SORT_BINS;
const bool BINS = MUR_VARIANT == MUR_GROUP_BINS || ASCENDING;
const bool COUNT = MUR_VARIANT == MUR_GROUP_COUNT;
#define GROUP_VALUES (!COUNT)
#include "group_set.glsl"

// Return the indices at which the pairs of a bin or a tile begin and end.
uvec2 bin_range(uint bin) {
    uint begin = bin == 0u ? 0u : mur_input(push.counters, bin - 1u);
    return uvec2(begin, max(begin, mur_input(push.counters, bin)));
}

uvec2 tile_range(uint tile) {
    if (mur_wanted(push.tiles)) {
        return MurPairPlain(mur_offset(push.tiles, tile, 3u)).pair;
    }
    uint end = mur_count_at(push.count, push.maxCount);
    return uvec2(tile * push.tile, min((tile + 1u) * push.tile, end));
}

uint tile_total() {
    if (mur_wanted(push.tiles)) {
        return mur_input(push.scratch, MUR_GROUP_TILES);
    }
    return (mur_count_at(push.count, push.maxCount) + push.tile - 1u) / push.tile;
}

void cut(uvec2 range) {
    uint tiles = (range.y - range.x - 1u) / push.tile + 1u;
    if (gl_LocalInvocationIndex == 0u) {
        words[0] = atomicAdd(SCRATCH(MUR_GROUP_TILES), tiles);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < tiles; i += MUR_WORKGROUP) {
        uint begin = range.x + i * push.tile;
        uint end = begin + min(range.y - begin, push.tile);
        MurPairOut(mur_offset(push.tiles, words[0] + i, 3u)).pair = uvec2(begin, end);
    }
    barrier();
}

// Inserts a key whose group has `count` pairs.
uint insert(MurTableRef table, uvec2 hash, uint value, uint count, out uint slot) {
    uvec2 old;
    uint status = mur_insert_hash(table, KERNEL_FORMAT, uvec3(hash, 0u), uvec2(value, 0u),
                                  MUR_MODE_INSERT, slot, old);
    if (status == MUR_FULL) {
        mur_count(table, MUR_HEADER_FAILED_INSERTS, count - 1u); // the insert counts one pair
    }
    return status;
}

#include "group_bins.glsl"

// Inserts a tile's keys, or adds to their counts. Lists slots of new keys for group_offsets.comp.
void count_pairs(MurTableRef table) {
    low[0] = 0u;
    barrier();
    uint claimed[ITEMS];
    uint listed[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        claimed[i] = MUR_NO_SLOT;
        if (leads(i)) {
            uint count = led(i), slot;
            uint status = insert(table, hashes[i], mur_empty_value(table) + count, count, slot);
            if (status == MUR_INSERTED) {
                claimed[i] = slot;
                listed[i] = atomicAdd(low[0], 1u);
            } else if (status == MUR_EXISTED) {
                mur_apply(table, KERNEL_FORMAT, slot, 0u, uvec2(count, 0u), MUR_MODE_ADD);
            }
        }
    }
    barrier();
    if (low[0] == 0u) {
        return;
    }
    if (gl_LocalInvocationIndex == 0u) {
        low[1] = atomicAdd(SCRATCH(MUR_GROUP_KEYS), low[0]);
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (claimed[i] != MUR_NO_SLOT) {
            mur_output(push.slots, low[1] + listed[i], claimed[i]);
        }
    }
}

// Writes a tile's values into their groups. The first word of a group counts the values that are
// written, so it is also the offset of the tile's first value.
void place_values(MurTableRef table) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (leads(i)) {
            uvec2 first;
            mur_probe(table, KERNEL_FORMAT, uvec3(hashes[i], 0u), first);
            bool there = first.x != mur_empty_value(table);
            words[place[i]] = there ? first.x + 1u + atomicAdd(GROUPS(first.x), led(i)) : 0u;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint first = rank[i] != NONE ? words[place[i]] : 0u;
        if (first != 0u) {
            GROUPS(first + rank[i]) = values[i];
        }
    }
}

void main() {
    MurTableRef table = mur_kernel_table(push.table);
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint total = BINS ? push.bins : tile_total();
    for (uint i = mur_workgroup(); i < total; i += stride) {
        uvec2 range = BINS ? bin_range(i) : tile_range(i);
        uint count = range.y - range.x;
        if (BINS && count > ROOM) {
            cut(range);
        }
        count = count <= ROOM ? count : 0u;
        if (count != 0u) {
            read_pairs(table, range);
        }
        find_leaders(count);
        if (BINS) {
            uint begins[ITEMS];
            uint first = 0u;
            if (count != 0u) {
                first = write_groups(table, begins);
            }
            write_slots(table, i, range.x, first, begins);
        } else if (COUNT) {
            count_pairs(table);
        } else {
            place_values(table);
        }
        barrier();
    }
    if (COUNT) {
        insert_left(table);
    }
}
