/* --tune: determines a MurTuning for this device. Most fields are thresholds: above them, the
 * second of two paths of a command is expected to be faster. The largest value always selects the
 * first path, 0 the second. A contest forces both paths on a coarse grid of the field's unit. Then
 * it bisects the interval around the threshold with the least loss. Every measurement is verified,
 * and printed as a row.
 * SPDX-License-Identifier: MIT */
#include "operations.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- The contests --------------------------------------------------------------------------- */

typedef enum Type { RATIO, WORD, WIDE } Type;

/* The unit of a field; NONE: the field is not measured. */
typedef enum Axis {
    NONE,
    CACHES, /* tables as multiples of the cache size */
    ITEMS,  /* items of a batch */
    SLOTS,  /* slots of two tables */
    SHARE,  /* batch size, as a fraction of the largest table's capacity */
    LOAD    /* load of tables of one capacity */
} Axis;

/* Per unit: the coarse grid, in log2 except for loads, and the width at which the bisection ends.
 * If there is no last point, the grid is from --min-log2n to --max-log2n pairs. */
static const struct {
    const char *unit;
    double first, last, stride, fine;
} axes[] = {
    [CACHES] = {"caches", 0, 0, 2, 0.25},     [ITEMS] = {"items", 0, 0, 2, 0.25},
    [SLOTS] = {"slots", 0, 0, 2, 0.25},       [SHARE] = {"share", -7, -1, 2, 0.25},
    [LOAD] = {"load", 0.5, 0.95, 0.15, 0.02},
};

/* Bits of fields that a contest sets to 0, or to the largest value, for both paths. */
enum {
    SORTED_WRITE = 1 << 2,
    SORTED_SHARE = 1 << 4,
    INSERT_LEAST = 1 << 6,
    INSERT_SHARE = 1 << 7,
    BUILD_LEAST = 1 << 8,
    BUILD_FULL_LOAD = 1 << 11,
    BUILD_LEAST_FULL = 1 << 12
};

typedef struct Field {
    const char *name;
    size_t offset;
    Type type;
    Axis axis;
    const char *ways[2];
    int scratch;             /* bits: paths that use scratch memory */
    int count;               /* number of operations, whose times are added */
    Operation operations[2]; /* each has the scratch memory that it requests */
    double load;             /* load of the full table, unless the unit is LOAD */
    int zero, most;
} Field;

/* Fields in the order of the struct. Later contests use the results of earlier contests. */
#define FIELD(member, kind) .name = #member, .offset = offsetof(MurTuning, member), .type = kind
/* clang-format off */
static const Field fields[] = {
    {FIELD(cacheBytes, WIDE)},
    {FIELD(homeFirstMaxCacheRatio, RATIO), CACHES, {"home first", "look first"}, 0,
     1, {OPERATION_INSERT}, 0.5, 0, 0},
    {FIELD(sortWriteMinCacheRatio, RATIO), CACHES, {"direct", "sorted"}, 2,
     2, {OPERATION_INSERT_SCRATCH, OPERATION_ERASE_SCRATCH}, 0.5, SORTED_SHARE, 0},
    {FIELD(sortReadMinCacheRatio, RATIO), CACHES, {"direct", "sorted"}, 2,
     2, {OPERATION_FIND_HIT_SCRATCH, OPERATION_FIND_MISS_SCRATCH}, 0.5, SORTED_SHARE, 0},
    {FIELD(sortMinBatchFraction, RATIO), SHARE, {"direct", "sorted"}, 2,
     2, {OPERATION_ERASE_SCRATCH, OPERATION_INSERT_HALF_SCRATCH}, 0.5, SORTED_WRITE, 0},
    {FIELD(sortBinCacheRatio, RATIO)},
    {FIELD(partitionInsertMinItems, WORD), ITEMS, {"direct", "slices"}, 2,
     1, {OPERATION_INSERT_EXCLUSIVE}, 0.5, INSERT_SHARE, SORTED_WRITE},
    {FIELD(partitionInsertMinBatchFraction, RATIO), SHARE, {"direct", "slices"}, 2,
     1, {OPERATION_INSERT_HALF_EXCLUSIVE}, 0.5, INSERT_LEAST, SORTED_WRITE},
    {FIELD(buildMinItems, WORD), ITEMS, {"direct", "slices"}, 2,
     1, {OPERATION_BUILD}, 0.5, 0, SORTED_WRITE | BUILD_FULL_LOAD},
    {FIELD(partitionBuildMaxLoad, RATIO), LOAD, {"slices", "exact"}, 3,
     1, {OPERATION_BUILD}, 0, BUILD_LEAST | BUILD_LEAST_FULL, SORTED_WRITE},
    {FIELD(exactBuildMaxLoad, RATIO)},
    {FIELD(fullBuildMinLoad, RATIO), LOAD, {"direct", "exact"}, 2,
     1, {OPERATION_BUILD}, 0, BUILD_LEAST_FULL, SORTED_WRITE | BUILD_LEAST},
    {FIELD(buildMinItemsWhenFull, WORD), ITEMS, {"direct", "exact"}, 2,
     1, {OPERATION_BUILD}, 0.9, BUILD_FULL_LOAD, SORTED_WRITE | BUILD_LEAST},
    {FIELD(groupBinMaxPairs, WORD)},
    {FIELD(streamMinSlots, WIDE), SLOTS, {"direct", "stream"}, 0,
     1, {OPERATION_REHASH}, 0.5, 0, 0},
    {FIELD(streamMinGroups, WORD)},
};
/* clang-format on */
#undef FIELD
enum { FIELDS = sizeof fields / sizeof fields[0], PLACES = 32, WORDS = 96 };

