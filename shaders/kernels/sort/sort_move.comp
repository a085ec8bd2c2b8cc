#version 450
#extension GL_GOOGLE_include_directive : require
// Sort of a batch by home slot, last step: moves keys and values to their bins, and writes the
// position of each item in the sorted batch. A workgroup first sorts a tile in shared memory, one
// word of each item at a time, so that neighbouring invocations write to neighbouring addresses.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "sort.glsl"

shared uint bins[MUR_SORT_BINS];
shared uint staged[TILE];
#define SCAN_MEMORY staged
#include "../scan.glsl"

uint places[ITEMS];  // positions of this invocation's items in the tile; TILE: no item
uint targets[ITEMS]; // positions in the sorted batch of the items that this invocation writes

// Exchanges one word per item between invocations. words: on entry, of the items that this
// invocation has read; on return, of the items that it writes.
void turn(inout uint words[ITEMS]) {
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (places[i] < TILE) {
            staged[places[i]] = words[i];
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        words[i] = staged[i * MUR_WORKGROUP + gl_LocalInvocationIndex];
    }
}

// Writes one or two words per item.
void write(uvec2 array, uint total, bool both, uvec2 pairs[ITEMS]) {
    uint low[ITEMS];
    uint high[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        low[i] = pairs[i].x;
        high[i] = pairs[i].y;
    }
    turn(low);
    if (both) {
        turn(high);
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (i * MUR_WORKGROUP + gl_LocalInvocationIndex < total) {
            if (both) {
                MurPairOut(mur_offset(array, targets[i], 3u)).pair = uvec2(low[i], high[i]);
            } else {
                mur_output(array, targets[i], low[i]);
            }
        }
    }
}

// Counts the tile's items by bin, reserves their ranges and computes each item's position.
void place(SortPart part, uvec2 keys[ITEMS]) {
    uint lane = gl_LocalInvocationIndex;
    uint bin[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        bin[i] = sort_bin(keys[i]);
        places[i] = TILE;
        if (part.begin + i * MUR_WORKGROUP + lane < part.end) {
            places[i] = atomicAdd(bins[bin[i]], 1u);
        }
    }
    barrier();
    uint count = bins[lane];
    uint target = 0u;
    if (count != 0u) {
        target = atomicAdd(MurCounter(mur_offset(part.counters, lane, 2u)).word, count);
    }
    uint total;
    uint first = workgroup_sum_before(count, total);
    bins[lane] = first;
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        places[i] += places[i] < TILE ? bins[bin[i]] : 0u;
    }
    barrier();
    bins[lane] = target - first;
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        targets[i] = bins[bin[i]] + places[i];
        if (places[i] < TILE) {
            mur_output(push.places, part.begin + i * MUR_WORKGROUP + lane, targets[i]);
        }
    }
    turn(targets);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    SortPart part = sort_part(mur_workgroup());
    if (part.begin >= part.end) {
        return;
    }
    bins[lane] = 0u;
    uvec2 keys[ITEMS];
    uvec2 values[ITEMS];
    // All loads come first and are unconditional, so that their latencies overlap.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = min(part.begin + i * MUR_WORKGROUP + lane, part.end - 1u);
        keys[i] = sort_input(push.keys, item, WIDE_KEYS);
    }
    if (mur_wanted(push.values)) {
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            uint item = min(part.begin + i * MUR_WORKGROUP + lane, part.end - 1u);
            values[i] = sort_input(push.values, item, WIDE_VALUES);
        }
    }
    barrier();
    place(part, keys);
    write(push.sortedKeys, part.end - part.begin, WIDE_KEYS, keys);
    if (mur_wanted(push.values)) {
        write(push.sortedValues, part.end - part.begin, WIDE_VALUES, values);
    }
}
