/* Makes, changes and compares databases for pages.sh:
 *     make FILE METHOD PAGES commits pages and a blob twice. METHOD: a MurCompression
 *     hold FILE              writes without a commit; ends when standard input ends
 *     sql FILE STATEMENTS    runs SQLite's statements
 *     number FILE QUERY      prints the first number of a query's result
 *     compare FILE DAMAGED   fails unless every page and the blob are as make wrote them, or are
 *                            zero and listed in DAMAGED, the output of murpages
 * SPDX-License-Identifier: MIT */
#include <murmuration/database.h>

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8192, BLOB = 1500000, MOST_PAGES = 4096 };

static uint8_t blob[BLOB];

static void VKAPI_PTR onLog(void *user, MurLogSeverity severity, const char *text) {
    (void)user;
    (void)severity;
    (void)fprintf(stderr, "%s\n", text);
}

/* Half of the pages are noise, which no method compresses. Every tenth page is zero. */
static void fill(uint8_t *bytes, size_t size, uint32_t page, uint32_t commit) {
    uint64_t state = 1 + page + 100000ull * commit;
    for (size_t i = 0; i < size; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = page % 10 == 0 ? 0
                   : page % 2     ? (uint8_t)(state >> 56)
                                  : (uint8_t)(page + commit + (i >> 7));
    }
}

static VkResult writeAll(MurDatabase database, uint32_t pages, uint32_t commit) {
    const MurPageFile file = murGetDatabaseFile(database);
    VkResult result = VK_SUCCESS;
    uint8_t bytes[SIZE];
    /* The second commit leaves a third of the pages as they are. */
    for (uint32_t page = 0; page < pages && result == VK_SUCCESS; ++page) {
        fill(bytes, SIZE, page, commit);
        result = commit > 1 && page % 3 == 0 ? VK_SUCCESS
                                             : file.pfnWrite(file.pUserData, page, bytes);
    }
    fill(blob, BLOB, 7, commit);
    return result == VK_SUCCESS ? murWriteDatabaseBlob(database, blob, BLOB) : result;
}

static bool make(const char *path, int method, uint32_t pages) {
    const MurDatabaseInfo info = {.pPath = path,
                                  .pageSize = SIZE,
                                  .pageCount = pages,
                                  .pfnLog = onLog,
                                  .compression = (MurCompression)method};
    MurDatabase database;
    VkResult result = murCreateDatabase(&info, &database);
    for (uint32_t commit = 1; commit < 3 && result == VK_SUCCESS; ++commit) {
        const MurPageFile file = murGetDatabaseFile(database);
        result = writeAll(database, pages, commit);
        result = result == VK_SUCCESS ? file.pfnCommit(file.pUserData) : result;
    }
    murCloseDatabase(result == VK_SUCCESS ? database : NULL);
    return result == VK_SUCCESS;
}

static bool hold(const char *path) {
    const MurDatabaseInfo info = {.pPath = path, .pfnLog = onLog};
    MurDatabase database;
    if (murOpenDatabase(&info, &database) != VK_SUCCESS) {
        return false;
    }
    MurDatabaseStatus status;
    murGetDatabaseStatus(database, &status);
    const bool done = writeAll(database, status.pageCount, 9) == VK_SUCCESS;
    if (done && printf("held\n") > 0 && fflush(stdout) == 0) {
        (void)getchar();
    }
    murCloseDatabase(database);
    return done;
}

static bool runSql(const char *path, const char *text, bool prints) {
    sqlite3 *connection;
    sqlite3_stmt *query = NULL;
    bool done = sqlite3_open(path, &connection) == SQLITE_OK;
    if (!prints) {
        done = done && sqlite3_exec(connection, text, NULL, NULL, NULL) == SQLITE_OK;
    } else {
        done = done && sqlite3_prepare_v2(connection, text, -1, &query, NULL) == SQLITE_OK &&
               sqlite3_step(query) == SQLITE_ROW &&
               printf("%lld\n", (long long)sqlite3_column_int64(query, 0)) > 0;
    }
    if (!done) {
        (void)fprintf(stderr, "%s\n", sqlite3_errmsg(connection));
    }
    (void)sqlite3_finalize(query);
    return sqlite3_close(connection) == SQLITE_OK && done;
}

/* Reads the damaged pages from the output of murpages. Returns whether the blob is damaged. */
static bool readDamaged(const char *path, bool *damaged) {
    FILE *file = fopen(path, "r");
    char line[256];
    bool blobDamaged = false;
    while (file && fgets(line, sizeof line, file)) {
        uint32_t page;
        const bool is = strstr(line, " damaged\n") != NULL;
        if (sscanf(line, "page %u commit", &page) == 1 && page < MOST_PAGES) {
            damaged[page] = is;
        }
        blobDamaged = blobDamaged || (is && strncmp(line, "blob", 4) == 0);
    }
    if (file) {
        (void)fclose(file);
    }
    return blobDamaged;
}

static bool compare(const char *path, const char *list) {
    static bool damaged[MOST_PAGES];
    const bool blobDamaged = readDamaged(list, damaged);
    const MurDatabaseInfo info = {.pPath = path, .flags = MUR_DATABASE_READ_ONLY, .pfnLog = onLog};
    MurDatabase database;
    MurDatabaseStatus status;
    bool right = murOpenDatabase(&info, &database) == VK_SUCCESS;
    if (!right) {
        return false;
    }
    murGetDatabaseStatus(database, &status);
    const MurPageFile file = murGetDatabaseFile(database);
    for (uint32_t page = 0; page < status.pageCount; ++page) {
        uint8_t bytes[SIZE], expected[SIZE] = {0};
        if (!damaged[page]) {
            fill(expected, SIZE, page, page % 3 ? 2 : 1);
        }
        if (file.pfnRead(file.pUserData, page, bytes) != VK_SUCCESS ||
            memcmp(bytes, expected, SIZE) != 0) {
            right = printf("page %u is wrong\n", page) < 0;
        }
    }
    static uint8_t read[BLOB];
    uint64_t size = sizeof read;
    fill(blob, BLOB, 7, 2);
    const bool whole = murReadDatabaseBlob(database, &size, read) == VK_SUCCESS;
    if (!whole || (blobDamaged ? size != 0 : size != BLOB || memcmp(read, blob, BLOB) != 0)) {
        right = printf("the blob is wrong\n") < 0;
    }
    murCloseDatabase(database);
    return right;
}

int main(int argc, char **argv) {
    const char *verb = argc > 2 ? argv[1] : "", *last = argv[argc - 1];
    const bool done = strcmp(verb, "make") == 0 ? make(argv[2], atoi(argv[3]), (uint32_t)atoi(last))
                      : strcmp(verb, "hold") == 0    ? hold(argv[2])
                      : strcmp(verb, "sql") == 0     ? runSql(argv[2], last, false)
                      : strcmp(verb, "number") == 0  ? runSql(argv[2], last, true)
                      : strcmp(verb, "compare") == 0 ? compare(argv[2], last)
                                                     : false;
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
