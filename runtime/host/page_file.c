/* Files of pages: superblocks, and the order in which things reach the disk.
 *
 * SPDX-License-Identifier: MIT */
#include "bytes.h"
#include "file.h"
#include "page_file_map.h"
#include "page_file_os.h"

#include <murmuration/page_file.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    SLOT = 4096, /* bytes of a superblock; what is behind SIZE is zero */
    SIZE = 64,
    SUMMED = 56 /* bytes of it before its checksum */
};

/* As the magic of snapshots. */
static const uint8_t MAGIC[8] = {0x89, 'M', 'U', 'R', 'P', '\r', '\n', 0x1A};

typedef struct Superblock {
    uint32_t pageSize;
    uint32_t pageCount;
    uint64_t commits;
    MurPageEntry root;
} Superblock;

typedef struct File {
    MurPageMap map;
    uint64_t commits;
    bool fellBack;
    bool uncertain; /* the last one's superblock may not be on the disk; all that it leads to is */
    bool isOurs;    /* the bytes are a file of the system, that was opened here */
} File;

/* ---- Superblocks ---------------------------------------------------------------------------- */

static uint64_t sum_of(const uint8_t *slot) {
    MurChecksum checksum;
    mur_checksum_start(&checksum);
    return mur_checksum_of(&checksum, slot, SUMMED);
}

static void write_slot(uint8_t *slot, const Superblock *superblock) {
    memset(slot, 0, SLOT);
    memcpy(slot, MAGIC, sizeof MAGIC);
    mur_store_number(slot + 8, VERSION, 4);
    mur_store_number(slot + 12, superblock->pageSize, 4);
    mur_store_number(slot + 16, superblock->pageCount, 4);
    mur_store_number(slot + 24, superblock->commits, 8);
    mur_store_number(slot + 32, superblock->root.block, 8);
    mur_store_number(slot + 40, superblock->root.sum, 8);
    mur_store_number(slot + SUMMED, sum_of(slot), 8);
}

static bool is_page_size(uint32_t size) {
    return size >= MUR_MIN_PAGE_SIZE && size <= MUR_MAX_PAGE_SIZE && (size & (size - 1)) == 0;
}

/* index: 0 or 1; commits take turns. */
static VkResult read_slot(const uint8_t *slot, uint64_t index, Superblock *superblock) {
    if (memcmp(slot, MAGIC, sizeof MAGIC) != 0 ||
        mur_load_number(slot + SUMMED, 8) != sum_of(slot)) {
        return MUR_ERROR_BAD_IMAGE;
    }
    if (mur_load_number(slot + 8, 4) != VERSION) {
        return MUR_ERROR_BAD_VERSION;
    }
    *superblock = (Superblock){
        .pageSize = (uint32_t)mur_load_number(slot + 12, 4),
        .pageCount = (uint32_t)mur_load_number(slot + 16, 4),
        .commits = mur_load_number(slot + 24, 8),
        .root = {mur_load_number(slot + 32, 8), mur_load_number(slot + 40, 8)},
    };
    return is_page_size(superblock->pageSize) && superblock->pageCount != 0 &&
                   superblock->commits % 2 == index && superblock->commits != UINT64_MAX
               ? VK_SUCCESS
               : MUR_ERROR_BAD_IMAGE;
}

/* The newest that is whole. */
static VkResult read_superblock(const MurFileBytes *bytes, Superblock *newest, bool *fellBack) {
    uint8_t slots[2 * SLOT];
    const VkResult result = bytes->pfnRead(bytes->pUserData, 0, slots, sizeof slots);
    if (result != VK_SUCCESS) {
        return result;
    }
    Superblock found[2];
    const VkResult first = read_slot(slots, 0, &found[0]);
    const VkResult second = read_slot(slots + SLOT, 1, &found[1]);
    if (first == MUR_ERROR_BAD_VERSION || second == MUR_ERROR_BAD_VERSION) {
        return MUR_ERROR_BAD_VERSION;
    }
    if (first != VK_SUCCESS && second != VK_SUCCESS) {
        return MUR_ERROR_BAD_IMAGE;
    }
    const bool isSecond = first != VK_SUCCESS ||
                          (second == VK_SUCCESS && found[1].commits > found[0].commits);
    *newest = found[isSecond];
    /* Before the first commit there is only one. */
    *fellBack = first != second && newest->commits != 0;
    return VK_SUCCESS;
}

