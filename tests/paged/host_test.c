/* Tables in pages on the host: against a table without pages, in every format; in files of pages.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/gpu.h"

#include "page_file/fake.h"
#include "support/seed.h"

#include <murmuration/host_paged.h>

#include <stdlib.h>
#include <string.h>

enum { PAGE = MUR_PAGE_MIN_SIZE, KEYS = 900, RUBBISH = 0x77 };

/* ---- Alone ---------------------------------------------------------------------------------- */

/* A store of two chunks, a table in it, and one without pages that the same is done to. */
typedef struct Host {
    MurPagedTableCreateInfo info;
    MurHostPages pages;
    void *chunks[2];
    void *image, *oracleImage;
    uint64_t size;
    MurHostPagedTable table;
    MurHostTable oracle;
} Host;

static void *memory_of(uint64_t size) {
    void *memory = aligned_alloc(64, (size_t)(size + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, RUBBISH, (size_t)size);
    return memory;
}

static Host host_open(const MurPagedTableCreateInfo *info, uint32_t pageCount) {
    Host host = {.info = *info, .pages = {.pageCount = pageCount, .pageSize = PAGE}};
    host.pages.chunkPages = 16;
    while (2 * host.pages.chunkPages < pageCount) {
        host.pages.chunkPages *= 2;
    }
    for (uint32_t i = 0; i < 2; ++i) {
        host.chunks[i] = memory_of((uint64_t)host.pages.chunkPages * PAGE);
    }
    gpu_require(murHostPagedGetImageSize(info, &host.pages, &host.size));
    host.image = memory_of(host.size);
    return host;
}

static void host_make(Host *host) {
    const MurTableCreateInfo oracle = {.capacity = 8 * KEYS,
                                       .format = host->info.format,
                                       .reservedValue = host->info.reservedValue,
                                       .seed = 5};
    uint64_t size;
    host->pages.ppChunks = host->chunks;
    gpu_require(
        murHostPagedCreate(&host->info, &host->pages, host->image, host->size, &host->table));
    gpu_require(murHostGetImageSize(&oracle, &size));
    host->oracleImage = memory_of(size);
    gpu_require(murHostCreate(&oracle, host->oracleImage, size, &host->oracle));
}

static void host_close(Host *host) {
    free(host->chunks[0]);
    free(host->chunks[1]);
    free(host->image);
    free(host->oracleImage);
}

static uint64_t key_of(const Host *host, uint32_t i) {
    return MUR_IS_64(host->info.format) ? (uint64_t)i << 30 | mur_hash(i, 2) >> 12
                                        : i / 300 << 20 | i % 300;
}

/* What becomes of a key in both; where there is no room, in neither. */
static void same_write(Host *host, uint32_t op, uint64_t key, uint64_t value) {
    const uint32_t name = (uint32_t)key % 3;
    const MurHostResult is = op == MUR_PAGED_ERASE
                                 ? murHostPagedErase(&host->table, name, key)
                                 : murHostPagedInsert(&host->table, op, name, key, value);
    assert_int_equal(is.slot, MUR_NO_SLOT);
    if (is.status == MUR_FULL) {
        assert_int_equal(murHostFind(&host->oracle, key).status, MUR_ABSENT);
        return;
    }
    const MurHostResult wanted = op == MUR_PAGED_ERASE
                                     ? murHostErase(&host->oracle, key)
                                     : murHostInsert(&host->oracle, op, key, value);
    assert_int_equal(is.status, wanted.status);
    assert_true(is.value == wanted.value);
}

static void same_find(const Host *host, uint64_t key) {
    const MurHostResult is = murHostPagedFind(&host->table, (uint32_t)key % 3, key);
    const MurHostResult wanted = murHostFind(&host->oracle, key);
    assert_int_equal(is.status, wanted.status);
    assert_true(is.value == wanted.value);
}

/* All that is in the table is in the oracle, and no less. */
static void same_entries(const Host *host, const MurHostPagedTable *table) {
    MurStats stats;
    uint32_t entries = 0;
    murHostStats(&host->oracle, &stats);
    for (MurHostPagedEntry entry = {0}; murHostPagedNext(table, &entry); ++entries) {
        const MurHostResult wanted = murHostFind(&host->oracle, entry.key);
        assert_int_equal(wanted.status, MUR_FOUND);
        assert_true(MUR_IS_SET(host->info.format) || wanted.value == entry.value);
        if (host->info.locality == MUR_PAGE_BY_NAME) {
            assert_int_equal(entry.group, (uint32_t)entry.key % 3);
        }
    }
    assert_int_equal(entries, stats.live);
}

static void random_writes(Host *host, Random *random, uint32_t count, bool grows) {
    static const uint32_t ops[] = {MUR_MODE_ASSIGN, MUR_MODE_KEEP, MUR_MODE_ADD,
                                   MUR_MODE_UPDATE, MUR_MODE_MIN,  MUR_PAGED_ERASE};
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = key_of(host, random_below(random, KEYS));
        const uint32_t op = grows ? MUR_MODE_KEEP : ops[random_below(random, 6)];
        const uint64_t value = MUR_IS_SET(host->info.format) ? 0 : random_below(random, 1000);
        same_write(host, op, key, value);
        same_find(host, key_of(host, random_below(random, KEYS)));
    }
}

