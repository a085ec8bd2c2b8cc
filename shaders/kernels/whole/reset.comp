#version 450
#extension GL_GOOGLE_include_directive : require
// Zeroes the count that murCmdExtract adds to. A dispatch of its own, because the caller passes
// addresses and a fill command requires a buffer.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurExtractPush
#include "../kernel.glsl"

void main() {
    if (gl_GlobalInvocationID.x == 0u) {
        mur_output(push.count, 0u, 0u);
    }
}
