/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY         mur_family_slices
#define MUR_IN_SLICES(...) __VA_ARGS__
#include "family.h"
