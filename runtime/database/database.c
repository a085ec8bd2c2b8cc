/* Databases of pages: creating, opening, closing.
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of SQLite's pages in bytes. SQLite writes whole pages into its log, so rows that are small
 * because they are compressed need small pages. */
enum { MOST_BLOCK_SIZE = 65536, PACKED_BLOCK_SIZE = 4096 };

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
    (void)connection; /* SQLite has no errno value on Windows */
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
    /* SQLite returns SQLITE_ERROR if a file has other tables or columns than a query. */
    const bool bad = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_ERROR;
    return mur_database_fail(database,
                             kind == SQLITE_NOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY
                             : bad                ? MUR_ERROR_CORRUPT
                                                  : MUR_ERROR_FILE,
                             "%s: %s", doing,
                             (sqlite3_errcode(connection) & 0xFF) == kind
                                 ? sqlite3_errmsg(connection)
                                 : sqlite3_errstr(kind)); /* set by mur_database_ask */
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

static VkResult check_info(MurDatabase database, const MurDatabaseInfo *info, bool creates) {
    const bool sized = (info->pageSize == 0 && !creates) ||
                       mur_database_is_page_size(info->pageSize);
    const MurDatabaseFlags flags = creates ? 0 : MUR_DATABASE_READ_ONLY;
    if (strcmp(info->pPath, "") == 0 || strcmp(info->pPath, ":memory:") == 0) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT,
                                 "pPath is \"%s\", expected the name of a file", info->pPath);
    }
    if (creates && (uint32_t)info->compression > MUR_COMPRESSION_ZSTD) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT,
                                 "compression is %d, expected a MurCompression", info->compression);
    }
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

/* Checks the path. Opening requires a file; creating requires an unused name. */
static VkResult check_path(MurDatabase database, bool creates) {
    const int error = mur_path_error(database->path);
    const bool exists = error == 0 || error == EISDIR || error == EINVAL;
    return creates && exists ? refuse_path(database, EEXIST, "something is there, and stays")
           : error == (creates ? ENOENT : 0) ? VK_SUCCESS
                                             : refuse_path(database, error, strerror(error));
}

/* Resolves the path as SQLite does, before SQLite creates a file. */
static VkResult resolve_path(MurDatabase database) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    const int size = vfs ? vfs->mxPathname + 1 : 1;
    database->name = sqlite3_malloc(size);
    if (!vfs || !database->name) {
        return mur_database_fail(database, VK_ERROR_OUT_OF_HOST_MEMORY, "no host memory");
    }
    const int code = vfs->xFullPathname(vfs, database->path, size, database->name);
    if ((code & 0xFF) != SQLITE_OK) {
        return refuse_path(database, ENAMETOOLONG, "its full path is longer than SQLite allows");
    }
    database->path = database->name;
    return VK_SUCCESS;
}

/* Opens a connection to SQLite. damaged: also reads files shorter than their header states. */
static VkResult connect(MurDatabase database, int flags, bool damaged, sqlite3 **connection) {
    int code = sqlite3_open_v2(database->path, connection, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK && damaged) {
        code = sqlite3_exec(*connection, "PRAGMA writable_schema = ON", NULL, NULL, NULL);
    }
    /* secure_delete is off: deleted bytes are not overwritten. On macOS, fullfsync also flushes the
     * disk's cache. */
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(*connection, MUR_PATIENCE);
        code = sqlite3_exec(*connection,
                            "PRAGMA secure_delete = OFF; PRAGMA cache_size = -16384;"
                            "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON",
                            NULL, NULL, NULL);
    }
    return mur_database_result(database, *connection, code, "opening");
}

