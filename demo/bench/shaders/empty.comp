#version 450
// Does nothing: the cost of a dispatch and a barrier. SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;

void main() {
}
