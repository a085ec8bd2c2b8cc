/* Noise in integers, so that every device and every compiler makes the same terrain: the same text
 * for C and GLSL. Right shifts of negative numbers are arithmetic in both (in C: on every compiler
 * known).
 *
 * Source of the method: gradient noise and its fractal sums by Ken Perlin.
 * SPDX-License-Identifier: MIT */
#ifndef TERRAIN_NOISE_H
#define TERRAIN_NOISE_H

#include "shapes.h"

#define T_MIN(a, b)         ((a) < (b) ? (a) : (b))
#define T_MAX(a, b)         ((a) > (b) ? (a) : (b))
#define T_CLAMP(x, low, up) T_MAX(low, T_MIN(x, up))
#define T_ABS(x)            ((x) < 0 ? -(x) : (x))

/* 0 ... 256 to 0 ... 256, flat at both ends. */
MUR_INLINE int noiseFade(int f) {
    return f * f * (768 - 2 * f) >> 16;
}

/* 0 below low, 1024 above up, a soft step between. */
MUR_INLINE int noiseStep(int low, int up, int x) {
    int f = T_CLAMP((x - low) * 256 / (up - low), 0, 256);
    return noiseFade(f) * 4;
}

MUR_INLINE int noiseMix(int a, int b, int f) {
    return a + ((b - a) * f >> 8);
}

/* A corner's gradient times the way from it, in 1/256 of a cell. */
MUR_INLINE int noiseCorner(int x, int y, int z, int dx, int dy, int dz, MUR_U32 seed) {
    MUR_U32 h = placeHash(TO_UINT(x), TO_UINT(y), TO_UINT(z), seed);
    int gx = TO_INT(h & 255u) - 128;
    int gy = TO_INT(h >> 8 & 255u) - 128;
    int gz = TO_INT(h >> 16 & 255u) - 128;
    return gx * dx + gy * dy + gz * dz;
}

MUR_INLINE int noiseLayer(int x, int y, int z, int fx, int fy, int fz, int sx, int sz,
                          MUR_U32 seed) {
    int a = noiseMix(noiseCorner(x, y, z, fx, fy, fz, seed),
                     noiseCorner(x + 1, y, z, fx - 256, fy, fz, seed), sx);
    int b = noiseMix(noiseCorner(x, y, z + 1, fx, fy, fz - 256, seed),
                     noiseCorner(x + 1, y, z + 1, fx - 256, fy, fz - 256, seed), sx);
    return noiseMix(a, b, sz);
}

/* Noise over cells of 2^shift, shift up to 10: mostly within -1024 ... 1024, mean 0. */
MUR_INLINE int gradient2(int x, int z, int shift, MUR_U32 seed) {
    int cx = x >> shift;
    int cz = z >> shift;
    int fx = (x - cx * (1 << shift)) * 256 >> shift;
    int fz = (z - cz * (1 << shift)) * 256 >> shift;
    return noiseLayer(cx, 0, cz, fx, 0, fz, noiseFade(fx), noiseFade(fz), seed) >> 4;
}

MUR_INLINE int gradient3(int x, int y, int z, int shift, MUR_U32 seed) {
    int cx = x >> shift;
    int cy = y >> shift;
    int cz = z >> shift;
    int scale = 256 >> shift;
    int fx = (x - cx * (1 << shift)) * scale;
    int fy = (y - cy * (1 << shift)) * scale;
    int fz = (z - cz * (1 << shift)) * scale;
    int sx = noiseFade(fx);
    int sz = noiseFade(fz);
    int a = noiseLayer(cx, cy, cz, fx, fy, fz, sx, sz, seed);
    int b = noiseLayer(cx, cy + 1, cz, fx, fy - 256, fz, sx, sz, seed);
    return noiseMix(a, b, noiseFade(fy)) >> 4;
}

/* A sum of octaves from cells of 2^shift down, each half as strong as the one before. */
MUR_INLINE int noiseSum2(int x, int z, int shift, int octaves, MUR_U32 seed) {
    int sum = 0;
    for (int i = 0; i < octaves; ++i) {
        sum += gradient2(x, z, shift - i, seed + TO_UINT(i)) >> i;
    }
    return sum;
}

/* The same with crests at noise 0: 0 ... about 2048. */
MUR_INLINE int noiseRidges2(int x, int z, int shift, int octaves, MUR_U32 seed) {
    int sum = 0;
    for (int i = 0; i < octaves; ++i) {
        int n = gradient2(x, z, shift - i, seed + TO_UINT(i));
        int crest = T_MAX(1024 - 2 * T_ABS(n), 0);
        sum += (crest * crest >> 10) >> i;
    }
    return sum;
}

#endif
