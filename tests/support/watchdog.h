/* Ends the process when it computes for too long: a hang is a failure, never a wait. Counted is the
 * time of processors, of all threads together, not the time that passes, so that what else runs on
 * the machine fails no test. Whoever waits without computing is ended by ctest, after half an hour.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_WATCHDOG_H
#define MUR_TEST_WATCHDOG_H

/* Seconds from now on; 0: as many as it takes. Programs that are run from here have the same limit,
 * each by itself. */
void watchdog(unsigned seconds);

#endif
