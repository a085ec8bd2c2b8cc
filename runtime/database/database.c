/* Databases of pages: making, opening, closing.
 *
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In SQLite's header: "MurP", which says what it is, and the version of the tables below. A feature
 * is a bit: one that is not known here changes what rows mean. */
enum { APPLICATION = 0x4D757250, VERSION = 1, FEATURES = 0, MOST_BLOCK_SIZE = 65536 };

static const char TABLES[] =
    "CREATE TABLE pages(id INTEGER PRIMARY KEY, page INTEGER NOT NULL,"
    " generation INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE UNIQUE INDEX by_page ON pages(page, generation);"
    "CREATE TABLE database(features INTEGER NOT NULL, page_size INTEGER NOT NULL, page_count "
    "INTEGER NOT NULL,"
    " committed INTEGER NOT NULL, blob_size INTEGER NOT NULL, live INTEGER NOT NULL);";

VkResult mur_database_fail(MurDatabase database, VkResult result, const char *format, ...) {
    if (database->pfnLog) {
        char message[512];
        const int error = errno;
        const int at = snprintf(message, sizeof message, "database %.200s: ", database->path);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message + at, sizeof message - (size_t)at, format, arguments);
        va_end(arguments);
        database->pfnLog(database->pLogUserData, MUR_LOG_ERROR, message);
        errno = error;
    }
    return result;
}

static int system_error(sqlite3 *connection) {
#if defined(_WIN32)
    (void)connection; /* has one that is no errno */
    return EIO;
#else
    const int error = sqlite3_system_errno(connection);
    return error ? error : EIO;
#endif
}

VkResult mur_database_result(MurDatabase database, sqlite3 *connection, int code,
                             const char *doing) {
    const int kind = code & 0xFF;
    if (kind == SQLITE_OK || kind == SQLITE_DONE) {
        return VK_SUCCESS;
    }
    errno = kind == SQLITE_FULL                            ? ENOSPC
            : kind == SQLITE_BUSY || kind == SQLITE_LOCKED ? EBUSY
            : kind == SQLITE_READONLY                      ? EROFS
                                                           : system_error(connection);
    /* SQLITE_ERROR: its tables are others. */
    const bool bad = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_ERROR;
    return mur_database_fail(database,
                             kind == SQLITE_NOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                             : bad                ? MUR_ERROR_BAD_IMAGE
                                                  : MUR_ERROR_FILE,
                             "%s: %s", doing, sqlite3_errmsg(connection));
}

static VkResult execute(MurDatabase database, const char *text, const char *doing) {
    const int code = sqlite3_exec(database->writer, text, NULL, NULL, NULL);
    return mur_database_result(database, database->writer, code, doing);
}

