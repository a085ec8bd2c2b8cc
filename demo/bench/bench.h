/* murbench: shared by its files.
 *
 * A suite produces rows. Every row is the median of at least 7 timed runs after warm-up, by GPU
 * timestamps, of work whose results were then verified on the GPU. A wrong result ends the program,
 * so it never becomes a figure.
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_H
#define MURBENCH_H

#include "common/clocks.h"
#include "common/message.h"

#include <murmuration/paged.h>

#include <stdio.h>

enum { BENCH_WARMUP = 2, BENCH_MAX_REPS = 29, BENCH_REGIONS = 40, BENCH_MADE = 32 };

/* A median in milliseconds, and the reference of the clocks during its measurement. */
typedef struct Timing {
    double milliseconds, clocks;
} Timing;

/* A rate, and the reference of the clocks during its measurement. */
typedef struct Figure {
    double rate, clocks;
} Figure;

typedef struct Row {
    const char *suite;
    const char *operation;
    char variant[96];    /* atomic width, outputs, promises, scratch memory */
    const char *state;   /* the table's state: "empty", "ordered", "unordered"; NULL: none */
    const char *format;  /* format of the table's entries; NULL: no table */
    uint32_t pairs;      /* number of timed operations */
    uint64_t capacity;   /* 0: no table */
    uint64_t tableBytes; /* memory of the table */
    double load;         /* load of the full table */
    Timing timing;       /* its clocks include those of the ceiling's measurement */
    double rate;         /* 10^9 operations per second, or in `unit` */
    const char *unit;    /* "G/s", "GB/s", "us", ...: see the README */
    double ceiling;      /* a bound in the same unit, measured in this run; 0: none */
    uint64_t scratch;    /* bytes of scratch memory */
    double bulk;         /* rate of the library's command for the same work; 0: none */
    uint32_t reps;       /* timed runs; if 0, a row with a time has the number of the options */
} Row;

typedef struct BenchOptions {
    int device;
    const char *suites;        /* comma-separated; NULL: all */
    uint32_t minLog2, maxLog2; /* 0: the default */
    uint32_t reps;
    const char *csv;
    bool quick;
    bool tune; /* measures thresholds instead of suites */
    bool validation, list;
} BenchOptions;

/* Shaders, and their push constants. */
#define BENCH_KERNELS(X)                                                                          \
    X(pairs, PairsPush), X(copy, RegionPush), X(READ_8, RegionPush), X(READ_16, RegionPush),      \
        X(CAS_32, RegionPush), X(CAS_64, RegionPush), X(iterate, IteratePush), X(link, LinkPush), \
        X(pages, PagesPush), X(paged_find, VkDeviceAddress), X(fly, VkDeviceAddress),             \
        X(large, LargePush), X(rows, RowsPush), X(multi_pairs, MultiPush),                        \
        X(group_visit, MultiPush), X(in_find_plain, InShaderPush),                                \
        X(in_find_coherent, InShaderPush), X(in_insert_32, InShaderPush),                         \
        X(in_insert_64, InShaderPush), X(in_add_32, InShaderPush), X(in_add_64, InShaderPush),    \
        X(in_combine_32, InShaderPush), X(in_combine_64, InShaderPush),                           \
        X(cache_keys, CacheKeysPush), X(cache_UPDATE_64, CachePush),                              \
        X(cache_RESOLVE_64, CachePush), X(cache_QUERY_64, CachePush),                             \
        X(cache_UPDATE_32, CachePush), X(cache_RESOLVE_32, CachePush),                            \
        X(cache_QUERY_32, CachePush), X(cache_UPDATE_narrow, CachePush),                          \
        X(cache_RESOLVE_narrow, CachePush), X(cache_QUERY_narrow, CachePush),                     \
        X(cache_RESERVE_64, CachePush), X(cache_RESERVE_narrow, CachePush)
#define BENCH_KERNEL(shader, Push) KERNEL_##shader
typedef enum Kernel { BENCH_KERNELS(BENCH_KERNEL), KERNEL_COUNT } Kernel;
#undef BENCH_KERNEL

