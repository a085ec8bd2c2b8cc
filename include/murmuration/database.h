/* Murmuration, optional: pages in an SQLite database, as the page file of a pager (pager.h). The
 * database survives crashes and full disks. Other programs may read it or make backups any time.
 *
 * These functions are in a separate library, murmuration_database, which links SQLite 3.25 or
 * newer. They do not call Vulkan.
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
 * A page is a row, with the number of its commit and a checksum of its bytes, page number and
 * commit. Small transactions write the rows of the next commit; the commit is one more transaction,
 * which makes these rows valid. So a commit is never valid in part: reads skip rows above the last
 * commit. Replaced rows are removed a few at a time while later ones are written. While more than
 * half of the file is free, it shrinks a little at a time. Pages of zeros take no space.
 *
 * The database is in WAL mode while it is open for writing. The library moves the log into the file
 * when the log has 2^27 bytes, so even a small database may have a log of that size.
 * murFlushDatabase moves the log at any time. The log grows further while another program reads in
 * one long transaction, as a backup does. After murCloseDatabase the database is one file that may
 * be copied. While the database is open, SQLite's backup functions make a complete copy, which has
 * the state of a commit, as does `sqlite3 world.db ".backup copy.db"`.
 *
 * One writer. A database that is open for writing holds a lock on an empty file in its folder,
 * world.db-lock, until it is closed or the process ends. A second open for writing, in this process
 * or in another, fails with EBUSY. Other programs that open and close the database do not release
 * the lock. The library never removes the empty file. If that file is removed while the database is
 * open, or if the file system ignores locks, a second writer can open the database. Each writer
 * therefore stores a random number when it opens the database, and each transaction compares it.
 * The older writer then fails, and loses its changes since its last commit. The file stays intact.
 *
 * Files. While the database is open for writing, world.db, world.db-wal and world.db-shm belong
 * together. If one of them is removed or renamed, the next write or commit fails, and all later
 * ones. To save the commits before it, rename the file back and open the database again. Do not
 * truncate one of the files or copy another file over it: the library does not detect this. The
 * library resolves symbolic links when it opens a database. Do not use hard links: SQLite names the
 * log after the name of the file.
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
 * number of commits and the size of the blob. The library also opens version 1, which library 0.2
 * wrote. The first commit changes the file to version 2, which library 0.2 cannot open. A database
 * with compressed pages has a feature bit, and older libraries reject it with MUR_ERROR_VERSION.
 *
 * Failures:
 *     crash, power   the database has the state of the last commit or of the commit in progress,
 *                    never a state between them
 *     full disk      MUR_ERROR_FILE, errno ENOSPC: all writes since the last commit are dropped,
 *                    and may be repeated
 *     I/O errors     as a full disk, with the errno of the error. But if bytes may not have reached
 *                    the disk, which the system reports only once, all writes fail until the
 *                    database is opened again, with the commit in progress or the one before
 *     busy           MUR_ERROR_FILE, errno EBUSY: another program, such as the sqlite3 shell, has
 *                    held a write transaction for more than 5 seconds. Otherwise as a full disk
 *     second writer  MUR_ERROR_FILE, errno EBUSY, and MurDatabaseStatus.failed: see One writer
 *     file moved     MUR_ERROR_FILE, errno ENOENT, and MurDatabaseStatus.failed: see Files
 *     damage         MUR_ERROR_CORRUPT; the log reports the damaged part. A read never returns the
 *                    bytes of another page. murCheckDatabase lists the damaged pages, and
 *                    murCopyDatabase saves the intact ones
 * Checksums find accidents; they do not stop an attacker.
 *
 * Thread-safety: MurPageFile states it for the three functions of murGetDatabaseFile. All others
 * except murCloseDatabase may run on any thread at the same time. After a fork only the parent
 * process may use or close the database.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_DATABASE_H
#define MURMURATION_DATABASE_H

#include <murmuration/pager.h>

VK_DEFINE_HANDLE(MurDatabase)

/* Maximum size of murWriteDatabaseBlob, in bytes. */
#define MUR_MAX_DATABASE_BLOB 268435456u

typedef enum MurDatabaseFlagBits {
    /* Opens the database only for reading, which needs no lock. */
    MUR_DATABASE_READ_ONLY = 1
} MurDatabaseFlagBits;
typedef uint32_t MurDatabaseFlags;

/* How a database stores the bytes of pages and of the blob. The file records the method. Pages of
 * zeros take no space with any method. */
