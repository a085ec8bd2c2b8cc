/* The host's clock. SPDX-License-Identifier: MIT */
#ifndef DEMO_SECONDS_H
#define DEMO_SECONDS_H

/* Returns monotonic seconds since an arbitrary time. */
double secondsNow(void);
/* Returns the median of times, and sorts them. */
double secondsMedian(double *times, unsigned count);

#endif
