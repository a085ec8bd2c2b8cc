/* Pagers: sizes, memory, the reference that shaders get.
 *
 * SPDX-License-Identifier: MIT */
#include "pager.h"

enum { DEFAULT_REQUESTS = 65536 };
#define DEFAULT_CHUNK (1ull << 30)

/* Where the parts of a pager's memory begin, in bytes. */
typedef struct Parts {
    uint64_t requests, directory, frames, pool, end;
} Parts;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static Parts parts_of(const MurPagerRef *ref, bool resident) {
    const uint64_t moves = least(ref->frameCount, ref->maxRequests);
    Parts parts;
    parts.requests = mur_aligned(4ull * (MUR_PAGER_MOVES_AT + MUR_PAGER_MOVE * moves));
    parts.directory = parts.requests +
                      mur_aligned(4ull * (MUR_REQUESTS_LIST + (uint64_t)ref->maxRequests));
    parts.frames = parts.directory + mur_aligned(4ull * ref->pageCount);
    parts.pool = parts.frames + mur_aligned(4ull * MUR_FRAME_WORDS * ref->frameCount);
    parts.end = parts.pool + (resident ? 0 : (uint64_t)ref->frameCount << ref->pageShift);
    return parts;
}

static const char *bad_info(const MurPagerCreateInfo *info) {
    const uint32_t size = info->pageSize, chunk = info->chunkPages;
    return info->pNext                                               ? "pNext is not NULL"
           : info->pageCount == 0 || info->pageCount > MUR_MAX_PAGES ? "pageCount is not 1 "
                                                                       "to MUR_MAX_PAGES"
           : size < MUR_PAGE_MIN_SIZE || size > MUR_PAGE_MAX_SIZE || (size & (size - 1))
               ? "pageSize is not a power of two from 4096 to 1048576"
           : info->frameCount == 0 || info->frameCount > MUR_MAX_FRAMES ? "frameCount is not 1 "
                                                                          "to MUR_MAX_FRAMES"
           : info->framesInFlight == 0 || info->framesInFlight > MUR_PAGER_FRAMES
               ? "framesInFlight is not 1 to MUR_PAGER_FRAMES"
           : info->flags & ~(MurPagerFlags)MUR_PAGER_FORCE ? "flags has bits that are unknown"
           : chunk & (chunk - 1)                           ? "chunkPages is not a power of two"
           : info->pFile &&
                   !(info->pFile->pfnRead && info->pFile->pfnWrite && info->pFile->pfnCommit)
               ? "pFile lacks a function"
           : info->maxFilePages > MUR_PAGER_FILE_PAGES ? "maxFilePages is above "
                                                         "MUR_PAGER_FILE_PAGES"
           : chunk && (info->pageCount - 1) / chunk >= MUR_PAGER_CHUNKS
               ? "chunkPages makes more than MUR_PAGER_CHUNKS chunks"
               : NULL;
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

static uint32_t chunk_shift(const MurPagerCreateInfo *info, bool one) {
    if (info->chunkPages) {
        return log2_of(info->chunkPages);
    }
    uint32_t shift = log2_of(DEFAULT_CHUNK / info->pageSize);
    while ((info->pageCount - 1ull) >> shift >= (one ? 1 : MUR_PAGER_CHUNKS)) {
        ++shift;
    }
    return shift;
}

/* What follows from a description that is right. */
static MurPagerShape describe(MurContext context, const MurPagerCreateInfo *info) {
    const bool one = memory_is_one(context) && !(info->flags & MUR_PAGER_FORCE) && !info->pFile &&
                     info->pageCount <= MUR_MAX_FRAMES;
    const uint32_t shift = chunk_shift(info, one);
    MurPagerShape shape = {
        .ref = {.pageCount = info->pageCount, .pageShift = log2_of(info->pageSize)},
        .chunkCount = ((info->pageCount - 1) >> shift) + 1,
        .chunkShift = shift,
        .framesInFlight = info->framesInFlight,
    };
    shape.resident = one && shape.chunkCount == 1;
    shape.ref.frameCount = shape.resident ? info->pageCount
                                          : least(info->frameCount, info->pageCount);
    shape.ref.maxRequests = least(info->maxRequests ? info->maxRequests : DEFAULT_REQUESTS,
                                  info->pageCount);
    shape.bytes = parts_of(&shape.ref, shape.resident).end;
    return shape;
}

static MurPagerRequirements requirements_of(const MurPagerShape *shape) {
    const uint32_t pages = 1u << shape->chunkShift;
    const uint64_t before = (uint64_t)(shape->chunkCount - 1) << shape->chunkShift;
    return (MurPagerRequirements){
        .size = shape->bytes,
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = MUR_ARRAY_USAGE,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .chunkCount = shape->chunkCount,
        .chunkPages = pages,
        .chunkSize = (VkDeviceSize)pages << shape->ref.pageShift,
        .lastChunkSize = (shape->ref.pageCount - before) << shape->ref.pageShift,
        .chunkProperties = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        .resident = shape->resident,
    };
}

static VkResult check_info(MurContext context, const char *function, const MurPagerCreateInfo *info,
                           const void *result, const char *name) {
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT; /* nowhere to log to */
    }
    if (!info || !result) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s is NULL", function,
                        info ? name : "pCreateInfo");
    }
    const char *bad = bad_info(info);
    return bad ? mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s", function, bad)
               : VK_SUCCESS;
}