struct Tune {
    Bench *bench;
    MurTuning own, found;      /* the library's defaults; and these with the results */
    char words[FIELDS][WORDS]; /* printed comment of each field; empty: not measured */
};

typedef struct Place {
    double at;    /* log2 of pairs or of the fraction; or the load */
    double value; /* value of the field */
    bool held;    /* both paths exist at this point */
    double milliseconds[2];
} Place;

static double get(const MurTuning *tuning, const Field *field) {
    const void *at = (const char *)tuning + field->offset;
    return field->type == RATIO  ? (double)*(const float *)at
           : field->type == WORD ? (double)*(const uint32_t *)at
                                 : (double)*(const uint64_t *)at;
}

/* Returns the value that disables the second path. */
static double mostOf(const Field *field) {
    return field->type == RATIO  ? (double)FLT_MAX
           : field->type == WORD ? (double)UINT32_MAX
                                 : (double)UINT64_MAX;
}

static void set(MurTuning *tuning, const Field *field, double value) {
    const bool most = value >= mostOf(field);
    void *at = (char *)tuning + field->offset;
    if (field->type == RATIO) {
        *(float *)at = most ? FLT_MAX : (float)value;
    } else if (field->type == WORD) {
        *(uint32_t *)at = most ? UINT32_MAX : (uint32_t)value;
    } else {
        *(uint64_t *)at = most ? UINT64_MAX : (uint64_t)value;
    }
}

static bool force(const struct Tune *tune, const Field *field, int way) {
    MurTuning tuning = tune->found;
    for (int i = 0; i < FIELDS; ++i) {
        if ((field->zero | field->most) >> i & 1) {
            set(&tuning, &fields[i], field->most >> i & 1 ? INFINITY : 0);
        }
    }
    set(&tuning, field, way == 0 ? INFINITY : 0);
    return trialTune(tune->bench, &tuning);
}

/* Returns one capacity for all loads: the largest, or a capacity at which the load decides. */
static double loadCapacity(const struct Tune *tune, const Field *field) {
    const double least = exp2(tune->bench->options.minLog2);
    const double most = exp2(fmin(tune->bench->options.maxLog2, 25));
    const double between = sqrt((double)tune->found.buildMinItemsWhenFull *
                                tune->found.buildMinItems);
    return field->zero & BUILD_LEAST ? most : fmin(most, fmax(least, between));
}

