/* Rows of a database: pages, parts of the engine's blob, commits.
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include "../host/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_SIZE = 4 << 20, /* bytes per transaction */
    LOG_SIZE = 128 << 20, /* bytes of SQLite's log; a larger log is moved into the file */
    LOOK_ROWS = 32,       /* maximum rows per written row that are checked for a newer row */
    REMOVE_ROWS = 4,      /* maximum rows removed per written row */
    SHRINK_SIZE = 2 << 20 /* maximum bytes that a transaction returns to the system */
};

static const char *const texts[MUR_QUERIES] = {
    [MUR_QUERY_BEFORE] = "SELECT max(generation) FROM pages INDEXED BY by_page WHERE page = ?1",
    [MUR_QUERY_WRITE] = "INSERT OR REPLACE INTO pages(page, generation, sum, bytes) "
                        "VALUES(?1, ?2, ?3, ?4)",
    [MUR_QUERY_LOOK] = "SELECT page, generation, id FROM pages INDEXED BY by_page "
                       "WHERE page >= ?1 ORDER BY page, generation LIMIT ?2",
    [MUR_QUERY_REMOVE] = "DELETE FROM pages WHERE id = ?1",
    [MUR_QUERY_SHRINK] = "PRAGMA incremental_vacuum",
    [MUR_QUERY_READ] = "SELECT generation, sum, bytes FROM pages WHERE page = ?1 AND "
                       "generation <= (SELECT committed FROM database) "
                       "ORDER BY generation DESC LIMIT 1",
};

/* Mixes the bits of a number. Both steps map different numbers to different numbers. The constant
 * is from SplitMix64, by S. Vigna. */
static uint64_t mix(uint64_t number) {
    number *= 0xBF58476D1CE4E5B9u;
    return number ^ number >> 32;
}

/* Returns the checksum of a row. Four independent sums make it as fast as copying. The checksum
 * detects every change of a single word. */
uint64_t mur_database_sum(int64_t page, int64_t generation, const uint8_t *bytes, size_t size) {
    uint64_t lanes[4] = {(uint64_t)page, (uint64_t)generation, size, 1}, sum = 0;
    size_t at = 0;
    for (; size - at >= 32; at += 32) {
        for (size_t i = 0; i < 4; ++i) {
            lanes[i] = mix(lanes[i] ^ mur_load_number(bytes + at + 8 * i, 8));
        }
    }
    for (; at < size; ++at) {
        lanes[at % 4] = mix(lanes[at % 4] ^ bytes[at]);
    }
    for (size_t i = 0; i < 4; ++i) {
        sum = mix(mix(sum ^ lanes[i]));
    }
    return sum;
}

/* Returns a checksum of a row's page number and generation, not of its bytes: the row's name. A
 * commit stores the sum of the names of all rows. The sum differs if rows are missing from the
 * index; such pages would be read as zeros or as older pages. */
static uint64_t name_of(int64_t page, int64_t generation) {
    return mur_database_sum(page, generation, NULL, 0);
}

/* Returns whether page number and generation of a row in the index are integers. In a damaged
 * index, they can be NULL or blobs, which lookups do not find. */
static bool has_numbers(sqlite3_stmt *query) {
    return sqlite3_column_type(query, 0) == SQLITE_INTEGER &&
           sqlite3_column_type(query, 1) == SQLITE_INTEGER;
}

/* Visits the committed rows. live (output): the sum of the names (name_of) of newest rows. */
static int total_names(MurDatabase database, sqlite3_stmt *query, MurVisitRow visit, void *user,
                       uint64_t *live) {
    int64_t page = -1, generation = 0;
    bool right = true, going = true;
    *live = 0;
    for (uint64_t name = 0; going && sqlite3_step(query) == SQLITE_ROW;) {
        const int64_t last = page, before = generation;
        page = sqlite3_column_int64(query, 0);
        generation = sqlite3_column_int64(query, 1);
        right = right && has_numbers(query) &&
                (page > last || (page == last && generation > before)) &&
                (page < (int64_t)database->pageCount || page >= MUR_BLOB_PAGE);
        if (generation > 0 && generation <= (int64_t)database->committed) {
            *live -= page == last ? name : 0;
            name = name_of(page, generation);
            *live += name;
            going = !visit ||
                    visit(user, page, generation, sqlite3_column_int64(query, 2)) == VK_SUCCESS;
        }
    }
    const int code = sqlite3_reset(query);
    return code == SQLITE_OK && !right ? SQLITE_CORRUPT : code;
}

