/* Tables with many values a key: the commands, against a list of pairs.
 *
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include "cases.h"

#define ROW(name) gpu_test(name),

int main(void) {
    const struct CMUnitTest tests[] = {MULTI_CASES(ROW)};
    return cmocka_run_group_tests_name("multi", tests, gpu_group_setup, gpu_group_teardown);
}
