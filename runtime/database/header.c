/* The header of a database: its version, the row of the table "database", and the number of the
 * last writer.
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include "../host/bytes.h"

#include <errno.h>
#include <string.h>

/* SQLite's header contains APPLICATION ("MurP"), which marks a database of pages, and the version
 * of the tables below. Each bit of the column "features" is a feature. An unknown feature changes
 * the meaning of rows, so the file is rejected.
 *
 * Version 1 has no column "sum". Opening a file of version 1 does not change its version; the first
 * commit changes it to version 2. The table "writer" is not part of a version: each writer creates
 * it if it is missing. */
enum { APPLICATION = 0x4D757250, FIRST_VERSION = 1, FEATURES = MUR_FEATURE_ZSTD };

static const char TABLES[] =
    "CREATE TABLE pages(id INTEGER PRIMARY KEY, page INTEGER NOT NULL,"
    " generation INTEGER NOT NULL, sum INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE UNIQUE INDEX by_page ON pages(page, generation);"
    "CREATE TABLE database(features INTEGER NOT NULL, page_size INTEGER NOT NULL, page_count "
    "INTEGER NOT NULL,"
    " committed INTEGER NOT NULL, blob_size INTEGER NOT NULL, live INTEGER NOT NULL,"
    " sum INTEGER NOT NULL);";

/* A number of commits that no database reaches: 2^30 per second for 2^32 s, over a century. */
static const int64_t MOST_COMMITS = (int64_t)1 << 62;

/* Returns the checksum of the header's numbers: that of a page with these bytes and number -1. */
static int64_t sum_of(const int64_t *numbers) {
    uint8_t bytes[8 * MUR_HEADER_NUMBERS];
    for (size_t i = 0; i < MUR_HEADER_NUMBERS; ++i) {
        mur_store_number(bytes + 8 * i, (uint64_t)numbers[i], 8);
    }
    return (int64_t)mur_database_sum(-1, 0, bytes, sizeof bytes);
}

VkResult mur_database_make_tables(MurDatabase database, uint32_t blockSize, uint32_t pageSize,
                                  uint32_t pageCount) {
    const int64_t numbers[MUR_HEADER_NUMBERS] = {database->features, pageSize, pageCount};
    char text[1024];
    sqlite3_snprintf(sizeof text, text,
                     "PRAGMA page_size = %u; BEGIN; PRAGMA auto_vacuum = INCREMENTAL;"
                     "PRAGMA application_id = %d; PRAGMA user_version = %d; %s"
                     "INSERT INTO database VALUES(%lld, %u, %u, 0, 0, 0, %lld); COMMIT",
                     blockSize, APPLICATION, MUR_DATABASE_VERSION, TABLES,
                     (long long)database->features, pageSize, pageCount,
                     (long long)sum_of(numbers));
    const int code = sqlite3_exec(database->writer, text, NULL, NULL, NULL);
    return mur_database_result(database, database->writer, code, "creating its tables");
}

VkResult mur_database_read_version(MurDatabase database) {
    int64_t is[2];
    const int code = mur_database_ask(database->reader,
                                      "SELECT application_id, user_version "
                                      "FROM pragma_application_id, pragma_user_version",
                                      2, is);
    MUR_TRY(mur_database_result(database, database->reader, code, "reading its header"));
    if (is[0] != APPLICATION) {
        return mur_database_fail(database, MUR_ERROR_CORRUPT, "it is no database of pages");
    }
    if (is[1] < FIRST_VERSION || is[1] > MUR_DATABASE_VERSION) {
        return mur_database_fail(database, MUR_ERROR_VERSION,
                                 "it is of version %lld; this library knows versions %d to %d",
                                 (long long)is[1], FIRST_VERSION, MUR_DATABASE_VERSION);
    }
    database->version = (uint32_t)is[1];
    return VK_SUCCESS;
}

