/* Rows as text and CSV.
 * SPDX-License-Identifier: MIT */
#include "bench.h"

#include <errno.h>
#include <string.h>

static double ratio(double rate, double to) {
    return to > 0 ? rate / to : 0;
}

static const char *orNone(const char *text) {
    return text ? text : "";
}

/* If the reference was too long around this row, returns its relative time, otherwise 0. */
static double unsettled(const Bench *bench, const Row *row) {
    return clocksUnsettled(&bench->clocks, row->timing.clocks);
}

static double scratchAPair(const Row *row) {
    return row->pairs ? (double)row->scratch / row->pairs : 0;
}

void reportRow(const Bench *bench, const Row *row, FILE *file) {
    fprintf(file, "%-8s %-16s %-9s %-40s", row->suite, row->operation, orNone(row->state),
            row->variant);
    if (row->capacity) {
        fprintf(file, " %10u pairs, load %.2f", row->pairs, row->load);
    }
    if (row->timing.milliseconds > 0) {
        fprintf(file, " %9.4f ms", row->timing.milliseconds);
    }
    fprintf(file, " %8.4g %s", row->rate, row->unit);
    if (row->ceiling > 0) {
        fprintf(file, ", %.2f of ceiling %.1f", ratio(row->rate, row->ceiling), row->ceiling);
    }
    if (row->bulk > 0) {
        fprintf(file, ", %.2f of bulk %.4g", ratio(row->rate, row->bulk), row->bulk);
    }
    if (row->capacity) {
        fprintf(file, ", %s, table %.4g MB", row->format, 1e-6 * (double)row->tableBytes);
    }
    if (row->scratch) {
        fprintf(file, ", scratch %llu B, %.2f a pair", (unsigned long long)row->scratch,
                scratchAPair(row));
    }
    if (unsettled(bench, row) > 0) {
        fprintf(file, ", ! clocks: reference %.2f times its best", unsettled(bench, row));
    }
    fprintf(file, "\n");
    fflush(file);
}

void reportTable(const Bench *bench) {
    const VkPhysicalDeviceProperties *device = &bench->gpu.properties;
    printf("\n");
    clocksPrint(&bench->clocks);
    printf("%s, Vulkan %u.%u, driver 0x%x; medians of %u runs; every result verified\n",
           device->deviceName, VK_API_VERSION_MAJOR(device->apiVersion),
           VK_API_VERSION_MINOR(device->apiVersion), device->driverVersion, bench->options.reps);
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        reportRow(bench, &bench->rows[i], stdout);
    }
}

void reportClocks(const Bench *bench) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        count += unsettled(bench, &bench->rows[i]) > 0;
    }
    if (count > 0) {
        (void)sayError("the device's clocks did not settle around %u of %u rows, which are marked: "
                       "their figures cannot be relied on",
                       count, bench->rowCount);
    }
}

static void writeCsv(const Bench *bench, FILE *file) {
    fprintf(file, "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling,"
                  "of_ceiling,scratch_bytes,scratch_a_pair,table_bytes,reps,bulk,unsettled\n");
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        const Row *row = &bench->rows[i];
        fprintf(file,
                "%s,%s,\"%s\",%s,%s,%u,%llu,%.4f,%.6f,%.6f,%s,%.6f,%.4f,%llu,"
                "%.4f,%llu,%u,%.6f,%.4f\n",
                row->suite, row->operation, row->variant, orNone(row->state), orNone(row->format),
                row->pairs, (unsigned long long)row->capacity, row->load, row->timing.milliseconds,
                row->rate, row->unit, row->ceiling, ratio(row->rate, row->ceiling),
                (unsigned long long)row->scratch, scratchAPair(row),
                (unsigned long long)row->tableBytes, row->reps, row->bulk, unsettled(bench, row));
    }
}

bool reportTryFile(const BenchOptions *options) {
    FILE *file = options->csv ? fopen(options->csv, "a") : NULL;
    return !options->csv || (file && fclose(file) == 0) ||
           sayError("%s: %s", options->csv, strerror(errno));
}

bool reportFile(const Bench *bench) {
    const char *path = bench->options.csv;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) {
        return !path || sayError("%s: %s", path, strerror(errno));
    }
    writeCsv(bench, file);
    const bool good = !ferror(file);
    return (fclose(file) == 0 && good) || sayError("%s: %s", path, strerror(errno));
}
