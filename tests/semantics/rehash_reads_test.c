/* Counts the source slots that murCmdRehash and murCmdCompact read: kernels count them
 * (MUR_COUNT_READS). For any source memory, the count must be a small multiple of the slots of both
 * tables. If a streamed rehash is aborted, no entry may be lost.
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"
#include "support/seed.h"

#include <string.h>

enum {
    SEED = 0x5EED,
    MOST_READS = 20, /* limit of the reads per slot of source and destination */
    PROBES = 2100    /* small, because inserts into full tables take long */
};

typedef enum Content {
    HALF_FULL,
    ERASED_98,  /* 98 % of the slots are claimed; six of ten keys are erased */
    ALL_ERASED, /* keys as many as the capacity, all erased */
    ALL_ONES,
    ONE_HOME, /* one quarter of the slots has keys with one home slot */
    FULL_90,  /* 90 % of the capacity; tables with this or later contents cannot shrink */
    FULL_99,
    LAST_SLOT,    /* every slot is claimed, as inserts may leave it, without wrapping */
    IN_ORDER,     /* every slot is claimed, with evenly distributed, sorted keys */
    RANDOM_WORDS, /* random words in every slot */
    LOWER_HALF,   /* the lower half is claimed, the upper half is free */
    LONG_ROWS,    /* nine tenths are claimed, in clusters of 14,400 slots */
    WRAPPED,      /* a cluster continues at slot 0; MUR_STATE_WRAPPED is set */
    CONTENT_COUNT
} Content;
/* Capacities. They are small where the library inserts entries one by one, which is slow on
 * software devices. In the normal tier (usual), they are also small where more slots do not cause
 * more excess reads per slot. */
static const struct {
    const char *name;
    uint32_t capacity, usual;
} contents[CONTENT_COUNT] = {
    {"half full", 80000, 30000},   {"0.98 claimed", 80000, 30000}, {"full of erased", 80000, 30000},
    {"all ones", 80000, 30000},    {"one home", 20000, 5000},      {"0.9 full", 80000, 30000},
    {"0.99 full", 80000, 30000},   {"last slot", 20000, 5000},     {"in order", 20000, 5000},
    {"random words", 20000, 5000}, {"lower half", 80000, 80000},   {"long rows", 80000, 80000},
    {"wrapped", 80000, 30000}};

typedef struct Source {
    uint32_t format, capacity, slotCount, slotWords;
    uint32_t *header, *slots;
} Source;

/* Writes an entry to its home slot or the next free slot. hash: the half that decides the home.
 * Returns false without a write if no slot is free from there to the last slot. */
static bool put(const Source *source, uint32_t hash, uint32_t value) {
    uint32_t slot = mur_home(hash, source->capacity);
    while (slot < source->slotCount && source->slots[source->slotWords * slot] != MUR_EMPTY) {
        ++slot;
    }
    if (slot == source->slotCount) {
        return false;
    }
    uint32_t *words = source->slots + source->slotWords * slot;
    if (source->format == MUR_FORMAT_K32V32) {
        words[0] = hash;
        words[1] = value;
    } else {
        words[0] = slot + 1;
        words[1] = hash;
        words[2] = value;
    }
    return true;
}

/* Returns hash number i of `count` sorted hashes at equal distances. */
static uint32_t even(uint64_t i, uint64_t count) {
    return (uint32_t)((i << 32) / count) + 1;
}

/* Inserts random keys. No key has hash 0, which tables store differently. Erases the first `erased`
 * of each ten keys. */
static void put_random(const Source *source, uint64_t count, uint32_t erased) {
    for (uint32_t i = 0; i < count; ++i) {
        put(source, mur_hash(i, UINT32_MAX), i % 10 < erased ? UINT32_MAX : i);
    }
}

static void put_last(const Source *source) {
    put_random(source, source->capacity, 0);
    for (uint32_t slot = 0; slot < source->slotCount; ++slot) {
        if (source->slots[source->slotWords * slot] == MUR_EMPTY) {
            const uint32_t home = slot < source->capacity ? slot : source->capacity - 1;
            assert_true(put(source, even(home, source->capacity), slot));
        }
    }
}

static void fill(const Source *source, Content content) {
    const uint64_t slots = source->slotCount, capacity = source->capacity;
    Random random = {content};
    switch (content) {
    case ALL_ERASED:
        put_random(source, capacity, 10);
        break;
    case ERASED_98:
        put_random(source, capacity * 98 / 100, 6);
        break;
    case LAST_SLOT:
        put_last(source);
        break;
    case IN_ORDER:
        for (uint32_t i = 0; i < slots; ++i) {
            put(source, even(i, slots), i);
        }
        break;
    case RANDOM_WORDS:
        for (size_t i = 0; i < slots * source->slotWords; ++i) {
            source->slots[i] = (uint32_t)random_next(&random);
        }
        break;
    case ALL_ONES:
        memset(source->slots, 0xFF, slots * source->slotWords * 4);
        break;
    case ONE_HOME:
        for (uint32_t i = 0; i < slots / 4; ++i) {
            put(source, even(capacity / 3, capacity) + i, i);
        }
        break;
    case LOWER_HALF:
        for (uint32_t i = 0; i < capacity / 2; ++i) {
            put(source, even(i, capacity), i);
        }
        break;
    case LONG_ROWS:
        for (uint32_t i = 0; i < capacity; ++i) {
            if (i % 16000 < 14400) {
                put(source, even(i, capacity), i);
            }
        }
        break;
    case WRAPPED:
        put_random(source, capacity / 2, 0);
        source->header[MUR_HEADER_STATE] = MUR_STATE_WRAPPED;
        memcpy(source->slots, source->slots + source->slotWords * (slots - 1),
               source->slotWords * 4);
        break;
    default:
        put_random(source,
                   capacity *
                       (content == HALF_FULL ? 50
                        : content == FULL_90 ? 90
                                             : 99) /
                       100,
                   0);
    }
}

