// Guides for measuring: lines between voxels and on the ground, planes of mirrors, the world box.
// SPDX-License-Identifier: MIT

// Distances at which a ray enters and leaves a box.
vec2 boxSpan(vec3 low, vec3 high, vec3 origin, vec3 direction) {
    vec3 inverse = 1.0 / steep(direction);
    vec3 a = (low - origin) * inverse;
    vec3 b = (high - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    return vec2(max(near.x, max(near.y, near.z)), min(far.x, min(far.y, far.z)));
}

// Lines along the edges of cells of this size, seen on a face. pixel: size of one at that distance.
float gridLine(vec3 position, vec3 normal, float size, float width, float pixel) {
    vec3 within = abs(fract(position / size + 0.5) - 0.5) * size; // distance to the next edge
    within = mix(within, vec3(1e6), greaterThan(abs(normal), vec3(0.5)));
    float away = min(within.x, min(within.y, within.z));
    float soft = max(pixel, 1e-3);
    return (1.0 - smoothstep(width, width + soft, away)) * clamp(size / (8.0 * soft), 0.0, 1.0);
}

// The same, and none if they are less than four pixels apart.
float ruledLine(Surface s, float size, float width) {
    float pixel = s.t * length(VIEW.up.xyz) / float(viewSize.y);
    return gridLine(s.position, vec3(s.normal), size, width, pixel) *
           clamp(size / (8.0 * pixel) - 0.5, 0.0, 1.0);
}

// The edges of voxels that are near; on the ground every eighth and 64th line stands out.
vec3 showGrid(vec3 color, Surface s) {
    float line = 0.35 * ruledLine(s, 1.0, 0.02);
    if (s.index >= GROUND) {
        line = max(line, max(0.5 * ruledLine(s, 8.0, 0.05), 0.65 * ruledLine(s, 64.0, 0.1)));
    }
    return mix(color, vec3(0.01), line);
}

// Planes through the world box and a little around it, tinted by their axis, before distance t.
vec3 showMirrors(vec3 color, vec3 origin, vec3 direction, float t) {
    vec4 mirror = VIEW.mirror; // whole: see trace.glsl
    vec4 low = VIEW.roomLow - 2.0;
    vec4 high = VIEW.roomHigh + 2.0;
    for (int axis = 0; axis < 3; ++axis) {
        float at = (mirror[axis] - origin[axis]) / direction[axis];
        vec3 place = origin + at * direction;
        vec3 inside = min(place - low.xyz, high.xyz - place);
        inside[axis] = 1e6;
        float within = min(inside.x, min(inside.y, inside.z));
        if ((uint(mirror.w) >> axis & 1u) != 0u && at > 0.0 && at < t && within > 0.0) {
            float edge = 2.0 * at * length(VIEW.up.xyz) / float(viewSize.y);
            vec3 tint = mix(vec3(0.15), vec3(1.0), equal(ivec3(axis), ivec3(0, 1, 2)));
            color = mix(color, tint, within < edge ? 0.8 : 0.15);
        }
    }
    return color;
}

// The world box's edges, a pixel or two wide, before distance t.
vec3 showRoom(vec3 color, vec3 origin, vec3 direction, float t) {
    vec4 low = VIEW.roomLow; // whole: see trace.glsl
    vec4 high = VIEW.roomHigh;
    vec2 span = boxSpan(low.xyz, high.xyz, origin, direction);
    for (int i = 0; i < 2; ++i) {
        vec3 place = origin + direction * span[i];
        vec3 away = min(abs(place - low.xyz), abs(place - high.xyz)); // from the faces
        float edge = away.x + away.y + away.z - max(away.x, max(away.y, away.z)) -
                     min(away.x, min(away.y, away.z));
        float wide = 2.0 * span[i] * length(VIEW.up.xyz) / float(viewSize.y);
        if (span.x <= span.y && span[i] > 0.0 && span[i] < t && edge < wide) {
            color = mix(color, vec3(0.95), 0.4);
        }
    }
    return color;
}
