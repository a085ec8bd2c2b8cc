/* When the clocks have settled, and what to do when they have not.
 *
 * SPDX-License-Identifier: MIT */
#include "clocks.h"
#include "say.h"

#include <stdio.h>

/* Busy work before each reading, in milliseconds. Clocks are governed in steps of milliseconds, so
 * it is several of these; it is spent on every row, so it is not more. */
#define BUSY 10.0

/* start.least: measured, 4 s of busy work raise the clocks of an idle GPU for good. Less might end
 * on a step of the way, where times are alike, too. */
const ClocksLimits clocksFull = {
    .start = {.least = 4, .steady = 1, .most = 15},
    .again = {.least = 0, .steady = 0.1, .most = 2},
    .patience = 30,
    .tries = 3,
    .part = 1,
};
/* For runs whose figures do not count. */
const ClocksLimits clocksQuick = {
    .start = {.least = 0, .steady = 0.05, .most = 0.5},
    .again = {.least = 0, .steady = 0.02, .most = 0.1},
    .patience = 0.5,
    .tries = 2,
    .part = 16,
};

/* ---- Decisions ------------------------------------------------------------------------------ */

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static bool known(const ClocksTimes *times) {
    return times->cached > 0 && times->memory > 0;
}

double clocksRatio(const ClocksTimes *times, const ClocksTimes *best) {
    return known(times) && known(best)
               ? larger(times->cached / best->cached, times->memory / best->memory)
               : 0;
}

ClocksTimes clocksSlower(const ClocksTimes *a, const ClocksTimes *b) {
    return (ClocksTimes){larger(a->cached, b->cached), larger(a->memory, b->memory)};
}

static ClocksTimes faster(const ClocksTimes *a, const ClocksTimes *b) {
    return (ClocksTimes){smaller(a->cached, b->cached), smaller(a->memory, b->memory)};
}

ClocksState clocksRise(ClocksRise *rise, const ClocksWait *wait, const ClocksTimes *best,
                       const ClocksReading *reading) {
    const ClocksTimes low = faster(&rise->low, &reading->times);
    const ClocksTimes high = clocksSlower(&rise->high, &reading->times);
    rise->fastest = known(&rise->fastest) ? faster(&rise->fastest, &reading->times)
                                          : reading->times;
    rise->busy += reading->seconds;
    if (known(&rise->low) && clocksRatio(&high, &low) <= 1 + CLOCKS_ALIKE) {
        rise->low = low;
        rise->high = high;
        rise->alike += reading->seconds;
    } else {
        rise->low = rise->high = reading->times;
        rise->alike = 0;
    }
    if (rise->busy >= wait->least && rise->alike >= wait->steady &&
        clocksRatio(&rise->high, best) <= 1 + CLOCKS_TOLERANCE) {
        return CLOCKS_SETTLED;
    }
    return rise->busy >= wait->most ? CLOCKS_UNSETTLED : CLOCKS_RISING;
}

static double note(double best, double time) {
    return best > time * (1 + CLOCKS_ALIKE) || best <= 0 ? time : best;
}

void clocksNote(ClocksTimes *best, const ClocksTimes *around) {
    if (known(around)) {
        *best = (ClocksTimes){note(best->cached, around->cached),
                              note(best->memory, around->memory)};
    }
}

bool clocksAgain(const ClocksLimits *limits, const ClocksTimes *best, const ClocksTimes *around,
                 double waited, uint32_t tries) {
    return clocksRatio(around, best) > 1 + CLOCKS_TOLERANCE && tries < limits->tries &&
           waited < limits->patience;
}

/* ---- A device's clocks ---------------------------------------------------------------------- */

bool clocksOpen(Gpu *gpu, const ClocksLimits *limits, Clocks *clocks) {
    *clocks = (Clocks){.limits = *limits};
    if (!clocksWatched(gpu)) {
        return true;
    }
    clocks->gpu = gpu;
    return clocksOpenReference(clocks);
}

