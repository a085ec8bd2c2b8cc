/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>

MurUse murUseBuild(void) {
    static const struct MurUse_T use = {
        .bit = MUR_USES_BUILD,
        .function = "murUseBuild",
        .families = {&mur_family_slices, &mur_family_build},
    };
    return &use;
}
