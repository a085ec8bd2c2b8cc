/* Capacities, probe limits, batch sizes, counters and repeated keys, exact to the item and the
 * slot.
 * SPDX-License-Identifier: MIT */
#include "rows.h"
#include "support/observe.h"

#define TOLD .statuses = true, .slots = true
#define INSERT(...) \
    { .kind = COMMAND_INSERT, TOLD, __VA_ARGS__ }
#define FIND(count) \
    { .kind = COMMAND_FIND, TOLD, .maxCount = count }
#define ERASE(count) \
    { .kind = COMMAND_ERASE, TOLD, .maxCount = count }
#define OF(kind_, ...) .name = (kind_)->name, .tables = {{.kind = kind_, __VA_ARGS__}}

/* Returns capacities: 1 to 5, then 2^k - 1, 2^k and 2^k + 1 for each k. 0 ends the list. */
static uint32_t nth_capacity(uint32_t n, uint32_t largestPower) {
    if (n < 5) {
        return n + 1;
    }
    const uint32_t power = 3 + (n - 5) / 3;
    return power > largestPower ? 0 : (1u << power) - 1 + (n - 5) % 3;
}

/* Adds rows for each capacity: small capacities for all types, each large one for one type. */
static void for_each_capacity(Rows *rows, uint32_t largestPower,
                              void (*add)(Rows *rows, const TableKind *kind, uint32_t capacity)) {
    uint32_t capacity;
    for (uint32_t n = 0; (capacity = nth_capacity(n, largestPower)) != 0; ++n) {
        for (uint32_t k = 0; k < TABLE_KINDS; ++k) {
            const TableKind *kind = &table_kinds[k];
            const bool small = capacity < (test_full() ? 2048 : 64) && kind_is_usual(kind);
            if (small || k == n % TABLE_KINDS) {
                add(rows, kind, capacity);
            }
        }
    }
}

static void fill_exactly(Rows *rows, const TableKind *kind, uint32_t capacity) {
    static const KeyStyle homes[] = {KEYS_RANDOM, KEYS_MIDDLE, KEYS_END};
    for (uint32_t i = 0; i < 3; ++i) {
        row_add(rows, &(const Sequence){
                          OF(kind, .capacity = capacity, .probeLimit = capacity),
                          .keys = {.style = homes[i]},
                          .commands = {INSERT(.maxCount = capacity, .mode = MUR_MODE_INSERT)}});
    }
}

ROWS(inserts_fill_tables_exactly) {
    for_each_capacity(*rows, test_full() ? 12 : 10, fill_exactly);
}

/* Inserts that do not fit fail, and the table counts them. Present keys can be updated. A key that
 * is erased and inserted again gets its previous slot, which no other key can use. In sets, the
 * slot becomes a tombstone, which no key can use. */
static void live(Rows *rows, const TableKind *kind, uint32_t capacity) {
    const uint32_t slots = oracle_slot_count(kind->format, capacity);
    const Fit again = kind_is_set(kind) ? FIT_NONE : FIT_ALL;
    row_add(rows, &(const Sequence){
                      OF(kind, .capacity = capacity, .probeLimit = UINT64_MAX),
                      .commands = {INSERT(.maxCount = slots),
                                   INSERT(.first = slots, .maxCount = 100, .fit = FIT_NONE),
                                   INSERT(.first = slots, .maxCount = 100, .fit = FIT_NONE,
                                          .mode = MUR_MODE_INSERT),
                                   FIND(slots + 100),
                                   INSERT(.maxCount = slots, .salt = 1),
                                   ERASE(slots),
                                   FIND(slots),
                                   ERASE(slots),
                                   INSERT(.first = slots, .maxCount = 100, .fit = FIT_NONE,
                                          .mode = MUR_MODE_INSERT),
                                   INSERT(.maxCount = slots, .fit = again, .mode = MUR_MODE_INSERT),
                                   FIND(slots + 100),
                                   {.kind = COMMAND_CLEAR},
                                   INSERT(.maxCount = 1)},
                  });
}

/* There are few capacities, because the time to fill a table is quadratic. */
ROWS(every_slot_can_be_filled_and_no_more) {
    for_each_capacity(*rows, test_full() ? 12 : 9, live);
}

/* Commands on whole tables use workgroups of 256 invocations. Among these capacities, one leaves a
 * single useful invocation in the last workgroup of a clear, and one in that of an extraction. */
