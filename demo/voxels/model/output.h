/* Files to write: opened before the work starts, so that a path that cannot be written costs no
 * time, under another name, so that a failed run leaves an older file alone.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_OUTPUT_H
#define MURVOXELS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Output {
    const char *path;
    char *real, *partPath; /* with links resolved; beside it, until all is written */
    FILE *file;
} Output;

/* path NULL: no output, and the other calls do nothing. Says in one line why it did not work. */
bool outputOpen(const char *path, Output *output);
/* Everything is written: gives the file its name, when the disk has it, and the mode of the one
 * that had it. */
bool outputKeep(Output *output);
/* Says that a file could not be written, and why, by errno. Always false. */
bool outputFailed(const char *path);
/* Copies a file, in the same way. Says in one line why it did not work. */
bool outputCopy(const char *from, const char *to);
/* Would two paths name the same file? */
bool outputSame(const char *one, const char *other);
/* Removes the files that were not kept. */
void outputClose(Output *output);

#endif
