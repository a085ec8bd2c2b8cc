/* Murmuration, optional: a table as a cache. What has not been touched for some frames goes, or all
 * but the youngest entries; payload lies in arrays of yours that slots index, and never moves.
 *
 * A cache keeps, beside the table, an array of 32-bit words, indexed by slot: the frame in which
 * the entry was touched last, an entry's age. Shaders that find or insert an entry touch it, with
 * the slot they were given (murmuration.glsl, MUR_AGES):
 *
 *     mur_insert(push.table, key, 1u, slot);
 *     mur_touch(push.ages, slot, push.frame);
 *
 * and once a frame murCmdAge erases what is too old, frees what it can, and lists what is left, for
 * an indirect dispatch over the entries. All else (queues, barriers, cost, errors) as murmuration.h
 * says of all commands.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_AGE_H
#define MURMURATION_AGE_H

#include <murmuration/reclaim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum MurAgeFlagBits {
    /* At most maxEntries entries stay. */
    MUR_AGE_YOUNGEST = 1
} MurAgeFlagBits;
typedef uint32_t MurAgeFlags;

/* Bytes of MurAge.scratch. */
#define MUR_AGE_SCRATCH_SIZE (4u * (1u + MUR_AGE_BINS))

typedef struct MurAge {
    const void *pNext;
    /* Required; read and written: a word for each slot index, slotCount + MUR_EXTRA_SLOTS(format)
     * of them. What it holds before the first call does not matter if the table is empty then. */
    MurArray ages;
    /* The current frame, in any unit that mur_touch is given too. It may wrap: the age of an entry
     * is frame - word modulo 2^32. UINT32_MAX is MUR_AGE_UNTOUCHED: what is touched in the frame of
     * that number counts as touched in that of the next call. */
    uint32_t frame;
    /* Entries older than this go. 0: all that were not touched in this frame; UINT32_MAX: none. A
     * word ahead of frame is very old. */
    uint32_t maxAge;
    MurAgeFlags flags;
    /* With MUR_AGE_YOUNGEST: of the entries that maxAge leaves, the youngest stay, never more than
     * so many. Entries of one age stay or go together, so fewer may stay: as many as are of the
     * youngest ages whose entries all fit. Ages from MUR_AGE_BINS - 1 on count as one age. */
    uint32_t maxEntries;
    /* Optional; written: the slots of the first maxLive entries that stay, in any order. */
    MurArray live;
    uint32_t maxLive;
    /* Entries that a workgroup of yours takes, for MurAgeResult.dispatch. 0: none will run. */
    uint32_t groupEntries;
    /* Optional; written: the slots of the first maxErased entries that went, in any order: their
     * payload is nobody's. */
    MurArray erased;
    uint32_t maxErased;
    /* Required with live and with erased; written: a MurAgeResult. Its first words are the
     * arguments of vkCmdDispatchIndirect for the elements that live has: x * y workgroups, z is 1,
     * x at most 65535 and y more than 1 only where x is 65535, so that any device takes them. Your
     * shader's workgroup is gl_WorkGroupID.y * 65535 + gl_WorkGroupID.x, and it must look where the
     * list ends: after min(MurAgeResult.live, maxLive) elements. Needs
     * VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT for that, and a barrier from MUR_EXIT_* to
     * VK_ACCESS_INDIRECT_COMMAND_READ_BIT in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT. */
    MurArray result;
    /* With MUR_AGE_YOUNGEST: required; MUR_AGE_SCRATCH_SIZE bytes for the command's own use. */
    MurArray scratch;
} MurAge;

/* Erases entries by age, and frees slots as murCmdReclaim does. The table is made for
 * murUseReclaim(). Not for tables with many values a key, whose entries belong together.
 *
 *   Results  an entry that stays keeps slot, value and age. The words of all slots without an
 *            entry are MUR_AGE_UNTOUCHED afterwards, so that a new one inherits no age: an entry
 *            with that word counts as touched in this frame, and has frame as its word from then
 *            on. Slots of erased entries are listed whatever becomes of them (MurReclaimResult):
 *            the next key may get any of them.
 *   Beside   nothing.
 *   Records  one; two with a result; three with MUR_AGE_YOUNGEST. They read table and ages about
 *            once, with MUR_AGE_YOUNGEST twice, and write what changes. */
MUR_API VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge);

#ifdef __cplusplus
}
#endif
#endif
