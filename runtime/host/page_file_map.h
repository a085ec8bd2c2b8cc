/* The map of a file of pages: which block holds which page, with what checksum; and the blocks that
 * are free. A tree with the pages' entries below and one entry, the root, on top: entry i of a
 * level leads to node i of the level beneath it, which is a row of entries. All of it is in memory
 * twice, as the last commit made it and as it is now: what differs is what a commit has to write,
 * what it frees when it is done, and what is freed instead if it fails.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGE_FILE_MAP_H
#define MUR_PAGE_FILE_MAP_H

#include "checksum.h"

#include <murmuration/page_file.h>

#include <stdbool.h>

enum {
    MUR_PAGE_FILE_HEADS = 2,  /* blocks of superblocks */
    MUR_PAGE_FILE_LEVELS = 5, /* of 2^32 pages, with 256 entries a node */
};

typedef struct MurPageEntry {
    uint64_t block; /* 0: what it leads to was never written */
    uint64_t sum;
} MurPageEntry;

typedef struct MurPageLevel {
    uint64_t count;          /* entries */
    MurPageEntry *committed; /* as the last commit left them */
    MurPageEntry *now;
    uint64_t *changed; /* a bit a node of these entries: some may differ */
} MurPageLevel;

typedef struct MurPageMap {
    MurFileBytes bytes;
    MurChecksum checksum; /* started */
    uint32_t pageSize;
    uint32_t fanout; /* entries a node */
    uint32_t levelCount;
    MurPageLevel levels[MUR_PAGE_FILE_LEVELS];
    uint64_t *taken; /* a bit a block: in committed or in now, or a superblock's */
    uint64_t maxBlocks;
    uint64_t blocks; /* taken */
    uint64_t fileBlocks;
    uint64_t lowest; /* no block below is free */
} MurPageMap;

/* An empty map. VK_ERROR_OUT_OF_HOST_MEMORY: free it all the same. */
VkResult mur_page_map_make(MurPageMap *map, const MurFileBytes *bytes, uint32_t pageSize,
                           uint32_t pageCount);
void mur_page_map_free(MurPageMap *map);

/* Into an empty map: all that the root leads to, as committed. */
VkResult mur_page_map_load(MurPageMap *map, MurPageEntry root);

/* The entry on top. */
MurPageEntry mur_page_map_root(const MurPageMap *map);

VkResult mur_page_map_read(const MurPageMap *map, uint32_t page, void *bytes);
VkResult mur_page_map_write(MurPageMap *map, uint32_t page, const void *bytes);

/* Has anything been written since the last commit? */
bool mur_page_map_changed(const MurPageMap *map);

/* Writes the nodes that changed, so that the root leads to all that is there now. */
VkResult mur_page_map_write_nodes(MurPageMap *map);

/* What is now is what is committed, or what was committed is what is now. */
void mur_page_map_settle(MurPageMap *map);
void mur_page_map_forget(MurPageMap *map);

#endif
