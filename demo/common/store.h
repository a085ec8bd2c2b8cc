/* Where a program saves pages and a blob: an SQLite file, or a PostgreSQL server (a sample for
 * stores of one's own; see pages.md).
 *
 * Functions that fail have printed a line on stderr, except those of a file that return a VkResult:
 * storeCheck prints their line. One thread at a time may call the functions.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_STORE_H
#define DEMO_STORE_H

#include "gpu.h"

#include <murmuration/pager.h>

typedef struct Store Store;
struct Store {
    MurPageFile file;
    uint32_t pageCount;
    uint64_t commits;
    bool readOnly; /* another program writes it */
    bool isFile;
    /* As murWriteDatabaseBlob, murReadDatabaseBlob, murFlushDatabase and murCloseDatabase. */
    VkResult (*writeBlob)(Store *store, const void *bytes, uint64_t size);
    VkResult (*readBlob)(Store *store, uint64_t *size, void *bytes);
    VkResult (*flush)(Store *store);
    void (*close)(Store *store);
};

/* Opens a file, or a database of a server if the path begins with "postgresql://". pageCount: at
 * least this number of pages; 0: the number that it has. Without a file, returns NULL and sets
 * absent. A file that another program writes is opened only for reading. */
Store *storeOpen(const char *path, uint32_t pageSize, uint32_t pageCount, bool *absent);
/* Creates a file. */
Store *storeCreate(const char *path, uint32_t pageSize, uint32_t pageCount);
/* Returns whether a result of one of the store's functions is a success. store may be NULL. */
bool storeCheck(const Store *store, VkResult result);

/* A page file on a PostgreSQL server: the three functions of MurPageFile, by libpq.
 *
 *     connection   one session. It holds an advisory lock, so a second writer is rejected
 *     commit       one transaction: writes begin it, pfnCommit ends it. So it is atomic and durable
 *     failure      rolls back all writes since the last commit, as MurPageFile allows
 *     lost         after a lost connection all calls fail: the lock is lost, too, and another
 *                  writer may have come. If the connection was lost during a commit, the server has
 *                  this commit or the one before
 *
 * Pages and parts of the blob are rows of one table. Pages of zeros have no bytes. Connects, locks,
 * and creates the tables if there are none. */
Store *postgresOpen(const char *uri, uint32_t pageSize, uint32_t pageCount);

#endif
