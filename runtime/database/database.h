/* A database of pages: internal declarations.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DATABASE_H
#define MUR_DATABASE_H

#include "../base/lock.h"
#include "../base/try.h"
#include "locks.h"

#include <murmuration/database.h>

#include <sqlite3.h>
#include <stdbool.h>

/* SQLite queries for pages; rows.c has their texts. */
typedef enum MurQuery {
    MUR_QUERY_BEFORE,
    MUR_QUERY_WRITE,
    MUR_QUERY_LOOK,
    MUR_QUERY_REMOVE,
    MUR_QUERY_SHRINK,
    MUR_QUERY_READ, /* a query of the reader; all others are the writer's */
    MUR_QUERIES
} MurQuery;

enum { MUR_PATIENCE = 5000 }; /* milliseconds to wait for a lock */

/* The newest version of the tables; see header.c. */
enum { MUR_DATABASE_VERSION = 2 };

/* Bits of MUR_HEADER_FEATURES. ZSTD: each row that is not empty is a frame of Zstandard. */
enum { MUR_FEATURE_ZSTD = 1 };

#if !defined(MUR_DATABASE_ZSTD)
#define MUR_DATABASE_ZSTD 0
#endif

/* The columns of the table "database", which has one row. */
enum {
    MUR_HEADER_FEATURES,
    MUR_HEADER_PAGE_SIZE,
    MUR_HEADER_PAGE_COUNT,
    MUR_HEADER_COMMITTED,
    MUR_HEADER_BLOB_SIZE,
    MUR_HEADER_LIVE,
    MUR_HEADER_NUMBERS
};

/* Reasons why a database accepts no writes until it is opened again. */
typedef enum MurFailure {
    MUR_FAILURE_NONE,
    MUR_FAILURE_LOST,  /* bytes may not have reached the disk */
    MUR_FAILURE_MOVED, /* the file, its log or the log's index was removed or renamed */
    MUR_FAILURE_TAKEN  /* another writer has opened the database */
} MurFailure;

struct MurDatabase_T {
    const char *path; /* as given, later equal to name */
    char *name;       /* the full path without symbolic links; of sqlite3_malloc */
    uint32_t pageSize, pageCount;
    PFN_murLog pfnLog;
    void *pLogUserData;
    MurDatabaseLocks locks;
    sqlite3_stmt *queries[MUR_QUERIES];
    MurLock reading; /* protects reader */
    sqlite3 *reader;
    MurLock writing;         /* protects writer and all following members */
    sqlite3 *writer;         /* NULL if opened read-only */
    MurFileId log, logIndex; /* the identities of the files NAME-wal and NAME-shm */
    int64_t number;          /* the random number of this writer */
    uint32_t version;        /* the version of the tables */
    uint64_t committed, blobSize;
    uint64_t live;                   /* sum of the names of the committed rows: see rows.c */
    uint64_t nextBlobSize, nextLive; /* blobSize and live of the next commit */
    int64_t features;                /* MUR_HEADER_FEATURES, constant */
    void *packer, *packed;           /* a compressor and its output; NULL before the first use */
    bool changed;                    /* rows were written since the last commit */
    bool left;                       /* rows of writes without a commit must be removed first */
    MurFailure failure;
    bool inBatch;       /* a transaction is open */
    uint64_t batchSize; /* bytes in this transaction */
    int64_t lookedAt;   /* the next row of pages to check */
    uint64_t logPages;  /* number of SQLite's pages in the log */
    uint32_t blockSize; /* bytes of one page of SQLite */
};

/* Logs an error message that begins with the database's path. Returns result. */
VkResult mur_database_fail(MurDatabase database, VkResult result, const char *format, ...);
/* Converts an SQLite code to a result. If it is an error, sets errno and logs a message. */
VkResult mur_database_result(MurDatabase database, sqlite3 *connection, int code,
                             const char *doing);

/* Reads the first row of a query as numbers. Returns SQLite's code, or SQLITE_CORRUPT if none. */
int mur_database_ask(sqlite3 *connection, const char *text, int count, int64_t *numbers);

/* Opens a database only for reading, without checks of its header, rows and index. Begins a
 * transaction. If locked is true, also takes the lock of the writer. */
VkResult mur_database_open_unchecked(const MurDatabaseInfo *info, bool locked, MurDatabase *opened);

