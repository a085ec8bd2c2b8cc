#version 450
#extension GL_GOOGLE_include_directive : require
// Makes one access per invocation, at a random offset: the limit of a hash table's memory traffic.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#ifdef ACCESS_CAS_64
#define MUR_INT64_ATOMICS
#endif
#define PUSH RegionPush
#include "murmuration.glsl"
#include "item.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair {
    uvec2 words;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Half {
    uvec4 words;
};
#ifdef ACCESS_CAS_64
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Wide {
    uint64_t word;
};
#endif

void main() {
    uint i = item();
    if (i >= push.count) {
        return;
    }
    uint at = mur_hash(i, push.seed) & push.mask;
    uint seen = 0u;
#if defined(ACCESS_READ_8)
    uvec2 words = Pair(mur_offset(push.region, at, 3u)).words;
    seen = words.x ^ words.y;
#elif defined(ACCESS_READ_16)
    uvec4 words = Half(mur_offset(push.region, at, 4u)).words;
    seen = words.x ^ words.y ^ words.z ^ words.w;
#elif defined(ACCESS_CAS_32)
    seen = atomicCompSwap(Word(mur_offset(push.region, at, 3u)).word, at, i);
#elif defined(ACCESS_CAS_64)
    seen = uint(atomicCompSwap(Wide(mur_offset(push.region, at, 3u)).word, uint64_t(at),
                               uint64_t(i)));
#endif
    if (seen == 0xC0FFEE11u) {
        Word(push.sink).word = seen;
    }
}
