/* Tests the host code of a mirror without a GPU: write calls run at the same time as updates. The
 * test itself makes the copies that a GPU would make.
 * SPDX-License-Identifier: MIT */
#include "storm.h"
#include "support/seed.h"

#include <host/host_mirror.h>
#include <string.h>

/* This file includes the code of the mirror, so that the test can make a host call before each load
 * of the copying thread, and an update each time a call has marked a block. */
static struct {
    void (*call)(const MurHostTable *table);
    const MurHostTable *table;
    uint32_t at, loads;
    void *side;
} watched;

static uint64_t watched_load(uint8_t *at) {
    if (watched.call && ++watched.loads == watched.at) {
        watched.call(watched.table);
    }
    return host_load_pair(at);
}
#define host_load_pair watched_load
#define mur_host_mark  mark_unwatched
void mark_unwatched(const MurHostTable *table, uint64_t hash);
#include <host/host_mirror.c>
#undef host_load_pair
#undef mur_host_mark

#ifdef STORM_SHORT
enum { FRAMES = 20 };
#else
enum { FRAMES = 60 };
#endif

typedef struct Side {
    Image image; /* gives its size and flags */
    uint8_t *memory, *readable;
    void *marks;
    MurMirrorArray array;
    MurMirrorStaging staging;
} Side;

static void apply(const Side *side, const MurMirrorCopy *copy) {
    for (uint32_t i = 0; i < copy->count; ++i) {
        const size_t at = 64 * (size_t)(copy->list ? copy->list[i] : i);
        const size_t left = side->array.bytes - at;
        memcpy(side->readable + at, copy->data + 64 * (size_t)i, left < 64 ? left : 64);
    }
}

static MurHostTable update(void *user, bool reclaims) {
    Side *side = user;
    const MurHostTable *host = &side->array.table;
    if (reclaims && host->ref.flags & MUR_TABLE_BUCKETS) {
        murHostRebuildFilter(host);
    } else if (reclaims) {
        MurHostMoved moved;
        assert_int_equal(murHostRehash(host, &side->image.table, NULL, NULL), VK_SUCCESS);
        assert_int_equal(murHostRehash(&side->image.table, host, NULL, &moved), VK_SUCCESS);
        assert_int_equal(moved.failed, 0);
    }
    MurMirrorCopy copy;
    side->staging.used = 0;
    assert_true(mur_mirror_copy(&side->array, &side->staging, &copy));
    apply(side, &copy);
    mur_mirror_commit(&side->array);
    MurHostTable table;
    assert_int_equal(murHostAttach(side->readable, side->image.size, &table), VK_SUCCESS);
    return table;
}

void mur_host_mark(const MurHostTable *table, uint64_t hash) {
    mark_unwatched(table, hash);
    if (watched.side) {
        (void)update(watched.side, false);
    }
}

static void open_side(Side *side, const TableKind *kind, uint64_t capacity) {
    const MurTableCreateInfo info = kind_info(kind, capacity);
    *side = (Side){.image = image_open(&info)};
    const size_t size = (size_t)side->image.size, whole = (size + 63) / 64 * 64;
    mur_mirror_describe(&side->image.table.ref, size, &side->array);
    side->marks = test_allocate(mur_mirror_mark_size(&side->array));
    side->memory = aligned_alloc(64, whole);
    side->readable = aligned_alloc(64, whole);
    side->staging = (MurMirrorStaging){aligned_alloc(64, whole), whole / 64, 0};
    memset(side->marks, 0, mur_mirror_mark_size(&side->array));
    assert_int_equal(murHostCreate(&info, side->memory, size, &side->array.table), VK_SUCCESS);
    mur_mirror_open(&side->array, side->marks, side->memory);
}

static void close_side(Side *side) {
    image_close(&side->image);
    free(side->marks);
    free(side->memory);
    free(side->readable);
    free(side->staging.memory);
}

static void run(const TableKind *kind, bool fresh) {
    Side side;
    open_side(&side, kind, fresh ? 600 : kind->flags ? 128 : 80);
    Storm storm = {.host = &side.array.table,
                   .fresh = fresh,
                   .frames = FRAMES,
                   .seconds = test_full() ? 60 / ALL_KINDS : 0,
                   .inFlight = 1,
                   .update = update,
                   .user = &side};
    print_message("  %s%s\n", kind->name, fresh ? ", fresh keys" : "");
    storm_run(&storm);
    assert_string_equal(storm.fault, "");
    close_side(&side);
}

PLAIN_TEST(frames_agree_with_a_storm_on_few_keys_and_of_fresh_keys) {
    for (uint32_t i = 0; i < 2 * ALL_KINDS; ++i) {
        if (kind_is_usual(&table_kinds[i / 2])) {
            run(&table_kinds[i / 2], i % 2);
        }
    }
}

/* Cases with one call between two loads of a copy. */

enum { OLD_KEYS = 48, NEW_KEY = 1000 };

static void insert_new(const MurHostTable *table) {
    murHostInsert(table, MUR_MODE_ASSIGN, NEW_KEY, NEW_KEY + 1);
}

static void erase_old(const MurHostTable *table) {
    murHostErase(table, 1);
}

static void assign_old(const MurHostTable *table) {
    murHostInsert(table, MUR_MODE_ASSIGN, 1, NEW_KEY + 1);
}

/* Copies the table, and runs `call` before load number `at` of the copy. Checks the copy. Returns
 * false if the copy has fewer loads. */