int mur_database_scan(MurDatabase database, MurVisitRow visit, void *user, uint64_t *live) {
    sqlite3_stmt *query = NULL;
    int code = sqlite3_prepare_v2(database->reader,
                                  "SELECT page, generation, id FROM pages INDEXED BY by_page "
                                  "ORDER BY page, generation",
                                  -1, &query, NULL);
    code = code == SQLITE_OK ? total_names(database, query, visit, user, live) : code;
    (void)sqlite3_finalize(query);
    return code;
}

VkResult mur_database_check(MurDatabase database) {
    uint64_t live = ~database->live;
    const int code = mur_database_scan(database, NULL, NULL, &live);
    if (code == SQLITE_CORRUPT || (code == SQLITE_OK && live != database->live)) {
        return mur_database_fail(database, MUR_ERROR_CORRUPT,
                                 "its index is damaged; murCopyDatabase saves the intact pages");
    }
    return mur_database_result(database, database->reader, code, "reading its index");
}

VkResult mur_database_prepare(MurDatabase database) {
    for (int i = database->writer ? 0 : MUR_QUERY_READ; i < MUR_QUERIES; ++i) {
        sqlite3 *connection = i == MUR_QUERY_READ ? database->reader : database->writer;
        const int code = sqlite3_prepare_v2(connection, texts[i], -1, &database->queries[i], NULL);
        MUR_TRY(mur_database_result(database, connection, code, "its tables"));
    }
    return VK_SUCCESS;
}

/* Runs a prepared query to the end. Returns SQLite's code. */
static int run(sqlite3_stmt *query) {
    while (sqlite3_step(query) == SQLITE_ROW) {
    }
    return sqlite3_reset(query);
}

static int execute(MurDatabase database, const char *text) {
    return sqlite3_exec(database->writer, text, NULL, NULL, NULL);
}

/* ---- Writing: functions require the writer's lock -------------------------------------------- */

static const char REMOVING[] = "removing what was not committed";

VkResult mur_database_purge(MurDatabase database) {
    char text[160];
    MUR_TRY(mur_database_begin(database, REMOVING));
    sqlite3_snprintf(sizeof text, text,
                     "DELETE FROM pages WHERE id IN (SELECT id FROM pages INDEXED BY by_page "
                     "WHERE generation > %lld); COMMIT",
                     (long long)database->committed);
    const int code = execute(database, text);
    if (code != SQLITE_OK) {
        return mur_database_abandon(database, code, REMOVING);
    }
    database->left = false;
    return VK_SUCCESS;
}

/* Moves SQLite's log into the file as far as readers allow. mode: SQLite's checkpoint mode. */
static VkResult move_log(MurDatabase database, int mode) {
    int pages = 0, moved = 0;
    const int code = sqlite3_wal_checkpoint_v2(database->writer, NULL, mode, &pages, &moved);
    if (code != SQLITE_OK && code != SQLITE_BUSY) {
        return mur_database_abandon(database, code, "moving the log into the file");
    }
    database->logPages = (uint64_t)(pages - moved);
    return VK_SUCCESS;
}

static VkResult begin_batch(MurDatabase database) {
    if (!database->writer) {
        errno = EROFS;
        return mur_database_fail(database, MUR_ERROR_FILE, "it is open to read");
    }
    if (database->failure != MUR_FAILURE_NONE) {
        return mur_database_report_failure(database);
    }
    if (database->left) {
        MUR_TRY(mur_database_purge(database));
    }
    if (!database->inBatch) {
        MUR_TRY(mur_database_begin(database, "beginning to write"));
        database->inBatch = true;
        database->batchSize = 0;
    }
    return VK_SUCCESS;
}

/* If more than half of the file is free, returns some of the free space to the file system. */
static int shrink(MurDatabase database) {
    const int64_t most = SHRINK_SIZE / (int64_t)database->blockSize;
    int64_t blocks;
    int code = mur_database_ask(database->writer,
                                "SELECT freelist_count - page_count / 2 "
                                "FROM pragma_freelist_count, pragma_page_count",
                                1, &blocks);
    if (code != SQLITE_OK || blocks <= most) { /* too little to be worth the work */
        return code;
    }
    sqlite3_stmt *query = database->queries[MUR_QUERY_SHRINK];
    for (int64_t i = 0; i < most && code != SQLITE_DONE; ++i) {
        code = sqlite3_step(query);
    }
    return sqlite3_reset(query);
}

