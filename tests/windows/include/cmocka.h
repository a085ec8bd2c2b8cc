/* The part of cmocka that the tests of windows.sh use, because Debian has no cmocka for Windows.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CMOCKA_H
#define MUR_TEST_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

jmp_buf cmocka_failed; /* -fcommon merges the definitions of all files */

#define fail_at_(...)                                                           \
    (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), putchar('\n'), \
     longjmp(cmocka_failed, 1))
#define HERE_              __FILE__, __LINE__
#define fail_msg(...)      fail_at_(__VA_ARGS__)
#define print_message(...) printf(__VA_ARGS__)
#define print_error(...)   printf(__VA_ARGS__)
#define check_(it, what)   ((it) ? (void)0 : fail_at_("%s", what))

#define assert_true(it)                  check_(it, #it)
#define assert_false(it)                 check_(!(it), "not " #it)
#define assert_non_null(it)              check_((it) != NULL, #it)
#define assert_null(it)                  check_((it) == NULL, "no " #it)
#define assert_memory_equal(a, b, n)     check_(memcmp(a, b, n) == 0, #a " is not " #b)
#define assert_memory_not_equal(a, b, n) check_(memcmp(a, b, n) != 0, #a " is " #b)
#define assert_int_equal(a, b)           equal_((uint64_t)(a), (uint64_t)(b), #a, HERE_)
#define assert_in_range(a, low, high)    check_((a) >= (low) && (a) <= (high), #a)

static inline void equal_(uint64_t a, uint64_t b, const char *what, const char *file, int line) {
    if (a != b) {
        printf("%s:%d: %s: %llx and %llx\n", file, line, what, (unsigned long long)a,
               (unsigned long long)b);
        longjmp(cmocka_failed, 1);
    }
}

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};
#define cmocka_unit_test_setup_teardown(function, setup, teardown) \
    { #function, function, setup, teardown }

typedef int (*CMFixtureFunction)(void **state);
#define cmocka_set_test_filter(pattern) ((void)(pattern))
#define cmocka_set_skip_filter(pattern) ((void)(pattern))

/* Returns the number of failed cases. */
static inline int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                                          size_t count, CMFixtureFunction open,
                                          CMFixtureFunction close) {
    (void)name, (void)open, (void)close;
    volatile int failures = 0;
    for (volatile size_t i = 0; i < count; ++i) {
        void *state = NULL;
        printf("[ RUN      ] %s\n", tests[i].name);
        fflush(stdout);
        if (setjmp(cmocka_failed) == 0 && (!tests[i].setup || tests[i].setup(&state) == 0)) {
            tests[i].test(&state);
            printf("[       OK ] %s\n", tests[i].name);
        } else {
            ++failures;
            printf("[  FAILED  ] %s\n", tests[i].name);
        }
        if (tests[i].teardown) {
            tests[i].teardown(&state);
        }
    }
    return failures;
}

#endif
