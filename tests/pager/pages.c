/* SPDX-License-Identifier: MIT */
#include "pages.h"

#include <kernels/push.h>

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(pager_visit);

enum { ROOM = 4096, RUBBISH = 0xA5 };

uint32_t *pages_model(const Pages *pages, uint32_t page) {
    return pages->model + (size_t)page * pages->pageWords;
}

static uint32_t *at(const Pages *pages, uint64_t address) {
    return (uint32_t *)((uint8_t *)pages->memory.mapped + (address - pages->memory.address));
}

uint32_t *pages_directory(const Pages *pages) {
    return at(pages, murGetPagerRef(pages->pager, 0).directory);
}

static uint32_t *pages_record(const Pages *pages, uint32_t frame) {
    return at(pages, murGetPagerRef(pages->pager, 0).records) + (size_t)MUR_POOL_WORDS * frame;
}

uint32_t *pages_requests(const Pages *pages) {
    return at(pages, murGetPagerRef(pages->pager, 0).requests);
}

static uint32_t *pages_pool(const Pages *pages, uint32_t frame) {
    return pages->needs.resident
               ? pages_store(pages, frame)
               : at(pages, murGetPagerRef(pages->pager, 0).pool) + (size_t)pages->pageWords * frame;
}

uint32_t *pages_host(const Pages *pages) {
    const uint32_t poolPageCount = murGetPagerRef(pages->pager, 0).poolPageCount;
    return pages_record(pages, (poolPageCount + 15) & ~15u);
}

uint32_t *pages_store(const Pages *pages, uint32_t page) {
    return murGetPagerStorePage(pages->pager, page);
}

static void fill_store(Pages *pages) {
    for (uint32_t page = 0; page < murGetPagerRef(pages->pager, 0).pageCount; ++page) {
        for (uint32_t i = 0; i < pages->pageWords; ++i) {
            pages_store(pages, page)[i] = mur_hash(page, i);
        }
        memcpy(pages_model(pages, page), pages_store(pages, page), 4ull * pages->pageWords);
    }
}

Pages pages_open(Gpu *gpu, MurPagerCreateInfo info, MurPageContent content) {
    info.framesInFlight = info.framesInFlight ? info.framesInFlight : 1;
    Pages pages = {.gpu = gpu,
                   .frame = 1,
                   .pageWords = info.pageSize / 4,
                   .framesInFlight = info.framesInFlight};
    gpu_require(murGetPagerRequirements(gpu->context, &info, &pages.needs));
    pages.memory = gpu_buffer(gpu, pages.needs.size + info.pageSize);
    memset(pages.memory.mapped, RUBBISH, pages.memory.size);
    info.memory = (MurBufferRange){pages.memory.buffer, 0, VK_WHOLE_SIZE};
    MurPagerChunk chunks[PAGES_CHUNKS];
    assert_in_range(pages.needs.chunkCount, 1, PAGES_CHUNKS);
    for (uint32_t i = 0; i < pages.needs.chunkCount; ++i) {
        const bool last = i + 1 == pages.needs.chunkCount;
        const VkDeviceSize size = last ? pages.needs.lastChunkSize : pages.needs.chunkSize;
        pages.chunks[i] = gpu_buffer(gpu, size + info.pageSize);
        memset(pages.chunks[i].mapped, RUBBISH, pages.chunks[i].size);
        chunks[i] = (MurPagerChunk){{pages.chunks[i].buffer, 0, size}, pages.chunks[i].mapped};
    }
    info.pChunks = chunks;
    info.chunkCount = pages.needs.chunkCount;
    gpu_require(murCreatePager(gpu->context, &info, &pages.pager));
    assert_null(murGetPagerStorePage(pages.pager, info.pageCount));
    pages.items = gpu_buffer(gpu, ROOM * sizeof(VisitItem));
    pages.answers = gpu_buffer(gpu, 4ull * ROOM * VISIT_ANSWER);
    pages.stats = gpu_buffer(gpu, sizeof(MurPagerStats));
    pages.list = gpu_buffer(gpu, 4 * (1 + ROOM));
    pages.visit = gpu_kernel(gpu, pager_visit, pager_visit_size, sizeof(VisitPush), 0);
    pages.model = calloc(info.pageCount, info.pageSize);
    pages.notes = calloc(info.pageCount, sizeof *pages.notes);
    assert_true(pages.model && pages.notes);
    pages.counted.resident = pages.needs.resident ? info.pageCount : 0;
    if (content == MUR_PAGES_IN_STORE) {
        fill_store(&pages);
    }
    GPU_RUN(gpu, murCmdClearPager(gpu->cmd, pages.pager, content));
    return pages;
}

