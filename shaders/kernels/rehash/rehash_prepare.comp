#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, first step. All workgroups except the first zero the scratch memory and write
// MUR_NO_SLOT to the whole slot map, because a stream writes only elements of slots with entries.
// The first workgroup zeroes the result. If a stream (rehash_slices.comp, rehash_dense.comp) is
// planned, it writes the destination's header and checks whether the stream is possible: no cluster
// of the source wraps, and a sample of the source shows that it has enough free slots and that the
// destination will not be too full. A stream writes the destination in slot order.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "rehash.glsl"

const uint SAMPLES = 16u; // per invocation
const uint ALL_SAMPLES = 4096u;
// Maximum loads of the destination. Up to SPARSE_LOAD, MUR_REHASH_BEFORE slots contain enough free
// slots. Up to DENSE_LOAD, at most MUR_SLICE_CARRY entries enter a slice. At slightly higher loads
// the stream may fail.
const float SPARSE_LOAD = 0.56;
const float DENSE_LOAD = 0.965;

// Maximum fraction of claimed slots in the source at which free slots are frequent enough.
const float MOST_USED = 0.985;

// rehash.glsl supports the slots of these formats only.
const bool STREAMED = KERNEL_FORMAT == MUR_FORMAT_K32V32 || KERNEL_FORMAT == MUR_FORMAT_K64V32;

shared uint live;
shared uint used;

// Returns a sample's slot. Samples are spread evenly; in a small table, all slots are samples.
uint sampled_slot(uint sampled) {
    uint high, low;
    umulExtended(sampled * (0xFFFFFFFFu / ALL_SAMPLES + 1u), push.source.slotCount, high, low);
    return push.source.slotCount <= ALL_SAMPLES ? sampled : high;
}

// Samples slots. Returns the fraction with entries (x), and with entries or tombstones (y).
vec2 sampled_shares() {
    uint lane = gl_LocalInvocationIndex;
    uint count = min(push.source.slotCount, ALL_SAMPLES);
    uvec2 mine = uvec2(0u);
    [[unroll]] for (uint i = 0u; i < SAMPLES; ++i) {
        uint sampled = i * MUR_WORKGROUP + lane;
        if (sampled < count) {
            Slot slot = source_slot(sampled_slot(sampled));
            mine += uvec2(is_live(slot), !is_free(slot));
        }
    }
    if (lane == 0u) {
        live = 0u;
        used = 0u;
    }
    barrier();
    atomicAdd(live, mine.x);
    atomicAdd(used, mine.y);
    barrier();
    return vec2(live, used) / float(count);
}

uint choose_stream(vec2 shares) {
    // Load of the destination.
    float load = shares.x * float(push.source.slotCount) / float(push.table.capacity);
    // In a dense stream, entries are up to two slices from home; the probe limit must allow this.
    bool reached = push.table.probeSectors > 2u * MUR_SLICE / MUR_SECTOR_SLOTS ||
                   push.table.probeSectors > push.table.slotCount / MUR_SECTOR_SLOTS;
    if ((mur_state(push.source) & MUR_STATE_WRAPPED) != 0u || shares.y > MOST_USED) {
        return MUR_STREAM_FAILED;
    }
    return load <= SPARSE_LOAD             ? MUR_STREAM_SPARSE
           : load <= DENSE_LOAD && reached ? MUR_STREAM_DENSE
                                           : MUR_STREAM_FAILED;
}

void fill_memory() {
    uint stride = (gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1u) * MUR_WORKGROUP;
    uint first = (mur_workgroup() - 1u) * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uint slots = push.source.slotCount + MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(push.source.flags));
    for (uint slot = first; slot < slots; slot += stride) {
        mur_output(push.slotMap, slot, MUR_NO_SLOT);
        if (slot > 0xFFFFFFFFu - stride) {
            break;
        }
    }
    uint chunks = mur_wanted(push.scratch) ? chunk_count() : 0u;
    for (uint chunk = first; chunk < chunks; chunk += stride) {
        mur_output(push.scratch, chunk, 0u);
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (mur_workgroup() != 0u) {
        fill_memory();
        return;
    }
    if (lane < MUR_REHASH_WORDS) {
        mur_output(push.result, lane, 0u);
    }
    if (!STREAMED || push.slice == 0u) {
        return;
    }
    uint stream = choose_stream(sampled_shares());
    if (lane < MUR_HEADER_STORES) {
        uvec4 words = header_words(push.table, lane);
        if (lane == MUR_HEADER_STREAM / 4u) {
            words[MUR_HEADER_STREAM % 4u] = stream;
        }
        MurHalfOut(mur_offset(push.table.address, lane, 4u)).words = words;
    }
}