void clocksClose(Clocks *clocks) {
    if (clocks->gpu) {
        gpuDestroyKernel(clocks->gpu, &clocks->kernel);
        gpuDestroyBuffer(clocks->gpu, &clocks->region);
    }
    *clocks = (Clocks){0};
}

/* Readings until a wait is over. */
static bool await(Clocks *clocks, const ClocksWait *wait, ClocksRise *rise, ClocksState *state) {
    ClocksReading reading;
    *rise = (ClocksRise){0};
    do {
        sayProgress("waiting for the device's clocks", (uint32_t)(100 * rise->busy / wait->most),
                    101);
        if (!clocksMeasure(clocks, BUSY, &reading)) {
            return false;
        }
        *state = clocksRise(rise, wait, &clocks->best, &reading);
        clocks->before = reading.times;
    } while (*state == CLOCKS_RISING);
    sayProgress("waiting for the device's clocks", 1, 1);
    return true;
}

static bool raise(Clocks *clocks) {
    ClocksState state = CLOCKS_UNSETTLED;
    const bool done = await(clocks, &clocks->limits.start, &clocks->start, &state);
    clocks->settled = state == CLOCKS_SETTLED;
    /* Of steady times the worst, so that differences of readings are no drift; of others, that mean
     * nothing, the best, so that rows are told. */
    clocks->best = clocks->settled ? clocks->start.high : clocks->start.fastest;
    return done;
}

bool clocksBefore(Clocks *clocks, uint32_t tries) {
    ClocksReading reading;
    ClocksRise rise;
    ClocksState state;
    if (!clocks->gpu) {
        return true;
    }
    if (clocks->start.busy <= 0) {
        return raise(clocks);
    }
    if (tries > 0) {
        const bool done = await(clocks, &clocks->limits.again, &rise, &state);
        clocks->waited += rise.busy;
        return done;
    }
    const bool done = clocksMeasure(clocks, BUSY, &reading);
    clocks->before = reading.times;
    return done;
}

bool clocksAfter(Clocks *clocks, ClocksTimes *around) {
    ClocksReading reading;
    *around = (ClocksTimes){0};
    if (!clocks->gpu) {
        return true;
    }
    if (!clocksMeasure(clocks, 0, &reading)) {
        return false;
    }
    *around = clocksSlower(&clocks->before, &reading.times);
    clocksNote(&clocks->best, around);
    return true;
}

bool clocksRepeat(const Clocks *clocks, const ClocksTimes *around, uint32_t tries) {
    return clocksAgain(&clocks->limits, &clocks->best, around, clocks->waited, tries);
}

double clocksUnsettled(const Clocks *clocks, const ClocksTimes *around) {
    const double ratio = clocksRatio(around, &clocks->best);
    return ratio > 1 + CLOCKS_TOLERANCE ? ratio : 0;
}

void clocksSay(const Clocks *clocks, const ClocksTimes *around, const char *what) {
    const double ratio = clocksUnsettled(clocks, around);
    if (ratio > 0) {
        (void)sayError(
            "%s: the device's clocks did not stay at their best, the reference took %.2f "
            "times as long: times of it cannot be relied on",
            what, ratio);
    } else if (clocks->start.busy > 0 && !clocks->settled) {
        (void)sayError("%s: the device's clocks did not settle before: times of it may be of "
                       "clocks that are not its best",
                       what);
    }
}

void clocksDescribe(const Clocks *clocks, char text[CLOCKS_TEXT]) {
    if (!clocks->gpu) {
        (void)snprintf(text, CLOCKS_TEXT,
                       "clocks: not watched (a software device has none that work would raise)");
        return;
    }
    if (clocks->start.busy <= 0) {
        (void)snprintf(text, CLOCKS_TEXT, "clocks: not raised, nothing was timed on the device");
        return;
    }
    const int used = snprintf(text, CLOCKS_TEXT, "clocks: %s after %.1f s of busy work; reference ",
                              clocks->settled ? "settled" : "not settled", clocks->start.busy);
    clocksDescribeReference(clocks, text + used, CLOCKS_TEXT - (size_t)used);
}
