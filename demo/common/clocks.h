/* The device's clocks, for programs that measure. A GPU that was idle runs at a third of its
 * clocks, short work does not raise them, and nothing in Vulkan tells. So a reference, random
 * accesses whose time depends on the clocks alone, is timed until it is steady before anything else
 * is measured, and around everything that is. Software devices have no clocks that work would
 * raise: there all of this does nothing and takes no time.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_CLOCKS_H
#define DEMO_CLOCKS_H

#include "gpu.h"

typedef struct Clocks {
    Gpu *gpu;   /* NULL: not watched */
    bool quick; /* figures do not count: waits and reference are short */
    GpuKernel kernel;
    GpuBuffer region;
    bool settled;        /* the reference was steady before the first measurement */
    double best;         /* its milliseconds then, or at better clocks since; 0: not raised yet */
    double before;       /* the last reading */
    double busy, waited; /* seconds of raising the clocks, and of waits before measuring again */
} Clocks;

/* Takes 256 MiB of the device (16 if quick) until clocksClose. */
bool clocksOpen(Gpu *gpu, bool quick, Clocks *clocks);
void clocksClose(Clocks *clocks);

/* Around what is measured: busy work and a reading right before; a reading right after, which gives
 * the worse of both, 0 if not watched. The first call raises the clocks; one before measuring again
 * waits until they are back. tries: how often it was measured. False for errors only. */
bool clocksBefore(Clocks *clocks, uint32_t tries);
bool clocksAfter(Clocks *clocks, double *around);
/* How many times as long as at best, if that is too long for a figure; else 0. */
double clocksUnsettled(const Clocks *clocks, double around);
/* Should what was measured so often be measured again? */
bool clocksAgain(const Clocks *clocks, double around, uint32_t tries);
/* "clocks: ...", for the head of a report. */
void clocksPrint(const Clocks *clocks);

/* Does this device have clocks to watch? */
bool clocksWatched(const Gpu *gpu);
/* clocks_reference.c: the reference in milliseconds, after busy work for about so many; seconds:
 * what all of it took. */
bool clocksMeasure(Clocks *clocks, double busy, double *reference, double *seconds);
/* Records the reference's work so many times, to keep the clocks up for what follows. */
void clocksCmdWork(const Clocks *clocks, uint32_t times);

#endif
