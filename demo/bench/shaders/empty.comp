#version 450
// Nothing: what a dispatch and a barrier cost. SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;

void main() {
}
