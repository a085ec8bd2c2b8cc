/* Host tables: images, and what goes over a whole one.
 *
 * SPDX-License-Identifier: MIT */
#include "host_move.h"
#include "size.h"

#include <string.h>

/* ---- Images --------------------------------------------------------------------------------- */

static VkResult check_info(const MurTableCreateInfo *info) {
    if (!info || info->pNext || info->capacity == 0 ||
        (info->reservedValue != MUR_RESERVED_VALUE_MAX &&
         info->reservedValue != MUR_RESERVED_VALUE_ZERO) ||
        (info->atomicWidth != MUR_ATOMIC_WIDTH_DEFAULT &&
         info->atomicWidth != MUR_ATOMIC_WIDTH_32 && info->atomicWidth != MUR_ATOMIC_WIDTH_64)) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    return info->capacity > MUR_MAX_CAPACITY ? MUR_ERROR_TOO_LARGE : VK_SUCCESS;
}

VkResult murHostGetImageSize(const MurTableCreateInfo *pCreateInfo, uint64_t *pSize) {
    VkResult result = check_info(pCreateInfo);
    if (result == VK_SUCCESS && !pSize) {
        result = MUR_ERROR_INVALID_ARGUMENT;
    }
    if (result == VK_SUCCESS) {
        const uint64_t size = mur_table_size(mur_slot_count(pCreateInfo->capacity));
        if (size > SIZE_MAX) {
            return MUR_ERROR_TOO_LARGE;
        }
        *pSize = size;
    }
    return result;
}

static bool is_aligned(const void *image) {
    return image && (uintptr_t)image % MUR_HOST_ALIGNMENT == 0;
}

VkResult murHostCreate(const MurTableCreateInfo *pCreateInfo, void *pImage, uint64_t size,
                       MurHostTable *pTable) {
    uint64_t needed;
    VkResult result = murHostGetImageSize(pCreateInfo, &needed);
    if (result != VK_SUCCESS) {
        return result;
    }
    if (!pTable || !is_aligned(pImage) || size < needed) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t slotCount = mur_slot_count(pCreateInfo->capacity);
    const bool wide = pCreateInfo->atomicWidth != MUR_ATOMIC_WIDTH_32;
    const bool zero = pCreateInfo->reservedValue == MUR_RESERVED_VALUE_ZERO;
    *pTable = (MurHostTable){
        .pImage = pImage,
        .ref = {.capacity = (uint32_t)pCreateInfo->capacity,
                .slotCount = slotCount,
                .seed = pCreateInfo->seed,
                .probeSectors = mur_probe_sectors(pCreateInfo->probeLimit, slotCount),
                .flags = (wide ? MUR_TABLE_INT64 : 0) | (zero ? MUR_TABLE_ZERO : 0)},
    };
    murHostClear(pTable);
    return VK_SUCCESS;
}

VkResult mur_host_check_header(const MurTableHeader *header, uint64_t size) {
    if (header->magic != MUR_LAYOUT_MAGIC) {
        return MUR_ERROR_BAD_IMAGE;
    }
    if (header->version != MUR_LAYOUT_VERSION) {
        return MUR_ERROR_BAD_VERSION;
    }
    const uint32_t states = MUR_STATE_ORDERED | MUR_STATE_WRAPPED;
    const uint32_t flags = MUR_TABLE_INT64 | MUR_TABLE_ZERO;
    if (header->capacity == 0 || header->capacity > MUR_MAX_CAPACITY ||
        header->slotCount != mur_slot_count(header->capacity) ||
        mur_table_size(header->slotCount) > size || (header->flags & ~flags) != 0 ||
        (header->state & ~states) != 0 || header->extraKey != MUR_EMPTY ||
        header->probeSectors < mur_probe_sectors(1, header->slotCount) ||
        header->probeSectors > mur_probe_sectors(UINT64_MAX, header->slotCount)) {
        return MUR_ERROR_BAD_IMAGE;
    }
    return VK_SUCCESS;
}

MurTableRef mur_host_ref(const MurTableHeader *header) {
    return (MurTableRef){
        .capacity = header->capacity,
        .slotCount = header->slotCount,
        .seed = header->seed,
        .probeSectors = header->probeSectors,
        .flags = header->flags,
    };
}

