/* The device's clocks, for programs that measure. An idle GPU runs at a third of its clocks, short
 * work does not raise them, and Vulkan does not report them. Therefore a reference is timed: random
 * accesses whose time depends only on the clocks. It is timed until it is steady before the first
 * measurement, and before and after each measurement. Clocks of software devices do not rise, so
 * these functions do nothing there.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_CLOCKS_H
#define DEMO_CLOCKS_H

#include "gpu.h"

typedef struct Clocks {
    Gpu *gpu;   /* NULL: no reference */
    bool quick; /* figures do not count, so waits and the reference are short */
    GpuKernel kernel;
    GpuBuffer region;
    bool settled;        /* the reference was steady before the first measurement */
    double best;         /* milliseconds of the reference at its best; 0: not yet measured */
    double before;       /* milliseconds of the last reading */
    double busy, waited; /* seconds of raising the clocks, and of waits before repetitions */
} Clocks;

/* Uses 256 MiB of device memory (16 if quick) until clocksClose. */
bool clocksOpen(Gpu *gpu, bool quick, Clocks *clocks);
void clocksClose(Clocks *clocks);

/* Call clocksBefore before a measurement: it does busy work and times the reference. Call
 * clocksAfter after the measurement: it times the reference again, and sets around to the worse of
 * both times (0 without a reference). The first clocksBefore raises the clocks; before a
 * repetition it waits until they recover. tries: number of measurements so far. Return false only
 * for errors. */
bool clocksBefore(Clocks *clocks, uint32_t tries);
bool clocksAfter(Clocks *clocks, double *around);
/* Returns the reading divided by the best reading, if it is too long for a figure; otherwise 0. */
double clocksUnsettled(const Clocks *clocks, double around);
/* Returns whether a measurement with this many tries should be repeated. */
bool clocksAgain(const Clocks *clocks, double around, uint32_t tries);
/* Prints "clocks: ...", for the head of a report. */
void clocksPrint(const Clocks *clocks);

/* Returns whether this device has a reference. */
bool clocksWatched(const Gpu *gpu);
/* clocks_reference.c: measures the reference in milliseconds, after about `busy` milliseconds of
 * work. seconds: of both. */
bool clocksMeasure(Clocks *clocks, double busy, double *reference, double *seconds);
/* Records the reference's work `times` times, to keep the clocks up. */
void clocksCmdWork(const Clocks *clocks, uint32_t times);

#endif
