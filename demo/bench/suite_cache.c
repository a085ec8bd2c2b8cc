/* A world-space radiance cache as in engines, in a bucketed table. In each frame, update samples
 * are found or inserted and accumulated; a resolve pass ages, evicts and resolves; queries read.
 * Keys come from a camera over a city, and are computed on the GPU. The host knows the expected
 * content of the table.
 * SPDX-License-Identifier: MIT */
#include "common/clock.h"
#include "shaders/push.h"
#include "trial.h"

#include <murmuration/buckets.h>

#include <math.h>
#include <stdlib.h>

enum { UPDATE = CACHE_UPDATE, RESOLVE = CACHE_RESOLVE, QUERY = CACHE_QUERY, SUM, TIMES };
enum { LIVES = CACHE_LIVES, WARM = 20, BURST = 40, AFTER = 64, REBUILD = 8, MOST_FRAMES = 600 };
enum { BATCH = GPU_TIMESTAMPS / 6 }; /* frames per submission */
enum { RING, QUERIES, ANSWERS, SUMS, RESOLVED, HOST_KEYS, HOST_WORDS, BUFFERS };
/* The same order as in the kernels; NARROW: 32-bit keys. */
enum { BUCKETS_64, BUCKETS_32, NARROW, KINDS };
enum { MOST_RESERVED = 2 }; /* reserved slots of a bucket */

/* Number of frames; the last `timed` ones are timed. With a burst, there are more cells from BURST
 * on. */
typedef struct Scene {
    uint32_t frames, timed;
    double load, burstLoad; /* entries of LIVES frames / capacity; burstLoad 0: no burst */
    float fine, burst;      /* members of CacheKeysPush that give these loads */
} Scene;

typedef struct Cache {
    Bench *bench;
    Scene scene;
    Trial trial;  /* the table */
    Trial census; /* a larger table that counts the distinct keys of LIVES frames */
    uint32_t entries, keys, queries, slots; /* keys and queries per frame */
    uint32_t frame;
    GpuBuffer buffers[BUFFERS]; /* buffer RING: the keys of frame F are at F modulo LIVES */
    double times[MOST_FRAMES][TIMES];
    int kind;            /* type of the table */
    uint32_t reserved;   /* reserved slots of a bucket */
    double clocks, lost; /* lost: rejected samples per million */
    double hits;         /* percent of the last queries that found an entry */
} Cache;

static VkDeviceAddress address(const Cache *cache, int buffer) {
    return cache->buffers[buffer].address;
}

/* Returns the offset of a frame's keys in the ring, in bytes. */
static VkDeviceSize keysOfFrame(const Cache *cache, uint32_t frame) {
    return 8ull * cache->keys * (frame % LIVES);
}

static bool recordKeys(const Cache *cache) {
    const Scene *scene = &cache->scene;
    const bool burst = cache->frame >= BURST && cache->frame < BURST + LIVES;
    CacheKeysPush push = {
        .keys = address(cache, RING) + keysOfFrame(cache, cache->frame),
        .frame = cache->frame,
        .count = cache->keys,
        .both = true,
        .fine = scene->fine,
        .burst = burst ? scene->burst : 0,
        .narrow = cache->kind == NARROW,
    };
    bool done = benchDispatch(cache->bench, KERNEL_cache_keys, &push, cache->keys / 2);
    push.keys = address(cache, QUERIES);
    push.count = cache->queries;
    push.both = false;
    done = done && benchDispatch(cache->bench, KERNEL_cache_keys, &push, cache->queries);
    gpuFullBarrier(&cache->bench->gpu);
    return done;
}

