/* Murmuration: declarations of row tables (<murmuration/rows.h>), shared by C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_ROWS_LAYOUT_H
#define MUR_ROWS_LAYOUT_H

#include "hash.h"

/* MurTableCreateInfo.flags and MurTableRef.flags of tables whose rows are compared bit for bit. If
 * an argument is above the maximum, the flags have a stride without words, which tables reject. */
#define MUR_MAX_ROW_WORDS     2047u
#define MUR_IS_ROW_SIZE(size) (MUR_CAST(MUR_U32, size) <= MUR_MAX_ROW_WORDS)
#define MUR_ROWS(words, stride)                                             \
    (MUR_IS_ROW_SIZE(words) && MUR_IS_ROW_SIZE(stride)                      \
         ? MUR_CAST(MUR_U32, stride) << 21 | MUR_CAST(MUR_U32, words) << 10 \
         : 1u << 21)
#define MUR_ROW_WORDS(flags)  ((flags) >> 10 & MUR_MAX_ROW_WORDS)
#define MUR_ROW_STRIDE(flags) ((flags) >> 21)

#define MUR_NO_ROW    0xFFFFFFFFu
#define MUR_ROW_QUERY 0xFFFFFFFEu /* stands for a searched row that is in no array */

/* Returns the hash of several words, if called for one word after another, first with hash 0. This
 * is the body of Murmur3. Rows that are compared bit for bit append words of 0 up to a multiple of
 * four. */
MUR_INLINE MUR_U32 mur_hash_word(MUR_U32 hash, MUR_U32 word) {
    MUR_U32 mixed = word * 0xCC9E2D51u;
    mixed = (mixed << 15 | mixed >> 17) * 0x1B873593u ^ hash;
    return (mixed << 13 | mixed >> 19) * 5u + 0xE6546B64u;
}

/* Returns a slot's second word for a row with this hash. A second word of 0 means "not yet
 * written". */
MUR_INLINE MUR_U32 mur_row_stored(MUR_U32 hash, MUR_U32 seed) {
    MUR_U32 stored = mur_hash(hash, seed);
    return stored != 0u ? stored : 1u;
}

#endif
