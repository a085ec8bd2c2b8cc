/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "common/array.h"
#include "common/clock.h"

#include <stdlib.h>
#include <string.h>

void reportStart(Report *report, FILE *csv) {
    *report = (Report){.csv = csv};
    if (csv) {
        (void)fputs(
            "kind,frame,name,ms,voxels,bricks_changed,voxels_per_second,pool_failed,"
            "table_failed,bricks,table_slots,load_factor,pool_used,pool_bricks,undo_bytes_reserved,"
            "memory_bytes\n",
            csv);
    }
}

void reportEnd(Report *report) {
    for (size_t i = 0; i < report->groupCount; ++i) {
        free(report->groups[i].times);
        free(report->groups[i].voxels);
    }
    free(report->groups);
    *report = (Report){0};
}

static ReportGroup *findGroup(Report *report, const char *name) {
    for (size_t i = 0; i < report->groupCount; ++i) {
        ReportGroup *group = &report->groups[i];
        if (strcmp(group->name, name) == 0) {
            return group;
        }
    }
    if (!growItems(&report->groups, report->groupCount, &report->groupCapacity,
                   sizeof *report->groups)) {
        return NULL;
    }
    ReportGroup *group = &report->groups[report->groupCount++];
    *group = (ReportGroup){0};
    (void)snprintf(group->name, sizeof group->name, "%s", name);
    return group;
}

static bool addTime(Report *report, const char *name, double milliseconds, double voxels) {
    ReportGroup *group = findGroup(report, name);
    if (!group ||
        !growItems(&group->times, group->count, &group->capacity[0], sizeof milliseconds) ||
        !growItems(&group->voxels, group->count, &group->capacity[1], sizeof voxels)) {
        return false;
    }
    group->times[group->count] = milliseconds;
    group->voxels[group->count++] = voxels;
    return true;
}

static double perSecond(double voxels, double milliseconds) {
    return milliseconds > 0 ? 1e3 * voxels / milliseconds : 0;
}

void reportRow(Report *report, const char *kind, uint64_t frame, const char *name,
               double milliseconds, const World *world, const WorldReport *edit) {
    const bool isFrame = strcmp(kind, "frame") == 0 || strcmp(kind, "fly") == 0;
    if (milliseconds >= 0 && (edit || isFrame) && name[0] &&
        !addTime(report, name, milliseconds, edit ? edit->voxels : 0)) {
        report->failed = true;
    }
    if (!report->csv) {
        return;
    }
    const WorldUse use = world ? worldUse(world) : (WorldUse){.tableSlots = 1};
    (void)fprintf(report->csv, "%s,%llu,%s,", kind, (unsigned long long)frame, name);
    if (milliseconds >= 0) {
        (void)fprintf(report->csv, "%.6f", milliseconds);
    }
    if (edit) {
        (void)fprintf(report->csv, ",%u,%u,%.0f,%u,%u", edit->voxels, edit->changes,
                      perSecond(edit->voxels, milliseconds), edit->poolFailed, edit->tableFailed);
    } else {
        (void)fputs(",,,,,", report->csv);
    }
    (void)fprintf(report->csv, ",%u,%u,%.6f,%u,%u,%llu,%llu\n", use.bricks, use.tableSlots,
                  (double)use.bricks / use.tableSlots, use.payloads, use.poolBricks,
                  (unsigned long long)use.undoBytes,
                  (unsigned long long)(world ? storeBytes(&world->store) : 0));
}

void reportSummary(const Report *report, FILE *file) {
    for (size_t i = 0; i < report->groupCount; ++i) {
        const ReportGroup *group = &report->groups[i];
        const size_t count = group->count;
        if (i == 0) {
            (void)fprintf(file, "%-28s %6s %12s %10s %10s %10s %8s %12s\n", "", "times", "voxels",
                          "median ms", "p99 ms", "longest", "/median", "10^9 vox/s");
        }
        const double median = secondsMedian(group->times, (unsigned)count); /* sorts them */
        const double voxels = secondsMedian(group->voxels, (unsigned)count);
        const double longest = group->times[count - 1];
        (void)fprintf(file, "%-28s %6zu %12.0f %10.4f %10.4f %10.4f %8.2f %12.3f\n", group->name,
                      count, voxels, median, group->times[(count * 99 + 99) / 100 - 1], longest,
                      median > 0 ? longest / median : 0, 1e-9 * perSecond(voxels, median));
    }
}
