/* Builds value groups in host memory, without additional memory. The table first maps a key to the
 * number of its values (the empty value: none), then to the offset of its group. The first word of
 * a group counts the values that were written.
 * SPDX-License-Identifier: MIT */
#include "host_move.h"

#include "../types/types.h"

#include <murmuration/group.h>
#include <murmuration/host_group.h>

enum { GROUP_CHUNK = 256 }; /* pairs processed at a time */

static size_t group_chunk_at(size_t count, size_t first) {
    return count - first < GROUP_CHUNK ? count - first : GROUP_CHUNK;
}

static const void *keys_at(const HostView *view, const void *keys, size_t first) {
    return (const uint8_t *)keys + (host_has_wide_keys(host_kind(view)) ? 8 : 4) * first;
}

static HostWord *group_value_word(const HostView *view, uint32_t slot) {
    const uint32_t kind = host_kind(view);
    return host_value_word(kind, host_any_slot(view, kind, slot));
}

/* Counts the values of every key that found a slot in the table. */
static void count_keys(const MurHostTable *table, size_t count, const void *keys) {
    const HostView view = host_view(table);
    uint32_t ones[GROUP_CHUNK], statuses[GROUP_CHUNK], slots[GROUP_CHUNK];
    for (uint32_t i = 0; i < GROUP_CHUNK; ++i) {
        ones[i] = (uint32_t)view.none + 1;
    }
    for (size_t first = 0; first < count; first += GROUP_CHUNK) {
        const size_t some = group_chunk_at(count, first);
        murHostInsertBatch(table, MUR_MODE_INSERT, some, keys_at(&view, keys, first), ones, NULL,
                           statuses, slots);
        for (size_t i = 0; i < some; ++i) {
            if (statuses[i] == MUR_EXISTED) {
                atomic_fetch_add_explicit(group_value_word(&view, slots[i]), 1,
                                          memory_order_relaxed);
            }
        }
    }
}

/* Replaces the number of values of each key by the offset of its group. If a group does not fit,
 * its values count as failed inserts, and the key becomes absent. */
static void give_places(const HostView *view, uint32_t *groups, size_t words) {
    const uint32_t kind = host_kind(view);
    uint32_t needed = 1;
    for (uint32_t slot = 0; slot < host_slots(view, kind); ++slot) {
        const uint64_t value = host_read_any(view, kind, slot).value;
        if (value == view->none) {
            continue;
        }
        const uint32_t count = (uint32_t)value - (uint32_t)view->none, place = needed;
        needed += 1 + count;
        const bool fits = needed <= words;
        atomic_store_explicit(group_value_word(view, slot), fits ? place : (uint32_t)view->none,
                              memory_order_relaxed);
        if (fits) {
            groups[place] = 0;
        } else {
            atomic_fetch_add_explicit(
                host_pair(view->header + 4 * (size_t)MUR_HEADER_FAILED_INSERTS), count,
                memory_order_relaxed);
        }
    }
    groups[0] = needed;
}

static void place_values(const MurHostTable *table, size_t count, const void *keys,
                         const uint32_t *values, uint32_t *groups) {
    const HostView view = host_view(table);
    uint32_t places[GROUP_CHUNK], statuses[GROUP_CHUNK];
    for (size_t first = 0; first < count; first += GROUP_CHUNK) {
        const size_t some = group_chunk_at(count, first);
        murHostFindBatch(table, some, keys_at(&view, keys, first), places, statuses, NULL);
        for (size_t i = 0; i < some; ++i) {
            if (statuses[i] == MUR_FOUND) {
                uint32_t *group = groups + places[i];
                group[++group[0]] = values[first + i];
            }
        }
    }
}

VkResult murHostGroup(const MurHostTable *pTable, size_t count, const void *pKeys,
                      const uint32_t *pValues, uint32_t *pGroups, size_t groupWords) {
    if (!pTable || !mur_can(mur_type_of(pTable->ref.flags), MUR_TYPE_GROUPS) ||
        count > MUR_MAX_GROUPED || !pGroups || groupWords == 0 ||
        (count != 0 && (!pKeys || !pValues))) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    murHostClear(pTable);
    count_keys(pTable, count, pKeys);
    const HostView view = host_view(pTable);
    give_places(&view, pGroups, groupWords);
    place_values(pTable, count, pKeys, pValues, pGroups);
    return VK_SUCCESS;
}
