/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L /* fsync, fileno, open */
#endif

#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

enum { TRIES = 1000, SUFFIX = 16 }; /* names to try; bytes of ".999.tmp" */

#if defined(_WIN32)

/* Creates a file; fails if it exists. Older C libraries of Windows lack the mode "x" of fopen. */
static FILE *open_new(const char *path) {
    const int file = _open(path, _O_WRONLY | _O_BINARY | _O_CREAT | _O_EXCL, _S_IREAD | _S_IWRITE);
    FILE *stream = file >= 0 ? _fdopen(file, "wb") : NULL;
    if (file >= 0 && !stream) {
        (void)_close(file);
    }
    return stream;
}

static bool flush_to_disk(FILE *stream) {
    return fflush(stream) == 0 && _commit(_fileno(stream)) == 0;
}

static bool replace(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
        return true;
    }
    errno = EACCES;
    return false;
}

#else

static FILE *open_new(const char *path) {
    return fopen(path, "wbx");
}

static bool flush_to_disk(FILE *stream) {
    return fflush(stream) == 0 && fsync(fileno(stream)) == 0;
}

/* Flushes the folder of a file; only then is the file's new name on the disk. Systems that cannot
 * open or flush folders need no flush. */
static void flush_folder(const char *path) {
    char *folder = malloc(strlen(path) + 2);
    if (!folder) {
        return;
    }
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    strcpy(slash ? slash + 1 : folder, ".");
    const int opened = open(folder, O_RDONLY);
    if (opened >= 0) {
        (void)fsync(opened);
        (void)close(opened);
    }
    free(folder);
}

static bool replace(const char *from, const char *to) {
    if (rename(from, to) != 0) {
        return false;
    }
    flush_folder(to);
    return true;
}

#endif

bool mur_file_create(MurNewFile *file, const char *path) {
    const size_t length = strlen(path);
    *file = (MurNewFile){.temporary = malloc(length + SUFFIX)};
    if (!file->temporary) {
        errno = ENOMEM;
        return false;
    }
    strcpy(file->temporary, path);
    for (unsigned i = 0; i < TRIES && !file->stream; ++i) {
        (void)snprintf(file->temporary + length, SUFFIX, ".%u.tmp", i);
        errno = 0;
        file->stream = open_new(file->temporary);
        if (!file->stream && errno != EEXIST) {
            break;
        }
    }
    if (!file->stream) {
        const int error = errno;
        free(file->temporary);
        file->temporary = NULL;
        errno = error;
    }
    return file->stream != NULL;
}

bool mur_file_finish(MurNewFile *file, const char *path, bool write) {
    bool good = write && flush_to_disk(file->stream);
    int error = errno;
    if (fclose(file->stream) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && !replace(file->temporary, path)) {
        good = false;
        error = errno;
    }
    if (!good) {
        (void)remove(file->temporary);
    }
    free(file->temporary);
    *file = (MurNewFile){0};
    errno = error;
    return good;
}