static VkResult end_batch(MurDatabase database) {
    int code = shrink(database);
    if (code == SQLITE_OK) {
        code = execute(database, "COMMIT");
    }
    if (code != SQLITE_OK) {
        return mur_database_abandon(database, code, "writing");
    }
    database->inBatch = false;
    const bool large = database->logPages * database->blockSize >= LOG_SIZE;
    return large ? move_log(database, SQLITE_CHECKPOINT_PASSIVE) : VK_SUCCESS;
}

/* Visits the next rows in rotation, and removes rows whose page has a newer committed row. */
static int remove_replaced(MurDatabase database) {
    sqlite3_stmt *look = database->queries[MUR_QUERY_LOOK];
    sqlite3_stmt *remove = database->queries[MUR_QUERY_REMOVE];
    int64_t found[REMOVE_ROWS], lastPage = -1, lastRow = 0;
    int count = 0, rows = 0;
    sqlite3_bind_int64(look, 1, database->lookedAt);
    sqlite3_bind_int(look, 2, LOOK_ROWS);
    for (; count < REMOVE_ROWS && sqlite3_step(look) == SQLITE_ROW; ++rows) {
        const int64_t page = sqlite3_column_int64(look, 0);
        if (page == lastPage && sqlite3_column_int64(look, 1) <= (int64_t)database->committed) {
            found[count++] = lastRow;
        }
        lastPage = page;
        lastRow = sqlite3_column_int64(look, 2);
    }
    int code = sqlite3_reset(look);
    database->lookedAt = rows == LOOK_ROWS || count == REMOVE_ROWS ? lastPage : 0;
    for (int i = 0; i < count && code == SQLITE_OK; ++i) {
        sqlite3_bind_int64(remove, 1, found[i]);
        code = run(remove);
    }
    return code;
}

static bool is_zero(const uint8_t *bytes, size_t size) {
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Sets generation to that of the newest row of a page, or to 0 if the page has no row. */
static int newest_of(MurDatabase database, int64_t page, int64_t *generation) {
    sqlite3_stmt *query = database->queries[MUR_QUERY_BEFORE];
    sqlite3_bind_int64(query, 1, page);
    *generation = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int64(query, 0) : 0;
    return sqlite3_reset(query);
}

/* Writes the row of a page for the next commit. size 0: all bytes of the page become zero. */
static VkResult write_row(MurDatabase database, int64_t page, const void *bytes, size_t size) {
    MUR_TRY(begin_batch(database));
    MUR_TRY(mur_database_pack(database, &bytes, &size));
    sqlite3_stmt *query = database->queries[MUR_QUERY_WRITE];
    const int64_t generation = (int64_t)database->committed + 1;
    int64_t before;
    const uint64_t sum = mur_database_sum(page, generation, bytes, size);
    sqlite3_bind_int64(query, 1, page);
    sqlite3_bind_int64(query, 2, generation);
    sqlite3_bind_int64(query, 3, (int64_t)sum);
    sqlite3_bind_blob64(query, 4, size ? bytes : "", size, SQLITE_STATIC);
    int code = newest_of(database, page, &before);
    if (code == SQLITE_OK) {
        code = run(query);
    }
    if (code == SQLITE_OK) {
        code = remove_replaced(database);
    }
    if (code != SQLITE_OK) {
        return mur_database_abandon(database, code, "writing a page");
    }
    database->nextLive += name_of(page, generation);
    database->nextLive -= before ? name_of(page, before) : 0;
    database->changed = true;
    database->batchSize += size + database->blockSize;
    return database->batchSize >= BATCH_SIZE ? end_batch(database) : VK_SUCCESS;
}

static VkResult VKAPI_PTR write_page(void *user, uint32_t page, const void *bytes) {
    MurDatabase database = user;
    if (page >= database->pageCount) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT, "there is no page %u", page);
    }
    const size_t size = is_zero(bytes, database->pageSize) ? 0 : database->pageSize;
    mur_lock(&database->writing);
    const VkResult result = write_row(database, page, bytes, size);
    mur_unlock(&database->writing);
    return result;
}

