/* SPDX-License-Identifier: MIT */
#include "paged.h"

#include "support/kinds.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE(layout) GPU_SPIRV(paged_calls_##layout);
#define CODE(layout)    {paged_calls_##layout, &paged_calls_##layout##_size},
TABLE_LAYOUTS(DECLARE)

enum { MOST_PAGINGS = 4000 };

static GpuKernel make_kernel(Gpu *gpu, uint32_t format, bool wide) {
    static const struct {
        const uint32_t *words;
        const size_t *size;
    } codes[] = {TABLE_LAYOUTS(CODE)};
    static const Layout layouts[] = {LAYOUT_k32v32_32, LAYOUT_k64v32_32, LAYOUT_k32, LAYOUT_k64,
                                     LAYOUT_k64v64};
    const uint32_t at = layouts[format] + (wide && format <= MUR_FORMAT_K64V32);
    return gpu_kernel(gpu, codes[at].words, *codes[at].size, 8, 0);
}

/* Returns key i. Hashes of the first keys are sentinels, whose entries are in page headers. */
static uint64_t key_of(const PagedOptions *options, uint32_t i) {
    static const uint32_t marks[] = {MUR_EMPTY, MUR_TOMB};
    const uint32_t seed = options->info.seed, shift = options->info.partitionShift;
    const bool wide = MUR_IS_64(type_format(options->info.type));
    if (i < 2) {
        return wide ? mur_key64((uint64_t)MUR_EMPTY << 32 | marks[i], seed)
                    : mur_key(marks[i], seed);
    }
    if (options->partitionKeys == 0) {
        return wide ? (uint64_t)i << 32 | mur_hash(i, 7) : mur_hash(i, 7);
    }
    return (uint64_t)(i / options->partitionKeys) << shift | i % options->partitionKeys;
}

/* Returns the number of pages that contain the table itself. */
static uint32_t own_pages(Gpu *gpu, const MurPagerCreateInfo *pager, MurPagedTableCreateInfo info) {
    MurPagedTableRequirements needs;
    gpu_require(murCreatePager(gpu->context, pager, &info.pager));
    gpu_require(murGetPagedTableRequirements(gpu->context, &info, &needs));
    murDestroyPager(info.pager);
    return needs.persistentPages;
}

static void make_table(Paged *paged) {
    Gpu *gpu = paged->gpu;
    const PagedOptions *options = &paged->options;
    MurPagerCreateInfo pager = {
        .pageCount = options->pageCount,
        .pageSize = options->pageSize,
        .poolPageCount = options->poolPageCount,
        .framesInFlight = options->framesInFlight,
        .chunkPages = options->chunkPages,
        .flags = options->stays ? 0 : MUR_PAGER_FORCE,
        .pFile = options->file,
    };
    if (options->hostExtra) {
        pager.hostPageCount = options->poolPageCount + options->hostExtra +
                              own_pages(gpu, &pager, options->info);
    }
    gpu_require(murCreatePager(gpu->context, &pager, &paged->pager));
    for (uint32_t i = 0; i < pager.pageCount && !murGetPagerRef(paged->pager, 0).hostPageCount;
         ++i) {
        memset(murGetPagerStorePage(paged->pager, i), PAGED_RUBBISH, pager.pageSize);
    }
    MurPagedTableCreateInfo info = options->info;
    MurPagedTableRequirements needs;
    info.pager = paged->pager;
    gpu_require(murGetPagedTableRequirements(gpu->context, &info, &needs));
    assert_int_equal(needs.persistentPages != 0, options->file || info.persistent);
    paged->memory = gpu_buffer(gpu, needs.size);
    memset(paged->memory.mapped, PAGED_RUBBISH, needs.size);
    info.memory = (MurBufferRange){paged->memory.buffer, 0, needs.size};
    gpu_require(murCreatePagedTable(gpu->context, &info, &paged->table));
}