/* Requires that the guard page after a buffer is unchanged. */
static void require_margin(const GpuBuffer *buffer, uint64_t size) {
    const uint8_t *bytes = buffer->mapped;
    for (uint64_t i = size; i < buffer->size; ++i) {
        assert_int_equal(bytes[i], RUBBISH);
    }
}

void pages_close(Pages *pages) {
    require_margin(&pages->memory, pages->needs.size);
    for (uint32_t i = 0; i < pages->needs.chunkCount; ++i) {
        const bool last = i + 1 == pages->needs.chunkCount;
        require_margin(&pages->chunks[i],
                       last ? pages->needs.lastChunkSize : pages->needs.chunkSize);
        gpu_free(pages->gpu, &pages->chunks[i]);
    }
    murDestroyPager(pages->pager);
    gpu_free(pages->gpu, &pages->memory);
    gpu_free(pages->gpu, &pages->items);
    gpu_free(pages->gpu, &pages->answers);
    gpu_free(pages->gpu, &pages->stats);
    gpu_free(pages->gpu, &pages->list);
    free(pages->model);
    free(pages->notes);
}

static void require_page(const Pages *pages, const char *where, uint32_t page,
                         const uint32_t *words) {
    const uint32_t *model = pages_model(pages, page);
    for (uint32_t i = 0; i < pages->pageWords; ++i) {
        if (words[i] != model[i]) {
            fail_msg("page %u in the %s: word %u is 0x%x instead of 0x%x", page, where, i, words[i],
                     model[i]);
        }
    }
}

static bool is_zero(const uint32_t *words, uint32_t count) {
    bool zero = true;
    for (uint32_t i = 0; i < count; ++i) {
        zero &= words[i] == 0;
    }
    return zero;
}

static void check_page(const Pages *pages, uint32_t page) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    const uint32_t word = pages_directory(pages)[page], frame = word & MUR_PAGE_POOL_PAGE;
    const bool resident = (word & MUR_PAGE_RESIDENT) != 0;
    assert_int_equal((word & MUR_PAGE_PINNED) != 0, pages->notes[page].pinned);
    uint32_t state = 0;
    if (resident) {
        assert_true(frame < ref.poolPageCount);
        assert_int_equal(pages_record(pages, frame)[MUR_POOL_PAGE], page);
        state = pages_record(pages, frame)[MUR_POOL_STATE];
        assert_int_equal((state & MUR_POOL_PINNED) != 0, pages->notes[page].pinned);
        assert_int_equal((state & MUR_POOL_HELD) != 0, (word & MUR_PAGE_HELD) != 0);
        require_page(pages, "pool", page, pages_pool(pages, frame));
    }
    if (word & MUR_PAGE_ZERO) {
        assert_true(state & MUR_POOL_DIRTY || is_zero(pages_model(pages, page), pages->pageWords));
    } else if (!(state & MUR_POOL_DIRTY) && !(word & MUR_PAGE_IN_FILE)) {
        require_page(pages, "store", page, pages_store(pages, page));
    }
}

/* Requires that each host page has at most one page, and each page that needs a host page has one:
 * resident pages, and those whose content is not in the file. The pager's counts must be right. */
