/* A paged table in a database that is larger than its store. Its content depends only on the number
 * of writes per partition, so each key can be checked. The long tier has 2^26 keys and a store of
 * 512 MiB.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "support/gpu.h"
#include "support/random.h"
#include "support/seed.h"

#include <murmuration/database.h>
#include <murmuration/paged.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A partition has 1 << shift keys, about half a page. A batch writes `batch` partitions. */
typedef struct Size {
    uint32_t shift, pageSize, partitions, batch, pool, host, pageCount;
} Size;

typedef struct Large {
    Gpu *gpu;
    Size size;
    MurDatabase database;
    MurPager pager;
    MurPagedTable table;
    GpuBuffer keys, values, statuses, scratch, stats;
    uint32_t frame;
    uint32_t *writes, *begun, *committed; /* per partition: number of writes of each of its keys */
    uint64_t checkpoint;
} Large;

static const char PATH[] = "large.db";

static void open_table(Large *large, bool reopens) {
    const Size size = large->size;
    Gpu *gpu = large->gpu;
    const MurDatabaseInfo database = {
        .pPath = PATH, .pageSize = size.pageSize, .pageCount = size.pageCount};
    gpu_require(reopens ? murOpenDatabase(&database, &large->database)
                        : murCreateDatabase(&database, &large->database));
    const MurPageFile file = murGetDatabaseFile(large->database);
    const MurPagerCreateInfo pager = {.pageCount = size.pageCount,
                                      .pageSize = size.pageSize,
                                      .poolPageCount = size.pool,
                                      .framesInFlight = 1,
                                      .hostPageCount = size.host,
                                      .pFile = &file};
    gpu_require(murCreatePager(gpu->context, &pager, &large->pager));
    const MurPagedTableCreateInfo table = {.pager = large->pager,
                                           .emptyValue = MUR_EMPTY_VALUE_ZERO,
                                           .partitionShift = size.shift,
                                           .maxPending = size.batch << size.shift};
    gpu_require(murCreatePagedTable(gpu->context, &table, &large->table));
    if (reopens) {
        gpu_require(murReadPagedTable(large->table));
    }
    GPU_RUN(gpu, murCmdClearPagedTable(gpu->cmd, large->table,
                                       reopens ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO));
    large->frame = 0;
    large->checkpoint = 0;
}

/* Closes the table, and loses all changes since the last commit. */
static void abandon(Large *large) {
    murDestroyPagedTable(large->table);
    murDestroyPager(large->pager);
    murCloseDatabase(large->database);
    memcpy(large->writes, large->committed, 4 * (size_t)large->size.partitions);
}

/* Runs an update and I/O. Begins a checkpoint if `saves` is set or the pager requests one. */
static VkResult run_frame(Large *large, bool saves) {
    Gpu *gpu = large->gpu;
    const size_t bytes = 4 * (size_t)large->size.partitions;
    MurPagerStatus status;
    MurPagerUpdateFlags flags;
    murGetPagerStatus(large->pager, &status);
    const MurPagerFrame frame = {.frame = ++large->frame,
                                 .completedFrame = large->frame - 1,
                                 .checkpoint = saves || status.needsCheckpoint};
    gpu_require(murBeginPagerFrame(large->pager, &frame, &flags));
    if (flags) {
        memcpy(large->begun, large->writes, bytes);
    }
    const MurPagedTableUpdate update = {
        .pager = {.frame = large->frame, .maxPages = UINT32_MAX, .flags = flags},
        .stats = gpu_array(&large->stats)};
    GPU_RUN(gpu, murCmdUpdatePagedTable(gpu->cmd, large->table, &update));
    const VkResult result = murProcessPagerIo(large->pager, UINT32_MAX, NULL);
    murGetPagerStatus(large->pager, &status);
    if (status.checkpoint != large->checkpoint) {
        large->checkpoint = status.checkpoint;
        memcpy(large->committed, large->begun, bytes);
    }
    return result;
}

static uint32_t value_of(uint32_t key, uint32_t writes) {
    return 1 + (mur_hash(key, 3) & 0x7FFF) + 65536 * (writes - 1);
}

static MurPagedBatch batch_of(Large *large, uint32_t partition) {
    const uint32_t count = large->size.batch << large->size.shift;
    for (uint32_t i = 0; i < count; ++i) {
        ((uint32_t *)large->keys.mapped)[i] = (partition << large->size.shift) + i;
    }
    return (MurPagedBatch){.maxCount = count,
                           .keys = gpu_array(&large->keys),
                           .values = gpu_array(&large->values),
                           .statuses = gpu_array(&large->statuses),
                           .scratch = gpu_array(&large->scratch)};
}