Paged paged_open(Gpu *gpu, const PagedOptions *options) {
    Paged paged = {.gpu = gpu, .options = *options, .frame = 1, .pump = UINT32_MAX};
    make_table(&paged);
    const MurPagedRef ref = murGetPagedTableRef(paged.table, 0);
    oracle_open(&paged.oracle,
                &(OracleConfig){.format = type_format(options->info.type),
                                .capacity = 1,
                                .slotCount = oracle_slot_count(type_format(options->info.type), 1),
                                .zero = (ref.flags & MUR_TABLE_ZERO) != 0});
    paged.none = paged.oracle.none;
    paged.items = gpu_buffer(gpu, PAGED_ROOM * sizeof(CallItem));
    paged.arguments = gpu_buffer(gpu, sizeof(CallPush));
    paged.stats = gpu_buffer(gpu, sizeof(MurPagedStats));
    paged.pagerStats = gpu_buffer(gpu, sizeof(MurPagerStats));
    paged.batch = gpu_buffer(gpu, 24 * PAGED_ROOM + 8);
    paged.scratch = gpu_buffer(gpu, murGetPagedScratchSize(paged.table, PAGED_ROOM));
    paged.kernel = make_kernel(gpu, type_format(options->info.type),
                               (ref.flags & MUR_TABLE_INT64) != 0);
    paged.keys = test_allocate(options->keyCount * sizeof *paged.keys);
    for (uint32_t i = 0; i < options->keyCount; ++i) {
        paged.keys[i].key = key_of(options, i);
        paged.keys[i].name = i % 3; /* calls without a partition name ignore it */
    }
    if (options->reopens) {
        gpu_require(murReadPagedTable(paged.table));
    }
    paged_clear(&paged, options->reopens ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO);
    return paged;
}

void paged_note(Paged *state, const Paged *paged) {
    const size_t bytes = paged->options.keyCount * sizeof *paged->keys;
    PagedKey *keys = state->keys ? state->keys : malloc(bytes);
    assert_non_null(keys);
    *state = *paged;
    state->keys = memcpy(keys, paged->keys, bytes);
}

void paged_resume(Paged *paged, const Paged *state) {
    memcpy(paged->keys, state->keys, paged->options.keyCount * sizeof *paged->keys);
    for (uint32_t i = 0; i < paged->options.keyCount; ++i) {
        paged->keys[i].item = 0;
        paged->keys[i].noted = false;
    }
    paged->pending = state->pending;
    paged->noted = state->noted;
    paged->refused = state->refused;
    memcpy(paged->partitions, state->partitions, sizeof paged->partitions);
    paged->partitionCount = state->partitionCount;
}

void paged_close(Paged *paged) {
    murDestroyPagedTable(paged->table);
    murDestroyPager(paged->pager);
    gpu_free(paged->gpu, &paged->memory);
    gpu_free(paged->gpu, &paged->items);
    gpu_free(paged->gpu, &paged->arguments);
    gpu_free(paged->gpu, &paged->stats);
    gpu_free(paged->gpu, &paged->pagerStats);
    gpu_free(paged->gpu, &paged->batch);
    gpu_free(paged->gpu, &paged->scratch);
    free(paged->keys);
    oracle_close(&paged->oracle);
}

void paged_file_open(PagedFile *on, Gpu *gpu, PagedOptions options) {
    *on = (PagedFile){0};
    disk_make(&on->disk, options.pageCount);
    on->file = disk_file(&on->disk);
    options.file = &on->file;
    on->paged = paged_open(gpu, &options);
}

void paged_file_reopen(PagedFile *on, const Paged *state) {
    Gpu *gpu = on->paged.gpu;
    PagedOptions options = on->paged.options;
    options.reopens = true;
    paged_close(&on->paged);
    disk_crash(&on->disk);
    on->paged = paged_open(gpu, &options);
    paged_resume(&on->paged, state);
}

void paged_file_close(PagedFile *on) {
    paged_close(&on->paged);
    disk_free(&on->disk);
    free(on->begun.keys);
    free(on->committed.keys);
}

const MurPagedStats *paged_stats(const Paged *paged) {
    return paged->stats.mapped;
}

static uint32_t paged_random_verb(const Paged *paged, Random *random) {
    static const uint32_t others[] = {MUR_MODE_INSERT, MUR_PAGED_ERASE, CALL_FIND, CALL_PEEK};
    const uint32_t verb = random_below(random, MUR_MODE_UPDATE + 5);
    return verb <= MUR_MODE_UPDATE && oracle_offers(&paged->oracle, verb)
               ? verb
               : others[random_below(random, 4)];
}

