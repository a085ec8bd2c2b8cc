/* Murmuration, optional: tables in buckets, for caches. A key lives in one of two buckets of 16
 * slots, which a lookup reads whole, the second only where a filter says so: time is bounded at any
 * load, and what is freed is free. In exchange an insert may report MUR_FULL although slots
 * elsewhere are free. Of random keys that fill an empty table, 3.8 of a million are rejected up to
 * a load of 0.5, 0.21% up to 0.75, 1.9% up to 0.9 (measured for all formats, in one batch and in
 * many).
 *
 * Such a table has MurTableCreateInfo.flags = MUR_TABLE_BUCKETS and one of the formats K32V32,
 * K64V32, K32 or K64 (here with 32-bit atomics, too). capacity, at most 2^29, becomes slotCount:
 * the next multiple of 128. Its memory is 2304 bytes, and a slot: K32 4, K32V32 8, K64 8, or 12
 * with 32-bit atomics, K64V32 16; 0.25 for the filters; with MUR_TABLE_AGES 4, and 16 more in all.
 * probeLimit says nothing. Its code is linked by MurContextCreateInfo.formats. Shaders define
 * MUR_BUCKETS. It offers what is in murmuration.h but for murCmdBuild, and as a destination
 * murCmdRehash, murCmdMerge, murCmdCompact; out of it murCmdRehash and murCmdMerge lead into other
 * tables. It cannot grow. So its uses are without murUseBuild() and murUseRehash(): only the
 * destination of a command needs the latter.
 *
 * Erasing leaves the slot closed: nobody else's until a pass frees it. A pass goes over all slots
 * and frees them or lets their entries stay: murCmdAge, murCmdRebuildFilter, or the engine's own
 * shader, which ages its payload, evicts and resolves in one reading of the table (mur_free and
 * mur_stay of murmuration.glsl). murCmdErase with MUR_BATCH_EXCLUSIVE frees at once.
 *
 * The filter: 16 bits a bucket tell whether keys of it live in their second one. Passes, erases and
 * inserts never miss a bit; bits that are no longer needed cost lookups time until the filter is
 * made anew. Half the entries replaced is a good time for that.
 *
 * All else (queues, barriers, cost, errors) as murmuration.h says of all commands.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_BUCKETS_H
#define MURMURATION_BUCKETS_H

#include <murmuration/murmuration.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For MurContextCreateInfo.formats: the code of tables in buckets. */
MUR_API MurFormatCode murBucketsK32V32(void);
MUR_API MurFormatCode murBucketsK64V32(void);
MUR_API MurFormatCode murBucketsK32(void);
MUR_API MurFormatCode murBucketsK64(void);

/* Around a pass of the engine's in which each slot, slotCount and its extra slots, is given to
 * mur_free or to mur_stay: the first clears the filter that does not count, the second makes it the
 * one that counts. Nobody inserts from the pass on until the second has executed: of what comes in
 * between the new filter would know nothing. Between the three of them lies murCmdBarrier.
 *
 *   Beside   murCmdBeginFilter: any operation of the contract. murCmdEndFilter: nothing.
 *   Records  one. */
MUR_API VkResult murCmdBeginFilter(VkCommandBuffer cmd, MurTable table);
MUR_API VkResult murCmdEndFilter(VkCommandBuffer cmd, MurTable table);

/* Frees the slots of erased keys and makes the filter anew, for who has no pass.
 *
 *   Beside   nothing.
 *   Records  three. */
MUR_API VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table);

/* Written by murCmdAge. Groups are arguments of vkCmdDispatchIndirect for the elements that a list
 * has: x * y workgroups, z is 1, x at most 65535 and y more than 1 only where x is 65535, so that
 * any device takes them. A shader's workgroup is gl_WorkGroupID.y * 65535 + gl_WorkGroupID.x, and
 * it must look where the list ends. The buffer needs VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, and a
 * barrier goes from MUR_EXIT_* to VK_ACCESS_INDIRECT_COMMAND_READ_BIT in
 * VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT. */
typedef struct MurAgeResult {
    uint32_t liveGroups[3];
    uint32_t live; /* entries that stay, also those for which the list had no room */
    uint32_t erasedGroups[3];
    uint32_t erased; /* entries that went; likewise */
} MurAgeResult;

typedef struct MurAge {
    const void *pNext;
    /* The current frame, in any unit that mur_touch is given too. It may wrap: the age of an entry
     * is frame - word modulo 2^32. UINT32_MAX is MUR_AGE_UNTOUCHED: what is touched in the frame of
     * that number counts as touched in that of the next call. */
    uint32_t frame;
    /* Entries older than this go. 0: all that were not touched in this frame; UINT32_MAX: none. */
    uint32_t maxAge;
    /* Optional; written: the slots of the first maxLive entries that stay, in any order. Of either
     * list, murGetMaxEntries() elements are always enough; capacity elements may be too few. */
    MurArray live;
    uint32_t maxLive;
    /* Optional; written: the slots of the first maxErased entries that went, in any order: their
     * payload is nobody's. */
    MurArray erased;
    uint32_t maxErased;
    /* Entries that a workgroup of yours takes, for MurAgeResult. 0: none will run. */
    uint32_t groupEntries;
    /* Required with live and with erased; written: a MurAgeResult. */
    MurArray result;
} MurAge;

/* Frees entries by age and the slots of erased keys, and makes the filter anew. The table has
 * MUR_TABLE_AGES: a word for each slot, the frame in which mur_touch was called last. An entry that
 * nobody has touched since it came counts as touched in the frame of the next call. No entry
 * inherits an age: what frees or erases a key resets the word. Ages of a few bits in the engine's
 * own payload take less memory; then the engine's pass frees.
 *
 *   Beside   nothing.
 *   Records  three. */
MUR_API VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge);

#ifdef __cplusplus
}
#endif
#endif