static bool openPlace(const struct Tune *tune, const Field *field, double at, Trial *trial) {
    Bench *bench = tune->bench;
    const double largest = exp2(bench->options.maxLog2);
    const double capacity = field->axis == LOAD    ? loadCapacity(tune, field)
                            : field->axis == SHARE ? largest / field->load
                                                   : exp2(at) / field->load;
    const double load = field->axis == LOAD ? at : field->load;
    const MurTableCreateInfo other = trialInfo((uint64_t)capacity, trialWidth(bench),
                                               TRIAL_SCRATCH | TRIAL_BUILD | TRIAL_REHASH);
    if (!trialOpen(trial, bench, "tune", other, (uint32_t)((double)other.capacity * load))) {
        return false;
    }
    trial->part = field->axis == SHARE ? (uint32_t)fmax(1, exp2(at) * capacity) : trial->part;
    return field->axis != SLOTS || benchTable(bench, &other, &trial->other);
}

static double valueOf(const struct Tune *tune, const Field *field, const Trial *trial) {
    switch (field->axis) {
    case CACHES:
        return (double)murGetTableMemory(trial->table).size / (double)tune->own.cacheBytes;
    case ITEMS:
        return trial->pairs;
    case SLOTS:
        return 2.0 * murGetTableRef(trial->table).slotCount;
    case SHARE:
        return (double)trial->part / (double)trial->capacity;
    default:
        return trial->load;
    }
}

/* Sets held if the path exists here. Unexpected use of scratch memory is another path. */
static bool exists(const struct Tune *tune, const Field *field, const Trial *trial, int way,
                   bool *held) {
    const bool wanted = (field->scratch >> way & 1) != 0;
    bool done = force(tune, field, way);
    for (int i = 0; done && i < field->count; ++i) {
        const bool some = operationScratch(trial, field->operations[i]) != 0;
        *held = *held && (some || !wanted);
        done = wanted || !some ||
               sayError("tune: %s, \"%s\" takes scratch memory", field->name, field->ways[way]);
    }
    return done;
}

static bool measureWay(const struct Tune *tune, const Field *field, Trial *trial, int way,
                       double *milliseconds) {
    bool done = force(tune, field, way);
    for (int i = 0; done && i < field->count; ++i) {
        Row row;
        if (!operationMeasure(trial, field->operations[i], &row)) {
            return false;
        }
        snprintf(row.variant, sizeof row.variant, "%s, %s, %d-bit atomics", field->ways[way],
                 row.operation, (int)trial->width);
        row.operation = field->name;
        *milliseconds += row.timing.milliseconds;
        done = benchRow(tune->bench, &row);
    }
    return done;
}

static bool measurePlace(const struct Tune *tune, const Field *field, double at, Place *place) {
    Trial trial = {0};
    *place = (Place){.at = at, .held = true};
    bool done = openPlace(tune, field, at, &trial) &&
                exists(tune, field, &trial, 0, &place->held) &&
                exists(tune, field, &trial, 1, &place->held);
    if (done && place->held) {
        place->value = valueOf(tune, field, &trial);
        done = trialFill(&trial) && measureWay(tune, field, &trial, 0, &place->milliseconds[0]) &&
               measureWay(tune, field, &trial, 1, &place->milliseconds[1]);
    }
    trialClose(&trial);
    return trialTune(tune->bench, &tune->found) && done;
}

/* Returns how many points must use the first path to minimize the total loss. */
static uint32_t split(const Place *places, uint32_t count) {
    uint32_t best = 0;
    double least = 0;
    double loss = 0;
    for (uint32_t i = 0; i < count; ++i) {
        loss += log(places[i].milliseconds[0] / places[i].milliseconds[1]);
        if (loss < least) {
            least = loss;
            best = i + 1;
        }
    }
    return best;
}

/* Bisects the interval between two points with different winners, until it has its final width. */
static bool bisect(const struct Tune *tune, const Field *field, Place low, Place high,
                   double *value) {
    while (high.at - low.at > axes[field->axis].fine) {
        Place middle;
        if (!measurePlace(tune, field, (low.at + high.at) / 2, &middle)) {
            return false;
        }
        if (!middle.held) {
            break;
        }
        *(middle.milliseconds[1] < middle.milliseconds[0] ? &high : &low) = middle;
    }
    *value = field->axis == LOAD ? (low.value + high.value) / 2 : sqrt(low.value * high.value);
    return true;
}