uint64_t paged_random_value(const Paged *paged, Random *random) {
    const uint64_t value = random_next(random);
    return type_format(paged->options.info.type) == MUR_FORMAT_K64V64 ? value : value & 0x0FFFFFFF;
}

void paged_add(Paged *paged, uint32_t key, uint32_t verb, uint64_t value) {
    PagedKey *k = &paged->keys[key];
    if (k->item != 0 || k->noted || paged->itemCount == PAGED_ROOM) {
        return;
    }
    ((CallItem *)paged->items.mapped)[paged->itemCount++] = (CallItem){
        .keyLow = (uint32_t)k->key,
        .keyHigh = (uint32_t)(k->key >> 32),
        .valueLow = (uint32_t)value,
        .valueHigh = (uint32_t)(value >> 32),
        .name = k->name,
        .verb = verb,
        .status = PAGED_RUBBISH,
        .pad = key,
    };
    k->item = paged->itemCount;
}

void paged_add_keys(Paged *paged, uint32_t first, uint32_t count, uint32_t verb, uint64_t value) {
    for (uint32_t i = first; i < first + count; ++i) {
        paged_add(paged, i, verb, value + i);
    }
}

void paged_add_random(Paged *paged, Random *random, uint32_t count) {
    /* Most items of a frame use keys with adjacent numbers. */
    const uint32_t keys = paged->options.keyCount, near = random_below(random, keys);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t key = random_below(random, 4) ? (near + random_below(random, 200)) % keys
                                                     : random_below(random, keys);
        const uint32_t any = random_below(random, MUR_MODE_UPDATE + 1); /* may be unsupported */
        paged_add(paged, key, random_below(random, 40) ? paged_random_verb(paged, random) : any,
                  random_below(random, 20) ? paged_random_value(paged, random) : paged->none);
    }
}

void paged_random_frame(Paged *paged, Random *random, uint32_t items, uint32_t rehashes) {
    const uint32_t verb = paged_random_verb(paged, random);
    paged_add_random(paged, random, 1 + random_below(random, items));
    if (random_below(random, 3)) {
        paged_run(paged);
    } else {
        paged_run_bulk(paged, verb == CALL_PEEK ? CALL_FIND : verb, 1 + random_below(random, 8));
    }
    if (paged->options.info.locality == MUR_PAGE_BY_HASH && random_below(random, rehashes) == 0) {
        uint32_t left;
        (void)paged_rehash(paged, 1 + random_below(random, 8), &left);
    }
}

/* Applies an item to the model: an oracle that contains only this key. */
static OracleResult apply(Paged *paged, PagedKey *k, const CallItem *item) {
    Oracle *oracle = &paged->oracle;
    const uint64_t value = (uint64_t)item->valueHigh << 32 | item->valueLow;
    oracle_clear(oracle);
    if (k->present) {
        (void)oracle_insert(oracle, MUR_MODE_INSERT, k->key, k->value);
    }
    const OracleResult result = item->verb == MUR_PAGED_ERASE ? oracle_erase(oracle, k->key)
                                : item->verb >= CALL_FIND
                                    ? oracle_find(oracle, k->key)
                                    : oracle_insert(oracle, item->verb, k->key, value);
    k->value = oracle_value(oracle, k->key);
    k->present = k->value != oracle->none;
    return result;
}

/* Adds the key's partition to the model. The table must create it before the next
 * murCmdUpdatePagedTable ends. */
static void make_partition(Paged *paged, const PagedKey *k) {
    const MurPagedTableCreateInfo *info = &paged->options.info;
    const uint32_t mask = info->partitionMask ? info->partitionMask : UINT32_MAX;
    const uint32_t partition = info->locality == MUR_PAGE_BY_PARTITION
                                   ? k->name
                                   : (uint32_t)(k->key >> info->partitionShift) & mask;
    for (uint32_t i = 0; i < paged->partitionCount; ++i) {
        if (paged->partitions[i] == partition) {
            return;
        }
    }
    assert_true(paged->partitionCount < PAGED_PARTITIONS);
    paged->partitions[paged->partitionCount++] = partition;
}

