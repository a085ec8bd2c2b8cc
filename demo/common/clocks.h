/* The device's clocks, for programs that measure. An idle GPU runs at a third of its clocks, short
 * work does not raise them, and Vulkan does not report them. Therefore a reference is timed: random
 * accesses whose time depends only on the clocks. Without timestamps, and on software devices,
 * there is no reference, and these functions do nothing.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_CLOCKS_H
#define DEMO_CLOCKS_H

#include "gpu.h"

typedef struct Clocks {
    Gpu *gpu;   /* NULL: no reference */
    bool quick; /* figures do not count, so waits and the reference are short */
    GpuKernel kernel;
    GpuBuffer region;
    double best, before; /* milliseconds: the best reading (0: not yet measured), the last one */
    double busy, waited; /* seconds of raising the clocks, and of waits before repetitions */
} Clocks;

/* Uses 256 MiB of device memory (16 if quick) until clocksClose. */
bool clocksOpen(Gpu *gpu, bool quick, Clocks *clocks);
void clocksClose(Clocks *clocks);
/* Does busy work before a measurement, and times the reference. The first call raises the clocks;
 * before a repetition (tries > 0) it waits until they recover. Returns false only for errors. */
bool clocksBefore(Clocks *clocks, uint32_t tries);
/* Times the reference after a measurement. around: the worse of both times, 0 without a
 * reference. */
bool clocksAfter(Clocks *clocks, double *around);
/* Returns the reading divided by the best reading, if it is too long for a figure; otherwise 0. */
double clocksUnsettled(const Clocks *clocks, double around);
/* Returns whether a measurement with this many tries should be repeated. */
bool clocksAgain(const Clocks *clocks, double around, uint32_t tries);
/* Prints "clocks: ...", for the head of a report. */
void clocksPrint(const Clocks *clocks);

bool clocksWatched(const Gpu *gpu); /* returns whether this device has a reference */
/* clocks_reference.c: its milliseconds, after about `busy` milliseconds of work (seconds: of both);
 * recording the work `times` times. */
bool clocksMeasure(Clocks *clocks, double busy, double *reference, double *seconds);
void clocksCmdWork(const Clocks *clocks, uint32_t times);

#endif
