/* Pagers: sizes, memory, the reference that shaders get.
 * SPDX-License-Identifier: MIT */
#include "pager.h"

#include <stdio.h>
#include <string.h>

enum { DEFAULT_REQUESTS = 65536, DEFAULT_LISTED = 4096 };
#define DEFAULT_CHUNK (1ull << 30)

/* Offsets of the parts of a pager's memory, in bytes. */
typedef struct PagerParts {
    uint64_t requests, directory, frames, host, pool, end;
} PagerParts;

static PagerParts pager_parts(const MurPagerRef *ref, bool resident) {
    const uint64_t moves = mur_least(ref->poolPageCount, ref->maxRequests);
    PagerParts parts;
    parts.requests = mur_aligned(4ull * (MUR_PAGER_MOVES_AT + MUR_PAGER_MOVE * moves));
    parts.directory = parts.requests +
                      mur_aligned(4ull * (MUR_REQUESTS_LIST + (uint64_t)ref->maxRequests));
    parts.frames = parts.directory + mur_aligned(4ull * ref->pageCount);
    parts.host = parts.frames + mur_aligned(4ull * MUR_POOL_WORDS * ref->poolPageCount);
    const uint64_t host = MUR_HOST_OWNERS + 2ull * ref->hostPageCount + ref->pageCount;
    parts.pool = parts.host + (ref->hostPageCount ? mur_aligned(4 * host) : 0);
    parts.end = parts.pool + (resident ? 0 : (uint64_t)ref->poolPageCount << ref->pageShift);
    return parts;
}

