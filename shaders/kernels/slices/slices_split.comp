#version 450
#extension GL_GOOGLE_include_directive : require
// Partitioned builds and inserts: splits pairs into bins by their home slots. Variant 0 reads the
// batch. If there are more slices than MUR_SPLIT_BINS, it writes coarse bins, each with the pairs
// of several slices; then variant 1, FINE, splits these into the slices' bins. Otherwise variant 0
// writes the slices' bins.
//
// A workgroup reads a tile of pairs, ranks them within their bins by shared atomics, and reserves a
// range in each bin by one global atomic. It writes the pairs sorted by bin, so that neighbouring
// invocations write to neighbouring addresses.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"

const bool FINE = MUR_VARIANT == 1u;
const uint ITEMS = MUR_SPLIT_ITEMS; // pairs per invocation
const uint TILE = ITEMS * MUR_WORKGROUP;
const uint BINS_EACH = MUR_SPLIT_BINS / MUR_WORKGROUP; // per invocation, MUR_WORKGROUP apart

// staged has the hashes, later the values. Little shared memory lets more workgroups run at once.
shared uint bins[MUR_SPLIT_BINS];
shared uint staged[TILE];
#define SCAN_MEMORY staged
#include "../scan.glsl"

#include "slices_tile.glsl"

uvec2 read_pair(uint item) {
    if (FINE) {
        return MurPairsIn(coarse_bins()).pairs[item];
    }
    return uvec2(MurWordsIn(push.keys).words[item], MurWordsIn(push.values).words[item]);
}

void count_refused() {
    uvec2 refused = mur_offset(push.table.address, MUR_HEADER_INVALID_VALUES, 2u);
    if (atomicAdd(MurCounter(refused).word, 1u) == 0xFFFFFFFFu) {
        atomicAdd(MurCounter(mur_offset(refused, 1u, 2u)).word, 1u);
    }
}

// Variant 0: replaces the key by its hash. Returns false if the pair has no bin: its value is
// invalid, or its key belongs to the sentinel slot, in which this function stores the value.
bool is_binned(inout uvec2 pair) {
    if (FINE) {
        return true;
    }
    pair.x = mur_hash(pair.x, push.table.seed);
    if (pair.y == mur_empty_value(push.table)) {
        count_refused();
        return false;
    }
    if (pair.x == MUR_EMPTY) {
        uvec2 extra = mur_offset(push.table.address, MUR_HEADER_EXTRA + 1u, 2u);
        if (keeps()) {
            atomicCompSwap(MurCounter(extra).word, mur_empty_value(push.table), pair.y);
        } else {
            MurCounter(extra).word = pair.y;
        }
        return false;
    }
    return true;
}

// This invocation's pairs, whether they have bins, and their positions, first in the bin, later in
// the tile.
uvec2 pairs[ITEMS];
bool valid[ITEMS];
uint places[ITEMS];

void read_pairs(Split split) {
    // All loads come first and are unconditional, so that their latencies overlap.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = split.begin + i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        pairs[i] = read_pair(min(item, split.end - 1u));
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = split.begin + i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        valid[i] = item < split.end && is_binned(pairs[i]);
    }
}

void clear_bins(Split split) {
    for (uint bin = gl_LocalInvocationIndex; bin < split.count; bin += MUR_WORKGROUP) {
        bins[bin] = 0u;
    }
}

void rank_in_bins(Split split) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (valid[i]) {
            places[i] = atomicAdd(bins[bin_of(split, pairs[i].x)], 1u);
        }
    }
}

// Reserves a range in each bin for the tile's pairs, and sorts the tile by bin. In the sorted tile,
// the bins of one invocation are consecutive. Returns the number of the tile's pairs with bins.
// Afterwards `bins` has, per bin, the position in the bin minus the position in the tile.
uint sort_tile(Split split) {
    uint lane = gl_LocalInvocationIndex;
    uint begins[BINS_EACH];
    uint reserved[BINS_EACH];
    uint sum = 0u;
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        uint bin = i * MUR_WORKGROUP + lane;
        uint count = bin < split.count ? bins[bin] : 0u;
        reserved[i] = 0u;
        if (count != 0u) {
            reserved[i] = atomicAdd(MurCounters(split.counters).words[split.firstBin + bin], count);
        }
        begins[i] = sum;
        sum += count;
    }
    uint total;
    uint before = workgroup_sum_before(sum, total);
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        begins[i] += before;
        bins[i * MUR_WORKGROUP + lane] = begins[i];
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (valid[i]) {
            places[i] += bins[bin_of(split, pairs[i].x)];
            staged[places[i]] = pairs[i].x;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < BINS_EACH; ++i) {
        bins[i * MUR_WORKGROUP + lane] = reserved[i] - begins[i];
    }
    return total;
}

void write_pair(Split split, uint item, uint hash, uint value) {
    uint bin = bin_of(split, hash);
    uint place = bins[bin] + item;
    if (place < split.room) {
        uint at = (split.firstBin + bin) * split.room + place;
        MurPairsOut(split.pairs).pairs[at] = uvec2(hash, value);
    } else {
        irregular();
    }
}

void main() {
    Split split = FINE ? split_fine(mur_workgroup()) : split_coarse(mur_workgroup());
    if (split.begin >= split.end) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    clear_bins(split);
    read_pairs(split);
    barrier();
    rank_in_bins(split);
    barrier();
    uint total = sort_tile(split);
    uint hashes[ITEMS]; // hashes of the pairs that this invocation writes
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        hashes[i] = staged[i * MUR_WORKGROUP + lane];
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (valid[i]) {
            staged[places[i]] = pairs[i].y;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        if (item < total) {
            write_pair(split, item, hashes[i], staged[item]);
        }
    }
}
