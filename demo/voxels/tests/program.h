/* Runs a program and checks its results: exit status, standard output and error, files.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PROGRAM_H
#define MUR_TEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_ARGUMENTS = 32 };

typedef struct Program {
    int status;        /* exit status; 128 + signal if a signal ended it */
    char *out, *error; /* valid until the folder is removed */
} Program;

/* Starts path in folder with these arguments, NULL at the end. Output: stdout.txt and stderr.txt
 * there. */
pid_t programStart(const char *path, const char *const *arguments, const char *folder);
/* Starts the program and waits for its end. */
void programRun(const char *path, const char *const *arguments, const char *folder,
                Program *program);

/* Appends the arguments that MUR_TEST_DEVICE requires, and layers if `validated` is true and
 * MUR_TEST_NO_VALIDATION is not set. Returns the new number of arguments. */
size_t addEnvironment(const char **arguments, size_t count, bool validated);

/* Returns the number of lines of a text. The last line may lack a newline. */
size_t lineCount(const char *text);

/* Create a folder for a test's files, and remove it with all of its content. */
void folderMake(char path[64]);
void folderRemove(const char *path);
/* Returns memory that is freed by folderRemove. */
void *keepUntilRemoved(size_t size);

/* Returns folder/name. A result is valid until eight more calls. */
const char *pathIn(const char *folder, const char *name);
bool fileExists(const char *path);
void fileWrite(const char *path, const void *bytes, size_t size);
/* Returns the file's content and a final zero, valid until four more calls. Fails the test if the
 * file cannot be read. */
char *fileRead(const char *path);
void expectFile(const char *path, const char *text);

/* Copies a picture to the folder MUR_TEST_PICTURES, if that is set. */
void fileKeep(const char *path, const char *name);

#endif
