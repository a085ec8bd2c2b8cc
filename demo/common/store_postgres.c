/* SPDX-License-Identifier: MIT */
#include "store.h"

#include "message.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART = 1 << 20, /* bytes of a part of the blob */
    BYTEA = 17,     /* types of the server */
    INT8 = 20
};
/* Page number of the blob's first part. */
static const int64_t BLOB_PAGE = (int64_t)1 << 32;

typedef struct Postgres {
    Store store; /* first: pointers to it are pointers to a Postgres */
    PGconn *connection;
    uint32_t pageSize;
    uint64_t blobSize, nextBlobSize; /* of the last commit, of the next commit */
    bool inCommit;                   /* a transaction is open */
    bool lost;                       /* the connection */
} Postgres;

/* "MurP": the lock of all writers of a database. STORAGE EXTERNAL: the server does not try to
 * compress, which takes most of the time of writing. */
static const char LOCK[] = "SELECT pg_try_advisory_lock(1299542608)";
static const char TABLES[] =
    "SET client_min_messages = warning; SET synchronous_commit = on; BEGIN;"
    "CREATE TABLE IF NOT EXISTS murmuration_pages(page bigint PRIMARY KEY, bytes bytea NOT NULL);"
    "ALTER TABLE murmuration_pages ALTER COLUMN bytes SET STORAGE EXTERNAL;"
    "CREATE TABLE IF NOT EXISTS murmuration_database(one integer PRIMARY KEY CHECK (one = 1),"
    " page_size bigint, page_count bigint, commits bigint, blob_size bigint);"
    "INSERT INTO murmuration_database VALUES(1, %u, %u, 0, 0) ON CONFLICT DO NOTHING;"
    "UPDATE murmuration_database SET page_count = greatest(page_count, %u); COMMIT";
static const char NUMBERS[] = "SELECT page_size, page_count, commits, blob_size "
                              "FROM murmuration_database";
static const char WRITE[] = "INSERT INTO murmuration_pages VALUES($1, $2) "
                            "ON CONFLICT (page) DO UPDATE SET bytes = excluded.bytes";
static const char READ[] = "SELECT bytes FROM murmuration_pages WHERE page = $1";

/* Prints the first line of the server's message. If the server no longer answers, the connection is
 * lost, which is said once. */
static VkResult fail(Postgres *postgres, const char *doing) {
    char why[200];
    if (!postgres->lost) {
        const char *text = PQerrorMessage(postgres->connection);
        (void)snprintf(why, sizeof why, "%.*s", (int)strcspn(text, "\n"), text);
        PGresult *answer = PQexec(postgres->connection, "");
        postgres->lost = PQresultStatus(answer) != PGRES_EMPTY_QUERY;
        PQclear(answer);
        (void)sayError("database: %s: %s", doing,
                       postgres->lost ? "the connection to the server is lost; what was committed "
                                        "is safe"
                                      : why);
    }
    errno = postgres->lost ? ECONNRESET : EIO;
    return MUR_ERROR_FILE;
}

/* Rolls back all writes since the last commit, after an error was printed. */
static VkResult abandon(Postgres *postgres, VkResult result) {
    const int error = errno;
    if (!postgres->lost) {
        PQclear(PQexec(postgres->connection, "ROLLBACK"));
    }
    postgres->inCommit = false;
    postgres->nextBlobSize = postgres->blobSize;
    errno = error;
    return result;
}

/* Runs statements. Returns the last result, or NULL after an error. */
static PGresult *ask(Postgres *postgres, const char *text, const char *doing) {
    PGresult *result = postgres->lost ? NULL : PQexec(postgres->connection, text);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        PQclear(result);
        (void)fail(postgres, doing);
        return NULL;
    }
    return result;
}

static VkResult execute(Postgres *postgres, const char *text, const char *doing) {
    PGresult *result = ask(postgres, text, doing);
    PQclear(result);
    return result ? VK_SUCCESS : abandon(postgres, MUR_ERROR_FILE);
}

static uint64_t numberOf(const PGresult *result, int column) {
    return strtoull(PQgetvalue(result, 0, column), NULL, 10);
}

/* ---- Writing -------------------------------------------------------------------------------- */

static VkResult begin(Postgres *postgres) {
    if (postgres->lost) {
        return fail(postgres, "writing");
    }
    if (!postgres->inCommit) {
        const VkResult result = execute(postgres, "BEGIN", "writing");
        if (result != VK_SUCCESS) {
            return result;
        }
        postgres->inCommit = true;
    }
    return VK_SUCCESS;
}

static VkResult writeRow(Postgres *postgres, int64_t page, const void *bytes, uint64_t size) {
    char number[24];
    const char *values[] = {number, size ? bytes : ""};
    VkResult result = begin(postgres);
    if (result != VK_SUCCESS) {
        return result;
    }
    (void)snprintf(number, sizeof number, "%lld", (long long)page);
    PGresult *done = PQexecParams(postgres->connection, WRITE, 2, (Oid[]){INT8, BYTEA}, values,
                                  (int[]){0, (int)size}, (int[]){0, 1}, 0);
    if (PQresultStatus(done) != PGRES_COMMAND_OK) {
        result = abandon(postgres, fail(postgres, "writing"));
    }
    PQclear(done);
    return result;
}

static VkResult VKAPI_PTR writePage(void *user, uint32_t page, const void *bytes) {
    Postgres *postgres = user;
    const uint8_t *data = bytes;
    const bool zero = data[0] == 0 && memcmp(data, data + 1, postgres->pageSize - 1) == 0;
    return writeRow(postgres, page, bytes, zero ? 0 : postgres->pageSize);
}

