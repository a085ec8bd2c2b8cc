// Keys with many ordinals that must be walked: each of them by the whole workgroup. In uniform
// control flow:
//     multi_long_begin();
//     if (this invocation has such a key) multi_long_add(key, ordinals, sum);
//     barrier();
//     for (uint i = 0u; i < long_total; ++i) what each invocation does with long_key[i], ...
//     barrier();
//     long_sum[gl_LocalInvocationIndex] is what became of this invocation's sum
//
// SPDX-License-Identifier: MIT

shared uint long_total;
shared uint long_lane[MUR_WORKGROUP]; // whose key it is
shared uvec2 long_key[MUR_WORKGROUP];
shared uint long_end[MUR_WORKGROUP];
shared uint long_sum[MUR_WORKGROUP]; // by lane, not by key

void multi_long_begin() {
    if (gl_LocalInvocationIndex == 0u) {
        long_total = 0u;
    }
    barrier();
}

void multi_long_add(uvec2 key, uint ordinals, uint sum) {
    uint at = atomicAdd(long_total, 1u);
    long_lane[at] = gl_LocalInvocationIndex;
    long_key[at] = key;
    long_end[at] = ordinals;
    long_sum[gl_LocalInvocationIndex] = sum;
}

// A walk over some ordinals of a key: first each invocation's own, whose ordinals are few; then,
// all invocations together, those of one long key after the other. Walk i of long_total + 1.
struct MultiWalk {
    uvec2 key;
    uint first, end, step;
};

MultiWalk multi_walk(uint i, uvec2 key, uint few) {
    if (i == 0u) {
        return MultiWalk(key, 0u, few, 1u);
    }
    return MultiWalk(long_key[i - 1u], gl_LocalInvocationIndex, long_end[i - 1u], MUR_WORKGROUP);
}
