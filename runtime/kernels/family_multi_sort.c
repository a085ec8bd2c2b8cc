/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY             mur_family_multi_sort
#define MUR_IN_MULTI_SORT(...) __VA_ARGS__
#include "family.h"