static bool memory_is_one(MurContext context) {
    bool one = true;
    for (uint32_t i = 0; i < context->memory.memoryHeapCount; ++i) {
        one &= (context->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    }
    return one;
}

static uint32_t log2_of(uint64_t n) {
    uint32_t shift = 0;
    while (n >> shift > 1) {
        ++shift;
    }
    return shift;
}

/* Returns the number of pages of the store. */
static uint32_t host_pages(const MurPagerCreateInfo *info) {
    const uint32_t count = info->hostPageCount;
    return count && count < info->pageCount ? count : info->pageCount;
}

static uint32_t chunk_shift(const MurPagerCreateInfo *info, bool one) {
    if (info->chunkPages) {
        return log2_of(info->chunkPages);
    }
    uint32_t shift = log2_of(DEFAULT_CHUNK / info->pageSize);
    while ((host_pages(info) - 1ull) >> shift >= (one ? 1 : MUR_PAGER_CHUNKS)) {
        ++shift;
    }
    return shift;
}

/* Returns the shape of a valid description. */
static MurPagerShape describe_pager(MurContext context, const MurPagerCreateInfo *info) {
    const bool one = memory_is_one(context) && !(info->flags & MUR_PAGER_FORCE) && !info->pFile &&
                     info->pageCount <= MUR_MAX_POOL_PAGES;
    const uint32_t shift = chunk_shift(info, one), pages = host_pages(info);
    MurPagerShape shape = {
        .ref = {.pageCount = info->pageCount,
                .pageShift = log2_of(info->pageSize),
                .hostPageCount = pages < info->pageCount ? pages : 0},
        .hostPages = pages,
        .chunkCount = ((pages - 1) >> shift) + 1,
        .chunkShift = shift,
        .framesInFlight = info->framesInFlight,
        .moveGroups = context->planning.software ? 16 : UINT32_MAX,
    };
    shape.resident = one && shape.chunkCount == 1;
    shape.ref.poolPageCount = shape.resident
                                  ? info->pageCount
                                  : (uint32_t)mur_least(info->poolPageCount, info->pageCount);
    shape.ref.maxRequests = (uint32_t)mur_least(
        info->maxRequests ? info->maxRequests : DEFAULT_REQUESTS, info->pageCount);
    shape.bytes = pager_parts(&shape.ref, shape.resident).end;
    return shape;
}

static MurPagerRequirements pager_requirements(const MurPagerShape *shape) {
    const uint32_t pages = 1u << shape->chunkShift;
    const uint64_t before = (uint64_t)(shape->chunkCount - 1) << shape->chunkShift;
    const VkDeviceSize last = (shape->hostPages - before) << shape->ref.pageShift;
    return (MurPagerRequirements){
        .size = shape->bytes,
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = MUR_ARRAY_USAGE,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .chunkCount = shape->chunkCount,
        .chunkPages = pages,
        .chunkSize = before ? (VkDeviceSize)pages << shape->ref.pageShift : last,
        .lastChunkSize = last,
        .chunkProperties = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        .resident = shape->resident,
    };
}

/* Checks the number of host pages, of a description that is otherwise valid. */
static VkResult check_host_pages(MurContext context, const char *function,
                                 const MurPagerCreateInfo *info) {
    const uint32_t pages = host_pages(info);
    if (pages == info->pageCount) {
        return VK_SUCCESS;
    }
    if (!info->pFile) {
        return mur_invalid_argument(context, function,
                                    "hostPageCount is %u and there is no file, expected 0 or at "
                                    "least pageCount, which is %u",
                                    pages, info->pageCount);
    }
    const MurNumber number = {"hostPageCount", pages,
                              (uint32_t)mur_least(info->poolPageCount, info->pageCount) + 1,
                              MUR_MAX_HOST_PAGES};
    return mur_check_numbers(context, function, &number, 1);
}

static VkResult check_pager_info(MurContext context, const char *function,
                                 const MurPagerCreateInfo *info, const void *result,
                                 const char *name) {
    MUR_TRY(mur_check_creation(context, function, info, result, name));
    const uint32_t size = info->pageSize, chunk = info->chunkPages;
    const MurPageFile *file = info->pFile;
    const MurNumber numbers[] = {
        {"pageCount", info->pageCount, 1, MUR_MAX_PAGES},
        {"pageSize", size, MUR_PAGE_MIN_SIZE, MUR_PAGE_MAX_SIZE},
        {"poolPageCount", info->poolPageCount, 1, MUR_MAX_POOL_PAGES},
        {"framesInFlight", info->framesInFlight, 1, MUR_PAGER_FRAMES_IN_FLIGHT},
        {"flags", info->flags, 0, MUR_PAGER_FORCE},
        {"maxFilePages", info->maxFilePages, 0, MUR_PAGER_FILE_PAGES},
        {"pFile->pageSize", file && file->pageSize ? file->pageSize : size, size, size},
        {"chunkPages", chunk ? chunk : UINT32_MAX, (host_pages(info) - 1) / MUR_PAGER_CHUNKS + 1,
         UINT32_MAX},
    };
    MUR_TRY(mur_check_numbers(context, function, numbers, MUR_LENGTH(numbers)));
    if (size & (size - 1) || chunk & (chunk - 1)) {
        return mur_invalid_argument(context, function,
                                    "pageSize is %u and chunkPages is %u, expected powers of two",
                                    size, chunk);
    }
    return !file || (file->pfnRead && file->pfnWrite && file->pfnCommit)
               ? check_host_pages(context, function, info)
               : mur_invalid_argument(
                     context, function,
                     "pFile lacks a function, expected pfnRead, pfnWrite and pfnCommit");
}

VkResult murGetPagerRequirements(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                                 MurPagerRequirements *pRequirements) {
    MUR_TRY(check_pager_info(context, __func__, pCreateInfo, pRequirements, "pRequirements"));
    const MurPagerShape shape = describe_pager(context, pCreateInfo);
    *pRequirements = pager_requirements(&shape);
    return VK_SUCCESS;
}

static void set_addresses(MurPagerShape *shape) {
    const PagerParts parts = pager_parts(&shape->ref, shape->resident);
    shape->ref.requests = shape->block + parts.requests;
    shape->ref.directory = shape->block + parts.directory;
    shape->ref.records = shape->block + parts.frames;
    shape->ref.pool = shape->resident ? shape->chunks[0] : shape->block + parts.pool;
}

/* Stores the addresses of the engine's chunks, or allocates the store. On failure, the pager has
 * the chunks that were allocated. */
static VkResult provide_store(MurPager pager, const MurPagerCreateInfo *info,
                              const MurPagerRequirements *needs) {
    MurContext context = pager->context;
    for (uint32_t i = 0; i < needs->chunkCount; ++i) {
        const bool last = i + 1 == needs->chunkCount;
        const VkDeviceSize size = last ? needs->lastChunkSize : needs->chunkSize;
        MurBufferRange range = {.size = size};
        char name[32];
        snprintf(name, sizeof name, "pChunks[%u].memory", i);
        if (info->pChunks) {
            range = info->pChunks[i].memory;
            pager->mapped[i] = info->pChunks[i].pMapped;
        } else {
            MUR_TRY(mur_create_mapped(context, size, &pager->chunks[i], &pager->mapped[i]));
            range.buffer = pager->chunks[i].buffer;
            mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)range.buffer,
                            info->pName ? info->pName : "murmuration store");
        }
        MUR_TRY(mur_check_range(context, "murCreatePager", name, &range, size, MUR_TABLE_ALIGNMENT,
                                &pager->shape.chunks[i]));
    }
    return VK_SUCCESS;
}

