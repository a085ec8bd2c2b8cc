/* Tables in pages in host memory: images, finds, visits, the log, files.
 *
 * SPDX-License-Identifier: MIT */
#include "host_paged.h"

#include "host_move.h"
#include "paged_shape.h"
#include "size.h"

#include <string.h>

/* ---- What lies where ------------------------------------------------------------------------ */

uint32_t *mur_paged_state(const MurHostPagedTable *table) {
    return (uint32_t *)((uint8_t *)table->pImage + table->ref.state);
}

uint32_t *mur_paged_log(const MurHostPagedTable *table, uint32_t half) {
    return mur_paged_state(table) + MUR_PAGED_HEADER_WORDS + table->ref.maxLeaves +
           (size_t)MUR_PENDING_WORDS * table->ref.maxPending * (half & 1);
}

uint8_t *mur_paged_page(const MurHostPagedTable *table, uint32_t page) {
    uint8_t *chunk = table->ppChunks[page / table->chunkPages];
    return chunk + ((size_t)(page % table->chunkPages) << table->ref.pager.pageShift);
}

MurHostTable mur_paged_table_at(const MurHostPagedTable *table, void *bytes) {
    const MurPagedRef *ref = &table->ref;
    return (MurHostTable){
        .pImage = bytes,
        .ref = {.capacity = ref->capacity,
                .slotCount = ref->slotCount,
                .seed = ref->seed,
                .probeSectors = mur_probe_sectors(UINT64_MAX, ref->slotCount,
                                                  MUR_TABLE_FORMAT(ref->flags)),
                .flags = ref->flags},
    };
}

/* ---- Descriptions --------------------------------------------------------------------------- */

/* chunkPages of a table is never 0. */
static bool are_pages(const MurHostPages *pages) {
    return pages && pages->pageCount != 0 && pages->pageSize >= MUR_PAGE_MIN_SIZE &&
           pages->pageSize <= MUR_PAGE_MAX_SIZE && (pages->pageSize & (pages->pageSize - 1)) == 0 &&
           (pages->chunkPages & (pages->chunkPages - 1)) == 0;
}

static uint32_t shift_of(uint32_t pageSize) {
    uint32_t shift = 0;
    while (1u << shift < pageSize) {
        ++shift;
    }
    return shift;
}

static VkResult describe(const MurPagedTableCreateInfo *info, const MurHostPages *pages,
                         MurPagedDescription *is) {
    if (!info || !are_pages(pages) || mur_bad_paged_info(info, pages->pageCount)) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    MurTableCreateInfo page = mur_paged_page_info(info);
    page.capacity = mur_page_capacity(pages->pageSize, info->format);
    uint64_t size;
    const VkResult result = murHostGetImageSize(&page, &size);
    if (result != VK_SUCCESS) {
        return result;
    }
    const MurPagerRef pager = {.pageCount = pages->pageCount,
                               .pageShift = shift_of(pages->pageSize)};
    *is = mur_describe_paged(info, pager, mur_host_flags(&page), true);
    return is->keptPages < pages->pageCount && is->ref.basePages <= is->ref.pager.pageCount
               ? VK_SUCCESS
               : MUR_ERROR_INVALID_ARGUMENT;
}

/* Behind what is kept there is room for a page that splits. */
static uint64_t image_size(const MurPagedDescription *is) {
    return is->keptBytes + (1ull << is->ref.pager.pageShift);
}

VkResult murHostPagedGetImageSize(const MurPagedTableCreateInfo *pCreateInfo,
                                  const MurHostPages *pPages, uint64_t *pSize) {
    MurPagedDescription is;
    const VkResult result = describe(pCreateInfo, pPages, &is);
    if (result != VK_SUCCESS || !pSize) {
        return result != VK_SUCCESS ? result : MUR_ERROR_INVALID_ARGUMENT;
    }
    *pSize = image_size(&is);
    return *pSize <= SIZE_MAX ? VK_SUCCESS : MUR_ERROR_TOO_LARGE;
}

static bool is_aligned(const void *memory) {
    return memory && (uintptr_t)memory % MUR_HOST_ALIGNMENT == 0;
}

