/* Murmuration, optional: row tables (rows.md of the manual). The keys of a row table are rows of
 * 32-bit words in an array of the engine; the table stores row numbers. Of several equal rows, the
 * table stores only the row that was inserted first.
 *
 * Such a table has MurTableCreateInfo.type murTypeRows(). flags define when rows are equal:
 *   MUR_ROWS(words, stride)  bit for bit. Each row has `words` words, and the next row begins
 *                            stride words after it; 1 <= words <= stride <= MUR_MAX_ROW_WORDS.
 *   0                        by a definition of the engine. Equality must be an equivalence (a
 *                            tolerance is not), and equal rows must have equal hashes.
 * The library passes to the macros and callbacks of the engine only declared row numbers and
 * MUR_ROW_QUERY, so a damaged table causes no read outside of the array. A table is written with
 * 32-bit atomics, has 8 bytes per slot and no sentinel slots. As in sets there are no values, and
 * emptyValue has no effect. The slot of an erased row stays unused until the table is cleared or
 * compacted.
 *
 * Row numbers are below MUR_ROW_QUERY. Write rows in an earlier dispatch, with a barrier after it,
 * and do not change them until the barrier after their erase. The array may move.
 *
 * Growables and these commands support row tables: murCmdClear, murCmdExtract and murCmdEraseWhere
 * (keys are row numbers), murCmdStats, murCmdCompact, and murCmdRehash between tables with the same
 * seed and flags. Other commands reject row tables, and HLSL and WGSL do not support them.
 *
 * In the concurrency contract, equal rows are "the same key": of several inserts one reports
 * MUR_INSERTED, and all report the row of this insert. Everything else is as in murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_ROWS_H
#define MURMURATION_ROWS_H

#include <murmuration/host.h>
#include <murmuration/rows_layout.h>

/* Returns the type, for MurTableCreateInfo.type. Any thread. */
MUR_API MurType murTypeRows(void);

typedef struct MurRowBatch {
    const void *pNext;
    uint32_t maxCount; /* maxCount and countAddress as in MurBatch */
    VkDeviceAddress countAddress;
    /* Required; read: the array of all rows, which the table's row numbers index. Commands read
     * nothing beyond size, even if the table is damaged. Rows at multiples of 16 bytes are faster.
     */
    MurArray rows;
    MurArray rowIndices; /* optional; read: item i is row rowIndices[i]; if absent, row i */
    MurArray probeRows;  /* only for finds; optional; read: item i is row i of this array */
    MurArray matches;    /* optional; written: the equal row in the table, or MUR_NO_ROW */
    MurArray statuses;   /* optional; written */
} MurRowBatch;

/* Inserts rows into a table with MUR_ROWS in flags. Statuses: MUR_INSERTED, MUR_EXISTED, MUR_FULL,
 * MUR_INVALID_VALUE (the row number is out of range); the table counts the last two. One dispatch,
 * concurrent with any operation of the contract. */
MUR_API VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch);
/* Looks rows up in tables with MUR_ROWS; with probeRows, a join. Statuses: MUR_FOUND, MUR_ABSENT.
 */
MUR_API VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch);

/* Rows on the host. This struct alone bounds reads of the array: the table may come from a file. */
typedef struct MurHostRows {
    const uint32_t *pRows;  /* with flags MUR_ROWS(...): the array, at least rowCount rows */
    uint32_t rowCount;      /* required: number of rows in the array, at most MUR_ROW_QUERY */
    uint32_t flags;         /* as in the table's MurTableCreateInfo: MUR_ROWS(...), or 0 */
    const uint32_t *pQuery; /* with flags MUR_ROWS(...): the words of MUR_ROW_QUERY, or NULL */
    /* With flags 0 both are required. They return the same results as the macros in shaders. row
     * and a can be MUR_ROW_QUERY; all other numbers are below rowCount, even in a damaged table. */
    uint32_t(VKAPI_PTR *pfnHash)(void *pUserData, uint32_t row);
    VkBool32(VKAPI_PTR *pfnEqual)(void *pUserData, uint32_t a, uint32_t b);
    void *pUserData;
} MurHostRows;

/* Insert, find or erase a row in host memory (host.h), like the calls in shaders. Any thread.
 * value: the equal row in the table, or MUR_NO_ROW. An insert returns MUR_INVALID_VALUE if the row
 * number is out of range, and MUR_UNSUPPORTED if the table has no rows or other flags than pRows.
 * In both cases finds and erases return MUR_ABSENT. murHostClear, murHostNextEntry, murHostStats,
 * murHostRehash (as above, without a slot map) and snapshots support row tables. */
MUR_API MurHostResult murHostInsertRow(const MurHostTable *pTable, const MurHostRows *pRows,
                                       uint32_t row);
MUR_API MurHostResult murHostFindRow(const MurHostTable *pTable, const MurHostRows *pRows,
                                     uint32_t row);
MUR_API MurHostResult murHostEraseRow(const MurHostTable *pTable, const MurHostRows *pRows,
                                      uint32_t row);
#endif
