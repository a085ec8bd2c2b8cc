/* Tests in which host and GPU alternate on one table. Each side finds, erases and counts entries of
 * the other side. Table memory is checked slot by slot.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include "support/image.h"

#include <string.h>

enum { CAPACITY = 400, COUNT = 300, SEED = 21 };

/* A GPU table whose memory the host also uses, and keys that fit in any order of insertion. */
typedef struct Turns {
    Gpu *gpu;
    Pair pair;
    MurHostTable host;
    Bulk items;
} Turns;

static Turns open_turns(Gpu *gpu, const TableKind *kind) {
    Turns turns = {.gpu = gpu, .items = bulk_open(kind->format, COUNT)};
    const bool linear = kind->flags == 0; /* in buckets, keys of one home do not fit */
    pair_open(gpu, &turns.pair, kind,
              &(PairOptions){.capacity = linear ? CAPACITY : 16 * CAPACITY,
                             .seed = SEED,
                             .probeLimit = CAPACITY});
    gpu_require(
        murHostAttach(turns.pair.words, murGetTableMemory(turns.pair.table).size, &turns.host));
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t word = i % 4 == 1 && linear ? UINT32_MAX - (i + 1) * 1000 : mur_hash(i, 5);
        const uint64_t hash = oracle_hash_of(kind->format, word, linear ? i : mur_hash(i, 6));
        bulk_set(&turns.items, i,
                 i < HARD_KEYS ? hard_key(kind->format, SEED, i)
                               : oracle_key(kind->format, hash, SEED),
                 i + 1);
    }
    assert_true(linear || bulk_always_fits(&turns.items, turns.host.ref.slotCount, SEED));
    return turns;
}

static void close_turns(Turns *turns) {
    pair_close(turns->gpu, &turns->pair);
    bulk_close(&turns->items);
}

/* Checks that host and GPU return each key's entry and slot in table memory, and its counts. */
static void check(Turns *turns, uint32_t live) {
    Pair *pair = &turns->pair;
    Bulk found = bulk_open(pair->kind->format, COUNT);
    memcpy(found.keys, turns->items.keys, 4ull * kind_key_words(pair->kind) * COUNT);
    pair_adopt(pair);
    pair_find(turns->gpu, pair, &found);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const OracleResult expected = oracle_find(&pair->oracle, bulk_key(&found, i));
        const MurHostResult got = murHostFind(&turns->host, bulk_key(&found, i));
        const bool values = bulk_values(&found) != NULL;
        if (got.status != expected.status || found.statuses[i] != expected.status ||
            got.slot != expected.slot || found.slots[i] != expected.slot ||
            (values && (got.value != expected.value || bulk_value(&found, i) != expected.value)) ||
            (values && got.status == MUR_FOUND && got.value != i + 1)) {
            fail_msg("%s: key 0x%llx: the host has %s, slot %u; the GPU %s, %u", pair->kind->name,
                     (unsigned long long)bulk_key(&found, i), murStatusName(got.status), got.slot,
                     murStatusName(found.statuses[i]), found.slots[i]);
        }
    }
    bulk_close(&found);
    MurStats stats;
    murHostStats(&turns->host, &stats);
    const MurStats others = gpu_stats(turns->gpu, pair->table);
    assert_memory_equal(&stats, &others, sizeof stats);
    assert_int_equal(stats.live, live);
}

/* Inserts or erases `count` items from `first` on, on the host or the GPU. All must succeed. */
static void take_turn(Turns *turns, bool byHost, bool erases, uint32_t first, uint32_t count) {
    Bulk part = bulk_part(&turns->items, first, count);
    if (byHost && erases) {
        murHostEraseBatch(&turns->host, count, part.keys, NULL, part.statuses, NULL);
    } else if (byHost) {
        murHostInsertBatch(&turns->host, MUR_MODE_INSERT, count, part.keys, bulk_values(&part),
                           NULL, part.statuses, NULL);
    } else {
        (erases ? pair_erase(turns->gpu, &turns->pair, &part)
                : pair_insert(turns->gpu, &turns->pair, MUR_MODE_INSERT, &part));
    }
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(part.statuses[i], erases ? MUR_ERASED : MUR_INSERTED);
    }
}

