#version 450
// Accesses to shared memory without barriers. barriers.c must report four pairs of accesses: to the
// variables counted, written and lanes. It must also report an access outside of the array `few`.
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint SIZE = 64u;
layout(set = 0, binding = 0) buffer Output {
    uint words[];
} result;
shared uint written, counted, with_barrier;
shared uint pair[2], lanes[64];
shared uint few[false ? SIZE : 1u], many[true ? SIZE : 1u];

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        with_barrier = result.words[0];
        counted = 0u;
    }
    barrier();
    uint sum = with_barrier;
    atomicAdd(counted, 1u);
    sum += counted; // reported: after an atomic
    if (gl_LocalInvocationIndex == 0u && sum != 0u) {
        pair[1] = sum;
        sum += pair[1]; // not reported: by the same invocation
    }
    for (uint i = 0u; i < 3u; ++i) {
        sum += written; // reported: before the next iteration's write, and after the previous write
        if (gl_LocalInvocationIndex == 0u) {
            written = i;
        }
    }
    barrier();
    few[gl_LocalInvocationIndex] = sum; // reported: outside
    many[gl_LocalInvocationIndex] = sum;
    lanes[gl_LocalInvocationIndex] = sum;
    sum += lanes[gl_LocalInvocationIndex ^ 1u];
    result.words[gl_LocalInvocationIndex] = sum + pair[1] + written;
}
