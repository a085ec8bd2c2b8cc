/* Checks and copies databases, damaged ones included.
 *
 * If the index has exactly the rows of the last commit, it shows the newest row of each page.
 * Otherwise the newest is chosen among the rows in the table and the rows that the damaged index
 * names. Checksums show whether a row is intact.
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = MUR_MAX_DATABASE_BLOB / MUR_BLOB_PART,
    MOST_STEPS = 65536 /* ids that are tried one by one after an unreadable row */
};

/* The newest row of a page or of a part of the blob. */
typedef struct Entry {
    int64_t generation, id; /* generation 0: none */
} Entry;

typedef struct Check {
    MurDatabase from, to; /* to: NULL, or the copy */
    PFN_murDatabasePage pfnPage;
    void *pUserData;
    MurDatabaseReport report;
    Entry *pages; /* grows up to the page with the highest number */
    size_t pageCount;
    Entry parts[PARTS];
    int64_t lastId;      /* the highest id of a row that was found */
    sqlite3_stmt *query; /* reads a row */
    uint8_t *bytes;      /* content of a page or of a part of the blob */
} Check;

/* A row of the table. */
typedef struct Row {
    int64_t page, generation;
    size_t stored, size; /* bytes in the file, bytes of the page */
    bool intact;         /* its checksum is right; Check.bytes has its bytes */
} Row;

/* Returns whether an SQLite code means damage. Bytes that the disk cannot read count as damaged. */
static bool is_damage(int code) {
    const int kind = code & 0xFF;
    return kind == SQLITE_CORRUPT || kind == SQLITE_IOERR || kind == SQLITE_TOOBIG;
}

/* Converts SQLite's code to a result. Damage is not an error here. */
static VkResult result_of(const Check *check, int code) {
    return is_damage(code) ? VK_SUCCESS
                           : mur_database_result(check->from, check->from->reader, code, "reading");
}

/* Returns the first number that a query returns; 0 if the query returns none. */
static int64_t ask(const Check *check, const char *text) {
    int64_t number = 0;
    return mur_database_ask(check->from->reader, text, 1, &number) == SQLITE_OK ? number : 0;
}

/* Checks a row. Sets row->size and row->intact; copies or decompresses the bytes to
 * check->bytes. */
static void check_bytes(const Check *check, const void *bytes, uint64_t sum, Row *row) {
    const bool isPage = row->page < MUR_BLOB_PAGE;
    const size_t size = isPage ? check->report.pageSize : MUR_BLOB_PART;
    const bool packed = mur_database_is_packed(check->from);
    if (sum != mur_database_sum(row->page, row->generation, bytes, row->stored)) {
        return;
    }
    if (packed && row->stored) {
        row->size = mur_database_unpack(bytes, row->stored, check->bytes, size);
    } else if (row->stored <= size) {
        memcpy(check->bytes, row->stored ? bytes : "", row->stored);
        row->size = row->stored;
    }
    row->intact = isPage ? row->size == size || row->stored == 0
                         : (row->size != 0) == (row->stored != 0);
}

static VkResult read_row(Check *check, int64_t id, Row *row) {
    sqlite3_stmt *query = check->query;
    *row = (Row){.page = -1};
    sqlite3_bind_int64(query, 1, id);
    if (sqlite3_step(query) == SQLITE_ROW) {
        row->page = sqlite3_column_int64(query, 0);
        row->generation = sqlite3_column_int64(query, 1);
        row->stored = (size_t)sqlite3_column_bytes(query, 3);
        check_bytes(check, sqlite3_column_blob(query, 3), (uint64_t)sqlite3_column_int64(query, 2),
                    row);
    }
    return result_of(check, sqlite3_reset(query));
}

/* ---- The newest rows ------------------------------------------------------------------------- */

