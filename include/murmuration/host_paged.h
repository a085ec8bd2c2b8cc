/* Murmuration, optional: tables in pages (paged.h) from C, in host memory, without a GPU.
 *
 * A paged table is its pages, in the store, and an *image* of all else: the table of groups, the
 * leaves, the log. A table that is kept (MurPagedTableCreateInfo.kept) has the image in its store,
 * too, in the last pages; then the store is the whole table, byte for byte what a GPU pages, and a
 * file of its pages (page_file.h) is its snapshot, the same that a checkpoint of a pager makes.
 *
 *     from the GPU:  murCmdFlushPagedTable, a barrier to host reads, a fence; murHostPagedAttach to
 *                    the pager's chunks
 *     to the GPU:    murHostPagedKeep into the pager's chunks; murCmdClearPagedTable with
 *                    MUR_PAGES_IN_STORE
 *     to a file:     murHostPagedSave
 *     from a file:   murHostPagedLoad; or without the host: MurPagerCreateInfo.pFile, and
 *                    murCmdClearPagedTable with MUR_PAGES_IN_FILE
 *
 *     void *chunks[] = {store};                      all pages in one, here
 *     MurHostPages pages = {.pageCount = n, .pageSize = 65536, .ppChunks = chunks};
 *     murHostPagedGetImageSize(&info, &pages, &size);
 *     murHostPagedCreate(&info, &pages, image, size, &table);
 *     murHostPagedInsert(&table, MUR_MODE_ASSIGN, 0, key, value);
 *     murHostPagedKeep(&table);
 *
 * The description (info) is as for murCreatePagedTable; pager, memory, kept and pName are ignored,
 * and the default atomic width is as in host.h. It must be the same wherever the table goes, as
 * must the store's pages; only the atomic width may differ. Nothing here calls Vulkan, allocates or
 * logs.
 *
 * Calls on keys see and change pages. What is pending in the log is not in its page yet, and is
 * older than what is written here: murHostPagedApply first, if MurPagedStats.pending is not 0.
 * Pages split as on the GPU, at once.
 *
 * Thread-safety: any number of threads may find, and visit, at the same time; all else wants the
 * table to itself.
 *
 * Damaged images. Bounds come from MurHostPagedTable alone: whatever image and pages hold, no call
 * leaves them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_PAGED_H
#define MURMURATION_HOST_PAGED_H

#include <murmuration/host.h>
#include <murmuration/paged.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A store: that of a pager, or memory of the same size. */
typedef struct MurHostPages {
    uint32_t pageCount; /* as MurPagerCreateInfo has them */
    uint32_t pageSize;
    /* Pages that each chunk but the last holds, a power of two; 0: one chunk has all. */
    uint32_t chunkPages;
    /* Where the chunks are: at multiples of MUR_HOST_ALIGNMENT. Of a pager:
     * murGetPagerStorePage(pager, i * chunkPages). Valid as long as the table. */
    void *const *ppChunks;
} MurHostPages;

/* A table in pages. Filled in by the calls below, copied freely. */
typedef struct MurHostPagedTable {
    MurPagedRef ref; /* as shaders see it; addresses: bytes from the image on; pager's: 0 */
    void *pImage;
    void *const *ppChunks;
    uint32_t chunkPages;
    uint32_t keptPages; /* behind ref.pager.pageCount others */
} MurHostPagedTable;

/* Bytes of memory for an image, and for the work on it: what the calls below want of pImage, at a
 * multiple of MUR_HOST_ALIGNMENT.
 * MUR_ERROR_INVALID_ARGUMENT: the description, or the pages; too few of these count, too. */
MUR_API VkResult murHostPagedGetImageSize(const MurPagedTableCreateInfo *pCreateInfo,
                                          const MurHostPages *pPages, uint64_t *pSize);

/* Makes an empty table. MUR_ERROR_INVALID_ARGUMENT: as above; or pImage too small or misaligned, or
 * a chunk. */
MUR_API VkResult murHostPagedCreate(const MurPagedTableCreateInfo *pCreateInfo,
                                    const MurHostPages *pPages, void *pImage, uint64_t size,
                                    MurHostPagedTable *pTable);

/* Takes the table that is in the store: its image is copied to pImage, the store is not written.
 * MUR_ERROR_BAD_IMAGE: there is none, or one of another description. */
MUR_API VkResult murHostPagedAttach(const MurPagedTableCreateInfo *pCreateInfo,
                                    const MurHostPages *pPages, void *pImage, uint64_t size,
                                    MurHostPagedTable *pTable);

/* Copies the image into the store: after the last change, before the GPU has the store. */
MUR_API void murHostPagedKeep(const MurHostPagedTable *pTable);

/* Does what is pending, as murCmdPageTable does. *pPending, optional: how much of it there is no
 * page for, and stays. */
MUR_API void murHostPagedApply(const MurHostPagedTable *pTable, uint32_t *pPending);

/* ---- Keys ----------------------------------------------------------------------------------- */

/* As in host.h, but that a slot is always MUR_NO_SLOT. name: the group, with MUR_PAGE_BY_NAME; else
 * ignored. */
MUR_API MurHostResult murHostPagedFind(const MurHostPagedTable *pTable, uint32_t name,
                                       uint64_t key);
/* MUR_FULL: there is no page number, group or leaf left for the key, and its page has no slot; not
 * counted. */
MUR_API MurHostResult murHostPagedInsert(const MurHostPagedTable *pTable, MurInsertMode mode,
                                         uint32_t name, uint64_t key, uint64_t value);
MUR_API MurHostResult murHostPagedErase(const MurHostPagedTable *pTable, uint32_t name,
                                        uint64_t key);

/* ---- The whole table ------------------------------------------------------------------------ */

typedef struct MurHostPagedEntry {
    uint64_t key;
    uint64_t value;
    uint32_t group; /* of the key: its name, with MUR_PAGE_BY_NAME */
    uint32_t page;  /* all entries: start with 0; of one page: with its number */
    uint32_t next;  /* slot of the page; start with 0 */
} MurHostPagedEntry;

/* Visits the entries, one a call, page by page; false: no more.
 *     for (MurHostPagedEntry entry = {0}; murHostPagedNext(&table, &entry);) ... */
MUR_API VkBool32 murHostPagedNext(const MurHostPagedTable *pTable, MurHostPagedEntry *pEntry);

/* As murCmdPageTable writes them. */
MUR_API void murHostPagedStats(const MurHostPagedTable *pTable, MurPagedStats *pStats);

/* Keeps the table and writes it into a file of at least as many pages, all of it, the log too, and
 * commits: all or nothing. The file's own errors. */
MUR_API VkResult murHostPagedSave(const MurHostPagedTable *pTable, const MurPageFile *pFile);

/* Fills the store with what the file has, and attaches: a file of murHostPagedSave, or of a pager's
 * checkpoints. As murHostPagedAttach, and the file's own errors. After an error the store holds
 * nothing of use. */
MUR_API VkResult murHostPagedLoad(const MurPagedTableCreateInfo *pCreateInfo,
                                  const MurHostPages *pPages, const MurPageFile *pFile,
                                  void *pImage, uint64_t size, MurHostPagedTable *pTable);

#ifdef __cplusplus
}
#endif
#endif
