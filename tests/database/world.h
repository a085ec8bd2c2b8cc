/* A database, what its pages and its blob should be, and the folder that it lies in.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_WORLD_H
#define DATABASE_WORLD_H

#include "support/cases.h"
#include "support/random.h"

#include <murmuration/database.h>

#include <stdbool.h>

enum { PAGE = 4096, PAGES = 60, MOST_BLOB = 6000 };

/* Which version of what; 0: zeros, and no blob. */
typedef struct Versions {
    uint32_t pages[PAGES];
    uint32_t blob;
} Versions;

typedef struct World {
    MurDatabase database;
    MurPageFile file;
    Versions committed, next;
    char said[512]; /* the last message */
} World;

extern const char PATH[]; /* in the folder that is the current one */

/* Of a case: an empty folder, and its end. */
int world_enter(void **state);
int world_leave(void **state);
#define WORLD_TEST(name) TEST_BETWEEN(name, world_enter, world_leave)

/* Tells world->said. */
MurDatabaseInfo world_info(World *world);
World world_create(void);
/* Opens it again, after which it has no row above the last commit. */
void world_open(World *world);
/* All is as it was committed last. */
void world_close(World *world);

void world_fill(uint8_t *bytes, uint32_t page, uint32_t version);
/* version 0: zeros. */
VkResult world_write(World *world, uint32_t page, uint32_t version);
VkResult world_write_blob(World *world, uint32_t version);
VkResult world_commit(World *world);
/* A page, and a commit: both succeed. */
void world_save(World *world, uint32_t page, uint32_t version);

/* The database's pages and its blob are these. */
bool world_is(World *world, const Versions *versions);
/* None is above the last commit. */
void world_check_rows(void);
/* By SQLite itself. */
void world_check_file(void);
/* The number that a query finds first. */
int64_t world_ask(const char *query);

#endif
