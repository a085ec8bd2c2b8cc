/* Paged tables against a table without pages: random frames of all operations, with
 * murCmdUpdatePagedTable between frames. Every result is compared. After a drain, the content of
 * all pages is compared, too.
 * SPDX-License-Identifier: MIT */
#include "paged.h"

#include "support/seed.h"

#include <string.h>

/* Returns options for a pool of this size. This program tests one table type, so that its cases
 * share pipelines; paged_model_test has the other types. */
static PagedOptions options_of(uint32_t poolPageCount) {
    return (PagedOptions){
        .info = {.type = murTypeK64V32(), .seed = 0x51DE, .partitionShift = 12, .maxPending = 1024},
        .pageCount = 64,
        .pageSize = 4096,
        .poolPageCount = poolPageCount,
        .framesInFlight = 2,
        .keyCount = 3000,
        .partitionKeys = 700,
    };
}

/* Returns options for one partition. first: initial number of pages. last: maximum. */
static PagedOptions options_by_hash(uint32_t pageFrames, uint32_t first, uint32_t last) {
    PagedOptions options = options_of(pageFrames);
    options.info.locality = MUR_PAGE_BY_HASH;
    options.info.basePages = first;
    options.partitionKeys = 0;
    options.pageCount = last;
    return options;
}

/* Runs frames of at most `items` items, and murCmdUpdatePagedTable after most of them. Finally
 * applies all pending writes and checks all entries. */
static void random_frames_on(Gpu *gpu, const PagedOptions *options, Random *random, uint32_t frames,
                             uint32_t items) {
    Paged paged = paged_open(gpu, options);
    for (uint32_t i = 0; i < frames; ++i) {
        paged_random_frame(&paged, random, items, 6);
        if (random_below(random, 8)) {
            paged_page(&paged, random_below(random, 4) ? UINT32_MAX : random_below(random, 5));
        }
    }
    paged_drain(&paged);
    paged_extract(&paged, 1 + random_below(random, options->pageCount));
    paged_check(&paged);
    paged_close(&paged);
}

/* Pools of one, two, some, and all pages. Keys select the partition. */
GPU_TEST(pools) {
    Random random = {test_seed(0x7AB1E)};
    static const uint32_t frames[] = {1, 2, 7, 64};
    for (uint32_t i = 0; i < 4; ++i) {
        PagedOptions options = options_of(frames[i]);
        options.info.emptyValue = (MurEmptyValue)(i % 2);
        options.info.partitionShift = i == 3 ? 30 : 12; /* 30: bits of both words of the key */
        random_frames_on(gpu, &options, &random, test_full() ? 20 : 10, 400);
    }
}

/* Partitions are chosen by name; by hash, with one and with several initial pages; by hash, with
 * all pages resident; and by bits of the key's high word. */
GPU_TEST(localities) {
    Random random = {test_seed(0x10CA1)};
    for (uint32_t i = 0; i < 5; ++i) {
        PagedOptions options = options_of(5);
        options.partitionKeys = i == 4 ? 400 : 0;
        options.info.partitionShift = i == 4 ? 38 : 0;
        options.info.partitionMask = 3;
        options.info.locality = i == 0   ? MUR_PAGE_BY_PARTITION
                                : i == 4 ? MUR_PAGE_BY_KEY
                                         : MUR_PAGE_BY_HASH;
        options.info.basePages = i == 2 ? 5 : 0;
        options.stays = i == 3;
        options.pageSize <<= i == 2;
        random_frames_on(gpu, &options, &random, 15, 400);
    }
}

/* Applies all pending writes, and checks that all entries are in the pages. */
static void finish(Paged *paged) {
    paged_drain(paged);
    paged_check(paged);
    paged_close(paged);
}

/* Adds an item with this verb (operation) for each of `count` keys. Values are random. */
static void add_keys(Paged *paged, Random *random, uint32_t first, uint32_t count, uint32_t verb) {
    for (uint32_t i = 0; i < count; ++i) {
        paged_add(paged, first + i, verb, paged_random_value(paged, random));
    }
}

static void insert_keys(Paged *paged, Random *random, uint32_t first, uint32_t count) {
    add_keys(paged, random, first, count, MUR_MODE_ASSIGN);
    paged_run(paged);
}

