/* The store of a pager: chunks of host-visible memory.
 *
 * SPDX-License-Identifier: MIT */
#include "pager.h"

#include <stdio.h>

/* pChunks' memory, or, without, memory of the library's own. */
VkResult mur_provide_store(MurPager pager, const MurPagerCreateInfo *info,
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
            void *mapped;
            MUR_TRY(mur_create_mapped(context, size, &pager->chunks[i], &mapped));
            pager->mapped[i] = mapped;
            range.buffer = pager->chunks[i].buffer;
            mur_name_object(context, VK_OBJECT_TYPE_BUFFER, (uint64_t)range.buffer,
                            info->pName ? info->pName : "murmuration store");
        }
        MUR_TRY(mur_check_range(context, "murCreatePager", name, &range, size, MUR_TABLE_ALIGNMENT,
                                &pager->shape.chunks[i]));
    }
    return VK_SUCCESS;
}
