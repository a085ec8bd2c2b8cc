/* Pagers and paged tables of scenes, with content.
 * SPDX-License-Identifier: MIT */
#include "scene.h"

#include <paging/pager.h>

#include <string.h>

enum { PAGES = 20, FRAMES = 8, PAGE = MUR_PAGE_MIN_SIZE, PAGER_FRAME = 9, LISTED = 5 };
enum { HOST_PAGES = 16, HOST_BYTES = 4 * 256 }; /* numbers and bytes of host pages */

static void open_pager(Scene *scene, MurContext context) {
    const SceneInfo *info = scene->info;
    const bool paged = verb_arguments(info->verb) >= TAKES_PAGED;
    MurPagerCreateInfo create = {
        .pageCount = info->full               ? 1
                     : paged && info->hasFile ? 2 * PAGES
                                              : PAGES,
        .pageSize = PAGE,
        .poolPageCount = FRAMES,
        .framesInFlight = 1,
        .chunkPages = paged           ? 0
                      : info->several ? 16
                                      : 32,
        .flags = info->resident ? 0 : MUR_PAGER_FORCE,
    };
    MurPagerRequirements needs;
    gpu_require(murGetPagerRequirements(context, &create, &needs));
    create.memory = scene_place(scene, needs.size + (info->replaces ? HOST_BYTES : 0));
    const MurBufferRange store = scene_place(scene, (uint64_t)create.pageCount * PAGE);
    const MurPagerChunk last = {{store.buffer,
                                 store.offset + (needs.chunkCount - 1) * needs.chunkSize,
                                 needs.lastChunkSize},
                                NULL};
    const MurPagerChunk chunks[] = {{{store.buffer, store.offset, needs.chunkSize}, NULL}, last};
    create.pChunks = needs.chunkCount > 1 ? chunks : &last;
    create.chunkCount = needs.chunkCount;
    gpu_require(murCreatePager(context, &create, &scene->pager));
    if (info->replaces) {
        MurPagerShape *shape = &scene->pager->shape;
        shape->ref.hostPageCount = HOST_PAGES;
        shape->ref.pool += HOST_BYTES;
        shape->bytes += HOST_BYTES;
    }
    /* Store, pool and zeros differ, so that the test detects copies. */
    memset((uint8_t *)scene->memory.mapped + store.offset, 0x71, store.size);
}

/* Fills a pager: half of the pool pages are used, half of these are dirty. Other pages are
 * requested. */
static void fill_pager(const Scene *scene) {
    const MurPagerShape *pager = &scene->pager->shape;
    uint32_t *directory = scene_at(scene, pager->ref.directory);
    uint32_t *records = scene_at(scene, pager->ref.records);
    uint32_t *requests = scene_at(scene, pager->ref.requests);
    memset(scene_at(scene, pager->block), 0, 4 * MUR_PAGER_COUNTS + 4 * MUR_PAGER_BINS);
    memset(scene_at(scene, pager->ref.pool), 0x4B, FRAMES * PAGE);
    for (uint32_t i = 0; i < PAGES; ++i) {
        directory[i] = i % 3 ? 0 : MUR_PAGE_ZERO;
    }
    for (uint32_t i = 0; i < FRAMES; ++i) {
        const bool used = i % 2 == 0;
        const uint32_t record[] = {used ? i : MUR_NO_PAGE, i, 0, i % 4 == 0};
        memcpy(records + MUR_POOL_WORDS * i, record, sizeof record);
        directory[i] |= used ? MUR_PAGE_RESIDENT | i : 0;
    }
    requests[0] = 7;
    for (uint32_t i = 0; i < 7; ++i) {
        requests[MUR_REQUESTS_LIST + i] = FRAMES + i;
        directory[FRAMES + i] |= MUR_PAGE_REQUESTED | i;
    }
}

/* Adds the host's lists for a pager with a file. They contain only whether a checkpoint begins. */
static uint32_t *give_lists(Scene *scene) {
    MurPagerShape *pager = &scene->pager->shape;
    pager->maxListed = LISTED;
    pager->listsCount = 1;
    pager->listsSize = 4 * (MUR_LISTS_BITS(LISTED) + 2);
    pager->lists = case_place(&scene->test, pager->listsSize + 4 * PAGES); /* and a copied map */
    uint32_t *lists = scene_at(scene, pager->lists);
    memset(lists, 0, pager->listsSize);
    lists[MUR_LISTS_HOLD] = scene->info->checkpoint;
    return lists;
}