/* Compares the result of an item with the model. bulk: the item has no previous value. */
static void check_item(Paged *paged, const CallItem *item, bool bulk) {
    PagedKey *k = &paged->keys[item->pad];
    const PagedKey before = *k;
    const bool finds = item->verb >= CALL_FIND;
    const OracleResult result = apply(paged, k, item);
    const bool refused = result.status == MUR_INVALID_VALUE || result.status == MUR_UNSUPPORTED;
    k->item = 0;
    if (item->verb < MUR_MODE_UPDATE && !refused && (bulk || item->status != MUR_FULL) &&
        paged->options.info.locality != MUR_PAGE_BY_HASH) {
        make_partition(paged, k);
    }
    if (finds && item->status == MUR_NOT_RESIDENT) {
        ++paged->notResident;
    } else if (!finds && !refused && item->status == MUR_FULL) {
        k->present = before.present;
        k->value = before.value;
        ++paged->refused;
    } else if (!finds && !refused && item->status == MUR_PENDING) {
        k->noted = true;
        ++paged->noted;
        ++paged->pending;
    } else {
        ++paged->answered;
        assert_int_equal(item->status, result.status);
        if (!MUR_IS_SET(type_format(paged->options.info.type)) &&
            (!bulk || finds || item->verb == MUR_PAGED_ERASE)) {
            assert_true(((uint64_t)item->oldHigh << 32 | item->oldLow) == result.value);
        }
    }
}

void paged_check_items(Paged *paged, bool bulk) {
    const uint64_t refused = paged->refused;
    for (uint32_t i = 0; i < paged->itemCount; ++i) {
        check_item(paged, &((CallItem *)paged->items.mapped)[i], bulk);
    }
    paged->lastCount = paged->itemCount;
    paged->itemCount = 0;
    /* No write is rejected unless the log is full. */
    const uint32_t room = murGetPagedTableRef(paged->table, 0).maxPending;
    assert_true(paged->pending <= room);
    assert_true(paged->refused == refused || paged->pending == room);
}

void paged_run(Paged *paged) {
    Gpu *gpu = paged->gpu;
    *(CallPush *)paged->arguments.mapped = (CallPush){
        .table = murGetPagedTableRef(paged->table, paged->frame),
        .items = paged->items.address,
        .count = paged->itemCount,
    };
    gpu_begin(gpu);
    gpu_dispatch(gpu, &paged->kernel, &paged->arguments.address, (paged->itemCount + 63) / 64);
    gpu_submit(gpu);
    paged_check_items(paged, false);
}

void paged_see_commit(Paged *paged) {
    MurPagerStatus status;
    murGetPagerStatus(paged->pager, &status);
    if (paged->committed && status.checkpoint != paged->checkpointSeen) {
        paged->checkpointSeen = status.checkpoint;
        paged_note(paged->committed, paged->begun);
    }
}

static void begin_frame(Paged *paged) {
    MurPagerStatus status;
    if (paged->again) {
        --paged->frame;
        paged->again = false;
    } else if (paged->options.file) {
        murGetPagerStatus(paged->pager, &status);
        paged->checkpoint |= paged->begun && status.needsCheckpoint;
        assert_true(status.changedPages <= murGetPagerRef(paged->pager, 0).hostPageCount);
        paged_see_commit(paged);
        const MurPagerFrame frame = {.frame = paged->frame,
                                     .completedFrame = paged->frame - 1,
                                     .checkpoint = paged->checkpoint};
        gpu_require(murBeginPagerFrame(paged->pager, &frame, &paged->flags));
        paged->checkpoints += paged->flags != 0;
        paged->checkpoint = paged->checkpoint && !paged->flags;
        if (paged->flags && paged->begun) {
            paged_note(paged->begun, paged);
        }
    }
}

/* Checks the numbers of pages and directory entries. A partition has one page, or several pages
 * with one directory entry each. */
