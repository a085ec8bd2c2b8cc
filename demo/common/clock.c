/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double secondsMedian(double *times, unsigned count) {
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

double secondsNow(void) {
    LARGE_INTEGER now, each;
    (void)QueryPerformanceCounter(&now);
    (void)QueryPerformanceFrequency(&each);
    return (double)now.QuadPart / (double)each.QuadPart;
}

#else

#include <time.h>

double secondsNow(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
