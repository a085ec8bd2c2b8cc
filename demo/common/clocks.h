/* The device's clocks, for programs that measure. A GPU that was idle runs at a third of its clocks
 * and more slowly still, short work does not raise them, and nothing in Vulkan tells. So a
 * reference, work whose time depends on the clocks alone, is timed again and again: until its time
 * is steady before anything else is measured, and around everything that is.
 *
 * Software devices have no clocks that work would raise, and queues without timestamps cannot be
 * watched: there all of this does nothing and takes no time.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_CLOCKS_H
#define DEMO_CLOCKS_H

#include "gpu.h"

/* What the reference took, in milliseconds: random reads that a cache serves, which follow the
 * processors' clocks, and random compare-and-swaps that it does not, which follow the memory's.
 * Zero: not known. */
typedef struct ClocksTimes {
    double cached, memory;
} ClocksTimes;

/* ---- Decisions, without a device ------------------------------------------------------------- */

/* Times of steady clocks differ by no more than this. Measured: random accesses repeat within 0.1%
 * while the clocks stay. A step of the clocks is about a per cent; from idle there are many. */
#define CLOCKS_ALIKE 0.02
/* And rows count as measured at the same clocks when the reference around them is at most so much
 * slower than at its best. With CLOCKS_ALIKE that keeps two runs within 5% of each other. */
#define CLOCKS_TOLERANCE 0.03

/* One reading of the reference. */
typedef struct ClocksReading {
    ClocksTimes times;
    double seconds; /* that it took, with the busy work before it */
} ClocksReading;

/* How long to wait, in seconds of busy work. */
typedef struct ClocksWait {
    double least;  /* so long at least */
    double steady; /* the last times must have been alike for so long */
    double most;   /* then go on, whatever the times are */
} ClocksWait;

/* A wait in progress; zero-initialise. */
typedef struct ClocksRise {
    double busy, alike;    /* seconds so far; those that the times have been alike */
    ClocksTimes low, high; /* their bounds since then */
    ClocksTimes fastest;   /* of all readings */
} ClocksRise;

typedef enum ClocksState { CLOCKS_RISING, CLOCKS_SETTLED, CLOCKS_UNSETTLED } ClocksState;

/* Takes another reading. Settled: the times are alike, and as good as the best ones if these are
 * known. */
ClocksState clocksRise(ClocksRise *rise, const ClocksWait *wait, const ClocksTimes *best,
                       const ClocksReading *reading);

/* How many times as long as at best, by the worse of both times; 0 if one is not known. */
double clocksRatio(const ClocksTimes *times, const ClocksTimes *best);
/* The worse of each time. */
ClocksTimes clocksSlower(const ClocksTimes *a, const ClocksTimes *b);
/* Clocks that have risen further make a new best. Differences of readings at the same clocks do
 * not: the best would become the luckiest reading. */
void clocksNote(ClocksTimes *best, const ClocksTimes *around);

typedef struct ClocksLimits {
    ClocksWait start; /* before the first row */
    ClocksWait again; /* before a row is measured again */
    double patience;  /* seconds of such waits in all: then rows are measured once */
    uint32_t tries;   /* times that a row is measured at most */
    uint32_t part;    /* of the reference's accesses a reading does one in so many: 1 ... 16 */
} ClocksLimits;
extern const ClocksLimits clocksFull, clocksQuick;

/* Should what was measured with these times around it be measured again? waited: seconds of the
 * waits so far; tries: how often it was measured. */
bool clocksAgain(const ClocksLimits *limits, const ClocksTimes *best, const ClocksTimes *around,
                 double waited, uint32_t tries);

/* ---- A device's clocks ----------------------------------------------------------------------- */

typedef struct Clocks {
    Gpu *gpu; /* NULL: not watched */
    ClocksLimits limits;
    GpuKernel kernel;
    GpuBuffer region;
    ClocksTimes best;   /* that the clocks have settled at */
    ClocksTimes before; /* the last reading of clocksBefore */
    ClocksRise start;   /* how the clocks were raised; .busy is 0 if they were not yet */
    bool settled;       /* they were steady then */
    double waited;      /* seconds before measuring again */
} Clocks;

/* Where clocksWatched says no, leaves clocks that are not watched. Else takes 256 MiB of the
 * device, or a sixteenth of its memory if that is less, until clocksClose. */
bool clocksOpen(Gpu *gpu, const ClocksLimits *limits, Clocks *clocks);
void clocksClose(Clocks *clocks);

/* Around what is measured: busy work and a reading right before; a reading right after, which gives
 * the worse times of both. The first call raises the clocks: busy work until the reference is
 * steady. tries: how often this was measured before; if it was, clocksBefore waits until the
 * reference is back at its best. False for errors only. */
bool clocksBefore(Clocks *clocks, uint32_t tries);
bool clocksAfter(Clocks *clocks, ClocksTimes *around);
/* clocksAgain of these clocks. */
bool clocksRepeat(const Clocks *clocks, const ClocksTimes *around, uint32_t tries);
/* The ratio to the best times, if it is beyond CLOCKS_TOLERANCE; else 0. */
double clocksUnsettled(const Clocks *clocks, const ClocksTimes *around);

/* One line on stderr if what was measured is unsettled, or the clocks never were. */
void clocksSay(const Clocks *clocks, const ClocksTimes *around, const char *what);

enum { CLOCKS_TEXT = 256 };
/* One line for the head of a report: how the clocks were raised, and what the reference is. */
void clocksDescribe(const Clocks *clocks, char text[CLOCKS_TEXT]);

/* ---- clocks_reference.c ---------------------------------------------------------------------- */

/* Does this device have clocks to watch? */
bool clocksWatched(const Gpu *gpu);
/* Makes the kernel and its region. */
bool clocksOpenReference(Clocks *clocks);
/* Busy work for about so many milliseconds, then the reference. Submits and waits. */
bool clocksMeasure(Clocks *clocks, double busy, ClocksReading *reading);
void clocksDescribeReference(const Clocks *clocks, char *text, size_t size);

#endif
