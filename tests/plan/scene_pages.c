/* Pagers and paged tables, and what is in them.
 *
 * SPDX-License-Identifier: MIT */
#include "scene.h"

#include <device/paged.h>

#include <string.h>

enum { PAGES = 20, FRAMES = 8, PAGE = MUR_PAGE_MIN_SIZE, PAGER_FRAME = 9 };

/* Half of the frames have pages, of which half are dirty; of the others some are asked for. */
static void fill_pager(Scene *scene) {
    const MurPagerShape *pager = &scene->test.pager;
    uint8_t *block = scene->buffers[1].mapped;
    uint32_t *directory = (uint32_t *)(block + (pager->ref.directory - pager->block));
    uint32_t *records = (uint32_t *)(block + (pager->ref.frames - pager->block));
    uint32_t *requests = (uint32_t *)(block + (pager->ref.requests - pager->block));
    memset(block, 0, 4 * MUR_PAGER_COUNTS + 4 * MUR_PAGER_BINS);
    memset(block + (pager->ref.pool - pager->block), 0x4B, FRAMES * PAGE);
    for (uint32_t i = 0; i < PAGES; ++i) {
        directory[i] = i % 3 ? 0 : MUR_PAGE_ZERO;
    }
    for (uint32_t i = 0; i < FRAMES; ++i) {
        const bool used = i % 2 == 0;
        const uint32_t record[] = {used ? i : MUR_NO_PAGE, i, 0, i % 4 == 0};
        memcpy(records + MUR_FRAME_WORDS * i, record, sizeof record);
        directory[i] |= used ? MUR_PAGE_RESIDENT | i : 0;
    }
    requests[0] = 7;
    for (uint32_t i = 0; i < 7; ++i) {
        requests[MUR_REQUESTS_LIST + i] = FRAMES + i;
        directory[FRAMES + i] |= MUR_PAGE_REQUESTED | i;
    }
}

enum { LISTED = 5 };

/* What the host may have written: two pages have arrived, others are given back. Of the pages asked
 * for two are in the file, and some have changed since a checkpoint. */
static void give_lists(Scene *scene) {
    MurPagerShape *pager = &scene->pager->shape;
    GpuBuffer *buffer = &scene->buffers[scene->memoryCount];
    pager->maxListed = LISTED;
    pager->listsCount = 1;
    pager->listsSize = 4 * (MUR_LISTS_BITS(LISTED) + 1);
    pager->lists = scene_give(scene, pager->listsSize).address;
    uint32_t *lists = buffer->mapped;
    memset(lists, 0x2D, pager->listsSize);
    const uint32_t head[MUR_LISTS_AT] = {2, MUR_RELEASE_FAILED, scene->info->checkpoint, 0, 9};
    const uint32_t arrived[] = {FRAMES + 8, 3, FRAMES + 9, 200};
    memcpy(lists, head, sizeof head);
    memcpy(lists + MUR_LISTS_AT, arrived, sizeof arrived);
    uint32_t *directory = (uint32_t *)((uint8_t *)scene->buffers[1].mapped +
                                       (pager->ref.directory - pager->block));
    for (uint32_t page = 0; page < FRAMES; page += 3) {
        directory[page] |= page % 2 ? MUR_PAGE_HELD : MUR_PAGE_CHANGED;
    }
    for (uint32_t page = FRAMES + 5; page < FRAMES + 10; ++page) {
        directory[page] = (directory[page] & ~MUR_PAGE_ZERO) | MUR_PAGE_IN_FILE;
    }
}

