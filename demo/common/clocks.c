/* Decides when the clocks have settled, and waits until they do. SPDX-License-Identifier: MIT */
#include "clocks.h"
#include "message.h"

#include <math.h>
#include <stdio.h>

/* Times at steady clocks differ by at most ALIKE: random accesses repeat within 0.1 %, and a clock
 * step is one per cent. Figures count if the reference takes at most TOLERANCE longer than the best
 * time. BUSY: milliseconds of work before a reading. PATIENCE: seconds to wait for a throttled
 * device. */
static const double ALIKE = 0.02, TOLERANCE = 0.03, BUSY = 10, PATIENCE = 30;
enum { TRIES = 3 };

bool clocksWatched(const Gpu *gpu) {
    return gpu->timestampMask && !gpuIsSlow(gpu);
}

static double scaled(const Clocks *clocks, double seconds) {
    return clocks->quick ? seconds / 30 : seconds;
}

/* Works until readings are steady. The first call works for at least 4 s, which was measured to
 * raise the clocks of an idle GPU permanently: readings are also steady at steps on the way. Later
 * calls work until readings are as good as the best. The best is the worst of the steady readings,
 * so that their differences do not count as drift. */
static bool await(Clocks *clocks) {
    const bool first = clocks->best <= 0;
    const double good = first ? INFINITY : clocks->best * (1 + TOLERANCE);
    double spent = 0, alike = 0, low = 0, high = 0, fastest = INFINITY, seconds;
    bool settled = false;
    while (!settled && spent < scaled(clocks, first ? 15 : 2)) {
        sayProgress("waiting for the device's clocks", (uint32_t)spent, 16);
        if (!clocksMeasure(clocks, BUSY, &clocks->before, &seconds)) {
            return false;
        }
        low = fmin(low, clocks->before);
        high = fmax(high, clocks->before);
        fastest = fmin(fastest, clocks->before);
        alike += seconds;
        spent += seconds;
        if (high > low * (1 + ALIKE)) {
            low = high = clocks->before;
            alike = 0;
        }
        settled = spent >= scaled(clocks, first ? 4 : 0) &&
                  alike >= scaled(clocks, first ? 1 : 0.1) && high <= good;
    }
    sayProgress("waiting for the device's clocks", 1, 1);
    if (first) {
        clocks->settled = settled;
        clocks->best = settled ? high : fastest;
    }
    *(first ? &clocks->busy : &clocks->waited) += spent;
    return true;
}

bool clocksBefore(Clocks *clocks, uint32_t tries) {
    double seconds;
    return !clocks->gpu || (clocks->best <= 0 || tries > 0
                                ? await(clocks)
                                : clocksMeasure(clocks, BUSY, &clocks->before, &seconds));
}

/* If the clocks have risen further, the better reading becomes the best. */
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
