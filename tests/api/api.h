/* SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_API_H
#define MUR_TEST_API_H

#include "support/observe.h"

/* Every call of a helper that uses a table is refused, by this text of the log's. */
void refuse_blocking_calls(Observed *observed, MurBlocking helper, MurTable table,
                           const char *text);

#endif
