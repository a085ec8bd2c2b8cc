#version 450
#extension GL_GOOGLE_include_directive : require
// Bulk commands on paged tables, first step: writes the arguments of all other steps to memory.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_PAGED
#define PUSH MurArgsPush
#include "../kernel.glsl"

void main() {
    if (gl_GlobalInvocationID.x < min(push.count, MUR_ARGS_PUSHED)) {
        mur_output(push.arguments, push.first + gl_GlobalInvocationID.x,
                   push.words[gl_GlobalInvocationID.x]);
    }
}
