/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE   200809L /* pread, pwrite, fsync, fcntl */
#define _FILE_OFFSET_BITS 64
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* F_FULLFSYNC */
#endif
#endif

#include "page_file_os.h"

#include <errno.h>
#include <stdlib.h>

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static VkResult failed(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
        break;
    }
    return MUR_ERROR_FILE;
}

static OVERLAPPED at(uint64_t offset) {
    OVERLAPPED place = {0};
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    return place;
}

/* What one call moves at most. */
static DWORD part(uint64_t size) {
    return size < 1 << 30 ? (DWORD)size : 1 << 30;
}

static VkResult VKAPI_PTR read_file(void *file, uint64_t offset, void *bytes, uint64_t size) {
    for (uint64_t done = 0; done < size;) {
        OVERLAPPED place = at(offset + done);
        DWORD moved = 0;
        if (!ReadFile(file, (char *)bytes + done, part(size - done), &moved, &place) &&
            GetLastError() != ERROR_HANDLE_EOF) {
            return failed();
        }
        if (moved == 0) {
            return MUR_ERROR_BAD_IMAGE;
        }
        done += moved;
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR write_file(void *file, uint64_t offset, const void *bytes,
                                     uint64_t size) {
    for (uint64_t done = 0; done < size;) {
        OVERLAPPED place = at(offset + done);
        DWORD moved = 0;
        if (!WriteFile(file, (const char *)bytes + done, part(size - done), &moved, &place)) {
            return failed();
        }
        done += moved;
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR sync_file(void *file) {
    return FlushFileBuffers(file) ? VK_SUCCESS : failed();
}

VkResult mur_os_file_open(const char *path, MurFileBytes *bytes) {
    const HANDLE file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                                    FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return failed();
    }
    *bytes = (MurFileBytes){file, read_file, write_file, sync_file};
    return VK_SUCCESS;
}

void mur_os_file_close(MurFileBytes *bytes) {
    (void)CloseHandle(bytes->pUserData);
}

#else

#include <fcntl.h>
#include <unistd.h>

typedef struct OsFile {
    int descriptor;
} OsFile;

static VkResult VKAPI_PTR read_file(void *user, uint64_t offset, void *bytes, uint64_t size) {
    const OsFile *file = user;
    for (uint64_t done = 0; done < size;) {
        const ssize_t moved = pread(file->descriptor, (char *)bytes + done, (size_t)(size - done),
                                    (off_t)(offset + done));
        if (moved == 0) {
            return MUR_ERROR_BAD_IMAGE;
        }
        if (moved < 0 && errno != EINTR) {
            return MUR_ERROR_FILE;
        }
        done += moved > 0 ? (uint64_t)moved : 0;
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR write_file(void *user, uint64_t offset, const void *bytes,
                                     uint64_t size) {
    const OsFile *file = user;
    for (uint64_t done = 0; done < size;) {
        const ssize_t moved = pwrite(file->descriptor, (const char *)bytes + done,
                                     (size_t)(size - done), (off_t)(offset + done));
        if (moved < 0 && errno != EINTR) {
            return MUR_ERROR_FILE;
        }
        done += moved > 0 ? (uint64_t)moved : 0;
    }
    return VK_SUCCESS;
}

/* To the disk, not only to its memory, where the system makes a difference. */
static VkResult VKAPI_PTR sync_file(void *user) {
    const OsFile *file = user;
#if defined(F_FULLFSYNC)
    if (fcntl(file->descriptor, F_FULLFSYNC) == 0) {
        return VK_SUCCESS;
    }
#endif
    return fsync(file->descriptor) == 0 ? VK_SUCCESS : MUR_ERROR_FILE;
}

VkResult mur_os_file_open(const char *path, MurFileBytes *bytes) {
    OsFile *file = malloc(sizeof *file);
    if (!file) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    file->descriptor = open(path, O_RDWR | O_CLOEXEC);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file->descriptor >= 0 && fcntl(file->descriptor, F_SETLK, &lock) == 0) {
        *bytes = (MurFileBytes){file, read_file, write_file, sync_file};
        return VK_SUCCESS;
    }
    const int error = errno;
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
    }
    free(file);
    errno = error;
    return MUR_ERROR_FILE;
}

void mur_os_file_close(MurFileBytes *bytes) {
    const OsFile *file = bytes->pUserData;
    (void)close(file->descriptor);
    free(bytes->pUserData);
}

#endif
