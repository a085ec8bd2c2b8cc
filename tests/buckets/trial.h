/* A bucketed table on a device, and the keys that it must contain. The oracle adopts and checks the
 * table memory.
 *
 * SPDX-License-Identifier: MIT */
#ifndef BUCKETS_TRIAL_H
#define BUCKETS_TRIAL_H

#include "oracle/pair.h"

#include "pass.h"

enum { KEYS = 2048, TRIAL_SLOTS = 1024, TRIAL_SEED = 77 };

typedef struct Trial {
    Gpu *gpu;
    const TableKind *kind;
    Pair pair; /* its oracle has the state of the last trial_check */
    MurTable table;
    MurTableRef ref;
    GpuBuffer memory; /* arrays of pass.h */
    uint32_t *words;
    bool there[KEYS];
} Trial;

/* kind: a bucketed type, from TABLE_KINDS on. Returns false if the device lacks it, or if only the
 * long tier runs it: the normal tier runs each format and each width, not all pairs. */
bool trial_open(Trial *trial, Gpu *gpu, uint32_t kind, uint32_t capacity, uint32_t flags);
void trial_close(Trial *trial);

/* Makes item i the key first + i. */
void trial_keys(Trial *trial, uint32_t first, uint32_t count);
MurBatch trial_batch(const Trial *trial, uint32_t count);
/* Inserts and keeps present values. Returns the number of MUR_FULL statuses. */
uint32_t trial_insert(Trial *trial, uint32_t first, uint32_t count);
/* Fills an empty table with keys that fit in every order. */
void trial_insert_all(Trial *trial, uint32_t first, uint32_t count);
/* Erases each key; the batch contains it `times` times. Returns the number of erased keys. */
uint32_t trial_erase(Trial *trial, uint32_t first, uint32_t count, uint32_t times,
                     MurBatchFlags flags);
/* Finds the slots of keys, all of which are present. */
void trial_find(Trial *trial, uint32_t first, uint32_t count);
void trial_run(Trial *trial, uint32_t op, uint32_t count, uint32_t frame);

/* Finds and statistics agree with the expected keys. In memory, no key is twice or in a foreign
 * bucket; each in its second bucket, tombstones included, has its bit in the front filter. exact:
 * no other bit is set. Free slots and tombstones have no stamp. */
void trial_check(Trial *trial, bool exact);
bool trial_slot_is_live(const Trial *trial, uint32_t slot); /* at the last trial_check */

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
