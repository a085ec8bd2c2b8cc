/* The numbers of a run, a line a stage: as a table to read and as CSV.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REPORT_H
#define MURVOXELS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ReportLine {
    const char *stage;
    double milliseconds; /* on the GPU; negative: the device cannot tell */
    uint32_t voxels;     /* solid ones, after the stage */
    uint32_t bricks;
    uint32_t live; /* entries of the brick table */
    uint32_t capacity;
    uint64_t bytes; /* of GPU memory */
} ReportLine;

enum { REPORT_LINES = 8 };

typedef struct Report {
    ReportLine lines[REPORT_LINES];
    uint32_t count;
} Report;

/* Further lines than REPORT_LINES are dropped. */
void reportAdd(Report *report, const ReportLine *line);
void reportPrint(const Report *report, FILE *file);
bool reportWriteCsv(const Report *report, FILE *file);

#endif
