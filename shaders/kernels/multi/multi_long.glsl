// If a key has many ordinals, the whole workgroup visits them. Usage, in uniform control flow:
//     multi_long_begin();
//     if (this invocation has such a key) multi_long_add(key, ordinals, sum);
//     barrier();
//     for (uint i = 0u; i <= long_total; ++i) visit multi_walk(i, ...), change long_sum[lane]
//     barrier();
//     long_sum[gl_LocalInvocationIndex] has the result for this invocation's key
// SPDX-License-Identifier: MIT

shared uint long_total;
shared uint long_lane[MUR_WORKGROUP]; // the invocation with the key
shared uvec2 long_key[MUR_WORKGROUP];
shared uint long_end[MUR_WORKGROUP];
shared uint long_sum[MUR_WORKGROUP]; // by invocation, not by key

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

// Ordinals of a key to visit: first, first + step, ... below end. In walk 0, each invocation visits
// its own key if it has few ordinals. In walks 1 to long_total, all invocations visit one long key.
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
