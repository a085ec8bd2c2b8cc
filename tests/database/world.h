/* A world is a database in a folder of its own, with a model of its pages and blob.
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_WORLD_H
#define DATABASE_WORLD_H

#include "support/cases.h"
#include "support/random.h"

#include <murmuration/database.h>

#include <stdbool.h>

enum { PAGE = 4096, PAGES = 60, MOST_BLOB = 6000 };

/* The version of each page's and of the blob's content. 0: a page of zeros, or no blob. */
typedef struct Versions {
    uint32_t pages[PAGES];
    uint32_t blob;
} Versions;

typedef struct World {
    MurDatabase database;
    MurPageFile file;
    Versions committed, next;
    char said[512]; /* the last log message */
} World;

extern const char PATH[]; /* path of the database in the current folder */
/* The compression method of databases that world_create makes; initially none. */
extern MurCompression world_compression;

/* Setup: enters an empty folder. Teardown: removes it. */
int world_enter(void **state);
int world_leave(void **state);
#define WORLD_TEST(name) TEST_BETWEEN(name, world_enter, world_leave)

/* Returns a create info whose log messages are copied to world->said. */
MurDatabaseInfo world_info(World *world);
World world_create(void);
/* Opens the database with the sizes in its file. */
VkResult world_try(World *world, MurDatabaseFlags flags);
/* Opens the database again and calls world_check_rows. */
void world_open(World *world);
/* Checks that the database has the state of the last commit, then closes it. */
void world_close(World *world);

void world_fill(uint8_t *bytes, uint32_t page, uint32_t version);
/* Write the content of a version to the database, and set the version in world->next. */
VkResult world_write(World *world, uint32_t page, uint32_t version);
VkResult world_write_blob(World *world, uint32_t version);
VkResult world_commit(World *world);
/* Writes a page and commits. Both must succeed. */
void world_save(World *world, uint32_t page, uint32_t version);

/* Returns whether pages and blob have these versions. */
bool world_is(World *world, const Versions *versions);
/* Checks that no row is newer than the last commit: failed commits must leave no SQL rows. */
void world_check_rows(void);
/* Checks the file by SQLite's integrity check. */
void world_check_file(void);
/* Returns the first number of a query's result. */
int64_t world_ask(const char *query);
/* world_load returns the bytes of the database's file, which the caller frees. world_store replaces
 * the file. */
uint8_t *world_load(size_t *size);
void world_store(const uint8_t *bytes, size_t size);
/* Runs a statement on the database while the database at `path` is attached as "other". */
void world_attach(const char *path, const char *text);

enum { GOLDEN_VERSIONS = 2 };
/* Returns the bytes of a file of this format version, from 1 on. The caller frees them. */
uint8_t *golden_bytes(uint32_t version, size_t *size);
/* Runs the task with this name, in another process of this test program. */
int system_task(const char *name);

#endif