/* ---- Pages ---------------------------------------------------------------------------------- */

/* Makes what is now the file's content; all that the root leads to is on the disk. Until both calls
 * have succeeded nobody knows which superblock counts, so blocks of both commits stay. */
static VkResult write_superblock(File *file) {
    const MurFileBytes *bytes = &file->map.bytes;
    const Superblock superblock = {
        .pageSize = file->map.pageSize,
        .pageCount = (uint32_t)file->map.levels[0].count,
        .commits = file->commits,
        .root = mur_page_map_root(&file->map),
    };
    uint8_t slot[SLOT];
    write_slot(slot, &superblock);
    VkResult result = bytes->pfnWrite(bytes->pUserData, file->commits % 2 * SLOT, slot, SLOT);
    if (result == VK_SUCCESS) {
        result = bytes->pfnSync(bytes->pUserData);
    }
    if (result == VK_SUCCESS) {
        file->uncertain = false;
        mur_page_map_settle(&file->map);
    }
    return result;
}

static VkResult VKAPI_PTR read_page(void *user, uint32_t page, void *bytes) {
    const File *file = user;
    return page < file->map.levels[0].count ? mur_page_map_read(&file->map, page, bytes)
                                            : MUR_ERROR_INVALID_ARGUMENT;
}

static VkResult VKAPI_PTR write_page(void *user, uint32_t page, const void *bytes) {
    File *file = user;
    if (page >= file->map.levels[0].count) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    const VkResult result = file->uncertain ? write_superblock(file) : VK_SUCCESS;
    return result != VK_SUCCESS ? result : mur_page_map_write(&file->map, page, bytes);
}

