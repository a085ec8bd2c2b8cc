// What the kernels that make and verify pairs share. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "push.h"
#include "item.glsl"
#include "pair.glsl"

layout(push_constant) uniform Push {
    PairsPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};
