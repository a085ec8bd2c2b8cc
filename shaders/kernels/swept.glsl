// A batch on a table a few times larger than the GPU's cache, part by part: the keys are read once for
// each part of the table that fits into the cache, and each time those dealt with whose home is in that
// part, so that a sector is fetched from memory once instead of once a key. Pays for batches that come
// to most sectors. No workgroup waits for another; as all run side by side and have as much to do, all
// are in the same part most of the time. From the last part to the first, because the end of a table
// that has just been cleared is still in the cache.
//
// A subgroup collects keys of the part in a queue, and deals with them when all its lanes have one; what
// takes long goes back into the queue, so that nobody waits for it. Statuses stay in shared memory until
// their tile is done: writing an eighth of each sector at a time would cost more than the sweeps save.
//
// Keys that come again and again meet in their slots, and the more the smaller the part: a workgroup
// that sees such keys takes the table as one part.
//
// Before it: kernel.glsl, batch.glsl and SWEPT_STATUSES. After it: swept_item and main.
//
// SPDX-License-Identifier: MIT
#include "subgroup.glsl"

// The command for one item, if wanted. Returns its status, one of SWEPT_STATUSES (four, four bits each,
// by code_of(status)), or SWEPT_ON: to be called again, when gone sectors of the probe are behind it. All
// lanes of a subgroup call it.
uint swept_item(MurTableRef table, bool wanted, uint key, uint item, inout uint gone);
const uint SWEPT_ON = 0xFFFFFFFFu;
const uint SWEPT_GONE_MOST = (1u << 18) - 1u; // that gone can be

const uint ROWS = 64u;  // of a workgroup's invocations, at most, in a tile of the batch
const uint CODES = 16u; // of two bits, in a word

// A subgroup's: twice its lanes. A key; its place in the tile, and above that the sectors gone.
shared uvec2 queue[2u * MUR_WORKGROUP];
const uint PLACES = ROWS * MUR_WORKGROUP;
shared uint codes[ROWS / CODES * MUR_WORKGROUP];
shared uint again; // keys that came again in a sample

uint code_of(uint status) {
    return status >> 1 & 2u | status & 1u;
}

uint code_word(uint row, uint column) {
    return row / CODES * MUR_WORKGROUP + column;
}

void note(uint place, uint status) {
    uint code = code_of(status);
    if (code != 0u && mur_wanted(push.statuses)) {
        uint row = place / MUR_WORKGROUP;
        atomicOr(codes[code_word(row, place % MUR_WORKGROUP)], code << 2u * (row % CODES));
    }
}

// All parts, for the rows of a tile that begins with the item first.
void sweep(MurTableRef table, uint first, uint rows, uint count, uint parts) {
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
            bool mine = place < count - first && mur_home(mur_hash(key, table.seed), parts) == part;
            uvec4 votes = subgroupBallot(mine);
            if (mine) {
                uint at = tail + subgroupBallotExclusiveBitCount(votes);
                queue[begin + at % (2u * lanes)] = uvec2(key, place);
            }
            tail += subgroupBallotBitCount(votes);
            subgroupBarrier();
            uint least = part == 0u && row == rows - 1u ? 1u : lanes;
            while (tail - head >= least) {
                bool wanted = gl_SubgroupInvocationID < tail - head;
                uvec2 one = queue[begin + (head + gl_SubgroupInvocationID) % (2u * lanes)];
                uint gone = one.y / PLACES;
                one.y %= PLACES;
                uint status = swept_item(table, wanted, one.x, first + one.y, gone);
                bool on = wanted && status == SWEPT_ON;
                if (wanted && !on) {
                    note(one.y, status);
                }
                head += min(lanes, tail - head);
                subgroupBarrier();
                votes = subgroupBallot(on);
                if (on) {
                    uint at = tail + subgroupBallotExclusiveBitCount(votes);
                    queue[begin + at % (2u * lanes)] = uvec2(one.x, one.y + gone * PLACES);
                }
                tail += subgroupBallotBitCount(votes);
                subgroupBarrier();
            }
        }
    }
}

// Those of the columns that the subgroup has noted itself.
void write_statuses(uint first, uint rows, uint count) {
    uint column = scan_lane();
    for (uint row = 0u; row < rows; ++row) {
        uint place = row * MUR_WORKGROUP + column;
        if (place < count - first) {
            uint code = codes[code_word(row, column)] >> 2u * (row % CODES) & 3u;
            mur_output(push.statuses, first + place, SWEPT_STATUSES >> 4u * code & 15u);
        }
    }
}

// By a sample of four rows of the tile: 1536 pairs of keys. Of many keys that come equally often hardly
// any is equal, of Zipf-distributed ones (exponent 1, 2^22 keys) ten are. Where the batch ends before
// the tile does, no sample is taken. In uniform control flow.
bool is_skewed(uint first, uint rows, uint count) {
    const uint SAMPLE = 4u;
    const uint EQUALS = 4u; // are enough
    if (rows < SAMPLE || first >= count || count - first < rows * MUR_WORKGROUP) {
        return false;
    }
    uint keys[SAMPLE];
    [[unroll]] for (uint i = 0u; i < SAMPLE; ++i) {
        keys[i] = mur_input(push.keys, first + i * rows / SAMPLE * MUR_WORKGROUP + scan_lane());
    }
    uint equals = 0u;
    [[unroll]] for (uint i = 1u; i < SAMPLE; ++i) {
        [[unroll]] for (uint j = 0u; j < i; ++j) {
            equals += keys[i] == keys[j] ? 1u : 0u;
        }
    }
    if (equals != 0u) {
        atomicAdd(again, equals);
    }
    barrier();
    return again >= EQUALS;
}

// In uniform control flow.
void sweep_batch() {
    if (gl_LocalInvocationIndex == 0u) {
        again = 0u;
    }
    barrier();
    uint count = mur_batch_count();
    if (count == 0u) {
        return;
    }
    MurTableRef table = push.table;
    table.flags &= ~MUR_TABLE_HOME_FIRST; // whatever the host thinks: the parts are not in the cache yet
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    // As few tiles for each workgroup as can be, and all as large.
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint tiles = 1u + (count - 1u) / (groups * MUR_WORKGROUP * ROWS);
    uint rows = 1u + (count - 1u) / (groups * MUR_WORKGROUP * tiles);
    uint tile = MUR_WORKGROUP * rows;
    uint least = table.capacity / (push.mode / MUR_MODE_LEAST); // the host did not know the count
    bool one = is_skewed(mur_workgroup() * tile, rows, count) || count < least;
    uint parts = one ? 1u : push.mode % MUR_MODE_LEAST / MUR_MODE_PART;
    for (uint first = mur_workgroup() * tile; first < count; first += groups * tile) {
        for (uint row = 0u; row < rows; row += CODES) {
            codes[code_word(row, scan_lane())] = 0u;
        }
        sweep(table, first, rows, count, parts);
        if (mur_wanted(push.statuses)) {
            write_statuses(first, rows, count);
        }
        if (count - first <= groups * tile) {
            break; // before first passes 2^32
        }
    }
}
