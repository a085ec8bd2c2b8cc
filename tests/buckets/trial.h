/* A trial is a bucketed table on a device, and the keys that it must contain. The oracle copies and
 * checks table memory.
 * SPDX-License-Identifier: MIT */
#ifndef BUCKETS_TRIAL_H
#define BUCKETS_TRIAL_H

#include "oracle/pair.h"

#include "pass.h"

enum { KEYS = 2048, TRIAL_SLOTS = 1024, TRIAL_SEED = 77 };

typedef struct Trial {
    Gpu *gpu;
    const TableKind *kind;
    Pair pair; /* pair.oracle is the state at the last trial_check */
    MurTable table;
    MurTableRef ref;
    GpuBuffer memory; /* arrays of pass.h */
    uint32_t *words;
    bool there[KEYS];
} Trial;

/* kind: a bucketed type, from TABLE_KINDS on. Returns false if the device lacks it or only the long
 * tier runs it. The normal tier runs each format and each width, but not all combinations. */
bool trial_open(Trial *trial, Gpu *gpu, uint32_t kind, uint32_t capacity, uint32_t flags);
void trial_close(Trial *trial);

/* Stores the keys with numbers first to first + count - 1 in the items of the next batch. */
void trial_keys(Trial *trial, uint32_t first, uint32_t count);
/* Inserts keys; present values stay. Returns the number of MUR_FULL statuses. */
uint32_t trial_insert(Trial *trial, uint32_t first, uint32_t count);
/* Inserts keys into an empty table. The keys must fit in every order of insertion. */
void trial_insert_all(Trial *trial, uint32_t first, uint32_t count);
/* Erases each key, which the batch contains `times` times. Returns the number of erased keys. */
uint32_t trial_erase(Trial *trial, uint32_t first, uint32_t count, uint32_t times,
                     MurBatchFlags flags);
/* Stores the slots of keys in PASS_SLOTS. All keys must be present. */
void trial_find(Trial *trial, uint32_t first, uint32_t count);
void trial_run(Trial *trial, uint32_t op, uint32_t count, uint32_t frame);

/* Checks that finds and statistics agree with the expected keys, that no key is twice or in a wrong
 * bucket, and that free slots and tombstones have no age. Each key or tombstone in its second
 * bucket must have its bit in the front filter. exact: no other bit may be set. */
void trial_check(Trial *trial, bool exact);
bool trial_slot_is_live(const Trial *trial, uint32_t slot); /* live at the last trial_check */

/* A test case for each bucketed type. */
#define EACH_TRIAL(name, capacity, flags)                      \
    static void name##_of(Trial *trial);                       \
    GPU_TEST(name) {                                           \
        for (uint32_t i = TABLE_KINDS; i < ALL_KINDS; ++i) {   \
            Trial trial;                                       \
            if (trial_open(&trial, gpu, i, capacity, flags)) { \
                name##_of(&trial);                             \
                trial_close(&trial);                           \
            }                                                  \
        }                                                      \
    }                                                          \
    static void name##_of(Trial *trial)

#endif