typedef enum MurCompression {
    MUR_COMPRESSION_NONE = 0, /* bytes are not compressed */
    /* Zstandard, level 1, each page by itself. Requires a build with libzstd: murCanCompress. */
    MUR_COMPRESSION_ZSTD = 1,
    MUR_COMPRESSION_OF_SOURCE = 2 /* only for murCopyDatabase: the method of the source */
} MurCompression;

typedef struct MurDatabaseInfo {
    const void *pNext;
    const char *pPath; /* required; UTF-8; neither "" nor ":memory:" */
    uint32_t pageSize; /* bytes: 4096, 8192, ... 1048576; 0 means the page size of the file */
    /* Number of pages; 0 means the number in the file. The file grows to a larger number. */
    uint32_t pageCount;
    MurDatabaseFlags flags;
    PFN_murLog pfnLog; /* optional; see murmuration.h */
    void *pLogUserData;
    /* Method of a new database; default none. Ignored if a database is opened. */
    MurCompression compression;
} MurDatabaseInfo;

/* Returns whether this build of the library supports a method. Any thread. */
MUR_API VkBool32 murCanCompress(MurCompression method);

/* Creates a database in which all pages are zero, and opens it. If the process crashes before the
 * function returns, there is no file or an empty file; this function and murOpenDatabase treat an
 * empty file as absent. Errors leave no file, and *pDatabase unchanged:
 *     MUR_ERROR_FILE              errno has the reason. EEXIST: the name is in use; EBUSY: another
 *                                 writer has the lock; EACCES, ENAMETOOLONG, ...
 *     MUR_ERROR_INVALID_ARGUMENT  a pointer is NULL, or flags, compression or a size is out of
 *                                 range
 *     VK_ERROR_FEATURE_NOT_PRESENT  this build of the library does not support compression
 *     VK_ERROR_OUT_OF_HOST_MEMORY */
MUR_API VkResult murCreateDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase);

/* Opens a database. An open for writing also removes uncommitted rows and stores the number of the
 * writer, which needs a few KiB of the disk. Errors leave *pDatabase unchanged:
 *     MUR_ERROR_FILE              errno has the reason. ENOENT: no file; EBUSY: another writer has
 *                                 the database open; EROFS: use MUR_DATABASE_READ_ONLY; EISDIR, ...
 *     MUR_ERROR_CORRUPT           the file is not a database of pages, or damaged
 *     MUR_ERROR_VERSION           a newer library wrote the file: see the log
 *     MUR_ERROR_INVALID_ARGUMENT  as for murCreateDatabase; or pageSize differs from that of the
 *                                 file, or pageCount is below that of the file
 *     VK_ERROR_FEATURE_NOT_PRESENT  the pages are compressed, and this build of the library does
 *                                 not support the method
 *     VK_ERROR_OUT_OF_HOST_MEMORY */
MUR_API VkResult murOpenDatabase(const MurDatabaseInfo *pInfo, MurDatabase *pDatabase);

/* Closes a database without a commit: writes since the last commit are lost. Ignores NULL. No other
 * function may use the database during or after the call. */
MUR_API void murCloseDatabase(MurDatabase database);

/* Returns the functions of the database as a page file, valid until the database is closed. If the
 * database was opened only for reading, pfnWrite and pfnCommit fail. */
MUR_API MurPageFile murGetDatabaseFile(MurDatabase database);

/* Writes data of the engine, the blob, for the next commit, like MurPageFile.pfnWrite; copied.
 * Later commits keep the blob until another is written. With a pager: write the blob of a
 * checkpoint that began in frame n before the murBeginPagerFrame that reports n as completed,
 * because the commit may follow immediately. If the checkpoint fails, write the blob again. Fails
 * with MUR_ERROR_INVALID_ARGUMENT if size is above MUR_MAX_DATABASE_BLOB; other errors are those of
 * MurPageFile.pfnWrite. */
MUR_API VkResult murWriteDatabaseBlob(MurDatabase database, const void *pBytes, uint64_t size);

/* Reads the blob of the last commit. If pBytes is NULL, writes the blob's size to *pSize, 0 if
 * there is no blob. Otherwise *pSize is the size of pBytes; if this size is too small, fails with
 * MUR_ERROR_INVALID_ARGUMENT. Fails with MUR_ERROR_CORRUPT if the blob is damaged. */
MUR_API VkResult murReadDatabaseBlob(MurDatabase database, uint64_t *pSize, void *pBytes);

