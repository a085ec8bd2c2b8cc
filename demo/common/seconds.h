/* The host's clock. SPDX-License-Identifier: MIT */
#ifndef DEMO_SECONDS_H
#define DEMO_SECONDS_H

/* Seconds since some point of time; goes on evenly. */
double secondsNow(void);

#endif
