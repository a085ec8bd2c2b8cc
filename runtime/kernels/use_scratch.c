/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>

MurUse murUseScratch(void) {
    static const struct MurUse_T use = {
        .bit = MUR_USES_SCRATCH,
        .function = "murUseScratch",
        .families = {&mur_family_sort, &mur_family_slices, &mur_family_insert},
    };
    return &use;
}
