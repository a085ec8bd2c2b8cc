/* SPDX-License-Identifier: MIT */
#include "rehash_check.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 0x5EED, OTHER_SEED = 0xBADC0DE, GUARD = 16 };

static const TableKind *kind_of(const RehashCase *test) {
    return test->kind ? test->kind : &table_kinds[0];
}

/* The least word of a hash whose home is this slot. */
static uint32_t first_word(uint64_t capacity, uint64_t home) {
    return (uint32_t)(((home << 32) + capacity - 1) / capacity);
}

/* The word that decides the home of key number i. */
static uint32_t home_word(const RehashCase *test, uint32_t i) {
    const uint64_t capacity = test->from;
    switch (test->keys) {
    case KEYS_ONE_HOME:
        /* Of 64-bit keys two words are enough. */
        return first_word(capacity, capacity / 2) + (MUR_IS_64(kind_of(test)->format) ? i % 2 : i);
    case KEYS_TABLE_END:
        return first_word(capacity, capacity - 1) + i;
    case KEYS_ROW:
        return first_word(capacity, 100 + (i ? i - 1 : 0)) + (i == 0);
    case KEYS_PILE:
        return i < 600 ? first_word(capacity, capacity / 2) + i : mur_hash(i, 77);
    case KEYS_HALF:
        return mur_hash(i, 77) / 2;
    case KEYS_CUT:
        return first_word(capacity, 2 * MUR_REHASH_WINDOW - 3 * MUR_REHASH_BEFORE - 5) + i;
    case KEYS_CLUMPS:
        return first_word(capacity, i % 3 * (capacity / 3) + mur_hash(i, 7) % 16) + i;
    default:
        return mur_hash(test->sharing ? i / test->sharing : i, 77);
    }
}

uint64_t rehash_key(const RehashCase *test, uint32_t i) {
    const uint32_t format = kind_of(test)->format;
    if (i >= test->count && test->extra) {
        return oracle_extra_key(format, i - test->count, SEED);
    }
    if (test->keys == KEYS_HARD) {
        return i < HARD_KEYS ? hard_key(format, SEED, i) : 7919ull * i;
    }
    return oracle_key(format, oracle_hash_of(format, home_word(test, i), mur_hash(i, 3)), SEED);
}

static uint64_t value_of(const Oracle *oracle, uint32_t i, uint32_t salt) {
    const uint64_t value = 1 + mur_hash(i, salt) % 1000;
    return oracle_is_set(oracle->config.format)         ? 1
           : oracle->config.format == MUR_FORMAT_K64V64 ? value << 33 | value
                                                        : value;
}

void rehash_fill(const RehashCase *test, Pair *pair, uint32_t first, uint32_t last, uint32_t salt) {
    Oracle *oracle = &pair->oracle;
    for (uint32_t i = first; i < last; ++i) {
        const uint64_t key = rehash_key(test, i);
        if (oracle_insert(oracle, MUR_MODE_ASSIGN, key, value_of(oracle, i, salt)).status !=
            MUR_INSERTED) {
            fail_msg("case %s: key %u of %u does not fit", test->name, i, test->count);
        }
        if ((i + salt) % 10 < test->erased && i < test->count) {
            oracle_erase(oracle, key);
        }
    }
    oracle_image(oracle, pair->memory.mapped);
}

