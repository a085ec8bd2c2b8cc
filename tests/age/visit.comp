#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Goes over the list of live slots, dispatched by what murCmdAge wrote (shader_test.c).
// SPDX-License-Identifier: MIT
#include "layout.h"

layout(local_size_x = VISIT_GROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};
layout(push_constant) uniform Push {
    VisitPush push;
};

void main() {
    uint item = (gl_WorkGroupID.y * 65535u + gl_WorkGroupID.x) * VISIT_GROUP +
                gl_LocalInvocationIndex;
    if (item < min(Words(push.result).words[MUR_AGE_LIVE], push.maxLive)) {
        atomicAdd(Words(push.visits).words[Words(push.live).words[item]], 1u);
    }
}
