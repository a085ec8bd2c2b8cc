/* Murmuration, optional: slots of erased keys serve other keys where they are, without moving a
 * key.
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

/* Takes the slots from erased keys, where they are. Those that lie on no present key's way from its
 * home slot to where it lives become free, as murCmdClear leaves them; the others become *holes*:
 * any key's insert may claim one, and probes go on behind it. Holes that have come to lie on
 * nobody's way become free. The table is made for murUseReclaim(). pReclaim may be NULL.
 *
 * For keys that come and go: with 30% of the keys replaced by fresh ones and a call in each frame,
 * a table needs no compaction. After 10,000 frames, and after 200, of 20,000 slots of capacity:
 *
 *     keys, of the capacity    0.5    0.6    0.7    0.8
 *     holes, of the slots      8%     11%    13%    13%
 *     mean probe               2.0    2.5    3.4    5.2     before: 1.5, 1.8, 2.2, 3.0
 *     longest probe            35     61     139    300
 *
 * Up to a load of 0.7 is recommended. Inserts of new keys that meet a hole look on up to a free
 * slot before they claim it, as a find of an absent key does. murCmdCompact still makes finds
 * faster.
 *
 *   Results  no key moves, and MUR_STATE_* stays as it is. Forget slots of erased keys: they are
 *            nobody's. In a table in order (MUR_STATE_ORDERED) slots that cannot be freed stay
 *            their erased keys' instead, until an insert has ended the order and the next call
 *            comes. With a probeLimit up to 16,384 murHostReclaim frees the same; above it, slots
 *            with no free one among the next 16,384 may become holes all the same.
 *   Beside   nothing.
 *   Records  one; two with a result. They read the table about once. */
MUR_API VkResult murCmdReclaim(VkCommandBuffer cmd, MurTable table, const MurReclaim *pReclaim);

#ifdef __cplusplus
}
#endif
#endif
