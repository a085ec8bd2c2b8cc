#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled path, first: each workgroup sorts a tile of the batch by slice, by a counting
// sort in shared memory, and says where each slice's pairs begin. Nothing is shared between
// workgroups, so that nothing has to be prepared. The first one also writes the header. Compiled
// for several sizes of tile.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_LARGE_WORKGROUP
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"
#include "header.glsl"

const uint ITEMS = MUR_TILE_ITEMS; // pairs an invocation
const uint TILE = ITEMS * MUR_WORKGROUP;
const uint BINS = MUR_TILE_SLICES + 1u;

shared uint bins[BINS];
shared uint staged[max(TILE, SCAN_WORDS)];
#define SCAN_MEMORY staged
#include "scan.glsl"

// This invocation's pairs, their bins, and their places: in the bin, then in the tile.
uvec2 pairs[ITEMS];
uint bin_of[ITEMS];
uint places[ITEMS];

void write_header() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < MUR_HEADER_STORES) {
        uvec4 words = header_words(push.table, lane);
        if (lane == MUR_HEADER_STATE / 4u) {
            words[MUR_HEADER_STATE % 4u] = MUR_STATE_ORDERED;
        }
        MurHalfOut(mur_offset(push.table.address, lane, 4u)).words = words;
    }
    if (lane == 0u) {
        mur_output(push.scratch, MUR_TILE_IRREGULAR, 0u);
    }
}

void read_pairs(uint begin, uint end) {
    // All loads first, none behind a branch, so that their latencies overlap.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = min(begin + i * MUR_WORKGROUP + gl_LocalInvocationIndex, end - 1u);
        pairs[i] = uvec2(MurWordsIn(push.keys).words[item], MurWordsIn(push.values).words[item]);
    }
    uint none = mur_no_value(push.table);
    uint slices = tile_slices();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        pairs[i].x = mur_hash(pairs[i].x, push.table.seed);
        bool sliced = pairs[i].x != MUR_EMPTY && pairs[i].y != none;
        bin_of[i] = sliced ? mur_home(pairs[i].x, push.table.capacity) >> push.sliceBits : slices;
    }
}

// Replaces the bins' counts by where they begin in the tile, and publishes that.
void begin_bins(uint tile) {
    uint slices = tile_slices();
    uint each = slices / MUR_WORKGROUP + 1u; // bins an invocation: slices + 1 in all
    uint first = gl_LocalInvocationIndex * each;
    uint last = min(first + each, slices + 1u);
    uint sum = 0u;
    for (uint bin = first; bin < last; ++bin) {
        sum += bins[bin];
    }
    uint total;
    uint begin = workgroup_sum_before(sum, total);
    MurWordsOut begins = MurWordsOut(tile_begins(tile));
    for (uint bin = first; bin < last; ++bin) {
        uint count = bins[bin];
        bins[bin] = begin;
        begins.words[bin] = begin;
        begin += count;
    }
    if (gl_LocalInvocationIndex == 0u) {
        begins.words[slices + 1u] = total;
    }
}

void write_sorted(uint begin, uint end, uint tile) {
    MurPairsOut to = MurPairsOut(tile_pairs(tile));
    uint lane = gl_LocalInvocationIndex;
#if MUR_TILE_ITEMS == 1
    if (begin + lane < end) {
        to.pairs[places[0]] = pairs[0];
    }
#else
    // Hashes and values take turns in shared memory.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (begin + i * MUR_WORKGROUP + lane < end) {
            staged[places[i]] = pairs[i].x;
        }
    }
    barrier();
    uint hashes[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        hashes[i] = staged[i * MUR_WORKGROUP + lane];
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (begin + i * MUR_WORKGROUP + lane < end) {
            staged[places[i]] = pairs[i].y;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        if (begin + item < end) {
            to.pairs[item] = uvec2(hashes[i], staged[item]);
        }
    }
#endif
}

void main() {
    uint tile = mur_workgroup();
    uint lane = gl_LocalInvocationIndex;
    if (tile == 0u) {
        write_header();
    }
    uint count = tile_items();
    uint begin = tile * TILE;
    if (begin >= count) {
        return;
    }
    uint end = begin + min(count - begin, TILE);
    read_pairs(begin, end);
    for (uint bin = lane; bin <= tile_slices(); bin += MUR_WORKGROUP) {
        bins[bin] = 0u;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (begin + i * MUR_WORKGROUP + lane < end) {
            places[i] = atomicAdd(bins[bin_of[i]], 1u);
        }
    }
    barrier();
    begin_bins(tile);
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        places[i] += bins[bin_of[i]];
    }
    write_sorted(begin, end, tile);
}
