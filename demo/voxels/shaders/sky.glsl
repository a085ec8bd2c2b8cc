// The light that no voxel gives: the sky and the sun; and how it comes to a screen.
//
// SPDX-License-Identifier: MIT

// What comes from a direction in which there is nothing, but the sun itself.
vec3 skyLight(vec3 direction) {
    vec3 color = mix(viewHorizon.rgb, viewZenith.rgb, 1.0 - exp(-3.0 * max(direction.y, 0.0)));
    return color + viewSunLight.rgb * (0.2 * pow(max(dot(direction, viewSun.xyz), 0.0), 24.0));
}

// The same for an eye, which sees the sun.
vec3 skyColor(vec3 direction) {
    float sun = max(dot(direction, viewSun.xyz), 0.0);
    return skyLight(direction) + viewSunLight.rgb * (2.0 * pow(sun, 900.0));
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
