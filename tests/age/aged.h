/* A table whose entries have ages, and what murCmdAge should make of it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef AGED_H
#define AGED_H

#include "../reclaim/reclaim.h"

#include <murmuration/age.h>

typedef struct Aged {
    Churn churn;
    GpuBuffer ages; /* as long as it must be, and words behind that stay AGED_UNTOUCHED */
    uint32_t slots; /* extra ones among them */
    /* What the last call wrote, lists in rising order. */
    MurAgeResult result;
    uint32_t *live, *erased;
} Aged;

enum { AGED_UNTOUCHED = 0x5B5B5B5B, AGED_MARGIN = 8 };

void aged_open(Gpu *gpu, Aged *aged, const Kind *kind, const ChurnOptions *options);
void aged_close(Aged *aged);
uint32_t *aged_words(const Aged *aged);

/* Runs murHostAge on a copy, and the command with room for all in its lists; fails unless all that
 * they may write is as it should be. The entries that went are no longer among the churn's. */
void aged_check(Aged *aged, const MurAge *age);

#endif