/* Returns the newest known row of a page or of a blob's part; NULL if there is no such page. */
static Entry *entry_of(Check *check, int64_t page) {
    if (page >= MUR_BLOB_PAGE) {
        return page - MUR_BLOB_PAGE < PARTS ? &check->parts[page - MUR_BLOB_PAGE] : NULL;
    }
    if (page < 0 || page >= (int64_t)check->report.pageCount) {
        return NULL;
    }
    if ((size_t)page >= check->pageCount) {
        const size_t count = (size_t)page + (size_t)page / 2 + 64;
        Entry *pages = realloc(check->pages, count * sizeof *pages);
        if (!pages) {
            return NULL;
        }
        memset(pages + check->pageCount, 0, (count - check->pageCount) * sizeof *pages);
        check->pages = pages;
        check->pageCount = count;
    }
    return &check->pages[page];
}

/* Records a row as the newest of its page if no newer row was found before. */
static VkResult offer(void *user, int64_t page, int64_t generation, int64_t id) {
    Check *check = user;
    Entry *entry = entry_of(check, page);
    check->lastId = id > check->lastId ? id : check->lastId;
    if (!entry && page >= 0 && page < (int64_t)check->report.pageCount) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (entry && generation > entry->generation && generation <= (int64_t)check->report.commits) {
        *entry = (Entry){generation, id};
    }
    return VK_SUCCESS;
}

/* Records a row of a damaged index: by the row's own page and generation if the row is intact. */
static VkResult offer_named(void *user, int64_t page, int64_t generation, int64_t id) {
    Row row;
    MUR_TRY(read_row(user, id, &row));
    return row.intact ? offer(user, row.page, row.generation, id)
                      : offer(user, page, generation, id);
}

/* Reads the rows with ids from *id on, and records the newest. Sets *id to the next id to read.
 * Sets *done to whether there are no more rows. */
static VkResult search_from(Check *check, sqlite3_stmt *query, int64_t *id, bool *done) {
    VkResult result = VK_SUCCESS;
    int step = SQLITE_ROW;
    sqlite3_bind_int64(query, 1, *id);
    while (result == VK_SUCCESS && (step = sqlite3_step(query)) == SQLITE_ROW) {
        Row row;
        const int64_t found = sqlite3_column_int64(query, 0);
        *id = found + 1;
        result = read_row(check, found, &row);
        result = result == VK_SUCCESS ? offer(check, row.page, row.generation, found) : result;
    }
    *done = step == SQLITE_DONE;
    const int code = sqlite3_reset(query);
    return result == VK_SUCCESS ? result_of(check, code) : result;
}

/* Searches the table for rows. Skips the unreadable ones: after an error the search goes on at the
 * next id, and at larger steps after many errors. */
static VkResult search_table(Check *check) {
    sqlite3_stmt *query = NULL;
    int64_t id = INT64_MIN / 2;
    VkResult result = result_of(
        check, sqlite3_prepare_v2(check->from->reader,
                                  "SELECT id FROM pages NOT INDEXED WHERE id >= ?1 ORDER BY id", -1,
                                  &query, NULL));
    bool done = !query;
    for (int64_t failures = 0; !done && result == VK_SUCCESS;) {
        const int64_t before = id;
        result = search_from(check, query, &id, &done);
        failures = id == before ? failures + 1 : 0;
        id = id < 0 ? 0 : id;
        id += failures > MOST_STEPS ? failures : 1;
        done = done || id > check->lastId;
    }
    (void)sqlite3_finalize(query);
    return result;
}

/* Finds the newest row of each page, and of each part of the blob. */
static VkResult find_rows(Check *check, uint64_t live) {
    uint64_t found = ~live;
    const int code = mur_database_scan(check->from, offer, check, &found);
    if (code == SQLITE_OK && found == live) {
        return VK_SUCCESS;
    }
    MUR_TRY(code == SQLITE_ERROR ? VK_SUCCESS : result_of(check, code)); /* there is no index */
    check->report.tablesDamaged = VK_TRUE;
    memset(check->parts, 0, sizeof check->parts);
    if (check->pageCount) {
        memset(check->pages, 0, check->pageCount * sizeof *check->pages);
    }
    offer(check, -1, 0, ask(check, "SELECT max(id) FROM pages NOT INDEXED"));
    MUR_TRY(search_table(check));
    (void)mur_database_scan(check->from, offer_named, check, &found);
    return VK_SUCCESS;
}