/* Records a pass of the current frame. Every few frames, the resolve pass rebuilds the filter. */
static bool recordPass(const Cache *cache, uint32_t pass) {
    Gpu *gpu = &cache->bench->gpu;
    MurTable table = cache->trial.table;
    const bool rebuild = pass == RESOLVE && cache->frame % REBUILD == REBUILD - 1;
    const CachePush push = {
        .table = murGetTableRef(table),
        .keys = pass == QUERY ? address(cache, QUERIES)
                              : address(cache, RING) + keysOfFrame(cache, cache->frame),
        .sums = address(cache, SUMS),
        .resolved = address(cache, RESOLVED),
        .answers = address(cache, ANSWERS),
        .count = pass == UPDATE    ? cache->keys
                 : pass == RESOLVE ? cache->slots
                                   : cache->queries,
        .stay = rebuild,
        .task = pass,
        .reserved = cache->reserved,
    };
    if (rebuild && (!gpuCheck(murCmdBeginEviction(gpu->cmd, table), "beginning a filter") ||
                    !gpuCheck(murCmdBarrier(gpu->cmd, table), "a barrier"))) {
        return false;
    }
    const bool reserves = pass == RESOLVE && cache->reserved;
    const Kernel kernel = !reserves
                              ? (Kernel)(KERNEL_cache_UPDATE_64 + SUM * cache->kind + (int)pass)
                          : cache->kind == NARROW ? KERNEL_cache_RESERVE_narrow
                                                  : KERNEL_cache_RESERVE_64;
    /* benchDispatch expects workgroups of 256 invocations; those of this kernel have 64. */
    return benchDispatch(cache->bench, kernel, &push, reserves ? 4 * push.count : push.count) &&
           (!rebuild || (gpuCheck(murCmdBarrier(gpu->cmd, table), "a barrier") &&
                         gpuCheck(murCmdEndEviction(gpu->cmd, table), "ending a filter")));
}

BENCH_STEP(clear, Cache, cache) {
    cache->frame = 0;
    for (int i = SUMS; i <= RESOLVED; ++i) {
        vkCmdFillBuffer(bench->gpu.cmd, cache->buffers[i].buffer, 0, VK_WHOLE_SIZE, 0);
    }
    gpuTransferBarrier(&bench->gpu);
    return trialRecordClear(&cache->trial);
}

/* Plays frames up to this one, and times each pass. Keys are computed between these passes. */
static bool playTo(Cache *cache, uint32_t last) {
    Gpu *gpu = &cache->bench->gpu;
    while (cache->frame < last) {
        const uint32_t first = cache->frame;
        bool done = gpuBegin(gpu);
        for (uint32_t i = 0; done && i < BATCH && cache->frame < last; ++i, ++cache->frame) {
            done = recordKeys(cache);
            for (uint32_t pass = UPDATE; pass <= QUERY && done; ++pass) {
                gpuTimestamp(gpu, 6 * i + 2 * pass);
                done = recordPass(cache, pass);
                gpuTimestamp(gpu, 6 * i + 2 * pass + 1);
                gpuFullBarrier(gpu);
            }
        }
        if (!done || !gpuSubmit(gpu)) {
            return false;
        }
        for (uint32_t frame = first; frame < cache->frame; ++frame) {
            double *times = cache->times[frame];
            times[SUM] = 0;
            for (uint32_t pass = UPDATE; pass <= QUERY; ++pass) {
                const uint32_t at = 6 * (frame - first) + 2 * pass;
                times[pass] = gpuMilliseconds(gpu, at, at + 1);
                times[SUM] += times[pass];
            }
        }
    }
    return true;
}

/* Plays all frames, beginning with an empty table. Repeats them if the clocks fell. */
static bool play(Cache *cache) {
    Clocks *clocks = &cache->bench->clocks;
    uint32_t tries = 0;
    do {
        if (!clocksBefore(clocks, tries) || !benchOnce(cache->bench, clear, cache) ||
            !playTo(cache, cache->scene.frames) || !clocksAfter(clocks, &cache->clocks)) {
            return false;
        }
    } while (clocksAgain(clocks, cache->clocks, ++tries));
    return true;
}