ROWS(commands_on_whole_tables_reach_the_last_slot) {
    enum { FIRST = 860, LAST = 920 };
    bool clearEnds = false, scanEnds = false;
    for (uint32_t capacity = FIRST; capacity <= LAST; ++capacity) {
        const uint32_t sectors = oracle_slot_count(MUR_FORMAT_K32V32, capacity) / 4;
        clearEnds |= (sectors + 8) % 256 == 1;
        scanEnds |= (sectors + 1) % 256 == 1;
        for (uint32_t i = 0; i < 2; ++i) {
            const TableKind *kind = i ? &table_kinds[4 + capacity % (TABLE_KINDS - 4)]
                                      : &table_kinds[capacity % KINDS_OF_K32V32];
            const uint32_t slots = oracle_slot_count(kind->format, capacity);
            ROW(OF(kind, .capacity = capacity, .probeLimit = UINT64_MAX),
                .keys = {.special = kind->format == MUR_FORMAT_K64V32 ? 0 : slots},
                .commands = {INSERT(.maxCount = slots + (kind->format != MUR_FORMAT_K64V32)),
                             {.kind = COMMAND_EXTRACT, .maxCount = slots + 1, .keys = true},
                             {.kind = COMMAND_CLEAR}});
        }
    }
    assert_true(clearEnds && scanEnds); /* otherwise the test needs other capacities */
}

enum { CAPACITY = 1000 };

/* Returns the documented number of slots that a probe from this home reads: the home's sector from
 * the home on, then whole sectors with probeLimit slots or more. */
static uint32_t examined(const TableKind *kind, uint32_t home, uint32_t probeLimit) {
    const uint32_t slots = 8 / oracle_slot_words(kind->format); /* slots per sector */
    return ((probeLimit + slots - 1) / slots + 1) * slots - home % slots;
}

/* Fills a cluster that is as long as the longest allowed probe. Its last key is found, and the
 * insert of one more key fails. */
static void probe_to_the_end(Rows *rows, const TableKind *kind, uint32_t home, uint32_t limit) {
    const uint32_t reach = examined(kind, home, limit);
    row_add(rows, &(const Sequence){
                      OF(kind, .capacity = CAPACITY, .probeLimit = limit),
                      .keys = {.style = KEYS_AT, .at = home},
                      .commands = {INSERT(.maxCount = reach),
                                   INSERT(.first = reach, .maxCount = 1, .fit = FIT_NONE)}});
}

ROWS_OF_EACH(probe_reads_exactly_its_limit, for_each_layout) {
    static const uint32_t limits[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100};
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        probe_to_the_end(*rows, kind, 500 + i % 8, limits[i]);
        probe_to_the_end(*rows, kind, 500 + (i * 3 + 5) % 8, limits[i]);
    }
    /* The probe wraps, and continues past the padding. */
    for (uint32_t home = CAPACITY - 4; home < CAPACITY; ++home) {
        probe_to_the_end(*rows, kind, home, 150);
    }
}

/* Each key of a long cluster is in its home slot. One more key with the first home gets the last
 * slot that its probe reads. More keys with this home find no slot. */
ROWS_OF_EACH(default_limit_ends_probes_in_huge_clusters, for_each_layout) {
    enum { DEFAULT = 16384, HOME = 101 };
    const uint32_t length = examined(kind, HOME, DEFAULT);
    ROW(OF(kind, .capacity = 40000), .bare = true, /* bare, because finds have long probes */
        .keys = {.style = KEYS_AT_FULL_ROW, .at = HOME, .count = length - 1},
        .commands = {INSERT(.maxCount = length - 1), INSERT(.first = length - 1, .maxCount = 1),
                     INSERT(.first = length, .maxCount = 10, .fit = FIT_NONE), FIND(length + 10)});
}

ROWS_OF_EACH(batches_end_at_the_edges_of_workgroups, for_each_layout) {
    static const uint32_t sizes[] = {1, 2, 255, 256, 257, 511, 512, 513, 4000};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        ROW(OF(kind, .capacity = 6000),
            .commands = {INSERT(.maxCount = sizes[i]), FIND(sizes[i]), ERASE(sizes[i])});
    }
}

static void narrow(VkPhysicalDeviceProperties2 *properties) {
    properties->properties.limits.maxComputeWorkGroupCount[0] = 7;
}

/* The device reports a limit of 7 workgroups per dimension, so grids have several rows, and the
 * last one has unused workgroups. The grid of statistics fits into Vulkan's smallest limit. */
GPU_TEST(grids_of_several_rows_reach_every_item_and_slot) {
    enum { ITEMS = 20 * 256 - 3, ENTRIES = 12000 }; /* 16000 slots: 18 workgroups of sectors */
    Observed observed;
    const MurContextCreateInfo info = observe(&observed, gpu);
    Gpu narrowed = *gpu;
    Rows *opened, **rows = &opened;
    interposition.bendProperties = narrow;
    gpu_require(murCreateContext(&info, &observed.context));
    narrowed.context = observed.context;
    rows_open(rows, &narrowed);
    ROW(OF(&table_kinds[1], .capacity = ITEMS),
        .commands = {INSERT(.maxCount = ITEMS, .turn = 1021, .mode = MUR_MODE_ADD),
                     INSERT(.maxCount = ITEMS, .mode = MUR_MODE_INSERT), FIND(ITEMS),
                     ERASE(ITEMS)});
    ROW(OF(&table_kinds[1], .capacity = 16000), .bare = true,
        .commands = {{.kind = COMMAND_PUT, .maxCount = ENTRIES},
                     {.kind = COMMAND_EXTRACT, .maxCount = ENTRIES, .keys = true, .slots = true},
                     {.kind = COMMAND_CLEAR}});
    rows_close(rows);
    observe_close(&observed);
}