static uint64_t bit_words(const MurPagerShape *shape) {
    return (shape->ref.pageCount + 31ull) / 32;
}

static uint32_t list_room(MurPager pager, const MurPagerCreateInfo *info) {
    const uint32_t listed = info->maxFilePages ? info->maxFilePages : DEFAULT_LISTED;
    return (uint32_t)mur_least(listed, pager->shape.ref.pageCount);
}

static VkResult make_lists(MurPager pager, const MurPagerCreateInfo *info) {
    MurPagerShape *shape = &pager->shape;
    shape->maxListed = list_room(pager, info);
    /* The smallest power of two that is at least framesInFlight. */
    shape->listsCount = 1u << log2_of(2 * info->framesInFlight - 1);
    const uint64_t words = MUR_LISTS_BITS((uint64_t)shape->maxListed) + bit_words(shape);
    shape->listsSize = mur_aligned(4 * words);
    const uint64_t size = shape->listsSize * shape->listsCount;
    const uint64_t map = shape->ref.hostPageCount ? 4ull * shape->ref.pageCount : 0;
    MurPagerHost *host = pager->host;
    MUR_TRY(mur_create_mapped(pager->context, size + map, &host->memory, &host->lists));
    host->map = (const uint32_t *)(void *)(host->lists + size);
    memset(host->lists + size, 0xFF, map); /* MUR_HOST_NONE */
    shape->lists = mur_buffer_address(pager->context, pager->host->memory.buffer);
    return VK_SUCCESS;
}

/* Creates the host's state, with its arrays in one allocation. */
static VkResult provide_host(MurPager pager, const MurPagerCreateInfo *info) {
    if (!info->pFile) {
        return VK_SUCCESS;
    }
    for (uint32_t i = 0; i < pager->shape.chunkCount; ++i) {
        if (!pager->mapped[i]) {
            return mur_invalid_argument(pager->context, "murCreatePager",
                                        "pChunks[%u].pMapped is NULL, and there is a file", i);
        }
    }
    const size_t listed = list_room(pager, info), pages = pager->shape.ref.pageCount;
    const size_t words = (size_t)bit_words(&pager->shape);
    MurPagerHost *host = mur_new(pager->context, "murCreatePager",
                                 sizeof *host + 4 * listed * sizeof *host->sorted +
                                     words * sizeof *host->held + pages);
    if (!host) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pager->host = host;
    host->file = *info->pFile;
    host->status.failedPage = MUR_NO_PAGE;
    host->sorted = (MurListedPage *)(host + 1);
    host->merged = host->sorted + listed;
    host->queue = host->merged + listed;
    host->ready = host->queue + listed;
    host->held = (uint32_t *)(host->ready + listed);
    host->places = (uint8_t *)(host->held + words);
    mur_create_lock(&host->lock);
    return make_lists(pager, info);
}