BENCH_STEP(countDistinct, Cache, cache) {
    const MurBatch all = {.maxCount = LIVES * cache->keys,
                          .keys = trialArray(&cache->buffers[RING])};
    bool done = true;
    for (const uint32_t last = cache->frame + LIVES; cache->frame < last; ++cache->frame) {
        done = done && recordKeys(cache);
    }
    return done && trialRecordClear(&cache->census) && trialRecordInsert(&cache->census, &all);
}

/* Finds the parameter with which the keys of LIVES frames from `first` on reach the load. Larger
 * parameters give more keys. */
static bool bisect(Cache *cache, double load, uint32_t first, float *parameter, double low,
                   double high) {
    MurStats stats;
    for (int i = 0; i < 16; ++i) {
        *parameter = (float)sqrt(low * high);
        cache->frame = first;
        if (!benchOnce(cache->bench, countDistinct, cache) || !trialStats(&cache->census, &stats)) {
            return false;
        }
        *(stats.live < load * cache->entries ? &low : &high) = (double)*parameter;
    }
    /* Few keys cannot reach a load exactly. */
    return fabs(stats.live / (load * cache->entries) - 1) <
               (cache->bench->options.quick ? 0.1 : 0.05) ||
           sayError("cache: %u keys of %u frames, not %.2f of the capacity", stats.live, LIVES,
                    load);
}

static bool findCells(Cache *cache) {
    Scene *scene = &cache->scene;
    scene->burst = 0;
    const bool burst = scene->burstLoad > 0;
    const uint32_t first = burst ? BURST - LIVES : scene->frames / 2;
    return bisect(cache, scene->load, first, &scene->fine, 1e-4, 1e4) &&
           (!burst || bisect(cache, scene->burstLoad, BURST, &scene->burst, 1e-5, 1));
}

static void recordCopy(const Cache *cache, int from, VkDeviceSize first, VkDeviceSize size, int to,
                       VkDeviceSize at) {
    benchCopy(cache->bench, &cache->buffers[from], first, size, &cache->buffers[to], at);
}

/* Copies to the host: the frame's keys, the keys after the update, and the accumulated samples. */
BENCH_STEP(recordFrame, const Cache, cache) {
    const VkDeviceSize size = 8ull * cache->keys, at = keysOfFrame(cache, cache->frame);
    bool done = recordKeys(cache);
    recordCopy(cache, RING, at, size, HOST_KEYS, 0);
    for (uint32_t pass = UPDATE; pass <= QUERY && done; ++pass) {
        done = recordPass(cache, pass);
        gpuFullBarrier(&bench->gpu);
        if (pass == UPDATE) {
            recordCopy(cache, RING, at, size, HOST_KEYS, size);
            recordCopy(cache, SUMS, 0, 16ull * cache->slots, HOST_WORDS, 0);
        }
    }
    return done;
}

/* Plays one more frame. Checks that each sample was accumulated, or was rejected by MUR_FULL, which
 * sets its key to 0. */
static bool verifyFrame(Cache *cache, uint64_t *given, uint64_t *told) {
    const uint64_t *keys = cache->buffers[HOST_KEYS].mapped;
    const uint32_t *sums = cache->buffers[HOST_WORDS].mapped;
    uint64_t before = 0, after = 0, samples = 0;
    if (!benchOnce(cache->bench, recordFrame, cache)) {
        return false;
    }
    for (size_t i = 0; i < cache->keys; ++i) {
        before += keys[i] != 0;
        after += keys[cache->keys + i] != 0;
    }
    for (size_t slot = 0; slot < cache->slots; ++slot) {
        samples += sums[4 * slot + 3];
    }
    *given += before;
    *told += before - after;
    return samples == after ||
           sayError("cache: frame %u accumulates %llu of %llu samples that were not refused",
                    cache->frame, (unsigned long long)samples, (unsigned long long)after);
}

/* An exact set of keys on the host. place returns the word of a key, which is 0 if the key is
 * absent. Bit 63, which keys do not use, marks keys that are in the table. */
