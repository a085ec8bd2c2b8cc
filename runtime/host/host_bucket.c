/* Functions of bucketed tables. Their loops are compiled once for all table types.
 * SPDX-License-Identifier: MIT */
#include "host_mirror.h"

uint32_t mur_find_own(const HostView *view, uint64_t hash, bool filtered) {
    const uint32_t kind = host_kind(view) | MUR_TABLE_BUCKETS;
    const HostStored stored = host_stored(kind, hash);
    const uint32_t buckets[] = {host_home(view, kind, hash), host_second(view, kind, hash)};
    for (uint32_t i = 0; i < 2; ++i) {
        for (uint32_t slot = buckets[i]; slot < buckets[i] + MUR_BUCKET_SLOTS; ++slot) {
            const HostAt at = host_slot(view, kind, slot);
            if (host_is_own(kind, at, host_key_words(kind, at), stored)) {
                return slot;
            }
        }
        if (filtered && !host_may_be_in_second(view, kind, hash)) {
            break;
        }
    }
    return MUR_NO_SLOT;
}

void murHostRebuildFilter(const MurHostTable *pTable) {
    const HostView view = host_view(pTable);
    const uint32_t kind = host_kind(&view), slots = view.ref.slotCount;
    mur_host_mark_all(pTable); /* all calls that write whole tables call this function */
    if (!host_evicts(kind)) {
        return;
    }
    atomic_store_explicit(host_state(&view), 0, memory_order_relaxed);
    for (uint32_t i = 0; i < 2 * MUR_FILTER_WORDS(slots); ++i) {
        atomic_store_explicit(host_filter(&view, i), 0, memory_order_relaxed);
    }
    for (uint32_t slot = 0; slot < slots + 4; ++slot) { /* also sentinel slots and unused ages */
        HostSlot seen = {.value = view.none};
        if (slot < host_slots(&view, kind)) {
            seen = host_read_any(&view, kind, slot);
        }
        if (seen.value == view.none) {
            host_forget_age(&view, kind, slot);
        }
        if (slot < slots && seen.value == view.none) {
            host_put_free(&view, kind, slot);
        } else if (slot < slots && !host_is_in_first(&view, kind, seen.hash, slot)) {
            host_note_second(&view, kind, seen.hash);
        }
    }
}
