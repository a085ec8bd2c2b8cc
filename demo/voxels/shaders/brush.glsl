// The preview of the brush: what it would change is tinted, and its outline glows.
//
// SPDX-License-Identifier: MIT

bool inBrush(vec3 voxel) {
    vec3 away = abs(voxel - viewBrush.xyz);
    float radius = viewBrush.w;
    bool sphere = dot(away, away) <= radius * radius + radius;
    bool box = all(lessThanEqual(away, viewBrushHalf.xyz));
    return viewBrushShape == BRUSH_BOX ? box : sphere;
}

// How near a ray passes to the brush's rim, 0 to 1, if it gets there before distance t.
float brushRim(vec3 origin, vec3 direction, float t) {
    vec3 to = viewBrush.xyz + 0.5 - origin;
    if (viewBrushShape == BRUSH_BOX) {
        vec3 extent = viewBrushHalf.xyz + 0.5;
        vec3 inverse = 1.0 / mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
        vec3 near = to * inverse - abs(inverse) * extent;
        vec3 far = to * inverse + abs(inverse) * extent;
        float enter = max(near.x, max(near.y, near.z));
        if (enter > min(far.x, min(far.y, far.z)) || enter > t || enter < 0.0) {
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

vec3 showBrush(vec3 color, bool found, ivec3 voxel, vec3 origin, vec3 direction, float t) {
    if (found && inBrush(vec3(voxel))) {
        float ring = length(vec3(voxel) - viewBrush.xyz);
        bool rim = viewBrushShape == BRUSH_SPHERE && ring > viewBrush.w - 0.7;
        color = mix(color, viewBrushColor.rgb, rim ? 0.8 : viewBrushColor.a);
    }
    float glow = brushRim(origin, direction, found ? t : 1e6);
    return mix(color, viewBrushColor.rgb, 0.55 * glow);
}