static void free_host(MurPager pager) {
    if (pager->host) {
        mur_destroy_buffer(pager->context, &pager->host->memory); /* unmaps */
        mur_destroy_lock(&pager->host->lock);
        mur_release(mur_allocator(pager->context), pager->host);
    }
}

/* Creates all objects of a pager. On failure, the pager has the objects that were created. */
static VkResult make_pager(MurPager pager, const MurPagerCreateInfo *info) {
    MurContext context = pager->context;
    const MurPagerRequirements needs = pager_requirements(&pager->shape);
    const uint32_t chunks = info->pChunks ? needs.chunkCount : 0;
    if (info->chunkCount != chunks) {
        return mur_invalid_argument(context, "murCreatePager", "chunkCount is %u, not %u",
                                    info->chunkCount, chunks);
    }
    MurBufferRange memory = info->memory;
    MUR_TRY(mur_provide_memory(context, "murCreatePager", &memory,
                               info->pName ? info->pName : "murmuration pager", needs.size,
                               MUR_TABLE_ALIGNMENT, &pager->memory, &pager->shape.block));
    MUR_TRY(provide_store(pager, info, &needs));
    MUR_TRY(provide_host(pager, info));
    set_addresses(&pager->shape);
    return VK_SUCCESS;
}

VkResult murCreatePager(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                        MurPager *pPager) {
    if (pPager) {
        *pPager = VK_NULL_HANDLE;
    }
    MUR_TRY(check_pager_info(context, __func__, pCreateInfo, pPager, "pPager"));
    MurKernelList list = {.table.type = mur_types};
    mur_list_family(context, &mur_family_pager, &list);
    MUR_TRY(mur_prepare_kernels(context, &list, 0, list.count));
    MurPager pager = mur_new(context, __func__, sizeof *pager);
    if (!pager) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pager->context = context;
    pager->shape = describe_pager(context, pCreateInfo);
    const VkResult result = make_pager(pager, pCreateInfo);
    if (result == VK_SUCCESS) {
        *pPager = pager;
    } else {
        murDestroyPager(pager);
    }
    return result;
}

void murDestroyPager(MurPager pager) {
    if (!pager) {
        return;
    }
    for (uint32_t i = 0; i < MUR_PAGER_CHUNKS; ++i) {
        mur_destroy_buffer(pager->context, &pager->chunks[i]); /* unmaps */
    }
    mur_destroy_buffer(pager->context, &pager->memory);
    free_host(pager);
    mur_release(mur_allocator(pager->context), pager);
}

MurPagerRef murGetPagerRef(MurPager pager, uint32_t frame) {
    MurPagerRef ref = {.frame = 0};
    if (pager) {
        ref = pager->shape.ref;
        ref.frame = frame;
    }
    return ref;
}

void *mur_host_page(MurPager pager, uint32_t hostPage) {
    if (hostPage >= pager->shape.hostPages) {
        return NULL;
    }
    uint8_t *mapped = pager->mapped[hostPage >> pager->shape.chunkShift];
    const uint32_t within = hostPage & ((1u << pager->shape.chunkShift) - 1);
    return mapped ? mapped + ((uint64_t)within << pager->shape.ref.pageShift) : NULL;
}

void *mur_store_page(MurPager pager, uint32_t page) {
    return mur_host_page(pager, pager->shape.ref.hostPageCount ? pager->host->map[page] : page);
}

void *murGetPagerStorePage(MurPager pager, uint32_t page) {
    return pager && page < pager->shape.ref.pageCount ? mur_store_page(pager, page) : NULL;
}
