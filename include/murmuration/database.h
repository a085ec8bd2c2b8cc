/* Murmuration, optional: pages in an SQLite database, the file behind a pager's store (pager.h). It
 * survives crashes and full disks; others may read it and make backups while it is written.
 *
 * A library of its own, murmuration_database, which links SQLite 3.25 or newer. Nothing here calls
 * Vulkan.
 *
 *     MurDatabaseInfo info = {.pPath = "world.db", .pageSize = 65536, .pageCount = 1 << 20};
 *     MurDatabase database;
 *     VkResult result = murOpenDatabase(&info, &database);
 *     if (result == MUR_ERROR_FILE && errno == ENOENT) {
 *         result = murCreateDatabase(&info, &database);
 *     }
 *     MurPageFile file = murGetDatabaseFile(database);   for MurPagerCreateInfo.pFile
 *     ...
 *     murCloseDatabase(database);                        after the pager
 *
 * A page is a row, with the commit that it belongs to and a checksum of its bytes, its number and
 * its commit. Rows are written in small transactions, as those of a commit that is not there yet;
 * the commit is one more transaction, after which they count. So writes never count in part:
 * opening and readers skip rows above the last commit. Rows that a commit replaces are removed a
 * few at a time while later ones are written, and the file shrinks a little at a time while more
 * than half of it is free. Pages of zeros take no room.
 *
 * The database is in WAL mode while it is open for writing. The library moves the log into the file
 * when the log has 2^27 bytes, so that a small database may have a log of that size;
 * murFlushDatabase moves it at any time. The log grows further while another program reads in one
 * long transaction, as a backup does. After murCloseDatabase the database is one file, and may be
 * copied as one. While it is open, SQLite's backup functions, or
 * `sqlite3 world.db ".backup copy.db"`, make a whole copy, at a commit.
 *
 * One writer. A database that is open for writing holds a lock on an empty file in its folder,
 * world.db-lock, until it is closed or the process ends. A second open for writing, in this process
 * or in another, fails with EBUSY. The lock does not depend on other programs that open and close
 * the database. The empty file stays. If it is removed while the database is open, or if the file
 * system ignores locks, a second writer can open the database. Each writer therefore stores a
 * random number when it opens the database, and each transaction compares it: the older writer
 * fails for good and loses its changes since its last commit. The file stays whole.
 *
 * Files. While the database is open for writing, world.db, world.db-wal and world.db-shm belong
 * together. If one of them is removed or renamed, the next write or commit fails, for good. To save
 * the commits before it, rename the file back and open the database again. Do not truncate one of
 * them or copy another file over it: the library does not notice this. The library resolves
 * symbolic links when it opens a database. Do not use hard links: SQLite names the log after the
 * name of the file.
 *
 * Network file systems. The file system must provide these properties:
 *     locks      locks of byte ranges (fcntl on POSIX) exclude other processes
 *     memory     processes can share the memory of world.db-shm. So all programs that have the
 *                database open at the same time must run on one machine: the number of the writer
 *                does not reveal a second writer on another machine
 *     flushing   fsync returns after the bytes are on the disk of the server
 *     identity   a file keeps its inode number while it is open
 *
 * Versions. This library writes version 2 of the file, which has a checksum of the page count, the
 * number of commits and the size of the blob. It opens version 1, written by library 0.2, too; the
 * first commit makes it version 2, which library 0.2 does not open.
 *
 * Failures:
 *     crash, power   the database has the state of the last commit or of the one in progress, never
 *                    one between them
 *     full disk      MUR_ERROR_FILE, errno ENOSPC: all writes since the last commit are dropped,
 *                    and may be repeated
 *     I/O errors     the same, with their errno. But if the system reports that bytes may not have
 *                    reached the disk, which it reports once, nothing is written until the database
 *                    is opened again: it then has the state of that commit or of the one before
 *     busy           MUR_ERROR_FILE, errno EBUSY: another program, such as the sqlite3 shell, has
 *                    held a write transaction for more than 5 seconds. All writes since the last
 *                    commit are dropped, and may be repeated
 *     second writer  MUR_ERROR_FILE, errno EBUSY, and MurDatabaseStatus.failed: see One writer
 *     file moved     MUR_ERROR_FILE, errno ENOENT, and MurDatabaseStatus.failed: see Files
 *     damage         MUR_ERROR_CORRUPT, and the log reports where: never another page
 * Checksums find accidents; they do not stop an attacker.
 *
 * Thread-safety: the three functions of murGetDatabaseFile as in MurPageFile; the others, except
 * murCloseDatabase, on any thread at the same time. After a fork only the parent process may use or
 * close the database.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_DATABASE_H
#define MURMURATION_DATABASE_H

#include <murmuration/pager.h>

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(MurDatabase)

/* Most bytes of murWriteDatabaseBlob. */
#define MUR_MAX_DATABASE_BLOB 268435456u

