/* The groups of snapshot_test. Each returns the number of its failed cases.
 *
 * SPDX-License-Identifier: MIT */
#ifndef SNAPSHOT_TEST_H
#define SNAPSHOT_TEST_H

#include "bytes.h"

/* For tests of files, in the current folder: how many are there, a table with some entries, and is
 * that what a file has? */
uint32_t files_here(void);
Image image_with(uint64_t capacity, uint32_t entries);
void check_file(const char *path, const Image *expected);

#endif