#define SEEN (1ull << 63)
static uint64_t *place(uint64_t *set, size_t mask, uint64_t key) {
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (set[at] && (set[at] & ~SEEN) != key) {
        at = (at + 1) & mask;
    }
    return &set[at];
}

/* Records copies of the table's entries, then of the keys and results of the last query. */
BENCH_STEP(recordContents, const Cache, cache) {
    const uint64_t words = address(cache, HOST_WORDS), room = 8ull * cache->slots;
    const MurExtract extract = {
        .maxCount = cache->slots, .countAddress = words, .keys = {words + 8, room}};
    recordCopy(cache, RING, 0, cache->buffers[RING].size, HOST_KEYS, 0);
    recordCopy(cache, QUERIES, 0, 8ull * cache->queries, HOST_WORDS, room + 8);
    recordCopy(cache, ANSWERS, 0, 4ull * cache->queries, HOST_WORDS,
               room + 8 + 8ull * cache->queries);
    return gpuCheck(murCmdExtract(bench->gpu.cmd, cache->trial.table, &extract), "extracting");
}

/* Checks the table: it must have each key of the last frames once, except keys that were always
 * rejected, and no other keys. Answers of the last frame must be the light of their keys' faces, or
 * "absent". With reserved slots, keys of older frames may be absent. */
static bool verifySet(Cache *cache, uint64_t *set, size_t mask) {
    const uint64_t *ring = cache->buffers[HOST_KEYS].mapped;
    const uint64_t *keys = cache->buffers[HOST_WORDS].mapped, *queries = keys + 1 + cache->slots;
    const uint32_t *answers = (const uint32_t *)(queries + cache->queries);
    const size_t live = (uint32_t)*keys++;
    const bool narrow = cache->kind == NARROW;
    size_t expected = 0, seen = 0, wrong = 0, asked = 0, hits = 0, gone = 0;
    for (size_t i = 0; i < (size_t)LIVES * cache->keys; ++i) {
        uint64_t *at = place(set, mask, ring[i]);
        expected += ring[i] && !*at;
        *at = ring[i];
    }
    for (size_t i = 0; i < live && i < cache->slots; ++i) {
        const uint64_t key = narrow ? ((const uint32_t *)keys)[i] : keys[i];
        uint64_t *at = place(set, mask, key);
        seen += *at == key && key;
        *at |= *at ? SEEN : 0;
    }
    for (size_t i = 0; i < cache->keys; ++i) {
        const uint64_t key = ring[keysOfFrame(cache, cache->frame - 1) / 8 + i];
        gone += key && !(*place(set, mask, key) & SEEN);
    }
    for (size_t i = 0; i < cache->queries; ++i) {
        const uint32_t face = narrow ? (uint32_t)queries[i] >> 29
                                     : CACHE_FACE((uint32_t)(queries[i] >> 32));
        const uint64_t there = *place(set, mask, queries[i]);
        wrong += answers[i] != (there & SEEN ? CACHE_LIGHT(face) : UINT32_MAX);
        asked += queries[i] != 0;
        hits += answers[i] != UINT32_MAX;
    }
    cache->hits = 100.0 * (double)hits / (double)(asked + !asked);
    expected = cache->reserved && !gone && live <= expected ? live : expected;
    return ((live == expected && seen == expected) ||
            sayError("cache: of %u keys the table has %u; it has %u in all", (uint32_t)expected,
                     (uint32_t)seen, (uint32_t)live)) &&
           (wrong == 0 ||
            sayError("cache: %u of %u answers are wrong", (uint32_t)wrong, cache->queries));
}

