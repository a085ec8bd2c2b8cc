/* The thread tests alone, for tsan.sh. SPDX-License-Identifier: MIT */
#include "host_test.h"

int main(void) {
    return thread_tests();
}
