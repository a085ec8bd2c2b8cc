/* Keys as a voxel engine has them: the bricks of a sphere's surface, two bricks thick.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_SPHERE_H
#define MURBENCH_SPHERE_H

#include <stdint.h>

typedef enum SphereOrder { SPHERE_SCAN, SPHERE_MORTON } SphereOrder;

/* Bricks of the sphere with this radius, at most 510 bricks; keys, if not NULL, gets one for each:
 * its three coordinates of 10 bits, x lowest. Scan order: x fastest, then y, then z. */
uint32_t sphereBricks(uint32_t radius, uint32_t *keys);
/* Sorts the keys of bricks along the Morton curve. */
void sphereSortMorton(uint32_t *keys, uint32_t count);

#endif