static void check_host_pages(const Pages *pages) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    const uint32_t *host = pages_host(pages), *owners = host + MUR_HOST_OWNERS;
    const uint32_t *list = owners + ref.hostPageCount, *map = list + ref.hostPageCount;
    uint32_t owned = 0, changed = 0, reading = 0;
    for (uint32_t page = 0; page < ref.pageCount; ++page) {
        const uint32_t word = pages_directory(pages)[page];
        if (map[page] < ref.hostPageCount) {
            assert_int_equal(owners[map[page]] & ~MUR_HOST_USED, page);
            assert_ptr_equal(pages_store(pages, page), murGetPagerStorePage(pages->pager, page));
            ++owned;
            reading += (word & MUR_PAGE_IN_FILE) != 0;
        } else {
            assert_false(word & (MUR_PAGE_RESIDENT | MUR_PAGE_CHANGED | MUR_PAGE_HELD));
            assert_true(word & (MUR_PAGE_IN_FILE | MUR_PAGE_ZERO));
            assert_null(murGetPagerStorePage(pages->pager, page));
        }
        changed += (word & (MUR_PAGE_CHANGED | MUR_PAGE_HELD)) != 0;
    }
    for (uint32_t i = 0; i < host[MUR_HOST_FREE]; ++i) {
        assert_int_equal(owners[list[i]], MUR_HOST_NONE);
    }
    assert_int_equal(owned + host[MUR_HOST_FREE], ref.hostPageCount);
    assert_int_equal(host[MUR_HOST_CHANGED], changed);
    assert_int_equal(host[MUR_HOST_READING], reading);
}

void pages_check(const Pages *pages) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    uint32_t resident = 0, holding = 0;
    for (uint32_t page = 0; page < ref.pageCount; ++page) {
        check_page(pages, page);
        resident += (pages_directory(pages)[page] & MUR_PAGE_RESIDENT) != 0;
    }
    for (uint32_t frame = 0; frame < ref.poolPageCount; ++frame) {
        holding += pages_record(pages, frame)[MUR_POOL_PAGE] != MUR_NO_PAGE;
    }
    assert_int_equal(resident, holding);
    if (ref.hostPageCount) {
        check_host_pages(pages);
    }
}

/* Requires that the pool page records have the last use and the dirty flag of the model. */
static void check_records(const Pages *pages) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    for (uint32_t frame = 0; frame < ref.poolPageCount; ++frame) {
        const uint32_t *record = pages_record(pages, frame), page = record[MUR_POOL_PAGE];
        if (page != MUR_NO_PAGE) {
            assert_int_equal(record[MUR_POOL_USED], pages->notes[page].used);
            assert_int_equal(record[MUR_POOL_STATE] & MUR_POOL_DIRTY, pages->notes[page].dirty);
        }
    }
}

static void note_use(Pages *pages, uint32_t page) {
    PageNote *note = &pages->notes[page];
    note->hit = note->hit || note->used != pages->frame; /* a new page has frame number 0 */
    note->used = pages->frame;
}

void pages_add(Pages *pages, VisitItem item) {
    assert_true(pages->itemCount < ROOM);
    ((VisitItem *)pages->items.mapped)[pages->itemCount++] = item;
}

bool pages_apply(Pages *pages, const VisitItem *item, uint32_t value) {
    uint32_t *words = pages_model(pages, item->page), at = item->word % pages->pageWords;
    uint32_t sum = item->value;
    switch (item->verb) {
    case VISIT_STORE:
        words[at] = item->value;
        return true;
    case VISIT_STORE_QUAD:
        for (uint32_t i = 0; i < 4; ++i) {
            words[at / 4 * 4 + i] = item->value + i;
        }
        return true;
    case VISIT_SUM:
        for (uint32_t i = 0; i < pages->pageWords; ++i) {
            sum = 31 * sum + words[i];
        }
        return value == sum;
    default:
        return value == words[at];
    }
}

static void check_answer(Pages *pages, uint32_t i, uint32_t word) {
    const VisitItem *item = &((VisitItem *)pages->items.mapped)[i];
    const uint32_t *answer = (uint32_t *)pages->answers.mapped + (size_t)VISIT_ANSWER * i;
    if (!(word & MUR_PAGE_RESIDENT)) {
        assert_int_equal(answer[0], MUR_NO_POOL_PAGE);
        return;
    }
    assert_int_equal(answer[0], word & MUR_PAGE_POOL_PAGE);
    if (item->verb != VISIT_PEEK) {
        note_use(pages, item->page);
    }
    assert_true(pages_apply(pages, item, answer[1]));
    pages->notes[item->page].dirty |= item->verb == VISIT_STORE || item->verb == VISIT_STORE_QUAD;
}

