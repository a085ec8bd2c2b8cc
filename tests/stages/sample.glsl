// declarations.awk must print each name of file scope in this file.
// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_buffer_reference : require
struct one_tag { uint member; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer two_block {
    uvec4 member;
    uvec4 other;
};
layout(set = 0, binding = 1, std430) coherent buffer three_block {
    uint member[];
} four_instance[2];
layout(set = 0, binding = 2) readonly buffer five_block {
    uint six_member;
    uvec4 seven_member[];
};
layout(set = 0, binding = 3) uniform eight_block { vec4 member; } nine_instance;
const uint ten_constant = 1u, eleven_constant = 2u;
shared uint twelve_shared[4];
uint thirteen_function(uint parameter, out uint other) {
    uint local = parameter, more;
    for (uint i = 0u; i < 3u; ++i) {
        local += i;
    }
    other = local;
    return local;
}
void fourteen_function();
