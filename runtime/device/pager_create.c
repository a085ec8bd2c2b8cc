/* Pagers: sizes, memory, the reference that shaders get.
 *
 * SPDX-License-Identifier: MIT */
#include "pager.h"

#include "../host/size.h"

enum { DEFAULT_REQUESTS = 65536 };
#define DEFAULT_CHUNK (1ull << 30)

/* Where the parts of a pager's memory begin, in bytes. */
typedef struct PagerParts {
    uint64_t requests, directory, frames, pool, end;
} PagerParts;

static PagerParts pager_parts(const MurPagerRef *ref, bool resident) {
    const uint64_t moves = mur_least(ref->pageFrameCount, ref->maxRequests);
    PagerParts parts;
    parts.requests = mur_aligned(4ull * (MUR_PAGER_MOVES_AT + MUR_PAGER_MOVE * moves));
    parts.directory = parts.requests +
                      mur_aligned(4ull * (MUR_REQUESTS_LIST + (uint64_t)ref->maxRequests));
    parts.frames = parts.directory + mur_aligned(4ull * ref->pageCount);
    parts.pool = parts.frames + mur_aligned(4ull * MUR_FRAME_WORDS * ref->pageFrameCount);
    parts.end = parts.pool + (resident ? 0 : (uint64_t)ref->pageFrameCount << ref->pageShift);
    return parts;
}

static const char *bad_pager_info(const MurPagerCreateInfo *info) {
    const uint32_t size = info->pageSize, chunk = info->chunkPages;
    return info->pageCount == 0 || info->pageCount > MUR_MAX_PAGES ? "pageCount is not 1 "
                                                                     "to MUR_MAX_PAGES"
           : size < MUR_PAGE_MIN_SIZE || size > MUR_PAGE_MAX_SIZE || (size & (size - 1))
               ? "pageSize is not a power of two from 4096 to 1048576"
           : info->pageFrameCount == 0 || info->pageFrameCount > MUR_MAX_PAGE_FRAMES
               ? "pageFrameCount is not 1 "
                 "to MUR_MAX_PAGE_FRAMES"
           : info->framesInFlight == 0 || info->framesInFlight > MUR_PAGER_FRAMES_IN_FLIGHT
               ? "framesInFlight is not 1 to MUR_PAGER_FRAMES_IN_FLIGHT"
           : info->flags & ~(MurPagerFlags)MUR_PAGER_FORCE ? "flags has bits that are unknown"
           : chunk & (chunk - 1)                           ? "chunkPages is not a power of two"
           : info->pFile &&
                   !(info->pFile->pfnRead && info->pFile->pfnWrite && info->pFile->pfnCommit)
               ? "pFile lacks a function"
           : info->pFile && info->pFile->pageSize && info->pFile->pageSize != size
               ? "pageSize is not that of pFile"
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
static MurPagerShape describe_pager(MurContext context, const MurPagerCreateInfo *info) {
    const bool one = memory_is_one(context) && !(info->flags & MUR_PAGER_FORCE) && !info->pFile &&
                     info->pageCount <= MUR_MAX_PAGE_FRAMES;
    const uint32_t shift = chunk_shift(info, one);
    MurPagerShape shape = {
        .ref = {.pageCount = info->pageCount, .pageShift = log2_of(info->pageSize)},
        .chunkCount = ((info->pageCount - 1) >> shift) + 1,
        .chunkShift = shift,
        .framesInFlight = info->framesInFlight,
        .moveGroups = context->planning.software ? 16 : UINT32_MAX,
    };
    shape.resident = one && shape.chunkCount == 1;
    shape.ref.pageFrameCount = shape.resident
                                   ? info->pageCount
                                   : (uint32_t)mur_least(info->pageFrameCount, info->pageCount);
    shape.ref.maxRequests = (uint32_t)mur_least(
        info->maxRequests ? info->maxRequests : DEFAULT_REQUESTS, info->pageCount);
    shape.bytes = pager_parts(&shape.ref, shape.resident).end;
    return shape;
}

static MurPagerRequirements pager_requirements(const MurPagerShape *shape) {
    const uint32_t pages = 1u << shape->chunkShift;
    const uint64_t before = (uint64_t)(shape->chunkCount - 1) << shape->chunkShift;
    const VkDeviceSize last = (shape->ref.pageCount - before) << shape->ref.pageShift;
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

static VkResult check_pager_info(MurContext context, const char *function,
                                 const MurPagerCreateInfo *info, const void *result,
                                 const char *name) {
    MUR_TRY(mur_check_creation(context, function, info, result, name));
    const char *bad = bad_pager_info(info);
    return bad ? mur_refuse(context, function, "%s", bad) : VK_SUCCESS;
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
    shape->ref.frames = shape->block + parts.frames;
    shape->ref.pool = shape->resident ? shape->chunks[0] : shape->block + parts.pool;
}

/* What it has made is in the pager even if it fails. */
static VkResult make_pager(MurPager pager, const MurPagerCreateInfo *info) {
    MurContext context = pager->context;
    const MurPagerRequirements needs = pager_requirements(&pager->shape);
    const uint32_t chunks = info->pChunks ? needs.chunkCount : 0;
    if (info->chunkCount != chunks) {
        return mur_refuse(context, "murCreatePager", "chunkCount is %u, not %u", info->chunkCount,
                          chunks);
    }
    MurBufferRange memory = info->memory;
    MUR_TRY(mur_provide_memory(context, "murCreatePager", &memory,
                               info->pName ? info->pName : "murmuration pager", needs.size,
                               MUR_TABLE_ALIGNMENT, &pager->memory, &pager->shape.block));
    MUR_TRY(mur_provide_store(pager, info, &needs));
    MUR_TRY(mur_provide_host(pager, info));
    set_addresses(&pager->shape);
    return VK_SUCCESS;
}

VkResult murCreatePager(MurContext context, const MurPagerCreateInfo *pCreateInfo,
                        MurPager *pPager) {
    if (pPager) {
        *pPager = VK_NULL_HANDLE;
    }
    MUR_TRY(check_pager_info(context, __func__, pCreateInfo, pPager, "pPager"));
    MurKernelList list = {.count = 0};
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
