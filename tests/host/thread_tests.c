/* Tests the concurrency contract and the host's further guarantees, by many threads on one table.
 *
 * tsan.sh builds this file with ThreadSanitizer, fewer rounds (HOST_SHORT) and only the host side.
 * Therefore this file must not depend on the GPU side or its fixture.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* pthread_barrier_t */
#include "support/image.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef HOST_SHORT
enum { THREADS = 6, KEYS = 64, ROUNDS = 500, FILLS = 20 };
#else
enum { THREADS = 6, KEYS = 64, ROUNDS = 4000, FILLS = 100 };
#endif

typedef struct Shared {
    MurTableCreateInfo info;
    Image image;
    Image other;
    pthread_barrier_t start;
    uint32_t inserted[THREADS][KEYS]; /* number of MUR_INSERTED results */
    uint32_t erased[THREADS][KEYS];
    uint64_t added[THREADS][KEYS];
    uint32_t bad[THREADS];               /* invalid results */
    uint32_t payloads[THREADS * ROUNDS]; /* not atomic: missing order is a data race */
    uint32_t slots[KEYS];                /* the slot of each key, as the first thread found it */
    _Atomic uint32_t filled;             /* number of filled tables */
} Shared;

typedef struct Worker {
    Shared *shared;
    void (*work)(Shared *shared, uint32_t thread);
    uint32_t thread;
} Worker;

static void *run_worker(void *argument) {
    Worker *worker = argument;
    (void)pthread_barrier_wait(&worker->shared->start); /* all threads start together */
    worker->work(worker->shared, worker->thread);
    return NULL;
}

static void run_threads(Shared *shared, uint32_t count,
                        void (*work)(Shared *shared, uint32_t thread)) {
    pthread_t threads[THREADS];
    Worker workers[THREADS];
    assert_int_equal(pthread_barrier_init(&shared->start, NULL, count), 0);
    for (uint32_t i = 0; i < count; ++i) {
        workers[i] = (Worker){shared, work, i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        if (shared->bad[i]) {
            fail_msg("%s: thread %u saw %u things that cannot be", image_text(&shared->info), i,
                     shared->bad[i]);
        }
    }
    (void)pthread_barrier_destroy(&shared->start);
}

static Shared *open_shared(int kind, uint64_t capacity) {
    Shared *shared = test_allocate(sizeof *shared);
    shared->info = kind_info(&table_kinds[kind], capacity);
    shared->image = image_open(&shared->info);
    return shared;
}

static void close_shared(Shared *shared) {
    image_close(&shared->image);
    free(shared);
}

static bool is_set(const Shared *shared) {
    return MUR_IS_SET(type_format(shared->info.type));
}

static bool in_buckets(const Shared *shared) {
    return (shared->image.table.ref.flags & MUR_TABLE_BUCKETS) != 0;
}

/* Returns key i. Some keys collide; some hashes, or halves of them, are sentinels. More keys have
 * bucket 2 of 8 as first bucket than fit, and their second bucket always has free slots. */
static uint64_t key_of(const Shared *shared, uint32_t i) {
    if (in_buckets(shared) && i >= 16) {
        const uint32_t other = (i | 32) << 26;
        uint32_t word = (i % 2 ? 0x40000000 : i % 4 ? 0x20000000 : 0x60000000) + i;
        if (MUR_IS_64(type_format(shared->info.type))) {
            return mur_key64((uint64_t)word << 32 | other, 0);
        }
        while (i % 2 && mur_hash(word, MUR_SECOND_SEED) >> 29 != other >> 29) {
            word += KEYS;
        }
        return mur_key(word, 0);
    }
    if (!MUR_IS_64(type_format(shared->info.type))) {
        return i < 3 ? mur_key(MUR_EMPTY - i, 0)
                     : mur_key(i % 2 ? i : 0x80000000 + i * 0x9E3779B1u, 0);
    }
    const uint32_t halves[] = {0, MUR_EMPTY, MUR_TOMB, 5};
    const uint64_t low = halves[i % 4], high = halves[i / 4 % 4];
    return mur_key64(i < 16 ? high << 32 | low : (uint64_t)(i % 8) << 32 | (16 + i / 8), 0);
}

static uint32_t sum(uint32_t (*counts)[KEYS], uint32_t key) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < THREADS; ++i) {
        total += counts[i][key];
    }
    return total;
}

