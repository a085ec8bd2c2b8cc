// As picture.frag. SPDX-License-Identifier: MIT

struct Push {
    table: MurTableRef,
    width: u32,
}
var<immediate> push: Push;
@group(0) @binding(0) var<storage, read> mur_table: array<vec4<u32>>;

struct Pixel {
    @location(0) color: u32,
    @location(1) slope: vec2<i32>,
}

@fragment
fn main(@builtin(position) position: vec4<f32>) -> Pixel {
    let at = vec2<u32>(position.xy);
    let found = mur_find(push.table, at.y * push.width + at.x);
    let there = select(0, 1, found.slot != MUR_NO_SLOT);
    return Pixel(found.value, vec2<i32>(there, bitcast<i32>(found.slot)));
}
