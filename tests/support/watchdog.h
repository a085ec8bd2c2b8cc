/* Ends the process if it computes for too long, so that a hang is a failure. Counts processor time
 * of all threads, not elapsed time, so that other load on the machine fails no test. A process that
 * waits without computing is ended by ctest after half an hour.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_WATCHDOG_H
#define MUR_TEST_WATCHDOG_H

/* Limits the processor time, in seconds from now, of this process and each child. 0: no limit. */
void watchdog(unsigned seconds);

#endif
