/* Murmuration, optional: pages in a file that survives crashes and full disks.
 *
 * Pages of one size, numbered 0 ... pageCount - 1, are written one by one and become the file's
 * content by a commit: all that was written since the last one, or nothing of it. A page that was
 * never written is zero. The pager (pager.h) keeps its pages in such a file; it wants no more of it
 * than the three calls of MurPageFile, so an engine may bring a container of its own. No Vulkan
 * here, and no other part of the library is needed.
 *
 *     MurPageFileInfo info = {.pPath = "world.pages", .pageSize = 65536, .pageCount = 1 << 20};
 *     MurPageFile file;
 *     VkResult result = murOpenPageFile(&info, &file);
 *     if (result == MUR_ERROR_FILE && errno == ENOENT) {
 *         result = murCreatePageFile(&info, &file);
 *     }
 *     file.pfnWrite(file.pUserData, 7, bytes);
 *     file.pfnCommit(file.pUserData);
 *     file.pfnRead(file.pUserData, 7, bytes);
 *     murClosePageFile(&file);
 *
 * The file is blocks of pageSize bytes. The first two are for two superblocks, at bytes 0 and 4096,
 * written in turn; the others hold pages, and nodes of the map from pages to blocks: a tree in
 * which each entry has the checksum (CRC-64/XZ, as snapshot.h) of what it leads to. No block that
 * the last commit needs is overwritten before the next commit is done. A commit writes the nodes
 * that changed, flushes to the disk, writes the older superblock, and flushes again; it takes time
 * in proportion to what changed. Little-endian, the same on every host. The file never has more
 * than 3 + 2 * (pageCount + nodes) blocks, with a node for each pageSize / 16 pages, one for so
 * many nodes, and so on; blocks that a commit has left are used again, the lowest first.
 *
 * What can go wrong:
 *     crash, power   the file is what the last commit made it, or what the one under way would
 *                    have: never between
 *     full disk      MUR_ERROR_FILE, errno ENOSPC (or EFBIG, EDQUOT). A write that fails changes
 *                    nothing; a commit that fails: see pfnCommit. Both may be tried again
 *     I/O errors     likewise, with their errno
 *     damage         MUR_ERROR_BAD_IMAGE: from murOpenPageFile if it is in the map, from pfnRead if
 *                    it is in that page. A superblock that is damaged cannot be told from one that
 *                    a crash left half written: the other one counts, see
 *                    MurPageFileStatus.fellBack
 * Checksums find every change of up to 64 neighbouring bits; they do not stop an attacker, and
 * need not: no file leads the library out of its memory.
 *
 * Memory: 32 bytes a page and node, and a bit for each block that the file may have.
 *
 * Thread-safety: one thread at a time a file; but pfnRead may run on any number of threads, beside
 * pfnWrite and pfnCommit, too, for pages that were not written since the last commit that
 * succeeded.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_PAGE_FILE_H
#define MURMURATION_PAGE_FILE_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where pages are kept: what murOpenPageFile makes, or an engine's own. */
typedef struct MurPageFile {
    void *pUserData;
    /* Fills pBytes with the page as it was written last, committed or not; zeros if never. What
     * pBytes holds after an error is undefined. */
    VkResult(VKAPI_PTR *pfnRead)(void *pUserData, uint32_t page, void *pBytes);
    /* On errors the page is what it was. */
    VkResult(VKAPI_PTR *pfnWrite)(void *pUserData, uint32_t page, const void *pBytes);
    /* Returns when all that was written would survive a loss of power; at once if that is nothing.
     * After an error all pages may be what they were at the last commit that succeeded: write what
     * has changed since then again, and commit again. When the file is opened next, it holds that
     * commit or the one that failed, whole. */
    VkResult(VKAPI_PTR *pfnCommit)(void *pUserData);
} MurPageFile;

/* Bytes that pages lie in, from an engine that has files of its own. Offsets from 0; sizes up to
 * the larger of pageSize and 8192 bytes. Errors pass through to who called. */
