/* A file of pages in memory: what was committed, calls that fail, pages that are damaged.
 *
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
    uint32_t damaged; /* the page that cannot be read; MUR_NO_PAGE */
    /* Calls of each kind, and which of them fails with ENOSPC or EIO; 0: none. */
    _Atomic uint32_t reads, writes, commits;
    uint32_t failRead, failWrite, failCommit;
    bool slow;           /* writes take their time: */
    atomic_bool changed; /* a page changed during its write */
    /* Optional: called once, while a page is read; each time a page is written or committed. */
    void (*pfnReading)(void *user);
    void (*pfnWriting)(void *user);
    void *user;
} Disk;

void disk_make(Disk *disk, uint32_t pageCount);
void disk_free(Disk *disk);
/* What was not committed is gone. */
void disk_crash(Disk *disk);
MurPageFile disk_file(Disk *disk);

#endif
