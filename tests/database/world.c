/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "world.h"

#include "shim.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char PATH[] = "world.db";
MurCompression world_compression = MUR_COMPRESSION_NONE;
static char folder[] = "/tmp/mur-database-XXXXXX";

int world_enter(void **state) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int world_leave(void **state) {
    DIR *files = opendir(".");
    const struct dirent *entry;
    while (files && (entry = readdir(files)) != NULL) {
        if (entry->d_name[0] != '.') {
            (void)remove(entry->d_name);
        }
    }
    (void)closedir(files);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void VKAPI_PTR note(void *user, MurLogSeverity severity, const char *message) {
    World *world = user;
    assert_int_equal(severity, MUR_LOG_ERROR);
    (void)snprintf(world->said, sizeof world->said, "%s", message);
}

MurDatabaseInfo world_info(World *world) {
    return (MurDatabaseInfo){
        .pPath = PATH, .pageSize = PAGE, .pageCount = PAGES, .pfnLog = note, .pLogUserData = world};
}

World world_create(void) {
    World world = {0};
    MurDatabaseInfo info = world_info(&world);
    info.compression = world_compression;
    info.pfnLog = NULL; /* the log callback would point to this local variable */
    assert_int_equal(murCreateDatabase(&info, &world.database), VK_SUCCESS);
    world.file = murGetDatabaseFile(world.database);
    return world;
}

VkResult world_try(World *world, MurDatabaseFlags flags) {
    MurDatabaseInfo info = world_info(world);
    info.pageSize = info.pageCount = 0;
    info.flags = flags;
    const VkResult result = murOpenDatabase(&info, &world->database);
    if (result == VK_SUCCESS) {
        world->file = murGetDatabaseFile(world->database);
    }
    return result;
}

void world_open(World *world) {
    if (world_try(world, 0) != VK_SUCCESS) {
        fail_msg("%s", world->said);
    }
    world->next = world->committed;
    world_check_rows();
}

void world_close(World *world) {
    assert_true(world_is(world, &world->committed));
    murCloseDatabase(world->database);
    world->database = NULL;
}

void world_fill(uint8_t *bytes, uint32_t page, uint32_t version) {
    uint32_t words[PAGE / 4];
    for (uint32_t i = 0; i < PAGE / 4; ++i) {
        words[i] = i == 0 ? version : (page * 31 + version) * 0x9E3779B9U + i * 0x85EBCA6BU;
    }
    memcpy(bytes, words, sizeof words);
    if (version == 0) {
        memset(bytes, 0, sizeof words);
    }
}

VkResult world_write(World *world, uint32_t page, uint32_t version) {
    uint8_t bytes[PAGE];
    world_fill(bytes, page, version);
    world->next.pages[page] = version;
    return world->file.pfnWrite(world->file.pUserData, page, bytes);
}

/* Writes the blob's content in this version to `bytes`. Returns its size, which also varies. */
static size_t fill_blob(uint8_t *bytes, uint32_t version) {
    uint8_t page[2 * PAGE];
    world_fill(page, 1000, version);
    world_fill(page + PAGE, 1001, version);
    const size_t size = version == 0 ? 0 : version * 977u % MOST_BLOB + 4;
    memcpy(bytes, page, size);
    return size;
}

VkResult world_write_blob(World *world, uint32_t version) {
    uint8_t bytes[2 * PAGE];
    const size_t size = fill_blob(bytes, version);
    world->next.blob = version;
    return murWriteDatabaseBlob(world->database, bytes, size);
}

VkResult world_commit(World *world) {
    const VkResult result = world->file.pfnCommit(world->file.pUserData);
    if (result == VK_SUCCESS) {
        world->committed = world->next;
    }
    return result;
}

void world_save(World *world, uint32_t page, uint32_t version) {
    assert_int_equal(world_write(world, page, version), VK_SUCCESS);
    assert_int_equal(world_commit(world), VK_SUCCESS);
}

bool world_is(World *world, const Versions *versions) {
    uint8_t bytes[2 * PAGE], expected[2 * PAGE];
    bool same = true;
    for (uint32_t page = 0; page < PAGES; ++page) {
        world_fill(expected, page, versions->pages[page]);
        assert_int_equal(world->file.pfnRead(world->file.pUserData, page, bytes), VK_SUCCESS);
        same = same && memcmp(bytes, expected, PAGE) == 0;
    }
    uint64_t size = sizeof bytes;
    assert_int_equal(murReadDatabaseBlob(world->database, &size, bytes), VK_SUCCESS);
    return same && size == fill_blob(expected, versions->blob) &&
           memcmp(bytes, expected, size) == 0;
}

int64_t world_ask(const char *query) {
    sqlite3 *connection;
    sqlite3_stmt *asked = NULL;
    assert_int_equal(sqlite3_open_v2(PATH, &connection, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(connection, query, -1, &asked, NULL), SQLITE_OK);
    const int code = sqlite3_step(asked);
    assert_true(code == SQLITE_ROW || code == SQLITE_DONE);
    const int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(asked, 0) : 0;
    (void)sqlite3_finalize(asked);
    assert_int_equal(sqlite3_close(connection), SQLITE_OK);
    return number;
}

void world_check_rows(void) {
    assert_int_equal(world_ask("SELECT count(*) FROM pages, database WHERE generation > committed"),
                     0);
}

void world_check_file(void) {
    assert_int_equal(world_ask("SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

uint8_t *world_load(size_t *size) {
    FILE *file = fopen(PATH, "rb");
    assert_non_null(file);
    uint8_t *bytes = test_allocate(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    assert_in_range(*size, 1, (1 << 20) - 1);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

void world_store(const uint8_t *bytes, size_t size) {
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void world_attach(const char *path, const char *text) {
    sqlite3 *connection;
    char attach[160];
    (void)snprintf(attach, sizeof attach, "ATTACH '%s' AS other", path);
    assert_int_equal(sqlite3_open_v2(PATH, &connection, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(connection, attach, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(connection, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(connection), SQLITE_OK);
}

int main(int argc, char **argv) {
    if (argc == 2) {
        return system_task(argv[1]);
    }
    shim_install();
    return cases_run();
}
