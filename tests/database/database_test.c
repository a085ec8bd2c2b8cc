/* SPDX-License-Identifier: MIT */
#include "database_test.h"
#include "shim.h"
#include "support/cases.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc == 2) {
        return system_task(argv[1]);
    }
    cmocka_set_test_filter(getenv("MUR_TEST_CASE"));
    shim_install();
    return model_tests() + crash_tests() + damage_tests() + system_tests();
}
