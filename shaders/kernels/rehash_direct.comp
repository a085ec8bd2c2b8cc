#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, murCmdMerge: inserts each entry of the source; after a stream, only if that failed.
// Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "rehash.glsl"

shared uint sums[MUR_REHASH_WORDS];

// What this invocation adds to the result.
uint sum[MUR_REHASH_WORDS] = uint[](0u, 0u, 0u, 0u);

// Returns the entry's slot in the table, or MUR_NO_SLOT.
uint move(MurTableRef table, Slot slot) {
    uint to = MUR_NO_SLOT;
    if (is_live(slot)) {
        uint key = mur_key(hash_of(slot), push.source.seed);
        mur_insert_mode(table, key, value_of(slot), push.mode, to);
        if (to == MUR_NO_SLOT) {
            ++sum[MUR_REHASH_FAILED];
        } else {
            ++sum[MUR_REHASH_MOVED];
            if (to < mur_home(mur_hash(key, table.seed), table.capacity)) {
                sum[MUR_REHASH_STATE] = MUR_STATE_WRAPPED;
            }
        }
    } else if (!is_free(slot)) {
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
    MurTableRef table = push.table;
    if (push.slice != 0u && stream() != MUR_STREAM_FAILED) {
        return;
    }
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    // A large grid may have a few workgroups whose slots would wrap around.
    bool any = mur_workgroup() <= 0xFFFFFFFFu / MUR_WORKGROUP;
    for (uint slot = first; any && slot <= push.source.slotCount; slot += stride) {
        mur_output(push.slotMap, slot, move(table, source_slot(slot)));
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