VkResult murHostAttach(void *pImage, uint64_t size, MurHostTable *pTable) {
    if (!is_aligned(pImage) || !pTable) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    if (size < sizeof(MurTableHeader)) {
        return MUR_ERROR_BAD_IMAGE;
    }
    /* Copied before it is looked at, so that what was checked is what counts. */
    MurTableHeader header;
    memcpy(&header, pImage, sizeof header);
    VkResult result = mur_host_check_header(&header, size);
    if (result == VK_SUCCESS) {
        *pTable = (MurHostTable){pImage, mur_host_ref(&header)};
    }
    return result;
}

/* The header of an empty table: as shaders/kernels/header.glsl. */
static MurTableHeader empty_header(const HostView *view) {
    return (MurTableHeader){
        .magic = MUR_LAYOUT_MAGIC,
        .version = MUR_LAYOUT_VERSION,
        .capacity = view->ref.capacity,
        .slotCount = view->ref.slotCount,
        .seed = view->ref.seed,
        .flags = view->ref.flags,
        .probeSectors = view->ref.probeSectors,
        .extraKey = MUR_EMPTY,
        .extraValue = (uint32_t)view->none,
    };
}

void murHostClear(const MurHostTable *pTable) {
    const HostView view = host_view(pTable);
    const MurTableHeader header = empty_header(&view);
    memcpy(view.header, &header, sizeof header);
    HOST_BY_KIND(host_kind(&view), {
        const HostSlot free = {MUR_EMPTY, view.none};
        for (uint32_t slot = 0; slot < view.ref.slotCount; ++slot) {
            host_put(KIND, host_slot(&view, KIND, slot), free);
        }
    })
}

/* ---- Visits and statistics ------------------------------------------------------------------ */

HOST_INLINE bool next_entry(const HostView *view, uint32_t kind, MurHostEntry *entry) {
    for (uint64_t slot = entry->next; slot <= view->ref.slotCount; ++slot) {
        const HostSlot seen = host_read(kind, host_any_slot(view, kind, (uint32_t)slot));
        if (seen.value != view->none) {
            *entry = (MurHostEntry){
                .key = host_key(view, kind, seen.hash),
                .value = seen.value,
                .slot = (uint32_t)slot,
                .next = (uint32_t)slot + 1,
            };
            return true;
        }
    }
    entry->next = view->ref.slotCount + 1;
    return false;
}

VkBool32 murHostNext(const MurHostTable *pTable, MurHostEntry *pEntry) {
    const HostView view = host_view(pTable);
    HOST_BY_KIND(host_kind(&view), { return next_entry(&view, KIND, pEntry); })
}

/* Slots that finding the entry in this slot examines. The extra slot is examined alone. */
HOST_INLINE uint32_t probe_length(const HostView *view, uint32_t kind, uint32_t slot,
                                  uint64_t hash) {
    if (slot == view->ref.slotCount) {
        return 1;
    }
    const uint32_t home = host_home(view, kind, hash);
    return slot - home + (slot < home ? view->ref.slotCount : 0) + 1;
}

static uint32_t bucket_of(uint32_t length) {
    uint32_t bucket = 0;
    while (length >>= 1) {
        ++bucket;
    }
    return bucket;
}

HOST_INLINE void sum_slots(const HostView *view, uint32_t kind, MurStats *stats) {
    for (uint64_t i = 0; i <= view->ref.slotCount; ++i) {
        const uint32_t slot = (uint32_t)i;
        const HostSlot seen = host_read(kind, host_any_slot(view, kind, slot));
        if (seen.value != view->none) {
            const uint32_t length = probe_length(view, kind, slot, seen.hash);
            ++stats->live;
            stats->probeSum += length;
            stats->probeMax = length > stats->probeMax ? length : stats->probeMax;
            ++stats->probeHistogram[bucket_of(length)];
        } else if (seen.hash != MUR_EMPTY) {
            ++stats->erased;
        } else {
            ++stats->free;
        }
    }
}

void murHostStats(const MurHostTable *pTable, MurStats *pStats) {
    const HostView view = host_view(pTable);
    *pStats = (MurStats){
        .state = atomic_load_explicit(host_state(&view), memory_order_relaxed),
        .full = host_counter(&view, MUR_HEADER_FULL),
        .refused = host_counter(&view, MUR_HEADER_REFUSED),
    };
    HOST_BY_KIND(host_kind(&view), { sum_slots(&view, KIND, pStats); })
}