EACH_KIND(host_and_gpu_take_turns) {
    for (uint32_t host = 0; host < 2; ++host) {
        Turns turns = open_turns(gpu, kind);
        take_turn(&turns, host == 0, false, 0, COUNT / 2);
        check(&turns, COUNT / 2);
        take_turn(&turns, host != 0, false, COUNT / 2, COUNT / 2);
        check(&turns, COUNT);
        take_turn(&turns, host == 0, true, COUNT / 3, COUNT / 3);
        check(&turns, COUNT - COUNT / 3);
        close_turns(&turns);
    }
}

/* A rehash on one side sorts the table. Finds on the other side must use this order. */
EACH_LINEAR_KIND(host_and_gpu_rely_on_each_others_order) {
    enum { SOME = COUNT - 1 };
    Turns turns = open_turns(gpu, kind);
    MurTableCreateInfo info = kind_info(kind, CAPACITY);
    info.seed = SEED;
    Image source = image_open(&info);
    for (uint32_t i = 0; i < COUNT; ++i) { /* random hashes, so no cluster wraps */
        const uint64_t hash = oracle_hash_of(kind->format, mur_hash(i, 5), i);
        bulk_set(&turns.items, i, oracle_key(kind->format, hash, SEED), i + 1);
    }
    assert_int_equal(murHostInsertBatch(&source.table, MUR_MODE_INSERT, SOME, turns.items.keys,
                                        bulk_values(&turns.items), NULL, NULL, NULL),
                     SOME);
    assert_int_equal(murHostRehash(&source.table, &turns.host, NULL, NULL), VK_SUCCESS);
    const uint32_t *state = turns.pair.words + MUR_HEADER_STATE;
    assert_true((*state & MUR_STATE_ORDERED) || kind->layout > LAYOUT_k64v32_64);
    check(&turns, SOME);
    take_turn(&turns, false, false, SOME, 1);
    check(&turns, COUNT);
    assert_int_equal(*state & MUR_STATE_ORDERED, 0);
    image_close(&source);
    close_turns(&turns);
}

GPU_TEST(upload_of_another_tables_memory_is_rejected) {
    const MurTableCreateInfo good = {.capacity = 100, .seed = 1, .probeLimit = 50};
    MurTableCreateInfo others[5] = {good, good, good, good, good};
    others[0].capacity = 101;
    others[1].seed = 2;
    others[2].emptyValue = MUR_EMPTY_VALUE_ZERO;
    others[3].atomicWidth = MUR_ATOMIC_WIDTH_32;
    others[4].probeLimit = 40;
    MurTable table = gpu_table(gpu, &good);
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_INSERT, 1, &(uint32_t){5},
                                  &(uint32_t){6}, NULL, NULL));
    for (size_t i = 0; i < 5; ++i) {
        Image image = image_open(&others[i]);
        assert_int_equal(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size),
                         MUR_ERROR_CORRUPT);
        image_close(&image);
    }
    uint32_t value;
    gpu_require(murBlockingFind(gpu->blocking, table, 1, &(uint32_t){5}, &value, NULL, NULL));
    assert_int_equal(value, 6);
    murDestroyTable(table);
}

/* Uploads and downloads of tables that are larger than one copy of the helper. */
GPU_TEST(large_tables_are_copied_in_chunks) {
    const MurTableCreateInfo info = {.capacity = 2200000}; /* slots of 17.6 MB */
    MurTable table = gpu_table(gpu, &info);
    Image image = image_open(&info);
    for (uint32_t key = 0; key < 1000; ++key) {
        murHostInsert(&image.table, MUR_MODE_ASSIGN, key, key + 1);
    }
    gpu_require(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size));
    Image copy = image_open(&info);
    gpu_require(murBlockingDownload(gpu->blocking, table, copy.table.pImage, copy.size));
    assert_memory_equal(copy.table.pImage, image.table.pImage, (size_t)image.size);
    image_close(&copy);
    image_close(&image);
    murDestroyTable(table);
}
