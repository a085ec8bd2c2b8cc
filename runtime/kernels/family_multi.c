/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY        mur_family_multi
#define MUR_IN_MULTI(...) __VA_ARGS__
#include "family.h"