/* Checks the list of requested pages. wanted: for each page 0, or 1 + the highest priority of its
 * requests. before: the directory before murCmdUpdatePager. */
static void check_requests(const Pages *pages, const uint32_t *wanted, const uint32_t *before) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    const uint32_t *requests = pages_requests(pages);
    const uint32_t listed = requests[0] < ref.maxRequests ? requests[0] : ref.maxRequests;
    uint32_t asked = 0, marked = 0;
    for (uint32_t page = 0; page < ref.pageCount; ++page) {
        const uint32_t word = pages_directory(pages)[page];
        asked += wanted[page] != 0;
        marked += !(word & MUR_PAGE_RESIDENT) && (word & MUR_PAGE_REQUESTED);
        if (word & MUR_PAGE_RESIDENT || !wanted[page]) {
            assert_int_equal(word, before[page]);
        }
    }
    assert_int_equal(listed, asked < ref.maxRequests ? asked : ref.maxRequests);
    assert_int_equal(marked, listed);
    for (uint32_t i = 0; i < listed; ++i) {
        const uint32_t page = requests[MUR_REQUESTS_LIST + i];
        assert_true(page < ref.pageCount && wanted[page]);
        const uint32_t word = pages_directory(pages)[page];
        assert_int_equal(word & (MUR_PAGE_REQUESTED | MUR_PAGE_PRIORITY),
                         MUR_PAGE_REQUESTED | (wanted[page] - 1));
        for (uint32_t j = 0; j < i; ++j) {
            assert_int_not_equal(requests[MUR_REQUESTS_LIST + j], page);
        }
    }
}

/* Returns a pager whose memory is a copy of this pager's memory. The caller frees the copy. */
static Pages look(const Pages *pages) {
    Pages before = *pages;
    before.memory.mapped = test_allocate(pages->needs.size);
    memcpy(before.memory.mapped, pages->memory.mapped, pages->needs.size);
    return before;
}

static void forget(Pages *before) {
    free(before->memory.mapped);
}

