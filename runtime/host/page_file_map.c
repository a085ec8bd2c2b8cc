/* SPDX-License-Identifier: MIT */
#include "page_file_map.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

static uint64_t round_up(uint64_t count, uint64_t unit) {
    return (count + unit - 1) / unit;
}

static bool has_bit(const uint64_t *bits, uint64_t at) {
    return bits[at / WORD] >> (at % WORD) & 1;
}

static void set_bit(uint64_t *bits, uint64_t at) {
    bits[at / WORD] |= (uint64_t)1 << (at % WORD);
}

static void clear_bit(uint64_t *bits, uint64_t at) {
    bits[at / WORD] &= ~((uint64_t)1 << (at % WORD));
}

static uint64_t nodes_of(const MurPageMap *map, const MurPageLevel *level) {
    return round_up(level->count, map->fanout);
}

/* Entries of a node: the last one may have fewer. */
static uint64_t entries_of(const MurPageMap *map, const MurPageLevel *level, uint64_t node) {
    const uint64_t left = level->count - node * map->fanout;
    return left < map->fanout ? left : map->fanout;
}

static void *make_zeros(uint64_t count, size_t size) {
    return count <= SIZE_MAX / size ? calloc((size_t)count, size) : NULL;
}

/* ---- Blocks --------------------------------------------------------------------------------- */

/* There is one: committed and now are in one block an entry each, and the file has one more. */
static uint64_t take(MurPageMap *map) {
    uint64_t block = map->lowest;
    while (has_bit(map->taken, block)) {
        block = map->taken[block / WORD] == UINT64_MAX ? (block / WORD + 1) * WORD : block + 1;
    }
    set_bit(map->taken, block);
    map->blocks++;
    map->lowest = block + 1;
    map->fileBlocks = map->fileBlocks > block ? map->fileBlocks : block + 1;
    return block;
}

static void release(MurPageMap *map, uint64_t block) {
    clear_bit(map->taken, block);
    map->blocks--;
    map->lowest = map->lowest < block ? map->lowest : block;
}

/* ---- The whole ------------------------------------------------------------------------------ */

