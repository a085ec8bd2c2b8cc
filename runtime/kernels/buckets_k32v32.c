/* A file for each format, so that only what is asked for is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/buckets.h>

MurFormatCode murBucketsK32V32(void) {
    return &mur_family_buckets_k32v32;
}