static VkResult open_table(const MurPagedTableCreateInfo *info, const MurHostPages *pages,
                           void *image, uint64_t size, MurHostPagedTable *table) {
    MurPagedDescription is;
    const VkResult result = describe(info, pages, &is);
    if (result != VK_SUCCESS) {
        return result;
    }
    const uint32_t chunkPages = pages->chunkPages ? pages->chunkPages : pages->pageCount;
    bool right = table && is_aligned(image) && size >= image_size(&is) && pages->ppChunks;
    for (uint32_t i = 0; right && i <= (pages->pageCount - 1) / chunkPages; ++i) {
        right = is_aligned(pages->ppChunks[i]);
    }
    if (!right) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    *table = (MurHostPagedTable){.ref = is.ref,
                                 .pImage = image,
                                 .ppChunks = pages->ppChunks,
                                 .chunkPages = chunkPages,
                                 .keptPages = is.keptPages};
    return VK_SUCCESS;
}

MurHostTable mur_paged_groups(const MurHostPagedTable *table) {
    return (MurHostTable){
        .pImage = table->pImage,
        .ref = {.capacity = table->ref.groupCapacity,
                .slotCount = table->ref.groupSlots,
                .probeSectors = table->ref.groupSlots / MUR_SECTOR_SLOTS},
    };
}

VkResult murHostPagedCreate(const MurPagedTableCreateInfo *pCreateInfo, const MurHostPages *pPages,
                            void *pImage, uint64_t size, MurHostPagedTable *pTable) {
    const VkResult result = open_table(pCreateInfo, pPages, pImage, size, pTable);
    if (result != VK_SUCCESS) {
        return result;
    }
    const MurPagedRef *ref = &pTable->ref;
    const MurHostTable groups = mur_paged_groups(pTable);
    uint32_t *state = mur_paged_state(pTable);
    memset(pImage, 0, (size_t)ref->state);
    murHostClear(&groups);
    memset(state, 0, 4 * (size_t)mur_paged_frames_at(ref->maxLeaves, ref->maxPending));
    memset(state + MUR_PAGED_HEADER_WORDS, 0xFF, 4 * (size_t)ref->maxLeaves);
    for (uint32_t i = 0; i < MUR_PAGED_SHAPE_WORDS; ++i) {
        state[MUR_PAGED_SHAPE + i] = mur_paged_shape_word(*ref, i);
    }
    if (ref->locality >> 8 == MUR_PAGED_BY_HASH) {
        state[MUR_PAGED_LEAVES] = ref->basePages + (ref->basePages & 1);
    }
    return VK_SUCCESS;
}

/* ---- The image in the store ----------------------------------------------------------------- */

static uint64_t kept_bytes(const MurHostPagedTable *table) {
    return table->ref.state +
           4ull * mur_paged_frames_at(table->ref.maxLeaves, table->ref.maxPending);
}

uint8_t *mur_paged_room(const MurHostPagedTable *table) {
    return (uint8_t *)table->pImage + kept_bytes(table);
}

static void copy_image(const MurHostPagedTable *table, bool in) {
    const size_t pageSize = (size_t)1 << table->ref.pager.pageShift;
    const uint64_t bytes = kept_bytes(table);
    for (uint32_t i = 0; i < table->keptPages; ++i) {
        const uint64_t at = (uint64_t)i * pageSize;
        const size_t size = bytes - at < pageSize ? (size_t)(bytes - at) : pageSize;
        uint8_t *page = mur_paged_page(table, table->ref.pager.pageCount + i);
        uint8_t *image = (uint8_t *)table->pImage + at;
        if (in) {
            memcpy(image, page, size);
        } else {
            memcpy(page, image, size);
            memset(page + size, 0, pageSize - size);
        }
    }
}

void murHostPagedKeep(const MurHostPagedTable *pTable) {
    copy_image(pTable, false);
}

