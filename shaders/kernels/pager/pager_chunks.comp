#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdClearPager: writes the addresses of some chunks of the store to the block.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurChunksPush
#include "../kernel.glsl"

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < push.count) {
        MurPairOut(mur_offset(push.block, MUR_PAGER_CHUNKS_AT / 2u + push.first + lane, 3u)).pair =
            push.chunks[lane];
    }
}
