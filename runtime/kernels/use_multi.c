/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/multi.h>

MurUse murUseMulti(void) {
    static const struct MurUse_T use = {
        .bit = MUR_USES_MULTI,
        .function = "murUseMulti",
        .families = {&mur_family_multi, &mur_family_core_k64v32},
    };
    return &use;
}
