/* CRC-64/XZ: the polynomial of ECMA-182 (annex B), bits reflected, start and end inverted, as in
 * the xz file format. Processes eight bytes per step with eight tables ("slicing-by-8", M. Kounavis
 * and F. Berry, 2005), which are computed when a sum starts: no global state.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_CHECKSUM_H
#define MUR_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct MurChecksum {
    uint64_t sum; /* inverted */
    uint64_t tables[8][256];
} MurChecksum;

void mur_checksum_start(MurChecksum *checksum);
void mur_checksum_add(MurChecksum *checksum, const void *data, size_t size);
uint64_t mur_checksum_value(const MurChecksum *checksum);

#endif