/* ---- The header ------------------------------------------------------------------------------ */

/* Sets page size and compression method of a damaged header to those of the rows, if any. */
static void guess_sizes(const Check *check, int64_t *numbers) {
    const int64_t most = ask(check, "SELECT max(length(bytes)) FROM pages WHERE page < 4294967296");
    sqlite3_stmt *query = NULL;
    numbers[MUR_HEADER_FEATURES] &= MUR_FEATURE_ZSTD;
    if (mur_database_is_page_size(most)) {
        numbers[MUR_HEADER_FEATURES] = 0;
        numbers[MUR_HEADER_PAGE_SIZE] = most;
    } else if (sqlite3_prepare_v2(check->from->reader,
                                  "SELECT bytes FROM pages WHERE page < 4294967296 AND "
                                  "length(bytes) > 0 LIMIT 1",
                                  -1, &query, NULL) == SQLITE_OK &&
               sqlite3_step(query) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(query, 0);
        const uint64_t size = mur_database_unpacked_size(bytes,
                                                         (size_t)sqlite3_column_bytes(query, 0));
        if (mur_database_is_page_size((int64_t)size)) {
            numbers[MUR_HEADER_FEATURES] = MUR_FEATURE_ZSTD;
            numbers[MUR_HEADER_PAGE_SIZE] = (int64_t)size;
        }
    }
    (void)sqlite3_finalize(query);
    if (!mur_database_is_page_size(numbers[MUR_HEADER_PAGE_SIZE])) {
        numbers[MUR_HEADER_PAGE_SIZE] = MUR_PAGE_MAX_SIZE;
    }
}

/* Replaces the numbers of a damaged header that cannot be right. */
static void guess_header(Check *check, int64_t *numbers) {
    const int64_t pages = 1 + ask(check, "SELECT max(page) FROM pages WHERE page < 4294967296");
    const int64_t newest = ask(check, "SELECT max(generation) FROM pages");
    int64_t *count = &numbers[MUR_HEADER_PAGE_COUNT];
    int64_t *committed = &numbers[MUR_HEADER_COMMITTED];
    check->report.headerDamaged = VK_TRUE;
    guess_sizes(check, numbers);
    *count = *count >= pages && *count <= MUR_MAX_PAGES ? *count : pages;
    /* Every commit has rows. Only one commit can have begun after the last complete one. */
    *committed = newest > 0 && *committed == newest - 1 ? newest - 1 : newest;
}

/* Reads the header into the report. live (output): the sum of row names (rows.c) in the header. */
static VkResult read_header(Check *check, uint64_t *live) {
    MurDatabase from = check->from;
    int64_t numbers[MUR_HEADER_NUMBERS] = {0};
    const VkResult result = mur_database_read_header(from, from->reader, numbers);
    if (result == MUR_ERROR_CORRUPT) {
        guess_header(check, numbers);
    } else {
        MUR_TRY(result);
    }
    from->features = numbers[MUR_HEADER_FEATURES];
    MUR_TRY(mur_database_check_method(from));
    check->report.compression = mur_database_is_packed(from) ? MUR_COMPRESSION_ZSTD
                                                             : MUR_COMPRESSION_NONE;
    *live = (uint64_t)numbers[MUR_HEADER_LIVE];
    check->report.pageSize = from->pageSize = (uint32_t)numbers[MUR_HEADER_PAGE_SIZE];
    check->report.pageCount = from->pageCount = (uint32_t)numbers[MUR_HEADER_PAGE_COUNT];
    check->report.commits = from->committed = (uint64_t)numbers[MUR_HEADER_COMMITTED];
    check->report.blobSize = (uint64_t)numbers[MUR_HEADER_BLOB_SIZE];
    check->report.fileSize = (uint64_t)(ask(check, "PRAGMA page_count") *
                                        ask(check, "PRAGMA page_size"));
    const int code = sqlite3_prepare_v2(from->reader,
                                        "SELECT page, generation, sum, bytes FROM pages "
                                        "NOT INDEXED WHERE id = ?1",
                                        -1, &check->query, NULL);
    return mur_database_result(from, from->reader, code, "its tables");
}