void scene_give_pager(Scene *scene, MurContext context) {
    const SceneInfo *info = scene->info;
    MurPagerCreateInfo pager = {
        .pageCount = PAGES,
        .pageSize = PAGE,
        .pageFrameCount = FRAMES,
        .framesInFlight = 1,
        .chunkPages = info->several ? 16 : 32,
        .flags = info->resident ? 0 : MUR_PAGER_FORCE,
    };
    MurPagerRequirements needs;
    gpu_require(murGetPagerRequirements(context, &pager, &needs));
    scene_give(scene, needs.size);
    GpuBuffer *store = &scene->buffers[scene->memoryCount];
    scene_give(scene, (uint64_t)PAGES * PAGE);
    pager.memory = (MurBufferRange){scene->buffers[1].buffer, 0, needs.size};
    const MurPagerChunk chunks[] = {
        {{store->buffer, 0, needs.chunkSize}, NULL},
        {{store->buffer, needs.chunkSize, needs.lastChunkSize}, NULL},
    };
    const MurPagerChunk only = {{store->buffer, 0, needs.lastChunkSize}, NULL};
    pager.pChunks = needs.chunkCount > 1 ? chunks : &only;
    pager.chunkCount = needs.chunkCount;
    gpu_require(murCreatePager(context, &pager, &scene->pager));
    PlanCase *test = &scene->test;
    test->flush = MUR_FLUSH_EVICT;
    test->pagesVerb = info->pagesVerb;
    if (info->verb == VERB_PAGE) {
        test->paging = (MurPaging){.frame = PAGER_FRAME,
                                   .maxPages = 5,
                                   .flags = info->checkpoint ? MUR_PAGING_CHECKPOINT : 0,
                                   .stats = scene_give(scene, 4 * MUR_PAGER_STATS_WORDS)};
    } else if (info->verb == VERB_PAGES) {
        test->pages = (MurPages){.maxCount = info->count,
                                 .pages = scene_give(scene, 4ull * info->count)};
        uint32_t *list = scene->buffers[scene->memoryCount - 1].mapped;
        for (uint32_t i = 0; i < info->count; ++i) {
            list[i] = 2 * i + i / 4;
        }
        test->pages.countAddress = scene_give(scene, 4).address;
        *(uint32_t *)scene->buffers[scene->memoryCount - 1].mapped = info->count - 1;
    }
    test->pager = scene->pager->shape;
    if (info->verb == VERB_PAGER_CLEAR) {
        memset(store->mapped, 0x4B, store->size); /* or zeros written there would not show */
    } else {
        fill_pager(scene);
    }
    if (info->hasFile) {
        give_lists(scene);
        test->pager = scene->pager->shape;
    }
}

