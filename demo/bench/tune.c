/* --tune: where which of two ways of one command becomes the faster one on this device, and what
 * the library's own choice loses there. Each contest is measured on a coarse grid of one parameter;
 * between two neighbours with different winners the crossover is bisected. Every measurement is
 * verified like any row, and is one.
 *
 * SPDX-License-Identifier: MIT */
#include "common/say.h"
#include "knobs.h"
#include "operations.h"

#include <math.h>
#include <string.h>

/* One way: an operation, with a knob at a value (NULL: at its default). */
typedef struct Way {
    const char *name;
    Operation operation;
    bool scratch; /* one that does not ask for scratch memory is another way */
    Knob knob;
    const char *value;
} Way;

typedef enum Axis { AXIS_PAIRS, AXIS_LOAD } Axis;

/* Two ways, and the library's own choice (all knobs at their defaults) of the second one's operation
 * beside them, unless that is one of the two. */
typedef struct Contest {
    const char *name; /* one for each contest */
    Way ways[2];
    Fill fill;
    Axis axis;
    double load;   /* AXIS_PAIRS: of the full table; AXIS_LOAD: the lowest one */
    double last;   /* AXIS_LOAD: the highest one */
    uint32_t log2; /* AXIS_LOAD: of the capacity, or --max-log2n if that is less */
} Contest;

