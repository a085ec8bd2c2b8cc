/* Host tables: images of layout version 1, which knew no holes. The key whose hash is a hole's
 * marker lived in a slot like any other, and a set's second extra slot was what is now its third.
 *
 * SPDX-License-Identifier: MIT */
#include "host_move.h"

bool mur_host_upgrade_header(MurTableHeader *header) {
    if (header->version != 1) {
        return false;
    }
    const uint32_t none = header->flags & MUR_TABLE_ZERO ? 0 : UINT32_MAX;
    uint32_t *words = header->extra;
    header->version = MUR_LAYOUT_VERSION;
    switch (MUR_TABLE_FORMAT(header->flags)) {
    case MUR_FORMAT_K32V32:
        words[2] = MUR_HOLE;
        words[3] = none;
        break;
    case MUR_FORMAT_K64V64:
        words[4] = words[5] = MUR_HOLE;
        words[6] = words[7] = none;
        break;
    case MUR_FORMAT_K32:
    case MUR_FORMAT_K64:
        words[2] = words[1];
        words[1] = 0;
        break;
    default:
        break;
    }
    return true;
}

HOST_INLINE bool move_to_extra(const HostView *view, uint32_t kind, HostSlot *slot) {
    const uint64_t value = host_is_set(kind) ? 1 : slot->value;
    uint8_t *at = host_extra_slot(view, kind, 1);
    if (host_is_set(kind)) {
        atomic_store_explicit(host_word(at, 0), 1, memory_order_relaxed);
    } else {
        host_put_words(kind, at, host_stored(kind, host_hole_words(kind)), value);
    }
    slot->value = view->none;
    slot->broken = false;
    return value != view->none;
}

bool mur_host_upgrade_slot(const HostView *view, HostSlot *slot) {
    if (!slot->hole) {
        return false;
    }
    atomic_fetch_and_explicit(host_state(view), ~MUR_STATE_ORDERED, memory_order_relaxed);
    HOST_BY_KIND(host_kind(view), { return move_to_extra(view, KIND, slot); })
}
