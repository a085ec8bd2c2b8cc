/* What the host needs for the file behind a pager's store.
 *
 * SPDX-License-Identifier: MIT */
#include "pager.h"

enum { DEFAULT_LISTED = 4096 };

static uint32_t sections(uint32_t framesInFlight) {
    uint32_t count = 1;
    while (count < framesInFlight) {
        count *= 2;
    }
    return count;
}

static uint64_t bit_words(const MurPagerShape *shape) {
    return (shape->ref.pageCount + 31ull) / 32;
}

static VkResult make_lists(MurPager pager, const MurPagerCreateInfo *info) {
    MurPagerShape *shape = &pager->shape;
    const uint32_t listed = info->maxFilePages ? info->maxFilePages : DEFAULT_LISTED;
    shape->maxListed = listed < shape->ref.pageCount ? listed : shape->ref.pageCount;
    shape->listsCount = sections(info->framesInFlight);
    const uint64_t words = MUR_LISTS_BITS((uint64_t)shape->maxListed) + bit_words(shape);
    shape->listsSize = mur_aligned(4 * words);
    void *mapped;
    MUR_TRY(mur_create_mapped(pager->context, shape->listsSize * shape->listsCount,
                              &pager->host->memory, &mapped));
    pager->host->lists = mapped;
    shape->lists = mur_buffer_address(pager->context, pager->host->memory.buffer);
    return VK_SUCCESS;
}

static VkResult make_arrays(MurPager pager) {
    const VkAllocationCallbacks *allocator = mur_allocator(pager->context);
    MurPagerHost *host = pager->host;
    const size_t size = pager->shape.maxListed * sizeof(MurListedPage);
    host->queue = mur_allocate(allocator, size);
    host->merged = mur_allocate(allocator, size);
    host->sorted = mur_allocate(allocator, size);
    host->ready = mur_allocate(allocator, size);
    host->places = mur_allocate(allocator, pager->shape.ref.pageCount);
    host->held = mur_allocate(allocator, (size_t)(4 * bit_words(&pager->shape)));
    return host->queue && host->merged && host->sorted && host->ready && host->places && host->held
               ? VK_SUCCESS
               : mur_fail(&pager->context->logger, VK_ERROR_OUT_OF_HOST_MEMORY,
                          "murCreatePager: no host memory");
}

VkResult mur_provide_host(MurPager pager, const MurPagerCreateInfo *info) {
    if (!info->pFile) {
        return VK_SUCCESS;
    }
    for (uint32_t i = 0; i < pager->shape.chunkCount; ++i) {
        if (!pager->mapped[i]) {
            return mur_refuse(pager->context, "murCreatePager",
                              "pChunks[%u].pMapped is NULL, and there is a file", i);
        }
    }
    pager->host = mur_new(pager->context, "murCreatePager", sizeof *pager->host);
    if (!pager->host) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pager->host->file = *info->pFile;
    pager->host->status.failedPage = MUR_NO_PAGE;
    mur_create_lock(&pager->host->lock);
    MUR_TRY(make_lists(pager, info));
    return make_arrays(pager);
}

void mur_free_host(MurPager pager) {
    const VkAllocationCallbacks *allocator = mur_allocator(pager->context);
    MurPagerHost *host = pager->host;
    if (!host) {
        return;
    }
    mur_destroy_buffer(pager->context, &host->memory); /* unmaps */
    void *const arrays[] = {host->queue, host->merged, host->sorted,
                            host->ready, host->places, host->held};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        mur_release(allocator, arrays[i]);
    }
    mur_destroy_lock(&host->lock);
    mur_release(allocator, host);
}
