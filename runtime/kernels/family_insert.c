/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY         mur_family_insert
#define MUR_IN_INSERT(...) __VA_ARGS__
#include "family.h"
