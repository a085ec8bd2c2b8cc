#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled and windowed path, first: each workgroup sorts a tile of the batch by bin, by a
// counting sort in shared memory, and says where each bin's pairs begin. Nothing is shared between
// workgroups, so that nothing has to be prepared. One more workgroup writes the header and clears what the next
// step counts in. Compiled for
// several sizes of tile.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_SUBGROUP
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"
#include "header.glsl"

const uint ITEMS = MUR_TILE_ITEMS; // pairs an invocation
const uint TILE = ITEMS * MUR_WORKGROUP;
#ifdef MUR_TILE_FEW
const uint BINS = MUR_TILE_FEW_BINS + 1u;
#else
const uint BINS = MUR_TILE_BINS + 1u;
#endif
const uint BINS_EACH = (BINS + MUR_WORKGROUP - 1u) / MUR_WORKGROUP;

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
    for (uint word = lane; word <= MUR_TILE_BORDERS + tile_bins(); word += MUR_WORKGROUP) {
        mur_output(push.scratch, word, 0u);
    }
}

// All loads first, none behind a branch, so that their latencies overlap; not even behind the load of
// the batch's count.
void load_pairs(uint begin) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = min(begin + i * MUR_WORKGROUP + gl_LocalInvocationIndex, push.maxCount - 1u);
        pairs[i] = uvec2(MurWordsIn(push.keys).words[item], MurWordsIn(push.values).words[item]);
    }
}

void choose_bins() {
    uint none = mur_no_value(push.table);
    uint count = tile_bins();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        pairs[i].x = mur_hash(pairs[i].x, push.table.seed);
        bool binned = pairs[i].x != MUR_EMPTY && pairs[i].y != none;
        bin_of[i] = binned ? mur_home(pairs[i].x, push.table.capacity) >> push.binBits : count;
    }
}

// Replaces the bins' counts by where they begin in the tile.
void begin_bins() {
    uint first = scan_lane() * BINS_EACH;
    uint counts[BINS_EACH];
    uint sum = 0u;
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        counts[i] = first + i < BINS ? bins[first + i] : 0u;
        sum += counts[i];
    }
    uint total;
    uint begin = workgroup_sum_before(sum, total);
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        if (first + i < BINS) {
            bins[first + i] = begin;
        }
        begin += counts[i];
    }
}

void publish_bins(uint begin, uint end, uint tile) {
    MurWordsOut begins = MurWordsOut(tile_begins(tile));
    uint count = tile_bins();
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        uint bin = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        if (bin <= count) {
            begins.words[bin] = bins[bin];
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        begins.words[count + 1u] = end - begin;
    }
}

void write_sorted(uint begin, uint end) {
    MurPairsOut to = MurPairsOut(mur_offset(tile_pairs(), begin, 3u));
    uint lane = gl_LocalInvocationIndex;
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
}

void sort_tile(uint tile, uint begin, uint end) {
    uint lane = gl_LocalInvocationIndex;
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        if (i * MUR_WORKGROUP + lane < BINS) {
            bins[i * MUR_WORKGROUP + lane] = 0u;
        }
    }
    barrier();
    choose_bins();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (begin + i * MUR_WORKGROUP + lane < end) {
            places[i] = atomicAdd(bins[bin_of[i]], 1u);
        }
    }
    barrier();
    begin_bins();
    barrier();
    publish_bins(begin, end, tile);
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        places[i] += bins[bin_of[i]];
    }
    write_sorted(begin, end);
}

// There is one workgroup more than tiles.
void main() {
    uint tile = gl_WorkGroupID.x; // there are few
    uint begin = tile * TILE;
    if (begin >= push.maxCount) {
        write_header();
        return;
    }
    load_pairs(begin);
    uint count = tile_items();
    if (begin < count) {
        sort_tile(tile, begin, begin + min(count - begin, TILE));
    }
}
