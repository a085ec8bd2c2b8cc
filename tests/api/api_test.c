/* The C API: every bad argument to every function gets its documented error, a message that names
 * the argument, and no effect; and what the functions promise otherwise.
 *
 * SPDX-License-Identifier: MIT */
#include "api.h"

int main(void) {
    int failed = run_device_tests();
    failed += run_context_tests();
    failed += run_table_tests();
    failed += run_command_tests();
    failed += run_overlap_tests();
    failed += run_blocking_tests();
    failed += run_debug_tests();
    failed += run_sharing_tests();
    return failed;
}
