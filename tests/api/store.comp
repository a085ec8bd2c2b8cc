#version 450
// An engine's shader with a descriptor set and push constants: stores one number.
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Words {
    uint words[];
};
layout(push_constant) uniform Push {
    uint index;
    uint value;
};

void main() {
    words[index] = value;
}
