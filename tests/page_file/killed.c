/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "killed.h"

#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
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
