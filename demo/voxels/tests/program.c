/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "program.h"
#include "support/cases.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const char *path, const char *const *arguments, const char *folder) {
    char *argv[PROGRAM_ARGUMENTS + 2] = {(char *)(uintptr_t)path};
    for (int i = 0; arguments[i] && i < PROGRAM_ARGUMENTS; ++i) {
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    }
    if (chdir(folder) != 0 || !freopen("stdout.txt", "wb", stdout) ||
        !freopen("stderr.txt", "wb", stderr)) {
        _exit(126);
    }
    (void)execv(path, argv);
    _exit(127);
}

pid_t programStart(const char *path, const char *const *arguments, const char *folder) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        become(path, arguments, folder);
    }
    return child;
}

static char *keepText(const char *text) {
    return strcpy(keepUntilRemoved(strlen(text) + 1), text);
}

void programRun(const char *path, const char *const *arguments, const char *folder,
                Program *program) {
    int status = 0;
    const pid_t child = programStart(path, arguments, folder);
    assert_int_equal(waitpid(child, &status, 0), child);
    program->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    program->out = keepText(fileRead(pathIn(folder, "stdout.txt")));
    program->error = keepText(fileRead(pathIn(folder, "stderr.txt")));
}

size_t addEnvironment(const char **arguments, size_t count, bool validated) {
    const char *unchecked = getenv("MUR_TEST_NO_VALIDATION"), *device = getenv("MUR_TEST_DEVICE");
    if (validated && (!unchecked || !*unchecked || strcmp(unchecked, "0") == 0)) {
        arguments[count++] = "--validation";
    }
    if (device) {
        arguments[count++] = "--device";
        arguments[count++] = device;
    }
    return count;
}

size_t lineCount(const char *text) {
    size_t lines = 0;
    for (const char *at = text; *at; ++at) {
        lines += *at == '\n' || at[1] == '\0';
    }
    return lines;
}

void folderMake(char path[64]) {
    const char *base = getenv("TMPDIR");
    (void)snprintf(path, 64, "%.40s/murvoxels-XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(path));
}

static int removeOne(const char *path, const struct stat *status, int type, struct FTW *place) {
    return remove(path);
}

typedef struct Kept {
    struct Kept *next;
    uint8_t bytes[];
} Kept;

static Kept *kept;

void *keepUntilRemoved(size_t size) {
    Kept *made = malloc(sizeof *made + size);
    assert_non_null(made);
    made->next = kept;
    kept = made;
    return made->bytes;
}

void folderRemove(const char *path) {
    for (Kept *next; kept; kept = next) {
        next = kept->next;
        free(kept);
    }
    assert_int_equal(nftw(path, removeOne, 8, FTW_DEPTH | FTW_PHYS), 0);
}

const char *pathIn(const char *folder, const char *name) {
    static char paths[8][384];
    static int next;
    char *path = paths[next++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

bool fileExists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

void fileWrite(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char *fileRead(const char *path) {
    static char *texts[4];
    static int next;
    char **text = &texts[next++ % 4];
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        fail_msg("%s is missing", path);
    }
    *text = realloc(*text, (size_t)status.st_size + 1);
    assert_non_null(*text);
    (*text)[fread(*text, 1, (size_t)status.st_size, file)] = '\0';
    (void)fclose(file);
    return *text;
}

void expectFile(const char *path, const char *text) {
    assert_string_equal(fileRead(path), text);
}

void fileKeep(const char *path, const char *name) {
    const char *wanted = getenv("MUR_TEST_PICTURES");
    struct stat status;
    if (wanted && *wanted && stat(path, &status) == 0) {
        fileWrite(pathIn(wanted, name), fileRead(path), (size_t)status.st_size);
    }
}
