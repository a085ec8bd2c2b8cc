/* SPDX-License-Identifier: MIT */
#include "host_test.h"

int main(void) {
    return image_tests() + sequence_tests() + edge_tests() + move_tests() + thread_tests();
}
