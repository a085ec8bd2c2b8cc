/* A process that kills itself between two calls by which a file of pages is made and written.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_FILE_KILLED_H
#define PAGE_FILE_KILLED_H

#include <stdbool.h>
#include <stdint.h>

/* So many more calls are made. */
void killed_after(uint32_t calls);

/* Runs this program again, since one that has a device must not fork, with these arguments. Is it
 * killed? If not, it succeeds. */
bool killed_again(const char *task, uint32_t calls);

#endif
