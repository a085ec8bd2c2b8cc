/* A process that kills itself between two calls by which a file of pages is made and written.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_FILE_KILLED_H
#define PAGE_FILE_KILLED_H

#include <stdint.h>

/* So many more calls are made. */
void killed_after(uint32_t calls);

#endif
