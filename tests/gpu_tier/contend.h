/* Push constants of contend.comp and verify.comp, for C and GLSL.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CONTEND_H
#define CONTEND_H

#include "murmuration/words.h"
#include "murmuration/hash.h"

/* Operations besides MUR_MODE_*. A mix is eight of them, four bits each. */
#define CONTEND_FIND  6u
#define CONTEND_ERASE 7u

#define CONTEND_WORKGROUP 256u
#define CONTEND_FEW       32u /* up to so many keys are counted in shared memory and share a home */

MUR_STRUCT(ContendPush) {
    MurTableRef table;
    MUR_ADDRESS tallies; /* of each key: insertions less erasures, sum given less sum erased */
    MUR_ADDRESS errors;  /* ContendErrors, words */
    MUR_U32 keyCount;
    MUR_U32 rounds; /* operations of an invocation */
    MUR_U32 seed;
    MUR_U32 mix;
    MUR_U32 sums; /* verify: values are exact sums */
    MUR_U32 pad;
};

#define CONTEND_WRONG      0u /* results of single operations that cannot be */
#define CONTEND_UNBALANCED 1u /* keys whose presence is not what the operations add up to */
#define CONTEND_UNEQUAL    2u /* keys whose value is not the sum */
#define CONTEND_PRESENT    3u /* keys in the table */
#define CONTEND_CLAIMED    4u /* keys that have a slot, the extra slot aside */
#define CONTEND_FIRST      5u /* index of a key with an error, */
#define CONTEND_VALUE      6u /* and its value */
#define CONTEND_WORDS      8u

/* The key with an index: few keys share one home slot and include the empty marker's, many are
 * spread. */
MUR_INLINE MUR_U32 contend_key(MUR_U32 index, MUR_U32 keyCount, MUR_U32 seed) {
    if (keyCount <= CONTEND_FEW) {
        return mur_key(index == 1u ? MUR_EMPTY : 0xFFFFFFFEu - index, seed);
    }
    return index * 0x9E3779B1u;
}

/* What all values and sums of a key are multiples of: odd, 11 bits. */
MUR_INLINE MUR_U32 contend_factor(MUR_U32 key) {
    return 1009u + 2u * (mur_hash(key, 0x51ED270Bu) >> 23);
}

#endif