static VkResult check_header(MurDatabase database, const MurDatabaseInfo *info, int64_t *has) {
    int64_t block;
    MUR_TRY(mur_database_read_version(database));
    MUR_TRY(mur_database_read_header(database, database->reader, has));
    const int code = mur_database_ask(database->reader, "PRAGMA page_size", 1, &block);
    MUR_TRY(mur_database_result(database, database->reader, code, "reading its header"));
    const int64_t pageSize = has[MUR_HEADER_PAGE_SIZE], pageCount = has[MUR_HEADER_PAGE_COUNT];
    if ((info->pageSize != 0 && info->pageSize != pageSize) ||
        (info->pageCount != 0 && info->pageCount < pageCount)) {
        return mur_database_fail(
            database, MUR_ERROR_INVALID_ARGUMENT, "it has %lld pages of %lld bytes, not %u of %u",
            (long long)pageCount, (long long)pageSize, info->pageCount, info->pageSize);
    }
    database->pageSize = (uint32_t)pageSize;
    database->pageCount = info->pageCount ? info->pageCount : (uint32_t)pageCount;
    database->committed = (uint64_t)has[MUR_HEADER_COMMITTED];
    database->blobSize = database->nextBlobSize = (uint64_t)has[MUR_HEADER_BLOB_SIZE];
    database->blockSize = (uint32_t)block;
    database->features = has[MUR_HEADER_FEATURES];
    MUR_TRY(mur_database_check_method(database));
    database->live = database->nextLive = (uint64_t)has[MUR_HEADER_LIVE];
    return mur_database_check(database);
}

/* Stores the size of SQLite's log. SQLite calls this function after each transaction. */
static int count_log(void *user, sqlite3 *connection, const char *name, int pages) {
    (void)connection;
    (void)name;
    ((MurDatabase)user)->logPages = (uint64_t)pages;
    return SQLITE_OK;
}

static VkResult lock_writer(MurDatabase database) {
    char *name = sqlite3_mprintf("%s-lock", database->path);
    errno = ENOMEM;
    const bool locked = name && mur_lock_writer(&database->locks, name);
    sqlite3_free(name);
    return locked ? VK_SUCCESS
                  : refuse_path(database, errno,
                                errno == EBUSY ? "somebody has it open for writing"
                                               : "the file with -lock beside it cannot be made");
}

static VkResult create_file(MurDatabase database, const MurDatabaseInfo *info) {
    const uint32_t most = mur_database_is_packed(database) ? PACKED_BLOCK_SIZE : MOST_BLOCK_SIZE;
    const uint32_t block = info->pageSize < most ? info->pageSize : most;
    const VkResult result = mur_database_make_tables(database, block, info->pageSize,
                                                     info->pageCount);
    if (result != VK_SUCCESS) {
        const int error = errno;
        (void)sqlite3_exec(database->writer, "ROLLBACK", NULL, NULL, NULL);
        if (mur_path_error(database->path) == ENOENT) { /* an empty file, not another database */
            (void)remove(database->path);
        }
        errno = error;
    }
    return result;
}

static VkResult open_writer(MurDatabase database, const MurDatabaseInfo *info, bool creates) {
    const int flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0);
    MUR_TRY(lock_writer(database));
    MUR_TRY(check_path(database, creates)); /* with the lock, no other writer can create it */
    MUR_TRY(connect(database, flags, false, &database->writer));
    if (sqlite3_db_readonly(database->writer, "main") == 1) {
        return refuse_path(database, EROFS, "it may only be read");
    }
    if (creates) {
        MUR_TRY(create_file(database, info));
    }
    int64_t blocks; /* 0 after SQLite has removed the rest of an interrupted creation */
    const int code = mur_database_ask(database->writer, "PRAGMA page_count", 1, &blocks);
    MUR_TRY(mur_database_result(database, database->writer, code, "opening"));
    return blocks ? VK_SUCCESS : refuse_path(database, ENOENT, strerror(ENOENT));
}

/* Makes `database` the writer of its file, which must be a database of pages with this header. */
static VkResult begin_writing(MurDatabase database, const int64_t *header) {
    const int code = sqlite3_exec(database->writer, "PRAGMA journal_mode = WAL;" MUR_SYNC_LESS,
                                  NULL, NULL, NULL);
    MUR_TRY(mur_database_result(database, database->writer, code, "opening"));
    MUR_TRY(mur_database_take(database, header));
    sqlite3_wal_hook(database->writer, count_log, database);
    return VK_SUCCESS;
}

/* Returns whether the database has a log (SQLite's WAL mode). Without a log, a reader's lock would
 * prevent a writer from starting one. */
static bool has_log(MurDatabase database) {
    static const char MODE[] = "SELECT journal_mode = 'wal' FROM pragma_journal_mode";
    int64_t is = 0;
    return mur_database_ask(database->reader, MODE, 1, &is) == SQLITE_OK && is != 0;
}

