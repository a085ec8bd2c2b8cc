#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Empties a bound table by plain stores. The validation layer tracks plain stores through the
// descriptor, whereas it treats the atomics of storm.comp as reads.
// SPDX-License-Identifier: MIT
#include "storm.h"

layout(local_size_x = STORM_WORKGROUP) in;

layout(push_constant) uniform Push {
    StormPush push;
};

layout(set = 0, binding = 0, std430) buffer Table {
    uint words[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item < push.table.slotCount) {
        words[MUR_HEADER_WORDS + 2u * item] = MUR_EMPTY;
        words[MUR_HEADER_WORDS + 2u * item + 1u] = MUR_EMPTY;
    }
}
