/* Intercepts SQLite's file calls: counts them, lets them fail, or kills the process. Records writes
 * and flushes, to reconstruct what a power loss may leave. Nothing is flushed to the disk.
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_SHIM_H
#define DATABASE_SHIM_H

#include "support/random.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ShimCall { SHIM_WRITE = 1, SHIM_SYNC = 2 } ShimCall;

typedef struct Shim {
    uint32_t calls;    /* counted calls since the reset */
    uint32_t counted;  /* mask of ShimCall: counted calls; truncations and removals are writes */
    uint32_t failFrom; /* first failing call, 1: the next; failCount calls fail */
    uint32_t failCount;
    bool isFull;     /* failing calls report a full disk; otherwise an I/O error */
    uint32_t kill;   /* the process is killed before this call; 0: never */
    uint32_t failed; /* number of failed calls */
    bool remembers;
    uint32_t unsynced; /* number of writes, in all files, that were not flushed */
    /* Optional callback, called once, before a connection executes the PRAGMA with this name. */
    const char *pragma;
    void (*pfnPragma)(void *user);
    void *user;
} Shim;

extern Shim shim;

/* Intercepts SQLite's file calls until the process ends. */
void shim_install(void);
/* Resets the shim's counters, its failures, and its recording of file calls. */
void shim_reset(Shim next);
uint32_t shim_steps(void);
/* Rewrites the files of a folder as a power loss after the first `steps` recorded calls may leave
 * them: flushed data is complete, and any part of the other data is missing. */
void shim_crash(const char *folder, uint32_t steps, Random *random);

#endif