typedef struct MurFileBytes {
    void *pUserData;
    /* Reads all size bytes. MUR_ERROR_BAD_IMAGE: there are fewer. Any number of threads. */
    VkResult(VKAPI_PTR *pfnRead)(void *pUserData, uint64_t offset, void *pBytes, uint64_t size);
    /* Writes all; an end that is passed moves there. After an error the bytes are undefined. */
    VkResult(VKAPI_PTR *pfnWrite)(void *pUserData, uint64_t offset, const void *pBytes,
                                  uint64_t size);
    /* Returns when all that was written lies where a loss of power does not reach it. After an
     * error, what was written since the last time is undefined, and is not relied on. */
    VkResult(VKAPI_PTR *pfnSync)(void *pUserData);
} MurFileBytes;

/* Bytes of a page of the library's file: powers of two. */
#define MUR_MIN_PAGE_SIZE 4096u
#define MUR_MAX_PAGE_SIZE 1048576u

typedef struct MurPageFileInfo {
    const void *pNext;
    /* One of the two. A path: the system's file, which no other process opens meanwhile. */
    const char *pPath;
    const MurFileBytes *pBytes; /* copied */
    uint32_t pageSize;          /* MUR_MIN_PAGE_SIZE ... MUR_MAX_PAGE_SIZE, a power of two */
    uint32_t pageCount;         /* 1 or more; costs memory, but in the file only what is written */
} MurPageFileInfo;

/* Makes a file in which all pages are zero, and opens it. A file of this name is a whole one as
 * soon as it is there; with pBytes, crashes before the return may leave what is no file yet.
 * MUR_ERROR_FILE: errno; EEXIST: there is one, which is untouched. MUR_ERROR_INVALID_ARGUMENT,
 * VK_ERROR_OUT_OF_HOST_MEMORY. On errors pFile is untouched. */
MUR_API VkResult murCreatePageFile(const MurPageFileInfo *pInfo, MurPageFile *pFile);

/* Opens a file, reads the whole map and checks it; pages are checked when they are read.
 *     MUR_ERROR_FILE              it cannot be opened or read: errno; EACCES or EAGAIN, too, if
 *                                 another process has it open
 *     MUR_ERROR_BAD_IMAGE         no file of pages, or cut off, or its map is damaged
 *     MUR_ERROR_BAD_VERSION       of a version unknown here
 *     MUR_ERROR_INVALID_ARGUMENT  NULL, both or none of pPath and pBytes, sizes out of range, or
 *                                 another pageSize or pageCount than the file's: see
 *                                 murReadPageFileInfo
 *     VK_ERROR_OUT_OF_HOST_MEMORY
 * On errors pFile is untouched. */
MUR_API VkResult murOpenPageFile(const MurPageFileInfo *pInfo, MurPageFile *pFile);

/* Reads pageSize and pageCount into *pInfo, of which only pPath or pBytes is set. Results as of
 * murOpenPageFile. */
MUR_API VkResult murReadPageFileInfo(MurPageFileInfo *pInfo);

/* Closes without a commit: what was written since the last one is gone. NULL, or pFile->pUserData
 * NULL: no effect. */
MUR_API void murClosePageFile(MurPageFile *pFile);

typedef struct MurPageFileStatus {
    uint64_t commits;    /* that have changed the file since it was made */
    uint64_t blocks;     /* of pageSize bytes that are in use: by the last commit, and since */
    uint64_t fileBlocks; /* that the file has had at most since it was opened */
    uint64_t maxBlocks;  /* that it may ever have */
    /* When the file was opened, one superblock was not whole: a crash interrupted a commit, which
     * is usual and means nothing; or one was damaged later. If that was the newest, the file is
     * what it was one commit before, but for pages whose blocks were written again since: these
     * read as damaged. An engine that keeps `commits` elsewhere can tell which. */
    VkBool32 fellBack;
    /* The last commit's superblock may not be on the disk, because that commit failed while it
     * wrote it, or because nobody knows what the process did that had the file before. If power
     * goes, the file is what that commit made it or the one before; the next write or commit
     * flushes first. */
    VkBool32 uncertain;
} MurPageFileStatus;

/* Of a file of murOpenPageFile or murCreatePageFile. */
MUR_API void murGetPageFileStatus(const MurPageFile *pFile, MurPageFileStatus *pStatus);

#ifdef __cplusplus
}
#endif
#endif