/* Reads the header. Sets sum to the stored checksum; in version 1, to the computed checksum. */
static int read_row(sqlite3 *connection, int64_t *numbers, int64_t *sum) {
    sqlite3_stmt *query = NULL;
    int code = sqlite3_prepare_v2(connection, "SELECT * FROM database", -1, &query, NULL);
    if (code == SQLITE_OK) {
        const int columns = sqlite3_column_count(query);
        const bool found = sqlite3_step(query) == SQLITE_ROW && columns >= MUR_HEADER_NUMBERS;
        for (int i = 0; found && i < MUR_HEADER_NUMBERS; ++i) {
            numbers[i] = sqlite3_column_int64(query, i);
        }
        *sum = !found                          ? 0
               : columns == MUR_HEADER_NUMBERS ? sum_of(numbers)
                                               : sqlite3_column_int64(query, MUR_HEADER_NUMBERS);
        code = sqlite3_reset(query);
        code = code == SQLITE_OK && !found ? SQLITE_CORRUPT : code;
    }
    (void)sqlite3_finalize(query);
    return code;
}

VkResult mur_database_read_header(MurDatabase database, sqlite3 *connection, int64_t *numbers) {
    int64_t sum = 0;
    const int code = read_row(connection, numbers, &sum);
    MUR_TRY(mur_database_result(database, connection, code, "reading its header"));
    if (sum != sum_of(numbers)) {
        return mur_database_fail(database, MUR_ERROR_CORRUPT,
                                 "its header is damaged: its checksum is wrong");
    }
    const int64_t unknown = numbers[MUR_HEADER_FEATURES] & ~(int64_t)FEATURES;
    if (unknown != 0) {
        return mur_database_fail(database, MUR_ERROR_VERSION,
                                 "it has features 0x%llx that this library does not know",
                                 (unsigned long long)unknown);
    }
    if (!mur_database_is_page_size(numbers[MUR_HEADER_PAGE_SIZE]) ||
        numbers[MUR_HEADER_PAGE_COUNT] < 1 || numbers[MUR_HEADER_PAGE_COUNT] > UINT32_MAX ||
        numbers[MUR_HEADER_COMMITTED] < 0 || numbers[MUR_HEADER_COMMITTED] >= MOST_COMMITS ||
        numbers[MUR_HEADER_BLOB_SIZE] < 0 ||
        numbers[MUR_HEADER_BLOB_SIZE] > MUR_MAX_DATABASE_BLOB) {
        return mur_database_fail(database, MUR_ERROR_CORRUPT,
                                 "its header is damaged: a number is out of range");
    }
    return VK_SUCCESS;
}

/* Changes the tables to the newest version. */
static int upgrade(MurDatabase database) {
    char text[128];
    sqlite3_snprintf(sizeof text, text,
                     "ALTER TABLE database ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;"
                     "PRAGMA user_version = %d",
                     MUR_DATABASE_VERSION);
    return sqlite3_exec(database->writer, text, NULL, NULL, NULL);
}

int mur_database_write_header(MurDatabase database, uint64_t committed, bool upgrades) {
    const int64_t numbers[MUR_HEADER_NUMBERS] = {
        [MUR_HEADER_FEATURES] = database->features,
        [MUR_HEADER_PAGE_SIZE] = database->pageSize,
        [MUR_HEADER_PAGE_COUNT] = database->pageCount,
        [MUR_HEADER_COMMITTED] = (int64_t)committed,
        [MUR_HEADER_BLOB_SIZE] = (int64_t)database->nextBlobSize,
        [MUR_HEADER_LIVE] = (int64_t)database->nextLive,
    };
    int code = SQLITE_OK;
    if (upgrades && database->version != MUR_DATABASE_VERSION) {
        code = upgrade(database);
    }
    char text[320];
    sqlite3_snprintf(sizeof text, text,
                     "UPDATE database SET page_count = %u, committed = %lld, blob_size = %lld, "
                     "live = %lld",
                     database->pageCount, (long long)committed, (long long)database->nextBlobSize,
                     (long long)database->nextLive);
    code = code == SQLITE_OK ? sqlite3_exec(database->writer, text, NULL, NULL, NULL) : code;
    if (code == SQLITE_OK && (upgrades || database->version == MUR_DATABASE_VERSION)) {
        sqlite3_snprintf(sizeof text, text, "UPDATE database SET sum = %lld",
                         (long long)sum_of(numbers));
        code = sqlite3_exec(database->writer, text, NULL, NULL, NULL);
    }
    return code;
}
