/* The program of consumer.c, as C++.
 *
 * SPDX-License-Identifier: MIT */
static_assert(__cplusplus >= 201703L, "compiled as C++17");
#include "../consumer.c"
