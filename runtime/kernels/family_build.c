/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY        mur_family_build
#define MUR_IN_BUILD(...) __VA_ARGS__
#include "family.h"