VkResult murHostPagedAttach(const MurPagedTableCreateInfo *pCreateInfo, const MurHostPages *pPages,
                            void *pImage, uint64_t size, MurHostPagedTable *pTable) {
    const VkResult result = open_table(pCreateInfo, pPages, pImage, size, pTable);
    if (result != VK_SUCCESS) {
        return result;
    }
    copy_image(pTable, true);
    const uint32_t *state = mur_paged_state(pTable);
    for (uint32_t i = 0; i < MUR_PAGED_SHAPE_WORDS; ++i) {
        if (state[MUR_PAGED_SHAPE + i] != mur_paged_shape_word(pTable->ref, i)) {
            return MUR_ERROR_BAD_IMAGE;
        }
    }
    return VK_SUCCESS;
}

/* ---- Finds ---------------------------------------------------------------------------------- */

static uint32_t group_of(const MurPagedRef *ref, uint32_t name, uint64_t key) {
    switch (ref->locality >> 8) {
    case MUR_PAGED_BY_KEY:
        return (uint32_t)(key >> (ref->locality & 63)) & ref->mask;
    case MUR_PAGED_BY_NAME:
        return name;
    default:
        return 0;
    }
}

static uint32_t bits_of(const MurPagedRef *ref, uint64_t key) {
    const uint32_t hash = MUR_IS_64(MUR_TABLE_FORMAT(ref->flags))
                              ? (uint32_t)mur_hash64(key, ref->seed)
                              : mur_hash((uint32_t)key, ref->seed);
    return hash * 0x9E3779B9u;
}

bool mur_paged_upper(const MurHostPagedTable *table, uint64_t key, uint32_t depth) {
    const uint64_t leaves = (uint32_t)(table->ref.basePages << (depth + 1));
    return bits_of(&table->ref, key) * leaves >> 32 & 1;
}

PagedPlace mur_paged_place(const MurHostPagedTable *table, uint32_t name, uint64_t key) {
    const MurPagedRef *ref = &table->ref;
    const MurHostTable groups = mur_paged_groups(table);
    const uint32_t *state = mur_paged_state(table);
    const bool hashed = ref->locality >> 8 == MUR_PAGED_BY_HASH;
    PagedPlace place = {.group = group_of(ref, name, key), .at = MUR_PAGED_NONE};
    place.root = hashed ? state[MUR_PAGED_ROOT] : (uint32_t)murHostFind(&groups, place.group).value;
    place.leaf = place.root;
    if (place.root == MUR_PAGED_NONE || (MUR_PAGED_DEPTH(place.root) == 0 && !hashed)) {
        return place;
    }
    const uint64_t leaves = (uint32_t)(ref->basePages << MUR_PAGED_DEPTH(place.root));
    const uint32_t high = (uint32_t)(bits_of(ref, key) * leaves >> 32);
    const uint32_t at = 2 * (place.root & MUR_PAGED_INDEX) + high;
    place.at = at < ref->maxLeaves ? at : ref->maxLeaves - 1;
    place.leaf = state[MUR_PAGED_HEADER_WORDS + place.at];
    return place;
}

bool mur_paged_has_page(const MurHostPagedTable *table, uint32_t leaf) {
    return leaf != MUR_PAGED_NONE && (leaf & MUR_PAGED_INDEX) < table->ref.pager.pageCount;
}

/* Has the leaf a page that was written? */
static bool is_written(const MurHostPagedTable *table, uint32_t leaf) {
    return mur_paged_has_page(table, leaf) && !(leaf & MUR_PAGED_FRESH);
}

MurHostResult murHostPagedFind(const MurHostPagedTable *pTable, uint32_t name, uint64_t key) {
    const PagedPlace place = mur_paged_place(pTable, name, key);
    MurHostResult result = {host_no_value(pTable->ref.flags), MUR_ABSENT, MUR_NO_SLOT};
    if (is_written(pTable, place.leaf)) {
        const MurHostTable page = mur_paged_table_at(
            pTable, mur_paged_page(pTable, place.leaf & MUR_PAGED_INDEX));
        result = murHostFind(&page, key);
        result.slot = MUR_NO_SLOT;
    }
    return result;
}

MurHostResult murHostPagedInsert(const MurHostPagedTable *pTable, MurInsertMode mode, uint32_t name,
                                 uint64_t key, uint64_t value) {
    return mur_paged_write(pTable, mode, name, key, value);
}

MurHostResult murHostPagedErase(const MurHostPagedTable *pTable, uint32_t name, uint64_t key) {
    return mur_paged_write(pTable, MUR_PAGED_ERASE, name, key, 0);
}

