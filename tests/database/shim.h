/* SQLite's files by way of the test: calls are counted, fail, or kill the process; what was written
 * and flushed is remembered, so that what a loss of power may leave can be made afterwards. Nothing
 * is flushed for real.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_SHIM_H
#define DATABASE_SHIM_H

#include "support/random.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ShimCall { SHIM_WRITE = 1, SHIM_SYNC = 2 } ShimCall;

typedef struct Shim {
    uint32_t calls;   /* since it was set, of the kinds that are counted */
    uint32_t counted; /* ShimCall: these; truncations and removals are writes */
    uint32_t
        failFrom; /* calls of these kinds from this one on fail, failCount of them; 1: the next */
    uint32_t failCount;
    bool isFull;     /* they fail as on a full disk, else by an I/O error */
    uint32_t kill;   /* the process is killed before this call; 0: never */
    uint32_t failed; /* calls that have */
    bool remembers;
    uint32_t unsynced; /* writes of any file that were not flushed */
    /* Optional: called once, before a connection executes the PRAGMA of this name. */
    const char *pragma;
    void (*pfnPragma)(void *user);
    void *user;
} Shim;

extern Shim shim;

/* Takes SQLite's files over, for the rest of the process. */
void shim_install(void);
/* Counts, fails and remembers anew. */
void shim_reset(Shim next);
/* What is remembered. */
uint32_t shim_steps(void);
/* Makes the files of this folder what the first steps leave if the power goes then: all that was
 * flushed, and of the rest anything. */
void shim_crash(const char *folder, uint32_t steps, Random *random);

#endif
