/* The groups of page_file_test. Each returns the number of its failed cases.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_FILE_TEST_H
#define PAGE_FILE_TEST_H

#include "pages.h"

int crash_tests(void);
int damage_tests(void);
int failure_tests(void);
int random_tests(void);
int system_tests(void);

#endif
