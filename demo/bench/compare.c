/* --compare: adds to each row the best figure of a peer for the same work.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of the file: "workload,n_or_load,op,rate,...". */
typedef struct PeerLine {
    char workload[32], operation[48];
    double nOrLoad, rate;
} PeerLine;

struct Peers {
    PeerLine *lines;
    size_t count, room;
};

/* The peers' workloads, by suite, format and, for "multi", number of values per key. */
static const struct {
    const char *suite, *format, *variant, *workload;
    enum {
        BY_PAIRS,
        BY_LOAD,
        BY_TABLE
    } by; /* the line's n_or_load: the row's pairs; the load; the full table's pairs */
} workloads[] = {
    {"size", "K32V32", "", "W1", BY_PAIRS},
    {"size", "K32V32", "", "W3", BY_PAIRS},
    {"load", "K32V32", "", "W2", BY_LOAD},
    {"repeat", "K32V32", ", distinct", "A_distinct", BY_PAIRS},
    {"repeat", "K32V32", ", 16 a key", "A_uniform16", BY_PAIRS},
    {"repeat", "K32V32", ", Zipf", "A_zipf", BY_PAIRS},
    {"repeat", "K32V32", ", one key", "A_onekey", BY_PAIRS},
    {"repeat", "K32V32", "", "X", BY_PAIRS},
    {"size", "K64V32", "", "W4_k64v32", BY_PAIRS},
    {"size", "K64V64", "", "W4_k64v64", BY_PAIRS},
    {"size", "K32", "", "S_k32", BY_PAIRS},
    {"size", "K64", "", "S_k64", BY_PAIRS},
    {"whole", "K32V32", ", fresh keys", "C_0.5", BY_TABLE},
    {"whole", "K32V32", ", fresh keys", "C_0.9", BY_TABLE},
    {"multi", "K64V32", ", 8 a key", "W5", BY_PAIRS},
};

/* The peer's operation for the same work. `does` names it, or its difference. For "build" see
 * clearAndInsert. */
static const struct {
    const char *row, *operation;
    bool half; /* the line counts twice as many pairs as the row */
    const char *does;
} operations[] = {
    {"insert", "insert", false, "insert"},
    {"find hit", "find_hit", false, "find hit"},
    {"find miss", "find_miss", false, "find miss"},
    {"insert half", "insert_half", true, "insert half beside the other half"},
    {"erase half", "erase_half", true, "erase half, no statuses"},
    {"reinsert", "reinsert_half", true, "insert the erased half, no statuses"},
    {"find after erase", "find_after_erase", false, "find after erase"},
    {"contains hit", "find_hit", false, "contains, a byte an item"},
    {"contains miss", "find_miss", false, "contains, a byte an item"},
    {"keep there", "insert(existing)", false, "insert keys that are there, no statuses"},
    {"assign there", "insert_or_assign(existing)", false, "insert_or_assign, no statuses"},
    {"replace", "insert_fresh_after_erase", false, "insert fresh keys, not cleaned before"},
    {"find after", "find_all_after", false, "find after inserting fresh keys"},
    {"keep", "insert(keep)", false, "insert, no statuses"},
    {"assign", "insert_or_assign", false, "insert_or_assign, no statuses"},
    {"add", "insert_or_apply", false, "insert_or_apply, no statuses"},
    {"multi insert", "mv_insert", false, "insert"},
    {"multi count", "mv_count(per_value)", false, "count"},
    {"multi count + retrieve", "mv_count+retrieve(per_value)", false,
     "count + retrieve of keys and values"},
};
enum {
    WORKLOADS = sizeof workloads / sizeof workloads[0],
    OPERATIONS = sizeof operations / sizeof operations[0]
};

/* Returns the best rate of lines with this workload, operation and n_or_load, or 0. */
static double best(const struct Peers *peers, const char *workload, const char *operation,
                   double nOrLoad) {
    double rate = 0;
    for (size_t i = 0; i < peers->count; ++i) {
        const PeerLine *line = &peers->lines[i];
        if (fabs(line->nOrLoad - nOrLoad) < 1e-3 && strcmp(line->workload, workload) == 0 &&
            strcmp(line->operation, operation) == 0) {
            rate = line->rate > rate ? line->rate : rate;
        }
    }
    return rate;
}

/* Returns the n_or_load of a workload's lines that match the row. */
static double place(const Row *row, int by, bool half) {
    return by == BY_LOAD    ? row->load
           : by == BY_TABLE ? floor(row->load * (double)row->capacity)
                            : (half ? 2.0 : 1.0) * row->pairs;
}

/* Returns the best rate among the workloads of the row. */
static double bestOfRow(const struct Peers *peers, const Row *row, const char *operation,
                        bool half) {
    double rate = 0;
    for (size_t i = 0; i < WORKLOADS && rate <= 0; ++i) {
        if (strcmp(workloads[i].suite, row->suite) == 0 && row->format &&
            strcmp(workloads[i].format, row->format) == 0 &&
            strstr(row->variant, workloads[i].variant)) {
            rate = best(peers, workloads[i].workload, operation,
                        place(row, (int)workloads[i].by, half));
        }
    }
    return rate;
}

/* Sets the peer of a build, which replaces the content: the peer's clear and insert. The line of a
 * clear counts the pairs that fill the table to one half. */
static void clearAndInsert(const struct Peers *peers, Row *row) {
    const double half = (double)row->capacity / 2;
    const double insert = bestOfRow(peers, row, "insert", false);
    const double clear = best(peers, "W1", "clear", half);
    if (insert > 0) {
        row->peer = clear > 0 ? row->pairs / (row->pairs / insert + half / clear) : insert;
        row->peerDoes = clear > 0 ? "clear + insert" : "insert without the clear that a build is";
    }
}

void comparePeer(const Bench *bench, Row *row) {
    const struct Peers *peers = bench->peers;
    if (!peers) {
        return;
    }
    if (strcmp(row->operation, "build") == 0) {
        clearAndInsert(peers, row);
        return;
    }
    for (size_t i = 0; i < OPERATIONS; ++i) {
        if (strcmp(operations[i].row, row->operation) == 0) {
            row->peer = bestOfRow(peers, row, operations[i].operation, operations[i].half);
            row->peerDoes = row->peer > 0 ? operations[i].does : NULL;
            return;
        }
    }
}

static bool addLine(struct Peers *peers, const PeerLine *line) {
    if (!growItems(&peers->lines, peers->count, &peers->room, sizeof *line)) {
        return sayError("no memory for the peers' figures");
    }
    peers->lines[peers->count++] = *line;
    return true;
}

bool compareOpen(Bench *bench) {
    const char *path = bench->options.compare;
    if (!path) {
        return true;
    }
    FILE *file = fopen(path, "r");
    if (!file) {
        return sayError("%s: %s", path, strerror(errno));
    }
    bench->peers = calloc(1, sizeof *bench->peers);
    bool done = bench->peers || sayError("no memory for the peers' figures");
    char text[256];
    while (done && fgets(text, sizeof text, file)) {
        PeerLine line;
        if (sscanf(text, "%31[^,],%lf,%47[^,],%lf", line.workload, &line.nOrLoad, line.operation,
                   &line.rate) == 4) { /* skips the heading */
            done = addLine(bench->peers, &line);
        }
    }
    fclose(file);
    return done && (bench->peers->count > 0 ||
                    sayError("%s: it has no line workload,n_or_load,op,rate", path));
}

void compareClose(Bench *bench) {
    if (bench->peers) {
        free(bench->peers->lines);
        free(bench->peers);
        bench->peers = NULL;
    }
}
