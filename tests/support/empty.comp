#version 450
// What interpose_empty_shaders puts in the place of every shader.
//
// SPDX-License-Identifier: MIT

void main() {
}
