/* cmocka, with the headers that it wants before it, and cases.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CASES_H
#define MUR_TEST_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Zeros. */
static inline void *test_allocate(size_t size) {
    void *memory = calloc(1, size + 1);
    assert_non_null(memory);
    return memory;
}

/* A call with a wrong argument. */
#define assert_refused(call) assert_int_equal(call, MUR_ERROR_INVALID_ARGUMENT)

/* A case of the program that its file is linked into, with what comes before it and after it: what
 * follows is its body. */
#define PLAIN_TEST(name) TEST_BETWEEN(name, NULL, NULL)
#define TEST_BETWEEN(name, setup, teardown)                                                        \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_a_case(void) {                              \
        cases_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown), NULL, \
                  NULL);                                                                           \
    }                                                                                              \
    static void name(void **state)

/* A case, and what opens and closes that which all of its kind share. */
void cases_add(struct CMUnitTest test, CMFixtureFunction open, CMFixtureFunction close);
/* Runs all cases, in the order of their files, in one group. main, where a program has none. */
int cases_run(void);

/* A function that runs cases that are listed, as a group of that name. */
#define TEST_GROUP(function, name, setup, teardown, ...)                  \
    int function(void) {                                                  \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                  \
        return cmocka_run_group_tests_name(name, tests, setup, teardown); \
    }

#endif