/* Returns the worst ratio, over these points, of the path chosen by a value to the better path. */
static double worst(double value, const Place *places, uint32_t count) {
    double ratio = 1;
    for (uint32_t i = 0; i < count; ++i) {
        const double *times = places[i].milliseconds;
        ratio = fmin(ratio, fmin(times[0], times[1]) / times[places[i].value >= value]);
    }
    return ratio;
}

/* Adds a row that is no measurement. The last such row of a field becomes its comment in the
 * printed tuning. */
static bool verdict(struct Tune *tune, const Field *field, const char *operation, double rate,
                    const char *unit, const char *words) {
    Row row = {.suite = "tune", .operation = operation, .rate = rate, .unit = unit};
    snprintf(row.variant, sizeof row.variant, "%s: %s", field->name, words);
    snprintf(tune->words[field - fields], WORDS, "%s: %s", operation, words);
    return benchRow(tune->bench, &row);
}

static bool finish(struct Tune *tune, const Field *field, const Place *places, uint32_t count) {
    const uint32_t first = split(places, count);
    const bool crosses = first > 0 && first < count;
    const char *unit = axes[field->axis].unit;
    double value = first == 0 ? 0 : INFINITY;
    char words[64];
    if (crosses) {
        snprintf(words, sizeof words, "%s before, %s after", field->ways[0], field->ways[1]);
    } else {
        snprintf(words, sizeof words, "%s throughout", field->ways[first == 0]);
    }
    if (!verdict(tune, field, "default", worst(get(&tune->own, field), places, count), "of better",
                 "the library's own value, at worst") ||
        (crosses && !bisect(tune, field, places[first - 1], places[first], &value))) {
        return false;
    }
    set(&tune->found, field, value);
    return crosses ? verdict(tune, field, "crossover", value, unit, words)
                   : verdict(tune, field, "no crossover", places[count - 1].value, unit, words);
}

static bool hold(struct Tune *tune, const Field *field) {
    const BenchOptions *options = &tune->bench->options;
    const bool byPairs = axes[field->axis].last == 0;
    const double first = byPairs ? options->minLog2 : axes[field->axis].first;
    const double last = byPairs ? options->maxLog2 : axes[field->axis].last;
    const double stride = axes[field->axis].stride;
    const uint32_t steps = (uint32_t)ceil((last - first) / stride - 1e-6);
    Place places[PLACES];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= steps; ++i) {
        if (!measurePlace(tune, field, i < steps ? first + i * stride : last, &places[count])) {
            return false;
        }
        count += places[count].held;
    }
    char why[64];
    snprintf(why, sizeof why, "no %s or no %s here", field->ways[0], field->ways[1]);
    return count > 0 ? finish(tune, field, places, count)
                     : verdict(tune, field, "no contest", 0, axes[field->axis].unit, why);
}

bool tune(Bench *bench) {
    struct Tune *tune = calloc(1, sizeof *tune);
    if (!tune) {
        return sayError("no memory for the tuning");
    }
    bench->tune = tune;
    tune->bench = bench;
    tune->own = tune->found = murGetTuning(bench->gpu.context);
    for (uint32_t i = 0; i < FIELDS; ++i) {
        sayProgress(fields[i].name, i, FIELDS);
        if (fields[i].axis != NONE && !hold(tune, &fields[i])) {
            return false;
        }
    }
    return true;
}

void tuneClose(Bench *bench) {
    free(bench->tune);
    bench->tune = NULL;
}

void tunePrint(const Bench *bench) {
    const struct Tune *tune = bench->tune;
    if (!tune) {
        return;
    }
    printf("\n/* %s, 2^%u to 2^%u pairs. What is not measured, or no contest, is the library's "
           "own. */\n"
           "const MurTuning tuning = {\n",
           bench->gpu.properties.deviceName, bench->options.minLog2, bench->options.maxLog2);
    for (uint32_t i = 0; i < FIELDS; ++i) {
        const Field *field = &fields[i];
        const double value = get(&tune->found, field);
        printf("    .%s = ", field->name);
        if (field->type == RATIO) {
            printf("%#gf", value);
        } else if (value < mostOf(field)) {
            printf("%.0f", value);
        } else {
            printf("%s", field->type == WORD ? "UINT32_MAX" : "UINT64_MAX");
        }
        printf(", /* %s */\n", *tune->words[i] ? tune->words[i] : "not measured");
    }
    printf("};\n");
}