VkResult mur_page_map_make(MurPageMap *map, const MurFileBytes *bytes, uint32_t pageSize,
                           uint32_t pageCount) {
    *map = (MurPageMap){
        .bytes = *bytes,
        .pageSize = pageSize,
        .fanout = pageSize / (uint32_t)sizeof(MurPageEntry),
    };
    mur_checksum_start(&map->checksum);
    uint64_t entries = 0;
    uint64_t count = pageCount;
    for (bool top = false; !top; count = round_up(count, map->fanout)) {
        MurPageLevel *level = &map->levels[map->levelCount++];
        level->count = count;
        level->committed = make_zeros(count, sizeof *level->committed);
        level->now = make_zeros(count, sizeof *level->now);
        level->changed = make_zeros(round_up(nodes_of(map, level), WORD), sizeof *level->changed);
        if (!level->committed || !level->now || !level->changed) {
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        entries += count;
        top = map->levelCount > 1 && count == 1;
    }
    map->maxBlocks = MUR_PAGE_FILE_HEADS + 2 * entries + 1;
    map->taken = make_zeros(round_up(map->maxBlocks, WORD), sizeof *map->taken);
    for (uint64_t head = 0; map->taken && head < MUR_PAGE_FILE_HEADS; ++head) {
        (void)take(map);
    }
    return map->taken ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void mur_page_map_free(MurPageMap *map) {
    for (uint32_t i = 0; i < map->levelCount; ++i) {
        free(map->levels[i].committed);
        free(map->levels[i].now);
        free(map->levels[i].changed);
    }
    free(map->taken);
}

MurPageEntry mur_page_map_root(const MurPageMap *map) {
    return map->levels[map->levelCount - 1].now[0];
}

/* No block twice, and none that the library would not have written. */
static VkResult claim(MurPageMap *map, uint64_t block) {
    if (block >= map->maxBlocks || has_bit(map->taken, block)) {
        return MUR_ERROR_BAD_IMAGE;
    }
    set_bit(map->taken, block);
    map->blocks++;
    map->fileBlocks = map->fileBlocks > block ? map->fileBlocks : block + 1;
    return VK_SUCCESS;
}

static VkResult read_block(const MurPageMap *map, MurPageEntry entry, void *bytes, uint64_t size) {
    const MurFileBytes *file = &map->bytes;
    VkResult result = file->pfnRead(file->pUserData, entry.block * map->pageSize, bytes, size);
    if (result == VK_SUCCESS && mur_checksum_of(&map->checksum, bytes, (size_t)size) != entry.sum) {
        result = MUR_ERROR_BAD_IMAGE;
    }
    return result;
}

/* The node beneath an entry. */
static VkResult load_node(MurPageMap *map, const MurPageLevel *below, uint64_t node,
                          MurPageEntry entry) {
    if (entry.block == 0) {
        return VK_SUCCESS;
    }
    const VkResult result = claim(map, entry.block);
    return result != VK_SUCCESS ? result
                                : read_block(map, entry, below->now + node * map->fanout,
                                             entries_of(map, below, node) * sizeof entry);
}

VkResult mur_page_map_load(MurPageMap *map, MurPageEntry root) {
    VkResult result = VK_SUCCESS;
    map->levels[map->levelCount - 1].now[0] = root;
    for (uint32_t i = map->levelCount - 1; i > 0; --i) {
        const MurPageLevel *level = &map->levels[i];
        for (uint64_t node = 0; node < level->count && result == VK_SUCCESS; ++node) {
            result = load_node(map, level - 1, node, level->now[node]);
        }
    }
    const MurPageLevel *pages = &map->levels[0];
    for (uint64_t page = 0; page < pages->count && result == VK_SUCCESS; ++page) {
        result = pages->now[page].block == 0 ? VK_SUCCESS : claim(map, pages->now[page].block);
    }
    for (uint32_t i = 0; i < map->levelCount; ++i) {
        const MurPageLevel *level = &map->levels[i];
        memcpy(level->committed, level->now, (size_t)level->count * sizeof *level->now);
    }
    return result;
}

/* ---- Pages and nodes ------------------------------------------------------------------------ */

/* Writes what an entry leads to, into a block that nobody needs. */
static VkResult put(MurPageMap *map, uint32_t levelIndex, uint64_t index, const void *bytes,
                    uint64_t size) {
    const MurFileBytes *file = &map->bytes;
    const MurPageLevel *level = &map->levels[levelIndex];
    const uint64_t block = take(map);
    const VkResult result = file->pfnWrite(file->pUserData, block * map->pageSize, bytes, size);
    if (result != VK_SUCCESS) {
        release(map, block);
        return result;
    }
    MurPageEntry *now = &level->now[index];
    if (now->block != level->committed[index].block) {
        release(map, now->block); /* written since the last commit, and now again */
    }
    *now = (MurPageEntry){block, mur_checksum_of(&map->checksum, bytes, (size_t)size)};
    set_bit(level->changed, index / map->fanout);
    return VK_SUCCESS;
}

VkResult mur_page_map_read(const MurPageMap *map, uint32_t page, void *bytes) {
    const MurPageEntry entry = map->levels[0].now[page];
    if (entry.block == 0) {
        memset(bytes, 0, map->pageSize);
        return VK_SUCCESS;
    }
    return read_block(map, entry, bytes, map->pageSize);
}

VkResult mur_page_map_write(MurPageMap *map, uint32_t page, const void *bytes) {
    return put(map, 0, page, bytes, map->pageSize);
}

/* The first node at this place or behind it that has changed; or the number of nodes. */
static uint64_t next_changed(const MurPageMap *map, const MurPageLevel *level, uint64_t node) {
    const uint64_t end = nodes_of(map, level);
    while (node < end && !has_bit(level->changed, node)) {
        node = level->changed[node / WORD] == 0 ? (node / WORD + 1) * WORD : node + 1;
    }
    return node < end ? node : end;
}

bool mur_page_map_changed(const MurPageMap *map) {
    return next_changed(map, &map->levels[0], 0) < nodes_of(map, &map->levels[0]);
}

VkResult mur_page_map_write_nodes(MurPageMap *map) {
    for (uint32_t i = 0; i + 1 < map->levelCount; ++i) {
        const MurPageLevel *level = &map->levels[i];
        for (uint64_t node = 0; (node = next_changed(map, level, node)) < nodes_of(map, level);
             ++node) {
            const VkResult result = put(map, i + 1, node, level->now + node * map->fanout,
                                        entries_of(map, level, node) * sizeof(MurPageEntry));
            if (result != VK_SUCCESS) {
                return result;
            }
        }
    }
    return VK_SUCCESS;
}

/* The blocks of from go where they differ from those of to, which become the same. */
static void copy_changes(MurPageMap *map, const MurPageLevel *level, MurPageEntry *from,
                         const MurPageEntry *to) {
    for (uint64_t node = 0; (node = next_changed(map, level, node)) < nodes_of(map, level);
         ++node) {
        const uint64_t first = node * map->fanout;
        for (uint64_t i = first; i < first + entries_of(map, level, node); ++i) {
            if (from[i].block != to[i].block && from[i].block != 0) {
                release(map, from[i].block);
            }
            if (from[i].block != to[i].block) { /* readers of other pages may be here */
                from[i] = to[i];
            }
        }
        clear_bit(level->changed, node);
    }
}

void mur_page_map_settle(MurPageMap *map) {
    for (uint32_t i = 0; i < map->levelCount; ++i) {
        copy_changes(map, &map->levels[i], map->levels[i].committed, map->levels[i].now);
    }
}

void mur_page_map_forget(MurPageMap *map) {
    for (uint32_t i = 0; i < map->levelCount; ++i) {
        copy_changes(map, &map->levels[i], map->levels[i].now, map->levels[i].committed);
    }
}
