/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "unique_path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool nameTaken(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

void nameLike(const char *from, const char *ending, unsigned number, char *path, size_t size) {
    const char *dot = strrchr(fileName(from), '.');
    const int stem = (int)(dot && dot != from ? (size_t)(dot - from) : strlen(from));
    char words[16] = "";
    if (number > 1) {
        (void)snprintf(words, sizeof words, "-%u", number);
    }
    (void)snprintf(path, size, "%.*s%s%s", stem, from, words, ending ? ending : from + stem);
}

void nameFree(const char *from, const char *ending, char *path, size_t size) {
    nameLike(from, ending, 1, path, size);
    for (unsigned number = 2; nameTaken(path); ++number) {
        nameLike(from, ending, number, path, size);
    }
}
