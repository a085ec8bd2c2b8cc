/* cmocka, with the headers that it wants before it, and lists of cases.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_CASES_H
#define MUR_TEST_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A function that runs cases, as a group of that name: main, or that of a part of a program. */
#define TEST_GROUP(function, name, setup, teardown, ...)                  \
    int function(void) {                                                  \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                  \
        return cmocka_run_group_tests_name(name, tests, setup, teardown); \
    }

#endif