/* Gives all host pages away: to the first pages, and to pages that the host has just read. */
static void fill_host_pages(const Scene *scene) {
    const MurPagerRef *ref = &scene->pager->shape.ref;
    uint32_t *host = scene_at(scene, ref->pool - HOST_BYTES);
    memset(host, 0, 4 * MUR_HOST_OWNERS);
    host[MUR_HOST_READING] = 2;
    uint32_t *owners = host + MUR_HOST_OWNERS, *map = owners + 2 * HOST_PAGES;
    memset(map, 0xFF, 4 * PAGES);
    for (uint32_t i = 0; i < HOST_PAGES; ++i) {
        owners[i] = i < HOST_PAGES - 2 ? i : i + 2;
        map[owners[i]] = i;
    }
}

/* Fills the host's lists: two pages were read, and some host pages are released. Two requested
 * pages are in the file. Some pages have changed since the last checkpoint. */
static void fill_lists(Scene *scene) {
    uint32_t *lists = give_lists(scene);
    memset(lists, 0x2D, scene->pager->shape.listsSize);
    const uint32_t head[MUR_LISTS_AT] = {2, MUR_RELEASE_FAILED, scene->info->checkpoint, 0, 9};
    const uint32_t arrived[] = {FRAMES + 8, 3, FRAMES + 9, 200};
    memcpy(lists, head, sizeof head);
    memcpy(lists + MUR_LISTS_AT, arrived, sizeof arrived);
    uint32_t *directory = scene_at(scene, scene->pager->shape.ref.directory);
    for (uint32_t page = 0; page < FRAMES; page += 3) {
        directory[page] |= page % 2 ? MUR_PAGE_HELD : MUR_PAGE_CHANGED;
    }
    for (uint32_t page = FRAMES + 5; page < FRAMES + 10; ++page) {
        directory[page] = (directory[page] & ~MUR_PAGE_ZERO) | MUR_PAGE_IN_FILE;
    }
}

static void open_paged(Scene *scene, MurContext context) {
    MurPagedTableCreateInfo create = {
        .pager = scene->pager,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .locality = scene->info->verb == VERB_PAGED_REHASH ? MUR_PAGE_BY_HASH : MUR_PAGE_BY_KEY,
        .partitionShift = 20,
        .maxPending = 800,
    };
    MurPagedTableRequirements needs;
    gpu_require(murGetPagedTableRequirements(context, &create, &needs));
    create.memory = scene_place(scene, needs.size);
    gpu_require(murCreatePagedTable(context, &create, &scene->paged));
    if (scene->info->hasFile) { /* a file also has pages for the state of the table */
        MurPagedShape *paged = &scene->paged->shape;
        give_lists(scene);
        paged->persistentPages = (uint32_t)((paged->keptBytes - 1) / PAGE + 1);
        paged->ref.pager.pageCount -= paged->persistentPages;
        scene->paged->read = true;
    }
    scene->test.paged = scene->paged->shape;
}

/* Fills the log with inserts. The last ten keys belong to partition 6, others to partition 5. */
static void fill_log(const Scene *scene, uint32_t first, uint32_t end) {
    const MurPagedRef ref = scene->test.paged.ref;
    uint32_t *state = scene_at(scene, ref.state);
    const uint32_t part = state[MUR_PAGED_HALF];
    uint32_t *log = state + MUR_PAGED_HEADER_WORDS + ref.maxLeaves +
                    (size_t)MUR_PENDING_WORDS * ref.maxPending * part;
    state[MUR_PAGED_COUNTS + part] = end - first;
    for (uint32_t i = first; i < end; ++i) {
        const bool last = i + 10 >= scene->info->count;
        const uint32_t entry[MUR_PENDING_WORDS] = {i + ((last ? 6u : 5u) << 20), 0, 2 + i};
        memcpy(log + (size_t)MUR_PENDING_WORDS * (i - first), entry, sizeof entry);
    }
}

static void page_table(const Scene *scene) {
    GPU_RUN(scene->gpu,
            murCmdUpdatePagedTable(scene->gpu->cmd, scene->paged, &scene->test.tablePaging));
}

/* Fills a page with some keys, and the log with more entries than fit into it. Page 2 may be
 * resident. */
