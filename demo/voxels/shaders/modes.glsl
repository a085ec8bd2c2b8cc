// The colours of pixels in modes other than the shaded world.
// SPDX-License-Identifier: MIT

// Dark blue, blue, green, yellow, red, white: from 0 to 1 and above.
vec3 heat(float x) {
    const vec3 stops[6] = vec3[](vec3(0.01, 0.02, 0.08), vec3(0.02, 0.10, 0.55),
                                 vec3(0.02, 0.55, 0.35), vec3(0.95, 0.75, 0.05),
                                 vec3(0.90, 0.10, 0.03), vec3(1.0));
    float at = clamp(x, 0.0, 1.0) * 5.0;
    uint i = min(uint(at), 4u);
    return mix(stops[i], stops[i + 1u], at - float(i));
}

vec3 flatColor(uint index) {
    return pow(unpackUnorm4x8(ViewBlock(push.view).view.palette[index]).rgb, vec3(2.2));
}

vec3 showBricks(Surface s) {
    float pixel = s.t * length(VIEW.up.xyz) / float(viewSize.y);
    vec3 normal = vec3(s.normal);
    uvec3 brick = uvec3(s.voxel + viewBase.xyz) >> BRICK_SHIFT;
    brick -= uvec3(WORLD_ORIGIN_X, WORLD_ORIGIN_Y, WORLD_ORIGIN_Z) >> BRICK_SHIFT;
    uint hash = placeHash(brick.x, brick.y, brick.z, 17u);
    vec3 tint = 0.35 + 0.65 * vec3(unit(hash), unit(hash * 3u), unit(hash * 7u));
    float light = 0.55 + 0.25 * normal.y + 0.2 * abs(normal.x);
    vec3 color = mix(albedo(s), tint, 0.5) * light * 1.4;
    color *= 1.0 - 0.35 * gridLine(s.position, normal, 1.0, 0.02, pixel);
    color = mix(color, vec3(0.02), gridLine(s.position, normal, 8.0, 0.12, pixel));
    return mix(color, vec3(1.0, 0.35, 0.02), gridLine(s.position, normal, 64.0, 0.4, pixel));
}

// Sectors that finding the brick of a voxel examines, more than one by heat.
vec3 showProbes(Surface s) {
    BrickKey key = brickKey(uvec3(s.voxel + viewBase.xyz) >> BRICK_SHIFT);
    MurTableRef bricks = push.world.bricks;
    uint brick;
    uint slot = mur_find_slot(bricks, key, brick);
    uint home = mur_home(mur_hash64(key, bricks.seed).y, bricks.capacity);
    uint probe = slot >= bricks.slotCount ? 1u
                 : slot >= home           ? slot - home + 1u
                                          : slot + bricks.slotCount - home + 1u;
    float light = 0.7 + 0.3 * dot(vec3(s.normal), vec3(0.3, 0.8, 0.5));
    return heat(log2(float(probe)) / 6.0 + 0.06) * light * 1.6;
}

// The cell of light that a face belongs to: its size, or how much it has learnt.
vec3 showCell(inout Cache cache, Surface s, uint mode) {
    uint where;
    uint level = lightLevel(s.position);
    uvec2 key = lightKey(s, level, where);
    float light = 0.7 + 0.3 * unit(mur_hash(key.x ^ mur_hash(key.y, 1u), 2u));
    if (mode == VIEW_LEVELS) {
        return heat(0.15 + float(level) / 8.0) * light;
    }
    float spread;
    return heat(lightOn(cache, s, true, spread).w / 255.0) * light;
}

// Views that light has no part in.
vec3 showSurface(inout Cache cache, Surface s, uint mode) {
    if (mode == VIEW_NORMALS) {
        return pow(0.5 + 0.5 * vec3(s.normal), vec3(2.2));
    }
    if (mode == VIEW_LEVELS || mode == VIEW_LEARNT) {
        return showCell(cache, s, mode);
    }
    if (s.index >= GROUND) {
        return vec3(0.1);
    }
    return mode == VIEW_PROBES ? showProbes(s) : mode == VIEW_FLAT ? flatColor(s.index)
                                                                   : showBricks(s);
}

// The brick table's slots from the upper left, several per pixel: live ones in the heat of their
// probe length, tombstones violet, free ones dark.
vec3 showTable(uvec2 pixel) {
    MurTableRef bricks = push.world.bricks;
    uint pixels = viewSize.x * viewSize.y;
    uint each = max((bricks.slotCount + pixels - 1u) / pixels, 1u);
    uint cell = max(uint(sqrt(float(pixels) / float(bricks.slotCount))), 1u); // pixels a side
    uint columns = viewSize.x / cell;
    uint first = ((pixel.y / cell) * columns + pixel.x / cell) * each;
    vec3 sum = vec3(0.0);
    uint shown = 0u;
    for (uint i = first; i < min(first + each, bricks.slotCount); ++i) {
        uvec4 words = mur_slot_words(bricks, MUR_FORMAT_K64V32, i);
        uint home = mur_home(mur_hash_in(bricks, MUR_FORMAT_K64V32, words).y, bricks.capacity);
        uint probe = i >= home ? i - home + 1u : i + bricks.slotCount - home + 1u;
        bool live = words.z != mur_empty_value(bricks);
        vec3 used = live ? heat(0.2 + log2(float(probe)) / 7.0) : vec3(0.35, 0.05, 0.6);
        sum += mur_is_claimed(bricks, MUR_FORMAT_K64V32, words) ? used : vec3(0.015);
        ++shown;
    }
    bool edge = cell >= 4u && any(equal(pixel % cell, uvec2(0u)));
    return shown == 0u || pixel.x / cell >= columns || edge ? vec3(0.0) : sum / float(shown);
}