/* A full log rejects and counts writes, and keeps its content. */
GPU_TEST(full_log_rejects_and_keeps_its_content) {
    Random random = {test_seed(0xF011)};
    PagedOptions options = options_of(2);
    options.info.maxPending = 100;
    Paged paged = paged_open(gpu, &options);
    const MurPagedRef ref = murGetPagedTableRef(paged.table, 0);
    ((uint32_t *)paged.memory.mapped)[(ref.state - ref.partitions) / 4 + MUR_PAGED_REJECTED] =
        UINT32_MAX;
    paged.refused = UINT32_MAX; /* a start value: the count must exceed 32 bits */
    insert_keys(&paged, &random, 0, 300);
    assert_int_equal(paged.noted, 100);
    assert_int_equal(paged.refused - UINT32_MAX, 200);
    paged_page(&paged, 0); /* the update may load no page, so the log stays full */
    assert_int_equal(paged.pending, 100);
    insert_keys(&paged, &random, 300, 50);
    assert_int_equal(paged.refused - UINT32_MAX, 250);
    finish(&paged);
}

/* Looks a key up until the key's page is resident. */
static void bring_in(Paged *paged, uint32_t key) {
    for (uint32_t i = 0; i < 4; ++i) {
        paged_add(paged, key, CALL_FIND, 0);
        paged_run(paged);
        paged_page(paged, UINT32_MAX);
    }
}

/* A write to a resident page changes the page directly and is not logged. The changed page must
 * reach the store. */
GPU_TEST(write_in_place_reaches_the_store) {
    static const uint32_t modes[] = {MUR_MODE_ASSIGN, MUR_MODE_UPDATE, MUR_MODE_ADD,
                                     MUR_MODE_MAX,    MUR_MODE_OR,     MUR_MODE_MIN};
    for (uint32_t i = 0; i < 6; ++i) {
        PagedOptions options = options_of(1);
        const bool least = modes[i] == MUR_MODE_MIN;
        options.info.emptyValue = least ? MUR_EMPTY_VALUE_MAX : MUR_EMPTY_VALUE_ZERO;
        Paged paged = paged_open(gpu, &options);
        const uint32_t key = 0, other = 2 * options.partitionKeys;
        paged_add(&paged, key, MUR_MODE_ASSIGN, 8);
        paged_add(&paged, other, MUR_MODE_ASSIGN, 8);
        paged_run(&paged);
        paged_drain(&paged);
        bring_in(&paged, other);
        bring_in(&paged, key);
        const uint64_t noted = paged.noted;
        paged_add(&paged, key, modes[i], least ? 5 : 21);
        paged_run(&paged);
        assert_int_equal(paged.noted, noted);
        bring_in(&paged, other);
        const uint64_t misses = ((MurPagerStats *)paged.pagerStats.mapped)->misses;
        paged_add(&paged, key, CALL_PEEK, 0); /* unlike a find, a peek does not request the page */
        paged_run(&paged);
        paged_page(&paged, UINT32_MAX);
        assert_int_equal(((MurPagerStats *)paged.pagerStats.mapped)->misses, misses);
        paged_check(&paged);
        paged_close(&paged);
    }
}

/* Updates and erases of keys without a page report MUR_ABSENT immediately, and create no page. */
GPU_TEST(missing_pages_report_absent) {
    enum { SOME = 50 };
    static const uint32_t verbs[] = {MUR_MODE_UPDATE, MUR_PAGED_ERASE};
    PagedOptions options = options_of(1);
    Paged paged = paged_open(gpu, &options);
    for (uint32_t i = 0; i < 4; ++i) {
        paged_add_keys(&paged, 0, SOME, verbs[i % 2], 1);
        if (i < 2) {
            paged_run(&paged);
        } else {
            paged_run_bulk(&paged, verbs[i % 2], 1);
        }
    }
    for (uint32_t key = 0; key < SOME; ++key) {
        paged_add(&paged, key, MUR_MODE_ASSIGN, paged.none); /* an invalid value creates no page */
    }
    paged_run_bulk(&paged, MUR_MODE_ASSIGN, 1);
    assert_int_equal(paged.answered, 5 * SOME);
    paged_page(&paged, 0);
    paged_close(&paged);
}

