/* The watchdog of the tests ends a program that computes forever, and no other program.
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "support/watchdog.h"
#include "support/cases.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

PLAIN_TEST(watchdog_ends_endless_computation) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        watchdog(1);
        for (volatile unsigned turns = 0;; ++turns) {
        }
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGXCPU);
}

PLAIN_TEST(stopped_watchdog_ends_nothing) {
    struct rlimit before, during, after;
    assert_int_equal(getrlimit(RLIMIT_CPU, &before), 0);
    watchdog(20);
    assert_int_equal(getrlimit(RLIMIT_CPU, &during), 0);
    watchdog(0);
    assert_int_equal(getrlimit(RLIMIT_CPU, &after), 0);
    assert_in_range(during.rlim_cur, 20, 30);
    assert_true(after.rlim_cur == before.rlim_max);
}