static void formats_and_localities(void **state) {
    (void)state;
    Random random = {test_seed(0x40578)};
    for (uint32_t i = 0; i < 3 * MUR_FORMAT_COUNT; ++i) {
        const MurPagedTableCreateInfo info = {.format = (MurFormat)(i % MUR_FORMAT_COUNT),
                                              .reservedValue = (MurReservedValue)(i & 1),
                                              .seed = 77,
                                              .locality = (MurPageLocality)(i / MUR_FORMAT_COUNT),
                                              .basePages = i < 2 * MUR_FORMAT_COUNT ? 0 : 3,
                                              .shift = MUR_IS_64(i % MUR_FORMAT_COUNT) ? 38 : 20,
                                              .probeLimit = 16,
                                              .maxPending = 100};
        Host host = host_open(&info, 40);
        host_make(&host);
        random_writes(&host, &random, 3000, true);
        random_writes(&host, &random, 3000, false);
        same_entries(&host, &host.table);
        MurPagedStats stats;
        murHostPagedStats(&host.table, &stats);
        assert_true(stats.pages > 1 && stats.pending == 0);
        host_close(&host);
    }
}

/* Keys and values that are no table's of these, modes that it lacks; and no page numbers. */
static void no_room(void **state) {
    (void)state;
    const MurPagedTableCreateInfo info = {.locality = MUR_PAGE_BY_HASH, .maxPending = 64};
    Host host = host_open(&info, 5);
    host_make(&host);
    assert_int_equal(host.table.ref.pager.pageCount, 3);
    uint32_t entries = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        const uint32_t status = murHostPagedInsert(&host.table, MUR_MODE_ASSIGN, 0, i, i).status;
        assert_true(status == MUR_INSERTED || status == MUR_FULL);
        assert_int_equal(murHostPagedFind(&host.table, 0, i).status,
                         status == MUR_INSERTED ? MUR_FOUND : MUR_ABSENT);
        entries += status == MUR_INSERTED;
    }
    assert_in_range(entries, 2 * host.table.ref.slotCount, 1999);
    const MurHostPagedTable *table = &host.table;
    assert_int_equal(murHostPagedFind(table, 0, 1ull << 32).status, MUR_ABSENT);
    assert_int_equal(murHostPagedErase(table, 0, 1ull << 32).status, MUR_ABSENT);
#define TOLD(mode, key, value, told) \
    assert_int_equal(murHostPagedInsert(table, mode, 0, key, value).status, told)
    TOLD(MUR_MODE_ASSIGN, 1ull << 32, 1, MUR_UNSUPPORTED);
    TOLD(MUR_MODE_ASSIGN, 1, 1ull << 32, MUR_UNSUPPORTED);
    TOLD(MUR_MODE_ADD, 1, 1, MUR_UNSUPPORTED);
    TOLD(77, 1, 1, MUR_UNSUPPORTED);
    TOLD(MUR_MODE_ASSIGN, 1, UINT32_MAX, MUR_REFUSED);
    TOLD(MUR_MODE_UPDATE, 5000, 1, MUR_ABSENT);
    TOLD(MUR_MODE_UPDATE, 1, 9, MUR_EXISTED);
