#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled path, second: each workgroup gathers the pairs of one slice from all tiles,
// places them in shared memory, in order of hash, and writes the slice's slots. What is pushed over
// its end goes to scratch memory, for tile_settle.comp.
// Source of the ordering: Amble and Knuth, "Ordered hash tables", 1974.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_LARGE_WORKGROUP
#define MUR_SUBGROUP
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"
#include "tile_others.glsl"

const uint SLICE = 1u << MUR_TILED_BITS;
const uint ROOM = SLICE + MUR_BUILD_SPILL; // the slice, what it pushes out
const uint ITEMS = SLICE / MUR_WORKGROUP; // pairs an invocation
const uint TILES = MUR_TILE_COUNT / MUR_WORKGROUP; // tiles an invocation
const uint SLOTS = (ROOM + MUR_WORKGROUP - 1u) / MUR_WORKGROUP; // an invocation writes

// Takes turns: sums; where the pairs are; the slots' hashes; their values.
shared uint words[ROOM];
#define SCAN_MEMORY words
#include "scan.glsl"
shared uint taken[MUR_WORKGROUP / 32u]; // slots of this slice

// This invocation's pairs; later, the hash's slot instead of the hash.
uvec2 pairs[ITEMS];

// Lists the slice's pairs, words[i] being the index of the i-th among all tiles' pairs, and returns
// how many there are. A slice that far too many crowd into goes without: tile_settle.comp inserts
// them.
uint list_pairs(uint slice) {
    uint begin[TILES];
    uint count[TILES];
    uint sum = 0u;
    [[unroll]] for (uint i = 0u; i < TILES; ++i) {
        uint tile = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        begin[i] = 0u;
        count[i] = 0u;
        if (tile * push.tile < push.maxCount) { // loads that do not wait for the batch's count
            MurWordsIn begins = MurWordsIn(tile_begins(tile));
            begin[i] = begins.words[slice];
            count[i] = begins.words[slice + 1u] - begin[i];
        }
        count[i] = tile * push.tile < tile_items() ? count[i] : 0u;
        sum += count[i];
    }
    uint total;
    uint item = workgroup_sum_before(sum, total);
    if (total > SLICE) {
        tile_irregular();
        return 0u;
    }
    [[unroll]] for (uint i = 0u; i < TILES; ++i) {
        uint first = (i * MUR_WORKGROUP + gl_LocalInvocationIndex) * push.tile + begin[i];
        for (uint k = 0u; k < count[i]; ++k) {
            words[item++] = first + k;
        }
    }
    barrier();
    return total;
}

void read_pairs(uint total) {
    MurPairsIn all = MurPairsIn(tile_pairs());
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < total) {
            pairs[i] = all.pairs[words[item]];
        }
    }
    barrier();
}

// Slots are counted from the slice's first.
void place(uint slot, uint end, uint hash) {
    while (slot < end) {
        uint seen = atomicMin(words[slot], hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return;
        }
        hash = max(seen, hash);
        ++slot;
    }
    tile_irregular();
}

// Where the hash is; ROOM if nowhere.
uint find_place(uint slot, uint hash) {
    for (; slot < ROOM; ++slot) {
        if (words[slot] >= hash) {
            return words[slot] == hash ? slot : ROOM;
        }
    }
    return ROOM;
}

// Puts the hashes in order, and each pair's slot into where its hash was.
void place_pairs(uint first) {
    uint lane = gl_LocalInvocationIndex;
    for (uint slot = lane; slot < ROOM; slot += MUR_WORKGROUP) {
        words[slot] = MUR_EMPTY;
    }
    barrier();
    uint end = min(push.table.slotCount - first, ROOM);
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            place(mur_home(pairs[i].x, push.table.capacity) - first, end, pairs[i].x);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        pairs[i].x = pairs[i].x == MUR_EMPTY
                         ? ROOM
                         : find_place(mur_home(pairs[i].x, push.table.capacity) - first,
                                      pairs[i].x);
    }
}

// Writes the slice's slots and what it pushes out; the last slice, which owns the padding, pushes
// nothing out.
void write_slots(uint slice, bool last) {
    uint lane = gl_LocalInvocationIndex;
    uint hashes[SLOTS];
    uint count = 0u;
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint slot = i * MUR_WORKGROUP + lane;
        hashes[i] = slot < ROOM ? words[slot] : MUR_EMPTY;
        count += slot < SLICE && hashes[i] != MUR_EMPTY ? 1u : 0u;
    }
    atomicAdd(taken[lane / 32u], count);
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x < ROOM) {
            words[pairs[i].x] = pairs[i].y;
        }
    }
    barrier();
    uint none = mur_no_value(push.table);
    uint first = slice * SLICE;
    uint owned = last ? push.table.slotCount - first : SLICE;
    MurPairsOut slots = MurPairsOut(mur_offset(mur_slots_address(push.table), first, 3u));
    MurPairsOut spill = MurPairsOut(tile_spill(slice));
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint slot = i * MUR_WORKGROUP + lane;
        uvec2 pair = uvec2(hashes[i], none);
        if (hashes[i] != MUR_EMPTY) {
            pair.y = words[slot];
        }
        if (slot < owned) {
            slots.pairs[slot] = pair;
        } else if (!last && slot < ROOM) {
            spill.pairs[slot - SLICE] = pair;
        }
    }
    for (uint slot = SLOTS * MUR_WORKGROUP + lane; slot < owned; slot += MUR_WORKGROUP) {
        slots.pairs[slot] = uvec2(MUR_EMPTY, none);
    }
}

// Has the slice too few free slots for what another may push into it?
bool is_tight() {
    uint count = 0u;
    for (uint i = 0u; i < taken.length(); ++i) {
        count += taken[i];
    }
    return count + MUR_BUILD_SPILL > SLICE;
}

void build_slice(uint slice) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < taken.length()) {
        taken[lane] = 0u;
    }
    read_pairs(list_pairs(slice));
    place_pairs(slice * SLICE);
    barrier();
    bool last = slice + 1u == tile_bins();
    write_slots(slice, last);
    if (lane == 0u && !last && is_tight()) {
        tile_irregular();
    }
}

// There is one workgroup more than slices.
void main() {
    uint slice = gl_WorkGroupID.x; // there are few
    if (slice < tile_bins()) {
        build_slice(slice);
    } else {
        settle_others();
    }
}
