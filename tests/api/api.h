/* SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_API_H
#define MUR_TEST_API_H

#include "support/observe.h"

/* Every call of a helper that uses a table is refused, by this text of the log's. */
void refuse_blocking_calls(Observed *observed, MurBlocking helper, MurTable table,
                           const char *text);

int run_device_tests(void);
int run_context_tests(void);
int run_table_tests(void);
int run_command_tests(void);
int run_overlap_tests(void);
int run_blocking_tests(void);
int run_debug_tests(void);
int run_sharing_tests(void);

#endif
