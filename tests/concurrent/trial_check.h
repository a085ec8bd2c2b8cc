/* Shared by trial_check.c and trial_order.c, which check a trial.
 * SPDX-License-Identifier: MIT */
#ifndef TRIAL_CHECK_H
#define TRIAL_CHECK_H

#include "trial.h"

/* Sums over the recorded operations on one key, and the key's state in the table. */
typedef struct Tally {
    uint32_t slot;     /* the key's slot, or MUR_NO_SLOT */
    uint32_t final;    /* value in the table, or the empty value */
    uint32_t inserts;  /* operations that insert */
    uint32_t inserted; /* operations that returned MUR_INSERTED */
    uint32_t full;     /* operations that returned MUR_FULL */
    uint32_t erased;   /* operations that returned MUR_ERASED */
    uint32_t writes;   /* operations that wrote a value */
    uint32_t assigned; /* assigns and updates among the writes */
    uint32_t given;    /* sum of the written values */
    uint32_t bits;     /* union of the written values and the initial value */
    uint32_t taken;    /* sum of the values that erases and exchanges returned */
    bool exhausted;    /* every slot that a probe for the key reads is taken */
    uint32_t result;   /* initial value and written values, accumulated */
} Tally;

typedef struct Check {
    const Trial *trial;
    Tally *tallies;      /* one per key */
    uint8_t *taken;      /* per operation: number of erases and exchanges that returned its value */
    uint32_t accumulate; /* the result of accumulating_mode() */
    bool erases;         /* an operation erases */
    bool neverInserts;   /* no operation inserts */
    bool claimed;        /* some slot except the sentinel slot is used */
    bool wrapped;        /* some key lives in a slot before its home */
    uint64_t fulls;
    uint32_t failures;
} Check;

/* Counts a failure, and prints the first few. */
void check_failed(Check *check, const char *format, ...) CMOCKA_PRINTF_ATTRIBUTE(2, 3);

/* Returns whether the operation wrote a value. MUR_MODE_INSERT does not change a present value. */
bool check_took_effect(const StormRecord *record);

/* Returns a and b combined by an accumulating mode (add, min, ...), or b for other modes. */
uint32_t check_fold(uint32_t mode, uint32_t a, uint32_t b);

/* trial_order.c: computes the status and the returned value of an operation on a table that no
 * other operation accesses. value: input and output, the key's value (none: the key is absent). */
void check_expect(const StormRecord *record, uint32_t none, uint32_t *value, uint32_t *status,
                  uint32_t *returned);

/* Checks the results of each invocation in the order in which the invocation made its calls. */
void check_order(Check *check);

#endif