static bool copies_agree(Side *side, void (*call)(const MurHostTable *table), uint32_t at) {
    const MurHostTable *host = &side->array.table;
    murHostClear(host);
    for (uint32_t i = 0; i < OLD_KEYS; ++i) {
        murHostInsert(host, MUR_MODE_ASSIGN, i, i + 1);
    }
    watched.table = host;
    watched.call = call;
    watched.at = at;
    watched.loads = 0;
    const MurHostTable copy = update(side, false);
    watched.call = NULL;
    const bool set = MUR_IS_SET(MUR_TABLE_FORMAT(host->ref.flags));
    for (uint32_t i = 0; i < OLD_KEYS; ++i) {
        const MurHostResult found = murHostFind(&copy, i);
        const bool same = found.status == MUR_FOUND && (set || found.value == i + 1);
        const bool newer = call != insert_new &&
                           (call == erase_old ? found.status == MUR_ABSENT
                                              : set || found.value == NEW_KEY + 1);
        assert_true(same || (i == 1 && newer));
    }
    for (MurHostEntry entry = {0}; murHostNextEntry(&copy, &entry);) {
        const bool newer = entry.value == NEW_KEY + 1 &&
                           entry.key == (call == insert_new ? NEW_KEY : 1);
        assert_true(set ? entry.key < OLD_KEYS || entry.key == NEW_KEY
                        : newer || (entry.key < OLD_KEYS && entry.value == entry.key + 1));
    }
    (void)update(side, false);
    assert_memory_equal(side->readable, side->memory, side->array.bytes);
    return watched.loads >= at;
}

/* Requires that a call also marks slots that earlier calls wrote and have not marked. If its key is
 * already present or absent, the call changes nothing, but must still mark. */
static void require_way(Side *side, uint64_t key) {
    const MurHostTable *host = &side->array.table;
    MurHostTable unmarked;
    assert_int_equal(murHostAttach(host->pImage, side->image.size, &unmarked), VK_SUCCESS);
    murHostClear(host);
    (void)update(side, false);
    for (uint32_t i = 0; i < OLD_KEYS; ++i) {
        murHostInsert(&unmarked, MUR_MODE_ASSIGN, i, i + 1);
    }
    murHostInsert(host, MUR_MODE_ASSIGN, key, 7);
    const MurHostTable copy = update(side, false);
    assert_int_equal(murHostFind(&copy, key).status, MUR_FOUND);
    murHostErase(&unmarked, key);
    murHostErase(host, key);
    (void)update(side, false);
    assert_int_equal(murHostFind(&copy, key).status, MUR_ABSENT);
    murHostInsert(&unmarked, MUR_MODE_ASSIGN, key, 7);
    assert_int_equal(murHostInsert(host, MUR_MODE_INSERT, key, 7).status, MUR_EXISTED);
    (void)update(side, false);
    assert_int_equal(murHostFind(&copy, key).status, MUR_FOUND);
}

/* Checks updates that run after a mark, before the call has returned. */
static void require_marks_after_writes(Side *side, const TableKind *kind) {
    const MurHostTable *host = &side->array.table;
    const uint64_t keys[] = {NEW_KEY + 1, 0}, values[] = {7, 7};
    const uint32_t narrow[] = {NEW_KEY + 1, NEW_KEY + 2}, numbers[] = {7, 7};
    const bool wide = MUR_IS_64(kind->format), both = kind->format == MUR_FORMAT_K64V64;
    murHostClear(host);                  /* also clears slots that were not marked */
    for (uint32_t i = 0; i < 110; ++i) { /* some keys are in their second bucket */
        murHostInsert(host, MUR_MODE_ASSIGN, i, i + 1);
        (void)update(side, false);
        assert_memory_equal(side->readable, side->memory, side->array.bytes);
    }
    for (uint32_t call = 0; call < 5; ++call) {
        const uint32_t slot = murHostFind(host, NEW_KEY).slot;
        watched.side = side;
        switch (call) {
        case 0:
            insert_new(host);
            break;
        case 1:
            murHostSlotExchange(host, slot, 9);
            break;
        case 2:
            murHostErase(host, NEW_KEY);
            break;
        case 3:
            murHostInsertBatch(host, MUR_MODE_ASSIGN, 1, wide ? keys : (const void *)narrow,
                               both ? values : (const void *)numbers, NULL, NULL, NULL);
            break;
        default:
            murHostEraseBatch(host, 1, wide ? keys : (const void *)narrow, NULL, NULL, NULL);
        }
        watched.side = NULL;
        (void)update(side, false);
        assert_memory_equal(side->readable, side->memory, side->array.bytes);
    }
}

PLAIN_TEST(copies_agree_with_a_call_at_any_time) {
    static void (*const calls[])(const MurHostTable *table) = {insert_new, erase_old, assign_old};
    for (uint32_t i = 0; i < ALL_KINDS; ++i) {
        if (kind_is_usual(&table_kinds[i])) {
            Side side;
            open_side(&side, &table_kinds[i], 128);
            for (uint32_t j = 0; j < 3; ++j) {
                for (uint32_t at = 1; copies_agree(&side, calls[j], at); ++at) {
                }
            }
            close_side(&side);
        }
    }
}

PLAIN_TEST(calls_mark_what_finds_read_after_they_have_written) {
    for (uint32_t i = 0; i < ALL_KINDS; ++i) {
        if (kind_is_usual(&table_kinds[i])) {
            Side side;
            open_side(&side, &table_kinds[i], 128);
            for (uint64_t key = NEW_KEY; key < NEW_KEY + 100; ++key) {
                require_way(&side, key);
            }
            require_marks_after_writes(&side, &table_kinds[i]);
            close_side(&side);
        }
    }
}