/* One line a contest. */
static const Contest contests[] = {
    {"build sliced",
     {{"direct", OPERATION_BUILD, false, KNOB_BUILD_PATH, "direct"},
      {"sliced", OPERATION_BUILD, true, KNOB_BUILD_PATH, "sliced"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"build exact 0.9",
     {{"direct", OPERATION_BUILD, false, KNOB_BUILD_PATH, "direct"},
      {"exact", OPERATION_BUILD, true, KNOB_BUILD_PATH, "exact"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.9,
     0,
     0},
    {"sliced by load",
     {{"sliced", OPERATION_BUILD, true, KNOB_BUILD_PATH, "sliced"},
      {"exact", OPERATION_BUILD, true, KNOB_BUILD_PATH, "exact"}},
     FILL_DIRECT,
     AXIS_LOAD,
     0.5,
     0.95,
     25},
    {"insert home",
     {{"look", OPERATION_INSERT, false, KNOB_INSERT_PATH, "look"},
      {"home", OPERATION_INSERT, false, KNOB_INSERT_PATH, "home"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"insert sorted",
     {{"direct", OPERATION_INSERT, false, KNOB_SORT, "never"},
      {"sorted", OPERATION_INSERT_SCRATCH, true, KNOB_SORT, "always"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"sorted or sliced",
     {{"sorted", OPERATION_INSERT_HALF_SCRATCH, true, KNOB_SORT, "always"},
      {"sliced", OPERATION_INSERT_HALF_SCRATCH, true, KNOB_INSERT_PATH, "sliced"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"erase sorted",
     {{"direct", OPERATION_ERASE, false, KNOB_SORT, "never"},
      {"sorted", OPERATION_ERASE_SCRATCH, true, KNOB_SORT, "always"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"find hit sorted",
     {{"direct", OPERATION_FIND_HIT, false, KNOB_SORT, "never"},
      {"sorted", OPERATION_FIND_HIT_SCRATCH, true, KNOB_SORT, "always"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"find miss sorted",
     {{"direct", OPERATION_FIND_MISS, false, KNOB_SORT, "never"},
      {"sorted", OPERATION_FIND_MISS_SCRATCH, true, KNOB_SORT, "always"}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
    {"insert half",
     {{"direct", OPERATION_INSERT_HALF, false, KNOB_COUNT, NULL},
      {"scratch", OPERATION_INSERT_HALF_SCRATCH, true, KNOB_COUNT, NULL}},
     FILL_DIRECT,
     AXIS_PAIRS,
     0.5,
     0,
     0},
};
enum { CONTESTS = sizeof contests / sizeof contests[0] };

/* Where a contest stands at one place of its axis. */
typedef struct Point {
    double at; /* log2 of the pairs, or the load */
    bool held; /* both ways exist there */
    double rates[2];
    double own;     /* rate of the library's choice */
    uint32_t pairs; /* of the full table */
    uint32_t timed; /* those of one command */
} Point;

/* The worst place of the library's choice so far. */
typedef struct Worst {
    double ratio; /* to the better of both ways */
    uint32_t pairs;
    double load;
} Worst;

static bool measureWay(Trial *trial, const Contest *contest, const Way *way, double *rate,
                       uint32_t *timed) {
    MurContext context = trial->bench->gpu.context;
    Row row;
    if (way->value) {
        knobSet(context, way->knob, way->value);
    }
    const bool done = operationMeasure(trial, way->operation, &row);
    knobsReset(context);
    if (!done) {
        return false;
    }
    row.operation = contest->name;
    snprintf(row.variant, sizeof row.variant, "%s, %d-bit atomics", way->name, (int)trial->width);
    *rate = row.rate;
    *timed = row.pairs;
    return benchRow(trial->bench, &row);
}

static uint64_t loadCapacity(const Bench *bench, const Contest *contest) {
    const uint32_t most = bench->options.maxLog2;
    return (uint64_t)1 << (most < contest->log2 ? most : contest->log2);
}

static bool openPoint(Trial *trial, Bench *bench, const Contest *contest, double at) {
    const bool byPairs = contest->axis == AXIS_PAIRS;
    const uint64_t capacity = byPairs ? (uint64_t)ceil(exp2(at) / contest->load)
                                      : loadCapacity(bench, contest);
    const uint32_t pairs = byPairs ? (uint32_t)exp2(at) : (uint32_t)((double)capacity * at);
    trial->fill = contest->fill;
    return trialOpen(trial, bench, "tune", trialWidth(bench), capacity, pairs);
}

/* Is a way possible here? A knob for a path that this device or table cannot take asks for no
 * scratch, and the command would quietly go another way. */
static bool exists(const Trial *trial, const Way *way) {
    MurContext context = trial->bench->gpu.context;
    if (way->value) {
        knobSet(context, way->knob, way->value);
    }
    const bool possible = !way->scratch || operationScratch(trial, way->operation) != 0;
    knobsReset(context);
    return possible;
}

static bool measurePoint(Bench *bench, const Contest *contest, double at, Point *point) {
    Trial trial = {0};
    const Way *last = &contest->ways[1];
    const Way own = {"default", last->operation, last->scratch, KNOB_COUNT, NULL};
    *point = (Point){.at = at};
    bool done = openPoint(&trial, bench, contest, at);
    point->pairs = point->timed = trial.pairs;
    point->held = done && exists(&trial, &contest->ways[0]) && exists(&trial, &contest->ways[1]) &&
                  (contest->fill != FILL_ORDERED || trialCanOrder(&trial));
    if (point->held) {
        done = trialFill(&trial) &&
               measureWay(&trial, contest, &contest->ways[0], &point->rates[0], &point->timed) &&
               measureWay(&trial, contest, &contest->ways[1], &point->rates[1], &point->timed) &&
               (!contest->ways[0].value ||
                measureWay(&trial, contest, &own, &point->own, &point->timed));
    }
    trialClose(&trial);
    return done;
}

static int winner(const Point *point) {
    return point->rates[1] > point->rates[0];
}

static void remember(const Contest *contest, const Bench *bench, const Point *point, Worst *worst) {
    const double ratio = point->own / point->rates[winner(point)];
    if (point->own > 0 && (worst->ratio == 0 || ratio < worst->ratio)) {
        worst->ratio = ratio;
        worst->pairs = point->timed;
        worst->load = contest->axis == AXIS_PAIRS
                          ? contest->load
                          : (double)point->pairs / (double)loadCapacity(bench, contest);
    }
}

/* A result that is no measurement: where, near which point, and in words which way wins on which
 * side. In pairs a command, as its rows count them. */
static bool verdict(Bench *bench, const Contest *contest, const char *operation, const char *words,
                    double at, const Point *near) {
    const bool byPairs = contest->axis == AXIS_PAIRS;
    Row row = {.suite = "tune",
               .operation = operation,
               .rate = byPairs ? floor(exp2(at) * near->timed / near->pairs) : at,
               .unit = byPairs ? "pairs" : "load"};
    snprintf(row.variant, sizeof row.variant, "%s: %s", contest->name, words);
    return benchRow(bench, &row);
}

/* Halves the stretch between two points that different ways win, until it is as short as matters. */
static bool bisect(Bench *bench, const Contest *contest, Point low, Point high, Worst *worst) {
    const double fine = contest->axis == AXIS_PAIRS ? 0.25 : 0.02;
    while (high.at - low.at > fine) {
        Point middle;
        if (!measurePoint(bench, contest, (low.at + high.at) / 2, &middle)) {
            return false;
        }
        if (!middle.held) {
            break;
        }
        remember(contest, bench, &middle, worst);
        *(winner(&middle) == winner(&low) ? &low : &high) = middle;
    }
    char words[64];
    snprintf(words, sizeof words, "%s before, %s after", contest->ways[winner(&low)].name,
             contest->ways[winner(&high)].name);
    return verdict(bench, contest, "crossover", words, (low.at + high.at) / 2, &low);
}

static bool finish(Bench *bench, const Contest *contest, const Point *last, uint32_t crossovers,
                   const Worst *worst) {
    char words[64];
    if (!last->held) {
        snprintf(words, sizeof words, "no %s or no %s here", contest->ways[0].name,
                 contest->ways[1].name);
        return verdict(bench, contest, "no contest", words, last->at, last);
    }
    snprintf(words, sizeof words, "%s throughout", contest->ways[winner(last)].name);
    if (crossovers == 0 && !verdict(bench, contest, "no crossover", words, last->at, last)) {
        return false;
    }
    if (worst->ratio == 0) {
        return true;
    }
    Row row = {.suite = "tune", .operation = "default", .rate = worst->ratio, .unit = "of better"};
    snprintf(row.variant, sizeof row.variant, "%s at worst, %u pairs at load %.2f", contest->name,
             worst->pairs, worst->load);
    return benchRow(bench, &row);
}

static bool hold(Bench *bench, const Contest *contest) {
    const bool byPairs = contest->axis == AXIS_PAIRS;
    const double first = byPairs ? bench->options.minLog2 : contest->load;
    const double last = byPairs ? bench->options.maxLog2 : contest->last;
    const double stride = byPairs ? 2 : 0.15;
    const uint32_t steps = (uint32_t)ceil((last - first) / stride - 1e-6);
    Point before = {0}; /* the last one where both ways exist */
    Point point;
    Worst worst = {0};
    uint32_t crossovers = 0;
    for (uint32_t i = 0; i <= steps; ++i) {
        if (!measurePoint(bench, contest, i < steps ? first + i * stride : last, &point)) {
            return false;
        }
        if (!point.held) {
            continue;
        }
        remember(contest, bench, &point, &worst);
        if (before.held && winner(&point) != winner(&before)) {
            ++crossovers;
            if (!bisect(bench, contest, before, point, &worst)) {
                return false;
            }
        }
        before = point;
    }
    return finish(bench, contest, before.held ? &before : &point, crossovers, &worst);
}

bool tune(Bench *bench) {
    for (uint32_t i = 0; i < CONTESTS; ++i) {
        sayProgress(contests[i].name, i, CONTESTS);
        if (!hold(bench, &contests[i])) {
            return false;
        }
    }
    return true;
}
