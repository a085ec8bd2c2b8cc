#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, after a stream: marks the table as sorted. If the stream failed, empties the table
// for the direct inserts that follow. This is rare, so the number of workgroups is bounded.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "rehash.glsl"

shared uint stream;

void main() {
    uint first = mur_invocation();
    if (gl_LocalInvocationIndex == 0u) {
        // The word also has a count of reads; only the path of the stream remains.
        stream = atomicAnd(stream_word().word, STREAM_MASK) & STREAM_MASK;
    }
    barrier();
    if (stream != MUR_STREAM_FAILED) {
        if (first == 0u) {
            mur_output(push.table.address, MUR_HEADER_STATE, MUR_STATE_ORDERED);
            mur_output(push.result, MUR_REHASH_STATE, MUR_STATE_ORDERED);
        }
        return;
    }
    if (first < MUR_REHASH_WORDS) {
        mur_output(push.result, first, 0u);
    }
    uint stride = mur_invocations();
    // The sentinel slot is empty or equal to the source's, which a direct insert writes again.
    for (uint slot = first; slot < push.table.slotCount; slot += stride) {
        write_slot(slot, free_slot());
        if (slot > 0xFFFFFFFFu - stride) {
            break;
        }
    }
}
