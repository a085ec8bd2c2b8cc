/* What the system has at a path, and locks that no other descriptor's end takes away.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DATABASE_LOCKS_H
#define MUR_DATABASE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum MurPathKind {
    MUR_PATH_NONE, /* nothing; errno */
    MUR_PATH_EMPTY,
    MUR_PATH_FILE,
    MUR_PATH_FOLDER,
    MUR_PATH_OTHER /* a pipe, a device, a link that leads nowhere */
} MurPathKind;

/* 0: not held. */
typedef struct MurDatabaseLocks {
    intptr_t writer; /* on the file beside it */
    intptr_t guard;
} MurDatabaseLocks;

MurPathKind mur_path_kind(const char *path);
/* Links followed, if there is something; NULL: no memory. To be freed. */
char *mur_path_real(const char *path);

/* Locks PATH-lock, which it makes. False: errno, EBUSY if somebody has it. */
bool mur_lock_writer(MurDatabaseLocks *locks, const char *path);
/* SQLite's own locks are the process's, and go when any descriptor of the file is closed in it, by
 * a copy that the engine makes, say. The next process that closes the database would then take
 * itself for the last one, and remove the log that is being written. This keeps a lock of the same
 * kind on the same bytes, by a descriptor of its own. Without an effect where it is not needed. */
void mur_lock_guard(MurDatabaseLocks *locks, const char *path);
/* SQLite may find itself the last one from here on. */
void mur_unlock_guard(MurDatabaseLocks *locks);
/* Gives up what is held, after SQLite has closed its descriptors. */
void mur_unlock_all(MurDatabaseLocks *locks);

#endif
