/* SPDX-License-Identifier: MIT */
#include "build_check.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 0x5EED };

static uint32_t no_value(const BuildCase *test) {
    return test->reserved == MUR_RESERVED_VALUE_ZERO ? 0 : UINT32_MAX;
}

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
            values[i] = no_value(test);
        }
    }
    if (test->keys == KEYS_WITH_SPECIAL) {
        keys[test->count / 2] = mur_key(MUR_EMPTY, SEED);
        values[test->count / 2] = 4242;
    }
}

/* ---- The model: the batch sorted by hash ----------------------------------------------------- */

typedef struct Pair {
    uint32_t hash, value;
} Pair;

static int compare_pairs(const void *a, const void *b) {
    const Pair *x = a;
    const Pair *y = b;
    return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash)
                              : (x->value > y->value) - (x->value < y->value);
}

static Pair *sorted_pairs(const BuildRun *run, uint32_t *count, uint32_t *refused,
                          uint32_t *distinct) {
    const uint32_t *keys = run->keys.mapped;
    const uint32_t *values = run->values.mapped;
    Pair *pairs = malloc((run->test->count + 1) * sizeof *pairs);
    *count = 0;
    for (uint32_t i = 0; i < run->test->count; ++i) {
        if (values[i] != no_value(run->test)) {
            pairs[(*count)++] = (Pair){mur_hash(keys[i], SEED), values[i]};
        }
    }
    *refused = run->test->count - *count;
    qsort(pairs, *count, sizeof *pairs, compare_pairs);
    *distinct = 0;
    for (uint32_t i = 0; i < *count; ++i) {
        *distinct += i == 0 || pairs[i].hash != pairs[i - 1].hash;
    }
    return pairs;
}

static bool has_pair(const Pair *pairs, uint32_t count, uint32_t hash, uint32_t value) {
    const Pair pair = {hash, value};
    return bsearch(&pair, pairs, count, sizeof pair, compare_pairs) != NULL;
}

/* ---- Running --------------------------------------------------------------------------------- */

static void download_table(BuildRun *run) {
    const MurBufferRange memory = murGetTableMemory(run->table);
    const VkBufferCopy region = {memory.offset, 0, memory.size};
    gpu_begin(run->gpu);
    gpu_barrier(run->gpu);
    vkCmdCopyBuffer(run->gpu->cmd, memory.buffer, run->image.buffer, 1, &region);
    gpu_barrier(run->gpu);
    gpu_submit(run->gpu);
}

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
    batch.scratch.size = murGetScratchSize(run->table, MUR_COMMAND_BUILD, test->mode, &batch);
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
    gpu_require(murCmdBuild(gpu->cmd, run->table, test->mode, &batch));
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DEFAULT);
}

BuildRun build_open(Gpu *gpu, const BuildCase *test) {
    BuildRun run = {.gpu = gpu, .test = test};
    const MurTableCreateInfo info = {
        .capacity = test->capacity,
        .seed = SEED,
        .reservedValue = test->reserved,
        .atomicWidth = test->width,
        .probeLimit = test->probeLimit,
        .uses = {murUseBuild()},
    };
    run.table = gpu_table(gpu, &info);
    run.room = (test->count > test->maxCount ? test->count : test->maxCount) + 1;
    run.keys = gpu_buffer(gpu, 4 * (VkDeviceSize)run.room);
    run.values = gpu_buffer(gpu, 4 * (VkDeviceSize)run.room);
    run.results = gpu_buffer(gpu, 4 * (VkDeviceSize)run.room);
    run.count = gpu_buffer(gpu, 4);
    run.image = gpu_buffer(gpu, murGetTableMemory(run.table).size);
    *(uint32_t *)run.count.mapped = test->count;
    make_pairs(&run);
    /* Something else is in the table before, half of it in the padding. */
    enum { OTHER = 100 };
    uint32_t keys[OTHER], values[OTHER];
    for (uint32_t i = 0; i < OTHER; ++i) {
        uint32_t last = first_hash(test->capacity, test->capacity - 1) + i;
        keys[i] = i % 2 ? mur_hash(i, 99) : mur_key(last, SEED);
        values[i] = i + 1;
    }
    gpu_require(murBlockingInsert(gpu->blocking, run.table, MUR_MODE_ASSIGN, OTHER, keys, values,
                                  NULL, NULL));
    record_build(&run);
    build_check_slots(&run);
    if (!test->overfull) {
        build_check_finds(&run);
    }
    return run;
}

void build_close(BuildRun *run) {
    murDestroyTable(run->table);
    gpu_free(run->gpu, &run->keys);
    gpu_free(run->gpu, &run->values);
    gpu_free(run->gpu, &run->results);
    gpu_free(run->gpu, &run->count);
    gpu_free(run->gpu, &run->scratch);
    gpu_free(run->gpu, &run->image);
}

