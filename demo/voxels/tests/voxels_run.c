/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "voxels_run.h"
#include "support/watchdog.h"
#include "support/cases.h"

#include <stdio.h>
#include <string.h>

char folder[64];

/* Removes warnings about the device's clocks, because they only depend on other load. */
static void dropClocks(char *line) {
    while (*line) {
        const char *end = strchr(line, '\n');
        const char *found = strstr(line, ": the device's clocks did not stay up");
        const size_t length = end ? (size_t)(end + 1 - line) : strlen(line);
        if (strncmp(line, "murvoxels: ", 11) == 0 && found && found < line + length) {
            memmove(line, line + length, strlen(line + length) + 1);
        } else {
            line += length;
        }
    }
}

void run(Program *program, const char *const *arguments, size_t count) {
    static const char *const options[] = {"--count", "--verify", "--reference", "--compare"};
    const char *all[PROGRAM_ARGUMENTS + 1] = {"--headless"};
    size_t used = addEnvironment(all, 1, true);
    assert_true(used + count <= PROGRAM_ARGUMENTS);
    bool reference = false;
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < sizeof options / sizeof *options; ++j) {
            reference = reference || strcmp(arguments[i], options[j]) == 0;
        }
        all[used++] = arguments[i];
    }
    programRun(reference ? REFERENCE : MURVOXELS, all, folder, program);
    dropClocks(program->error);
}

void writeText(const char *name, const char *text) {
    fileWrite(pathIn(folder, name), text, strlen(text));
}

static void expectStatus(const Program *program, int status) {
    if (program->status != status) {
        fail_msg("status %d, not %d; stderr: %s", program->status, status, program->error);
    }
}

void expectSuccess(const Program *program) {
    expectStatus(program, 0);
    assert_string_equal(program->error, "");
}

void expectWarnings(const Program *program, size_t lines, const char *text) {
    const char *line = program->error;
    expectStatus(program, 2);
    if (lineCount(line) != lines) {
        fail_msg("%zu lines expected with \"%s\"; stderr: %s", lines, text, line);
    }
    for (size_t i = 0; i < lines; ++i) {
        const char *found = strstr(line, text);
        const char *end = strchr(line, '\n');
        assert_int_equal(strncmp(line, "murvoxels: ", 11), 0);
        assert_true(found && end && found < end);
        line = end + 1;
    }
}

void expectError(const Program *program, const char *text) {
    if (program->status != 1 || lineCount(program->error) != 1 || !strstr(program->error, text) ||
        strncmp(program->error, "murvoxels: ", 11) != 0) {
        fail_msg("expected one line with \"%s\"; status %d, stderr: %s", text, program->status,
                 program->error);
    }
}

void expectSaid(const Program *program, size_t lines, const char *const *texts) {
    expectStatus(program, 2);
    assert_int_equal(lineCount(program->error), lines);
    for (; *texts; ++texts) {
        if (!strstr(program->error, *texts)) {
            fail_msg("\"%s\" is not said: %s", *texts, program->error);
        }
    }
}

void readChecksums(const Program *program, bool verified, Checksums *checksums) {
    memset(checksums, 0, sizeof *checksums);
    const char *line = strstr(program->out, "checksum ");
    for (; line; line = strstr(line + 1, "\nchecksum ")) {
        const char *text = *line == '\n' ? line + 1 : line;
        const size_t i = checksums->count++;
        char end[64] = "";
        assert_true(i < CHECKSUMS);
        assert_int_equal(sscanf(text, "checksum %16[0-9a-f] of %llu voxels\n%63[^\n]",
                                checksums->sums[i], &checksums->voxels[i], end),
                         3);
        assert_int_equal(strcmp(end, "as on the CPU") == 0, verified);
        assert_int_equal(strlen(checksums->sums[i]), 16);
    }
    assert_true(checksums->count > 0);
}

void expectSums(const Checksums *checksums, size_t first, const char *letters) {
    assert_true(first + strlen(letters) <= checksums->count);
    for (size_t i = 0; i < strlen(letters); ++i) {
        for (size_t j = 0; j < i; ++j) {
            const bool same = strcmp(checksums->sums[first + i], checksums->sums[first + j]) == 0;
            if (same != (letters[i] == letters[j])) {
                fail_msg("checks %zu and %zu from %zu on, of %s", j, i, first, letters);
            }
        }
    }
}

int setupRun(void **state) {
    folderMake(folder);
    watchdog(300);
    return 0;
}

int teardownRun(void **state) {
    watchdog(0);
    folderRemove(folder);
    return 0;
}
