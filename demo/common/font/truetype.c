/* The implementation of stb_truetype, compiled once, without our warnings.
 *
 * SPDX-License-Identifier: MIT */
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>
