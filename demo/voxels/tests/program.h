/* Runs a program and checks its results: exit status, standard output and error, files.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PROGRAM_H
#define MUR_TEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROGRAM_ARGUMENTS = 32 };

typedef struct Program {
    int status;        /* of its exit; 128 + the signal if one ended it */
    char *out, *error; /* until its folder is removed */
} Program;

/* Starts path with these arguments, NULL at the end, in folder. Its output goes to stdout.txt and
 * stderr.txt there. */
pid_t programStart(const char *path, const char *const *arguments, const char *folder);
/* The same, and waits for its end. */
void programRun(const char *path, const char *const *arguments, const char *folder,
                Program *program);

/* Appends the arguments for MUR_TEST_DEVICE and, if layers are requested, MUR_TEST_NO_VALIDATION.
 * Returns the new number of arguments. */
size_t addEnvironment(const char **arguments, size_t count, bool validated);

/* Lines of a text; one that lacks its newline counts. */
size_t lineCount(const char *text);

/* A folder for a test's files, taken away with all that is in it by folderRemove. */
void folderMake(char path[64]);
void folderRemove(const char *path);
/* Memory until then. */
void *keepUntilRemoved(size_t size);

/* folder/name; valid until the next but seven calls. */
const char *pathIn(const char *folder, const char *name);
bool fileExists(const char *path);
void fileWrite(const char *path, const void *bytes, size_t size);
/* Its contents and a final zero; valid until the next but three calls. Fails the test if it cannot
 * be read. */
char *fileRead(const char *path);
void expectFile(const char *path, const char *text);

/* Copies a picture to where a person wants to look at it, if one does: MUR_TEST_PICTURES. */
void fileKeep(const char *path, const char *name);

/* A case that only the long tier has. */
#define LONG_TEST(name, setup, teardown)                                                         \
    static void name(void **state);                                                              \
    __attribute__((constructor)) static void name##_is_a_case(void) {                            \
        if (test_full()) {                                                                       \
            cases_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown), \
                      NULL, NULL);                                                               \
        }                                                                                        \
    }                                                                                            \
    static void name(void **state)

/* Of processors that it has used so far. */
unsigned long programMilliseconds(pid_t program);

#endif