static void fill_paged(const Scene *scene) {
    const MurPagedRef ref = scene->test.paged.ref;
    uint32_t *directory = scene_at(scene, ref.pager.directory);
    uint32_t *records = scene_at(scene, ref.pager.records);
    memset(directory, 0, 4ull * ref.pager.pageCount);
    fill_log(scene, 0, 200);
    page_table(scene);
    for (uint32_t i = 0; i < scene->test.paged.persistentPages; i += 2) {
        directory[ref.pager.pageCount + i] &= ~MUR_PAGE_HELD; /* the file has these pages */
    }
    fill_log(scene, 200, scene->info->count);
    if (scene->info->inFrames) {
        directory[2] = MUR_PAGE_RESIDENT | 6;
        records[6 * MUR_POOL_WORDS] = 2;
        records[6 * MUR_POOL_WORDS + MUR_POOL_USED] = PAGER_FRAME;
    }
}

/* Fills partitions 5 and 6 with one page each. inFrames: these pages are in the pool. Partition 6
 * has pending writes. */
static void fill_for_bulk(const Scene *scene) {
    const SceneInfo *info = scene->info;
    uint32_t *directory = scene_at(scene, scene->test.paged.ref.pager.directory);
    fill_log(scene, info->count - 200, info->count);
    page_table(scene);
    if (!info->inFrames) {
        GPU_RUN(scene->gpu, murCmdFlushPager(scene->gpu->cmd, scene->pager, MUR_FLUSH_EVICT));
    }
    fill_log(scene, info->count - 5, info->count);
    for (uint32_t page = 2; page < PAGES; ++page) {
        directory[page] = MUR_PAGE_CHANGED;
    }
    if (!info->inFrames && info->verb != VERB_PAGED_FIND && info->verb != VERB_PAGED_REHASH) {
        directory[0] |= MUR_PAGE_IN_FILE; /* items of this page wait until the host has read it */
    }
}

/* Fills a batch with keys of both partitions, of a new partition, and of a partition to which only
 * an item with an invalid value belongs. */
static void fill_paged_batch(const Scene *scene) {
    const MurPagedBatch *batch = &scene->test.pagedBatch;
    uint32_t *keys = scene_at(scene, batch->keys.address);
    uint32_t *values = scene_at(scene, batch->values.address);
    for (uint32_t i = 0; i < batch->maxCount; ++i) {
        const uint32_t group = i == 9 ? 8 : i % 7 == 0 ? 6 : i % 7 == 1 ? 7 : 5;
        keys[i] = i + (group << 20);
        values[i] = i == 9 ? UINT32_MAX : 3 * i + 7;
    }
}

void scene_open_pages(Scene *scene, MurContext context) {
    const SceneInfo *info = scene->info;
    const Arguments takes = verb_arguments(info->verb);
    PlanCase *test = &scene->test;
    open_pager(scene, context);
    if (takes >= TAKES_PAGED) {
        open_paged(scene, context);
    } else if (info->verb == VERB_PAGER_CLEAR && info->hasFile) {
        give_lists(scene);
    } else if (info->verb != VERB_PAGER_CLEAR) {
        fill_pager(scene);
        if (info->hasFile) {
            fill_lists(scene);
        }
        if (info->replaces) {
            fill_host_pages(scene);
        }
    }
    test->pager = scene->pager->shape;
    test->content = info->verb == VERB_PAGED_CLEAR && info->hasFile ? MUR_PAGES_IN_FILE
                                                                    : MUR_PAGES_ZERO;
    test->flush = MUR_FLUSH_EVICT;
    test->paging = (MurPagerUpdate){.frame = PAGER_FRAME,
                                    .maxPages = 5,
                                    .flags = info->checkpoint ? MUR_PAGER_UPDATE_CHECKPOINT : 0};
    test->tablePaging.pager = test->paging;
    test->pages.maxCount = test->pagedBatch.maxCount = test->pagedExtract.maxCount = info->count;
    test->pagedExtract.predicates[0] = (MurPredicate){.compare = MUR_COMPARE_GREATER_EQUAL,
                                                      .reference = 20};
    case_give(test, NULL);
    scene_set_word(scene, test->pages.countAddress, info->count - 1);
    scene_set_word(scene, test->pagedBatch.countAddress, info->count - 1);
    uint32_t *pages = scene_at(scene, test->pages.pages.address);
    for (uint32_t i = 0; pages && i < info->count; ++i) {
        pages[i] = 2 * i + i / 4;
    }
    if (takes < TAKES_PAGED || info->verb == VERB_PAGED_CLEAR || !scene->blocking) {
        return;
    }
    GPU_RUN(scene->gpu, murCmdClearPagedTable(scene->gpu->cmd, scene->paged, MUR_PAGES_ZERO));
    (info->verb == VERB_PAGE_TABLE ? fill_paged : fill_for_bulk)(scene);
    if (takes == TAKES_PAGED_BATCH) {
        fill_paged_batch(scene);
    }
}
