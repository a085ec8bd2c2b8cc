// See trace.wgsl. SPDX-License-Identifier: MIT

@group(0) @binding(0) var<storage, read> mur_table: array<vec4<u32>>;

fn write(t: MurTableRef, op: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(0u);
}
