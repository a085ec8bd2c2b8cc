/* The writer of a database: its transactions, and detection of another writer.
 *
 * The separate lock file excludes a second writer. This is not sufficient: scripts remove the empty
 * lock file, and some file systems ignore locks. Therefore a writer stores a random number when it
 * opens the database, and compares it in every transaction. If there are two writers, the older one
 * fails, and the file stays intact.
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include <errno.h>
#include <string.h>

static const char NUMBER[] = "SELECT number FROM writer";

static int execute(MurDatabase database, const char *text) {
    return sqlite3_exec(database->writer, text, NULL, NULL, NULL);
}

static MurFileId id_of(MurDatabase database, const char *suffix) {
    char *name = sqlite3_mprintf("%s%s", database->path, suffix);
    const MurFileId id = name ? mur_file_id(name) : (MurFileId){0};
    sqlite3_free(name);
    return id;
}

static bool is_same(MurFileId a, MurFileId b) {
    return a.device == b.device && a.number == b.number;
}

bool mur_database_is_in_place(MurDatabase database) {
    int moved = 0; /* stays 0 if SQLite cannot determine it */
    (void)sqlite3_file_control(database->writer, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return !moved && is_same(database->log, id_of(database, "-wal")) &&
           is_same(database->logIndex, id_of(database, "-shm"));
}

VkResult mur_database_report_failure(MurDatabase database) {
    static const struct {
        int error;
        const char *why;
    } failures[] = {
        [MUR_FAILURE_LOST] = {EIO, "bytes may not have reached the disk: open it again"},
        [MUR_FAILURE_MOVED] = {ENOENT, "the file, or the file with -wal or -shm beside it, was "
                                       "removed or renamed: nothing more is written"},
        [MUR_FAILURE_TAKEN] = {EBUSY, "another writer has opened it, although this one is not "
                                      "closed (was the file with -lock removed?): nothing more is "
                                      "written here"},
    };
    errno = failures[database->failure].error;
    return mur_database_fail(database, MUR_ERROR_FILE, "%s", failures[database->failure].why);
}

static void drop(MurDatabase database) {
    if (!sqlite3_get_autocommit(database->writer)) {
        (void)execute(database, "ROLLBACK");
    }
    (void)execute(database, MUR_SYNC_LESS);
    database->inBatch = false;
    database->changed = false;
    database->left = true;
    database->nextBlobSize = database->blobSize;
    database->nextLive = database->live;
}

VkResult mur_database_abandon(MurDatabase database, int code, const char *doing) {
    const VkResult result = mur_database_result(database, database->writer, code, doing);
    const int error = errno;
    const int extended = sqlite3_extended_errcode(database->writer);
    /* The system reports a failed flush only once, and treats the bytes as written afterwards. */
    if (extended == SQLITE_IOERR_FSYNC || extended == SQLITE_IOERR_DIR_FSYNC) {
        database->failure = MUR_FAILURE_LOST;
    }
    drop(database);
    errno = error;
    return result;
}

VkResult mur_database_begin(MurDatabase database, const char *doing) {
    int64_t number = 0;
    int code = execute(database, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK) {
        code = mur_database_ask(database->writer, NUMBER, 1, &number);
    }
    if (code != SQLITE_OK) {
        return mur_database_abandon(database, code, doing);
    }
    database->failure = !mur_database_is_in_place(database) ? MUR_FAILURE_MOVED
                        : number != database->number        ? MUR_FAILURE_TAKEN
                                                            : MUR_FAILURE_NONE;
    if (database->failure != MUR_FAILURE_NONE) {
        drop(database);
        return mur_database_report_failure(database);
    }
    return VK_SUCCESS;
}

/* Stores the random number of this writer. Requires a transaction. */
static VkResult store_number(MurDatabase database, const int64_t *numbers) {
    int64_t now[MUR_HEADER_NUMBERS];
    MUR_TRY(mur_database_read_header(database, database->writer, now));
    if (memcmp(now, numbers, sizeof now) != 0) {
        errno = EBUSY;
        return mur_database_fail(database, MUR_ERROR_FILE, "another writer has changed it");
    }
    char text[160];
    sqlite3_randomness(sizeof database->number, &database->number);
    sqlite3_snprintf(sizeof text, text,
                     "CREATE TABLE IF NOT EXISTS writer(number INTEGER NOT NULL);"
                     "DELETE FROM writer; INSERT INTO writer VALUES(%lld)",
                     (long long)database->number);
    int code = execute(database, text);
    if (code == SQLITE_OK && now[MUR_HEADER_PAGE_COUNT] != database->pageCount) {
        code = mur_database_write_header(database, database->committed, false);
    }
    code = code == SQLITE_OK ? execute(database, "COMMIT") : code;
    return mur_database_result(database, database->writer, code, "opening");
}

VkResult mur_database_take(MurDatabase database, const int64_t *numbers) {
    int64_t number;
    int code = execute(database, "BEGIN IMMEDIATE");
    MUR_TRY(mur_database_result(database, database->writer, code, "opening"));
    MUR_TRY(store_number(database, numbers));
    /* SQLite opens its log at the first read. Reads now, while the log surely has its name. */
    code = mur_database_ask(database->reader, NUMBER, 1, &number);
    MUR_TRY(mur_database_result(database, database->reader, code, "opening"));
    database->log = id_of(database, "-wal");
    database->logIndex = id_of(database, "-shm");
    return VK_SUCCESS;
}
