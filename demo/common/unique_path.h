/* Names of files, and names for new files. SPDX-License-Identifier: MIT */
#ifndef DEMO_NAMES_H
#define DEMO_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Returns a path without its folders. */
static inline const char *fileName(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns whether the path has this ending after something else. */
static inline bool fileEnds(const char *path, const char *ending) {
    const size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

/* Returns whether the file exists. */
bool nameTaken(const char *path);
/* Writes the name number `number` that is similar to this name: house.png, house-2.png, ... ending:
 * replaces the name's ending, unless it is NULL. */
void nameLike(const char *from, const char *ending, unsigned number, char *path, size_t size);
/* Writes the first of these names that no file has. */
void nameFree(const char *from, const char *ending, char *path, size_t size);

#endif
