/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/multi.h>

MUR_USE(Multi, MUR_USES_MULTI, &mur_family_multi, &mur_family_core_k64v32)
