/* Shared by the trace's C and its shaders in every language. Contains only numbers, because these
 * are copied to WGSL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_TRACE_H
#define MUR_TEST_TRACE_H

/* Offsets in the buffer of operations, in 32-bit words. A MurTableRef is at 0. Each operation has
 * four words. */
#define TRACE_COUNT 8u
#define TRACE_ALONE 9u /* not 0: one invocation runs all operations, in order */
#define TRACE_FIRST 16u

/* An operation: {kind, a, b, c}; a and b are a key. The result has four words, given here in
 * brackets. Operations from TRACE_WRITES on write. */
#define TRACE_FIND       0u /* [found, value, slot] */
#define TRACE_FIND_VALUE 1u /* find_slot with the value: [, value, slot] */
#define TRACE_SLOT_VALUE 2u /* slot a: [, value] */
#define TRACE_ENTRY      3u /* slot a: [there, value, key, key's high word] */
#define TRACE_SPATIAL    4u /* position a, b, c: [key, its parent ^ child] */
#define TRACE_CENTER     5u /* key a, b: [x, y, z of its center, its face and level] */
#define TRACE_WRITES     8u
#define TRACE_INSERT     8u  /* by mode c, of value kind >> 8: [status, old, slot] */
#define TRACE_NAMED      9u  /* K32V32: TRACE_INSERT by the calls that are named after modes */
#define TRACE_ERASE      10u /* [status, value, slot] */
#define TRACE_ERASE_ONLY 11u /* [status] */
#define TRACE_EXCHANGE   12u /* slot a, value kind >> 8: [, old] */
#define TRACE_COMPARE    13u /* slot a, value kind >> 8, if the present value is b: [, old] */
#define TRACE_FREE       14u /* slot a: mur_evict */
#define TRACE_STAY       15u /* slot a: mur_retain */
#define TRACE_TOUCH      16u /* slot a: mur_touch with frame b */
#define TRACE_KIND(word) ((word)&0xFFu)

#define TRACE_WORKGROUP 64u
#define TRACE_SCALE     4.0f /* cells per unit */

#endif
