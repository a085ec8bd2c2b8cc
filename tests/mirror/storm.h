/* Threads that write a mirror's host table while frames update and read.
 *
 * Also built with ThreadSanitizer (tsan.sh), so nothing here may depend on the GPU.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_STORM_H
#define MUR_TEST_STORM_H

#include "support/image.h"

#include <stdatomic.h>

enum { STORM_THREADS = 4, STORM_ITEMS = 64, STORM_FLIGHTS = 3 };

/* The calls on an item have numbers. One thread makes them: odd numbers insert the item's key, even
 * numbers erase it. If `fresh` is set, each insert has a new key. */
typedef struct Storm {
    const MurHostTable *host;
    bool fresh;
    uint32_t frames;
    uint32_t seconds;  /* minimum duration */
    uint32_t inFlight; /* frames in flight, 1 to STORM_FLIGHTS */
    /* Makes an update, and returns the copy that readers use. With n frames in flight, returns the
     * copy of the update before the last n - 1 ones. reclaims: first frees the slots of erased
     * keys, while no thread writes. */
    MurHostTable (*update)(void *user, bool reclaims);
    void *user;
    /* Optional. Each insert first stores its number in the item's payload, and calls this function
     * to mark the payload. Readers use `copy`. */
    void (*mark)(void *user, uint32_t item);
    _Alignas(16) _Atomic uint32_t payload[STORM_ITEMS];
    const uint32_t *copy;

    atomic_bool stop, exclusive;
    atomic_uint inside;        /* number of threads that write the table */
    atomic_uint calls, claims; /* claims: claimed slots since the last reclaim */
    struct {
        atomic_uint begun, done; /* numbers of the last call that began, and that returned */
    } items[STORM_ITEMS];
    struct {
        uint32_t least[STORM_ITEMS], most[STORM_ITEMS]; /* numbers of calls that a frame may show */
    } flights[STORM_FLIGHTS];
    uint32_t frame, reclaims;
    char fault[160]; /* a failure; the caller of storm_run requires that there is none */
} Storm;

/* Stores a fault unless the table of every frame agrees with mirror.h. Each item must have the
 * state after one call on it. This call is not older than the last one that returned before the
 * update, nor newer than the last one that began before the update ended. Each value belongs to its
 * key. In maps, each key is present once. A payload is as new as its entry, or newer. */
void storm_run(Storm *storm);

#endif