/* ---- Inserts of one key: one slot, one MUR_INSERTED ----------------------------------------- */

static void keep_all(Shared *shared, uint32_t thread) {
    const MurHostTable *table = &shared->image.table;
    for (uint32_t i = 0; i < KEYS; ++i) {
        const uint32_t key = (i + thread % 3) % KEYS; /* threads follow each other closely */
        const MurHostResult got = murHostInsert(table, MUR_MODE_INSERT, key_of(shared, key),
                                                thread + 1);
        shared->inserted[thread][key] += got.status == MUR_INSERTED;
        const MurHostResult found = murHostFind(table, key_of(shared, key));
        shared->bad[thread] += got.status != MUR_INSERTED && got.status != MUR_EXISTED;
        shared->bad[thread] += found.status != MUR_FOUND || found.slot != got.slot;
        const uint64_t expected = is_set(shared)               ? 1
                                  : got.status == MUR_INSERTED ? thread + 1
                                                               : got.value;
        shared->bad[thread] += found.value != expected;
    }
}

/* In bucketed tables, moves some keys to second buckets and frees slots in their first buckets. */
static void move_to_second_buckets(Shared *shared) {
    const MurHostTable *table = &shared->image.table;
    for (uint32_t i = 17; i < KEYS; i += 2) {
        murHostInsert(table, MUR_MODE_INSERT, key_of(shared, i), 1);
    }
    for (uint32_t i = 17; i < KEYS; i += 2) {
        const bool first = i < 17 + 2 * MUR_BUCKET_SLOTS;
        shared->inserted[0][i] = !first;
        assert_true(!first || murHostErase(table, key_of(shared, i)).status == MUR_ERASED);
    }
    murHostRebuildFilter(table);
}

PLAIN_TEST(one_inserter_wins_each_key) {
    for (uint32_t round = 0; round < 240; ++round) {
        Shared *shared = open_shared((int)round % ALL_KINDS, round / 4 % 2 ? KEYS : 1000);
        if (in_buckets(shared)) {
            move_to_second_buckets(shared);
        }
        run_threads(shared, THREADS, keep_all);
        MurStats stats;
        murHostStats(&shared->image.table, &stats);
        assert_int_equal(stats.live, KEYS);
        assert_int_equal(stats.erased, 0);
        for (uint32_t i = 0; i < KEYS; ++i) {
            assert_int_equal(sum(shared->inserted, i), 1);
            const uint64_t winner = murHostFind(&shared->image.table, key_of(shared, i)).value;
            assert_in_range(winner, 1, THREADS);
            assert_true(is_set(shared) || shared->inserted[winner - 1][i] == 1);
        }
        close_shared(shared);
    }
}

/* ---- Insert and erase, alternately ---------------------------------------------------------- */

static void insert_and_erase(Shared *shared, uint32_t thread) {
    const MurHostTable *table = &shared->image.table;
    Random random = {thread + 1};
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        const uint32_t key = random_below(&random, KEYS);
        const uint32_t value = thread * ROUNDS + i + 1;
        if (i % 2) {
            const MurHostResult got = murHostErase(table, key_of(shared, key));
            shared->erased[thread][key] += got.status == MUR_ERASED;
        } else {
            const MurInsertMode mode = i % 8 == 2 && !is_set(shared) ? MUR_MODE_UPDATE
                                       : i % 4                       ? MUR_MODE_INSERT
                                                                     : MUR_MODE_ASSIGN;
            const MurHostResult got = murHostInsert(table, mode, key_of(shared, key), value);
            shared->inserted[thread][key] += got.status == MUR_INSERTED;
            /* Tombstones may fill buckets, so inserts may report MUR_FULL. */
            shared->bad[thread] += got.status == MUR_FULL &&
                                   !(is_set(shared) && in_buckets(shared));
        }
    }
}

