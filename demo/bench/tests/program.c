/* Running a program and keeping what it said.
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/murbench_test_XXXXXX";
static bool made;
static char files[4][PATH_MAX];

const char *program_file(unsigned slot, const char *name) {
    if (!made) {
        assert_non_null(mkdtemp(folder));
        made = true;
    }
    snprintf(files[slot], sizeof files[slot], "%s/%s", folder, name);
    return files[slot];
}

void program_clean(void) {
    static const char *const names[] = {"quick.csv", "rows.json", "rows.csv", "wrong.csv",
                                        "peers.csv", "output",    "errors"};
    for (size_t i = 0; made && i < sizeof names / sizeof names[0]; ++i) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path); /* not every run makes every file */
    }
    if (made && rmdir(folder) != 0) {
        print_error("%s: %s\n", folder, strerror(errno));
    }
}

char *program_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("%s: %s", path, strerror(errno));
    }
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    assert_non_null(memory);
    for (int c; (c = fgetc(file)) != EOF;) {
        fputc(c, memory);
    }
    fclose(file);
    assert_int_equal(fclose(memory), 0);
    return text;
}

static void beside_test(const char *name, char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    assert_true(length > 0);
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    snprintf(slash + 1, (size_t)(path + PATH_MAX - slash - 1), "%s", name);
}

static void redirect(int to, const char *path) {
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (file < 0 || dup2(file, to) < 0) {
        _exit(126);
    }
}

Program program_run(const char *name, const char *const *args) {
    char path[PATH_MAX];
    char *argv[PROGRAM_MAX_ARGS + 2];
    char output[PATH_MAX], errors[PATH_MAX];
    beside_test(name, path);
    snprintf(output, sizeof output, "%s", program_file(2, "output"));
    snprintf(errors, sizeof errors, "%s", program_file(3, "errors"));
    size_t count = 0;
    argv[count++] = path;
    for (; *args; ++args) {
        assert_true(count <= PROGRAM_MAX_ARGS);
        argv[count++] = (char *)(uintptr_t)*args; /* execv changes none of them */
    }
    argv[count] = NULL;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redirect(STDOUT_FILENO, output);
        redirect(STDERR_FILENO, errors);
        execv(path, argv);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    Program program = {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                       program_read(output), program_read(errors)};
    if (program.status == 127) {
        fail_msg("%s cannot be run", path);
    }
    return program;
}

void program_free(Program *program) {
    free(program->output);
    free(program->errors);
    *program = (Program){0};
}