RehashRun rehash_open(Gpu *gpu, const RehashCase *test) {
    const TableKind *kind = kind_of(test);
    RehashRun run = {.gpu = gpu, .test = test};
    const PairOptions from = {.capacity = test->from,
                              .seed = SEED,
                              .uses = {murUseRehash()},
                              .probeLimit = test->compact ? test->limit : 0};
    const PairOptions to = {.capacity = test->to,
                            .seed = test->newSeed ? OTHER_SEED : SEED,
                            .probeLimit = test->limit,
                            .uses = {murUseRehash()}};
    pair_open(gpu, &run.from, kind, &from);
    const uint32_t extra = kind->format == MUR_FORMAT_K64V32 ? 0 : MUR_EXTRA_SLOTS(kind->format);
    /* Made when probes went as far as they can. */
    Oracle *oracle = &run.from.oracle;
    const uint32_t sectors = oracle->probeSectors;
    oracle->probeSectors = oracle->config.slotCount;
    rehash_fill(test, &run.from, 0, test->count + (test->extra ? extra : 0), 0);
    oracle->probeSectors = sectors;
    oracle_image(oracle, run.from.memory.mapped);
    run.source = oracle_copy(oracle);
    const MurStats stats = oracle_stats(oracle);
    run.live = stats.live;
    run.dropped = stats.erased;
    if (!test->compact) {
        pair_open(gpu, &run.other, test->toKind ? test->toKind : kind, &to);
        memset(run.other.memory.mapped, 0x37, run.other.memory.size); /* rubbish */
    }
    run.slotMap = gpu_buffer(gpu, 4ull * run.source.slots);
    run.result = gpu_buffer(gpu, sizeof(MurRehashResult));
    run.scratch = gpu_buffer(gpu, murGetCompactScratchSize(run.from.table) + GUARD);
    GpuBuffer *const buffers[] = {&run.slotMap, &run.result, &run.scratch};
    for (int i = 0; i < 3; ++i) {
        memset(buffers[i]->mapped, 0xA5, buffers[i]->size);
    }
    return run;
}

void rehash_close(RehashRun *run) {
    oracle_close(&run->source);
    pair_close(run->gpu, &run->from);
    if (!run->test->compact) {
        pair_close(run->gpu, &run->other);
    }
    gpu_free(run->gpu, &run->slotMap);
    gpu_free(run->gpu, &run->result);
    gpu_free(run->gpu, &run->scratch);
}

MurRehash rehash_arguments(RehashRun *run) {
    return (MurRehash){.slotMap = gpu_array(&run->slotMap),
                       .result = gpu_array(&run->result),
                       .scratch = {run->scratch.address, run->scratch.size - GUARD}};
}

/* ---- Checking ------------------------------------------------------------------------------- */

static Pair *destination(RehashRun *run) {
    return run->test->compact ? &run->from : &run->other;
}

void rehash_check_source(const RehashRun *run) {
    const size_t words = oracle_image_words(&run->source);
    uint32_t *image = test_allocate(4 * words);
    oracle_image(&run->source, image);
    assert_memory_equal(run->from.words, image, 4 * words);
    free(image);
}

uint32_t rehash_check_map(const RehashRun *run) {
    const Oracle *to = &(run->test->compact ? &run->from : &run->other)->oracle;
    const uint32_t *map = run->slotMap.mapped;
    uint32_t moved = 0;
    for (uint32_t slot = 0; slot < run->source.slots; ++slot) {
        uint64_t key = 0, value;
        const bool live = oracle_entry(&run->source, slot, &key, &value);
        const uint32_t expected = live ? oracle_find(to, key).slot : MUR_NO_SLOT;
        if (map[slot] != expected) {
            fail_msg("case %s: slot %u, key 0x%llx: mapped to %u, which is in %u", run->test->name,
                     slot, (unsigned long long)key, map[slot], expected);
        }
        moved += expected != MUR_NO_SLOT;
    }
    return moved;
}

/* Each entry of the destination is one of the source; none has wrapped unsaid. Returns how many. */
static uint32_t check_entries(const RehashRun *run, const Oracle *to) {
    uint32_t entries = 0;
    for (uint32_t slot = 0; slot < to->slots; ++slot) {
        uint64_t key, value;
        if (oracle_entry(to, slot, &key, &value)) {
            ++entries;
            const bool wraps = slot < oracle_home(to, key);
            if (oracle_value(&run->source, key) != value || (wraps && !to->wrapped)) {
                fail_msg("case %s: slot %u holds key 0x%llx, value 0x%llx: not of the source, or "
                         "wrapped unsaid",
                         run->test->name, slot, (unsigned long long)key, (unsigned long long)value);
            }
        }
    }
    if (to->ordered && oracle_disorder(to) != MUR_NO_SLOT) {
        fail_msg("case %s: slot %u is out of order", run->test->name, oracle_disorder(to));
    }
    return entries;
}

