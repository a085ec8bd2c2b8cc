/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/murmuration.h>

MUR_USE(Rehash, MUR_USES_REHASH, &mur_family_rehash)
