/* Murmuration, optional: groups (group.h) in host memory (host.h).
 *
 *     for (MurHostEntry entry = {0}; murHostNextEntry(&table, &entry);) {
 *         const uint32_t *group = groups + entry.value;
 *         ... entry.key has group[0] values: group[1] ... group[group[0]]
 *     }
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HOST_GROUP_H
#define MURMURATION_HOST_GROUP_H

#include <murmuration/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Replaces the table's content by one entry a distinct key, whose value is where in pGroups the
 * key's group begins: its count, then its values, next to each other. As murCmdGroup: the same
 * sets, in an unspecified order, and the same treatment of a group that does not fit, in the table
 * or in pGroups: the whole group is left out, its key too, and MurStats.failedInserts counts its
 * pairs.
 *
 * count: pairs, at most MUR_MAX_GROUPED; 0 clears the table. pKeys: uint32_t or uint64_t, as the
 * type has them. pValues: any. pGroups, of groupWords words, at least one: word 0 is written with
 * the words that the groups of all keys in the table need, itself included; 2 * count + 1 are
 * always enough.
 *
 * Wants the image to itself. MUR_ERROR_INVALID_ARGUMENT, and nothing is changed: NULL, too many
 * pairs, no word, or a table of a type other than K32V32 and K64V32. */
MUR_API VkResult murHostGroup(const MurHostTable *pTable, size_t count, const void *pKeys,
                              const uint32_t *pValues, uint32_t *pGroups, size_t groupWords);

#ifdef __cplusplus
}
#endif
#endif
