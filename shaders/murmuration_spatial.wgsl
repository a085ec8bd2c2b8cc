// Murmuration: keys of cells of space. See spatial.h. Beside murmuration.wgsl, whose constants it
// needs.
//
// SPDX-License-Identifier: MIT

fn mur_spatial_floor(scaled: f32) -> i32 {
    let inside = min(max(scaled, f32(MUR_SPATIAL_LEAST)), f32(MUR_SPATIAL_MOST));
    let whole = i32(inside);
    return select(whole, whole - 1, f32(whole) > inside);
}

fn mur_spatial_stored(coordinate: i32) -> u32 {
    return u32(clamp(coordinate, MUR_SPATIAL_LEAST, MUR_SPATIAL_MOST) - MUR_SPATIAL_LEAST);
}

fn mur_spatial_coordinate(stored: u32) -> i32 {
    return i32(stored & MUR_SPATIAL_MASK) + MUR_SPATIAL_LEAST;
}

fn mur_spatial_level(ratio: f32) -> u32 {
    if (ratio >= 2.0) {
        return min((bitcast<u32>(ratio) >> 23u) - 127u, MUR_SPATIAL_LEVELS - 1u);
    }
    return 0u;
}

fn mur_spatial_face(normal: vec3<f32>) -> u32 {
    let size = abs(normal);
    let negative = select(vec3<u32>(0u), vec3<u32>(1u), normal < vec3<f32>(0.0));
    if (size.x >= size.y && size.x >= size.z) {
        return negative.x;
    }
    return select(4u + negative.z, 2u + negative.y, size.y >= size.z);
}

fn mur_spatial_key(cell: vec3<i32>, level: u32, face: u32) -> vec2<u32> {
    let y = mur_spatial_stored(cell.y);
    return vec2<u32>(mur_spatial_stored(cell.x) | (y << MUR_SPATIAL_BITS),
                     (y >> 14u) | (mur_spatial_stored(cell.z) << 4u) |
                         (min(level, MUR_SPATIAL_LEVELS - 1u) << 22u) | ((face & 7u) << 27u));
}

fn mur_spatial_key_at(position: vec3<f32>, cells_per_unit: f32, level: u32,
                      face: u32) -> vec2<u32> {
    let inside = min(level, MUR_SPATIAL_LEVELS - 1u);
    let scaled = position * (cells_per_unit * bitcast<f32>((127u - inside) << 23u));
    let cell = vec3<i32>(mur_spatial_floor(scaled.x), mur_spatial_floor(scaled.y),
                         mur_spatial_floor(scaled.z));
    return mur_spatial_key(cell, inside, face);
}

fn mur_spatial_cell_of(key: vec2<u32>) -> vec3<i32> {
    return vec3<i32>(mur_spatial_coordinate(key.x),
                     mur_spatial_coordinate((key.x >> MUR_SPATIAL_BITS) | (key.y << 14u)),
                     mur_spatial_coordinate(key.y >> 4u));
}

fn mur_spatial_level_of(key: vec2<u32>) -> u32 {
    return (key.y >> 22u) & 31u;
}

fn mur_spatial_face_of(key: vec2<u32>) -> u32 {
    return (key.y >> 27u) & 7u;
}

fn mur_spatial_center(key: vec2<u32>, cell_size: f32) -> vec3<f32> {
    let size = cell_size * bitcast<f32>((127u + mur_spatial_level_of(key)) << 23u);
    return (vec3<f32>(mur_spatial_cell_of(key)) + 0.5) * size;
}

fn mur_spatial_parent(key: vec2<u32>) -> vec2<u32> {
    let level = mur_spatial_level_of(key);
    let half = mur_spatial_cell_of(key) >> vec3<u32>(1u);
    if (level + 1u < MUR_SPATIAL_LEVELS) {
        return mur_spatial_key(half, level + 1u, mur_spatial_face_of(key));
    }
    return key;
}

fn mur_spatial_child(key: vec2<u32>, octant: u32) -> vec2<u32> {
    let level = mur_spatial_level_of(key);
    let odd = vec3<i32>((vec3<u32>(octant) >> vec3<u32>(0u, 1u, 2u)) & vec3<u32>(1u));
    if (level > 0u) {
        return mur_spatial_key(2 * mur_spatial_cell_of(key) + odd, level - 1u,
                               mur_spatial_face_of(key));
    }
    return key;
}
