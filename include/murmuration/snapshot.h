/* Murmuration, optional: tables in files.
 *
 * A snapshot is a table's image with a head and a checksum, little-endian, the same on every host:
 *
 *     bytes       0 ...  63   head: magic, version, sizes, number of entries, a checksum of the
 *                                   head and of the image's header
 *     bytes      64 ...       the image: 256 bytes of header, then the slots
 *     the last 8              checksum of all bytes before them
 *
 * Both checksums are CRC-64/XZ (the polynomial of ECMA-182). These checksums find every change of
 * up to 64 neighbouring bits. They do not stop an attacker, and need not: no image makes the
 * library access memory outside of it (host.h). The image begins at a multiple of 64 bytes, so
 * murHostAttach accepts a mapped file.
 *
 * To copy images from and to a GPU, use murBlockingDownload and murBlockingUpload of blocking.h, or
 * your own copies as in host.h. The file has the table's type, capacity, seed, empty value, atomic
 * width and probe limit (MurSnapshotInfo), so you can create such a table before you load the file.
 *
 * Thread-safety: as host.h. Saving excludes concurrent changes; loading requires exclusive access.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_SNAPSHOT_H
#define MURMURATION_SNAPSHOT_H

#include <murmuration/host.h>

/* The contents of a snapshot. */
typedef struct MurSnapshotInfo {
    /* Describes a table like the saved one, for murHostCreate. For murCreateTable, replace the
     * type, which murHostTypeOf returned, by one with kernels. The values come from the file:
     * compare type, flags and emptyValue with those that the engine's arrays and shaders require.
     * murLoadSnapshot compares them if you load into a table that you described yourself. */
    MurTableCreateInfo createInfo;
    uint64_t imageSize; /* image size of the saved table, in bytes */
    uint64_t entries;   /* number of entries */
} MurSnapshotInfo;

/* Errors of the functions that read:
 *     MUR_ERROR_CORRUPT           the data are no snapshot, or are cut off, or have wrong
 *                                 checksums, or entries in slots where no probe finds them
 *     MUR_ERROR_VERSION           the snapshot or its layout has an unsupported version
 *     MUR_ERROR_FILE              the file cannot be opened or read; errno has the reason
 *     MUR_ERROR_TOO_LARGE         the snapshot has more entries than the capacity of the table,
 *                                 which has another description than the saved table
 *     MUR_ERROR_INVALID_ARGUMENT  a pointer is NULL, or the table has another type
 * On errors the table is unchanged, except if murLoadSnapshot states otherwise. */

/* ---- Files ---------------------------------------------------------------------------------- */

/* Writes a snapshot to a new file in the folder of pPath, flushes it to the disk and renames it to
 * pPath. So a file with this name is always complete: the old or the new one. If the function fails
 * with MUR_ERROR_FILE, errno has the reason, pPath is unchanged and the new file is removed. */
MUR_API VkResult murSaveSnapshot(const char *pPath, const MurHostTable *pTable);

/* Reads and checks only the head. *pInfo suffices to create a table for murLoadSnapshot. */
MUR_API VkResult murReadSnapshotInfo(const char *pPath, MurSnapshotInfo *pInfo);

/* Replaces the table's content by that of the snapshot. If the table has the same description as
 * the saved one (the atomic width may differ), its memory and failure counters are copied.
 * Otherwise the entries are rehashed into it (capacity, seed and probe limit may differ) and the
 * failure counters are reset. The file is read twice: checked first, then loaded.
 *
 * The table is left empty if the file changes or cannot be read after the check, if an entry finds
 * no slot within the probe limit (MUR_ERROR_TOO_LARGE), if a value is the empty value of the table
 * (MUR_ERROR_INVALID_ARGUMENT), or, in bucketed tables, if a key is in neither of its buckets or
 * twice in them.
 *
 * Bucketed tables are never rehashed: with another description (in sets of 64-bit keys also with
 * another atomic width) the function fails with MUR_ERROR_INVALID_ARGUMENT. Loading rebuilds
 * filters and frees the slots of erased keys. */
MUR_API VkResult murLoadSnapshot(const char *pPath, const MurHostTable *pTable);

/* ---- Memory: the same functions for engines with their own files ---------------------------- */

/* Returns the size of a table's snapshot in bytes. */
MUR_API uint64_t murGetSnapshotSize(const MurHostTable *pTable);

/* Writes a snapshot. Fails with MUR_ERROR_INVALID_ARGUMENT if size is below murGetSnapshotSize. */
MUR_API VkResult murWriteSnapshot(const MurHostTable *pTable, void *pData, uint64_t size);

/* Reads and checks the head. size: bytes of the whole snapshot. */
MUR_API VkResult murReadSnapshotInfoFromMemory(const void *pData, uint64_t size,
                                               MurSnapshotInfo *pInfo);

MUR_API VkResult murLoadSnapshotFromMemory(const void *pData, uint64_t size,
                                           const MurHostTable *pTable);
#endif
