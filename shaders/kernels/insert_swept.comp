#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
// murCmdInsert into a table a few times larger than the GPU's cache, for batches that come to most of
// its sectors: the keys are read once for each part of the table that fits into the cache, and each
// time those inserted whose home is in that part, so that a sector is fetched from memory once instead
// of once a key. No workgroup waits for another; as all run side by side and have as much to do, all
// are in the same part most of the time. From the last part to the first, because the end of a table
// that has just been cleared is still in the cache.
//
// A subgroup collects keys of the part in a queue and inserts when all its lanes have one. Statuses
// stay in shared memory until their tile is done: writing an eighth of each sector's at a time would
// cost more than the sweeps save. Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
shared uint claims; // as in insert.comp
#define MUR_FIRST_CLAIM (atomicExchange(claims, 1u) == 0u)
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"
#include "subgroup.glsl"

const uint ROWS = 64u; // of a workgroup's invocations, at most, in a tile of the batch
const uint CODES = 16u; // of two bits, in a word of statuses
const uint STATUSES = MUR_INSERTED | MUR_EXISTED << 4 | MUR_REFUSED << 8 | MUR_FULL << 12; // by code

shared uvec2 queue[2u * MUR_WORKGROUP]; // a subgroup's: twice its lanes; keys, places in the tile
shared uint codes[ROWS / CODES * MUR_WORKGROUP];

uint code_of(uint status) {
    return status >> 1 & 2u | status & 1u;
}

uint code_word(uint row, uint column) {
    return row / CODES * MUR_WORKGROUP + column;
}

MurTableRef the_table() {
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    table.flags &= ~MUR_TABLE_HOME_FIRST;
    return table;
}

void insert(MurTableRef table, uint key, uint first, uint place) {
    uint item = first + place;
    uint slot;
    uint status = mur_insert_mode(table, key, mur_input(push.values, item), push.mode & MUR_MODE_MASK, slot);
    uint code = code_of(status);
    if (code != 0u && mur_wanted(push.statuses)) {
        uint row = place / MUR_WORKGROUP;
        atomicOr(codes[code_word(row, place % MUR_WORKGROUP)], code << 2u * (row % CODES));
    }
    mur_output(push.slots, item, slot);
}

// All parts, for the rows of a tile that begins with the item first.
void sweep(uint first, uint rows, uint count, uint parts) {
    MurTableRef table = the_table();
    uint lanes = subgroup_lanes();
    uint column = scan_lane();
    uint begin = 2u * (column - gl_SubgroupInvocationID); // of the subgroup's queue
    uint head = 0u;
    uint tail = 0u;
    for (uint part = parts; part-- != 0u;) {
        uint next = mur_input(push.keys, min(first + column, count - 1u));
        for (uint row = 0u; row < rows; ++row) {
            uint place = row * MUR_WORKGROUP + column;
            uint key = next;
            next = mur_input(push.keys, min(first + place + MUR_WORKGROUP, count - 1u));
            bool mine = first + place < count && mur_home(mur_hash(key, table.seed), parts) == part;
            uvec4 votes = subgroupBallot(mine);
            if (mine) {
                uint at = tail + subgroupBallotExclusiveBitCount(votes);
                queue[begin + at % (2u * lanes)] = uvec2(key, place);
            }
            tail += subgroupBallotBitCount(votes);
            subgroupBarrier();
            uint least = part == 0u && row == rows - 1u ? 1u : lanes;
            while (tail - head >= least) {
                if (gl_SubgroupInvocationID < tail - head) {
                    uvec2 one = queue[begin + (head + gl_SubgroupInvocationID) % (2u * lanes)];
                    insert(table, one.x, first, one.y);
                }
                head += min(lanes, tail - head);
                subgroupBarrier();
            }
        }
    }
}

// Those of the columns that the subgroup has noted itself.
void write_statuses(uint first, uint rows, uint count) {
    uint column = scan_lane();
    for (uint row = 0u; row < rows; ++row) {
        uint item = first + row * MUR_WORKGROUP + column;
        if (item < count) {
            uint code = codes[code_word(row, column)] >> 2u * (row % CODES) & 3u;
            mur_output(push.statuses, item, STATUSES >> 4u * code & 7u);
        }
    }
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    barrier();
    uint count = mur_batch_count();
    if (count == 0u) {
        return;
    }
    uint parts = push.mode / MUR_MODE_PART;
    parts = count < push.table.capacity / parts ? 1u : parts; // fewer items than the host expected
    // As few tiles for each workgroup as can be, and all as large.
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint tiles = 1u + (count - 1u) / (groups * MUR_WORKGROUP * ROWS);
    uint rows = 1u + (count - 1u) / (groups * MUR_WORKGROUP * tiles);
    uint tile = MUR_WORKGROUP * rows;
    for (uint first = mur_workgroup() * tile; first < count; first += groups * tile) {
        for (uint row = 0u; row < rows; row += CODES) {
            codes[code_word(row, scan_lane())] = 0u;
        }
        sweep(first, rows, count, parts);
        if (mur_wanted(push.statuses)) {
            write_statuses(first, rows, count);
        }
        if (count - first <= groups * tile) {
            break; // before first passes 2^32
        }
    }
}
