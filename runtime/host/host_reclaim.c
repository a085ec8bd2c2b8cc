/* Host tables: freeing slots of erased keys where they are, and making holes of the others. Which
 * ones is said in shaders/kernels/whole/reclaim.glsl.
 *
 * SPDX-License-Identifier: MIT */
#include "host_slot.h"

#define NONE UINT64_MAX

typedef struct Reclaim {
    HostView view;
    uint32_t maxCount;
    uint32_t *slots;
    MurReclaimResult result;
} Reclaim;

/* The least home of the keys that live before their homes: such a key crosses all slots from there
 * to the table's end. They are in the cluster that goes on from the end to the start. */
HOST_INLINE uint64_t wrapped_home(const HostView *view, uint32_t kind) {
    uint64_t least = NONE;
    for (uint32_t slot = 0; slot < view->ref.slotCount; ++slot) {
        const HostSlot seen = host_read(view, kind, slot);
        const uint32_t home = host_home(view, kind, seen.hash);
        if (!seen.claimed && !seen.hole && seen.value == view->none) {
            break;
        }
        if (slot < home && home < least && seen.value != view->none) {
            least = home;
        }
    }
    return least;
}

HOST_INLINE void free_slot(Reclaim *reclaim, uint32_t kind, uint32_t slot) {
    host_put_free(&reclaim->view, kind, slot);
    if (reclaim->slots && reclaim->result.freed < reclaim->maxCount) {
        reclaim->slots[reclaim->result.freed] = slot;
    }
    ++reclaim->result.freed;
}

/* Finds in an ordered table go by every hash. */
HOST_INLINE void keep_slot(Reclaim *reclaim, uint32_t kind, uint32_t slot, HostSlot seen) {
    if (!seen.hole && !host_ordered(&reclaim->view)) {
        host_put_hole(&reclaim->view, kind, slot);
    }
    ++reclaim->result.kept;
}

/* From the end to the start, with the least home of what lies behind. */
HOST_INLINE void free_slots(Reclaim *reclaim, uint32_t kind) {
    const HostView *view = &reclaim->view;
    uint64_t least = wrapped_home(view, kind);
    for (uint32_t slot = view->ref.slotCount; slot-- != 0;) {
        const HostSlot seen = host_read(view, kind, slot);
        const uint32_t home = host_home(view, kind, seen.hash);
        if (seen.value != view->none) {
            const uint32_t from = slot < home ? 0 : home;
            least = from < least ? from : least;
        } else if ((seen.claimed || seen.hole) && least > slot) {
            free_slot(reclaim, kind, slot);
        } else if (seen.claimed || seen.hole) {
            keep_slot(reclaim, kind, slot, seen);
        }
    }
}

void murHostReclaim(const MurHostTable *pTable, uint32_t maxCount, uint32_t *pSlots,
                    MurReclaimResult *pResult) {
    Reclaim reclaim = {.view = host_view(pTable), .maxCount = maxCount, .slots = pSlots};
    HOST_BY_KIND(host_kind(&reclaim.view), { free_slots(&reclaim, KIND); })
    if (pResult) {
        *pResult = reclaim.result;
    }
}
