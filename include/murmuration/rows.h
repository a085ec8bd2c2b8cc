/* Murmuration, optional: tables whose keys are rows of many words in an array of the engine's, by
 * their numbers. Of equal rows one stands for all, the first that came. See rows.md of the manual.
 *
 * Such a table has MurTableCreateInfo.type murTypeRows() and in flags when rows are equal:
 *   MUR_ROWS(words, stride)  bit for bit. Each row has `words` words, and the next begins stride
 *                            words after it; 1 <= words <= stride <= MUR_MAX_ROW_WORDS.
 *   0                        when the engine decides so, in shaders and on the host: an
 *                            equivalence, whose equal rows hash alike. A tolerance is none.
 * The library passes to the macros and callbacks of the engine only numbers of rows that the engine
 * has declared, and MUR_ROW_QUERY. So a damaged table leads to no read outside of the array.
 * It is written with 32-bit atomics, 8 bytes a slot, and has no extra slots. As in sets there are
 * no values, and emptyValue has no effect. The slot of an erased row stays unused until the
 * table is cleared or compacted.
 * Row numbers are below MUR_ROW_QUERY. Rows are written in an earlier dispatch, with a barrier
 * between, and stay so until the barrier after their erase; the array may move.
 *
 * murCmdClear, murCmdExtract and murCmdEraseWhere (keys are row numbers), murCmdStats,
 * murCmdCompact, and murCmdRehash between tables of one seed and the same flags serve these tables,
 * and they grow. Other commands reject them; to HLSL and WGSL they are of another type.
 *
 * The concurrency contract holds with equal rows for "the same key": of several inserts one reports
 * MUR_INSERTED, and all report its row. For all else see murmuration.h.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_ROWS_H
#define MURMURATION_ROWS_H

#include <murmuration/host.h>
#include <murmuration/rows_layout.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For MurTableCreateInfo.type. Any thread. */
MUR_API MurType murTypeRows(void);

typedef struct MurRowBatch {
    const void *pNext;
    uint32_t maxCount; /* this and the next as in MurBatch */
    VkDeviceAddress countAddress;
    /* Required; read, all of it: the array that the table's row numbers mean. Nothing beyond size
     * is read, whatever a table holds. Rows at multiples of 16 bytes are faster. */
    MurArray rows;
    MurArray rowIndices; /* optional; read: item i is row rowIndices[i]; none: row i */
    MurArray probeRows; /* finds, optional; read: item i is row i of this array; rowIndices: none */
    MurArray matches;   /* optional; written: the row that stands for each item, or MUR_NO_ROW */
    MurArray statuses;  /* optional; written */
} MurRowBatch;

/* Of tables with MUR_ROWS in flags: inserts rows. MUR_INSERTED, MUR_EXISTED, MUR_FULL,
 * MUR_INVALID_VALUE (there is no such row); the last two are counted in the table, too. One
 * dispatch, concurrent with any operation of the contract. */
MUR_API VkResult murCmdInsertRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch);
/* Looks rows up, under the same rules; with probeRows a join: MUR_FOUND, MUR_ABSENT. */
MUR_API VkResult murCmdFindRows(VkCommandBuffer cmd, MurTable table, const MurRowBatch *pBatch);

/* Rows on the host. Everything that bounds a read of the array is here, nothing is taken from the
 * table, which may come from a file. */
typedef struct MurHostRows {
    const uint32_t *pRows;  /* flags MUR_ROWS(...): the array, at least rowCount rows */
    uint32_t rowCount;      /* required: rows are numbers below it; at most MUR_ROW_QUERY */
    uint32_t flags;         /* as in the table's MurTableCreateInfo: MUR_ROWS(...), or 0 */
    const uint32_t *pQuery; /* flags MUR_ROWS(...): the words of MUR_ROW_QUERY, or NULL */
    /* flags 0: both required; as the macros in shaders, with the same results. row and a can be
     * MUR_ROW_QUERY; every other number is below rowCount, whatever the table holds. */
    uint32_t(VKAPI_PTR *pfnHash)(void *pUserData, uint32_t row);
    VkBool32(VKAPI_PTR *pfnEqual)(void *pUserData, uint32_t a, uint32_t b);
    void *pUserData;
} MurHostRows;

/* In host memory (host.h), any thread: as the calls in shaders. value: the row that stands for this
 * one, or MUR_NO_ROW. An insert returns MUR_INVALID_VALUE if there is no such row, and
 * MUR_UNSUPPORTED if the table is no table of rows or its rows are not those of pRows->flags; finds
 * and erases return MUR_ABSENT then. Clear, next, stats, rehash (as above, without a slot map) and
 * snapshots serve these tables. */
MUR_API MurHostResult murHostInsertRow(const MurHostTable *pTable, const MurHostRows *pRows,
                                       uint32_t row);
MUR_API MurHostResult murHostFindRow(const MurHostTable *pTable, const MurHostRows *pRows,
                                     uint32_t row);
MUR_API MurHostResult murHostEraseRow(const MurHostTable *pTable, const MurHostRows *pRows,
                                      uint32_t row);

#ifdef __cplusplus
}
#endif
#endif