/* ---- Pages and the blob ---------------------------------------------------------------------- */

static void report_page(Check *check, const MurDatabasePage *page) {
    check->report.storedSize += page->size;
    if (check->pfnPage) {
        check->pfnPage(check->pUserData, page);
    }
}

/* Reads the newest row of a page into Check.bytes. */
static VkResult read_entry(Check *check, int64_t page, const Entry *entry, Row *row) {
    MUR_TRY(read_row(check, entry->id, row));
    row->intact = row->intact && row->page == page && row->generation == entry->generation;
    return VK_SUCCESS;
}

static VkResult process_pages(Check *check) {
    const MurPageFile to = check->to ? murGetDatabaseFile(check->to) : (MurPageFile){0};
    for (size_t page = 0; page < check->pageCount; ++page) {
        const Entry *entry = &check->pages[page];
        Row row = {.intact = true};
        if (entry->generation != 0) {
            MUR_TRY(read_entry(check, (int64_t)page, entry, &row));
        }
        if (row.intact && row.size == 0) {
            continue;
        }
        if (row.intact && check->to) {
            MUR_TRY(to.pfnWrite(to.pUserData, (uint32_t)page, check->bytes));
        }
        check->report.intactPages += row.intact;
        check->report.damagedPages += !row.intact;
        report_page(check, &(MurDatabasePage){(uint32_t)page, (uint64_t)entry->generation,
                                              row.stored, !row.intact});
    }
    return VK_SUCCESS;
}

/* Reads the blob. If the header is damaged, the blob's size is that of its rows together. */
static VkResult read_blob(Check *check, uint8_t *blob, MurDatabasePage *page, uint64_t *size) {
    const bool guesses = check->report.headerDamaged;
    uint64_t at = 0;
    for (uint32_t i = 0; i < PARTS && (guesses || at < check->report.blobSize); ++i) {
        const Entry *entry = &check->parts[i];
        const uint64_t rest = check->report.blobSize - at;
        Row row = {0};
        MUR_TRY(entry->generation ? read_entry(check, MUR_BLOB_PAGE + i, entry, &row) : VK_SUCCESS);
        if (guesses && (entry->generation == 0 || (row.intact && row.size == 0))) {
            break;
        }
        const bool whole = guesses || row.size == (rest < MUR_BLOB_PART ? rest : MUR_BLOB_PART);
        page->damaged = page->damaged || !row.intact || !whole;
        if (!page->damaged) {
            memcpy(blob + at, check->bytes, row.size);
        }
        const uint64_t commit = (uint64_t)entry->generation;
        page->commit = commit > page->commit ? commit : page->commit;
        page->size += row.stored;
        at += row.intact && whole ? row.size : MUR_BLOB_PART;
    }
    *size = at;
    return VK_SUCCESS;
}

static VkResult process_blob(Check *check) {
    MurDatabasePage page = {.page = MUR_NO_PAGE};
    uint64_t size = 0;
    uint8_t *blob = malloc(check->report.headerDamaged ? MUR_MAX_DATABASE_BLOB
                                                       : (size_t)check->report.blobSize + 1);
    VkResult result = blob ? read_blob(check, blob, &page, &size) : VK_ERROR_OUT_OF_HOST_MEMORY;
    check->report.blobDamaged = page.damaged;
    if (result == VK_SUCCESS && check->report.headerDamaged) {
        check->report.blobSize = size;
    }
    if (result == VK_SUCCESS && page.commit != 0) {
        if (check->to && !page.damaged) {
            result = murWriteDatabaseBlob(check->to, blob, size);
        }
        report_page(check, &page);
    }
    free(blob);
    return result;
}

/* ---- The public functions -------------------------------------------------------------------- */

static VkResult read_all(Check *check) {
    uint64_t live = 0;
    check->bytes = malloc(MUR_BLOB_PART);
    if (!check->bytes) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    MUR_TRY(read_header(check, &live));
    return find_rows(check, live);
}