/* The store of a page that was allocated but never written contains bytes of an older table, which
 * an extract must not return. */
GPU_TEST(extract_skips_pages_that_were_never_written) {
    Random random = {test_seed(0x01D7)};
    PagedOptions options = options_of(64);
    Paged paged = paged_open(gpu, &options);
    insert_keys(&paged, &random, 0, 1000);
    paged_drain(&paged);
    paged_check(&paged); /* all entries are in the store */
    paged_clear(&paged, MUR_PAGES_ZERO);
    insert_keys(&paged, &random, 0, 1000);
    paged_page(&paged, 0);
    assert_true(paged_stats(&paged)->pages != 0);
    assert_int_equal(paged_count(&paged, 1), 0);
    finish(&paged);
}

/* Without free page numbers or directory entries, pages become full and writes stay pending. */
static void fill(Gpu *gpu, uint32_t pageCount, uint32_t maxLeaves, uint32_t pages) {
    enum { SOME = 1500 };
    Random random = {test_seed(0x0FA6E)};
    PagedOptions options = options_of(pages);
    options.pageCount = pageCount;
    options.info.maxLeaves = maxLeaves;
    options.info.locality = MUR_PAGE_BY_HASH;
    options.partitionKeys = 0;
    options.info.maxPending = 2000;
    Paged paged = paged_open(gpu, &options);
    insert_keys(&paged, &random, 0, SOME);
    for (uint32_t i = 0; i < 20; ++i) {
        paged_page(&paged, UINT32_MAX);
    }
    const uint32_t slots = murGetPagedTableRef(paged.table, 0).slotCount;
    assert_int_equal(paged_stats(&paged)->pages, pages);
    assert_in_range(paged_stats(&paged)->applied, pages * slots, pages * slots + 2); /* sentinels */
    assert_int_equal(paged_stats(&paged)->stuck, paged.pending);
    assert_int_equal(paged_stats(&paged)->applied + paged.pending, SOME);
    /* A find of a key with a pending write reports "not resident", never "absent". */
    paged_add_keys(&paged, 0, SOME, CALL_FIND, 0);
    paged_run(&paged);
    assert_true(paged.notResident >= paged.pending);
    paged_close(&paged);
}

GPU_TEST(writes_without_free_pages_stay_pending) {
    fill(gpu, 3, 0, 3);
}

GPU_TEST(writes_without_free_directory_entries_stay_pending) {
    fill(gpu, 64, 8, 4);
}

/* Full pages contain keys that are further from home than the probe limit for new keys. */
GPU_TEST(keys_far_from_home_are_written_in_place) {
    Random random = {test_seed(0xFA4)};
    PagedOptions options = options_of(4);
    options.pageCount = options.info.basePages = 4;
    options.info.locality = MUR_PAGE_BY_HASH;
    options.info.probeLimit = 16;
    options.info.maxPending = 2000;
    options.partitionKeys = 0;
    Paged paged = paged_open(gpu, &options);
    insert_keys(&paged, &random, 0, 840);
    paged_drain(&paged);
    const uint64_t noted = paged.noted;
    insert_keys(&paged, &random, 0, 840);
    assert_int_equal(paged.noted, noted);
    finish(&paged);
}

/* Inserts and erases keys in turn. The page would split only if erased keys kept their slots. */
GPU_TEST(erased_keys_free_slots_of_a_page) {
    enum { SOME = 100 };
    Random random = {test_seed(0xE4A5)};
    PagedOptions options = options_of(2);
    options.partitionKeys = options.keyCount;
    Paged paged = paged_open(gpu, &options);
    for (uint32_t first = 0; first < options.keyCount; first += SOME) {
        insert_keys(&paged, &random, first, SOME);
        paged_drain(&paged);
        paged_add_keys(&paged, first, SOME, MUR_PAGED_ERASE, 0);
        paged_run(&paged);
        paged_drain(&paged);
    }
    assert_int_equal(paged_stats(&paged)->pages, paged.partitionCount); /* no page was split */
    finish(&paged);
}

