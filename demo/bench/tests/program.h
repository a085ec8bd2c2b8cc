/* Running a program and keeping what it said.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PROGRAM_H
#define MUR_TEST_PROGRAM_H

enum { PROGRAM_MAX_ARGS = 16 };

typedef struct Program {
    int status; /* exit status; 128 + signal if one ended it */
    char *output;
    char *errors;
} Program;

/* Runs a program of the test program's own folder with these arguments, NULL at the end, and waits.
 * A program that cannot be run fails the test. */
Program program_run(const char *name, const char *const *args);
void program_free(Program *program);

/* A name in a folder for this run; valid until the next call with the same slot (0 ... 3). */
const char *program_file(unsigned slot, const char *name);
/* Removes the folder and what program_file named in it. */
void program_clean(void);
/* What a file holds, to be freed; fails the test if it cannot be read. */
char *program_read(const char *path);

#endif
