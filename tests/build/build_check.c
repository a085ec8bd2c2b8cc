/* SPDX-License-Identifier: MIT */
#include "build_check.h"

enum { SEED = 0x5EED, SPECIAL_VALUE = 0x40000000 };

/* The least hash whose home is this slot. */
static uint32_t first_hash(uint64_t capacity, uint64_t home) {
    return (uint32_t)(((home << 32) + capacity - 1) / capacity);
}

/* Hash of pair i. The kinds that want distinct hashes give distinct ones. */
static uint32_t hash_of(const BuildCase *test, uint32_t i) {
    const uint64_t capacity = test->capacity;
    const uint32_t random = mur_hash(i, 77);
    switch (test->keys) {
    case KEYS_TWICE:
        return mur_hash(i / 2, 77);
    case KEYS_REPEATED:
        return mur_hash(i / 8, 77);
    case KEYS_EQUAL:
        return 0x12345678;
    case KEYS_ONE_SLICE:
        return first_hash(capacity, capacity / 3) + i;
    case KEYS_SLICE_ENDS: {
        uint64_t slice = i % (capacity / MUR_SLICE);
        uint64_t home = slice * MUR_SLICE + MUR_SLICE - 2;
        uint64_t width = ((uint64_t)1 << 32) / capacity; /* hashes a home */
        uint64_t turn = i / (capacity / MUR_SLICE);
        /* The first 20 pairs of each slice sit at its end, the others all over it. */
        return turn < 20 ? first_hash(capacity, home) + (uint32_t)turn
                         : first_hash(capacity, slice * MUR_SLICE + turn % 1000) +
                               (uint32_t)(turn % width);
    }
    case KEYS_TABLE_END:
        return first_hash(capacity, capacity - 1) + i;
    default:
        return random;
    }
}

static void make_pairs(const BuildRun *run) {
    const BuildCase *test = run->test;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < run->room; ++i) {
        keys[i] = mur_key(hash_of(test, i), SEED);
        values[i] = i + 1;
        if (test->keys == KEYS_WITH_SPECIAL && i % 7 == 3) {
            values[i] = (uint32_t)run->pair.oracle.none;
        }
    }
    if (test->keys == KEYS_WITH_SPECIAL) {
        keys[test->count / 2] = mur_key(MUR_EMPTY, SEED);
        values[test->count / 2] = SPECIAL_VALUE;
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

static void record_build(BuildRun *run) {
    Gpu *gpu = run->gpu;
    const BuildCase *test = run->test;
    const uint32_t maxCount = test->maxCount ? test->maxCount : test->count;
    MurBatch batch = {
        .maxCount = maxCount,
        .countAddress = test->maxCount ? run->count.address : 0,
        .keys = gpu_array(&run->keys),
        .values = gpu_array(&run->values),
    };
    gpu_take(gpu, test->way);
    batch.scratch.size = murGetScratchSize(run->pair.table, MUR_COMMAND_BUILD, test->mode, &batch);
    run->scratch = gpu_device_buffer(gpu, batch.scratch.size + 16);
    batch.scratch.address = batch.scratch.size ? run->scratch.address : 0;
    const bool slices = (test->way == WAY_SLICES || test->way == WAY_EXACT) &&
                        test->mode <= MUR_MODE_KEEP && maxCount && maxCount <= test->capacity &&
                        (test->probeLimit == 0 || test->probeLimit == UINT32_MAX);
    if (slices) {
        gpu_skip_unless_it_sorts(gpu);
    }
    assert_true(!slices || batch.scratch.size > 0); /* else they would go untested */
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, run->scratch.buffer, 0, VK_WHOLE_SIZE, 0xA5A5A5A5); /* garbage */
    gpu_barrier(gpu);
    gpu_require(murCmdBuild(gpu->cmd, run->pair.table, test->mode, &batch));
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DEFAULT);
}

/* Something else is in the table before, half of it in the padding. */
static void fill(BuildRun *run) {
    enum { OTHER = 100 };
    Bulk others = bulk_open(MUR_FORMAT_K32V32, OTHER);
    for (uint32_t i = 0; i < OTHER; ++i) {
        const uint32_t last = first_hash(run->test->capacity, run->test->capacity - 1) + i;
        bulk_set(&others, i, i % 2 ? mur_hash(i, 99) : mur_key(last, SEED), i + 1);
    }
    pair_insert(run->gpu, &run->pair, MUR_MODE_ASSIGN, &others);
    bulk_close(&others);
}

