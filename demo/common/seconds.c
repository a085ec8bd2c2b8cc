/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "seconds.h"

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
