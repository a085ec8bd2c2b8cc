/* Limits: capacities, probe lengths, special keys, counts, sizes, and memory that has been tampered
 * with. All share one device, so that each pipeline is made once.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <string.h>

int main(void) {
    static struct CMUnitTest tests[128];
    size_t count = 0;
#define ADD(name)                                                             \
    assert_true(count + name##_test_count <= sizeof tests / sizeof tests[0]); \
    memcpy(tests + count, name##_tests, name##_test_count * sizeof tests[0]); \
    count += name##_test_count;
    LIMITS_LISTS(ADD)
    return _cmocka_run_group_tests("limits", tests, count, gpu_group_setup, gpu_group_teardown);
}
