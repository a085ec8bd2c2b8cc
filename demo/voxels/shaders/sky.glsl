// The light that no voxel gives: the sky and the sun; and how it comes to a screen.
// SPDX-License-Identifier: MIT

// The light from a direction without a hit, except the sun itself. Near the horizon there is more
// air, which is paler, and bright around the sun, in the colour of evenings.
vec3 skyLight(vec3 direction) {
    float air = pow(1.0 - max(direction.y, 0.0), 4.0);
    float sun = max(dot(direction, viewSun.xyz), 0.0);
    vec3 glow = vec3(0.10 * pow(sun, 32.0)) + air * pow(sun, 6.0) * vec3(0.34, 0.20, 0.08);
    return mix(viewZenith.rgb, viewHorizon.rgb, air) + viewSunLight.rgb * glow;
}

// The same for an eye, which sees the sun.
vec3 skyColor(vec3 direction) {
    float away = length(cross(direction, viewSun.xyz));
    float disc = dot(direction, viewSun.xyz) > 0.0 ? smoothstep(1.1, 0.9, away / viewSun.w) : 0.0;
    float halo = pow(max(dot(direction, viewSun.xyz), 0.0), 600.0);
    return skyLight(direction) + viewSunLight.rgb * (40.0 * disc + 0.5 * halo);
}

// Colours below a knee stay as they are; brighter ones are pressed under white, their hue kept.
// Source of the idea: Khronos' PBR Neutral tone mapper.
vec3 toneMap(vec3 x) {
    const float knee = 0.72;
    float peak = max(x.r, max(x.g, x.b));
    if (peak > knee) {
        float room = 1.0 - knee;
        float pressed = 1.0 - room * room / (peak - knee + room);
        x = mix(vec3(pressed), x * (pressed / peak), 1.0 / (0.15 * (peak - pressed) + 1.0));
    }
    return pow(clamp(x, 0.0, 1.0), vec3(1.0 / 2.2));
}