static VkResult writeBlob(Store *store, const void *bytes, uint64_t size) {
    Postgres *postgres = (Postgres *)store;
    VkResult result = begin(postgres);
    for (uint64_t at = 0; result == VK_SUCCESS && at < size; at += PART) {
        result = writeRow(postgres, BLOB_PAGE + (int64_t)(at / PART), (const uint8_t *)bytes + at,
                          size - at < PART ? size - at : PART);
    }
    if (result == VK_SUCCESS) {
        postgres->nextBlobSize = size;
    }
    return result;
}

static VkResult VKAPI_PTR commit(void *user) {
    Postgres *postgres = user;
    char text[160];
    if (postgres->lost) {
        return fail(postgres, "committing");
    }
    if (!postgres->inCommit) { /* nothing was written */
        return VK_SUCCESS;
    }
    (void)snprintf(text, sizeof text,
                   "UPDATE murmuration_database SET commits = commits + 1, blob_size = %llu",
                   (unsigned long long)postgres->nextBlobSize);
    VkResult result = execute(postgres, text, "committing");
    result = result == VK_SUCCESS ? execute(postgres, "COMMIT", "committing") : result;
    if (result == VK_SUCCESS) {
        postgres->inCommit = false;
        postgres->blobSize = postgres->nextBlobSize;
        ++postgres->store.commits;
    }
    return result;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* Reads a row. Rows without bytes, and pages without a row, are zeros. */
static VkResult readRow(Postgres *postgres, int64_t page, void *bytes, uint64_t size) {
    char number[24];
    const char *values[] = {number};
    VkResult result = VK_SUCCESS;
    if (postgres->lost) {
        return fail(postgres, "reading");
    }
    (void)snprintf(number, sizeof number, "%lld", (long long)page);
    PGresult *row = PQexecParams(postgres->connection, READ, 1, (Oid[]){INT8}, values, NULL, NULL,
                                 1);
    if (PQresultStatus(row) != PGRES_TUPLES_OK) {
        result = abandon(postgres, fail(postgres, "reading"));
    } else {
        const uint64_t stored = PQntuples(row) ? (uint64_t)PQgetlength(row, 0, 0) : 0;
        if (stored == size) {
            memcpy(bytes, PQgetvalue(row, 0, 0), size);
        } else if (stored == 0 && page < BLOB_PAGE) {
            memset(bytes, 0, size);
        } else {
            (void)sayError("database: row %lld has %llu bytes, expected %llu", (long long)page,
                           (unsigned long long)stored, (unsigned long long)size);
            result = MUR_ERROR_CORRUPT;
        }
    }
    PQclear(row);
    return result;
}

static VkResult VKAPI_PTR readPage(void *user, uint32_t page, void *bytes) {
    Postgres *postgres = user;
    return readRow(postgres, page, bytes, postgres->pageSize);
}

static VkResult readBlob(Store *store, uint64_t *size, void *bytes) {
    Postgres *postgres = (Postgres *)store;
    VkResult result = VK_SUCCESS;
    for (uint64_t at = 0; bytes && result == VK_SUCCESS && at < postgres->blobSize; at += PART) {
        const uint64_t rest = postgres->blobSize - at;
        result = readRow(postgres, BLOB_PAGE + (int64_t)(at / PART), (uint8_t *)bytes + at,
                         rest < PART ? rest : PART);
    }
    *size = postgres->blobSize;
    return result;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static bool openTables(Postgres *postgres, uint32_t pageSize, uint32_t pageCount) {
    char text[1024];
    PGresult *result = ask(postgres, LOCK, "locking");
    if (!result) {
        return false;
    }
    const bool locked = PQgetvalue(result, 0, 0)[0] == 't';
    PQclear(result);
    if (!locked) {
        return sayError("database: another program has it open for writing");
    }
    (void)snprintf(text, sizeof text, TABLES, pageSize, pageCount, pageCount);
    if (execute(postgres, text, "creating tables") != VK_SUCCESS ||
        !(result = ask(postgres, NUMBERS, "opening"))) {
        return false;
    }
    postgres->pageSize = (uint32_t)numberOf(result, 0);
    postgres->store.pageCount = (uint32_t)numberOf(result, 1);
    postgres->store.commits = numberOf(result, 2);
    postgres->blobSize = postgres->nextBlobSize = numberOf(result, 3);
    PQclear(result);
    return postgres->pageSize == pageSize ||
           sayError("database: it has pages of %u bytes, expected %u", postgres->pageSize,
                    pageSize);
}

static VkResult flush(Store *store) {
    (void)store; /* a commit is on the server */
    return VK_SUCCESS;
}

/* Without it, libpq prints warnings of the server. */
static void ignoreNotice(void *user, const char *text) {
    (void)user;
    (void)text;
}

static void closeStore(Store *store) {
    PQfinish(((Postgres *)store)->connection);
    free(store);
}

Store *postgresOpen(const char *uri, uint32_t pageSize, uint32_t pageCount) {
    Postgres *postgres = calloc(1, sizeof *postgres);
    if (!postgres) {
        (void)sayError("database: out of memory");
        return NULL;
    }
    postgres->store = (Store){.file = {postgres, readPage, writePage, commit, pageSize},
                              .writeBlob = writeBlob,
                              .readBlob = readBlob,
                              .flush = flush,
                              .close = closeStore};
    postgres->connection = PQconnectdb(uri);
    (void)PQsetNoticeProcessor(postgres->connection, ignoreNotice, NULL);
    if (PQstatus(postgres->connection) != CONNECTION_OK) {
        const char *why = PQerrorMessage(postgres->connection);
        (void)sayError("database: %.*s", (int)strcspn(why, "\n"), why);
    } else if (openTables(postgres, pageSize, pageCount)) {
        return &postgres->store;
    }
    closeStore(&postgres->store);
    return NULL;
}