PLAIN_TEST(inserts_minus_erases_equal_the_live_entries) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        /* In a set, a key that is inserted again after an erase uses a new slot. */
        const bool set = kind_is_set(&table_kinds[kind]);
        Shared *shared = open_shared(kind, set ? THREADS * ROUNDS : KEYS);
        run_threads(shared, THREADS, insert_and_erase);
        for (uint32_t i = 0; i < KEYS; ++i) {
            const bool there = murHostFind(&shared->image.table, key_of(shared, i)).status ==
                               MUR_FOUND;
            assert_int_equal(sum(shared->inserted, i) - sum(shared->erased, i), there);
        }
        close_shared(shared);
    }
}

/* ---- Exact sums, minima, maxima and ors ----------------------------------------------------- */

static void accumulate(Shared *shared, uint32_t thread) {
    const MurHostTable *table = &shared->image.table;
    const bool zero = shared->info.emptyValue == MUR_EMPTY_VALUE_ZERO;
    Random random = {100 + thread};
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        const uint32_t key = random_below(&random, KEYS);
        const uint32_t value = 1 + random_below(&random, 1000000);
        const MurInsertMode modes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR};
        const MurInsertMode mode = zero ? modes[key % 3] : MUR_MODE_MIN;
        shared->inserted[thread][key] +=
            murHostInsert(table, mode, key_of(shared, key), value).status == MUR_INSERTED;
        uint64_t *added = &shared->added[thread][key];
        const uint64_t old = *added;
        *added = mode == MUR_MODE_ADD   ? old + value
                 : mode == MUR_MODE_OR  ? old | value
                 : mode == MUR_MODE_MAX ? (value > old ? value : old)
                 : old && old < value   ? old
                                        : value;
    }
}

static uint64_t expected_total(const Shared *shared, uint32_t key) {
    const bool zero = shared->info.emptyValue == MUR_EMPTY_VALUE_ZERO;
    uint64_t total = zero ? 0 : UINT64_MAX;
    for (uint32_t thread = 0; thread < THREADS; ++thread) {
        const uint64_t own = shared->added[thread][key];
        if (zero) {
            total = key % 3 == 0   ? total + own
                    : key % 3 == 1 ? (own > total ? own : total)
                                   : total | own;
        } else if (own && own < total) {
            total = own;
        }
    }
    return type_format(shared->info.type) == MUR_FORMAT_K64V64 ? total : (uint32_t)total;
}

PLAIN_TEST(accumulated_values_are_exact) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        if (kind_is_set(&table_kinds[kind])) {
            continue; /* sets have no values */
        }
        Shared *shared = open_shared(kind, KEYS);
        run_threads(shared, THREADS, accumulate);
        for (uint32_t i = 0; i < KEYS; ++i) {
            assert_int_equal(sum(shared->inserted, i), 1);
            const uint64_t value = murHostFind(&shared->image.table, key_of(shared, i)).value;
            if (value != expected_total(shared, i)) {
                fail_msg("%s: key %u has %llu, not %llu", image_text(&shared->info), i,
                         (unsigned long long)value, (unsigned long long)expected_total(shared, i));
            }
        }
        close_shared(shared);
    }
}

/* ---- Finds return whole values, and order earlier writes ------------------------------------ */

/* Each thread writes payloads to plain memory, publishes their indices in the table, and reads the
 * payloads of other threads. If a find is not ordered after its insert, there is a data race. */
