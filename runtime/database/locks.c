/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _GNU_SOURCE       /* F_OFD_SETLK */
#define _DARWIN_C_SOURCE  /* likewise */
#define _FILE_OFFSET_BITS 64
#endif

#include "locks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* path with "-lock" behind it; to be freed. */
static char *lock_path(const char *path) {
    const size_t size = strlen(path) + sizeof "-lock";
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%s-lock", path);
    }
    return name;
}

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static wchar_t *wide(const char *path) {
    const int size = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
    wchar_t *text = calloc((size_t)size + 1, sizeof *text);
    if (text) {
        MultiByteToWideChar(CP_UTF8, 0, path, -1, text, size);
    }
    return text;
}

int mur_path_error(const char *path) {
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t *text = wide(path);
    const BOOL there = text && GetFileAttributesExW(text, GetFileExInfoStandard, &data);
    free(text);
    return !there                                              ? ENOENT
           : data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY  ? EISDIR
           : data.nFileSizeHigh == 0 && data.nFileSizeLow == 0 ? ENOENT
                                                               : 0;
}

bool mur_lock_writer(MurDatabaseLocks *locks, const char *path) {
    char *name = lock_path(path);
    wchar_t *text = name ? wide(name) : NULL;
    HANDLE file = INVALID_HANDLE_VALUE;
    errno = ENOMEM;
    if (text) { /* shared with nobody */
        file = CreateFileW(text, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS,
                           FILE_ATTRIBUTE_NORMAL, NULL);
        errno = GetLastError() == ERROR_SHARING_VIOLATION ? EBUSY
                : GetLastError() == ERROR_PATH_NOT_FOUND  ? ENOENT
                                                          : EACCES;
    }
    free(text);
    free(name);
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    locks->writer = (intptr_t)file;
    return true;
}

void mur_lock_guard(MurDatabaseLocks *locks, const char *path) {
    (void)locks; /* locks are a handle's here */
    (void)path;
}

void mur_unlock_guard(MurDatabaseLocks *locks) {
    (void)locks;
}

void mur_unlock_all(MurDatabaseLocks *locks) {
    if (locks->writer) {
        (void)CloseHandle((HANDLE)locks->writer);
    }
}

#else

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int mur_path_error(const char *path) {
    struct stat there;
    return stat(path, &there) != 0   ? errno
           : S_ISDIR(there.st_mode)  ? EISDIR
           : !S_ISREG(there.st_mode) ? EINVAL
           : there.st_size == 0      ? ENOENT
                                     : 0;
}

/* A lock of the open file description: not of the process, so that it is held against others in it,
 * too, and does not go when somebody closes another descriptor. */
static bool lock_bytes(int file, short type, off_t at, off_t count) {
#if defined(F_OFD_SETLK)
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = count};
    return fcntl(file, F_OFD_SETLK, &lock) == 0;
#else
    (void)at;
    (void)count;
    return flock(file, (type == F_UNLCK ? LOCK_UN : LOCK_EX) | LOCK_NB) == 0;
#endif
}

bool mur_lock_writer(MurDatabaseLocks *locks, const char *path) {
    char *name = lock_path(path);
    const int file = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    free(name);
    if (file < 0) {
        return false;
    }
    if (!lock_bytes(file, F_WRLCK, 0, 0)) {
        errno = errno == EACCES || errno == EAGAIN ? EBUSY : errno;
        const int error = errno;
        (void)close(file);
        errno = error;
        return false;
    }
    locks->writer = file + 1;
    return true;
}

/* SQLite's shared lock, as its file format has it. */
enum { SHARED_FIRST = 0x40000002, SHARED_SIZE = 510 };

void mur_lock_guard(MurDatabaseLocks *locks, const char *path) {
#if defined(F_OFD_SETLK)
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)lock_bytes(file, F_RDLCK, SHARED_FIRST, SHARED_SIZE);
        locks->guard = file + 1;
    }
#else
    (void)locks;
    (void)path;
#endif
}

void mur_unlock_guard(MurDatabaseLocks *locks) {
#if defined(F_OFD_SETLK)
    if (locks->guard) {
        (void)lock_bytes((int)locks->guard - 1, F_UNLCK, SHARED_FIRST, SHARED_SIZE);
    }
#else
    (void)locks;
#endif
}

void mur_unlock_all(MurDatabaseLocks *locks) {
    if (locks->guard) {
        (void)close((int)locks->guard - 1);
    }
    if (locks->writer) {
        (void)close((int)locks->writer - 1);
    }
}

#endif
