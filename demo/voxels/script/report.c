/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "common/seconds.h"
#include "model/grow.h"

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

static ReportGroup *findGroup(Report *report, const char *name, bool isFrames) {
    for (size_t i = 0; i < report->groupCount; ++i) {
        ReportGroup *group = &report->groups[i];
        if (group->isFrames == isFrames && strcmp(group->name, name) == 0) {
            return group;
        }
    }
    if (!growItems(&report->groups, report->groupCount, &report->groupCapacity,
                   sizeof *report->groups)) {
        return NULL;
    }
    ReportGroup *group = &report->groups[report->groupCount++];
    *group = (ReportGroup){.isFrames = isFrames};
    (void)snprintf(group->name, sizeof group->name, "%s", name);
    return group;
}

static bool addTime(Report *report, const char *name, bool isFrames, double milliseconds,
                    double voxels) {
    ReportGroup *group = findGroup(report, name, isFrames);
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
        !addTime(report, name, isFrame, milliseconds, edit ? edit->voxels : 0)) {
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

static void printEdits(const ReportGroup *group, FILE *file) {
    const size_t middle = group->count / 2;
    const size_t high = (group->count * 99 + 99) / 100 - 1;
    const double median = group->times[middle];
    const double p99 = group->times[high];
    const double voxels = group->voxels[middle];
    (void)fprintf(file, "%-28s %6zu %12.0f %10.4f %10.4f %12.3f %12.3f\n", group->name,
                  group->count, voxels, median, p99, 1e-9 * perSecond(voxels, median),
                  1e-9 * perSecond(voxels, p99));
}

static void printFrames(const ReportGroup *group, FILE *file) {
    const double median = group->times[group->count / 2];
    const double longest = group->times[group->count - 1];
    (void)fprintf(file, "%-28s %6zu %10.4f %10.4f %10.4f %10.2f\n", group->name, group->count,
                  median, group->times[(group->count * 99 + 99) / 100 - 1], longest,
                  median > 0 ? longest / median : 0);
}

void reportSummary(const Report *report, FILE *file) {
    for (int frames = 0; frames < 2; ++frames) {
        bool headed = false;
        for (size_t i = 0; i < report->groupCount; ++i) {
            const ReportGroup *group = &report->groups[i];
            if (group->isFrames != (frames == 1) || group->count == 0) {
                continue;
            }
            const unsigned count = (unsigned)group->count; /* all are sorted from now on */
            (void)secondsMedian(group->times, count);
            (void)secondsMedian(group->voxels, count);
            if (!headed && frames == 0) {
                (void)fprintf(file, "%-28s %6s %12s %10s %10s %12s %12s\n", "edit", "times",
                              "voxels", "median ms", "p99 ms", "10^9 vox/s", "at p99");
            } else if (!headed) {
                (void)fprintf(file, "%-28s %6s %10s %10s %10s %10s\n", "frames", "number",
                              "median ms", "p99 ms", "longest", "/ median");
            }
            headed = true;
            if (frames == 0) {
                printEdits(group, file);
            } else {
                printFrames(group, file);
            }
        }
    }
}
