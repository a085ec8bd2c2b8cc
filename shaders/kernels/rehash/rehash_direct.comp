#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, murCmdMerge: inserts each entry of the source; after a stream, only if that failed.
// Compiled once a format and atomic width, which are constants here.
// SPDX-License-Identifier: MIT
#define MUR_PLAIN_LOOKUPS // as in insert.comp
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "rehash.glsl"

shared uint sums[MUR_REHASH_WORDS];

// What this invocation adds to the result.
uint sum[MUR_REHASH_WORDS] = uint[](0u, 0u, 0u, 0u);

// Returns the entry's slot in the table, or MUR_NO_SLOT.
uint move(MurTableRef source, MurTableRef table, uint slot) {
    uint to = MUR_NO_SLOT;
    uvec3 key;
    uvec2 value;
    count_reads(1u);
    if (mur_slot_entry(source, KERNEL_FORMAT, slot, key, value)) {
        mur_insert_entry(table, KERNEL_FORMAT, key, value, push.mode, to);
        if (to == MUR_NO_SLOT) { // an update passes over keys that the table lacks
            sum[MUR_REHASH_FAILED] += push.mode == MUR_MODE_UPDATE ? 0u : 1u;
        } else {
            ++sum[MUR_REHASH_MOVED];
            uvec3 hash = mur_hash_of(table, KERNEL_FORMAT, key);
            if (mur_wanted(push.result) && to < mur_home_of(table, KERNEL_FORMAT, hash)) {
                sum[MUR_REHASH_STATE] = MUR_STATE_WRAPPED;
            }
        }
    } else if (slot < source.slotCount &&
               mur_is_claimed(KERNEL_FORMAT, mur_slot_words(source, KERNEL_FORMAT, slot))) {
        ++sum[MUR_REHASH_DROPPED];
    }
    return to;
}

void add_sums() {
    uint word = gl_LocalInvocationIndex;
    if (word < MUR_REHASH_WORDS) {
        sums[word] = 0u;
    }
    barrier();
    atomicAdd(sums[MUR_REHASH_MOVED], sum[MUR_REHASH_MOVED]);
    atomicAdd(sums[MUR_REHASH_DROPPED], sum[MUR_REHASH_DROPPED]);
    atomicAdd(sums[MUR_REHASH_FAILED], sum[MUR_REHASH_FAILED]);
    atomicOr(sums[MUR_REHASH_STATE], sum[MUR_REHASH_STATE]);
    barrier();
    if (word < MUR_REHASH_WORDS && sums[word] != 0u) {
        uvec2 at = mur_offset(push.result, word, 2u);
        if (word == MUR_REHASH_STATE) {
            atomicOr(MurCounter(at).word, sums[word]);
        } else {
            atomicAdd(MurCounter(at).word, sums[word]);
        }
    }
}

void main() {
    if (push.slice != 0u && mur_input(push.table.address, MUR_HEADER_STREAM) != MUR_STREAM_FAILED) {
        return;
    }
    MurTableRef source = mur_kernel_table(push.source);
    MurTableRef table = mur_kernel_table(push.table);
    uint slots = push.source.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT);
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    // A large grid may have a few workgroups whose slots would wrap around.
    bool any = mur_workgroup() <= 0xFFFFFFFFu / MUR_WORKGROUP;
    for (uint slot = first; any && slot < slots; slot += stride) {
        mur_output(push.slotMap, slot, move(source, table, slot));
        if (slot > 0xFFFFFFFFu - stride) {
            break;
        }
    }
    if (first == 0u) {
        // What was true before a merge and stays true.
        sum[MUR_REHASH_STATE] |= MUR_STATE_WORD(table, MUR_HEADER_STATE) & MUR_STATE_WRAPPED;
    }
    if (mur_wanted(push.result)) {
        add_sums();
    }
}
