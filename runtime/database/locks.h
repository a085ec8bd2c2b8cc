/* The state of a path, and locks that survive the closing of other descriptors.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_DATABASE_LOCKS_H
#define MUR_DATABASE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* Locks: file descriptors plus 1, or handles. 0: the lock is not held. */
typedef struct MurDatabaseLocks {
    intptr_t writer; /* on the separate lock file */
    intptr_t guard;
} MurDatabaseLocks;

/* Returns 0 if the path is that of a file, otherwise an errno; ENOENT also for an empty file. */
int mur_path_error(const char *path);

/* Identity of the file with a name. Zeros if there is no file, and always on Windows, where open
 * files cannot be removed or renamed. */
typedef struct MurFileId {
    uint64_t device, number;
} MurFileId;
MurFileId mur_file_id(const char *path);

/* Creates and locks a file with this name. Returns false and sets errno on failure; EBUSY means
 * that another writer has the lock. */
bool mur_lock_writer(MurDatabaseLocks *locks, const char *name);
/* SQLite's own locks belong to the process, and end when the process closes any descriptor of the
 * file, for example after the engine copied it. The next process that closes the database would
 * then assume that it is the last user, and remove the log in use. This function holds an equal
 * lock on the same bytes, by a separate descriptor. It has no effect on systems that have no such
 * problem. */
void mur_lock_guard(MurDatabaseLocks *locks, const char *path);
/* Releases the lock of mur_lock_guard. SQLite can then detect that it is the last user. */
void mur_unlock_guard(MurDatabaseLocks *locks);
/* Releases all locks. Called after SQLite has closed its descriptors of the file. */
void mur_unlock_all(MurDatabaseLocks *locks);

#endif
