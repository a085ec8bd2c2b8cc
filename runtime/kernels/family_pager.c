/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY        mur_family_pager
#define MUR_IN_PAGER(...) __VA_ARGS__
#include "family.h"