/* Moves the log, world.db-wal, into the file: on VK_SUCCESS the file alone contains the last
 * commit, and a copy of the file is a complete database until the next write. Never waits.
 *     VK_NOT_READY  a reader holds a transaction: some commits are still in the log
 *                   (MurDatabaseStatus.logSize bytes). No commit is lost. Call again later
 *     errors        as MurPageFile.pfnWrite; they drop uncommitted writes */
MUR_API VkResult murFlushDatabase(MurDatabase database);

typedef struct MurDatabaseStatus {
    uint32_t pageSize;
    uint32_t pageCount;
    uint64_t commits; /* number of commits that changed the database since its creation */
    uint64_t logSize; /* bytes of the log that are not in the file yet */
    /* Every write fails until the database is opened again: see I/O errors, second writer and file
     * moved. */
    VkBool32 failed;
    MurCompression compression;
} MurDatabaseStatus;

/* Returns the status; all zero for NULL. Waits for a write or a commit in progress. */
MUR_API void murGetDatabaseStatus(MurDatabase database, MurDatabaseStatus *pStatus);

/* ---- Checking and copying ------------------------------------------------------------------- */

/* A page whose content is not zero, or the blob (murWriteDatabaseBlob). */
typedef struct MurDatabasePage {
    uint32_t page;    /* number of the page; MUR_NO_PAGE: the blob */
    uint64_t commit;  /* number of the commit that wrote the page */
    uint64_t size;    /* bytes in the file, without SQLite's structures; 0 if they are unreadable */
    VkBool32 damaged; /* the bytes of the page or blob are lost */
} MurDatabasePage;

typedef void(VKAPI_PTR *PFN_murDatabasePage)(void *pUserData, const MurDatabasePage *pPage);

typedef struct MurDatabaseReport {
    uint32_t pageSize;
    uint32_t pageCount;
    uint64_t commits;
    uint32_t intactPages;   /* number of intact pages that are not zero */
    uint32_t damagedPages;  /* number of damaged pages */
    uint64_t blobSize;      /* bytes; 0: no blob */
    VkBool32 blobDamaged;   /* a part of the blob is damaged, so the blob is lost */
    VkBool32 headerDamaged; /* the page count, the number of commits or another number is a guess */
    /* The index or SQLite's structures are damaged. All readable rows were searched for pages. A
     * page whose newest row is lost may be reported as an older commit wrote it. */
    VkBool32 tablesDamaged;
    uint64_t storedSize; /* sum of MurDatabasePage.size */
    uint64_t fileSize;   /* bytes of the file */
    MurCompression compression;
} MurDatabaseReport;

/* Reads all pages and the blob of the last commit, and compares checksums. Needs no lock and writes
 * nothing, so the database may be open for writing; the database may also be too damaged for
 * murOpenDatabase. Uses pPath, pfnLog and pLogUserData of pInfo. pfnPage, optional, is called for
 * each page that is not zero, in ascending order, then for the blob. pReport, optional: written on
 * VK_SUCCESS and MUR_ERROR_CORRUPT.
 *     MUR_ERROR_CORRUPT  a page, the blob, the header or the tables are damaged. If
 *                        pReport->pageSize is 0, nothing can be read: the file is not a database of
 *                        pages, or its first bytes are damaged
 *     other errors       as for murOpenDatabase with MUR_DATABASE_READ_ONLY */
MUR_API VkResult murCheckDatabase(const MurDatabaseInfo *pInfo, PFN_murDatabasePage pfnPage,
                                  void *pUserData, MurDatabaseReport *pReport);

/* Copies the intact pages and the intact blob of the last commit into a new database, as one
 * commit. Thus the copy of a damaged database is repaired: damaged pages become zero, a damaged
 * blob becomes empty. The copy is compact: free space and replaced rows are not copied. The source
 * is only read. Its lock is held, unless pFrom has MUR_DATABASE_READ_ONLY, so no other program
 * writes the source. pTo describes the new database, as for murCreateDatabase; pageSize and
 * pageCount may be 0: those of the source. pfnPage and pReport: as for murCheckDatabase. Errors
 * leave no new file. VK_SUCCESS: the new database is complete; pReport has what the source lost.
 *     MUR_ERROR_FILE     errno has the reason. EBUSY: another writer has the source open; EEXIST:
 *                        the name of the new file is in use; ENOSPC: the disk is full; ...
 *     MUR_ERROR_CORRUPT  nothing can be read
 *     other errors       as for murOpenDatabase and murCreateDatabase */
MUR_API VkResult murCopyDatabase(const MurDatabaseInfo *pFrom, const MurDatabaseInfo *pTo,
                                 PFN_murDatabasePage pfnPage, void *pUserData,
                                 MurDatabaseReport *pReport);
#endif
