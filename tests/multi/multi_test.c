/* Tables with many values a key: the commands, against a list of pairs.
 *
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include "cases.h"

#define ROW(name) gpu_test(name),

GPU_TEST_GROUP(main, "multi", MULTI_CASES(ROW))
