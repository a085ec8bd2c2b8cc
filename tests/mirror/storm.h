/* Threads that write a mirror's host table while frames update and read.
 *
 * Also built with ThreadSanitizer (tsan.sh), so nothing here may depend on the GPU.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_STORM_H
#define MUR_TEST_STORM_H

#include "support/image.h"

#include <stdatomic.h>

enum { STORM_THREADS = 4, STORM_ITEMS = 64 };

/* Each item belongs to one thread, which inserts its key with odd numbers and erases it with even
 * ones. With fresh keys, each insert has a new key. */
typedef struct Storm {
    const MurHostTable *host;
    bool fresh;
    uint32_t frames;
    /* Updates, and returns the table that readers have. Exclusive: frees the slots of erased keys
     * before. */
    MurHostTable (*update)(void *user, bool reclaims);
    void *user;
    /* If mark is not NULL, each insert first writes its number to the payload of the item, and
     * marks it. Readers have copy. */
    void (*mark)(void *user, uint32_t item);
    _Alignas(16) _Atomic uint32_t payload[STORM_ITEMS];
    const uint32_t *copy;

    atomic_bool stop, exclusive;
    atomic_uint inside;        /* threads that write the table */
    atomic_uint calls, claims; /* claims: since the last reclaim */
    struct {
        atomic_uint begun, done; /* numbers */
    } items[STORM_ITEMS];
    uint32_t reclaims;
    char fault[160]; /* the first */
} Storm;

/* Fails the test unless every frame's table agrees with the contract of mirror.h: each item is in a
 * state between the last call that returned before the update and the last that began before its
 * end; each value belongs to its key; in maps each key is there once; payload is as new as its
 * entry. */
void storm_run(Storm *storm);

#endif