/* ---- The whole table ------------------------------------------------------------------------ */

static uint32_t pages_of(const MurHostPagedTable *table) {
    const uint32_t given = mur_paged_state(table)[MUR_PAGED_PAGES];
    return given < table->ref.pager.pageCount ? given : table->ref.pager.pageCount;
}

/* Pages that were given out and never written hold anything: an entry counts if its group leads
 * there. */
VkBool32 murHostPagedNext(const MurHostPagedTable *pTable, MurHostPagedEntry *pEntry) {
    for (; pEntry->page < pages_of(pTable); ++pEntry->page, pEntry->next = 0) {
        uint8_t *bytes = mur_paged_page(pTable, pEntry->page);
        const MurHostTable page = mur_paged_table_at(pTable, bytes);
        uint32_t header[MUR_PAGED_GROUP_AT + 1];
        memcpy(header, bytes, sizeof header);
        MurHostEntry entry = {.next = pEntry->next};
        while (header[MUR_HEADER_MAGIC] == MUR_LAYOUT_MAGIC && murHostNext(&page, &entry)) {
            const PagedPlace place = mur_paged_place(pTable, header[MUR_PAGED_GROUP_AT], entry.key);
            if (is_written(pTable, place.leaf) && (place.leaf & MUR_PAGED_INDEX) == pEntry->page) {
                *pEntry = (MurHostPagedEntry){entry.key, entry.value, place.group, pEntry->page,
                                              entry.next};
                return VK_TRUE;
            }
        }
    }
    return VK_FALSE;
}

static uint32_t pending_of(const MurHostPagedTable *table) {
    const uint32_t *state = mur_paged_state(table);
    const uint32_t count = state[MUR_PAGED_COUNTS + (state[MUR_PAGED_HALF] & 1)];
    return count < table->ref.maxPending ? count : table->ref.maxPending;
}

void murHostPagedStats(const MurHostPagedTable *pTable, MurPagedStats *pStats) {
    const uint32_t *state = mur_paged_state(pTable);
    *pStats = (MurPagedStats){
        .refused = (uint64_t)state[MUR_PAGED_REFUSED + 1] << 32 | state[MUR_PAGED_REFUSED],
        .applied = (uint64_t)state[MUR_PAGED_APPLIED + 1] << 32 | state[MUR_PAGED_APPLIED],
        .pending = pending_of(pTable),
        .stuck = state[MUR_PAGED_STUCK],
        .pages = pages_of(pTable),
        .groups = state[MUR_PAGED_GROUPS],
        .leaves = state[MUR_PAGED_LEAVES],
    };
}

/* ---- The log -------------------------------------------------------------------------------- */

static uint64_t key_of(const uint32_t *entry) {
    return (uint64_t)entry[MUR_PENDING_KEY + 1] << 32 | entry[MUR_PENDING_KEY];
}

/* False: there is no room. */
static bool apply_entry(const MurHostPagedTable *table, const uint32_t *entry) {
    const uint64_t value = (uint64_t)entry[MUR_PENDING_VALUE + 1] << 32 | entry[MUR_PENDING_VALUE];
    return mur_paged_write(table, entry[MUR_PENDING_OP], entry[MUR_PENDING_GROUP], key_of(entry),
                           value)
               .status != MUR_FULL;
}

/* No page waits for anything. */
static void forget_waits(const MurHostPagedTable *table) {
    const MurHostTable groups = mur_paged_groups(table);
    uint32_t *leaves = mur_paged_state(table) + MUR_PAGED_HEADER_WORDS;
    for (uint32_t i = 0; i < table->ref.maxLeaves; ++i) {
        leaves[i] = leaves[i] == MUR_PAGED_NONE ? leaves[i] : leaves[i] & ~MUR_PAGED_WAITS;
    }
    for (MurHostEntry entry = {.next = 0}; murHostNext(&groups, &entry);) {
        murHostInsert(&groups, MUR_MODE_ASSIGN, entry.key, entry.value & ~MUR_PAGED_WAITS);
    }
}

