/* SPDX-License-Identifier: MIT */
#include "paged_shape.h"

#include "size.h"

enum {
    DEFAULT_PROBE_LIMIT = 128,
    DEFAULT_PENDING = 65536,
    LEAVES_A_PAGE = 8,
    STATE_ALIGNMENT = MUR_TABLE_ALIGNMENT
};
#define MOST_PENDING (1u << 24)
#define MOST_LEAVES  (2u * MUR_PAGED_INDEX)

MurTableCreateInfo mur_paged_page_info(const MurPagedTableCreateInfo *info) {
    return (MurTableCreateInfo){
        .seed = info->seed,
        .reservedValue = info->reservedValue,
        .atomicWidth = info->atomicWidth,
        .format = info->format,
    };
}

const char *mur_bad_paged_info(const MurPagedTableCreateInfo *info, uint32_t pageCount) {
    return info->pNext                         ? "pNext is not NULL"
           : info->format >= MUR_FORMAT_COUNT  ? "format is not one that paged tables have"
           : info->locality > MUR_PAGE_BY_HASH ? "locality is unknown"
           : info->shift > (MUR_IS_64(info->format) ? 63u : 31u)
               ? "shift is not 0 to 31, or 63 for 64-bit keys"
           : info->basePages > 1 && info->locality != MUR_PAGE_BY_HASH
               ? "basePages is for MUR_PAGE_BY_HASH"
           : info->basePages > pageCount     ? "basePages is more than the pager's pages"
           : pageCount > MUR_PAGED_INDEX     ? "the pager has more than 16777215 pages"
           : info->maxPending > MOST_PENDING ? "maxPending is more than 16777216"
           : info->maxLeaves > MOST_LEAVES   ? "maxLeaves is more than 33554430"
           : info->maxLeaves && info->maxLeaves < info->basePages
               ? "maxLeaves is less than basePages"
               : NULL;
}

static uint32_t leaves_of(const MurPagedTableCreateInfo *info, uint64_t pages) {
    uint64_t leaves = info->maxLeaves ? info->maxLeaves : LEAVES_A_PAGE * pages;
    leaves = leaves < MOST_LEAVES ? leaves : MOST_LEAVES;
    return (uint32_t)((leaves + 7) / 8 * 8);
}

MurPagedDescription mur_describe_paged(const MurPagedTableCreateInfo *info, MurPagerRef pager,
                                       uint32_t flags, bool kept) {
    const uint32_t capacity = mur_page_capacity(1u << pager.pageShift, info->format);
    const uint32_t slotCount = mur_slot_count(capacity, info->format);
    const bool hashed = info->locality == MUR_PAGE_BY_HASH;
    const uint32_t pending = info->maxPending ? info->maxPending : DEFAULT_PENDING;
    /* Each group has a page, or waits for one with an entry of the log. */
    const uint32_t groups = hashed ? 1 : pager.pageCount + pending;
    MurPagedDescription is = {.ref = {.pager = pager,
                                      .groupCapacity = groups,
                                      .groupSlots = mur_slot_count(groups, MUR_FORMAT_K32V32),
                                      .capacity = capacity,
                                      .slotCount = slotCount,
                                      .seed = info->seed,
                                      .probeSectors = mur_probe_sectors(
                                          info->probeLimit ? info->probeLimit : DEFAULT_PROBE_LIMIT,
                                          slotCount, info->format),
                                      .flags = flags,
                                      .maxPending = pending,
                                      .maxLeaves = leaves_of(info, pager.pageCount),
                                      .basePages = info->basePages ? info->basePages : 1,
                                      .locality = (uint32_t)info->locality << 8 | info->shift,
                                      .mask = info->mask ? info->mask : UINT32_MAX}};
    is.ref.state = (mur_table_size(is.ref.groupSlots, MUR_FORMAT_K32V32) + STATE_ALIGNMENT - 1) /
                   STATE_ALIGNMENT * STATE_ALIGNMENT;
    is.keptBytes = is.ref.state + 4ull * mur_paged_frames_at(is.ref.maxLeaves, pending);
    if (kept) {
        is.keptPages = (uint32_t)(((is.keptBytes - 1) >> pager.pageShift) + 1);
    }
    /* At least one is the table's pages': who checks the description says no to the others. */
    is.ref.pager.pageCount -= is.keptPages < pager.pageCount ? is.keptPages : 0;
    return is;
}
