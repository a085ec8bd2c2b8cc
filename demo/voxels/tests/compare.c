/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <math.h>
#include <stdlib.h>

/* Returns a pixel's luminance, with the gamma of toneMap in shaders/sky.glsl. */
static double luminance(const uint8_t *pixel) {
    return 0.2126 * pow(pixel[0] / 255.0, 2.2) + 0.7152 * pow(pixel[1] / 255.0, 2.2) +
           0.0722 * pow(pixel[2] / 255.0, 2.2);
}

Difference compare(const uint8_t *picture, const uint8_t *other, size_t pixels) {
    Difference difference = {0};
    double square = 0;
    double light[2] = {0, 0};
    for (size_t i = 0; i < 4 * pixels; i += 4) {
        for (size_t channel = i; channel < i + 3; ++channel) {
            const int apart = abs(picture[channel] - other[channel]);
            difference.most = apart > difference.most ? apart : difference.most;
            square += apart * apart;
        }
        light[0] += luminance(picture + i);
        light[1] += luminance(other + i);
    }
    difference.psnr = 10 * log10(255.0 * 255.0 * 3 * (double)pixels / square);
    difference.luminance = light[0] / light[1];
    return difference;
}
