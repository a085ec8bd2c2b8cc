/* Files that appear under their name only when they are whole.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FILE_H
#define MUR_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct MurNewFile {
    FILE *stream;
    char *temporary; /* its name meanwhile */
} MurNewFile;

/* Creates a file in the folder of path. False: errno. */
bool mur_file_create(MurNewFile *file, const char *path);

/* Flushes to the disk, closes, and renames to path; or, if write is false or any of this fails,
 * closes and removes the file. True: it is there under its name. False: errno. */
bool mur_file_finish(MurNewFile *file, const char *path, bool write);

#endif