static void publish(Shared *shared, uint32_t thread) {
    const MurHostTable *table = &shared->image.table;
    Random random = {thread + 50};
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        const uint32_t index = thread * ROUNDS + i;
        const uint32_t key = random_below(&random, KEYS);
        shared->payloads[index] = (uint32_t)key_of(shared, key) ^ index;
        murHostInsert(table, MUR_MODE_ASSIGN, key_of(shared, key), index + 1);
        const uint32_t wanted = random_below(&random, KEYS);
        const MurHostResult got = i % 16 == 3 ? murHostErase(table, key_of(shared, wanted))
                                              : murHostFind(table, key_of(shared, wanted));
        if (got.status != MUR_ABSENT) {
            const uint32_t at = (uint32_t)got.value - 1;
            shared->bad[thread] += at >= THREADS * ROUNDS ||
                                   shared->payloads[at] != ((uint32_t)key_of(shared, wanted) ^ at);
        }
        if (i % 512 == 0) {
            for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry);) {
                const uint32_t at = (uint32_t)entry.value - 1;
                shared->bad[thread] += at >= THREADS * ROUNDS ||
                                       shared->payloads[at] != ((uint32_t)entry.key ^ at);
            }
        }
    }
}

/* In sets, the presence of a key publishes its payload. Only one thread inserts each key. */
static void publish_keys(Shared *shared, uint32_t thread) {
    const MurHostTable *table = &shared->image.table;
    for (uint32_t key = thread; key < KEYS; key += THREADS) {
        shared->payloads[key] = key + 1;
        murHostInsert(table, MUR_MODE_ASSIGN, key_of(shared, key), 0);
        for (uint32_t wanted = 0; wanted < KEYS; ++wanted) {
            shared->bad[thread] += murHostFind(table, key_of(shared, wanted)).status == MUR_FOUND &&
                                   shared->payloads[wanted] != wanted + 1;
        }
    }
}

PLAIN_TEST(finds_observe_writes_before_the_insert) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        Shared *shared = open_shared(kind, KEYS);
        run_threads(shared, THREADS, is_set(shared) ? publish_keys : publish);
        close_shared(shared);
    }
}

/* ---- Finds in a table that is sorted until an insert ----------------------------------------- */

static void grow_in_order(Shared *shared, uint32_t thread) {
    const MurHostTable *table = &shared->image.table;
    if (thread == 0) { /* larger hashes first, so the table is not sorted */
        for (uint32_t i = 0; i < ROUNDS; ++i) {
            murHostInsert(table, MUR_MODE_INSERT, mur_key(0x40000000 + 2 * (ROUNDS - i), 0), i + 1);
        }
        return;
    }
    for (uint32_t i = 0; i < ROUNDS / 4; ++i) {
        MurHostResult last = {0, MUR_FOUND, 0};
        /* If a find succeeds, finds of all earlier inserts must succeed after it. */
        for (uint32_t k = ROUNDS - i * 3 - 1; k > 0 && k + 8 > ROUNDS - i * 3; --k) {
            const MurHostResult got = murHostFind(table, mur_key(0x40000000 + 2 * (ROUNDS - k), 0));
            shared->bad[thread] += last.status == MUR_FOUND && last.value != 0 &&
                                   got.status != MUR_FOUND;
            last = got;
        }
        const uint32_t old = mur_key(0x40000001 + 2 * (i % (ROUNDS / 2)), 0);
        shared->bad[thread] += murHostFind(table, old).value != i % (ROUNDS / 2) + 1;
    }
}

PLAIN_TEST(inserts_clear_the_sorted_flag_in_time) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Shared *shared = open_shared(kind, 4 * ROUNDS);
        Image first = image_open(&shared->info);
        for (uint32_t i = 0; i < ROUNDS / 2; ++i) {
            murHostInsert(&first.table, MUR_MODE_INSERT, mur_key(0x40000001 + 2 * i, 0), i + 1);
        }
        assert_int_equal(murHostRehash(&first.table, &shared->image.table, NULL, NULL), VK_SUCCESS);
        const uint32_t *words = shared->image.table.pImage;
        assert_int_equal(words[MUR_HEADER_STATE], MUR_STATE_ORDERED);
        run_threads(shared, 3, grow_in_order);
        assert_int_equal(words[MUR_HEADER_STATE], 0);
        image_close(&first);
        close_shared(shared);
    }
}

/* ---- Exact failure counts; batches with shared ranges; concurrent merges -------------------- */

