/* The groups of snapshot_test. Each returns the number of its failed cases.
 *
 * SPDX-License-Identifier: MIT */
#ifndef SNAPSHOT_TEST_H
#define SNAPSHOT_TEST_H

#include "bytes.h"

int load_tests(void);
int damage_tests(void);
int file_tests(void);

#endif
