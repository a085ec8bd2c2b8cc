/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static const char *program = "demo";
static bool lineOpen; /* a progress line is visible */
static char last[128];

void sayProgram(const char *name) {
    program = name;
}

static void eraseLine(void) {
    if (lineOpen) {
        (void)fputs("\r\033[K", stderr);
        lineOpen = false;
    }
}

bool sayError(const char *format, ...) {
    va_list arguments;
    eraseLine();
    (void)fprintf(stderr, "%s: ", program);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    (void)vsnprintf(last, sizeof last, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return false;
}

const char *sayLast(void) {
    return last;
}

void sayProgress(const char *what, uint32_t done, uint32_t total) {
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    if (done >= total) {
        eraseLine();
        return;
    }
    (void)fprintf(stderr, "\r\033[K%s: %u%%", what, (unsigned)(100ull * done / total));
    (void)fflush(stderr);
    lineOpen = true;
}
