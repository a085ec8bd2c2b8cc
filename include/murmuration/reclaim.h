/* Murmuration, optional: slots of erased keys become free where they are, without moving a key.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_RECLAIM_H
#define MURMURATION_RECLAIM_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The use of tables that murCmdReclaim is for (MurTableCreateInfo.uses). */
MUR_API MurUse murUseReclaim(void);

typedef struct MurReclaim {
    const void *pNext;
    uint32_t maxCount; /* elements that slots holds */
    MurArray slots;    /* optional; written: the first maxCount slots that became free, any order */
    /* Required with slots; written: a MurReclaimResult, whose first word is a countAddress. */
    MurArray result;
} MurReclaim;

/* Frees slots of erased keys where they are: those that lie on no present key's way from its home
 * slot to where it lives. The table is made for murUseReclaim(). pReclaim may be NULL. It puts
 * compaction off, and does not replace it: with 30% of the keys replaced by fresh ones and a call
 * in each frame, slots that stay come to 1% of the capacity at a load of 0.1; from 0.15 on they
 * take over the table, 1.5 to 3 times as late as without. MurReclaimResult.kept tells.
 *
 *   Results  no key moves, and MUR_STATE_* stays as it is. A freed slot is as murCmdClear leaves
 *            it, so forget slots of erased keys. With a probeLimit up to 16,384 murHostReclaim
 *            frees the same; above it, slots with no free one among the next 16,384 may stay.
 *   Beside   nothing.
 *   Records  one; two with a result. They read the table about once. */
MUR_API VkResult murCmdReclaim(VkCommandBuffer cmd, MurTable table, const MurReclaim *pReclaim);

#ifdef __cplusplus
}
#endif
#endif
