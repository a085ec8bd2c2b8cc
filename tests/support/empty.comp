#version 450
// interpose_empty_shaders replaces every shader by this one.
//
// SPDX-License-Identifier: MIT

void main() {
}