/* An object of a suite: a buffer or a table. */
typedef struct Made {
    GpuBuffer buffer;
    MurTable table;
    MurPager pager;
    MurPagedTable paged;
} Made;

typedef struct Bench {
    Gpu gpu;
    Clocks clocks;
    BenchOptions options;
    GpuKernel kernels[KERNEL_COUNT]; /* each is created on its first dispatch */
    /* Rates of accesses from KERNEL_READ_8 to KERNEL_CAS_64, by log2 of the region's bytes; and the
     * copy rate in GB/s, read + written. Each is measured on first use. 0: not measured. */
    Figure accessRates[KERNEL_CAS_64 - KERNEL_READ_8 + 1][BENCH_REGIONS];
    Figure copyRate;
    Made made[BENCH_MADE]; /* objects in order of creation, until benchRelease */
    uint32_t madeCount;
    GpuBuffer wrong; /* host-visible: a word that checking kernels increment */
    Row *rows;
    uint32_t rowCount;
    size_t rowRoom;
    struct Tune *tune; /* the state of --tune; NULL: no --tune */
} Bench;

/* ---- bench.c: opening a run, objects of suites ---------------------------------------------- */

/* Replaces sizes of 0 by the largest that fit into the device's memory. */
bool benchOpen(Bench *bench, const BenchOptions *options);
void benchClose(Bench *bench);

/* Objects of suites belong to the bench until benchRelease destroys all objects after the first
 * `made`. benchKeep adds an object that was created otherwise, or whose creation failed. */
bool benchBuffer(Bench *bench, VkDeviceSize size, GpuMemory memory, const char *name,
                 GpuBuffer *buffer);
bool benchTable(Bench *bench, const MurTableCreateInfo *info, MurTable *table);
bool benchKeep(Bench *bench, Made made);
void benchRelease(Bench *bench, uint32_t made);

/* A timed step. benchTime calls setup (unless it is NULL) and then run, repeatedly, and returns the
 * median time of run. Both record into gpu.cmd, several times per submission, so run must restore
 * the state that setup leaves. Barriers precede and follow setup. The results of the last run can
 * be verified. Runs at wrong clocks are repeated. */
typedef struct Timed {
    bool (*setup)(Bench *bench, void *user);
    bool (*run)(Bench *bench, void *user);
    void *user;
} Timed;
bool benchTime(Bench *bench, const Timed *timed, Timing *timing);

/* Defines a setup or run function. Its body follows, with the parameters bench and user. */
#define BENCH_STEP(name, User, user)                \
    static bool name##On(Bench *bench, User *user); \
    static bool name(Bench *bench, void *given) {   \
        return name##On(bench, given);              \
    }                                               \
    static bool name##On(Bench *bench, User *user)

/* Runs a step once, untimed: records, submits and waits. Makes results visible to the host. */
bool benchOnce(Bench *bench, bool (*record)(Bench *bench, void *user), void *user);

/* Records a kernel with workgroups of 256 for this many items, in two dimensions if necessary. */
bool benchDispatch(Bench *bench, Kernel kernel, const void *push, uint32_t items);

/* Records a copy, between barriers. */
void benchCopy(Bench *bench, const GpuBuffer *from, VkDeviceSize first, VkDeviceSize size,
               const GpuBuffer *to, VkDeviceSize at);

/* Overwrites results by invalid statuses and values, so that results of earlier commands are not
 * mistaken for new ones. Submits. */
bool benchForget(Bench *bench, uint32_t count, const GpuBuffer *const results[]);

/* Appends text to a row's variant. */
SAY_LIKE_PRINTF(2, 3) void benchSay(Row *row, const char *format, ...);
/* Adds a row and prints it. */
bool benchRow(Bench *bench, const Row *row);

/* Distinct pseudo-random keys and their values, 0 to 2 words each. */
typedef struct Pairs {
    GpuBuffer keys, values;
    uint32_t keyWords, valueWords;
} Pairs;
bool benchPairs(Bench *bench, uint32_t count, uint32_t keyWords, uint32_t valueWords, Pairs *pairs);

