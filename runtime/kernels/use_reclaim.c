/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>
#include <murmuration/reclaim.h>

MurUse murUseReclaim(void) {
    static const struct MurUse_T use = {
        .bit = MUR_USES_RECLAIM,
        .function = "murUseReclaim",
        .families = {&mur_family_reclaim},
    };
    return &use;
}
