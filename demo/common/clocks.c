/* Decides when the clocks have settled, and waits until they do. SPDX-License-Identifier: MIT */
#include "clocks.h"
#include "message.h"

#include <math.h>
#include <stdio.h>

/* Times at steady clocks differ by at most ALIKE: random accesses repeat within 0.1 %, and a clock
 * step is one per cent. Figures count if the reference takes at most TOLERANCE longer than the best
 * time. BUSY: milliseconds of work before a reading. PATIENCE: seconds of all repetitions. */
static const double ALIKE = 0.02, TOLERANCE = 0.03, BUSY = 10, PATIENCE = 30, QUICK = 1.0 / 30;

bool clocksWatched(const Gpu *gpu) {
    return gpu->timestampMask && !gpuIsSlow(gpu);
}

/* Works until readings are steady: at first for at least 4 s, which was measured to raise the
 * clocks of an idle GPU permanently (readings are also steady at steps on the way); later until
 * they are as good as the best, which is the worst of the first steady readings. */
static bool await(Clocks *clocks) {
    const bool first = clocks->best <= 0;
    const double good = first ? INFINITY : clocks->best * (1 + TOLERANCE);
    const double second = clocks->quick ? QUICK : 1;
    double spent = 0, alike = 0, low = 0, high = 0, fastest = INFINITY, seconds;
    bool settled = false;
    for (; !settled && spent < (first ? 15 : 2) * second; spent += seconds) {
        sayProgress("waiting for the device's clocks", (uint32_t)spent, 16);
        if (!clocksMeasure(clocks, BUSY, &clocks->before, &seconds)) {
            return false;
        }
        alike += seconds;
        low = fmin(low, clocks->before);
        high = fmax(high, clocks->before);
        fastest = fmin(fastest, clocks->before);
        if (high > low * (1 + ALIKE)) {
            low = high = clocks->before;
            alike = 0;
        }
        settled = spent + seconds >= (first ? 4 : 0) * second &&
                  alike >= (first ? 1 : 0.1) * second && high <= good;
    }
    sayProgress("waiting for the device's clocks", 1, 1);
    clocks->best = !first ? clocks->best : settled ? high : fastest;
    *(first ? &clocks->busy : &clocks->waited) += spent;
    return true;
}

bool clocksBefore(Clocks *clocks, uint32_t tries) {
    double seconds;
    return !clocks->gpu || (clocks->best <= 0 || tries > 0
                                ? await(clocks)
                                : clocksMeasure(clocks, BUSY, &clocks->before, &seconds));
}

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
    return clocksUnsettled(clocks, around) > 0 && tries < 3 &&
           clocks->waited < PATIENCE * (clocks->quick ? QUICK : 1);
}

void clocksPrint(const Clocks *clocks) {
    if (clocks->gpu) {
        (void)printf("clocks: %.1f s of busy work; reference %.4f ms\n", clocks->busy,
                     clocks->best);
    } else {
        (void)printf("clocks: not watched, a software device has none that work would raise\n");
    }
}
