/* Murmuration, optional: tables in files.
 *
 * A snapshot is a table's image with a head and a checksum, little-endian, the same on every host:
 *
 *     bytes       0 ...  63   head: magic, version, sizes, live entries, a checksum of the head
 *                                   and of the image's header
 *     bytes      64 ...       the image: 256 bytes of header, then the slots
 *     the last 8              checksum of all bytes before them
 *
 * Both checksums are CRC-64/XZ (the polynomial of ECMA-182). They find every change of up to 64
 * neighbouring bits; they do not stop an attacker, and need not: no image leads the library out of
 * its memory (host.h). The image lies at a multiple of 64 bytes, so a mapped file can be taken as
 * it is by murHostAttach.
 *
 * From and to a GPU: murBlockingDownload and murBlockingUpload of blocking.h, or your own copies as
 * in host.h. The file has the table's type, capacity, seed, empty value, atomic width and probe
 * limit (MurSnapshotInfo), so a table like it can be made before it is loaded.
 *
 * Thread-safety: as host.h. Saving excludes concurrent changes; loading requires exclusive access.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_SNAPSHOT_H
#define MURMURATION_SNAPSHOT_H

#include <murmuration/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a snapshot. */
typedef struct MurSnapshotInfo {
    /* For murHostCreate of a table like the one that was saved; for murCreateTable, replace the
     * type, which murHostTypeOf returned, by one with kernels. It comes from the file: compare
     * type, flags and emptyValue with those that the engine's arrays and shaders are for.
     * murLoadSnapshot into a table that the engine has described does it. */
    MurTableCreateInfo createInfo;
    uint64_t imageSize; /* bytes of that table's image */
    uint64_t entries;   /* live */
} MurSnapshotInfo;

/* Results of the functions that read:
 *     MUR_ERROR_CORRUPT     not a snapshot, or cut off, or changed, or not as the checksums or the
 *                             entries' slots require
 *     MUR_ERROR_VERSION   a snapshot, or a layout, of a version other than this library's
 *     MUR_ERROR_FILE          the file cannot be opened or read: errno
 *     MUR_ERROR_TOO_LARGE     more entries than the capacity of a table unlike the one saved
 *     MUR_ERROR_INVALID_ARGUMENT  NULL, or a table of another type
 * After any of them nothing is changed. */

/* ---- Files ---------------------------------------------------------------------------------- */

/* Writes a snapshot to a new file in the folder of pPath, flushes it to the disk and renames it to
 * pPath, so a file of that name is always whole, the old or the new. MUR_ERROR_FILE: errno; pPath
 * is untouched then and the new file is gone. */
MUR_API VkResult murSaveSnapshot(const char *pPath, const MurHostTable *pTable);

/* Reads and checks the head only: enough to make a table to load into. */
MUR_API VkResult murReadSnapshotInfo(const char *pPath, MurSnapshotInfo *pInfo);

/* Replaces the table's content by the snapshot's: copied if the table is like the one that was
 * saved (the atomic width does not matter), else by a rehash, which may give it another capacity,
 * seed or probe limit; the failure counters come along, or start afresh. The file is read twice:
 * checked first, then loaded. If it changes or cannot be read in between, or if a rehash meets the
 * probe limit of the table (MUR_ERROR_TOO_LARGE) or the table's empty value among the values
 * (MUR_ERROR_INVALID_ARGUMENT), the table is left empty.
 * Tables in buckets are never rehashed: the table must be like the one that was saved (in sets of
 * 64-bit keys the atomic width does matter), else MUR_ERROR_INVALID_ARGUMENT; it is left empty too
 * if a key lies in neither of its buckets, or twice. Filters are rebuilt, whatever the file has,
 * and the slots of erased keys are free. */
MUR_API VkResult murLoadSnapshot(const char *pPath, const MurHostTable *pTable);

/* ---- Memory --------------------------------------------------------------------------------- */

/* The same for engines that have files of their own. */

/* Bytes of a table's snapshot. */
MUR_API uint64_t murGetSnapshotSize(const MurHostTable *pTable);

/* MUR_ERROR_INVALID_ARGUMENT: size is less than murGetSnapshotSize. */
MUR_API VkResult murWriteSnapshot(const MurHostTable *pTable, void *pData, uint64_t size);

/* size: of the whole snapshot. */
MUR_API VkResult murReadSnapshotInfoFromMemory(const void *pData, uint64_t size,
                                               MurSnapshotInfo *pInfo);

MUR_API VkResult murLoadSnapshotFromMemory(const void *pData, uint64_t size,
                                           const MurHostTable *pTable);

#ifdef __cplusplus
}
#endif
#endif