/* By the library's own find: the destination's order is what it relies on. */
static void check_finds(const RehashRun *run, const Pair *to) {
    const uint32_t count = run->test->count + 500;
    Bulk bulk = bulk_open(to->kind->format, count);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&bulk, i, i < run->test->count ? rehash_key(run->test, i) : mur_hash(i, 4711), 0);
    }
    pair_find(run->gpu, to, &bulk);
    for (uint32_t i = 0; i < count; ++i) {
        const OracleResult found = oracle_find(&to->oracle, bulk_key(&bulk, i));
        if (bulk.statuses[i] != found.status || bulk.slots[i] != found.slot ||
            (bulk_values(&bulk) && bulk_value(&bulk, i) != found.value)) {
            fail_msg("case %s: find of key 0x%llx: %s in %u, expected %s in %u", run->test->name,
                     (unsigned long long)bulk_key(&bulk, i), murStatusName(bulk.statuses[i]),
                     bulk.slots[i], murStatusName(found.status), found.slot);
        }
    }
    bulk_close(&bulk);
}

static void check_result(const RehashRun *run, const Oracle *to, uint32_t entries) {
    const MurRehashResult *result = run->result.mapped;
    if (run->test->withoutMap) {
        assert_int_equal(result->moved, 0xA5A5A5A5);
        assert_int_equal(*(const uint32_t *)run->slotMap.mapped, 0xA5A5A5A5);
        return;
    }
    const uint32_t state = oracle_stats(to).state;
    /* An insert says before it claims a slot at the start that it wraps; another may be faster. */
    const uint32_t maybe = run->gpu->software ? 0 : state & MUR_STATE_WRAPPED;
    assert_int_equal(result->moved, entries);
    assert_int_equal(result->dropped, run->dropped);
    assert_int_equal(result->failed, run->live - entries);
    assert_int_equal(result->state | maybe, state);
    assert_int_equal(rehash_check_map(run), entries);
}

static void check_stream(const RehashRun *run, const Pair *to, Way way) {
    static const uint32_t streams[] = {[END_SPARSE] = MUR_STREAM_SPARSE,
                                       [END_DENSE] = MUR_STREAM_DENSE,
                                       [END_DIRECT] = MUR_STREAM_FAILED};
    const RehashCase *test = run->test;
    const uint32_t stream = to->words[MUR_HEADER_STREAM];
    const bool ordered = to->oracle.ordered;
    if (way == WAY_DIRECT) {
        assert_false(ordered);
        assert_int_equal(stream, 0);
    } else if (test->end != END_ANY &&
               (ordered != (test->end != END_DIRECT) || stream != streams[test->end])) {
        fail_msg("case %s, %u of %u to %u: ordered %d, stream %u, expected %u", test->name,
                 test->count, test->from, test->to, ordered, stream, streams[test->end]);
    }
}

static void check_run(RehashRun *run, Way way) {
    const RehashCase *test = run->test;
    Pair *to = destination(run);
    pair_adopt(to);
    const uint32_t entries = check_entries(run, &to->oracle);
    assert_int_equal(entries != run->live, test->overfull);
    assert_int_equal(to->oracle.full, run->live - entries);
    assert_int_equal(to->oracle.refused, 0);
    assert_int_equal(oracle_stats(&to->oracle).erased, 0);
    check_result(run, &to->oracle, entries);
    check_stream(run, to, way);
    if (!test->compact) {
        rehash_check_source(run);
    }
    const unsigned char *guard = run->scratch.mapped;
    for (uint32_t i = 1; i <= GUARD; ++i) {
        assert_int_equal(guard[run->scratch.size - i], 0xA5);
    }
    check_finds(run, to);
    ((uint32_t *)to->memory.mapped)[MUR_HEADER_STREAM] = 0; /* for debuggers; not the oracle's */
    pair_require_same(run->gpu, to);
}

void rehash_check(Gpu *gpu, const RehashCase *test) {
    static const Way ways[] = {WAY_DIRECT, WAY_STREAM};
    for (int i = 0; i < 2; ++i) {
        RehashRun run = rehash_open(gpu, test);
        const MurRehash all = rehash_arguments(&run), scratch = {.scratch = all.scratch};
        gpu_take(gpu, ways[i]);
        gpu_begin(gpu);
        gpu_barrier(gpu);
        gpu_require(test->compact ? murCmdCompact(gpu->cmd, run.from.table,
                                                  test->withoutMap ? &scratch : &all)
                                  : murCmdRehash(gpu->cmd, run.from.table, run.other.table,
                                                 test->withoutMap ? NULL : &all));
        gpu_submit(gpu);
        gpu_take(gpu, WAY_DEFAULT);
        check_run(&run, ways[i]);
        rehash_close(&run);
    }
}
