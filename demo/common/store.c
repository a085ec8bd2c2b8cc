/* SPDX-License-Identifier: MIT */
#include "store.h"

#include "message.h"

#include <murmuration/database.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVER_PAGES = 4096 }; /* of a new database on a server, if the caller names no number */

typedef struct FileStore {
    Store store; /* first: pointers to it are pointers to a FileStore */
    MurDatabase database;
} FileStore;

/* The last message of the library, if it is for the user. */
static char told[256];

static void onLog(void *user, MurLogSeverity severity, const char *text) {
    (void)user;
    if (severity == MUR_LOG_ERROR) {
        (void)snprintf(told, sizeof told, "%s", text);
    }
}

bool storeCheck(const Store *store, VkResult result) {
    const bool silent = store && !store->isFile; /* it has printed its error */
    return result == VK_SUCCESS ||
           (!silent && sayError("%s", told[0] ? told : murResultName(result)));
}

static MurDatabase databaseOf(Store *store) {
    return ((FileStore *)store)->database;
}

static VkResult writeBlob(Store *store, const void *bytes, uint64_t size) {
    return murWriteDatabaseBlob(databaseOf(store), bytes, size);
}

static VkResult readBlob(Store *store, uint64_t *size, void *bytes) {
    return murReadDatabaseBlob(databaseOf(store), size, bytes);
}

static VkResult flush(Store *store) {
    return murFlushDatabase(databaseOf(store));
}

static void closeFile(Store *store) {
    murCloseDatabase(databaseOf(store));
    free(store);
}

static Store *storeOf(MurDatabase database, bool readOnly) {
    FileStore *file = calloc(1, sizeof *file);
    MurDatabaseStatus status;
    if (!file) {
        murCloseDatabase(database);
        (void)sayError("no memory for a file");
        return NULL;
    }
    murGetDatabaseStatus(database, &status);
    *file = (FileStore){.store = {.file = murGetDatabaseFile(database),
                                  .pageCount = status.pageCount,
                                  .commits = status.commits,
                                  .readOnly = readOnly,
                                  .isFile = true,
                                  .writeBlob = writeBlob,
                                  .readBlob = readBlob,
                                  .flush = flush,
                                  .close = closeFile},
                        .database = database};
    return &file->store;
}

static MurDatabaseInfo infoOf(const char *path, uint32_t pageSize, uint32_t pageCount) {
    const bool packs = murCanCompress(MUR_COMPRESSION_ZSTD);
    return (MurDatabaseInfo){.pPath = path,
                             .pageSize = pageSize,
                             .pageCount = pageCount,
                             .pfnLog = onLog,
                             .compression = packs ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE};
}

Store *storeCreate(const char *path, uint32_t pageSize, uint32_t pageCount) {
    const MurDatabaseInfo info = infoOf(path, pageSize, pageCount);
    MurDatabase database;
    return storeCheck(NULL, murCreateDatabase(&info, &database)) ? storeOf(database, false) : NULL;
}

static Store *openServer(const char *uri, uint32_t pageSize, uint32_t pageCount) {
#if DEMO_POSTGRES
    return postgresOpen(uri, pageSize, pageCount ? pageCount : SERVER_PAGES);
#else
    (void)pageSize;
    (void)pageCount;
    (void)sayError("%.13s: this program was built without libpq (libpq-dev)", uri);
    return NULL;
#endif
}

Store *storeOpen(const char *path, uint32_t pageSize, uint32_t pageCount, bool *absent) {
    MurDatabaseInfo info = infoOf(path, pageSize, pageCount);
    MurDatabase database;
    *absent = false;
    if (strncmp(path, "postgresql://", 13) == 0) {
        return openServer(path, pageSize, pageCount);
    }
    VkResult result = murOpenDatabase(&info, &database);
    if (result == MUR_ERROR_FILE && errno == ENOENT) {
        *absent = true;
        return NULL;
    }
    if (result == MUR_ERROR_INVALID_ARGUMENT && pageCount) { /* it has more, say */
        info.pageCount = 0;
        result = murOpenDatabase(&info, &database);
    }
    if (result == MUR_ERROR_FILE && errno == EBUSY) { /* another program has it open for writing */
        info.flags = MUR_DATABASE_READ_ONLY;
        result = murOpenDatabase(&info, &database);
    }
    return storeCheck(NULL, result) ? storeOf(database, info.flags != 0) : NULL;
}
