/* How far two pictures are from each other.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_COMPARE_H
#define MURVOXELS_COMPARE_H

#include <stddef.h>
#include <stdint.h>

typedef struct Difference {
    double psnr; /* peak signal to noise, in dB, of 8-bit channels; infinite: they are the same */
    double luminance; /* the first one's mean, of the other's */
    int most;         /* that a channel differs by */
} Difference;

/* Compares `pixels` pixels of red, green, blue and one ignored byte. */
Difference compare(const uint8_t *picture, const uint8_t *other, size_t pixels);

#endif
