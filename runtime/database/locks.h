/* What the system has at a path, and locks that no other descriptor's end takes away.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DATABASE_LOCKS_H
#define MUR_DATABASE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* 0: not held. */
typedef struct MurDatabaseLocks {
    intptr_t writer; /* on the file beside it */
    intptr_t guard;
} MurDatabaseLocks;

/* 0: there is a file; else what errno would be: ENOENT for an empty one, too. */
int mur_path_error(const char *path);

/* The file that a name leads to. Zeros: there is none; or the system is Windows, where files that
 * SQLite has open can be neither removed nor renamed. */
typedef struct MurFileId {
    uint64_t device, number;
} MurFileId;
MurFileId mur_file_id(const char *path);

/* Locks a file of this name, which it makes. False: errno, EBUSY if somebody has it. */
bool mur_lock_writer(MurDatabaseLocks *locks, const char *name);
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
