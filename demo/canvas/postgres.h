/* A page file on a PostgreSQL server: the three functions of MurPageFile, by libpq. A sample for
 * stores of one's own; see pages.md.
 *
 *     connection   one session. It holds an advisory lock, so a second writer is rejected
 *     commit       one transaction: writes begin it, pfnCommit ends it. So it is atomic and durable
 *     failure      rolls back all writes since the last commit, as MurPageFile allows
 *     lost         after a lost connection all calls fail: the lock is lost, too, and another
 *                  writer may have come. If the connection was lost during a commit, the server has
 *                  this commit or the one before
 *
 * Pages and parts of the blob are rows of one table. Pages of zeros have no bytes. One thread at a
 * time may call the functions. Errors are returned after a line on stderr.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_POSTGRES_H
#define CANVAS_POSTGRES_H

#include <murmuration/pager.h>

typedef struct Store Store;
struct Store {
    MurPageFile file;
    uint32_t pageCount;
    uint64_t commits;
    /* As murWriteDatabaseBlob, murReadDatabaseBlob and murCloseDatabase. */
    VkResult (*writeBlob)(Store *store, const void *bytes, uint64_t size);
    VkResult (*readBlob)(Store *store, uint64_t *size, void *bytes);
    void (*close)(Store *store);
};

/* Connects, locks, and creates the tables if there are none. pageCount: at least this number of
 * pages. Returns NULL after a line on stderr. */
Store *postgresOpen(const char *uri, uint32_t pageSize, uint32_t pageCount);

#endif