static inline bool mur_database_is_page_size(int64_t size) {
    return size >= MUR_PAGE_MIN_SIZE && size <= MUR_PAGE_MAX_SIZE && (size & (size - 1)) == 0;
}

/* header.c */
/* Creates the tables of an empty database, in one transaction. Uses database->features. */
VkResult mur_database_make_tables(MurDatabase database, uint32_t blockSize, uint32_t pageSize,
                                  uint32_t pageCount);
/* Sets database->version. Fails if the file is no database of pages, or has an unknown version. */
VkResult mur_database_read_version(MurDatabase database);
/* Reads the numbers of a database's header and checks them. */
VkResult mur_database_read_header(MurDatabase database, sqlite3 *connection, int64_t *numbers);
/* Stores the page count and the data of the commit with this number in the header. Requires a
 * transaction of the writer. upgrades: also upgrades older tables. Returns SQLite's code. */
int mur_database_write_header(MurDatabase database, uint64_t committed, bool upgrades);

/* packing.c */
static inline bool mur_database_is_packed(const struct MurDatabase_T *database) {
    return (database->features & MUR_FEATURE_ZSTD) != 0;
}
/* Fails if this build does not support the compression method of the database. */
VkResult mur_database_check_method(MurDatabase database);
/* Returns the maximum compressed size of a row of size bytes. */
size_t mur_database_packed_bound(size_t size);
/* If the database is compressed, compresses bytes, and sets bytes and size to the result, which is
 * valid until the next call. Requires the writer's lock. */
VkResult mur_database_pack(MurDatabase database, const void **bytes, size_t *size);
/* Decompresses a row to bytes, of size room. Returns the row's size; 0 if the row is damaged. */
size_t mur_database_unpack(const void *packed, size_t size, void *bytes, size_t room);
/* Returns the size that a compressed row declares; 0 if it is damaged. */
uint64_t mur_database_unpacked_size(const void *packed, size_t size);
void mur_database_free_packer(MurDatabase database);

/* writer.c */
/* With this setting, a power loss can undo committed transactions, but leaves none incomplete. */
#define MUR_SYNC_LESS "PRAGMA synchronous = NORMAL"
/* With this SQLite setting, transactions are on the disk when they end. */
#define MUR_SYNC_ALL "PRAGMA synchronous = FULL"

/* Becomes the writer: stores a random number, by which older writers detect that they are no longer
 * the writer. numbers: the header as it was read before. Fails if the header has changed since. */
VkResult mur_database_take(MurDatabase database, const int64_t *numbers);
/* Begins a transaction. Fails permanently if another writer has opened the database, or if a file
 * was removed or renamed. Every later change of the database is in such a transaction. */
VkResult mur_database_begin(MurDatabase database, const char *doing);
/* Returns whether the database's file, its log and the log's index still have their names. */
bool mur_database_is_in_place(MurDatabase database);
/* Logs why the database no longer accepts writes. */
VkResult mur_database_report_failure(MurDatabase database);
/* Rolls back all writes since the last commit, and returns the error of `code`. */
VkResult mur_database_abandon(MurDatabase database, int code, const char *doing);

/* rows.c */
/* Page number of the blob's first part. Every part is a row. */
#define MUR_BLOB_PAGE ((int64_t)1 << 32)
enum { MUR_BLOB_PART = 1 << 20 };

/* Returns the checksum of a row: of its page number, its generation and its bytes. */
uint64_t mur_database_sum(int64_t page, int64_t generation, const uint8_t *bytes, size_t size);
/* Visits the committed rows in the order of the index. It scans the index, because lookups miss
 * rows if its order is wrong. visit is optional. live: the sum of the names of the rows; the index
 * is intact if it equals the sum in the header. Returns SQLite's code. */
typedef VkResult (*MurVisitRow)(void *user, int64_t page, int64_t generation, int64_t id);
int mur_database_scan(MurDatabase database, MurVisitRow visit, void *user, uint64_t *live);
/* mur_database_check fails unless the index has exactly the rows of the last commit.
 * mur_database_prepare prepares all queries. */
VkResult mur_database_check(MurDatabase database);
VkResult mur_database_prepare(MurDatabase database);
/* Removes rows that were written after the last commit. */
VkResult mur_database_purge(MurDatabase database);

#endif
