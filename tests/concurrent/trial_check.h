/* Shared by the parts of the checker.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRIAL_CHECK_H
#define TRIAL_CHECK_H

#include "trial.h"

/* Records and table state of one key. */
typedef struct Tally {
    uint32_t slot;     /* MUR_NO_SLOT: none */
    uint32_t final;    /* value in the table, or the empty value */
    uint32_t inserts;  /* inserts, */
    uint32_t inserted; /* and those that returned MUR_INSERTED, MUR_FULL */
    uint32_t full;
    uint32_t erased;   /* operations that returned MUR_ERASED */
    uint32_t writes;   /* operations that took effect on the value, */
    uint32_t assigned; /* those that replace it, */
    uint32_t given;    /* the sum of their values, */
    uint32_t bits;     /* and their union, with the initial value */
    uint32_t taken;    /* sum of the values that erases and exchanges returned */
    bool exhausted;    /* every slot that a probe for the key reads is taken */
    uint32_t result;   /* initial value and effective values, accumulated */
} Tally;

typedef struct Check {
    const Trial *trial;
    Tally *tallies;      /* by key */
    uint8_t *taken;      /* by operation: how often its value was erased or exchanged */
    uint32_t accumulate; /* the mode whose results no order changes; KEEP; ASSIGN: none */
    bool erases;         /* the mix erases */
    bool neverInserts;   /* the mix does not insert */
    bool claimed;        /* some slot, except the extra slot */
    bool wrapped;        /* some key lives in a slot before its home */
    uint64_t fulls;
    uint32_t failures;
} Check;

/* Counts a failure, and prints the first few. */
void check_failed(Check *check, const char *format, ...) CMOCKA_PRINTF_ATTRIBUTE(2, 3);

/* Is every operation of the mix one of these bits? */
bool check_only(const Trial *trial, uint32_t allowed);

/* Returns why this value cannot belong to the key, or NULL. */
const char *check_value(const Check *check, uint32_t key, uint32_t value);

/* Did the operation change the value? MUR_MODE_INSERT does not change a present one. */
bool check_took_effect(const StormRecord *record);

/* a and b accumulated by a mode; b if the mode does not accumulate. */
uint32_t check_fold(uint32_t mode, uint32_t a, uint32_t b);

/* trial_order.c: the status and value of an operation on a sequential table where the key has
 * *value (none: absent). Updates *value. */
void check_expect(const StormRecord *record, uint32_t none, uint32_t *value, uint32_t *status,
                  uint32_t *returned);

/* Checks the results of each invocation in its own order. */
void check_order(Check *check);

#endif
