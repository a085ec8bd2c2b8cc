/* SPDX-License-Identifier: MIT */
#define MUR_FAMILY          mur_family_reclaim
#define MUR_IN_RECLAIM(...) __VA_ARGS__
#include "family.h"
