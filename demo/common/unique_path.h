/* Names for new files. SPDX-License-Identifier: MIT */
#ifndef DEMO_NAMES_H
#define DEMO_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Is anything there? */
bool nameTaken(const char *path);
/* The number-th name like this one, with another ending unless that is NULL: house.png,
 * house-2.png, ... */
void nameLike(const char *from, const char *ending, unsigned number, char *path, size_t size);
/* The first of them at which nothing is. */
void nameFree(const char *from, const char *ending, char *path, size_t size);

#endif