/* Makes one insert fail, then many. The failure counter must exceed 2^32, and the other counter
 * must not change. refused: inserts fail because of invalid values, otherwise because of full
 * tables. sliced: uses the partitioned path. */
static void count_on(Rows *rows, const TableKind *kind, bool refused, uint64_t from, bool sliced) {
    enum { OTHER = 5, MANY = 300 };
    const uint32_t capacity = sliced ? 2048 : 64;
    const uint32_t slots = oracle_slot_count(kind->format, capacity);
#define FAIL(count)                           \
    {.kind = COMMAND_INSERT,                  \
     .first = slots,                          \
     .maxCount = count,                       \
     .fit = refused ? FIT_ALL : FIT_NONE,     \
     .invalid = refused,                      \
     .statuses = !sliced,                     \
     .slots = !sliced,                        \
     .way = sliced ? WAY_SLICES : WAY_DIRECT, \
     .exclusive = sliced,                     \
     .scratch = sliced ? SCRATCH_USED : SCRATCH_NONE}
    row_add(rows, &(const Sequence){
                      OF(kind, .capacity = capacity, .probeLimit = UINT64_MAX),
                      .commands = {{.kind = COMMAND_PUT,
                                    .maxCount = slots,
                                    .full = refused ? OTHER : from,
                                    .refused = refused ? from : OTHER},
                                   FAIL(1),
                                   FAIL(1),
                                   FAIL(1),
                                   FAIL(MANY),
                                   FAIL(1),
                                   {.kind = COMMAND_STATS},
                                   {.kind = COMMAND_CLEAR}},
                  });
}

ROWS_OF_EACH(counters_of_failed_inserts_carry_once, for_each_linear_kind) {
    const bool slices = kind->format == MUR_FORMAT_K32V32;
    for (uint32_t i = 0; i < 4; ++i) {
        const bool refused = i % 2 == 1, sliced = i / 2 == 1;
        if (!(refused && kind_is_set(kind)) && (slices || !sliced)) {
            count_on(*rows, kind, refused, 0x7FFFFFFFE, sliced); /* one insert carries */
            count_on(*rows, kind, refused, 0xFFFFFF00, sliced);  /* one of many inserts carries */
        }
    }
}

/* Returns a capacity at which all keys fit, even in buckets. */
static uint32_t roomy(const TableKind *kind, uint32_t keys) {
    return kind->flags ? 4 * keys + 1000 : keys;
}

/* Batches with repeated keys: one key; few keys in one workgroup; few keys in many workgroups; many
 * keys, each twice. */
ROWS_OF_EACH(repeated_keys_make_one_entry, for_each_kind) {
    for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
        if (kind_offers(kind, mode)) {
            const Command spreads[] = {INSERT(.maxCount = 1000, .turn = 1, .mode = mode),
                                       INSERT(.maxCount = 200, .turn = HARD_KEYS, .mode = mode),
                                       INSERT(.maxCount = 5000, .turn = HARD_KEYS, .mode = mode),
                                       INSERT(.maxCount = 1000, .times = 2, .mode = mode)};
            for (uint32_t i = 0; i < 4; ++i) {
                /* The hard keys fill two buckets, where other keys fit only in some orders. */
                ROW(OF(kind, .capacity = roomy(kind, 500)),
                    .keys = {.style = i < 3 ? KEYS_HARD : KEYS_RANDOM}, .bare = true,
                    .commands = {spreads[i], FIND(HARD_KEYS)});
            }
        }
    }
}

/* The values of a key add up to 0, so the key is absent, whichever order the items have. */
ROWS_OF_EACH(sums_that_cancel_leave_the_key_absent, for_each_kind) {
    if (kind_offers(kind, MUR_MODE_ADD)) {
        ROW(OF(kind, .capacity = roomy(kind, 2000)),
            .commands = {INSERT(.maxCount = 1000, .times = 2, .turn = 50, .mode = MUR_MODE_ADD,
                                .cancels = true)});
    }
}

/* The batch has items with keys that do not fit, with a present key, and with the empty value. */
ROWS_OF_EACH(failing_items_fail_individually, for_each_kind) {
    for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
        const uint32_t slots = kind->flags ? 128 : oracle_slot_count(kind->format, 50);
        const uint32_t keys = slots * (kind->flags ? 20 : 1); /* enough keys to fill every bucket */
        if (kind_offers(kind, mode)) {
            ROW(OF(kind, .capacity = 50, .probeLimit = kind->flags ? 0 : UINT64_MAX),
                .commands = {INSERT(.maxCount = keys, .mode = mode, .fit = FIT_PERHAPS),
                             INSERT(.maxCount = 900, .step = keys + 7, .turn = 2, .mode = mode,
                                    .invalid = 5, .fit = FIT_PERHAPS)});
        }
    }
}
