/* The numbers of a run: rows of CSV as they come, and their summary in the end.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REPORT_H
#define MURVOXELS_REPORT_H

#include "edit/world.h"

#include <stdio.h>

enum { REPORT_NAME = 48 };

/* Times of all rows of one name. */
typedef struct ReportGroup {
    char name[REPORT_NAME];
    double *times; /* milliseconds; of rows that have some */
    double *voxels;
    size_t count, capacity[2]; /* of either */
} ReportGroup;

typedef struct Report {
    FILE *csv; /* NULL: none is wanted */
    ReportGroup *groups;
    size_t groupCount, groupCapacity;
    bool failed; /* no memory for a row */
} Report;

/* Writes the first line of the CSV. */
void reportStart(Report *report, FILE *csv);
void reportEnd(Report *report);

/* kind: "stage", "edit", "frame" or "fly"; milliseconds: negative if it is not known. world and
 * edit may be NULL. Frames of a name, flights and edits count for the summary. */
void reportRow(Report *report, const char *kind, uint64_t frame, const char *name,
               double milliseconds, const World *world, const WorldReport *edit);

/* Median and 99th percentile by name. */
void reportSummary(const Report *report, FILE *file);

#endif
