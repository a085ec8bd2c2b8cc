/* Test cases. Includes cmocka after the headers that cmocka requires.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CASES_H
#define MUR_TEST_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Allocates zeroed memory. */
static inline void *test_allocate(size_t size) {
    void *memory = calloc(1, size + 1);
    assert_non_null(memory);
    return memory;
}

/* Fails the test unless the call rejects an argument. */
#define assert_refused(call) assert_int_equal(call, MUR_ERROR_INVALID_ARGUMENT)

/* Defines a case of the program, with setup and teardown. The body of the case follows. */
#define PLAIN_TEST(name) TEST_BETWEEN(name, NULL, NULL)
#define TEST_BETWEEN(name, setup, teardown)                                                        \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_a_case(void) {                              \
        cases_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown), NULL, \
                  NULL);                                                                           \
    }                                                                                              \
    static void name(void **state)

/* Adds a case, with the setup and teardown that its group shares. */
void cases_add(struct CMUnitTest test, CMFixtureFunction open, CMFixtureFunction close);
/* Runs all cases as one group, in the order of their files: for programs without a main. */
int cases_run(void);

#endif
