/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY       mur_family_core
#define MUR_IN_CORE(...) __VA_ARGS__
#include "family.h"