static VkResult VKAPI_PTR commit(void *user) {
    File *file = user;
    const MurFileBytes *bytes = &file->map.bytes;
    if (file->uncertain) {
        return write_superblock(file); /* nothing has been written since */
    }
    if (!mur_page_map_changed(&file->map)) {
        return VK_SUCCESS;
    }
    VkResult result = mur_page_map_write_nodes(&file->map);
    if (result == VK_SUCCESS) {
        result = bytes->pfnSync(bytes->pUserData);
    }
    if (result == VK_SUCCESS) {
        ++file->commits;
        file->uncertain = true;
        return write_superblock(file);
    }
    /* Systems report once that something did not reach the disk, not what: a second try would
     * succeed without it. */
    mur_page_map_forget(&file->map);
    return result;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static bool has_one_place(const MurPageFileInfo *info) {
    return info && !info->pPath != !info->pBytes;
}

static bool is_right(const MurPageFileInfo *info) {
    return has_one_place(info) && is_page_size(info->pageSize) && info->pageCount != 0;
}

static VkResult open_bytes(const MurPageFileInfo *info, MurFileBytes *bytes) {
    if (info->pPath) {
        return mur_os_file_open(info->pPath, bytes);
    }
    *bytes = *info->pBytes;
    return VK_SUCCESS;
}

static void close_bytes(const MurPageFileInfo *info, MurFileBytes *bytes) {
    const int error = errno;
    if (info->pPath) {
        mur_os_file_close(bytes);
    }
    errno = error;
}

static VkResult load_file(const MurPageFileInfo *info, const MurFileBytes *bytes, File *file) {
    Superblock superblock;
    VkResult result = read_superblock(bytes, &superblock, &file->fellBack);
    if (result != VK_SUCCESS) {
        return result;
    }
    if (superblock.pageSize != info->pageSize || superblock.pageCount != info->pageCount) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    file->commits = superblock.commits;
    file->uncertain = true; /* it may be in the system's memory only: who wrote it was killed */
    file->isOurs = info->pPath != NULL;
    result = mur_page_map_make(&file->map, bytes, info->pageSize, info->pageCount);
    if (result == VK_SUCCESS) {
        result = mur_page_map_load(&file->map, superblock.root);
    }
    if (result != VK_SUCCESS) {
        mur_page_map_free(&file->map);
    }
    return result;
}

VkResult murOpenPageFile(const MurPageFileInfo *pInfo, MurPageFile *pFile) {
    if (!is_right(pInfo) || !pFile) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    File *file = calloc(1, sizeof *file);
    if (!file) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    MurFileBytes bytes;
    VkResult result = open_bytes(pInfo, &bytes);
    if (result == VK_SUCCESS) {
        result = load_file(pInfo, &bytes, file);
        if (result == VK_SUCCESS) {
            *pFile = (MurPageFile){file, read_page, write_page, commit};
            return VK_SUCCESS;
        }
        close_bytes(pInfo, &bytes);
    }
    const int error = errno;
    free(file);
    errno = error;
    return result;
}

static VkResult create_path(const char *path, const uint8_t *slots, size_t size) {
    FILE *there = fopen(path, "rb");
    if (there) {
        (void)fclose(there);
        errno = EEXIST;
        return MUR_ERROR_FILE;
    }
    MurNewFile new;
    if (!mur_file_create(&new, path)) {
        return MUR_ERROR_FILE;
    }
    const bool written = fwrite(slots, 1, size, new.stream) == size;
    return mur_file_finish(&new, path, written) ? VK_SUCCESS : MUR_ERROR_FILE;
}

VkResult murCreatePageFile(const MurPageFileInfo *pInfo, MurPageFile *pFile) {
    if (!is_right(pInfo) || !pFile) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    const Superblock empty = {.pageSize = pInfo->pageSize, .pageCount = pInfo->pageCount};
    uint8_t slots[2 * SLOT] = {0};
    write_slot(slots, &empty);
    const MurFileBytes *bytes = pInfo->pBytes;
    VkResult result;
    if (pInfo->pPath) {
        result = create_path(pInfo->pPath, slots, sizeof slots);
    } else {
        result = bytes->pfnWrite(bytes->pUserData, 0, slots, sizeof slots);
        result = result == VK_SUCCESS ? bytes->pfnSync(bytes->pUserData) : result;
    }
    return result == VK_SUCCESS ? murOpenPageFile(pInfo, pFile) : result;
}

VkResult murReadPageFileInfo(MurPageFileInfo *pInfo) {
    if (!has_one_place(pInfo)) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    MurFileBytes bytes;
    VkResult result = open_bytes(pInfo, &bytes);
    if (result == VK_SUCCESS) {
        Superblock superblock;
        bool fellBack;
        result = read_superblock(&bytes, &superblock, &fellBack);
        if (result == VK_SUCCESS) {
            pInfo->pageSize = superblock.pageSize;
            pInfo->pageCount = superblock.pageCount;
        }
        close_bytes(pInfo, &bytes);
    }
    return result;
}

void murClosePageFile(MurPageFile *pFile) {
    File *file = pFile ? pFile->pUserData : NULL;
    if (!file) {
        return;
    }
    mur_page_map_free(&file->map);
    if (file->isOurs) {
        mur_os_file_close(&file->map.bytes);
    }
    free(file);
    *pFile = (MurPageFile){0};
}

void murGetPageFileStatus(const MurPageFile *pFile, MurPageFileStatus *pStatus) {
    const File *file = pFile->pUserData;
    *pStatus = (MurPageFileStatus){
        .commits = file->commits,
        .blocks = file->map.blocks,
        .fileBlocks = file->map.fileBlocks,
        .maxBlocks = file->map.maxBlocks,
        .fellBack = file->fellBack,
        .uncertain = file->uncertain,
    };
}
