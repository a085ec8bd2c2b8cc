/* Measures the difference of two pictures.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_COMPARE_H
#define MURVOXELS_COMPARE_H

#include <stddef.h>
#include <stdint.h>

typedef struct Difference {
    double psnr;      /* peak signal-to-noise ratio of 8-bit channels in dB; infinite: equal */
    double luminance; /* mean of the first picture / mean of the other */
    int most;         /* largest difference of a channel */
} Difference;

/* Compares `pixels` pixels of red, green, blue and one ignored byte. */
Difference compare(const uint8_t *picture, const uint8_t *other, size_t pixels);

#endif
