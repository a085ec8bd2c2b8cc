/* Rows as text, CSV and JSON, and beside a peer's figures.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double ratio(double rate, double to) {
    return to > 0 ? rate / to : 0;
}

static const char *orNone(const char *text) {
    return text ? text : "";
}

void reportRow(const Row *row, FILE *file) {
    fprintf(file, "%-8s %-16s %-9s %-40s", row->suite, row->operation, orNone(row->state),
            row->variant);
    if (row->capacity) {
        fprintf(file, " %10u pairs, load %.2f", row->pairs, row->load);
    }
    if (row->milliseconds > 0) {
        fprintf(file, " %9.4f ms", row->milliseconds);
    }
    fprintf(file, " %8.4g %s", row->rate, row->unit);
    if (row->ceiling > 0) {
        fprintf(file, ", %.2f of ceiling %.1f", ratio(row->rate, row->ceiling), row->ceiling);
    }
    if (row->peer > 0) {
        fprintf(file, ", %.2f of peer %.2f", ratio(row->rate, row->peer), row->peer);
    }
    if (row->bulk > 0) {
        fprintf(file, ", %.2f of bulk %.4g", ratio(row->rate, row->bulk), row->bulk);
    }
    if (row->probeMax) {
        fprintf(file, ", probe mean %.2f max %u", row->probeMean, row->probeMax);
    }
    if (row->capacity) {
        fprintf(file, ", %s, table %.4g MB, scratch %llu B", row->format,
                1e-6 * (double)row->tableBytes, (unsigned long long)row->scratch);
    }
    fprintf(file, "\n");
    fflush(file);
}

static int compareRatios(const void *a, const void *b) {
    const Row *x = *(const Row *const *)a;
    const Row *y = *(const Row *const *)b;
    const double p = ratio(x->rate, x->peer);
    const double q = ratio(y->rate, y->peer);
    return (p > q) - (p < q);
}

void reportBehind(const Bench *bench) {
    if (!bench->options.compare) {
        return;
    }
    const Row **behind = malloc((bench->rowCount + 1) * sizeof *behind);
    if (!behind) {
        (void)sayError("no memory for the comparison");
        return;
    }
    uint32_t compared = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        const Row *row = &bench->rows[i];
        compared += row->peer > 0;
        if (row->peer > 0 && row->rate < row->peer) {
            behind[count++] = row;
        }
    }
    qsort(behind, count, sizeof *behind, compareRatios);
    printf("\n%u of %u rows that have a peer are behind it%s\n", count, compared,
           count ? ":" : ".");
    for (uint32_t i = 0; i < count; ++i) {
        const Row *row = behind[i];
        printf("  %.2f of %.2f: %s, %s, %s%s%s, %u pairs, load %.2f\n", ratio(row->rate, row->peer),
               row->peer, row->suite, row->operation, row->variant, row->state ? ", " : "",
               orNone(row->state), row->pairs, row->load);
    }
    free(behind);
}

void reportTable(const Bench *bench) {
    const VkPhysicalDeviceProperties *device = &bench->gpu.properties;
    printf("\n%s, Vulkan %u.%u, driver 0x%x; medians of %u runs; every result verified\n",
           device->deviceName, VK_API_VERSION_MAJOR(device->apiVersion),
           VK_API_VERSION_MINOR(device->apiVersion), device->driverVersion, bench->options.reps);
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        reportRow(&bench->rows[i], stdout);
    }
}

/* What a peer's file calls our operation, or NULL. */
static const char *peerOperation(const char *operation) {
    static const char *const names[][2] = {
        {"insert", "insert"},
        {"build", "insert"},
        {"insert half", "insert"},
        {"find hit", "find_hit"},
        {"find miss", "find_miss"},
        {"erase half", "erase_half"},
        {"reinsert", "reinsert_half"},
        {"find after erase", "find_after_erase"},
        {"multi insert", "mv_insert"},
        {"multi count", "mv_count(per_value)"},
        {"multi retrieve", "mv_retrieve(per_value)"},
        {"multi count + retrieve", "mv_count+retrieve(per_value)"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(names[i][0], operation) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

/* Operations on half of the table's pairs. */
static bool isHalf(const char *operation) {
    return strcmp(operation, "erase half") == 0 || strcmp(operation, "insert half") == 0 ||
           strcmp(operation, "reinsert") == 0;
}

/* Does a line "workload,n_or_load,op,rate,..." of a peer's file speak of this row? The size suite
 * meets rows that give a number of pairs, the load suite those that give a load. */
static bool matches(const Row *row, double nOrLoad, const char *operation) {
    const char *mine = peerOperation(row->operation);
    bool size = (strcmp(row->suite, "size") == 0 || strcmp(row->suite, "formats") == 0 ||
                 strcmp(row->suite, "multi") == 0) &&
                nOrLoad == (isHalf(row->operation) ? 2 : 1) * (double)row->pairs;
    bool load = strcmp(row->suite, "load") == 0 && fabs(nOrLoad - row->load) < 1e-3;
    return mine && strcmp(mine, operation) == 0 && (size || load);
}

/* Is this the workload of the row's suite and format? "W4_k64v32" is about 64-bit keys with 32-bit values. */
static bool isWorkload(const Row *row, const char *workload) {
    if (strcmp(row->suite, "formats") == 0) {
        return (strcmp(workload, "W4_k64v32") == 0 && strcmp(orNone(row->format), "K64V32") == 0) ||
               (strcmp(workload, "W4_k64v64") == 0 && strcmp(orNone(row->format), "K64V64") == 0);
    }
    if (strcmp(row->suite, "multi") == 0) {
        return strcmp(workload, "W5") == 0;
    }
    return strcmp(workload, "W1") == 0 || strcmp(workload, "W2") == 0 ||
           strcmp(workload, "W3") == 0;
}

static void compareLine(Bench *bench, const char *line) {
    char workload[64], operation[64];
    double nOrLoad, rate;
    if (sscanf(line, "%63[^,],%lf,%63[^,],%lf", workload, &nOrLoad, operation, &rate) != 4) {
        return; /* the heading */
    }
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        if (isWorkload(&bench->rows[i], workload) && matches(&bench->rows[i], nOrLoad, operation)) {
            bench->rows[i].peer = rate;
        }
    }
}

bool reportCompare(Bench *bench) {
    const char *path = bench->options.compare;
    if (!path) {
        return true;
    }
    FILE *file = fopen(path, "r");
    if (!file) {
        return sayError("%s: %s", path, strerror(errno));
    }
    char line[256];
    while (fgets(line, sizeof line, file)) {
        compareLine(bench, line);
    }
    fclose(file);
    return true;
}

static void writeCsv(const Bench *bench, FILE *file) {
    fprintf(file, "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling,"
                  "of_ceiling,peer,of_peer,scratch_bytes,table_bytes,reps,probe_mean,probe_max,"
                  "bulk\n");
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        const Row *row = &bench->rows[i];
        fprintf(file,
                "%s,%s,\"%s\",%s,%s,%u,%llu,%.4f,%.6f,%.6f,%s,%.6f,%.4f,%.4f,%.4f,%llu,%llu,%u,"
                "%.4f,%u,%.6f\n",
                row->suite, row->operation, row->variant, orNone(row->state), orNone(row->format),
                row->pairs, (unsigned long long)row->capacity, row->load, row->milliseconds,
                row->rate, row->unit, row->ceiling, ratio(row->rate, row->ceiling), row->peer,
                ratio(row->rate, row->peer), (unsigned long long)row->scratch,
                (unsigned long long)row->tableBytes, row->reps, row->probeMean, row->probeMax,
                row->bulk);
    }
}

static void writeJson(const Bench *bench, FILE *file) {
    fprintf(file, "{\"device\": \"%s\", \"reps\": %u, \"rows\": [",
            bench->gpu.properties.deviceName, bench->options.reps);
    for (uint32_t i = 0; i < bench->rowCount; ++i) {
        const Row *row = &bench->rows[i];
        fprintf(file,
                "%s\n {\"suite\": \"%s\", \"operation\": \"%s\", \"variant\": \"%s\", "
                "\"state\": \"%s\", \"format\": \"%s\", \"pairs\": %u, \"capacity\": %llu, "
                "\"load\": %.4f, \"ms\": %.6f, \"rate\": %.6f, \"unit\": \"%s\", ",
                i ? "," : "", row->suite, row->operation, row->variant, orNone(row->state),
                orNone(row->format), row->pairs, (unsigned long long)row->capacity, row->load,
                row->milliseconds, row->rate, row->unit);
        fprintf(file,
                "\"ceiling\": %.6f, \"of_ceiling\": %.4f, \"peer\": %.4f, \"of_peer\": %.4f, "
                "\"scratch_bytes\": %llu, \"table_bytes\": %llu, \"reps\": %u, "
                "\"probe_mean\": %.4f, \"probe_max\": %u, \"bulk\": %.6f}",
                row->ceiling, ratio(row->rate, row->ceiling), row->peer,
                ratio(row->rate, row->peer), (unsigned long long)row->scratch,
                (unsigned long long)row->tableBytes, row->reps, row->probeMean, row->probeMax,
                row->bulk);
    }
    fprintf(file, "\n]}\n");
}

static bool tryFile(const char *path, const char *mode) {
    FILE *file = path ? fopen(path, mode) : NULL;
    if (path && !file) {
        return sayError("%s: %s", path, strerror(errno));
    }
    return !file || fclose(file) == 0 || sayError("%s: %s", path, strerror(errno));
}

bool reportTryFiles(const BenchOptions *options) {
    return tryFile(options->compare, "r") && tryFile(options->csv, "a") &&
           tryFile(options->json, "a");
}

static bool writeFile(const Bench *bench, const char *path, void (*write)(const Bench *, FILE *)) {
    if (!path) {
        return true;
    }
    FILE *file = fopen(path, "w");
    if (!file) {
        return sayError("%s: %s", path, strerror(errno));
    }
    write(bench, file);
    bool good = !ferror(file);
    return (fclose(file) == 0 && good) || sayError("%s: %s", path, strerror(errno));
}

bool reportFiles(const Bench *bench) {
    return writeFile(bench, bench->options.csv, writeCsv) &&
           writeFile(bench, bench->options.json, writeJson);
}
