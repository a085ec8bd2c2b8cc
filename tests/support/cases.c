/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <stdlib.h>

enum { MOST_CASES = 512 };

static struct CMUnitTest cases[MOST_CASES];
static size_t count;
static CMFixtureFunction openShared, closeShared;

void cases_add(struct CMUnitTest test, CMFixtureFunction open, CMFixtureFunction close) {
    if (count == MOST_CASES) {
        abort();
    }
    cases[count++] = test;
    if (open) {
        openShared = open;
        closeShared = close;
    }
}

int cases_run(void) {
    if (getenv("MUR_TEST_CASE")) {
        cmocka_set_test_filter(getenv("MUR_TEST_CASE"));
    }
    if (getenv("MUR_TEST_SKIP")) {
        cmocka_set_skip_filter(getenv("MUR_TEST_SKIP"));
    }
    return count == 0 || _cmocka_run_group_tests("cases", cases, count, openShared, closeShared);
}
