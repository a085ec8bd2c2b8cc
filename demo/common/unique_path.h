/* Names for new files. SPDX-License-Identifier: MIT */
#ifndef DEMO_NAMES_H
#define DEMO_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the file exists. */
bool nameTaken(const char *path);
/* Writes the name number `number` that is similar to this name: house.png, house-2.png, ... ending:
 * replaces the name's ending, unless it is NULL. */
void nameLike(const char *from, const char *ending, unsigned number, char *path, size_t size);
/* Writes the first of these names that no file has. */
void nameFree(const char *from, const char *ending, char *path, size_t size);

#endif