int mur_database_ask(sqlite3 *connection, const char *text, int count, int64_t *numbers) {
    sqlite3_stmt *query = NULL;
    int code = sqlite3_prepare_v2(connection, text, -1, &query, NULL);
    if (code == SQLITE_OK) {
        const bool found = sqlite3_step(query) == SQLITE_ROW;
        for (int i = 0; found && i < count; ++i) {
            numbers[i] = sqlite3_column_int64(query, i);
        }
        code = sqlite3_reset(query);
        code = code == SQLITE_OK && !found ? SQLITE_CORRUPT : code;
    }
    sqlite3_finalize(query);
    return code;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static bool is_page_size(int64_t size) {
    return size >= MUR_PAGE_MIN_SIZE && size <= MUR_PAGE_MAX_SIZE && (size & (size - 1)) == 0;
}

static VkResult check_info(MurDatabase database, const MurDatabaseInfo *info, bool creates) {
    const bool sized = (info->pageSize == 0 && !creates) || is_page_size(info->pageSize);
    const MurDatabaseFlags flags = creates ? 0 : MUR_DATABASE_READ_ONLY;
    return !info->pNext && (info->flags & ~flags) == 0 && sized && (info->pageCount || !creates)
               ? VK_SUCCESS
               : mur_database_fail(
                     database, MUR_ERROR_INVALID_ARGUMENT,
                     "no database has pNext %p, flags 0x%x, pageSize %u, pageCount %u", info->pNext,
                     info->flags, info->pageSize, info->pageCount);
}

static VkResult refuse_path(MurDatabase database, int error, const char *why) {
    errno = error;
    return mur_database_fail(database, MUR_ERROR_FILE, "%s", why);
}

/* Is there what can be opened; or nothing, if it is to be made? */
static VkResult check_path(MurDatabase database, bool creates) {
    const int error = mur_path_error(database->path);
    return creates && error != ENOENT
               ? refuse_path(database, EEXIST, "something is there, and stays")
           : creates || error == 0 ? VK_SUCCESS
                                   : refuse_path(database, error, strerror(error));
}

static VkResult connect(MurDatabase database, int flags, sqlite3 **connection) {
    int code = sqlite3_open_v2(database->path, connection, flags | SQLITE_OPEN_NOMUTEX, NULL);
    /* Bytes that were deleted are nobody's secret; on macOS the disk's own memory is flushed. */
    if (code == SQLITE_OK) {
        database->path = sqlite3_db_filename(*connection, "main");
        (void)sqlite3_busy_timeout(*connection, MUR_PATIENCE);
        code = sqlite3_exec(*connection,
                            "PRAGMA secure_delete = OFF; PRAGMA cache_size = -16384;"
                            "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON",
                            NULL, NULL, NULL);
    }
    return mur_database_result(database, *connection, code, "opening");
}

static VkResult make_tables(MurDatabase database, const MurDatabaseInfo *info) {
    char text[512];
    const uint32_t block = info->pageSize < MOST_BLOCK_SIZE ? info->pageSize : MOST_BLOCK_SIZE;
    snprintf(text, sizeof text,
             "PRAGMA page_size = %u; BEGIN; PRAGMA auto_vacuum = INCREMENTAL;"
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             block, APPLICATION, VERSION);
    MUR_TRY(execute(database, text, "making it"));
    MUR_TRY(execute(database, TABLES, "making it"));
    snprintf(text, sizeof text, "INSERT INTO database VALUES(%d, %u, %u, 0, 0, 0); COMMIT",
             FEATURES, info->pageSize, info->pageCount);
    return execute(database, text, "making it");
}

static VkResult read_header(MurDatabase database, const char *text, int count, int64_t *numbers) {
    const int code = mur_database_ask(database->reader, text, count, numbers);
    return mur_database_result(database, database->reader, code, "reading its header");
}

static VkResult check_version(MurDatabase database) {
    int64_t is[2], features;
    MUR_TRY(read_header(database,
                        "SELECT application_id, user_version "
                        "FROM pragma_application_id, pragma_user_version",
                        2, is));
    if (is[0] != APPLICATION) {
        return mur_database_fail(database, MUR_ERROR_BAD_IMAGE, "it is no database of pages");
    }
    if (is[1] != VERSION) {
        return mur_database_fail(database, MUR_ERROR_BAD_VERSION,
                                 "it is of version %lld; this library knows version %d",
                                 (long long)is[1], VERSION);
    }
    MUR_TRY(read_header(database, "SELECT features FROM database", 1, &features));
    return (features & ~(int64_t)FEATURES) == 0
               ? VK_SUCCESS
               : mur_database_fail(database, MUR_ERROR_BAD_VERSION,
                                   "it has features 0x%llx that this library does not know",
                                   (unsigned long long)(features & ~(int64_t)FEATURES));
}

static VkResult check_sizes(MurDatabase database, const MurDatabaseInfo *info) {
    int64_t has[6];
    MUR_TRY(read_header(database,
                        "SELECT d.page_size, page_count, committed, blob_size, "
                        "p.page_size, live FROM database AS d, pragma_page_size AS p",
                        6, has));
    if (!is_page_size(has[0]) || has[1] < 1 || has[1] > UINT32_MAX || has[2] < 0 || has[3] < 0 ||
        has[3] > MUR_MAX_DATABASE_BLOB) {
        return mur_database_fail(database, MUR_ERROR_BAD_IMAGE, "its header is damaged");
    }
    if ((info->pageSize != 0 && info->pageSize != has[0]) ||
        (info->pageCount != 0 && info->pageCount < has[1])) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT,
                                 "it has %lld pages of %lld bytes, not %u of %u", (long long)has[1],
                                 (long long)has[0], info->pageCount, info->pageSize);
    }
    database->pageSize = (uint32_t)has[0];
    database->pageCount = info->pageCount ? info->pageCount : (uint32_t)has[1];
    database->committed = (uint64_t)has[2];
    database->blobSize = database->nextBlobSize = (uint64_t)has[3];
    database->blockSize = (uint32_t)has[4];
    database->live = database->nextLive = (uint64_t)has[5];
    return mur_database_check(database);
}

/* Of each transaction that has ended. */
static int count_log(void *user, sqlite3 *connection, const char *name, int pages) {
    (void)connection;
    (void)name;
    ((MurDatabase)user)->logPages = (uint64_t)pages;
    return SQLITE_OK;
}