static VkResult open_all(MurDatabase database, const MurDatabaseInfo *info, bool creates) {
    int64_t header[MUR_HEADER_NUMBERS];
    MUR_TRY(check_info(database, info, creates));
    MUR_TRY(check_path(database, creates));
    MUR_TRY(resolve_path(database));
    const bool writes = !(info->flags & MUR_DATABASE_READ_ONLY);
    if (creates && info->compression == MUR_COMPRESSION_ZSTD) {
        database->features = MUR_FEATURE_ZSTD;
        MUR_TRY(mur_database_check_method(database));
    }
    if (writes) {
        MUR_TRY(open_writer(database, info, creates));
    }
    MUR_TRY(connect(database, SQLITE_OPEN_READONLY, false, &database->reader));
    const int code = sqlite3_exec(database->reader, "BEGIN", NULL, NULL, NULL);
    MUR_TRY(mur_database_result(database, database->reader, code, "opening"));
    MUR_TRY(check_header(database, info, header));
    (void)sqlite3_exec(database->reader, "COMMIT", NULL, NULL, NULL);
    if (writes) {
        MUR_TRY(begin_writing(database, header));
    }
    if (has_log(database)) {
        mur_lock_guard(&database->locks, database->path);
    }
    MUR_TRY(mur_database_prepare(database));
    if (writes) { /* a full disk is reported by later writes */
        database->left = true;
        (void)mur_database_purge(database);
    }
    return VK_SUCCESS;
}

static MurDatabase allocate(const MurDatabaseInfo *info) {
    MurDatabase database = calloc(1, sizeof *database);
    if (database) {
        database->path = info->pPath;
        database->pfnLog = info->pfnLog;
        database->pLogUserData = info->pLogUserData;
        mur_create_lock(&database->reading);
        mur_create_lock(&database->writing);
        errno = 0;
    }
    return database;
}

/* If result is VK_SUCCESS, sets *opened. Otherwise closes the database. */
static VkResult finish_opening(MurDatabase database, VkResult result, MurDatabase *opened) {
    if (result == VK_SUCCESS) {
        *opened = database;
    } else {
        const int error = errno;
        murCloseDatabase(database);
        errno = error;
    }
    return result;
}

static VkResult open_database(const MurDatabaseInfo *info, MurDatabase *opened, bool creates) {
    if (!info || !info->pPath || !opened) {
        return MUR_ERROR_INVALID_ARGUMENT; /* without a log */
    }
    MurDatabase database = allocate(info);
    return database ? finish_opening(database, open_all(database, info, creates), opened)
                    : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult open_unchecked(MurDatabase database, const MurDatabaseInfo *info, bool locked) {
    MUR_TRY(check_info(database, info, false));
    MUR_TRY(check_path(database, false));
    MUR_TRY(resolve_path(database));
    if (locked) {
        MUR_TRY(lock_writer(database));
    }
    MUR_TRY(connect(database, SQLITE_OPEN_READONLY, true, &database->reader));
    const int code = sqlite3_exec(database->reader, "BEGIN", NULL, NULL, NULL);
    MUR_TRY(mur_database_result(database, database->reader, code, "opening"));
    return mur_database_read_version(database);
}

VkResult mur_database_open_unchecked(const MurDatabaseInfo *info, bool locked,
                                     MurDatabase *opened) {
    MurDatabase database = allocate(info);
    return database ? finish_opening(database, open_unchecked(database, info, locked), opened)
                    : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult murCreateDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase) {
    return open_database(pInfo, pDatabase, true);
}

VkResult murOpenDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase) {
    return open_database(pInfo, pDatabase, false);
}

/* Closes the writer. If there are no readers and all data is on the disk, only one file remains. */
static void close_writer(MurDatabase database) {
    const bool opened = database->queries[0] != NULL;
    if (!sqlite3_get_autocommit(database->writer)) {
        (void)sqlite3_exec(database->writer, "ROLLBACK", NULL, NULL, NULL);
    }
    (void)sqlite3_busy_timeout(database->writer, 0);
    if (database->failure == MUR_FAILURE_LOST || (opened && !mur_database_is_in_place(database))) {
        /* Does not move the log into the file, because the names may belong to other files. */
        (void)sqlite3_db_config(database->writer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    } else if (opened && database->failure == MUR_FAILURE_NONE) {
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
    sqlite3_free(database->name);
    mur_database_free_packer(database);
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
            .failed = database->failure != MUR_FAILURE_NONE,
            .compression = mur_database_is_packed(database) ? MUR_COMPRESSION_ZSTD
                                                            : MUR_COMPRESSION_NONE,
        };
        mur_unlock(&database->writing);
    }
}