/* Returns for each page 0, or 1 + its pending request's priority. The caller frees the array. */
static uint32_t *begin_requests(const Pages *before) {
    const uint32_t last = murGetPagerRef(before->pager, 0).pageCount;
    uint32_t *wanted = test_allocate(4ull * last);
    for (uint32_t i = 0; i < last; ++i) {
        const uint32_t word = pages_directory(before)[i];
        const bool asked = !(word & MUR_PAGE_RESIDENT) && (word & MUR_PAGE_REQUESTED);
        wanted[i] = asked ? (word & MUR_PAGE_PRIORITY) + 1 : 0;
    }
    return wanted;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Adds a request to the expected requests (wanted). before: the directory before the requests. */
static void want(uint32_t *wanted, const uint32_t *before, uint32_t page, uint32_t priority) {
    if (!(before[page] & MUR_PAGE_RESIDENT) && wanted[page] <= priority) {
        wanted[page] = priority + 1;
    }
}

void pages_visit(Pages *pages) {
    Gpu *gpu = pages->gpu;
    const uint32_t count = pages->itemCount;
    const VisitPush push = {.pager = murGetPagerRef(pages->pager, pages->frame),
                            .items = pages->items.address,
                            .answers = pages->answers.address,
                            .count = count};
    Pages was = look(pages);
    const uint32_t *before = pages_directory(&was);
    uint32_t *wanted = begin_requests(&was);
    memset(pages->answers.mapped, RUBBISH, pages->answers.size);
    gpu_begin(gpu);
    gpu_dispatch(gpu, &pages->visit, &push, (count + 63) / 64);
    gpu_submit(gpu);
    for (uint32_t i = 0; i < count; ++i) {
        const VisitItem *item = &((VisitItem *)pages->items.mapped)[i];
        const bool inside = item->page < push.pager.pageCount;
        check_answer(pages, i, inside ? before[item->page] : 0);
        if (inside && item->verb != VISIT_PEEK) {
            want(wanted, before, item->page, smaller(item->priority, MUR_PAGE_PRIORITY));
        }
    }
    check_requests(pages, wanted, before);
    pages->itemCount = 0;
    free(wanted);
    forget(&was);
    check_records(pages);
    pages_check(pages);
}

/* Writes a list to GPU memory. Its array is twice as long as its count. */
static MurPageList put_list(Pages *pages, uint32_t count, const uint32_t *list) {
    uint32_t *words = pages->list.mapped;
    assert_true(2 * count <= ROOM);
    words[0] = count;
    for (uint32_t i = 0; i < 2 * count; ++i) {
        words[1 + i] = i < count ? list[i] : 0;
    }
    return (MurPageList){.maxCount = 2 * count,
                         .countAddress = pages->list.address,
                         .pages = gpu_part(&pages->list, 1, 2ull * count)};
}

void pages_request(Pages *pages, uint32_t count, const uint32_t *list, uint32_t priority) {
    const MurPageList given = put_list(pages, count, list);
    const uint32_t last = murGetPagerRef(pages->pager, 0).pageCount;
    Pages was = look(pages);
    const uint32_t *before = pages_directory(&was);
    uint32_t *wanted = begin_requests(&was);
    GPU_RUN(pages->gpu,
            murCmdRequestPages(pages->gpu->cmd, pages->pager, &given, priority, pages->frame));
    for (uint32_t i = 0; i < count; ++i) {
        const bool inside = list[i] < last;
        if (inside && before[list[i]] & MUR_PAGE_RESIDENT) {
            note_use(pages, list[i]);
        } else if (inside) {
            want(wanted, before, list[i], priority);
        }
    }
    check_requests(pages, wanted, before);
    free(wanted);
    forget(&was);
    check_records(pages);
}

void pages_pin(Pages *pages, uint32_t count, const uint32_t *list, bool pinned) {
    const MurPageList given = put_list(pages, count, list);
    GPU_RUN(pages->gpu,
            (pinned ? murCmdPinPages : murCmdUnpinPages)(pages->gpu->cmd, pages->pager, &given));
    for (uint32_t i = 0; i < count; ++i) {
        if (list[i] < murGetPagerRef(pages->pager, 0).pageCount) {
            pages->notes[list[i]].pinned = pinned;
        }
    }
    pages_check(pages);
}

static bool is_victim(const Pages *pages, uint32_t page) {
    return page == MUR_NO_PAGE ||
           (pages->frame - pages->notes[page].used >= pages->framesInFlight &&
            !pages->notes[page].pinned);
}

/* Returns the age of a page in frames. A free pool page is older than every page. */
static uint32_t age_of(const Pages *pages, uint32_t page) {
    return page == MUR_NO_PAGE ? 1023 : smaller(pages->frame - pages->notes[page].used, 1022);
}

/* Fails if a page was evicted although an older page could have been evicted. Counts evictions. */
static void check_victims(Pages *pages, const Pages *before, uint32_t served) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    uint32_t youngest = UINT32_MAX, oldest = 0, changed = 0;
    for (uint32_t i = 0; i < ref.poolPageCount; ++i) {
        const uint32_t old = pages_record(before, i)[MUR_POOL_PAGE];
        const uint32_t age = age_of(pages, old);
        if (pages_record(pages, i)[MUR_POOL_PAGE] == old) {
            oldest = is_victim(pages, old) && age > oldest ? age : oldest;
            continue;
        }
        assert_true(is_victim(pages, old));
        youngest = smaller(age, youngest);
        ++changed;
        pages->counted.evictions += old != MUR_NO_PAGE;
        pages->counted.resident += old == MUR_NO_PAGE;
    }
    assert_int_equal(changed, served);
    assert_true(oldest <= youngest);
}

