/* A table in buckets on a device, and what is known of it: which keys are there. Its image is
 * looked at by the oracle, which takes it.
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
    Pair pair; /* the oracle is as the table was when trial_check looked */
    MurTable table;
    MurTableRef ref;
    GpuBuffer memory; /* arrays of pass.h */
    uint32_t *words;
    bool there[KEYS];
} Trial;

/* Of a kind in buckets, by its number from TABLE_KINDS on; false: the device has no such, or it is
 * one for the long tier: each format and width comes in the normal one, not with each other. */
bool trial_open(Trial *trial, Gpu *gpu, uint32_t kind, uint32_t capacity, uint32_t flags);
void trial_close(Trial *trial);

/* Item i is key first + i, from now on. */
void trial_keys(Trial *trial, uint32_t first, uint32_t count);
MurBatch trial_batch(const Trial *trial, uint32_t count);
/* Keeps what is there. Returns how many were told MUR_FULL. */
uint32_t trial_insert(Trial *trial, uint32_t first, uint32_t count);
/* Into an empty table, keys of which none is refused, in whatever order they come. */
void trial_insert_all(Trial *trial, uint32_t first, uint32_t count);
/* Each key, so many times in the batch. Returns how many were there. */
uint32_t trial_erase(Trial *trial, uint32_t first, uint32_t count, uint32_t times,
                     MurBatchFlags flags);
/* The slots of keys, all of which are there. */
void trial_find(Trial *trial, uint32_t first, uint32_t count);
void trial_run(Trial *trial, uint32_t op, uint32_t count, uint32_t frame);

/* Finds and statistics tell what is known; in the image no key lives twice, or in a bucket that is
 * not its own, each in its second one, erased ones that keep their slots too, has its bit in the
 * filter that counts; exact: nobody else has. Free slots, and closed ones, have no age. */
void trial_check(Trial *trial, bool exact);
bool trial_slot_is_live(const Trial *trial, uint32_t slot); /* then */

/* A case for each kind of table in buckets. */
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
