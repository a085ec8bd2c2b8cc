#version 450
// The shader by which interpose_empty_shaders replaces every shader of the library.
// SPDX-License-Identifier: MIT

void main() {
}