static uint32_t live_slots(const Source *source) {
    const uint32_t *value = source->slots + (source->format == MUR_FORMAT_K32V32 ? 1 : 2);
    uint32_t live = 0;
    for (uint32_t slot = 0; slot < source->slotCount; ++slot) {
        live += value[source->slotWords * (size_t)slot] != UINT32_MAX;
    }
    return live;
}

/* Rehashes, or if `to` is 0 compacts, a table. Returns the reads per slot of both tables. */
static double reads(Gpu *gpu, uint32_t format, Content content, uint32_t from, uint32_t to) {
    MurTableCreateInfo info = {.capacity = from,
                               .seed = SEED,
                               .type = format_type(format, 0),
                               .probeLimit = PROBES,
                               .kernels = {murKernelsRehash()}};
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needs));
    GpuBuffer memory = gpu_buffer(gpu, needs.size);
    info.memory = (MurBufferRange){memory.buffer, 0, memory.size};
    MurTable table = gpu_table(gpu, &info), other = table;
    if (to) {
        info.capacity = to;
        info.memory = (MurBufferRange){0};
        other = gpu_table(gpu, &info);
    }
    const Source source = {format,          from,
                           needs.slotCount, format == MUR_FORMAT_K32V32 ? 2 : 4,
                           memory.mapped,   (uint32_t *)memory.mapped + MUR_HEADER_WORDS};
    fill(&source, content);
    const uint32_t live = live_slots(&source);
    GpuBuffer counts = gpu_buffer(gpu, 4 * (MUR_REHASH_WORDS + 1));
    GpuBuffer scratch = gpu_buffer(gpu, murGetScratchSize(table, MUR_COMMAND_COMPACT, 0, NULL));
    memset(counts.mapped, 0, counts.size);
    const MurRehash besides = {.result = gpu_array(&counts), .scratch = gpu_array(&scratch)};
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_require(to ? murCmdRehash(gpu->cmd, table, other, &besides)
                   : murCmdCompact(gpu->cmd, table, &besides));
    gpu_submit(gpu);
    const double slots = (double)needs.slotCount + murGetTableRef(other).slotCount;
    const MurRehashResult *result = counts.mapped;
    const double count = ((const uint32_t *)counts.mapped)[MUR_REHASH_WORDS];
    assert_true(count > 0);
    assert_int_equal(result->moved + result->failed, live);
    murDestroyTable(table);
    if (to) {
        murDestroyTable(other);
    }
    gpu_free(gpu, &memory);
    gpu_free(gpu, &counts);
    gpu_free(gpu, &scratch);
    return count / slots;
}

static void reads_are_bounded(Gpu *gpu, uint32_t format) {
    static const struct {
        const char *name;
        double times; /* destination to source capacity; 0: a compaction */
        Content last;
    } ways[] = {{"twice the capacity", 2.0, WRAPPED},
                {"the same capacity", 1.0, WRAPPED},
                {"a smaller one", 0.7, ONE_HOME},
                {"compact", 0, LAST_SLOT}};
    gpu_take(gpu, WAY_STREAM);
    for (uint32_t way = 0; way < sizeof ways / sizeof ways[0]; ++way) {
        for (Content content = 0; content <= ways[way].last; ++content) {
            if (!test_full() && (way + content) % 2 == 1) {
                continue; /* the normal tier runs each content and each path, but not all pairs */
            }
            const uint32_t from = test_full() ? contents[content].capacity
                                              : contents[content].usual;
            const uint32_t to = (uint32_t)(from * ways[way].times);
            const double count = reads(gpu, format, content, from, to);
            /* A compaction inserts entries of one home, and of a full table, one by one. If all
             * inserts run at the same time, as on a GPU, each passes the entries before it, as in
             * murCmdInsert: n * n / 2 reads, for n = slots / 4 of one home. */
            const bool inserts = to == 0 && (content == ONE_HOME || content == LAST_SLOT);
            if (count > (inserts && !gpu->software ? from / 64.0 : MOST_READS)) {
                fail_msg("%s, %s: %.2f reads a slot", ways[way].name, contents[content].name,
                         count);
            }
        }
    }
}

GPU_TEST(rehash_of_32_bit_keys_reads_few_slots) {
    reads_are_bounded(gpu, MUR_FORMAT_K32V32);
}

/* Only in the long tier, because the kernels of both formats have the same source. */
GPU_TEST_IF(rehash_of_64_bit_keys_reads_few_slots, test_full()) {
    reads_are_bounded(gpu, MUR_FORMAT_K64V32);
}