/* Loads pages that belong to no partition. */
static void request_pages(Paged *paged, uint32_t count) {
    Gpu *gpu = paged->gpu;
    uint32_t *numbers = paged->batch.mapped;
    for (uint32_t i = 0; i < count; ++i) {
        numbers[i] = i;
    }
    const MurPageList pages = {.maxCount = count, .pages = gpu_part(&paged->batch, 0, count)};
    GPU_RUN(gpu, murCmdRequestPages(gpu->cmd, paged->pager, &pages, 1, paged->frame));
    paged_page(paged, UINT32_MAX);
}

/* One page splits repeatedly. Lookups in its new pages return a result immediately if no write is
 * pending. Some of the new pages are resident before a partition uses them. */
GPU_TEST(one_large_partition) {
    Random random = {test_seed(0x1A56E)};
    PagedOptions options = options_of(64);
    options.partitionKeys = options.keyCount;
    options.info.maxPending = options.keyCount;
    Paged paged = paged_open(gpu, &options);
    request_pages(&paged, options.pageCount / 2);
    insert_keys(&paged, &random, 0, options.keyCount);
    paged_drain(&paged);
    paged_check(&paged);
    paged_check_finds(&paged);
    paged_close(&paged);
}

/* All pages are full at the same time. A call can split only some of them. The others wait with
 * their log entries, and must not be split in part, because both halves would wait forever. */
GPU_TEST(full_pages_wait_for_later_splits) {
    enum { BASE = MUR_PAGE_SPLITS + 4 };
    Random random = {test_seed(0x17F0)};
    PagedOptions options = options_by_hash(BASE, BASE, 8 * BASE);
    options.info.maxPending = options.keyCount = 300 * BASE;
    Paged paged = paged_open(gpu, &options);
    insert_keys(&paged, &random, 0, options.keyCount);
    paged_page(&paged, UINT32_MAX);
    uint32_t left;
    const uint32_t pages = BASE + MUR_PAGE_SPLITS;
    assert_int_equal(paged_stats(&paged)->pages, pages);
    assert_int_equal(paged_rehash(&paged, 3, &left), 2 * MUR_PAGE_SPLITS);
    assert_int_equal(left, BASE - MUR_PAGE_SPLITS);
    paged_drain(&paged);
    assert_true(paged_rehash(&paged, 3, &left) >= pages + 2 * MUR_PAGE_SPLITS);
    assert_int_equal(left, 0);
    paged_check_finds(&paged);
    finish(&paged);
}

/* A page with logged writes does not split. Its halves could be resident immediately, and new
 * writes could reach them before older writes of the log. */
GPU_TEST(pages_that_have_logged_writes_do_not_split) {
    Random random = {test_seed(0x10C)};
    const PagedOptions options = options_by_hash(2, 13, 60);
    Paged paged = paged_open(gpu, &options);
    add_keys(&paged, &random, 1000, 900, MUR_MODE_ASSIGN);
    paged_build(&paged, MUR_MODE_ASSIGN, 3);
    insert_keys(&paged, &random, 0, 500);
    for (uint32_t i = 0, left; i < 2; ++i) {
        assert_int_equal(paged_rehash(&paged, 3, &left), 0);
        assert_int_equal(left, 13);
        paged_page(&paged, 0); /* the update may load no page */
        assert_int_equal(paged.pending, 500);
    }
    finish(&paged);
}

/* A build replaces previous entries, the log and directory entries. Then each rehash doubles the
 * number of pages, until no page numbers are left. No entry is lost. */
