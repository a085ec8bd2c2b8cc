/* A page file in memory: committed pages, calls that fail, damaged pages.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_DISK_H
#define MUR_TEST_DISK_H

#include "gpu.h"

#include <murmuration/pager.h>

#include <stdatomic.h>

enum { DISK_PAGE = 4096 };

typedef struct Disk {
    uint32_t pageCount;
    uint8_t *now, *committed;
    uint32_t damaged; /* page that cannot be read, or MUR_NO_PAGE */
    /* Calls so far. failRead etc.: the call that fails, with ENOSPC or EIO; 0: no call fails. */
    _Atomic uint32_t reads, writes, commits;
    uint32_t failRead, failWrite, failCommit;
    bool slow;           /* each write takes 0.1 ms, so that pages can change during a write */
    atomic_bool changed; /* set if a page changed during its write */
    /* Optional callbacks. pfnReading runs in the next read, pfnWriting in writes and commits. */
    void (*pfnReading)(void *user);
    void (*pfnWriting)(void *user);
    void *user;
} Disk;

void disk_make(Disk *disk, uint32_t pageCount);
void disk_free(Disk *disk);
/* Discards uncommitted pages. */
void disk_crash(Disk *disk);
MurPageFile disk_file(Disk *disk);

#endif