typedef enum MurDatabaseFlagBits {
    /* Nothing is written, no lock is needed. */
    MUR_DATABASE_READ_ONLY = 1
} MurDatabaseFlagBits;
typedef uint32_t MurDatabaseFlags;

typedef struct MurDatabaseInfo {
    const void *pNext;
    const char *pPath; /* required; UTF-8; neither "" nor ":memory:" */
    uint32_t pageSize; /* bytes: 4096, 8192, ... 1048576; 0: that of the file */
    /* 1 or more; 0: that of the file. More than the file has: the file grows to this count. */
    uint32_t pageCount;
    MurDatabaseFlags flags;
    /* Optional: as of contexts (murmuration.h), from whatever thread calls. */
    PFN_murLog pfnLog;
    void *pLogUserData;
} MurDatabaseInfo;

/* Makes a database in which all pages are zero, and opens it. A crash before the return leaves no
 * file, or an empty one, which counts as none here and for murOpenDatabase. Errors leave no file.
 *     MUR_ERROR_FILE              errno; EEXIST: something is there, and is untouched; EBUSY:
 *                                 another writer has the lock; EACCES, ENAMETOOLONG, ...
 *     MUR_ERROR_INVALID_ARGUMENT  NULL, flags or sizes that cannot be
 *     VK_ERROR_OUT_OF_HOST_MEMORY
 * On errors *pDatabase is untouched. */
MUR_API VkResult murCreateDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase);

/* Opens a database, and if it is open for writing, removes uncommitted rows. Opening for writing
 * also stores the number of the writer, which needs a few KiB of the disk.
 *     MUR_ERROR_FILE              errno; ENOENT: nothing there; EBUSY: another writer has it open;
 *                                 EISDIR and the like; EROFS: open it to read; ENOSPC: full disk
 *     MUR_ERROR_CORRUPT         no database of pages, or damaged
 *     MUR_ERROR_VERSION       made by a newer library: the log reports which, and the unknown part
 *     MUR_ERROR_INVALID_ARGUMENT  as above, or not the page size of the file, or fewer pages
 *     VK_ERROR_OUT_OF_HOST_MEMORY
 * On errors *pDatabase is untouched. */
MUR_API VkResult murOpenDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase);

/* Closes without a commit: writes since the last one are lost. NULL: no effect. No other function
 * runs or comes after it. */
MUR_API void murCloseDatabase(MurDatabase database);

/* Its three functions, valid until it is closed; those that write fail if it is open to read. */
MUR_API MurPageFile murGetDatabaseFile(MurDatabase database);

/* Bytes of the engine's that belong to the next commit, as the pages do that were written for it;
 * copied. Later commits have them, too, until others are written. With a pager: write those of a
 * checkpoint that began in frame n before the murBeginPagerFrame that reports n as completed,
 * because the commit may follow it at once; and again if the checkpoint fails.
 * MUR_ERROR_INVALID_ARGUMENT: above MUR_MAX_DATABASE_BLOB; else as MurPageFile.pfnWrite. */
MUR_API VkResult murWriteDatabaseBlob(MurDatabase database, const void *pBytes, uint64_t size);

/* Reads the blob of the last commit. pBytes NULL: its size into *pSize, 0 if there is none. Else
 * *pSize is the room in pBytes, MUR_ERROR_INVALID_ARGUMENT if that is less. MUR_ERROR_CORRUPT:
 * damage. */
MUR_API VkResult murReadDatabaseBlob(MurDatabase database, uint64_t *pSize, void *pBytes);

/* Moves the log, world.db-wal, into the file: on VK_SUCCESS the file alone contains the last
 * commit, and a copy of the file is a whole database until the next write. Never waits.
 *     VK_NOT_READY  a reader holds a transaction: part of the commits is still in the log
 *                   (MurDatabaseStatus.logSize bytes). No commit is lost. Call again later
 *     else          as MurPageFile.pfnWrite, which drops uncommitted writes */
MUR_API VkResult murFlushDatabase(MurDatabase database);

typedef struct MurDatabaseStatus {
    uint32_t pageSize;
    uint32_t pageCount;
    uint64_t commits; /* that have changed the database since it was made */
    uint64_t logSize; /* bytes of its log that are not in the file yet */
    /* Every write fails until the database is opened again: see I/O errors, second writer and file
     * moved. */
    VkBool32 failed;
} MurDatabaseStatus;

/* All zero for NULL. Waits for a write or a commit that is under way. */
MUR_API void murGetDatabaseStatus(MurDatabase database, MurDatabaseStatus *pStatus);

#ifdef __cplusplus
}
#endif
#endif