static VkResult open_writer(MurDatabase database, const MurDatabaseInfo *info, bool creates) {
    const int flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0);
    MUR_TRY(connect(database, flags, &database->writer));
    char *name = sqlite3_mprintf("%s-lock", database->path);
    errno = ENOMEM;
    const bool locked = name && mur_lock_writer(&database->locks, name);
    sqlite3_free(name);
    if (!locked) {
        return refuse_path(database, errno,
                           errno == EBUSY ? "somebody has it open for writing"
                                          : "there is no making the file with -lock beside it");
    }
    MUR_TRY(check_path(database, creates)); /* again: nobody makes it now */
    if (sqlite3_db_readonly(database->writer, "main") == 1) {
        return refuse_path(database, EROFS, "it may only be read");
    }
    if (creates) {
        const VkResult made = make_tables(database, info);
        if (made != VK_SUCCESS) { /* nobody else's: the lock is held */
            const int error = errno;
            (void)sqlite3_exec(database->writer, "ROLLBACK", NULL, NULL, NULL);
            (void)remove(database->path);
            errno = error;
            return made;
        }
    }
    int64_t blocks; /* after what a maker that was killed has left is gone */
    const int code = mur_database_ask(database->writer, "PRAGMA page_count", 1, &blocks);
    MUR_TRY(mur_database_result(database, database->writer, code, "opening"));
    return blocks ? VK_SUCCESS : refuse_path(database, ENOENT, strerror(ENOENT));
}

/* It is known to be one. */
static VkResult begin_writing(MurDatabase database) {
    char text[160];
    snprintf(text, sizeof text,
             "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
             "UPDATE database SET page_count = %u WHERE page_count <> %u",
             database->pageCount, database->pageCount);
    MUR_TRY(execute(database, text, "opening"));
    sqlite3_wal_hook(database->writer, count_log, database);
    return VK_SUCCESS;
}

static VkResult open_all(MurDatabase database, const MurDatabaseInfo *info, bool creates) {
    MUR_TRY(check_info(database, info, creates));
    MUR_TRY(check_path(database, creates));
    const bool writes = !(info->flags & MUR_DATABASE_READ_ONLY);
    if (writes) {
        MUR_TRY(open_writer(database, info, creates));
    }
    MUR_TRY(connect(database, SQLITE_OPEN_READONLY, &database->reader));
    const int code = sqlite3_exec(database->reader, "BEGIN", NULL, NULL, NULL);
    MUR_TRY(mur_database_result(database, database->reader, code, "opening"));
    MUR_TRY(check_version(database));
    MUR_TRY(check_sizes(database, info));
    (void)sqlite3_exec(database->reader, "COMMIT", NULL, NULL, NULL);
    if (writes) {
        MUR_TRY(begin_writing(database));
    }
    mur_lock_guard(&database->locks, database->path);
    MUR_TRY(mur_database_prepare(database));
    if (writes) { /* on a full disk later */
        database->left = true;
        (void)mur_database_purge(database);
    }
    return VK_SUCCESS;
}

static VkResult open_database(const MurDatabaseInfo *info, MurDatabase *opened, bool creates) {
    if (!info || !info->pPath || !opened) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to, or about */
    }
    MurDatabase database = calloc(1, sizeof *database);
    if (!database) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    database->path = info->pPath;
    database->pfnLog = info->pfnLog;
    database->pLogUserData = info->pLogUserData;
    mur_create_lock(&database->reading);
    mur_create_lock(&database->writing);
    errno = 0;
    const VkResult result = open_all(database, info, creates);
    if (result == VK_SUCCESS) {
        *opened = database;
    } else {
        const int error = errno;
        murCloseDatabase(database);
        errno = error;
    }
    return result;
}

VkResult murCreateDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase) {
    return open_database(pInfo, pDatabase, true);
}

VkResult murOpenDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase) {
    return open_database(pInfo, pDatabase, false);
}

/* ---- The rest ------------------------------------------------------------------------------- */

/* Leaves one file, if nobody reads it and all has reached the disk. */
static void close_writer(MurDatabase database) {
    if (!sqlite3_get_autocommit(database->writer)) {
        (void)sqlite3_exec(database->writer, "ROLLBACK", NULL, NULL, NULL);
    }
    (void)sqlite3_busy_timeout(database->writer, 0);
    if (database->failed) {
        (void)sqlite3_db_config(database->writer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    } else if (database->queries[0]) { /* it was opened */
        (void)sqlite3_exec(database->writer, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
}

void murCloseDatabase(MurDatabase database) {
    if (!database) {
        return;
    }
    sqlite3_finalize(database->queries[MUR_QUERY_READ]);
    (void)sqlite3_close(database->reader);
    mur_unlock_guard(&database->locks);
    if (database->writer) {
        close_writer(database);
    }
    for (int i = 0; i < MUR_QUERY_READ; ++i) {
        sqlite3_finalize(database->queries[i]);
    }
    (void)sqlite3_close(database->writer);
    mur_unlock_all(&database->locks);
    mur_destroy_lock(&database->writing);
    mur_destroy_lock(&database->reading);
    free(database);
}

void murGetDatabaseStatus(MurDatabase database, MurDatabaseStatus *pStatus) {
    *pStatus = (MurDatabaseStatus){0};
    if (database) {
        mur_lock(&database->writing);
        *pStatus = (MurDatabaseStatus){
            .pageSize = database->pageSize,
            .pageCount = database->pageCount,
            .commits = database->committed,
            .logSize = database->logPages * database->blockSize,
            .failed = database->failed,
        };
        mur_unlock(&database->writing);
    }
}
