#version 450
#extension GL_GOOGLE_include_directive : require
// Zeroes the count of murCmdExtract. A fill command cannot do this: it requires a buffer, and the
// caller passes addresses.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurExtractPush
#include "../kernel.glsl"

void main() {
    if (gl_GlobalInvocationID.x == 0u) {
        mur_output(push.count, 0u, 0u);
    }
}
