/* Shaders from files, in place of those that a test program has: what another compiler has made of
 * the same text.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_INSTEAD_H
#define MUR_TEST_INSTEAD_H

#include <stddef.h>
#include <stdint.h>

/* SPIR-V of FOLDER/name.spv, and its size in bytes, if MUR_TEST_SHADERS=FOLDER has that file, of
 * which a line tells; else code and size as they are. Kept until the program ends. */
const uint32_t *shader_instead(const char *name, const uint32_t *code, size_t *size);

#endif