BuildRun build_open(Gpu *gpu, const BuildCase *test) {
    BuildRun run = {.gpu = gpu, .test = test};
    pair_open(gpu, &run.pair, test->kind ? test->kind : layout_kind(LAYOUT_k32v32_64, false),
              &(PairOptions){.capacity = test->capacity,
                             .seed = SEED,
                             .probeLimit = test->probeLimit,
                             .uses = {murUseBuild()}});
    run.room = (test->count > test->maxCount ? test->count : test->maxCount) + 1;
    run.keys = gpu_buffer(gpu, 4 * (VkDeviceSize)run.room);
    run.values = gpu_buffer(gpu, 4 * (VkDeviceSize)run.room);
    run.count = gpu_buffer(gpu, 4);
    *(uint32_t *)run.count.mapped = test->count;
    make_pairs(&run);
    fill(&run);
    record_build(&run);
    build_check_table(&run);
    return run;
}

void build_close(BuildRun *run) {
    pair_close(run->gpu, &run->pair);
    gpu_free(run->gpu, &run->keys);
    gpu_free(run->gpu, &run->values);
    gpu_free(run->gpu, &run->count);
    gpu_free(run->gpu, &run->scratch);
}

void build_check(Gpu *gpu, const BuildCase *test) {
    BuildRun run = build_open(gpu, test);
    build_close(&run);
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* The batch's keys, each once, in a table of the oracle's that has room for them. */
static Oracle batch_of(const BuildRun *run) {
    const uint32_t *keys = run->keys.mapped, *values = run->values.mapped;
    const uint32_t capacity = 2 * run->test->count + 64;
    const OracleConfig config = {.capacity = capacity,
                                 .slotCount = oracle_slot_count(MUR_FORMAT_K32V32, capacity),
                                 .seed = SEED + 1,
                                 .probeLimit = UINT64_MAX,
                                 .zero = run->pair.kind->zero};
    Oracle batch;
    oracle_open(&batch, &config);
    for (uint32_t i = 0; i < run->test->count; ++i) {
        oracle_insert(&batch, run->test->mode, keys[i], values[i]);
    }
    return batch;
}

/* Values tell the items that they came from; modes that combine make sums of them. */
static bool is_of_batch(const BuildRun *run, const Oracle *batch, uint64_t key, uint64_t value) {
    const uint32_t *keys = run->keys.mapped, *values = run->values.mapped;
    const uint64_t item = value == SPECIAL_VALUE ? run->test->count / 2 : value - 1;
    return run->test->mode > MUR_MODE_KEEP
               ? oracle_value(batch, key) == value
               : item < run->test->count && keys[item] == key && values[item] == value;
}

static void check_finds(const BuildRun *run) {
    const uint32_t *keys = run->keys.mapped;
    const uint32_t count = run->test->count;
    Bulk found = bulk_open(MUR_FORMAT_K32V32, 2 * count);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&found, i, keys[i], 0);
        /* Neighbours of the batch's hashes: as absent as can be, and as close. */
        bulk_set(&found, count + i, mur_key(mur_hash(keys[i], SEED) ^ 0x800, SEED), 0);
    }
    pair_find(run->gpu, &run->pair, &found);
    for (uint32_t i = 0; i < found.count; ++i) {
        const OracleResult expected = oracle_find(&run->pair.oracle, bulk_key(&found, i));
        if (found.statuses[i] != expected.status || found.slots[i] != expected.slot ||
            bulk_value(&found, i) != expected.value) {
            fail_msg("find of key 0x%llx: %s in slot %u", (unsigned long long)bulk_key(&found, i),
                     murStatusName(found.statuses[i]), found.slots[i]);
        }
    }
    bulk_close(&found);
}

void build_check_table(BuildRun *run) {
    const BuildCase *test = run->test;
    const Oracle *oracle = &run->pair.oracle;
    Oracle batch = batch_of(run);
    const uint32_t distinct = oracle_stats(&batch).live;
    pair_adopt(&run->pair);
    for (uint32_t slot = 0; slot < oracle->slots; ++slot) {
        uint64_t key, value;
        if (oracle_entry(oracle, slot, &key, &value) && !is_of_batch(run, &batch, key, value)) {
            fail_msg("slot %u: key 0x%llx with value 0x%llx is not of the batch", slot,
                     (unsigned long long)key, (unsigned long long)value);
        }
    }
    const uint32_t entries = oracle_stats(oracle).live;
    if (oracle->ordered && oracle_disorder(oracle) != MUR_NO_SLOT) {
        fail_msg("slot %u is out of order", oracle_disorder(oracle));
    }
    assert_int_equal(oracle->refused, batch.refused);
    assert_int_equal(entries < distinct, test->overfull);
    assert_true(!test->overfull || entries >= test->capacity);
    assert_int_equal(oracle->full, distinct - entries); /* then the keys are distinct */
    if (test->order != ORDER_ANY) {
        assert_int_equal(oracle->ordered, test->order == ORDER_YES);
    }
    oracle_close(&batch);
    pair_require_same(run->gpu, &run->pair);
    check_finds(run);
}
