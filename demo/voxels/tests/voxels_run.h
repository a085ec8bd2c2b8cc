/* Runs murvoxels in a new folder per test case. MUR_TEST_DEVICE selects the device, and
 * MUR_TEST_NO_VALIDATION disables the validation layers.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_VOXELS_RUN_H
#define MUR_TEST_VOXELS_RUN_H

#include "program.h"

extern char folder[64];

/* Runs the program headless with these arguments and those of the environment: voxels_reference if
 * they have one of its options, else murvoxels. Removes warnings about clocks from its errors. */
void run(Program *program, const char *const *arguments, size_t count);

#define RUN(program, ...)                            \
    run(program, (const char *const[]){__VA_ARGS__}, \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

void writeText(const char *name, const char *text);

/* Writes the text to a.replay and plays it with these options. */
#define PLAY(program, text, ...) \
    (writeText("a.replay", text), RUN(program, "--replay", "a.replay", __VA_ARGS__))

/* Options for little memory, because clearing unused memory takes time. */
#define SMALL_ROOM                                                                           \
    "--pool-mib", "16", "--table-slots", "32768", "--table-start", "4096", "--flood-bricks", \
        "4096", "--clipboard-mib", "4"
/* Options for even less memory, for pictures. */
#define TINY_ROOM                                                                              \
    "--undo-mib", "16", "--pool-mib", "16", "--table-slots", "16384", "--table-start", "1024", \
        "--flood-bricks", "1024", "--clipboard-mib", "1"

/* Expects success and nothing on stderr. */
void expectSuccess(const Program *program);
/* Expects status 2 and this number of lines on stderr, each with this text. */
void expectWarnings(const Program *program, size_t lines, const char *text);
/* Expects an error: one line that begins with the program's name and contains this text. */
void expectError(const Program *program, const char *text);
/* Runs the program with these arguments, and expects this error. */
#define EXPECT_ERROR(program, text, ...) (RUN(program, __VA_ARGS__), expectError(program, text))
/* Expects partial success: this number of lines on stderr, each text in one of them. */
void expectSaid(const Program *program, size_t lines, const char *const *texts);
#define EXPECT_SAID(program, lines, ...) \
    expectSaid(program, lines, (const char *const[]){__VA_ARGS__, NULL})

enum { CHECKSUMS = 48 };

typedef struct Checksums {
    char sums[CHECKSUMS][17];
    unsigned long long voxels[CHECKSUMS];
    size_t count;
} Checksums;

/* Reads all lines "checksum SUM of VOXELS voxels", each followed by "as on the CPU" if verified. */
void readChecksums(const Program *program, bool verified, Checksums *checksums);

/* Compares checksums from the first on, one per letter: equal letters require equal checksums, and
 * different letters require different checksums. */
void expectSums(const Checksums *checksums, size_t first, const char *letters);

/* Setup and teardown for cmocka: a new folder, and a watchdog that ends the process. */
int setupRun(void **state);
int teardownRun(void **state);

#define TEST(name) TEST_BETWEEN(name, setupRun, teardownRun)

#endif