GPU_TEST(builds_and_rehashes) {
    Random random = {test_seed(0xB111D)};
    PagedOptions options = options_by_hash(2, 13, 60);
    options.chunkPages = 16;
    Paged paged = paged_open(gpu, &options);
    insert_keys(&paged, &random, 0, 500); /* these inserts stay pending */
    add_keys(&paged, &random, 1000, 900, MUR_MODE_ASSIGN);
    paged_build(&paged, MUR_MODE_ASSIGN, 3);
    assert_int_equal(paged.pending, 0);
    paged_extract(&paged, 7);
    uint32_t pages = 13, left;
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t most = 60 - pages;
        const uint32_t split = paged_rehash(&paged, 1 + 2 * i, &left);
        assert_int_equal(split, pages < most ? pages : most);
        assert_int_equal(left, pages - split);
        pages += split;
        add_keys(&paged, &random, 0, 3000, CALL_FIND);
        paged_run_bulk(&paged, CALL_FIND, 4);
        add_keys(&paged, &random, 1000 + 100 * i, 50, MUR_PAGED_ERASE);
        paged_run_bulk(&paged, MUR_PAGED_ERASE, 2);
        paged_extract(&paged, 60);
    }
    assert_int_equal(paged.notResident + paged.noted, 0); /* all writes are applied immediately */
    uint32_t odd = 0;
    for (uint32_t i = 0; i < options.keyCount; ++i) {
        odd += paged.keys[i].present && paged.keys[i].value & 1;
    }
    assert_int_equal(paged_count(&paged, 1), odd);
    add_keys(&paged, &random, 0, 2000, MUR_MODE_INSERT);
    paged_build(&paged, MUR_MODE_INSERT, 1);
    paged_drain(&paged);
    assert_int_equal(paged_stats(&paged)->pages, 13);
    paged_extract(&paged, 13);
    finish(&paged);
}

GPU_TEST(rehash_of_one_page_splits_it) {
    Random random = {test_seed(0x1)};
    const PagedOptions options = options_by_hash(2, 1, 60);
    Paged paged = paged_open(gpu, &options);
    add_keys(&paged, &random, 0, 100, MUR_MODE_ASSIGN);
    paged_build(&paged, MUR_MODE_ASSIGN, 3);
    uint32_t left;
    assert_int_equal(paged_rehash(&paged, 3, &left), 1);
    assert_int_equal(left, 0);
    paged_extract(&paged, 7);
    finish(&paged);
}

/* The batches have more keys of one partition than fit into the log and the pages. Rejected items
 * are tried again. */
GPU_TEST(partition_grows_with_its_batches) {
    Random random = {test_seed(0x64011)};
    PagedOptions options = options_of(2);
    options.partitionKeys = 4000;
    options.info.maxPending = 300;
    options.info.locality = MUR_PAGE_BY_PARTITION;
    Paged paged = paged_open(gpu, &options);
    uint32_t rounds = 0, absent;
    do {
        absent = 0;
        for (uint32_t i = 0; i < options.keyCount; ++i) {
            if (!paged.keys[i].present) {
                paged_add(&paged, i, MUR_MODE_INSERT, paged_random_value(&paged, &random));
                ++absent;
            }
        }
        const uint64_t refused = paged.refused;
        paged_run_bulk(&paged, MUR_MODE_INSERT, 2);
        assert_true(paged.refused - refused + options.info.maxPending <= absent ||
                    paged.refused == refused);
        paged_drain(&paged);
        ++rounds;
    } while (absent != 0);
    assert_true(rounds > 2 && paged.refused != 0);
    paged_extract(&paged, 64);
    finish(&paged);
}

/* Runs random frames; the writes of the last frame are pending. After a flush, the store contains
 * the whole table. A table opened from the store has all pending writes. */
GPU_TEST(flushed_store_contains_the_table) {
    Random random = {test_seed(0x7045)};
    for (uint32_t i = 0; i < 3; ++i) {
        PagedOptions options = options_of(3);
        options.info.locality = (MurPageLocality)i;
        options.info.maxPending = 500;
        options.info.persistent = VK_TRUE;
        options.framesInFlight = 1;
        options.partitionKeys = i == 0 ? 700 : 0;
        options.stays = i == 2;
        options.chunkPages = options.stays ? 64 : 16;
        Paged paged = paged_open(gpu, &options);
        for (uint32_t turn = 0; turn < 3; ++turn) {
            for (uint32_t frame = 0; frame < 4; ++frame) {
                paged_add_random(&paged, &random, 300);
                paged_run(&paged);
                paged_page(&paged, frame < 3);
            }
            paged_add_random(&paged, &random, 300);
            paged_run(&paged);
            GPU_RUN(gpu, murCmdFlushPagedTable(gpu->cmd, paged.table));
            memset(paged.memory.mapped, (int)turn, paged.memory.size);
            paged_clear(&paged, MUR_PAGES_IN_STORE);
            paged_drain(&paged);
            paged_extract(&paged, 64);
            paged_check_finds(&paged);
        }
        paged_close(&paged);
    }
}
