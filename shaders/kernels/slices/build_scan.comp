#version 450
#extension GL_GOOGLE_include_directive : require
// Exact builds, one slice per invocation: computes how many pairs enter each slice from earlier
// slices. In each round a workgroup composes the shifts of MUR_WORKGROUP slices, going back until
// still earlier slices have no effect. One round usually suffices; nearly full tables need more.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"

shared uint shift_memory[600];
#define SHIFT_MEMORY shift_memory
#include "build_shifts.glsl"

// Returns the shift of a slice, or NO_SHIFT after the last slice.
ivec2 slice_shift(uint slice) {
    if (slice >= slice_total()) {
        return NO_SHIFT;
    }
    return ivec2(int(mur_input(slice_word(slice, SLICE_ADD), 0u)),
                 int(mur_input(slice_word(slice, SLICE_LEAST), 0u)));
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint chunk = mur_workgroup();
    if (chunk > (slice_total() - 1u) / MUR_WORKGROUP) {
        return;
    }
    ivec2 before = NO_SHIFT;
    for (uint back = chunk; back != 0u; --back) {
        barrier();
        fold_shifts(slice_shift((back - 1u) * MUR_WORKGROUP + lane));
        before = compose(folded_shift(), before);
        if (before.x + int(MUR_SLICE_CARRY) <= before.y) {
            break; // no more than MUR_SLICE_CARRY pairs enter a slice
        }
    }
    barrier();
    fold_shifts(slice_shift(chunk * MUR_WORKGROUP + lane));
    int end;
    int reach = reach_before(max(apply(before, 0), 0), end);
    uint slice = chunk * MUR_WORKGROUP + lane;
    if (slice < slice_total()) {
        mur_output(slice_word(slice, SLICE_IN), 0u, uint(reach));
        if (reach > int(MUR_SLICE_CARRY)) {
            hopeless();
        }
    }
}
