/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>

MUR_USE(Scratch, MUR_USES_SCRATCH, &mur_family_sort, &mur_family_slices, &mur_family_insert)
