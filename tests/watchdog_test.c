/* The watchdog of the tests ends a program that computes for ever, and leaves others alone.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/watchdog.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static volatile unsigned long turns;

/* Computes for so many seconds, of its own time, under a watchdog; its status. */
static int compute(unsigned first, unsigned second, clock_t seconds) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        watchdog(first);
        watchdog(second);
        while (clock() < seconds * CLOCKS_PER_SEC) {
            ++turns;
        }
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void who_computes_for_ever_is_ended(void **state) {
    (void)state;
    const int status = compute(300, 1, 60);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGXCPU);
}

static void a_watchdog_is_called_off(void **state) {
    (void)state;
    const int status = compute(1, 0, 4);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_computes_for_ever_is_ended),
        cmocka_unit_test(a_watchdog_is_called_off),
    };
    return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
