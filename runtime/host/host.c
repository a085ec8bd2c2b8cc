/* Host tables: table memory, and operations on whole tables.
 * SPDX-License-Identifier: MIT */
#include "host_move.h"
#include "../base/try.h"

#include "../types/types.h"

#include <string.h>

static VkResult describe_image(const MurTableCreateInfo *info, MurShape *table) {
    MUR_TRY(info && !info->pNext ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    MUR_TRY(mur_describe(info, true, NULL, table));
    return table->bytes <= SIZE_MAX ? VK_SUCCESS : MUR_ERROR_TOO_LARGE;
}

VkResult murHostGetImageSize(const MurTableCreateInfo *pCreateInfo, uint64_t *pSize) {
    MurShape table;
    MUR_TRY(describe_image(pCreateInfo, &table));
    MUR_TRY(pSize ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT);
    *pSize = table.bytes;
    return VK_SUCCESS;
}

static bool is_aligned(const void *image) {
    return image && (uintptr_t)image % MUR_HOST_ALIGNMENT == 0;
}

VkResult murHostCreate(const MurTableCreateInfo *pCreateInfo, void *pImage, uint64_t size,
                       MurHostTable *pTable) {
    MurShape table;
    MUR_TRY(describe_image(pCreateInfo, &table));
    if (!pTable || !is_aligned(pImage) || size < table.bytes) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    *pTable = (MurHostTable){.pImage = pImage, .ref = table.ref};
    murHostClear(pTable);
    return VK_SUCCESS;
}

/* Returns whether a header's sentinel slots have valid words. */
static bool are_extra_slots(const MurTableHeader *header) {
    const uint32_t *words = header->extra, format = MUR_TABLE_FORMAT(header->flags);
    if (MUR_IS_SET(format)) { /* words are 1 if the key is present, else 0 */
        const uint32_t most = MUR_EXTRA_SLOTS(format) != 0;
        return words[0] <= most && words[1] <= most;
    }
    return MUR_SLOT_FORMAT(format) == MUR_FORMAT_K64V32 ||
           (words[0] == MUR_EMPTY && (!MUR_HAS_WIDE_VALUES(format) || words[1] == MUR_EMPTY));
}

uint32_t mur_host_states(uint32_t flags) {
    return mur_can(mur_type_of(flags), MUR_TYPE_EVICTS) ? MUR_STATE_FILTER
                                                        : MUR_STATE_ORDERED | MUR_STATE_WRAPPED;
}

VkResult mur_host_check_header(const MurTableHeader *header, uint64_t size) {
    if (header->magic != MUR_LAYOUT_MAGIC) {
        return MUR_ERROR_CORRUPT;
    }
    if (header->version != MUR_LAYOUT_VERSION) {
        return MUR_ERROR_VERSION;
    }
    const uint32_t flags = header->flags;
    if (header->capacity == 0 || header->capacity > mur_max_capacity(flags) ||
        !mur_flags_valid(flags) || header->slotCount != mur_slot_count(header->capacity, flags) ||
        mur_table_size(header->slotCount, flags) > size ||
        (header->state & ~mur_host_states(flags)) != 0 || !are_extra_slots(header) ||
        header->probeSectors < mur_probe_sectors(1, header->slotCount, flags) ||
        header->probeSectors > mur_probe_sectors(UINT64_MAX, header->slotCount, flags)) {
        return MUR_ERROR_CORRUPT;
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
        return MUR_ERROR_CORRUPT;
    }
    /* The header is copied before the checks, so that no other thread changes checked values. */
    MurTableHeader header;
    memcpy(&header, pImage, sizeof header);
    MUR_TRY(mur_host_check_header(&header, size));
    *pTable = (MurHostTable){.pImage = pImage, .ref = mur_host_ref(&header)};
    return VK_SUCCESS;
}

MurTableHeader mur_host_empty_header(const HostView *view) {
    const uint32_t format = MUR_TABLE_FORMAT(view->ref.flags), none = (uint32_t)view->none;
    MurTableHeader header = {
        .magic = MUR_LAYOUT_MAGIC,
        .version = MUR_LAYOUT_VERSION,
        .capacity = view->ref.capacity,
        .slotCount = view->ref.slotCount,
        .seed = view->ref.seed,
        .flags = view->ref.flags & ~HOST_MARKED,
        .probeSectors = view->ref.probeSectors,
    };
    if (MUR_HAS_WIDE_VALUES(format)) {
        memcpy(header.extra, (const uint32_t[]){MUR_EMPTY, MUR_EMPTY, none, none}, 16);
    } else if (format == MUR_FORMAT_K32V32) {
        memcpy(header.extra, (const uint32_t[]){MUR_EMPTY, none}, 8);
    }
    return header;
}

void murHostClear(const MurHostTable *pTable) {
    const HostView view = host_view(pTable);
    const MurTableHeader header = mur_host_empty_header(&view);
    memcpy(view.header, &header, sizeof header);
    HOST_BY_KIND(host_kind(&view), {
        for (uint32_t slot = 0; slot < view.ref.slotCount; ++slot) {
            host_put_free(&view, KIND, slot);
        }
    })
    if (host_evicts(host_kind(&view))) {
        memset(view.header + 4 * (size_t)host_counter_at(&view, 0), 0,
               sizeof(uint32_t) * MUR_COUNTERS * MUR_COUNTER_WORDS);
    }
    murHostRebuildFilter(pTable);
}

HOST_INLINE bool next_entry(const HostView *view, uint32_t kind, MurHostEntry *entry) {
    for (uint64_t slot = entry->next; slot < host_slots(view, kind); ++slot) {
        const HostSlot seen = host_read_any(view, kind, (uint32_t)slot);
        if (seen.value != view->none) {
            *entry = (MurHostEntry){
                .key = host_key(kind, seen.hash, mur_index_seed(view->ref.seed, seen.index)),
                .value = seen.value,
                .slot = (uint32_t)slot,
                .next = (uint32_t)slot + 1,
                .index = seen.index,
            };
            return true;
        }
    }
    entry->next = (uint32_t)host_slots(view, kind);
    return false;
}

VkBool32 murHostNextEntry(const MurHostTable *pTable, MurHostEntry *pEntry) {
    const HostView view = host_view(pTable);
    HOST_BY_KIND(host_kind(&view), { return next_entry(&view, KIND, pEntry); })
}

/* Returns the number of slots, or homes, that a find of the entry in this slot reads. A find of a
 * sentinel slot reads only that slot. */
HOST_INLINE uint32_t probe_length(const HostView *view, uint32_t kind, uint32_t slot,
                                  uint64_t hash) {
    if (slot >= view->ref.slotCount) {
        return 1;
    }
    if (host_evicts(kind)) {
        return host_is_in_first(view, kind, hash, slot) ? 1 : 2;
    }
    const uint32_t home = host_home(view, kind, hash);
    return slot - home + (slot < home ? view->ref.slotCount : 0) + 1;
}

static uint32_t log2_of_length(uint32_t length) {
    uint32_t shift = 0;
    while (length >>= 1) {
        ++shift;
    }
    return shift;
}

HOST_INLINE void sum_slots(const HostView *view, uint32_t kind, MurStats *stats) {
    const uint32_t each = MUR_HOME_SLOTS(host_evicts(kind));
    uint32_t claimed = 0; /* claimed slots with the current home so far */
    for (uint64_t i = 0; i < host_slots(view, kind); ++i) {
        const uint32_t slot = (uint32_t)i;
        const HostSlot seen = host_read_any(view, kind, slot);
        claimed = slot % each == 0 ? seen.claimed : claimed + seen.claimed;
        if (host_evicts(kind) && slot % each == each - 1) {
            ++stats->probeHistogram[claimed];
        }
        if (seen.value != view->none) {
            const uint32_t length = probe_length(view, kind, slot, seen.hash);
            ++stats->live;
            stats->probeSum += length;
            stats->probeMax = length > stats->probeMax ? length : stats->probeMax;
            stats->probeHistogram[log2_of_length(length)] += !host_evicts(kind);
        } else if (seen.claimed) {
            ++stats->erased;
        } else {
            ++stats->freeSlots;
        }
    }
}

void murHostStats(const MurHostTable *pTable, MurStats *pStats) {
    const HostView view = host_view(pTable);
    *pStats = (MurStats){
        .state = atomic_load_explicit(host_state(&view), memory_order_relaxed),
        .failedInserts = host_counter(&view, MUR_HEADER_FAILED_INSERTS),
        .invalidValues = host_counter(&view, MUR_HEADER_INVALID_VALUES),
    };
    for (uint32_t i = 0; host_evicts(host_kind(&view)) && i < MUR_COUNTERS; ++i) {
        pStats->failedInserts += host_counter(&view, host_counter_at(&view, i));
    }
    HOST_BY_KIND(host_kind(&view), { sum_slots(&view, KIND, pStats); })
}
