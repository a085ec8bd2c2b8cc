/* Names for new files. SPDX-License-Identifier: MIT */
#ifndef DEMO_NAMES_H
#define DEMO_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Does the file exist? */
bool nameTaken(const char *path);
/* Returns name number `number` similar to this one, with another ending unless that is NULL:
 * house.png, house-2.png, ... */
void nameLike(const char *from, const char *ending, unsigned number, char *path, size_t size);
/* Returns the first of these names that is free. */
void nameFree(const char *from, const char *ending, char *path, size_t size);

#endif