/* Runs a kernel of this many items that counts errors in bench->wrong. Fails if there are any. */
bool benchCheck(Bench *bench, const char *what, Kernel kernel, const void *push, uint32_t items);
/* benchIsValues returns whether the first words of an array are the values of the pairs from `pair`
 * on. benchIsAll returns whether `count` words from `first` on equal constant. benchCount counts
 * these words. */
bool benchIsValues(Bench *bench, const char *what, const GpuBuffer *words, uint32_t pair,
                   uint32_t count);
bool benchIsAll(Bench *bench, const char *what, const GpuBuffer *words, uint32_t first,
                uint32_t count, uint32_t constant);
bool benchCount(Bench *bench, const GpuBuffer *words, uint32_t count, uint32_t constant,
                uint32_t *same);

/* ---- ceilings.c ----------------------------------------------------------------------------- */

/* Sets the row's ceiling. The ratio to it is as reliable as the less reliable of both figures. */
void benchAddCeiling(Row *row, double rate, const Figure *figure);
/* Sets the row's ceiling: 10^9 accesses per second at random offsets of a region of about this many
 * bytes. */
bool benchCeiling(Bench *bench, Kernel access, uint64_t region, Row *row);
/* Sets the ceiling to the bandwidth of a copy: GB/s, read plus written, times perByte units. */
bool benchCopyCeiling(Bench *bench, double perByte, Row *row);

/* ---- suite_rehash.c ------------------------------------------------------------------------- */

/* Each adds the rows of suite whole that its file measures. */
bool rehashRows(Bench *bench);
bool cleaningRows(Bench *bench);

/* ---- suite_rows.c --------------------------------------------------------------------------- */

/* Adds the rows of suite multi with rows as keys. */
bool rowsAsKeys(Bench *bench);

/* ---- link.c --------------------------------------------------------------------------------- */

/* Bandwidth in GB/s of vkCmdCopyBuffer between device memory and host memory of the type that a
 * pager's store has. */
typedef struct LinkRates {
    Figure in, out;
    Figure both; /* sum of both directions, copied at the same time by a kernel */
} LinkRates;
/* Adds rows about the link to host memory. */
bool linkRows(Bench *bench, const char *suite, LinkRates *rates);

/* ---- paged.c, large_stream.c ---------------------------------------------------------------- */

/* Adds the rows of paged tables with all pages on the GPU. */
bool pagedRows(Bench *bench);
/* Adds rows: bulk inserts and finds on a table of 2^log2 pairs in host memory, or as many as host
 * memory can store, of which the GPU has poolBytes. A command processes 2^partLog2 pairs. */
bool streamRows(Bench *bench, const char *suite, const LinkRates *link, uint32_t log2,
                uint32_t partLog2, uint64_t poolBytes);

/* ---- report.c ------------------------------------------------------------------------------- */

void reportRow(const Bench *bench, const Row *row, FILE *file);
/* Fails unless the file of --csv can be written. Called before any measurement. */
bool reportTryFile(const BenchOptions *options);
bool reportFile(const Bench *bench); /* writes the file of --csv */
void reportTable(const Bench *bench);
/* Prints one sentence on stderr if rows were measured at other clocks. */
void reportClocks(const Bench *bench);

/* ---- tune.c --------------------------------------------------------------------------------- */

/* Measures the thresholds between two paths of commands. */
bool tune(Bench *bench);
void tuneClose(Bench *bench);
/* Prints the resulting tuning as C text. Prints nothing without --tune. */
void tunePrint(const Bench *bench);

/* ---- suites --------------------------------------------------------------------------------- */

typedef struct Suite {
    const char *name;
    const char *help;
    bool (*run)(Bench *bench);
} Suite;
bool suiteOverhead(Bench *bench);
bool suiteCeilings(Bench *bench);
bool suiteSize(Bench *bench);
bool suiteLoad(Bench *bench);
bool suiteInShader(Bench *bench);
bool suiteRepeat(Bench *bench);
bool suiteMulti(Bench *bench);
bool suiteMirror(Bench *bench);
bool suiteCache(Bench *bench);
bool suiteWhole(Bench *bench);
bool suitePaging(Bench *bench);
bool suiteLarge(Bench *bench);

#endif
