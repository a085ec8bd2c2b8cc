// The light that no voxel gives: the sky, the sun, and the ground plane's colour.
//
// SPDX-License-Identifier: MIT

const vec3 SUN_LIGHT = vec3(2.7, 2.2, 1.6);
const vec3 SKY_LIGHT = vec3(0.42, 0.56, 0.82);
const vec3 BOUNCE_LIGHT = vec3(0.22, 0.19, 0.16);
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

// Source of the curve: Krzysztof Narkowicz's fit of the ACES filmic tone curve.
vec3 toneMap(vec3 x) {
    vec3 mapped = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return pow(clamp(mapped, 0.0, 1.0), vec3(1.0 / 2.2));
}
