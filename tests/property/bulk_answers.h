/* What the items of a batch are told beside statuses and slots: the values that were there before,
 * and answers as bits.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_ANSWERS_H
#define MUR_TEST_BULK_ANSWERS_H

#include "bulk_run.h"

#include "oracle/oracle.h"

/* NULL, or what is wrong, in words that stay valid until the next call. before, after: the table,
 * which has been checked. */
const char *answers_wrong(const uint32_t *words, const Command *command, const Placement *at,
                          const Oracle *before, const Oracle *after);

#endif
