/* Replaces the shaders of a test program by files, which another compiler produced from the same
 * text.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_INSTEAD_H
#define MUR_TEST_INSTEAD_H

#include <stddef.h>
#include <stdint.h>

/* Returns the SPIR-V of FOLDER/name.spv and its size in bytes if MUR_TEST_SHADERS=FOLDER contains
 * the file, and prints a line; otherwise code and size. The memory lives until the program ends. */
const uint32_t *shader_instead(const char *name, const uint32_t *code, size_t *size);

#endif
