// The light that no voxel gives: the sky, the sun, and the ground plane's colour.
//
// SPDX-License-Identifier: MIT

// A face in the sun is about as bright as its palette entry says.
const vec3 SUN_LIGHT = vec3(1.28, 1.10, 0.86);
const vec3 SKY_LIGHT = vec3(0.34, 0.42, 0.56);
const vec3 BOUNCE_LIGHT = vec3(0.20, 0.18, 0.16);
const vec3 HAZE = vec3(0.42, 0.56, 0.74);

// Towards the horizon, which the ground plane fades into.
vec3 skyColor(vec3 direction) {
    float up = max(direction.y, 0.0);
    vec3 color = mix(HAZE, vec3(0.13, 0.30, 0.66), 1.0 - exp(-3.0 * up));
    float sun = max(dot(direction, viewSun.xyz), 0.0);
    return color + vec3(1.0, 0.75, 0.45) * (0.25 * pow(sun, 24.0) + 2.0 * pow(sun, 900.0));
}

// Light from all of the sky on a surface.
vec3 ambientLight(vec3 normal) {
    return mix(BOUNCE_LIGHT, SKY_LIGHT, 0.5 + 0.5 * normal.y);
}

// Colours below a knee stay as they are; what is brighter is pressed under white, its hue kept.
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