static VkResult write_parts(MurDatabase database, const uint8_t *bytes, uint64_t size) {
    MUR_TRY(begin_batch(database)); /* also sets nextBlobSize to the size of the last commit */
    const uint64_t before = database->nextBlobSize;
    for (uint64_t at = 0; at < size || at < before; at += MUR_BLOB_PART) {
        const uint64_t rest = at < size ? size - at : 0;
        MUR_TRY(write_row(database, MUR_BLOB_PAGE + (int64_t)(at / MUR_BLOB_PART),
                          rest ? bytes + at : NULL,
                          (size_t)(rest < MUR_BLOB_PART ? rest : MUR_BLOB_PART)));
    }
    database->nextBlobSize = size;
    return VK_SUCCESS;
}

VkResult murWriteDatabaseBlob(MurDatabase database, const void *pBytes, uint64_t size) {
    if (!database) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    if ((!pBytes && size != 0) || size > MUR_MAX_DATABASE_BLOB) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT,
                                 pBytes ? "a blob of %llu bytes is above MUR_MAX_DATABASE_BLOB"
                                        : "pBytes is NULL, and there are %llu",
                                 (unsigned long long)size);
    }
    mur_lock(&database->writing);
    const VkResult result = write_parts(database, pBytes, size);
    mur_unlock(&database->writing);
    return result;
}

