/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>

MurUse murUseRehash(void) {
    static const struct MurUse_T use = {
        .bit = MUR_USES_REHASH,
        .function = "murUseRehash",
        .families = {&mur_family_rehash},
    };
    return &use;
}
