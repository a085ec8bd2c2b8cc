// The preview of the brush: what it would change is tinted, and its outline glows.
//
// SPDX-License-Identifier: MIT

vec4 viewBrush; // whole: see trace.glsl
vec4 viewBrushHalf;
vec4 viewBrushColor;
uint viewBrushShape;

void readBrush() {
    viewBrush = VIEW.brush;
    viewBrushHalf = VIEW.brushHalf;
    viewBrushColor = VIEW.brushColor;
    viewBrushShape = VIEW.brushShape;
}

bool inLine(ivec3 v) {
    Edit edit;
    ivec4 from = VIEW.lineFrom; // whole: see trace.glsl
    ivec4 to = VIEW.lineTo;
    edit.ax = from.x;
    edit.ay = from.y;
    edit.az = from.z;
    edit.bx = to.x;
    edit.by = to.y;
    edit.bz = to.z;
    edit.shape = uint(from.w);
    edit.radius = uint(to.w);
    return brushHas(edit, v.x, v.y, v.z);
}

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer WordsAt {
    uint words[];
};

bool inBrush(vec3 voxel) {
    if (viewBrushShape == BRUSH_LINE) {
        return inLine(ivec3(voxel));
    }
    vec3 away = abs(voxel - viewBrush.xyz);
    float radius = viewBrush.w;
    bool sphere = dot(away, away) <= radius * radius + radius;
    bool box = all(lessThanEqual(away, viewBrushHalf.xyz));
    uvec3 place = uvec3(ivec3(voxel) + viewBase.xyz);
    return viewBrushShape == BRUSH_SPHERE  ? sphere
           : viewBrushShape == BRUSH_MARKS ? box && isMarked(FloodAt(VIEW.marks), place)
                                           : box;
}

// Enters and leaves the brush's box.
vec2 brushSpan(vec3 origin, vec3 direction) {
    vec3 to = viewBrush.xyz + 0.5 - origin;
    vec3 inverse = 1.0 / mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
    vec3 extent = viewBrushHalf.xyz + 0.5;
    vec3 near = to * inverse - abs(inverse) * extent;
    vec3 far = to * inverse + abs(inverse) * extent;
    return vec2(max(near.x, max(near.y, near.z)), min(far.x, min(far.y, far.z)));
}

// How near a ray passes to the brush's rim, 0 to 1, if it gets there before distance t.
float brushRim(vec3 origin, vec3 direction, float t) {
    vec3 to = viewBrush.xyz + 0.5 - origin;
    if (viewBrushShape != BRUSH_SPHERE) {
        vec3 extent = viewBrushHalf.xyz + 0.5;
        vec2 span = brushSpan(origin, direction);
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
    float radius = viewBrush.w + 0.5;
    float along = dot(to, direction);
    float away = dot(to, to) - along * along;
    float inside = radius * radius - away;
    float enter = along - sqrt(max(inside, 0.0));
    if (inside < 0.0 || enter > t || enter < 0.0) {
        return 0.0;
    }
    return 0.12 + 0.88 * smoothstep(0.80, 1.0, away / (radius * radius));
}

// What was copied, or is on the line, at a place in the ghost's box; 0: nothing.
uint ghostColor(ivec3 v, ivec3 low, ivec3 size) {
    if (viewBrushShape == BRUSH_LINE) {
        return inLine(low + v) ? 1u : 0u;
    }
    Edit edit = Edit(TOOL_PASTE, SHAPE_CUBOID, 0, 0, 0, size.x - 1, size.y - 1, size.z - 1, 0u, 0u,
                     0u, VIEW.clipTurn);
    Spot copy = Spot(int(VIEW.clipX), int(VIEW.clipY), int(VIEW.clipZ));
    Spot from = pasteFrom(edit, Spot(v.x, v.y, v.z), copy);
    uint row = uint(from.z) * VIEW.clipY + uint(from.y);
    uint word = row * ((VIEW.clipX + 3u) / 4u) + (uint(from.x) >> 2);
    return WordsAt(VIEW.clipboard).words[word] >> (8u * (uint(from.x) & 3u)) & 255u;
}

// The ghost's first voxel on a ray before distance t, over color.
vec3 showGhost(vec3 color, vec3 origin, vec3 direction, float t) {
    vec2 span = brushSpan(origin, direction);
    float at = max(span.x, 0.0);
    ivec3 size = ivec3(2.0 * viewBrushHalf.xyz + 1.5);
    vec3 low = viewBrush.xyz - viewBrushHalf.xyz;
    vec3 inverse = 1.0 / mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
    int steps = size.x + size.y + size.z;
    vec3 start = origin + direction * (at + 1e-3) - low;
    ivec3 v = clamp(ivec3(floor(start)), ivec3(0), size - 1);
    ivec3 way = ivec3(sign(direction));
    float light = 0.8;
    for (int i = 0; i < steps && at < min(span.y, t); ++i) {
        uint index = ghostColor(v, ivec3(low), size);
        if (index != 0u) {
            bool line = viewBrushShape == BRUSH_LINE;
            vec3 own = line ? viewBrushColor.rgb : flatColor(index);
            return mix(color, mix(own * light, viewBrushColor.rgb, 0.15), 0.75);
        }
        vec3 next = (vec3(v) + max(vec3(way), vec3(0.0)) + low - origin) * inverse;
        at = min(next.x, min(next.y, next.z));
        int axis = next.x <= at ? 0 : next.y <= at ? 1 : 2;
        light = axis == 1 ? 1.0 : axis == 0 ? 0.8 : 0.65;
        v[axis] += way[axis];
        if (way[axis] == 0 || v[axis] < 0 || v[axis] >= size[axis]) {
            return color;
        }
    }
    return color;
}

vec3 showBrush(vec3 color, bool found, ivec3 voxel, vec3 origin, vec3 direction, float t) {
    if (viewBrushShape == BRUSH_GHOST || viewBrushShape == BRUSH_LINE) {
        color = showGhost(color, origin, direction, found ? t : 1e6);
    }
    if (viewBrushShape != BRUSH_GHOST && found && inBrush(vec3(voxel))) {
        float ring = length(vec3(voxel) - viewBrush.xyz);
        bool rim = viewBrushShape == BRUSH_SPHERE && ring > viewBrush.w - 0.7;
        color = mix(color, viewBrushColor.rgb, rim ? 0.8 : viewBrushColor.a);
    }
    float glow = viewBrushShape == BRUSH_LINE ? 0.0 : brushRim(origin, direction, found ? t : 1e6);
    return mix(color, viewBrushColor.rgb, 0.55 * glow);
}
