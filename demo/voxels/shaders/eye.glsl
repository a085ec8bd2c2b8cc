// What an eye sees. While nothing moves, each picture sends another ray through each pixel and from
// there another one by the cosine law, and the mean of all pictures is shown; else the cache is.
//
// SPDX-License-Identifier: MIT

// Of a face, without mirrors.
vec3 facing(inout Cache cache, Surface s, uint salt) {
    uint n = VIEW.still;
    vec4 known = lightOn(cache, s, true);
    vec2 sunDice = n == 0u ? vec2(0.0) : even(n, salt ^ 1u);
    vec3 light = known.rgb;
    if (n != 0u || known.w < 4.0) {
        light = gather(cache, s, even(n, salt), even(n, salt ^ 2u));
    }
    return emission(s) + albedo(s) * (sunOn(cache, s, sunDice) + light);
}

vec3 seen(inout Cache cache, Surface s, vec3 direction, uint salt) {
    if (!s.found) {
        return skyColor(direction);
    }
    vec3 color = facing(cache, s, salt);
    if (isWater(s)) {
        vec3 mirrored = waterMirror(s, direction);
        Surface far = meetFrom(cache, s, mirrored);
        vec3 image = far.found ? facing(cache, far, salt ^ 4u) : skyColor(mirrored);
        color = mix(color, image, waterShare(direction));
    }
    return throughAir(color, direction, s);
}
