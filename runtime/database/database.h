/* A database of pages, as its three files see it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DATABASE_H
#define MUR_DATABASE_H

#include "../device/lock.h"
#include "../host/try.h"
#include "locks.h"

#include <murmuration/database.h>

#include <sqlite3.h>
#include <stdbool.h>

/* What is asked of SQLite for every page; rows.c has the texts. */
typedef enum MurQuery {
    MUR_QUERY_BEFORE,
    MUR_QUERY_WRITE,
    MUR_QUERY_LOOK,
    MUR_QUERY_REMOVE,
    MUR_QUERY_SHRINK,
    MUR_QUERY_READ, /* of the reader, the others of the writer */
    MUR_QUERIES
} MurQuery;

enum { MUR_PATIENCE = 5000 }; /* milliseconds that a connection waits for a lock */

struct MurDatabase_T {
    const char *path; /* for messages: as given, then as SQLite has it, links followed */
    uint32_t pageSize, pageCount;
    PFN_murLog pfnLog;
    void *pLogUserData;
    MurDatabaseLocks locks;
    sqlite3_stmt *queries[MUR_QUERIES];
    MurLock reading; /* of reader */
    sqlite3 *reader;
    MurLock writing; /* of writer and of what follows */
    sqlite3 *writer; /* NULL: open to read */
    uint64_t committed, blobSize;
    uint64_t live;                   /* the total of the names of its rows */
    uint64_t nextBlobSize, nextLive; /* of the next commit */
    bool changed;                    /* since the last commit */
    bool left;                       /* rows above the last commit are to be removed first */
    bool failed;                     /* bytes may not have reached the disk */
    bool inBatch;                    /* a transaction is open */
    uint64_t batchSize;              /* bytes in it */
    int64_t lookedAt;                /* rows of pages from here on are looked at next */
    uint64_t logPages;               /* of SQLite's, in the log */
    uint32_t blockSize;              /* bytes of a page of SQLite's */
};

/* Tells the log, behind the path; returns result. */
VkResult mur_database_fail(MurDatabase database, VkResult result, const char *format, ...);
/* What SQLite says of an error, with errno; VK_SUCCESS if code is none. */
VkResult mur_database_result(MurDatabase database, sqlite3 *connection, int code,
                             const char *doing);

/* The first row that a query finds, as numbers; SQLite's code, SQLITE_CORRUPT if there is none. */
int mur_database_ask(sqlite3 *connection, const char *text, int count, int64_t *numbers);

/* rows.c */
/* Does the index have the rows of the commit, and no others? */
VkResult mur_database_check(MurDatabase database);
VkResult mur_database_prepare(MurDatabase database);
/* Removes rows above the last commit. */
VkResult mur_database_purge(MurDatabase database);

#endif
