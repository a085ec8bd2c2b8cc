/* Runs murvoxels as a user does, in a folder of the case's own, with the validation layers and on
 * the device of the environment: MUR_TEST_DEVICE, MUR_TEST_NO_VALIDATION.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_VOXELS_RUN_H
#define MUR_TEST_VOXELS_RUN_H

#include "program.h"

extern char folder[64];
extern const char *runs; /* the program; murvoxels until it is set */

/* Runs headless with these arguments and those that the environment requests. Warnings about clocks
 * that did not stay up are left out of its errors. */
void run(Program *program, const char *const *arguments, size_t count);

#define RUN(program, ...)                            \
    run(program, (const char *const[]){__VA_ARGS__}, \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

void writeText(const char *name, const char *text);

/* Plays this text, as a.replay, with these options, too. */
#define PLAY(program, text, ...) \
    (writeText("a.replay", text), RUN(program, "--replay", "a.replay", __VA_ARGS__))

/* Options for little memory: most is not touched otherwise either, but has to be cleared. */
#define SMALL_ROOM                                                                           \
    "--pool-mib", "16", "--table-slots", "32768", "--table-start", "4096", "--flood-bricks", \
        "4096", "--clipboard-mib", "4"
enum { SMALL_ROOM_COUNT = 10 };
/* Less of it, for pictures. */
#define TINY_ROOM                                                                              \
    "--undo-mib", "16", "--pool-mib", "16", "--table-slots", "16384", "--table-start", "1024", \
        "--flood-bricks", "1024", "--clipboard-mib", "1"

/* Success, and nothing on stderr. */
void expectSuccess(const Program *program);
/* Success, and just these many lines on stderr, each with this text. */
void expectWarnings(const Program *program, size_t lines, const char *text);
/* An error is one line that begins with the program's name and has this text in it. */
void expectError(const Program *program, const char *text);
/* A run with these arguments ends so. */
#define EXPECT_ERROR(program, text, ...) (RUN(program, __VA_ARGS__), expectError(program, text))
/* Not all was done: `lines` lines on stderr, each of these texts in one of them. */
void expectSaid(const Program *program, size_t lines, const char *const *texts);
#define EXPECT_SAID(program, lines, ...) \
    expectSaid(program, lines, (const char *const[]){__VA_ARGS__, NULL})

enum { CHECKSUMS = 48 };

typedef struct Checksums {
    char sums[CHECKSUMS][17];
    unsigned long long voxels[CHECKSUMS];
    size_t count;
} Checksums;

/* All lines "checksum SUM of VOXELS voxels", each followed by ", as on the CPU" if verified. */
void readChecksums(const Program *program, bool verified, Checksums *checksums);

/* From the first on, one a letter: two are the same where, and only where, their letters are. */
void expectSums(const Checksums *checksums, size_t first, const char *letters);

/* For cmocka: a new folder, and a watchdog that ends the process. */
int setupRun(void **state);
int teardownRun(void **state);

#define TEST(name) TEST_BETWEEN(name, setupRun, teardownRun)

#endif
