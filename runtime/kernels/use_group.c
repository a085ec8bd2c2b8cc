/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/group.h>

MurUse murUseGroup(void) {
    static const struct MurUse_T use = {
        .bit = MUR_USES_GROUP,
        .function = "murUseGroup",
        .families = {&mur_family_sort, &mur_family_group},
    };
    return &use;
}