/* Plays LIVES more frames, untimed, and checks the table, which counts rejected samples. */
static bool verify(Cache *cache) {
    const size_t room = 2ull * LIVES * cache->keys; /* a power of two */
    uint64_t given = 0, told = 0;
    MurStats before, after;
    bool done = trialStats(&cache->trial, &before);
    for (uint32_t i = 0; i < LIVES && done; ++i, ++cache->frame) {
        done = verifyFrame(cache, &given, &told);
    }
    if (!done || !trialStats(&cache->trial, &after) ||
        !benchOnce(cache->bench, recordContents, cache)) {
        return false;
    }
    cache->lost = 1e6 * (double)told / (double)(given + !given);
    cache->trial.load = (double)after.live / cache->entries;
    if (after.failedInserts - before.failedInserts != told) {
        return sayError("cache: %llu samples found no slot, the table counts %llu",
                        (unsigned long long)told,
                        (unsigned long long)(after.failedInserts - before.failedInserts));
    }
    uint64_t *set = calloc(room, sizeof *set);
    done = set ? verifySet(cache, set, room - 1) : sayError("cache: no memory for a set of keys");
    free(set);
    return done;
}

/* Returns the median time of a pass, or of the sum of all passes, in milliseconds. Sets mean, which
 * also shows work that only few frames have. */
static double median(const Cache *cache, uint32_t first, uint32_t count, uint32_t which,
                     double *mean) {
    double times[MOST_FRAMES];
    *mean = 0;
    for (uint32_t i = 0; i < count; ++i) {
        times[i] = cache->times[first + i][which];
        *mean += times[i] / count;
    }
    return secondsMedian(times, count);
}

static Row row(const Cache *cache, uint32_t first, uint32_t count, uint32_t which, double *mean) {
    static const char *const names[] = {"update", "resolve", "query", "sum"};
    const uint32_t items[] = {cache->keys, cache->slots, cache->queries,
                              cache->keys + cache->queries};
    const Timing timing = {median(cache, first, count, which, mean), cache->clocks};
    Row made = trialRow(&cache->trial, names[which], "unordered", items[which], timing);
    made.rate = 1e3 * timing.milliseconds;
    made.unit = "us";
    made.reps = count;
    benchSay(&made, ", buckets");
    if (cache->kind == NARROW) {
        benchSay(&made, ", 32-bit keys");
    }
    if (cache->reserved) {
        benchSay(&made, ", %u reserved", cache->reserved);
    }
    return made;
}

static bool timeRows(const Cache *cache) {
    const uint32_t first = cache->scene.frames - cache->scene.timed;
    double mean;
    for (uint32_t which = UPDATE; which < TIMES; ++which) {
        Row made = row(cache, first, cache->scene.timed, which, &mean);
        if (first != WARM) {
            benchSay(&made, ", after %u frames", first);
        }
        if (which == SUM) {
            benchSay(&made, ", mean %.4g us, %.3g ppm lost, %.2f%% hits, %.2f B an entry",
                     1e3 * mean, cache->lost, cache->hits,
                     ((double)made.tableBytes + 32.0 * cache->slots) / (double)made.capacity);
        }
        if (!benchRow(cache->bench, &made)) {
            return false;
        }
    }
    return true;
}

/* Returns the number of frames after a burst until frames take at most 1.1 times as long as
 * before. */
static bool burstRow(const Cache *cache) {
    const uint32_t group = REBUILD, end = BURST + LIVES;
    double mean;
    const double before = median(cache, BURST - LIVES, LIVES, SUM, &mean);
    uint32_t first = end;
    while (first + group < cache->scene.frames &&
           median(cache, first, group, SUM, &mean) > 1.1 * before) {
        ++first;
    }
    Row made = row(cache, first, group, SUM, &mean);
    made.operation = "burst";
    made.rate = first - end + 1;
    made.unit = "frames";
    benchSay(&made, ", %.1f us before%s", 1e3 * before,
             first + group < cache->scene.frames ? "" : ", not back");
    return benchRow(cache->bench, &made);
}

static MurTableCreateInfo tableInfo(uint64_t capacity, int kind) {
    MurTableCreateInfo info = trialInfo(
        capacity, kind == BUCKETS_64 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32, 0);
    info.type = kind == NARROW ? murTypeBucketsK32() : murTypeBucketsK64();
    return info;
}

