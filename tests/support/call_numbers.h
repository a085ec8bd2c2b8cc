/* Which call of the include, the same numbers for C and GLSL, in tests that hand calls to shaders
 * as data.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CALL_NUMBERS_H
#define MUR_TEST_CALL_NUMBERS_H

/* The lookups, which every shader can make, come first; "BARE" calls are the overloads with fewer
 * outputs. */
#define CALL_FIND           0u
#define CALL_FIND_SLOT      1u
#define CALL_FIND_SLOT_BARE 2u
#define CALL_SLOT_ENTRY     3u
#define CALL_SLOT_VALUE     4u
#define CALL_LOOKUPS        5u
/* The modes' calls: with the slot, bare, with the slot and the value that was there before. */
#define CALL_MODE          5u
#define CALL_MODES         7u
#define CALL_BARE          12u
#define CALL_OLD           19u
#define CALL_INSERT_MODE   26u
#define CALL_ERASE         27u
#define CALL_ERASE_BARE    28u
#define CALL_SLOT_EXCHANGE 29u
/* Compares with what is there if the mode is odd, else with the value, its lowest bit inverted. */
#define CALL_SLOT_COMPARE_EXCHANGE 30u
#define CALL_COUNT                 31u

#endif