static VkResult commit_batches(MurDatabase database) {
    static const char COMMITTING[] = "committing";
    MUR_TRY(begin_batch(database));
    MUR_TRY(end_batch(database));
    int code = execute(database, MUR_SYNC_ALL);
    if (code != SQLITE_OK) {
        return mur_database_abandon(database, code, COMMITTING);
    }
    MUR_TRY(mur_database_begin(database, COMMITTING));
    code = mur_database_write_header(database, database->committed + 1, true);
    code = code == SQLITE_OK ? execute(database, "COMMIT") : code;
    if (code != SQLITE_OK) {
        return mur_database_abandon(database, code, COMMITTING);
    }
    (void)execute(database, MUR_SYNC_LESS);
    ++database->committed;
    database->version = MUR_DATABASE_VERSION;
    database->blobSize = database->nextBlobSize;
    database->live = database->nextLive;
    database->changed = false;
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR commit(void *user) {
    MurDatabase database = user;
    mur_lock(&database->writing);
    const VkResult result = database->changed || !database->writer || database->failure
                                ? commit_batches(database)
                                : VK_SUCCESS;
    mur_unlock(&database->writing);
    return result;
}

static VkResult flush(MurDatabase database) {
    MUR_TRY(begin_batch(database));
    MUR_TRY(end_batch(database));
    (void)sqlite3_busy_timeout(database->writer, 0);
    const VkResult result = move_log(database, SQLITE_CHECKPOINT_TRUNCATE);
    (void)sqlite3_busy_timeout(database->writer, MUR_PATIENCE);
    return result == VK_SUCCESS && database->logPages ? VK_NOT_READY : result;
}

VkResult murFlushDatabase(MurDatabase database) {
    if (!database) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    mur_lock(&database->writing);
    const VkResult result = flush(database);
    mur_unlock(&database->writing);
    return result;
}

/* ---- Reading: functions require the reader's lock -------------------------------------------- */

/* A row of the last commit, as read by SQLite. */
typedef struct Row {
    int64_t page, generation; /* generation 0: the page was never written */
    uint64_t sum;
    size_t size;
    uint8_t *packed; /* bytes of a compressed row; NULL: none */
} Row;

/* Reads a page's committed row. If the size of its data can be right, copies the data to bytes, or
 * compressed data to row->packed. */
static VkResult read_row(MurDatabase database, int64_t page, void *bytes, size_t size, Row *row) {
    sqlite3_stmt *query = database->queries[MUR_QUERY_READ];
    const bool packed = mur_database_is_packed(database);
    bool full = false;
    *row = (Row){.page = page};
    sqlite3_bind_int64(query, 1, page);
    if (sqlite3_step(query) == SQLITE_ROW) {
        const void *data = sqlite3_column_blob(query, 2);
        row->generation = sqlite3_column_int64(query, 0);
        row->sum = (uint64_t)sqlite3_column_int64(query, 1);
        row->size = (size_t)sqlite3_column_bytes(query, 2);
        if (data && packed && row->size <= mur_database_packed_bound(size)) {
            row->packed = malloc(row->size);
            full = !row->packed;
        }
        void *to = packed ? row->packed : row->size == size ? bytes : NULL;
        if (data && to) {
            memcpy(to, data, row->size);
        }
    }
    const int code = sqlite3_reset(query);
    return full ? mur_database_fail(database, VK_ERROR_OUT_OF_HOST_MEMORY, "no host memory")
                : mur_database_result(database, database->reader, code, "reading a page");
}

/* Returns whether the checksum and the size of a row are right. Decompresses compressed rows. */
static bool is_right(MurDatabase database, const Row *row, void *bytes, size_t size) {
    const void *stored = row->packed ? row->packed : bytes;
    if (row->size != 0 && (mur_database_is_packed(database) ? !row->packed : row->size != size)) {
        return false;
    }
    return row->sum == mur_database_sum(row->page, row->generation, stored, row->size) &&
           (!row->packed || mur_database_unpack(row->packed, row->size, bytes, size) == size);
}

/* Checks a row without the reader's lock, as sums take longer than reading. Frees row->packed. */
static VkResult check_row(MurDatabase database, Row *row, void *bytes, size_t size) {
    const bool isPart = row->page >= MUR_BLOB_PAGE;
    const bool right = row->generation == 0
                           ? !isPart
                           : (row->size != 0 || !isPart) && is_right(database, row, bytes, size);
    free(row->packed);
    if (!right) {
        return mur_database_fail(database, MUR_ERROR_CORRUPT, "%s %lld is damaged",
                                 isPart ? "part of the blob" : "page",
                                 (long long)(isPart ? row->page - MUR_BLOB_PAGE : row->page));
    }
    if (row->size == 0) {
        memset(bytes, 0, size);
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR read_page(void *user, uint32_t page, void *bytes) {
    MurDatabase database = user;
    if (page >= database->pageCount) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT, "there is no page %u", page);
    }
    Row row;
    mur_lock(&database->reading);
    const VkResult result = read_row(database, page, bytes, database->pageSize, &row);
    mur_unlock(&database->reading);
    return result == VK_SUCCESS ? check_row(database, &row, bytes, database->pageSize) : result;
}

/* Reads the blob's size, and its bytes unless bytes is NULL. Requires a transaction. */
static VkResult read_parts(MurDatabase database, uint64_t *size, uint8_t *bytes) {
    int64_t numbers[MUR_HEADER_NUMBERS];
    MUR_TRY(mur_database_read_header(database, database->reader, numbers));
    const uint64_t there = (uint64_t)numbers[MUR_HEADER_BLOB_SIZE];
    if (bytes && *size < there) {
        return mur_database_fail(database, MUR_ERROR_INVALID_ARGUMENT, "the blob has %llu bytes",
                                 (unsigned long long)there);
    }
    /* Files of version 1 have no checksum of the blob's size. If the size is too small, another
     * part follows. */
    Row after;
    const int64_t end = MUR_BLOB_PAGE + (int64_t)((there + MUR_BLOB_PART - 1) / MUR_BLOB_PART);
    MUR_TRY(read_row(database, end, NULL, 0, &after));
    free(after.packed);
    if (after.size != 0) {
        return mur_database_fail(database, MUR_ERROR_CORRUPT, "the size of the blob is damaged");
    }
    *size = there;
    for (uint64_t at = 0; bytes && at < there; at += MUR_BLOB_PART) {
        const int64_t page = MUR_BLOB_PAGE + (int64_t)(at / MUR_BLOB_PART);
        const size_t part = (size_t)(there - at < MUR_BLOB_PART ? there - at : MUR_BLOB_PART);
        Row row;
        MUR_TRY(read_row(database, page, bytes + at, part, &row));
        MUR_TRY(check_row(database, &row, bytes + at, part));
    }
    return VK_SUCCESS;
}

VkResult murReadDatabaseBlob(MurDatabase database, uint64_t *pSize, void *pBytes) {
    if (!database || !pSize) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    mur_lock(&database->reading);
    const int code = sqlite3_exec(database->reader, "BEGIN", NULL, NULL, NULL);
    VkResult result = mur_database_result(database, database->reader, code, "reading the blob");
    if (result == VK_SUCCESS) {
        result = read_parts(database, pSize, pBytes);
        (void)sqlite3_exec(database->reader, "COMMIT", NULL, NULL, NULL);
    }
    mur_unlock(&database->reading);
    return result;
}

MurPageFile murGetDatabaseFile(MurDatabase database) {
    return (MurPageFile){database, read_page, write_page, commit, database->pageSize};
}