static bool oneKind(Cache *cache, int kind, uint32_t reserved) {
    const MurTableCreateInfo info = tableInfo(cache->entries, kind);
    cache->kind = kind;
    cache->reserved = reserved;
    cache->trial = (Trial){0};
    bool done = trialOpenTable(&cache->trial, cache->bench, "cache", &info, cache->keys);
    if (done) {
        cache->slots = murGetMaxEntries(cache->trial.table);
        done = 16ull * cache->slots <= cache->buffers[SUMS].size ||
               sayError("cache: no room for payload of %u slots", cache->slots);
    }
    done = done && play(cache) && verify(cache) &&
           (cache->scene.burstLoad > 0 ? burstRow : timeRows)(cache);
    trialClose(&cache->trial);
    return done;
}

static bool oneScene(Cache *cache, const Scene *scene) {
    const bool crowded = scene->load > 0.7 || scene->burstLoad > 0;
    bool done = true;
    cache->scene = *scene;
    for (int kind = 0; kind < KINDS && done; ++kind) {
        const bool other = kind != BUCKETS_32; /* keys than the kind before */
        const bool reserves = crowded && other;
        cache->kind = kind;
        done = !other || findCells(cache);
        const bool able = kind != BUCKETS_64 || trialWide(cache->bench);
        for (uint32_t n = 0; n <= (reserves ? MOST_RESERVED : 0) && done && able; ++n) {
            done = oneKind(cache, kind, n);
        }
    }
    return done;
}

/* Uses as many entries as the options state, but not more than renderers use. */
static bool openCache(Cache *cache) {
    Bench *bench = cache->bench;
    const uint32_t most = bench->options.maxLog2;
    cache->entries = 1u << (most < 10 ? 10 : most > 22 ? 22 : most);
    cache->keys = cache->entries / 4;
    cache->queries = cache->entries / 2;
    const uint64_t queries = cache->queries, ring = 8ull * LIVES * cache->keys;
    const uint64_t room = 16ull * (cache->entries / 8 * 9 + 4096); /* tables have more slots */
    const uint64_t sizes[BUFFERS] = {ring, 8 * queries, 4 * queries, room, room, ring, room};
    const MurTableCreateInfo info = tableInfo(4ull * cache->entries, BUCKETS_32);
    bool done = trialOpenTable(&cache->census, bench, "cache", &info, LIVES * cache->keys);
    for (int i = 0; i < BUFFERS && done; ++i) {
        done = benchBuffer(bench, sizes[i], i < HOST_KEYS ? GPU_DEVICE : GPU_HOST, "cache",
                           &cache->buffers[i]);
    }
    return done;
}

bool suiteCache(Bench *bench) {
    const uint32_t timed = bench->options.quick ? 16 : 100, frames = WARM + timed;
    const Scene scenes[] = {
        {frames, timed, 0.04, 0, 0, 0},
        {frames, timed, 0.25, 0, 0, 0},
        {frames, timed, 0.50, 0, 0, 0},
        {frames, timed, 0.75, 0, 0, 0},
        {frames, timed, 0.90, 0, 0, 0},
        {frames, timed, 0.95, 0, 0, 0},
        {frames, timed, 1.10, 0, 0, 0},
        {bench->options.quick ? 60 : MOST_FRAMES, timed, 0.75, 0, 0, 0},
        {BURST + LIVES + AFTER, 0, 0.65, 0.93, 0, 0},
    };
    Cache cache = {.bench = bench};
    bool done = openCache(&cache);
    for (uint32_t i = 0; i < sizeof scenes / sizeof *scenes && done; ++i) {
        sayProgress("cache", i, sizeof scenes / sizeof *scenes);
        done = oneScene(&cache, &scenes[i]);
    }
    trialClose(&cache.census);
    return done;
}
