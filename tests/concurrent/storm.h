/* Shared by the storm shader and its checkers, as C and GLSL: push constants, operations, records,
 * and written values.
 *
 * A value derives from its key and from the operation that writes it. The checkers can therefore
 * recognise torn values, values of other keys, and values that no operation wrote.
 * SPDX-License-Identifier: MIT */
#ifndef STORM_H
#define STORM_H

#include "murmuration/words.h"
#include "murmuration/hash.h"

/* Operations. Inserts have the number of their mode, MUR_MODE_*. A mix consists of eight operations
 * with four bits each. */
#define STORM_FIND     7u
#define STORM_ERASE    8u
#define STORM_EXCHANGE 9u  /* mur_slot_exchange of a value with the key's slot */
#define STORM_TAKE     10u /* mur_slot_exchange of the empty value: erases by slot */
#define STORM_COMPARE  12u /* mur_slot_compare_exchange of the present value; half of them erase */
/* STORM_COMPARE is recorded as STORM_EXCHANGE or STORM_TAKE, or as STORM_FIND if it failed. */
#define STORM_WHERE 11u /* murCmdEraseWhere, only in bulk.c; recorded as STORM_ERASE */

/* How operations choose their keys. SHARED and MANY alternate between the listed choices. */
#define STORM_SHARED 0u /* random, per 4 neighbours, per local index, per 2 workgroups */
#define STORM_OWN    1u /* each invocation has some keys of its own */
#define STORM_EVEN   2u /* every key equally often: keyCount divides the invocations */
#define STORM_MANY   3u /* random, per 8 neighbours; for any number of keys */

/* Value schemes: how an operation's value is made. */
#define STORM_TAGGED   0u /* high 20 bits: the operation's number; low bits: storm_check(key) */
#define STORM_MULTIPLE 1u /* a small multiple of storm_factor(key), so a sum identifies its key */
#define STORM_BITS     2u /* one of the high 20 bits; low bits: storm_check(key) */
#define STORM_CARRY    3u /* 1 in the low 17 bits, noise above: sums overflow and are never 0 */

#define STORM_WORKGROUP 64u

MUR_STRUCT(StormPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS slots;   /* slots of the keys, for operations by slot */
    MUR_ADDRESS records; /* one per call, or with STORM_TALLY one StormTally per key */
    MUR_ADDRESS tickets; /* address of a counter; 0: operations take no tickets */
    MUR_U32 keyCount;
    MUR_U32 rounds;
    MUR_U32 invocations;
    MUR_U32 seed;
    MUR_U32 mix;
    MUR_U32 scheme;
    MUR_U32 pattern;
    MUR_U32 pad;
};

/* One operation and its result. GLSL writes it as two uvec4. */
MUR_STRUCT(StormRecord) {
    MUR_U32 op;
    MUR_U32 key;    /* index of the key in the array `keys` */
    MUR_U32 given;  /* value passed to the call */
    MUR_U32 status; /* MUR_* */
    MUR_U32 value;  /* returned value: found, erased, or present before an insert */
    MUR_U32 slot;
    MUR_U32 before; /* tickets taken before and after the operation */
    MUR_U32 after;
};

/* Sums over all operations on a key, for runs with too many operations to record. */
MUR_STRUCT(StormTally) {
    MUR_U32 inserted; /* operations that reported MUR_INSERTED */
    MUR_U32 erased;
    MUR_U32 sum;   /* sum of added and inserted values minus sum of erased values */
    MUR_U32 wrong; /* operations whose result is impossible in every order */
};

/* Returns the low twelve bits of a value, which identify its key. */
MUR_INLINE MUR_U32 storm_check(MUR_U32 key) {
    return mur_hash(key, 0x51ED270Bu) >> 20;
}

/* Sums of STORM_MULTIPLE are multiples of this odd 13-bit number. */
MUR_INLINE MUR_U32 storm_factor(MUR_U32 key) {
    return 1009u + 2u * (storm_check(key) & 2047u);
}

/* Returns the value that operation number id writes for a key: never 0, never 0xFFFFFFFF. */
MUR_INLINE MUR_U32 storm_value(MUR_U32 scheme, MUR_U32 id, MUR_U32 key) {
    if (scheme == STORM_MULTIPLE) {
        return storm_factor(key) * (1u + id % 3u);
    }
    if (scheme == STORM_BITS) {
        return (1u << (12u + id % 20u)) | storm_check(key);
    }
    if (scheme == STORM_CARRY) {
        return (mur_hash(id, 0xC0FFEEu) << 17) | 1u;
    }
    return ((id + 1u) << 12) | storm_check(key);
}

#endif
