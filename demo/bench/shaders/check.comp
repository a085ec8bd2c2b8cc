#version 450
#extension GL_GOOGLE_include_directive : require
// Checks results against what follows from their keys, or tallies statuses.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "push.h"
#include "item.glsl"
#include "pair.glsl"

layout(push_constant) uniform Push {
    CheckPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

shared uint tally[8]; // the counters may be far away, in the host's memory

void main() {
    uint i = item();
    if (gl_LocalInvocationIndex < 8u) {
        tally[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    if (i < push.count) {
        uint result = Word(mur_offset(push.results, i, 2u)).word;
        if (push.check == CHECK_TALLY) {
            atomicAdd(tally[min(result, 7u)], 1u);
        } else if (result != keyed_value(Word(mur_offset(push.keys, i, 2u)).word)) {
            atomicAdd(tally[0], 1u);
        }
    }
    barrier();
    if (gl_LocalInvocationIndex < 8u && tally[gl_LocalInvocationIndex] != 0u) {
        atomicAdd(Word(mur_offset(push.counters, gl_LocalInvocationIndex, 2u)).word,
                  tally[gl_LocalInvocationIndex]);
    }
}
