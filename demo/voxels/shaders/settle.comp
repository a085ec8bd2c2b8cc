#version 450
#extension GL_GOOGLE_include_directive : require
// After allocate: books what was taken and empties the list of new slots. One invocation.
// SPDX-License-Identifier: MIT
#include "world.glsl"

layout(local_size_x = 1) in;
layout(push_constant) uniform Push {
    WorldRef world;
};

void main() {
    WorldState state = WorldState(world.state);
    uint count = state.words[STATE_NEW];
    uint reused = min(count, state.words[STATE_FREE]);
    uint top = state.words[STATE_TOP] + (count - reused);
    state.words[STATE_FREE] -= reused;
    state.words[STATE_TOP] = min(top, state.words[STATE_POOL]);
    state.words[STATE_NEW] = 0u;
}
