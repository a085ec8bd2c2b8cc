// Keys and values of murbench: key i is a bijection of i, so keys are distinct; the value of pair i is
// never a reserved value. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "push.h"
#include "item.glsl"

layout(push_constant) uniform Push {
    PairsPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

uint pair_key(uint i) {
    return mur_hash(i, 0x9E3779B9u);
}

uint pair_value(uint i) {
    return (i * 0x9E3779B1u >> 1) + 1u;
}
