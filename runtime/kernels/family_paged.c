/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY        mur_family_paged
#define MUR_IN_PAGED(...) __VA_ARGS__
#include "family.h"
