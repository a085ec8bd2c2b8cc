/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* usleep */
#include "disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t at(uint32_t page) {
    return (size_t)page * DISK_PAGE;
}

static size_t size_of(const Disk *disk) {
    return at(disk->pageCount);
}

static VkResult VKAPI_PTR read_page(void *user, uint32_t page, void *bytes) {
    Disk *disk = user;
    void (*reading)(void *) = disk->pfnReading;
    disk->pfnReading = NULL;
    if (reading) {
        reading(disk->user);
    }
    if (page == disk->damaged) {
        memset(bytes, 0, DISK_PAGE / 2);
        return MUR_ERROR_CORRUPT;
    }
    if (++disk->reads == disk->failRead) {
        errno = EIO;
        return MUR_ERROR_FILE;
    }
    memcpy(bytes, disk->now + at(page), DISK_PAGE);
    return VK_SUCCESS;
}

/* Calls pfnWriting. Disk calls inside pfnWriting do not call it again. */
static void call_beside(Disk *disk) {
    void (*writing)(void *) = disk->pfnWriting;
    disk->pfnWriting = NULL;
    if (writing) {
        writing(disk->user);
    }
    disk->pfnWriting = writing;
}

static VkResult VKAPI_PTR write_page(void *user, uint32_t page, const void *bytes) {
    Disk *disk = user;
    call_beside(disk);
    if (++disk->writes == disk->failWrite) {
        errno = ENOSPC;
        return MUR_ERROR_FILE;
    }
    memcpy(disk->now + at(page), bytes, DISK_PAGE);
    if (disk->slow) {
        (void)usleep(100);
        if (memcmp(disk->now + at(page), bytes, DISK_PAGE) != 0) {
            disk->changed = true;
        }
    }
    return VK_SUCCESS;
}

void disk_crash(Disk *disk) {
    memcpy(disk->now, disk->committed, size_of(disk));
}

static VkResult VKAPI_PTR commit(void *user) {
    Disk *disk = user;
    call_beside(disk);
    if (++disk->commits == disk->failCommit) {
        disk_crash(disk); /* forgets uncommitted writes */
        errno = EIO;
        return MUR_ERROR_FILE;
    }
    memcpy(disk->committed, disk->now, size_of(disk));
    return VK_SUCCESS;
}

void disk_make(Disk *disk, uint32_t pageCount) {
    *disk = (Disk){.pageCount = pageCount, .damaged = UINT32_MAX};
    disk->now = calloc(pageCount, DISK_PAGE);
    disk->committed = calloc(pageCount, DISK_PAGE);
    assert_true(disk->now && disk->committed);
}

void disk_free(Disk *disk) {
    free(disk->now);
    free(disk->committed);
}

MurPageFile disk_file(Disk *disk) {
    return (MurPageFile){
        .pUserData = disk, .pfnRead = read_page, .pfnWrite = write_page, .pfnCommit = commit};
}