/* A log with some inserts of keys of one group, the last of another. */
static void fill_log(Scene *scene, GpuBuffer *memory, uint32_t first, uint32_t end) {
    const MurPagedRef ref = scene->test.paged.ref;
    uint32_t *state = (uint32_t *)((uint8_t *)memory->mapped + (ref.state - ref.partitions));
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

static void page_table(Scene *scene) {
    GPU_RUN(scene->gpu, murCmdPageTable(scene->gpu->cmd, scene->paged, &scene->test.tablePaging));
}

/* A page with some keys, and a log with more than it can take. The next page but one may be in a
 * frame. */
static void fill_paged(Scene *scene, GpuBuffer *memory) {
    const MurPagedRef ref = scene->test.paged.ref;
    uint8_t *block = scene->buffers[1].mapped;
    uint32_t *directory = (uint32_t *)(block + (ref.pager.directory - scene->test.pager.block));
    uint32_t *records = (uint32_t *)(block + (ref.pager.frames - scene->test.pager.block));
    if (scene->bare) {
        return;
    }
    memset(directory, 0, 4ull * ref.pager.pageCount);
    fill_log(scene, memory, 0, 200);
    page_table(scene);
    for (uint32_t i = 0; i < scene->paged->shape.keptPages; i += 2) {
        directory[ref.pager.pageCount + i] &= ~MUR_PAGE_HELD; /* the file has these */
    }
    fill_log(scene, memory, 200, scene->info->count);
    if (scene->info->several) {
        directory[2] = MUR_PAGE_RESIDENT | 6;
        records[6 * MUR_FRAME_WORDS] = 2;
        records[6 * MUR_FRAME_WORDS + MUR_FRAME_USED] = PAGER_FRAME;
    }
}

/* Groups 5 and 6 have a page each, in frames or not. Of group 6 there are writes pending. */
static void fill_for_batch(Scene *scene, GpuBuffer *memory) {
    Gpu *gpu = scene->gpu;
    const MurPagedRef ref = scene->test.paged.ref;
    uint8_t *block = scene->buffers[1].mapped;
    uint32_t *directory = (uint32_t *)(block + (ref.pager.directory - scene->test.pager.block));
    scene->test.tablePaging.paging = (MurPaging){.frame = PAGER_FRAME, .maxPages = 5};
    if (scene->bare) {
        return;
    }
    fill_log(scene, memory, scene->info->count - 200, scene->info->count);
    page_table(scene);
    if (!scene->info->several) {
        GPU_RUN(gpu, murCmdFlushPager(gpu->cmd, scene->pager, MUR_FLUSH_EVICT));
    }
    fill_log(scene, memory, scene->info->count - 5, scene->info->count);
    for (uint32_t page = 2; page < PAGES; ++page) {
        directory[page] = MUR_PAGE_CHANGED;
    }
    if (!scene->info->several && scene->info->pagesVerb != MUR_BULK_FIND) {
        directory[0] |= MUR_PAGE_IN_FILE; /* the host has it: its items wait */
    }
}

/* Keys of both, of a group that is new, and of one that only a refused value would make. */
static void give_paged_batch(Scene *scene, GpuBuffer *memory) {
    const uint32_t count = scene->info->count;
    PlanCase *test = &scene->test;
    MurPagedBatch *batch = &test->pagedBatch;
    fill_for_batch(scene, memory);
    test->pagedOp = scene->info->pagesVerb;
    test->pagedBuilds = scene->info->builds;
    batch->maxCount = count;
    uint32_t *words[4];
    MurArray *arrays[] = {&batch->keys, &batch->values, &batch->statuses};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t buffer = scene->memoryCount;
        *arrays[i] = scene_give(scene, 4ull * count);
        words[i] = scene->buffers[buffer].mapped;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t group = i == 9 ? 8 : i % 7 == 0 ? 6 : i % 7 == 1 ? 7 : 5;
        words[0][i] = i + (group << 20);
        words[1][i] = i == 9 ? UINT32_MAX : 3 * i + 7;
    }
    const uint32_t buffer = scene->memoryCount;
    batch->countAddress = scene_give(scene, 4).address;
    *(uint32_t *)scene->buffers[buffer].mapped = count - 1;
    batch->scratch = scene_give(scene, murGetPagedScratchMinimum(scene->paged, count) + PAGE);
}

/* What is to be taken out, or counted only; some pages are in the file. */
static void give_paged_whole(Scene *scene, GpuBuffer *memory) {
    PlanCase *test = &scene->test;
    const uint32_t count = scene->info->count;
    fill_for_batch(scene, memory);
    const VkDeviceAddress counted = scene_give(scene, 4).address;
    const VkDeviceAddress left = scene_give(scene, 4).address;
    const MurArray scratch = scene_give(scene, murGetPagedScratchMinimum(scene->paged, 0));
    test->pagedRehash = (MurPagedRehash){NULL, counted, left, scratch};
    if (scene->info->verb == VERB_PAGED_EXTRACT) {
        test->pagedExtract = (MurPagedExtract){
            .maxCount = count,
            .countAddress = counted,
            .leftAddress = left,
            .keys = scene_give(scene, 4ull * count),
            .values = scene_give(scene, 4ull * count),
            .predicates = {{.compare = MUR_COMPARE_GREATER_EQUAL, .reference = 20}},
            .scratch = scratch};
    }
}

/* As with a file: lists, which say no more than whether a checkpoint begins; and pages for what it
 * has besides the others. */
