/* The groups of host_test. Each returns the number of its failed cases.
 *
 * SPDX-License-Identifier: MIT */
#ifndef HOST_TEST_H
#define HOST_TEST_H

#include "image.h"

int image_tests(void);
int sequence_tests(void);
int edge_tests(void);
int move_tests(void);
int thread_tests(void);

#endif