#undef TOLD
    host_close(&host);
}

/* An entry of the log, as a shader appends it in this epoch. */
static void note(Host *host, uint32_t epoch, uint32_t op, uint32_t key, uint32_t value) {
    const MurPagedRef *ref = &host->table.ref;
    uint32_t *state = (uint32_t *)((uint8_t *)host->image + ref->state);
    uint32_t *entry = state + MUR_PAGED_HEADER_WORDS + ref->maxLeaves +
                      (size_t)MUR_PENDING_WORDS * state[MUR_PAGED_COUNTS]++;
    memset(entry, 0, 4 * MUR_PENDING_WORDS);
    entry[MUR_PENDING_KEY] = key;
    entry[MUR_PENDING_VALUE] = value;
    entry[MUR_PENDING_OP] = op;
    entry[MUR_PENDING_EPOCH] = epoch;
    state[MUR_PAGED_EPOCH] = 9;
}

/* Of the log the oldest is done first, wherever it lies; what there is no room for stays, and is
 * done when there is. */
static void logs(void **state) {
    (void)state;
    enum { MANY = 2000, NEW = 100000, NOTED = 40 };
    const MurPagedTableCreateInfo info = {.locality = MUR_PAGE_BY_HASH, .maxPending = 64};
    Host host = host_open(&info, 5);
    host_make(&host);
    MurHostPagedTable *table = &host.table;
    note(&host, 5, MUR_MODE_ASSIGN, 7, 55);
    note(&host, 3, MUR_MODE_ASSIGN, 7, 33);
    note(&host, 4, MUR_PAGED_ERASE, 7, 0);
    note(&host, 4, MUR_MODE_KEEP, 8, 44);
    note(&host, 8, MUR_MODE_KEEP, 8, 88);
    uint32_t pending = 17;
    murHostPagedApply(table, &pending);
    assert_int_equal(pending, 0);
    assert_int_equal(murHostPagedFind(table, 0, 7).value, 55);
    assert_int_equal(murHostPagedFind(table, 0, 8).value, 44);
    for (uint32_t i = 0; i < MANY; ++i) {
        murHostPagedInsert(table, MUR_MODE_ASSIGN, 0, i, i);
    }
    for (uint32_t i = 0; i < NOTED; ++i) {
        note(&host, 9, MUR_MODE_ASSIGN, NEW + i, i);
    }
    murHostPagedApply(table, &pending);
    assert_in_range(pending, 1, NOTED);
    MurPagedStats stats;
    murHostPagedStats(table, &stats);
    assert_int_equal(stats.pending, pending);
    assert_int_equal(stats.stuck, pending);
    assert_int_equal(stats.applied, 5 + NOTED - pending);
    for (uint32_t i = 0; i < MANY; ++i) {
        murHostPagedErase(table, 0, i);
    }
    murHostPagedApply(table, &pending);
    assert_int_equal(pending, 0);
    for (uint32_t i = 0; i < NOTED; ++i) {
        assert_int_equal(murHostPagedFind(table, 0, NEW + i).status, MUR_FOUND);
    }
    host_close(&host);
}

/* ---- Stores, and files ---------------------------------------------------------------------- */

static MurPageFile make_file(Fake *fake, uint32_t pageCount) {
    fake_make(fake);
    const MurFileBytes bytes = fake_file(fake);
    const MurPageFileInfo info = {.pBytes = &bytes, .pageSize = PAGE, .pageCount = pageCount};
    MurPageFile file;
    gpu_require(murCreatePageFile(&info, &file));
    return file;
}

