/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fileItself(const char *path, char *to, size_t size) {
    const char *name = fileName(path);
    (void)snprintf(to, size, "%.*s.", (int)(name - path), path);
    char *real = realpath(path, NULL);
    const bool itself = real != NULL;
    real = itself ? real : realpath(to, NULL);
    if (itself || !real) {
        (void)snprintf(to, size, "%s", real ? real : path);
    } else {
        (void)snprintf(to, size, "%s/%s", real, name);
    }
    free(real);
}

uint8_t *fileBytes(const char *path, const char *letters, size_t most, size_t *size) {
    struct stat status = {0};
    uint8_t *data = NULL;
    size_t capacity = 0;
    bool is = true;
    errno = 0;
    FILE *file = fopen(path, "rb");
    bool fine = file && fstat(fileno(file), &status) == 0;
    *size = 0;
    while (fine && is && *size == capacity) { /* only a regular file's length has a meaning */
        capacity = 2 * capacity + 65536;
        uint8_t *grown = realloc(data, capacity);
        data = grown ? grown : data;
        *size += grown ? fread(data + *size, 1, capacity - *size, file) : 0;
        fine = grown && !ferror(file);
        is = fine && *size >= strlen(letters) && memcmp(data, letters, strlen(letters)) == 0;
        if (is && (*size > most || (size_t)status.st_size > most)) {
            errno = EFBIG;
            fine = false;
        }
    }
    const int problem = errno;
    if (file) {
        (void)fclose(file);
    }
    if (!fine) {
        free(data);
        data = NULL;
    }
    errno = problem;
    return data;
}

uint32_t fileWord(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void fileWriteWords(FILE *file, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < 4 * count; ++i) {
        (void)fputc((int)(words[i / 4] >> i % 4 * 8 & 255), file);
    }
}
