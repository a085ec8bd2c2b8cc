/* When the clocks have settled, and what to do when they have not. SPDX-License-Identifier: MIT */
#include "clocks.h"
#include "say.h"

#include <math.h>
#include <stdio.h>

/* Times of steady clocks differ by no more than ALIKE: random accesses repeat within 0.1%, a step
 * of the clocks is a per cent, from idle there are many. Rows are good up to TOLERANCE above the
 * best. BUSY: milliseconds of work before a reading. A throttled device is not waited for forever.
 * */
static const double ALIKE = 0.02, TOLERANCE = 0.03, BUSY = 10, PATIENCE = 30 /* s */;
enum { TRIES = 3 };

static double scaled(const Clocks *clocks, double seconds) {
    return clocks->quick ? seconds / 30 : seconds;
}

/* Works until readings were alike for so many seconds, and as good as the best, for at least and at
 * most so long. Gives the worst of steady times, so that differences of readings are no drift; the
 * best of others, which mean nothing, so that rows are told. */
static bool await(Clocks *clocks, double least, double steady, double most, double *level,
                  double *busy, bool *settled) {
    const double good = clocks->best > 0 ? clocks->best * (1 + TOLERANCE) : INFINITY;
    double alike = 0, low = 0, high = 0, fastest = INFINITY, seconds;
    const double end = *busy + scaled(clocks, most);
    for (*settled = false; !*settled && *busy < end;) {
        sayProgress("waiting for the device's clocks", (uint32_t)*busy, UINT32_MAX);
        if (!clocksMeasure(clocks, BUSY, &clocks->before, &seconds)) {
            return false;
        }
        low = fmin(low, clocks->before);
        high = fmax(high, clocks->before);
        fastest = fmin(fastest, clocks->before);
        alike += seconds;
        *busy += seconds;
        if (high > low * (1 + ALIKE)) {
            low = high = clocks->before;
            alike = 0;
        }
        *settled = *busy >= scaled(clocks, least) && alike >= scaled(clocks, steady) &&
                   high <= good;
    }
    sayProgress("waiting for the device's clocks", 1, 1);
    *level = *settled ? high : fastest;
    return true;
}

bool clocksOpen(Gpu *gpu, bool quick, Clocks *clocks) {
    *clocks = (Clocks){.gpu = clocksWatched(gpu) ? gpu : NULL, .quick = quick};
    return !clocks->gpu || clocksOpenReference(clocks);
}

void clocksClose(Clocks *clocks) {
    if (clocks->gpu) {
        gpuDestroyKernel(clocks->gpu, &clocks->kernel);
        gpuDestroyBuffer(clocks->gpu, &clocks->region);
    }
}

/* Measured: 4 s of work raise the clocks of an idle GPU for good. Less might end on a step of the
 * way, where times are alike, too. */
bool clocksBefore(Clocks *clocks, uint32_t tries) {
    double ignored;
    bool back;
    return !clocks->gpu || (clocks->best <= 0 ? await(clocks, 4, 1, 15, &clocks->best,
                                                      &clocks->busy, &clocks->settled)
                            : tries > 0 ? await(clocks, 0, 0.1, 2, &ignored, &clocks->waited, &back)
                                        : clocksMeasure(clocks, BUSY, &clocks->before, &ignored));
}

/* Clocks that have risen further make a new best; the luckiest reading of the same does not. */
bool clocksAfter(Clocks *clocks, double *around) {
    double seconds;
    *around = 0;
    if (!clocks->gpu || !clocksMeasure(clocks, 0, around, &seconds)) {
        return !clocks->gpu;
    }
    *around = fmax(*around, clocks->before);
    clocks->best = *around * (1 + ALIKE) < clocks->best ? *around : clocks->best;
    return true;
}

double clocksUnsettled(const Clocks *clocks, double around) {
    return around > clocks->best * (1 + TOLERANCE) ? around / clocks->best : 0;
}

bool clocksAgain(const Clocks *clocks, double around, uint32_t tries) {
    return clocksUnsettled(clocks, around) > 0 && tries < TRIES &&
           clocks->waited < scaled(clocks, PATIENCE);
}

void clocksPrint(const Clocks *clocks) {
    if (!clocks->gpu) {
        (void)printf("clocks: not watched, a software device has none that work would raise\n");
        return;
    }
    (void)printf("clocks: %s after %.1f s of busy work; reference %.4f ms\n",
                 clocks->settled ? "settled" : "not settled", clocks->busy, clocks->best);
}
