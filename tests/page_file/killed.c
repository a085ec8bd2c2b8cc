/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "killed.h"
#include "support/cases.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* UINT32_MAX: for ever. */
static uint32_t callsToLive = UINT32_MAX;

static void count_call(void) {
    if (callsToLive != UINT32_MAX && callsToLive-- == 0) {
        (void)raise(SIGKILL);
    }
}

/* In place of the C library's. */
int fsync(int file) {
    count_call();
    return (int)syscall(SYS_fsync, file);
}

static ssize_t write_at(int file, const void *bytes, size_t size, off_t offset) {
    count_call();
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
    return write_at(file, bytes, size, offset);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return write_at(file, bytes, size, offset);
}

int rename(const char *from, const char *to) {
    count_call();
    return (int)syscall(SYS_rename, from, to);
}

void killed_after(uint32_t calls) {
    callsToLive = calls;
}

bool killed_again(const char *task, uint32_t calls) {
    char number[16];
    (void)snprintf(number, sizeof number, "%u", calls);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)setenv("MUR_TEST_NO_VALIDATION", "1", 1);
        (void)unsetenv("MUR_TEST_CASE");
        (void)execl("/proc/self/exe", "again", task, number, (char *)NULL);
        _exit(3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    assert_true(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return killed;
}
