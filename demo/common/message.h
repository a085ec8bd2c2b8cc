/* What a program says on stderr: errors of one line, and progress when a person is watching.
 *
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

/* The name that messages start with; a string that stays. */
void sayProgram(const char *name);

/* Says "NAME: message". Always false, so that a caller can fail in one statement. */
SAY_LIKE_PRINTF(1, 2) bool sayError(const char *format, ...);

/* The message that was said last, cut to what a line of a window shows; empty: none was. */
const char *sayLast(void);

/* Shows how far long work has come, on a terminal only. done == total takes the line away again. */
void sayProgress(const char *what, uint32_t done, uint32_t total);

#endif