void build_check(Gpu *gpu, const BuildCase *test) {
    BuildRun run = build_open(gpu, test);
    build_close(&run);
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Slots 0 ... slotCount - 1: each entry is one of the batch, sits where a probe from its home finds
 * it, and after a smaller hash if the table claims to be ordered. Returns the number of entries. */
static uint32_t check_entries(const BuildRun *run, const Pair *pairs, uint32_t count,
                              bool ordered) {
    const MurTableRef ref = murGetTableRef(run->table);
    const Pair *slots = (const Pair *)((const char *)run->image.mapped + MUR_HEADER_SIZE);
    uint32_t entries = 0;
    uint32_t clusterStart = 0; /* first slot after the last empty one */
    for (uint32_t slot = 0; slot < ref.slotCount; ++slot) {
        const Pair pair = slots[slot];
        if (pair.hash == MUR_EMPTY) {
            clusterStart = slot + 1;
            if (pair.value != no_value(run->test)) {
                fail_msg("empty slot %u has value 0x%x", slot, pair.value);
            }
            continue;
        }
        ++entries;
        const uint32_t home = mur_home(pair.hash, ref.capacity);
        if (!has_pair(pairs, count, pair.hash, pair.value)) {
            fail_msg("slot %u: hash 0x%x with value %u is not of the batch", slot, pair.hash,
                     pair.value);
        }
        if (slot >= home && home < clusterStart) {
            fail_msg("slot %u: hash 0x%x of home %u has an empty slot before it, %u", slot,
                     pair.hash, home, clusterStart - 1);
        }
        if (ordered &&
            (slot < home || (slot > clusterStart && slots[slot - 1].hash >= pair.hash))) {
            fail_msg("slot %u: hash 0x%x of home %u is out of order", slot, pair.hash, home);
        }
    }
    return entries;
}

MurTableHeader build_check_slots(BuildRun *run) {
    const BuildCase *test = run->test;
    download_table(run);
    MurTableHeader header;
    memcpy(&header, run->image.mapped, sizeof header);
    uint32_t count, refused, distinct;
    Pair *pairs = sorted_pairs(run, &count, &refused, &distinct);
    const bool ordered = (header.state & MUR_STATE_ORDERED) != 0;
    uint32_t entries = check_entries(run, pairs, count, ordered);
    assert_int_equal(header.extra[0], MUR_EMPTY);
    if (header.extra[1] != no_value(test)) {
        assert_true(has_pair(pairs, count, header.extra[0], header.extra[1]));
        ++entries;
    }
    free(pairs);
    assert_int_equal(header.magic, MUR_LAYOUT_MAGIC);
    assert_int_equal(header.capacity, test->capacity);
    assert_int_equal(header.refused, refused);
    if (test->overfull) {
        assert_true(entries < distinct && entries >= test->capacity);
        assert_int_equal(header.full, distinct - entries); /* the keys are distinct */
    } else {
        assert_int_equal(entries, distinct);
        assert_int_equal(header.full, 0);
    }
    if (test->order != ORDER_ANY) {
        assert_int_equal(ordered, test->order == ORDER_YES);
    }
    return header;
}

static void find(BuildRun *run) {
    const uint32_t count = run->test->count;
    const MurBatch batch = {
        .maxCount = count,
        .keys = gpu_array(&run->keys),
        .values = gpu_part(&run->results, 0, run->room),
    };
    gpu_begin(run->gpu);
    gpu_require(murCmdFind(run->gpu->cmd, run->table, &batch));
    gpu_submit(run->gpu);
}

void build_check_finds(BuildRun *run) {
    const BuildCase *test = run->test;
    uint32_t *keys = run->keys.mapped;
    const uint32_t *results = run->results.mapped;
    uint32_t count, refused, distinct;
    Pair *pairs = sorted_pairs(run, &count, &refused, &distinct);
    const uint32_t *values = run->values.mapped;
    find(run);
    for (uint32_t i = 0; i < test->count; ++i) {
        const uint32_t hash = mur_hash(keys[i], SEED);
        if (values[i] != no_value(test) && !has_pair(pairs, count, hash, results[i])) {
            fail_msg("find of pair %u, hash 0x%x: got %u", i, hash, results[i]);
        }
    }
    /* Neighbours of the batch's hashes: as absent as can be, and as close. */
    for (uint32_t i = 0; i < test->count; ++i) {
        keys[i] = mur_key(mur_hash(keys[i], SEED) ^ 0x800, SEED);
    }
    find(run);
    for (uint32_t i = 0; i < test->count; ++i) {
        const uint32_t hash = mur_hash(keys[i], SEED);
        const bool present = results[i] != no_value(test);
        const Pair least = {hash, 0};
        bool expected = false;
        uint32_t low = 0, high = count;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (compare_pairs(&pairs[middle], &least) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        expected = low < count && pairs[low].hash == hash;
        if (present != expected) {
            fail_msg("find of hash 0x%x: %s, expected %s", hash, present ? "found" : "absent",
                     expected ? "found" : "absent");
        }
        keys[i] = mur_key(hash ^ 0x800, SEED);
    }
    free(pairs);
}
