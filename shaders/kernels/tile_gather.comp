#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled path, second: each workgroup gathers the pairs of one slice and of the slice
// before it from all tiles, places both slices in shared memory, in order of hash, and writes its
// own. What the slice before pushes over its end is thereby known, as long as that slice has more
// empty slots than could be pushed into it in turn: MUR_BUILD_SPILL, which no slice exceeds. Both
// are checked; tile_mend.comp makes good what fails.
// Source of the ordering: Amble and Knuth, "Ordered hash tables", 1974.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"

const uint ROOM = MUR_BUILD_SLICE + MUR_BUILD_SPILL;
const uint PLACES = MUR_BUILD_SLICE + ROOM; // the slice before, this one, what it pushes out
const uint AHEAD = 4u; // pairs that an invocation loads before it places the first

shared uint hashes[PLACES];
shared uint values[ROOM];
shared uint crowd[2]; // pairs of the slice before, and of this one
shared uint vacant;   // slots of the slice before
shared uint refused;  // by the first workgroup: pairs

void irregular() {
    MurCounter(mur_offset(push.scratch, MUR_TILE_IRREGULAR, 2u)).word = 1u;
}

// Places are counted from the first slot of the slice before.
void place(uint at, uint end, uint hash) {
    while (at < end) {
        uint seen = atomicMin(hashes[at], hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return;
        }
        hash = max(seen, hash);
        ++at;
    }
    irregular();
}

// Where the hash is; PLACES if nowhere.
uint find_place(uint at, uint hash) {
    for (; at < PLACES; ++at) {
        if (hashes[at] >= hash) {
            return hashes[at] == hash ? at : PLACES;
        }
    }
    return PLACES;
}

uint place_of_home(uint slice, uint hash) {
    return mur_home(hash, push.table.capacity) + MUR_BUILD_SLICE - slice * MUR_BUILD_SLICE;
}

// Placing a pair takes the longer the more there are; a slice that far too many crowd into is left
// to tile_mend.comp.
const uint CROWD = 4u * MUR_BUILD_SLICE;

void count_crowds(uint slice, uint tiles) {
    for (uint tile = gl_LocalInvocationIndex; tile < tiles; tile += MUR_WORKGROUP) {
        MurWordsIn begins = MurWordsIn(tile_begins(tile));
        uint middle = begins.words[slice];
        atomicAdd(crowd[0], middle - begins.words[slice - min(slice, 1u)]);
        atomicAdd(crowd[1], begins.words[slice + 1u] - middle);
    }
}

// Several invocations share a tile's pairs when there are few tiles. keep: store their values,
// instead of placing them.
void gather(uint slice, uint tiles, uint end, bool keep) {
    uint share = 1u << push.laneBits;
    uint lane = gl_LocalInvocationIndex;
    uint from_slice = slice - (slice != 0u && crowd[0] <= CROWD ? 1u : 0u);
    uint to_slice = slice + (crowd[1] <= CROWD ? 1u : 0u);
    for (uint tile = lane / share; tile < tiles; tile += MUR_WORKGROUP / share) {
        MurWordsIn begins = MurWordsIn(tile_begins(tile));
        MurPairsIn from = MurPairsIn(tile_pairs(tile));
        uint first = begins.words[from_slice] + lane % share;
        uint last = begins.words[to_slice];
        for (uint item = first; item < last; item += AHEAD * share) {
            uvec2 pairs[AHEAD];
            [[unroll]] for (uint i = 0u; i < AHEAD; ++i) {
                pairs[i] = from.pairs[min(item + i * share, last - 1u)];
            }
            [[unroll]] for (uint i = 0u; i < AHEAD; ++i) {
                if (item + i * share < last) {
                    uint at = place_of_home(slice, pairs[i].x);
                    if (keep) {
                        at = find_place(at, pairs[i].x);
                        if (at >= MUR_BUILD_SLICE && at < PLACES) {
                            values[at - MUR_BUILD_SLICE] = pairs[i].y;
                        }
                    } else {
                        place(at, end, pairs[i].x);
                    }
                }
            }
        }
    }
}

// The pairs that go into no slice.
void gather_others(uint tiles) {
    uint slices = tile_slices();
    uint none = mur_no_value(push.table);
    for (uint tile = gl_LocalInvocationIndex; tile < tiles; tile += MUR_WORKGROUP) {
        MurWordsIn begins = MurWordsIn(tile_begins(tile));
        uint last = begins.words[slices + 1u];
        for (uint item = begins.words[slices]; item < last; ++item) {
            uvec2 pair = MurPairsIn(tile_pairs(tile)).pairs[item];
            if (pair.y == none) {
                atomicAdd(refused, 1u);
            } else {
                mur_output(push.table.address, MUR_HEADER_EXTRA + 1u, pair.y);
            }
        }
    }
}

void count_vacant() {
    uint count = 0u;
    for (uint at = gl_LocalInvocationIndex; at < MUR_BUILD_SLICE; at += MUR_WORKGROUP) {
        count += hashes[at] == MUR_EMPTY ? 1u : 0u;
    }
    atomicAdd(vacant, count);
}

// The last slice owns the padding too.
void write_slots(uint slice) {
    uint none = mur_no_value(push.table);
    uint first = slice * MUR_BUILD_SLICE;
    uint count = push.table.slotCount - first;
    if (slice + 1u < tile_slices()) {
        count = MUR_BUILD_SLICE;
    }
    MurPairsOut slots = MurPairsOut(mur_offset(mur_slots_address(push.table), first, 3u));
    for (uint slot = gl_LocalInvocationIndex; slot < count; slot += MUR_WORKGROUP) {
        uint hash = slot < ROOM ? hashes[MUR_BUILD_SLICE + slot] : MUR_EMPTY;
        slots.pairs[slot] = uvec2(hash, hash == MUR_EMPTY ? none : values[slot]);
    }
}

void main() {
    uint slice = mur_workgroup();
    if (slice >= tile_slices()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    for (uint at = lane; at < PLACES; at += MUR_WORKGROUP) {
        hashes[at] = MUR_EMPTY;
    }
    if (lane == 0u) {
        crowd[0] = 0u;
        crowd[1] = 0u;
        vacant = 0u;
        refused = 0u;
    }
    barrier();
    uint tiles = (tile_items() + push.tile - 1u) / push.tile;
    uint end = min(push.table.slotCount - slice * MUR_BUILD_SLICE, ROOM) + MUR_BUILD_SLICE;
    count_crowds(slice, tiles);
    if (slice == 0u) {
        gather_others(tiles);
    }
    barrier();
    gather(slice, tiles, end, false);
    barrier();
    count_vacant();
    gather(slice, tiles, end, true);
    barrier();
    write_slots(slice);
    if (lane == 0u && (crowd[1] > CROWD || (slice > 1u && vacant < MUR_BUILD_SPILL))) {
        irregular();
    }
    if (lane == 0u && refused != 0u) {
        mur_output(push.table.address, MUR_HEADER_REFUSED, refused);
    }
}
