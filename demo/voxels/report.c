/* SPDX-License-Identifier: MIT */
#include "report.h"

void reportAdd(Report *report, const ReportLine *line) {
    if (report->count < REPORT_LINES) {
        report->lines[report->count++] = *line;
    }
}

static double load(const ReportLine *line) {
    return (double)line->live / line->capacity;
}

void reportPrint(const Report *report, FILE *file) {
    (void)fprintf(file, "%-12s %10s %12s %9s %9s %9s %6s %9s\n", "stage", "ms", "voxels", "bricks",
                  "live", "capacity", "load", "MiB");
    for (uint32_t i = 0; i < report->count; ++i) {
        const ReportLine *line = &report->lines[i];
        char time[32] = "-";
        if (line->milliseconds >= 0) {
            (void)snprintf(time, sizeof time, "%.3f", line->milliseconds);
        }
        (void)fprintf(file, "%-12s %10s %12u %9u %9u %9u %6.3f %9.1f\n", line->stage, time,
                      line->voxels, line->bricks, line->live, line->capacity, load(line),
                      (double)line->bytes / (1 << 20));
    }
}

bool reportWriteCsv(const Report *report, FILE *file) {
    (void)fputs("stage,ms,voxels,bricks,table_live,table_capacity,load_factor,memory_bytes\n",
                file);
    for (uint32_t i = 0; i < report->count; ++i) {
        const ReportLine *line = &report->lines[i];
        (void)fprintf(file, "%s,", line->stage);
        if (line->milliseconds >= 0) {
            (void)fprintf(file, "%.6f", line->milliseconds);
        }
        (void)fprintf(file, ",%u,%u,%u,%u,%.6f,%llu\n", line->voxels, line->bricks, line->live,
                      line->capacity, load(line), (unsigned long long)line->bytes);
    }
    return !ferror(file);
}
