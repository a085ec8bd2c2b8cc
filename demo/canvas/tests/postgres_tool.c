/* Drives a page store on PostgreSQL for postgres.sh:
 *     write URI VERSION      writes this version of all pages and of the blob, and commits
 *     check URI VERSION      fails unless all pages and the blob have this version
 *     drop URI VERSION       writes, and closes without a commit
 *     wait URI VERSION       writes, prints a line, waits for standard input to end, and commits
 * SPDX-License-Identifier: MIT */
#include "common/message.h"
#include "common/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 65536, PAGES = 64, BLOB = 2500000 };

static void fill(uint8_t *bytes, size_t size, uint32_t page, uint32_t version) {
    uint64_t state = 1 + page + 100000ull * version;
    for (size_t i = 0; i < size; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = version == 0 || page % 10 == 3 ? 0 : (uint8_t)(state >> 56);
    }
}

static uint8_t bytes[BLOB], expected[BLOB];

static bool writeAll(Store *store, uint32_t version) {
    const MurPageFile file = store->file;
    VkResult result = VK_SUCCESS;
    for (uint32_t page = 0; page < PAGES && result == VK_SUCCESS; ++page) {
        fill(bytes, SIZE, page, version);
        result = file.pfnWrite(file.pUserData, page, bytes);
    }
    fill(bytes, BLOB, 7, version);
    return result == VK_SUCCESS && store->writeBlob(store, bytes, BLOB) == VK_SUCCESS;
}

static bool isAll(Store *store, uint32_t version) {
    const MurPageFile file = store->file;
    bool right = true;
    for (uint32_t page = 0; page < PAGES; ++page) {
        fill(expected, SIZE, page, version);
        right = right && file.pfnRead(file.pUserData, page, bytes) == VK_SUCCESS &&
                memcmp(bytes, expected, SIZE) == 0;
    }
    uint64_t size = sizeof bytes;
    fill(expected, BLOB, 7, version);
    return right && store->readBlob(store, &size, bytes) == VK_SUCCESS &&
           size == (version ? BLOB : 0) && memcmp(bytes, expected, size) == 0;
}

int main(int argc, char **argv) {
    sayProgram("postgres_tool");
    if (argc != 4) {
        return EXIT_FAILURE;
    }
    const uint32_t number = (uint32_t)atoi(argv[3]);
    Store *store = postgresOpen(argv[2], SIZE, PAGES);
    if (!store) {
        return EXIT_FAILURE;
    }
    bool done = strcmp(argv[1], "check") == 0 ? isAll(store, number) : writeAll(store, number);
    if (done && strcmp(argv[1], "wait") == 0) {
        done = printf("waiting\n") > 0 && fflush(stdout) == 0;
        (void)getchar();
    }
    if (done && argv[1][0] == 'w') {
        const MurPageFile file = store->file;
        done = file.pfnCommit(file.pUserData) == VK_SUCCESS;
    }
    store->close(store);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
