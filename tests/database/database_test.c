/* SPDX-License-Identifier: MIT */
#include "database_test.h"
#include "shim.h"
#include "support/cases.h"

int main(int argc, char **argv) {
    if (argc == 2) {
        return system_task(argv[1]);
    }
    shim_install();
    return cases_run();
}