/* Calls of murCmdPageTable since an entry was appended; the oldest has the most. */
static uint32_t age_of(const MurHostPagedTable *table, const uint32_t *entry) {
    return mur_paged_state(table)[MUR_PAGED_EPOCH] - entry[MUR_PENDING_EPOCH];
}

/* Goes over the log once for each age that there is, the oldest first. */
void murHostPagedApply(const MurHostPagedTable *pTable, uint32_t *pPending) {
    uint32_t *state = mur_paged_state(pTable);
    uint32_t *log = mur_paged_log(pTable, state[MUR_PAGED_HALF]);
    const uint32_t count = pending_of(pTable);
    uint64_t below = UINT64_MAX;
    for (bool some = true; some;) {
        uint32_t oldest = 0;
        some = false;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t age = age_of(pTable, log + (size_t)MUR_PENDING_WORDS * i);
            if (age < below && (!some || age > oldest)) {
                oldest = age;
                some = true;
            }
        }
        for (uint32_t i = 0; some && i < count; ++i) {
            uint32_t *entry = log + (size_t)MUR_PENDING_WORDS * i;
            if (age_of(pTable, entry) == oldest && apply_entry(pTable, entry)) {
                entry[MUR_PENDING_OP] = MUR_PAGED_NONE;
            }
        }
        below = oldest;
    }
    uint32_t left = 0;
    forget_waits(pTable);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t *entry = log + (size_t)MUR_PENDING_WORDS * i;
        if (entry[MUR_PENDING_OP] != MUR_PAGED_NONE) {
            const PagedPlace place = mur_paged_place(pTable, entry[MUR_PENDING_GROUP],
                                                     key_of(entry));
            mur_paged_set_flags(pTable, &place, (place.leaf & MUR_PAGED_FRESH) | MUR_PAGED_WAITS);
            memmove(log + (size_t)MUR_PENDING_WORDS * left++, entry, 4 * MUR_PENDING_WORDS);
        }
    }
    const uint64_t applied =
        ((uint64_t)state[MUR_PAGED_APPLIED + 1] << 32 | state[MUR_PAGED_APPLIED]) + count - left;
    state[MUR_PAGED_APPLIED] = (uint32_t)applied;
    state[MUR_PAGED_APPLIED + 1] = (uint32_t)(applied >> 32);
    state[MUR_PAGED_COUNTS + (state[MUR_PAGED_HALF] & 1)] = left;
    state[MUR_PAGED_STUCK] = left;
    if (pPending) {
        *pPending = left;
    }
}

/* ---- Files ---------------------------------------------------------------------------------- */

VkResult murHostPagedSave(const MurHostPagedTable *pTable, const MurPageFile *pFile) {
    const uint32_t given = pages_of(pTable), first = pTable->ref.pager.pageCount;
    VkResult result = VK_SUCCESS;
    murHostPagedKeep(pTable);
    for (uint32_t i = 0; result == VK_SUCCESS && i < given + pTable->keptPages; ++i) {
        const uint32_t page = i < given ? i : first + i - given;
        result = pFile->pfnWrite(pFile->pUserData, page, mur_paged_page(pTable, page));
    }
    return result == VK_SUCCESS ? pFile->pfnCommit(pFile->pUserData) : result;
}

static VkResult read_pages(const MurHostPagedTable *table, const MurPageFile *file, uint32_t first,
                           uint32_t count) {
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; ++i) {
        result = file->pfnRead(file->pUserData, first + i, mur_paged_page(table, first + i));
    }
    return result;
}

VkResult murHostPagedLoad(const MurPagedTableCreateInfo *pCreateInfo, const MurHostPages *pPages,
                          const MurPageFile *pFile, void *pImage, uint64_t size,
                          MurHostPagedTable *pTable) {
    VkResult result = open_table(pCreateInfo, pPages, pImage, size, pTable);
    if (result == VK_SUCCESS) {
        result = read_pages(pTable, pFile, pTable->ref.pager.pageCount, pTable->keptPages);
    }
    if (result == VK_SUCCESS) {
        result = murHostPagedAttach(pCreateInfo, pPages, pImage, size, pTable);
    }
    return result == VK_SUCCESS ? read_pages(pTable, pFile, 0, pages_of(pTable)) : result;
}