static void check_served(const Pages *pages, const Pages *before, uint32_t asked, uint32_t served) {
    uint32_t lowest = UINT32_MAX, highest = 0, came = 0;
    for (uint32_t i = 0; i < asked; ++i) {
        const uint32_t page = pages_requests(before)[MUR_REQUESTS_LIST + i];
        const uint32_t priority = pages_directory(before)[page] & MUR_PAGE_PRIORITY;
        const uint32_t word = pages_directory(pages)[page];
        if (word & MUR_PAGE_RESIDENT) {
            ++came;
            lowest = priority < lowest ? priority : lowest;
        } else {
            highest = priority > highest ? priority : highest;
            assert_int_equal(word & (MUR_PAGE_REQUESTED | MUR_PAGE_POOL_PAGE), 0);
        }
    }
    assert_int_equal(came, served);
    assert_true(served == 0 || highest <= lowest);
}

/* Updates the model after murCmdUpdatePager: loaded pages are clean, and their last use is this
 * frame; evicted pages are clean. Counts hits and written pages. */
static void note_pages(Pages *pages, const Pages *before) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    pages->counted.dirty = 0;
    for (uint32_t page = 0; page < ref.pageCount; ++page) {
        PageNote *note = &pages->notes[page];
        const bool was = (pages_directory(before)[page] & MUR_PAGE_RESIDENT) != 0;
        const bool is = (pages_directory(pages)[page] & MUR_PAGE_RESIDENT) != 0;
        pages->counted.hits += note->hit;
        pages->counted.out += was && !is && note->dirty;
        note->hit = false;
        note->dirty = is && was && note->dirty;
        note->used = is && !was ? pages->frame : note->used;
        pages->counted.dirty += note->dirty;
    }
}

static void record_page(Pages *pages, uint32_t maxPages) {
    Gpu *gpu = pages->gpu;
    memset(pages->stats.mapped, RUBBISH, pages->stats.size);
    GPU_RUN(gpu, murCmdUpdatePager(gpu->cmd, pages->pager,
                                   &(MurPagerUpdate){.frame = pages->frame,
                                                     .maxPages = maxPages,
                                                     .stats = gpu_array(&pages->stats)}));
}

void pages_page(Pages *pages, uint32_t maxPages) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    Pages before = look(pages);
    const uint32_t asked = smaller(pages_requests(&before)[0], ref.maxRequests);
    uint32_t free = 0;
    for (uint32_t i = 0; i < ref.poolPageCount; ++i) {
        free += is_victim(pages, pages_record(&before, i)[MUR_POOL_PAGE]);
    }
    const uint32_t wanted = smaller(asked, maxPages), served = smaller(wanted, free);
    record_page(pages, maxPages);
    check_victims(pages, &before, served);
    check_served(pages, &before, asked, served);
    pages->counted.misses += asked;
    pages->counted.in += served;
    pages->counted.rejected += wanted - served;
    pages->counted.deferred += asked - wanted;
    pages->counted.overflow += pages_requests(&before)[0] - asked;
    note_pages(pages, &before);
    assert_memory_equal(pages->stats.mapped, &pages->counted, sizeof pages->counted);
    assert_int_equal(pages_requests(pages)[0], 0);
    forget(&before);
    check_records(pages);
    pages_check(pages);
    ++pages->frame;
}

void pages_flush(Pages *pages, MurFlushFlags flags) {
    const MurPagerRef ref = murGetPagerRef(pages->pager, 0);
    uint32_t left = 0;
    GPU_RUN(pages->gpu, murCmdFlushPager(pages->gpu->cmd, pages->pager, flags));
    for (uint32_t page = 0; page < ref.pageCount && !pages->needs.resident; ++page) {
        const bool is = (pages_directory(pages)[page] & MUR_PAGE_RESIDENT) != 0;
        const bool stays = !(flags & MUR_FLUSH_EVICT) || pages->notes[page].pinned;
        assert_true(stays || !is);
        pages->notes[page].dirty = false;
        pages->notes[page].hit = pages->notes[page].hit && is;
        left += is;
    }
    pages->counted.resident = pages->needs.resident ? ref.pageCount : left;
    check_records(pages);
    pages_check(pages);
}
