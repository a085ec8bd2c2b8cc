/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _GNU_SOURCE       /* F_OFD_SETLK */
#define _DARWIN_C_SOURCE  /* F_OFD_SETLK on macOS */
#define _FILE_OFFSET_BITS 64
#endif

#include "locks.h"

#include <errno.h>

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { MOST_PATH = 4096 };

int mur_path_error(const char *path) {
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t text[MOST_PATH];
    return !MultiByteToWideChar(CP_UTF8, 0, path, -1, text, MOST_PATH) ||
                   !GetFileAttributesExW(text, GetFileExInfoStandard, &data)
               ? ENOENT
           : data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY  ? EISDIR
           : data.nFileSizeHigh == 0 && data.nFileSizeLow == 0 ? ENOENT
                                                               : 0;
}

MurFileId mur_file_id(const char *path) {
    (void)path;
    return (MurFileId){0};
}

bool mur_lock_writer(MurDatabaseLocks *locks, const char *name) {
    wchar_t text[MOST_PATH];
    HANDLE file = INVALID_HANDLE_VALUE;
    if (MultiByteToWideChar(CP_UTF8, 0, name, -1, text, MOST_PATH)) { /* the open is exclusive */
        file = CreateFileW(text, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS,
                           FILE_ATTRIBUTE_NORMAL, NULL);
    }
    if (file == INVALID_HANDLE_VALUE) {
        errno = GetLastError() == ERROR_SHARING_VIOLATION ? EBUSY : EACCES;
        return false;
    }
    locks->writer = (intptr_t)file;
    return true;
}

static void close_file(intptr_t file) {
    (void)CloseHandle((HANDLE)file);
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

MurFileId mur_file_id(const char *path) {
    struct stat there;
    return stat(path, &there) != 0 ? (MurFileId){0}
                                   : (MurFileId){(uint64_t)there.st_dev, (uint64_t)there.st_ino};
}

#if defined(F_OFD_SETLK)
/* Locks bytes of a file for the open file description, not for the process. The lock also excludes
 * other descriptors of the process, and closing another descriptor does not release it. */
static bool lock_bytes(int file, short type, off_t at, off_t count) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = count};
    return fcntl(file, F_OFD_SETLK, &lock) == 0;
}
#else
#define lock_bytes(file, type, at, count) (flock(file, LOCK_EX | LOCK_NB) == 0)
#endif

bool mur_lock_writer(MurDatabaseLocks *locks, const char *name) {
    const int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && !lock_bytes(file, F_WRLCK, 0, 0)) {
        const int error = errno == EACCES || errno == EAGAIN ? EBUSY : errno;
        (void)close(file);
        errno = error;
        return false;
    }
    locks->writer = file + 1;
    return file >= 0;
}

static void close_file(intptr_t file) {
    (void)close((int)file - 1);
}

#endif

#if defined(F_OFD_SETLK)
/* The bytes of SQLite's shared lock, defined by its file format. */
enum { SHARED_FIRST = 0x40000002, SHARED_SIZE = 510 };

void mur_lock_guard(MurDatabaseLocks *locks, const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)lock_bytes(file, F_RDLCK, SHARED_FIRST, SHARED_SIZE);
        locks->guard = file + 1;
    }
}

void mur_unlock_guard(MurDatabaseLocks *locks) {
    if (locks->guard) {
        (void)lock_bytes((int)locks->guard - 1, F_UNLCK, SHARED_FIRST, SHARED_SIZE);
    }
}
#else
void mur_lock_guard(MurDatabaseLocks *locks, const char *path) {
    (void)locks;
    (void)path;
}

void mur_unlock_guard(MurDatabaseLocks *locks) {
    (void)locks;
}
#endif

void mur_unlock_all(MurDatabaseLocks *locks) {
    if (locks->guard) {
        close_file(locks->guard);
    }
    if (locks->writer) {
#if defined(F_OFD_SETLK)
        /* A forked child shares the descriptor, and would otherwise keep the lock. */
        (void)lock_bytes((int)locks->writer - 1, F_UNLCK, 0, 0);
#endif
        close_file(locks->writer);
    }
}