static void end_check(Check *check, MurDatabaseReport *report) {
    const int error = errno;
    (void)sqlite3_finalize(check->query);
    murCloseDatabase(check->from);
    free(check->pages);
    free(check->bytes);
    if (report) {
        *report = check->report;
    }
    free(check);
    errno = error;
}

static VkResult begin_check(Check *check, const MurDatabaseInfo *info, bool locked) {
    MUR_TRY(mur_database_open_unchecked(info, locked, &check->from));
    const VkResult result = read_all(check);
    if (result != VK_SUCCESS) {
        check->report = (MurDatabaseReport){0};
    }
    return result;
}

/* Returns whether SQLite's check finds no damage. It also finds damage that affects no page. */
static bool is_sound(const Check *check) {
    return ask(check, "SELECT quick_check = 'ok' FROM pragma_quick_check(1)") == 1;
}

VkResult murCheckDatabase(const MurDatabaseInfo *pInfo, PFN_murDatabasePage pfnPage,
                          void *pUserData, MurDatabaseReport *pReport) {
    if (!pInfo || !pInfo->pPath) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    Check *check = calloc(1, sizeof *check);
    if (!check) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    check->pfnPage = pfnPage;
    check->pUserData = pUserData;
    VkResult result = begin_check(check, pInfo, false);
    result = result == VK_SUCCESS ? process_pages(check) : result;
    result = result == VK_SUCCESS ? process_blob(check) : result;
    MurDatabaseReport *report = &check->report;
    if (result == VK_SUCCESS) {
        report->tablesDamaged = report->tablesDamaged || !is_sound(check);
        result = report->damagedPages || report->blobDamaged || report->headerDamaged ||
                         report->tablesDamaged
                     ? MUR_ERROR_CORRUPT
                     : VK_SUCCESS;
    }
    end_check(check, pReport);
    return result;
}

/* Removes the files of a copy that failed. */
static void remove_copy(const char *path) {
    static const char *const suffixes[] = {"", "-wal", "-shm", "-lock"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i) {
        char *name = sqlite3_mprintf("%s%s", path, suffixes[i]);
        if (name) {
            (void)remove(name);
        }
        sqlite3_free(name);
    }
}

static VkResult copy_all(Check *check) {
    const MurPageFile to = murGetDatabaseFile(check->to);
    MUR_TRY(process_pages(check));
    MUR_TRY(process_blob(check));
    MUR_TRY(to.pfnCommit(to.pUserData));
    return murFlushDatabase(check->to);
}

static VkResult copy(Check *check, const MurDatabaseInfo *from, MurDatabaseInfo to) {
    MUR_TRY(begin_check(check, from, !(from->flags & MUR_DATABASE_READ_ONLY)));
    to.pageSize = to.pageSize ? to.pageSize : check->report.pageSize;
    to.pageCount = to.pageCount ? to.pageCount : check->report.pageCount;
    to.compression = to.compression == MUR_COMPRESSION_OF_SOURCE ? check->report.compression
                                                                 : to.compression;
    if (to.pageSize != check->report.pageSize || to.pageCount < check->report.pageCount) {
        return mur_database_fail(check->from, MUR_ERROR_INVALID_ARGUMENT,
                                 "a copy has %u pages of %u bytes, expected at least %u of %u",
                                 to.pageCount, to.pageSize, check->report.pageCount,
                                 check->report.pageSize);
    }
    MUR_TRY(murCreateDatabase(&to, &check->to));
    const VkResult result = copy_all(check);
    const int error = errno;
    murCloseDatabase(check->to);
    if (result != VK_SUCCESS) {
        remove_copy(to.pPath);
    }
    errno = error;
    return result;
}

VkResult murCopyDatabase(const MurDatabaseInfo *pFrom, const MurDatabaseInfo *pTo,
                         PFN_murDatabasePage pfnPage, void *pUserData, MurDatabaseReport *pReport) {
    if (!pFrom || !pFrom->pPath || !pTo || !pTo->pPath) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    Check *check = calloc(1, sizeof *check);
    if (!check) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    check->pfnPage = pfnPage;
    check->pUserData = pUserData;
    const VkResult result = copy(check, pFrom, *pTo);
    end_check(check, pReport);
    return result;
}
