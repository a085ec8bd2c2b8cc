/* A file for each format, so that only what is asked for is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>

MurFormatCode murFormatK64V64(void) {
    return &mur_family_core_k64v64;
}