/* Into a file, out of it into another store, and taken from that. */
static void stores_and_files(void **state) {
    (void)state;
    Random random = {test_seed(0xF17E)};
    const MurPagedTableCreateInfo info = {
        .format = MUR_FORMAT_K64V64, .shift = 38, .probeLimit = 16, .maxPending = 100};
    Host host = host_open(&info, 40), other = host_open(&info, 40);
    other.pages.ppChunks = other.chunks;
    Fake fake;
    MurPageFile file = make_file(&fake, 40);
    MurHostPagedTable table;
#define TAKE(result)  \
    assert_int_equal( \
        murHostPagedAttach(&other.info, &other.pages, other.image, other.size, &table), result)
#define LOAD(result)                                                                         \
    assert_int_equal(                                                                        \
        murHostPagedLoad(&other.info, &other.pages, &file, other.image, other.size, &table), \
        result)
    TAKE(MUR_ERROR_BAD_IMAGE);
    LOAD(MUR_ERROR_BAD_IMAGE); /* there is nothing in it */
    host_make(&host);
    random_writes(&host, &random, 3000, true);
    fake.failFrom = fake.made + 3;
    fake.failCount = 1;
    assert_int_equal(murHostPagedSave(&host.table, &file), MUR_ERROR_FILE);
    gpu_require(murHostPagedSave(&host.table, &file));
    LOAD(VK_SUCCESS);
    same_entries(&host, &table);
    TAKE(VK_SUCCESS);
    same_entries(&host, &table);
    other.info.seed = 1;
    LOAD(MUR_ERROR_BAD_IMAGE);
    TAKE(MUR_ERROR_BAD_IMAGE);
    other.info.seed = 0;
    other.info.atomicWidth = MUR_ATOMIC_WIDTH_64; /* may differ */
    TAKE(VK_SUCCESS);
    fake.failFrom = fake.made + 5;
    fake.failCount = 1;
    LOAD(MUR_ERROR_FILE);
#undef TAKE
#undef LOAD
    murClosePageFile(&file);
    fake_free(&fake);
    host_close(&host);
    host_close(&other);
}

static void wrong_descriptions(void **state) {
    (void)state;
    const MurPagedTableCreateInfo right = {.maxPending = 64};
    Host host = host_open(&right, 40);
    host.pages.ppChunks = host.chunks;
    MurPagedTableCreateInfo info;
    MurHostPages pages;
    MurHostPagedTable table;
    uint64_t size;
#define WRONG(field, value)                                                                       \
    info = right, pages = host.pages;                                                             \
    field = value;                                                                                \
    assert_int_equal(murHostPagedGetImageSize(&info, &pages, &size), MUR_ERROR_INVALID_ARGUMENT); \
    assert_int_equal(murHostPagedCreate(&info, &pages, host.image, host.size, &table),            \
                     MUR_ERROR_INVALID_ARGUMENT)
    WRONG(info.format, MUR_FORMAT_COUNT);
    WRONG(info.reservedValue, (MurReservedValue)7);
    WRONG(info.pNext, &info);
    WRONG(info.basePages, 2);
    WRONG(pages.pageCount, 0);
    WRONG(pages.pageCount, 2); /* all for the image */
    WRONG(pages.pageSize, 2048);
    WRONG(pages.pageSize, 5000);
    WRONG(pages.chunkPages, 3);
#undef WRONG
#define WRONG(info, pages, image, size, table)                            \
    assert_int_equal(murHostPagedCreate(info, pages, image, size, table), \
                     MUR_ERROR_INVALID_ARGUMENT)
    WRONG(NULL, &host.pages, host.image, host.size, &table);
    WRONG(&right, NULL, host.image, host.size, &table);
    WRONG(&right, &host.pages, NULL, host.size, &table);
    WRONG(&right, &host.pages, (uint8_t *)host.image + 8, host.size, &table);
    WRONG(&right, &host.pages, host.image, host.size - 1, &table);
    WRONG(&right, &host.pages, host.image, host.size, NULL);
    void *chunks[] = {host.chunks[0], (uint8_t *)host.chunks[1] + 8};
    pages = host.pages;
    pages.ppChunks = chunks;
    WRONG(&right, &pages, host.image, host.size, &table);
    pages.ppChunks = NULL;
    WRONG(&right, &pages, host.image, host.size, &table);
#undef WRONG
    assert_int_equal(murHostPagedGetImageSize(&right, &host.pages, NULL),
                     MUR_ERROR_INVALID_ARGUMENT);
    host_close(&host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_and_localities),
        cmocka_unit_test(no_room),
        cmocka_unit_test(logs),
        cmocka_unit_test(stores_and_files),
        cmocka_unit_test(wrong_descriptions),
    };
    return cmocka_run_group_tests_name("paged host", tests, NULL, NULL);
}