/* Writes all keys of a batch once: inserts them, or adds to their values. */
static void write_batch(Large *large, uint32_t first) {
    Gpu *gpu = large->gpu;
    const MurPagedBatch batch = batch_of(large, first);
    uint32_t *values = large->values.mapped;
    for (uint32_t i = 0; i < batch.maxCount; ++i) {
        const uint32_t writes = large->writes[first + (i >> large->size.shift)];
        values[i] = writes ? 65536 : value_of((first << large->size.shift) + i, 1);
    }
    GPU_RUN(gpu, murCmdPagedInsert(gpu->cmd, large->table, MUR_MODE_ADD, &batch));
    const uint32_t *statuses = large->statuses.mapped;
    for (uint32_t i = 0; i < batch.maxCount; ++i) {
        const uint32_t expected = large->writes[first + (i >> large->size.shift)] ? MUR_EXISTED
                                                                                  : MUR_INSERTED;
        assert_true(statuses[i] == expected || statuses[i] == MUR_PENDING);
    }
    for (uint32_t i = 0; i < large->size.batch; ++i) {
        ++large->writes[first + i];
    }
}

/* Runs updates until no write is pending, which may wait for checkpoints. */
static void settle(Large *large) {
    uint32_t frames = 0;
    do {
        gpu_require(run_frame(large, false));
        assert_true(++frames < 400);
    } while (((const MurPagedStats *)large->stats.mapped)->pending != 0);
}

/* Finds the keys of a batch, and compares them with the model. */
static void check_batch(Large *large, uint32_t first) {
    Gpu *gpu = large->gpu;
    const MurPagedBatch batch = batch_of(large, first);
    const uint32_t *statuses = large->statuses.mapped, *values = large->values.mapped;
    uint32_t missing = 1;
    for (uint32_t tries = 0; missing != 0; ++tries) {
        assert_true(tries < 20);
        GPU_RUN(gpu, murCmdPagedFind(gpu->cmd, large->table, &batch));
        missing = 0;
        for (uint32_t i = 0; i < batch.maxCount; ++i) {
            const uint32_t writes = large->writes[first + (i >> large->size.shift)];
            missing += statuses[i] == MUR_NOT_RESIDENT;
            if (statuses[i] != MUR_NOT_RESIDENT) {
                assert_int_equal(statuses[i], writes ? MUR_FOUND : MUR_ABSENT);
                assert_true(!writes ||
                            values[i] == value_of((first << large->size.shift) + i, writes));
            }
        }
        gpu_require(missing ? run_frame(large, false) : VK_SUCCESS);
    }
}

/* Saves while files cannot grow: fails, and a later save succeeds. */
static void save_on_full_disk(Large *large) {
    (void)signal(SIGXFSZ, SIG_IGN);
    VkResult result = VK_SUCCESS;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, RLIM_INFINITY}), 0);
    for (uint32_t i = 0; i < 4 && result == VK_SUCCESS; ++i) {
        result = run_frame(large, true);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
    assert_int_not_equal(result, VK_SUCCESS);
    settle(large);
}

static void run_life(Large *large, Random *random) {
    const uint32_t batches = large->size.partitions / large->size.batch;
    for (uint32_t i = test_full() ? 0 : 10; i < 14; ++i) {
        const uint32_t first = large->size.batch * random_below(random, batches);
        write_batch(large, first);
        settle(large);
        check_batch(large, large->size.batch * random_below(random, batches));
        if (i == 12) {
            save_on_full_disk(large);
        }
    }
}

GPU_TEST(table_larger_than_its_store_has_all_keys) {
    const Size small = {8, 4096, 32, 4, 4, 50, 120},
               full = {12, 65536, 16384, 64, 256, 8192, 17000};
    Large large = {.gpu = gpu, .size = test_full() ? full : small};
    Random random = {test_seed(0x1A46E)};
    const uint32_t items = large.size.batch << large.size.shift;
    uint32_t **models[] = {&large.writes, &large.begun, &large.committed};
    for (uint32_t i = 0; i < 3; ++i) {
        *models[i] = test_allocate(large.size.partitions * sizeof **models[i]);
    }
    (void)unlink(PATH);
    open_table(&large, false);
    large.keys = gpu_buffer(gpu, 4ull * items);
    large.values = gpu_buffer(gpu, 4ull * items);
    large.statuses = gpu_buffer(gpu, 4ull * items);
    large.scratch = gpu_buffer(gpu, murGetPagedScratchSize(large.table, items));
    large.stats = gpu_buffer(gpu, sizeof(MurPagedStats));
    for (uint32_t first = 0; first < large.size.partitions; first += large.size.batch) {
        write_batch(&large, first);
        settle(&large);
    }
    for (uint32_t i = test_full() ? 0 : 1; i < 2; ++i) {
        run_life(&large, &random);
        abandon(&large);
        open_table(&large, true);
        const uint32_t step = (i == 1 ? 1 : 16) *
                              large.size.batch; /* checks few batches at first */
        for (uint32_t first = 0; first < large.size.partitions; first += step) {
            check_batch(&large, first);
        }
    }
    abandon(&large);
    GpuBuffer *buffers[] = {&large.keys, &large.values, &large.statuses, &large.scratch,
                            &large.stats};
    for (uint32_t i = 0; i < 5; ++i) {
        gpu_free(gpu, buffers[i]);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        free(*models[i]);
    }
    (void)unlink(PATH);
    (void)unlink("large.db-lock");
}
