/* The program of consumer.c, as C++, with the installed wrapper. tests/headers tests its members.
 * SPDX-License-Identifier: MIT */
static_assert(__cplusplus >= 201703L, "compiled as C++17");
#include <murmuration/murmuration.hpp>
#include "../consumer.c"