static void check_pages(const Paged *paged) {
    const MurPagedStats *stats = paged_stats(paged);
    const MurPagedRef ref = murGetPagedTableRef(paged->table, 0);
    /* Without a free host page, a batch whose items are rejected makes no partition. */
    assert_true(stats->partitions == paged->partitionCount ||
                (ref.pager.hostPageCount && stats->partitions < paged->partitionCount));
    assert_in_range(stats->pages,
                    stats->partitions < ref.pager.pageCount ? stats->partitions
                                                            : ref.pager.pageCount,
                    ref.pager.pageCount);
    assert_true(stats->pages <= stats->partitions + stats->leaves);
    assert_true(stats->leaves <= ref.maxLeaves);
    assert_true(stats->stuck <= stats->pending);
    assert_true(stats->stuck == 0 || stats->pages == ref.pager.pageCount ||
                2 * stats->leaves >= ref.maxLeaves || ref.pager.hostPageCount);
}

/* Requires that the pending writes are the logged writes minus the applied writes. */
static void check_stats(Paged *paged) {
    const MurPagedStats *stats = paged_stats(paged);
    if (paged->adopts) {
        paged->adopts = false;
        paged->pending = stats->pending;
        paged->noted = stats->applied + stats->pending;
        paged->refused = stats->rejected;
        paged->partitionCount = stats->partitions;
    }
    check_pages(paged);
    assert_true(stats->pending <= paged->pending);
    assert_int_equal(stats->applied + stats->pending, paged->noted);
    assert_int_equal(stats->rejected, paged->refused);
    paged->pending = stats->pending;
}

void paged_page(Paged *paged, uint32_t maxPages) {
    Gpu *gpu = paged->gpu;
    begin_frame(paged);
    const MurPagedTableUpdate paging = {
        .pager = {.frame = paged->frame,
                  .maxPages = maxPages,
                  .flags = paged->flags,
                  .stats = gpu_array(&paged->pagerStats)},
        .stats = gpu_array(&paged->stats),
    };
    memset(paged->stats.mapped, PAGED_RUBBISH, sizeof(MurPagedStats));
    GPU_RUN(gpu, murCmdUpdatePagedTable(gpu->cmd, paged->table, &paging));
    ++paged->frame;
    for (uint32_t i = 0; i < paged->options.keyCount; ++i) {
        paged->keys[i].noted = false;
    }
    check_stats(paged);
    if (paged->options.file) {
        gpu_require(murProcessPagerIo(paged->pager, paged->pump, NULL));
    }
}

void paged_drain(Paged *paged) {
    uint32_t pagings = 0;
    do {
        paged_page(paged, UINT32_MAX);
        assert_true(++pagings < MOST_PAGINGS);
    } while (paged->pending != 0);
}

static void check_page(Paged *paged, uint32_t page, uint32_t *entries) {
    MurHostTable table;
    gpu_require(
        murHostAttach(murGetPagerStorePage(paged->pager, page), paged->options.pageSize, &table));
    for (MurHostEntry entry = {0}; murHostNextEntry(&table, &entry);) {
        paged_see_entry(paged, entry.key, entry.value);
        assert_int_equal(murHostFind(&table, entry.key).status, MUR_FOUND);
        ++*entries;
    }
}

void paged_check(Paged *paged) {
    Gpu *gpu = paged->gpu;
    assert_int_equal(paged->pending, 0);
    GPU_RUN(gpu, murCmdFlushPager(gpu->cmd, paged->pager, 0));
    uint32_t entries = 0;
    for (uint32_t page = 0; page < paged_stats(paged)->pages; ++page) {
        check_page(paged, page, &entries);
    }
    paged_check_seen(paged, entries);
}

void paged_check_finds(Paged *paged) {
    const uint32_t count = paged->options.keyCount;
    uint32_t pagings = 0, found = 0;
    bool *done = test_allocate(count * sizeof *done);
    while (found != count) {
        for (uint32_t i = 0; i < count; ++i) {
            /* In an order that changes, as on a GPU. */
            const uint32_t key = (uint32_t)((i * 7919ull + pagings * 1237ull) % count);
            if (!done[key]) {
                paged_add(paged, key, CALL_FIND, 0);
            }
        }
        paged_run(paged);
        for (uint32_t i = 0; i < paged->lastCount; ++i) {
            const CallItem *item = &((const CallItem *)paged->items.mapped)[i];
            done[item->pad] = item->status != MUR_NOT_RESIDENT;
            found += done[item->pad];
        }
        paged_page(paged, UINT32_MAX);
        assert_true(++pagings < MOST_PAGINGS);
    }
    free(done);
}