static void give_kept_pages(Scene *scene) {
    MurPagerShape *pager = &scene->pager->shape;
    MurPagedShape *paged = &scene->paged->shape;
    GpuBuffer *buffer = &scene->buffers[scene->memoryCount];
    pager->maxListed = LISTED;
    pager->listsCount = 1;
    pager->listsSize = 4 * (MUR_LISTS_BITS(LISTED) + 2);
    pager->lists = scene_give(scene, pager->listsSize).address;
    memset(buffer->mapped, 0, pager->listsSize);
    ((uint32_t *)buffer->mapped)[MUR_LISTS_HOLD] = scene->info->checkpoint;
    paged->keptPages = (uint32_t)((paged->keptBytes - 1) / PAGE + 1);
    paged->ref.pager.pageCount -= paged->keptPages;
    scene->paged->read = true;
    scene->test.content = scene->info->verb == VERB_PAGED_CLEAR ? MUR_PAGES_IN_FILE
                                                                : MUR_PAGES_ZERO;
}

/* What is in the table, and what the command is given besides it. */
static void give_paged_contents(Scene *scene, GpuBuffer *memory) {
    PlanCase *test = &scene->test;
    if (scene->info->verb == VERB_PAGED_CLEAR) {
        return;
    }
    if (!scene->bare) {
        GPU_RUN(scene->gpu, murCmdClearPagedTable(scene->gpu->cmd, scene->paged, MUR_PAGES_ZERO));
    }
    switch (scene->info->verb) {
    case VERB_PAGE_TABLE:
        test->paging = (MurPaging){.frame = PAGER_FRAME,
                                   .maxPages = 5,
                                   .flags = scene->info->checkpoint ? MUR_PAGING_CHECKPOINT : 0,
                                   .stats = scene_give(scene, 4 * MUR_PAGER_STATS_WORDS)};
        test->tablePaging = (MurTablePaging){.paging = test->paging,
                                             .stats = scene_give(scene, 4 * MUR_PAGED_STATS_WORDS)};
        fill_paged(scene, memory);
        break;
    case VERB_PAGED_FLUSH:
        fill_for_batch(scene, memory);
        break;
    case VERB_PAGED_BATCH:
        give_paged_batch(scene, memory);
        break;
    default:
        give_paged_whole(scene, memory);
        break;
    }
}

void scene_give_paged(Scene *scene, MurContext context) {
    const bool full = scene->info->verb == VERB_PAGE_TABLE && scene->info->resident;
    MurPagerCreateInfo pager = {
        .pageCount = full                   ? 1
                     : scene->info->hasFile ? 2 * PAGES
                                            : PAGES,
        .pageSize = PAGE,
        .pageFrameCount = FRAMES,
        .framesInFlight = 1,
        .flags = MUR_PAGER_FORCE,
    };
    MurPagerRequirements needs;
    gpu_require(murGetPagerRequirements(context, &pager, &needs));
    scene_give(scene, needs.size);
    pager.memory = (MurBufferRange){scene->buffers[1].buffer, 0, needs.size};
    GpuBuffer *store = &scene->buffers[scene->memoryCount];
    scene_give(scene, needs.lastChunkSize);
    memset(store->mapped, 0x71, needs.lastChunkSize);
    const MurPagerChunk chunk = {{store->buffer, 0, needs.lastChunkSize}, NULL};
    pager.pChunks = &chunk;
    pager.chunkCount = 1;
    gpu_require(murCreatePager(context, &pager, &scene->pager));
    MurPagedTableCreateInfo info = {
        .pager = scene->pager,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .locality = scene->info->verb == VERB_PAGED_REHASH ? MUR_PAGE_BY_HASH : MUR_PAGE_BY_KEY,
        .shift = 20,
        .maxPending = 800,
    };
    MurPagedTableRequirements paged;
    gpu_require(murGetPagedTableRequirements(context, &info, &paged));
    GpuBuffer *memory = &scene->buffers[scene->memoryCount];
    scene_give(scene, paged.size);
    info.memory = (MurBufferRange){memory->buffer, 0, paged.size};
    gpu_require(murCreatePagedTable(context, &info, &scene->paged));
    PlanCase *test = &scene->test;
    if (scene->info->hasFile) {
        give_kept_pages(scene);
    }
    test->pager = scene->pager->shape;
    test->paged = scene->paged->shape;
    give_paged_contents(scene, memory);
}
