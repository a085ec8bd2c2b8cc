/* Messages on stderr: errors of one line, and progress on terminals.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_SAY_H
#define DEMO_SAY_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SAY_LIKE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SAY_LIKE_PRINTF(text, first)
#endif

/* Sets the name that messages start with; the string must stay valid. */
void sayProgram(const char *name);

/* Prints "NAME: message". Returns false, so that a caller can fail in one statement. */
SAY_LIKE_PRINTF(1, 2) bool sayError(const char *format, ...);

/* Returns the last message, shortened for one line of a window, or an empty string. */
const char *sayLast(void);

/* Shows the progress of long work, on terminals only. done == total removes the line. */
void sayProgress(const char *what, uint32_t done, uint32_t total);

#endif