VkResult murGetPagerRequirements(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                                 MurPagerRequirements *pRequirements) {
    const VkResult result = check_info(context, "murGetPagerRequirements", pCreateInfo,
                                       pRequirements, "pRequirements");
    if (result == VK_SUCCESS) {
        const MurPagerShape shape = describe(context, pCreateInfo);
        *pRequirements = requirements_of(&shape);
    }
    return result;
}

static void set_addresses(MurPagerShape *shape) {
    const Parts parts = parts_of(&shape->ref, shape->resident);
    shape->ref.requests = shape->block + parts.requests;
    shape->ref.directory = shape->block + parts.directory;
    shape->ref.frames = shape->block + parts.frames;
    shape->ref.pool = shape->resident ? shape->chunks[0] : shape->block + parts.pool;
}

static VkResult prepare(MurContext context) {
    MurKernelList list = {.count = 0};
    mur_list_family(context, &mur_family_pager, &list);
    return mur_prepare_kernels(context, &list, 0, list.count);
}

VkResult murCreatePager(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                        MurPager *pPager) {
    if (pPager) {
        *pPager = VK_NULL_HANDLE;
    }
    VkResult result = check_info(context, "murCreatePager", pCreateInfo, pPager, "pPager");
    if (result == VK_SUCCESS) {
        result = prepare(context);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    MurPager pager = mur_allocate(mur_allocator(context), sizeof *pager);
    if (!pager) {
        return mur_fail(&context->logger, VK_ERROR_OUT_OF_HOST_MEMORY,
                        "murCreatePager: no host memory");
    }
    pager->context = context;
    pager->shape = describe(context, pCreateInfo);
    const MurPagerRequirements needs = requirements_of(&pager->shape);
    if (pCreateInfo->pChunks ? pCreateInfo->chunkCount != needs.chunkCount
                             : pCreateInfo->chunkCount != 0) {
        result = mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "murCreatePager: chunkCount is %u, not %u", pCreateInfo->chunkCount,
                          pCreateInfo->pChunks ? needs.chunkCount : 0);
    }
    if (result == VK_SUCCESS) {
        result = mur_provide_memory(context, "murCreatePager", pCreateInfo->memory,
                                    pCreateInfo->pName ? pCreateInfo->pName : "murmuration pager",
                                    needs.size, &pager->memory, &pager->shape.block);
    }
    if (result == VK_SUCCESS) {
        result = mur_provide_store(pager, pCreateInfo, &needs);
    }
    if (result == VK_SUCCESS) {
        result = mur_provide_host(pager, pCreateInfo);
    }
    if (result != VK_SUCCESS) {
        murDestroyPager(pager);
        return result;
    }
    set_addresses(&pager->shape);
    *pPager = pager;
    return VK_SUCCESS;
}

void murDestroyPager(MurPager pager) {
    if (!pager) {
        return;
    }
    for (uint32_t i = 0; i < MUR_PAGER_CHUNKS; ++i) {
        mur_destroy_buffer(pager->context, &pager->chunks[i]); /* unmaps */
    }
    mur_destroy_buffer(pager->context, &pager->memory);
    mur_free_host(pager);
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

void *murGetPagerStorePage(MurPager pager, uint32_t page) {
    if (!pager || page >= pager->shape.ref.pageCount) {
        return NULL;
    }
    uint8_t *mapped = pager->mapped[page >> pager->shape.chunkShift];
    const uint32_t within = page & ((1u << pager->shape.chunkShift) - 1);
    return mapped ? mapped + ((uint64_t)within << pager->shape.ref.pageShift) : NULL;
}
