/* The implementation of stb_truetype, compiled once, and without the project's warnings.
 * SPDX-License-Identifier: MIT */
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>
