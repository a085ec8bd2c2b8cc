/* What the tests of limits share: keys with chosen home slots, a check of a whole table against
 * what it should hold.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_LIMITS_H
#define MUR_TEST_LIMITS_H

#include "oracle/pair.h"

enum { SEED = 0x5EED };

/* A table that capacity keys always fit, whatever their hashes (probeLimit is the capacity), or of
 * which a probe examines every slot. */
Pair roomy_table(Gpu *gpu, const TableKind *kind, uint32_t capacity);
Pair boundless_table(Gpu *gpu, const TableKind *kind, uint32_t capacity);

/* The nth word of a hash, upwards from 0, whose home slot this is: about 2^32 / capacity. */
uint32_t word_with_home(uint32_t home, uint32_t capacity, uint32_t nth);

/* Key number i, of that home slot or any; no two are the same, none lives in an extra slot. */
uint64_t key_with_home(const Pair *pair, uint32_t home, uint32_t i);
uint64_t key_with_any_home(const Pair *pair, uint32_t i);

/* Keys of that home, or of any (ANY_HOME), with values from 1 on. */
#define ANY_HOME UINT32_MAX
Bulk make_items(const Pair *pair, uint32_t home, uint32_t count);

/* Fails the test unless each status is the one expected. what: for the message. */
void expect_statuses(const Bulk *items, uint32_t expected, const char *what);

/* Fails the test unless the table holds exactly these items, with these values in these slots: by
 * its memory, by finds, by an extraction and by the statistics. */
void expect_table_holds(Gpu *gpu, Pair *pair, const Bulk *items, const char *what);

#endif
