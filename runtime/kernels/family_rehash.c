/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY         mur_family_rehash
#define MUR_IN_REHASH(...) __VA_ARGS__
#include "family.h"