static void overfill(Shared *shared, uint32_t thread) {
    uint32_t keys[512], values[512], statuses[512];
    const uint64_t none = shared->info.emptyValue == MUR_EMPTY_VALUE_ZERO ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < 512; ++i) {
        keys[i] = 512 * thread + i;
        values[i] = i % 8 ? i : (uint32_t)none;
    }
    const size_t told = murHostInsertBatch(&shared->image.table, MUR_MODE_ASSIGN, 512, keys, values,
                                           NULL, statuses, NULL);
    for (uint32_t i = 0; i < 512; ++i) {
        shared->inserted[thread][0] += statuses[i] == MUR_INSERTED;
        shared->inserted[thread][1] += statuses[i] == MUR_FULL;
        shared->inserted[thread][2] += statuses[i] == MUR_INVALID_VALUE;
    }
    shared->bad[thread] += told != shared->inserted[thread][0];
}

PLAIN_TEST(concurrent_failures_are_all_counted) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        Shared *shared = open_shared(kind, 1000); /* 1132 slots */
        run_threads(shared, THREADS, overfill);
        MurStats stats;
        murHostStats(&shared->image.table, &stats);
        assert_int_equal(stats.live, 1132);
        assert_int_equal(sum(shared->inserted, 0), 1132);
        assert_int_equal(stats.failedInserts, sum(shared->inserted, 1));
        assert_int_equal(stats.invalidValues, sum(shared->inserted, 2));
        assert_int_equal(stats.invalidValues, THREADS * 64);
        close_shared(shared);
    }
}

/* One thread fills the table repeatedly while the other visits its entries. A visited key must have
 * the value of its insert, even if its slot is just being claimed. */
static void fill_and_visit(Shared *shared, uint32_t thread) {
    enum { COUNT = 4000 };
    const MurHostTable *table = &shared->image.table;
    for (uint32_t fill = 1; fill <= FILLS; ++fill) {
        if (thread == 0) {
            murHostClear(table);
        }
        (void)pthread_barrier_wait(&shared->start);
        for (uint64_t key = 0; thread == 0 && key < COUNT; ++key) {
            murHostInsert(table, MUR_MODE_ASSIGN, key, key + 1);
        }
        if (thread == 0) {
            shared->filled = fill;
        }
        uint32_t seen = COUNT;
        for (bool last = thread == 0; !last;) {
            last = shared->filled == fill;
            seen = 0;
            for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry); ++seen) {
                const uint64_t expected = is_set(shared) ? 1 : entry.key + 1;
                shared->bad[thread] += entry.key >= COUNT || entry.value != expected;
            }
        }
        shared->bad[thread] += seen != COUNT;
        (void)pthread_barrier_wait(&shared->start);
    }
}

PLAIN_TEST(visits_return_whole_entries) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        Shared *shared = open_shared(kind, kind < TABLE_KINDS ? 4000 : 8000);
        run_threads(shared, 2, fill_and_visit);
        close_shared(shared);
    }
}

static void merge_in(Shared *shared, uint32_t thread) {
    MurHostMoved moved;
    const VkResult result = murHostMerge(&shared->other.table, &shared->image.table, MUR_MODE_ADD,
                                         &moved);
    shared->bad[thread] += result != VK_SUCCESS || moved.moved + moved.met != 2000;
    shared->inserted[thread][0] = (uint32_t)moved.moved;
}

PLAIN_TEST(concurrent_merges_keep_all_entries) {
    for (int kind = 1; kind < KINDS_OF_K32V32; kind += 2) {
        Shared *shared = open_shared(kind, 4000);
        shared->other = image_open(&shared->info);
        for (uint32_t key = 0; key < 2000; ++key) {
            murHostInsert(&shared->other.table, MUR_MODE_ASSIGN, key, key + 1);
        }
        run_threads(shared, THREADS, merge_in);
        assert_int_equal(sum(shared->inserted, 0), 2000);
        for (uint32_t key = 0; key < 2000; ++key) {
            assert_int_equal(murHostFind(&shared->image.table, key).value, THREADS * (key + 1));
        }
        image_close(&shared->other);
        close_shared(shared);
    }
}
