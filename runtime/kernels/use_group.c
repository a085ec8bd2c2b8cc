/* A file for each use, so that only what is used is linked. SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <murmuration/group.h>

MUR_USE(Group, MUR_USES_GROUP, &mur_family_sort, &mur_family_group)
