// The preview of an edit: voxels that it would change are tinted, and its outline glows.
// SPDX-License-Identifier: MIT

vec4 previewColor; // whole: see trace.glsl
vec3 previewLow;   // of its box, whose high end is excluded
vec3 previewHigh;
Edit preview;
bool previewLine;

void readPreview() {
    ivec4 low = VIEW.preview.low;
    ivec4 high = VIEW.preview.high;
    previewLow = vec3(low.xyz);
    previewHigh = vec3(high.xyz) + 1.0;
    preview = VIEW.preview.edit;
    bool point = preview.ax == preview.bx && preview.ay == preview.by && preview.az == preview.bz;
    previewLine = !point && preview.shape != SHAPE_CUBOID;
}

bool inPreview(ivec3 v) {
    return (preview.flags & EDIT_MARKED) != 0u
               ? isMarked(FloodAt(VIEW.preview.marks), uvec3(v + viewBase.xyz))
               : brushHas(preview, v.x, v.y, v.z);
}

bool isBall() {
    return preview.shape == SHAPE_SPHERE && preview.radius != 0u && !previewLine;
}

// How near a ray passes to the rim, 0 to 1, if it gets there before distance t.
float previewRim(vec3 origin, vec3 direction, float t) {
    vec3 to = 0.5 * (previewLow + previewHigh) - origin;
    vec3 extent = 0.5 * (previewHigh - previewLow);
    if (!isBall()) {
        vec2 span = boxSpan(previewLow, previewHigh, origin, direction);
        float enter = span.x;
        if (enter > span.y || enter > t || enter < 0.0) {
            return 0.0;
        }
        vec3 inside = extent - abs(direction * enter - to); // distances to the faces
        float edge = inside.x + inside.y + inside.z - max(inside.x, max(inside.y, inside.z)) -
                     min(inside.x, min(inside.y, inside.z));
        float wide = max(0.06 * min(extent.x, min(extent.y, extent.z)), 0.003 * enter);
        return 0.10 + 0.90 * (1.0 - smoothstep(0.5 * wide, wide, edge));
    }
    float along = dot(to, direction);
    float away = dot(to, to) - along * along;
    float inside = extent.x * extent.x - away;
    float enter = along - sqrt(max(inside, 0.0));
    if (inside < 0.0 || enter > t || enter < 0.0) {
        return 0.0;
    }
    return 0.12 + 0.88 * smoothstep(0.80, 1.0, away / (extent.x * extent.x));
}

// The colour of the paste or the line at a voxel; 0: none.
uint ghostColor(ivec3 v) {
    if (previewLine) {
        return inPreview(v) ? 1u : 0u;
    }
    uvec3 size = uvec3(VIEW.preview.clipX, VIEW.preview.clipY, VIEW.preview.clipZ);
    return copiedColor(Words(VIEW.preview.clipboard), size, preview, v);
}

// The ghost's first voxel on a ray before distance t, over color.
vec3 showGhost(vec3 color, vec3 origin, vec3 direction, float t) {
    vec2 span = boxSpan(previewLow, previewHigh, origin, direction);
    float at = max(span.x, 0.0);
    ivec3 low = ivec3(previewLow);
    ivec3 high = ivec3(previewHigh) - 1;
    vec3 inverse = 1.0 / steep(direction);
    ivec3 v = clamp(ivec3(floor(origin + direction * (at + 1e-3))), low, high);
    ivec3 way = ivec3(sign(direction));
    float light = 0.8;
    while (at < min(span.y, t)) {
        uint index = ghostColor(v);
        if (index != 0u) {
            vec3 own = previewLine ? previewColor.rgb : flatColor(index);
            return mix(color, mix(own * light, previewColor.rgb, 0.15), 0.75);
        }
        vec3 next = (vec3(v + max(way, ivec3(0))) - origin) * inverse;
        at = min(next.x, min(next.y, next.z));
        int axis = next.x <= at ? 0 : next.y <= at ? 1 : 2;
        light = axis == 1 ? 1.0 : axis == 0 ? 0.8 : 0.65;
        v[axis] += way[axis];
        if (way[axis] == 0 || v[axis] < low[axis] || v[axis] > high[axis]) {
            return color;
        }
    }
    return color;
}

vec3 showPreview(vec3 color, bool found, ivec3 voxel, vec3 origin, vec3 direction, float t) {
    float end = found ? t : 1e6;
    bool paste = preview.tool == TOOL_PASTE;
    if (paste || previewLine) {
        color = showGhost(color, origin, direction, end);
    }
    if (!paste && found && inPreview(voxel)) {
        float ring = length(vec3(voxel) + 0.5 - 0.5 * (previewLow + previewHigh));
        bool rim = isBall() && ring > float(preview.radius) - 0.7;
        color = mix(color, previewColor.rgb, rim ? 0.8 : previewColor.a);
    }
    float glow = previewLine ? 0.0 : previewRim(origin, direction, end);
    return mix(color, previewColor.rgb, 0.55 * glow);
}
