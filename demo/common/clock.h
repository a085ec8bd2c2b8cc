/* The host's clock. SPDX-License-Identifier: MIT */
#ifndef DEMO_SECONDS_H
#define DEMO_SECONDS_H

/* Seconds since some point of time; goes on evenly. */
double secondsNow(void);
/* The median of times, which are sorted by it. */
double secondsMedian(double *times, unsigned count);

#endif
