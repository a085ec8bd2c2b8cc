/* Insert, find and erase on batches that are sorted by home slot first, beside a twin table on
 * which the same commands run directly.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <kernels/push.h>

#include <murmuration/hash.h>

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0xABABABABu
#define SCRATCHED 0xA5A5A5A5u /* what scratch memory holds before a command */
enum { SEED = 5, MARGIN = 16 };

typedef struct Kind {
    const char *name;
    MurFormat format;
    MurAtomicWidth width;
    uint32_t keyWords, valueWords;
} Kind;

static const Kind kinds[] = {
    {"K32V32, 32-bit atomics", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32, 1, 1},
    {"K32V32", MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64, 1, 1},
    {"K64V32, 32-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32, 2, 1},
    {"K64V32", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64, 2, 1},
    {"K32", MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32, 1, 0},
    {"K64", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64, 2, 0},
    {"K64V64", MUR_FORMAT_K64V64, MUR_ATOMIC_WIDTH_64, 2, 2},
};

typedef enum Verb { INSERT, FIND, ERASE } Verb;

typedef enum Output {
    VALUES = 1,
    STATUSES = 2,
    SLOTS = 4,
    BITS = 8,
    ALL = 15,
    OLD_VALUES = 16 /* of inserts */
} Output;

typedef struct Batch {
    Verb verb;
    uint32_t count;    /* items */
    bool counted;      /* as many of them as a word on the GPU says, */
    uint32_t gpuCount; /* this */
    uint32_t outputs;  /* Output; VALUES: of finds and erases */
    MurInsertMode mode;
    const uint32_t *numbers; /* a key each */
    uint32_t salt;           /* of the values */
} Batch;

/* One table and what the last batch wrote: values, statuses, slots, old values, bits. */
typedef struct Side {
    MurTable table;
    bool sorts;
    bool sorted; /* has the last batch been sorted? */
    uint32_t *results;
} Side;

typedef struct Twins {
    Gpu *gpu;
    const Kind *kind;
    Side sides[2]; /* direct, sorted */
} Twins;

static uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 15) * 0x2C1B3C6Du;
    x = (x ^ x >> 12) * 0x297A2D39u;
    return x ^ x >> 15;
}

/* Different keys; two that live in extra slots, in formats that have such. */
static uint64_t key_of(const Kind *kind, uint32_t number) {
    const bool wide = kind->keyWords == 2;
    const uint32_t low = number == 7 ? MUR_EMPTY : MUR_TOMB;
    if (number == 7 || number == 8) {
        return wide ? mur_key64((uint64_t)MUR_EMPTY << 32 | low, SEED) : mur_key(low, SEED);
    }
    return mixed(number) | (wide ? (uint64_t)(mixed(number / 3) | 1) << 32 : 0);
}

static uint32_t value_word(const Batch *batch, uint32_t i, uint32_t w) {
    const uint32_t value = mixed(batch->numbers[i] + batch->salt + w);
    return i % 17 == 3 ? UINT32_MAX : value == UINT32_MAX ? 1 : value; /* some are refused */
}

static uint32_t value_words(const Kind *kind) {
    return kind->valueWords ? kind->valueWords : 1;
}

static uint32_t bit_words(uint32_t count) {
    return count / 32 + (count % 32 != 0);
}

/* Where they begin in the results. */
static size_t olds_at(const Twins *twins, uint32_t count) {
    return (size_t)(value_words(twins->kind) + 2) * count;
}

static size_t bits_at(const Twins *twins, uint32_t count) {
    return (size_t)(2 * value_words(twins->kind) + 2) * count;
}

static Twins open_twins(Gpu *gpu, const Kind *kind, uint64_t capacity, MurReservedValue reserved) {
    gpu_skip_unless_it_sorts(gpu);
    const MurTableCreateInfo info = {.capacity = capacity,
                                     .seed = SEED,
                                     .format = kind->format,
                                     .atomicWidth = kind->width,
                                     .reservedValue = reserved,
                                     .uses = {murUseScratch()}};
    Twins twins = {.gpu = gpu, .kind = kind};
    for (int i = 0; i < 2; ++i) {
        twins.sides[i].table = gpu_table(gpu, &info);
        twins.sides[i].sorts = i == 1;
    }
    return twins;
}

static void close_twins(Twins *twins) {
    for (int i = 0; i < 2; ++i) {
        murDestroyTable(twins->sides[i].table);
        free(twins->sides[i].results);
    }
}

/* Inserts that keep, or into slots of 16 bytes, are faster directly. */
static bool is_sorted(const Twins *twins, const Batch *batch) {
    const Kind *kind = twins->kind;
    const bool large = kind->keyWords + kind->valueWords > 2;
    return batch->verb != INSERT || !(large || batch->mode == MUR_MODE_KEEP);
}

static void write_batch(const Twins *twins, const Batch *batch, uint32_t *keys, uint32_t *values) {
    const Kind *kind = twins->kind;
    for (uint32_t i = 0; i < batch->count; ++i) {
        for (uint32_t w = 0; w < kind->keyWords; ++w) {
            keys[kind->keyWords * i + w] = (uint32_t)(key_of(kind, batch->numbers[i]) >> 32 * w);
        }
        for (uint32_t w = 0; batch->verb == INSERT && w < kind->valueWords; ++w) {
            values[kind->valueWords * i + w] = value_word(batch, i, w);
        }
    }
}

static MurCommand command_of(Verb verb) {
    return verb == INSERT ? MUR_COMMAND_INSERT
           : verb == FIND ? MUR_COMMAND_FIND
                          : MUR_COMMAND_ERASE;
}

static void record(Gpu *gpu, const Side *side, const Batch *batch, const MurBatch *items) {
    gpu_require(batch->verb == INSERT ? murCmdInsert(gpu->cmd, side->table, batch->mode, items)
                : batch->verb == FIND ? murCmdFind(gpu->cmd, side->table, items)
                                      : murCmdErase(gpu->cmd, side->table, items));
}

/* Has the command written to its scratch memory? It must not beyond what it was given. */
static bool is_scratched(const GpuBuffer *scratch, VkDeviceSize given) {
    const unsigned char *bytes = scratch->mapped;
    bool written = false;
    for (VkDeviceSize i = 0; i < scratch->size; ++i) {
        const bool changed = bytes[i] != (SCRATCHED & 0xFF);
        written = written || changed;
        if (changed && i >= given) {
            fail_msg("byte %llu of scratch memory of %llu was written", (unsigned long long)i,
                     (unsigned long long)given);
        }
    }
    return written;
}

/* missing: bytes by which the scratch memory is smaller than what suffices for any batch. */
static void run_side(const Twins *twins, Side *side, const Batch *batch, VkDeviceSize missing) {
    Gpu *gpu = twins->gpu;
    const Kind *kind = twins->kind;
    const uint32_t count = batch->count;
    const uint32_t valueWords = kind->valueWords ? kind->valueWords : 1;
    GpuBuffer keys = gpu_buffer(gpu, 4ull * kind->keyWords * count);
    GpuBuffer values = gpu_buffer(gpu, 4ull * valueWords * count);
    GpuBuffer statuses = gpu_buffer(gpu, 4ull * count);
    GpuBuffer slots = gpu_buffer(gpu, 4ull * count);
    GpuBuffer olds = gpu_buffer(gpu, 4ull * valueWords * count);
    GpuBuffer bits = gpu_buffer(gpu, 4ull * bit_words(count));
    GpuBuffer gpuCount = gpu_buffer(gpu, 4);
    memset(olds.mapped, 0xAB, 4 * (size_t)valueWords * count);
    memset(bits.mapped, 0xAB, 4 * (size_t)bit_words(count));
    memset(values.mapped, 0xAB, 4 * (size_t)valueWords * count);
    memset(statuses.mapped, 0xAB, 4 * (size_t)count);
    memset(slots.mapped, 0xAB, 4 * (size_t)count);
    write_batch(twins, batch, keys.mapped, values.mapped);
    *(uint32_t *)gpuCount.mapped = batch->gpuCount;
    const bool takes = kind->valueWords && (batch->verb == INSERT || batch->outputs & VALUES);
    MurBatch items = {
        .maxCount = count,
        .countAddress = batch->counted ? gpuCount.address : 0,
        .keys = gpu_array(&keys),
        .values = takes ? gpu_array(&values) : (MurArray){0},
        .statuses = batch->outputs & STATUSES ? gpu_array(&statuses) : (MurArray){0},
        .slots = batch->outputs & SLOTS ? gpu_array(&slots) : (MurArray){0},
        .oldValues = kind->valueWords && batch->outputs & OLD_VALUES ? gpu_array(&olds)
                                                                     : (MurArray){0},
        .statusBits = batch->outputs & BITS ? gpu_array(&bits) : (MurArray){0},
    };
    gpu_take(gpu, side->sorts ? WAY_SORTED : WAY_DIRECT);
    const VkDeviceSize size = murGetScratchSize(side->table, command_of(batch->verb), batch->mode,
                                                &items);
    const bool sorts = side->sorts && is_sorted(twins, batch);
    assert_true((size != 0) == sorts);
    GpuBuffer scratch = gpu_buffer(gpu, size + MARGIN);
    const VkDeviceSize given = size - (sorts ? missing : 0);
    items.scratch = (MurArray){sorts ? scratch.address : 0, given};
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, scratch.buffer, 0, VK_WHOLE_SIZE, SCRATCHED);
    gpu_barrier(gpu);
    record(gpu, side, batch, &items);
    gpu_submit(gpu);
    side->sorted = is_scratched(&scratch, given);
    side->results = realloc(side->results, 4 * (bits_at(twins, count) + bit_words(count)));
    assert_non_null(side->results);
    memcpy(side->results, values.mapped, 4 * (size_t)valueWords * count);
    memcpy(side->results + (size_t)valueWords * count, statuses.mapped, 4 * (size_t)count);
    memcpy(side->results + (size_t)(valueWords + 1) * count, slots.mapped, 4 * (size_t)count);
    memcpy(side->results + olds_at(twins, count), olds.mapped, 4 * (size_t)valueWords * count);
    memcpy(side->results + bits_at(twins, count), bits.mapped, 4 * (size_t)bit_words(count));
    GpuBuffer *const buffers[] = {&keys, &values, &statuses, &slots,
                                  &olds, &bits,   &gpuCount, &scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        gpu_free(gpu, buffers[i]);
    }
}

/* The bits say what the statuses do, those of no item are 0, and words of none are not written. */
static void check_bits(const Twins *twins, const Batch *batch, const Side *side) {
    const bool fewer = batch->counted && batch->gpuCount < batch->count;
    const uint32_t count = fewer ? batch->gpuCount : batch->count;
    const uint32_t *statuses = side->results + (size_t)value_words(twins->kind) * batch->count;
    const uint32_t *bits = side->results + bits_at(twins, batch->count);
    const uint32_t done = batch->verb == FIND              ? MUR_FOUND
                          : batch->verb == ERASE           ? MUR_ERASED
                          : batch->mode == MUR_MODE_UPDATE ? MUR_EXISTED
                                                           : MUR_INSERTED;
    for (uint32_t word = 0; word < bit_words(batch->count); ++word) {
        uint32_t expected = word < bit_words(count) ? 0 : UNTOUCHED;
        for (uint32_t i = 32 * word; i < 32 * word + 32 && i < count; ++i) {
            expected |= (uint32_t)(statuses[i] == done) << i % 32;
        }
        if (bits[word] != expected) {
            fail_msg("verb %d, %u of %u items: word %u of the bits is 0x%x, expected 0x%x",
                     (int)batch->verb, count, batch->count, word, bits[word], expected);
        }
    }
}

/* Runs a batch on both tables; all that does not depend on the order of items must be the same. */
static void run(Twins *twins, const Batch *batch, VkDeviceSize missing) {
    const uint32_t valueWords = twins->kind->valueWords ? twins->kind->valueWords : 1;
    for (int i = 0; i < 2; ++i) {
        run_side(twins, &twins->sides[i], batch, missing);
    }
    assert_false(twins->sides[0].sorted);
    assert_true(missing || twins->sides[1].sorted == is_sorted(twins, batch));
    const uint32_t *direct = twins->sides[0].results, *sorted = twins->sides[1].results;
    for (int i = 0; batch->outputs & BITS && batch->outputs & STATUSES && i < 2; ++i) {
        check_bits(twins, batch, &twins->sides[i]);
    }
    const size_t slots = (size_t)(valueWords + 1) * batch->count;
    for (size_t i = 0; i < bits_at(twins, batch->count) + bit_words(batch->count); ++i) {
        const bool slot = i >= slots && i < slots + batch->count;
        if (!slot && direct[i] != sorted[i]) {
            fail_msg("verb %d, %u items: word %zu is 0x%x directly, 0x%x sorted", (int)batch->verb,
                     batch->count, i, direct[i], sorted[i]);
        }
    }
}

/* Slots depend on who came first, but those that a command reports are the table's own. */
static void check_slots(Twins *twins, const Batch *batch) {
    Side *side = &twins->sides[1];
    const uint32_t first = (1 + (twins->kind->valueWords ? twins->kind->valueWords : 1)) *
                           batch->count;
    const bool fewer = batch->counted && batch->gpuCount < batch->count;
    const uint32_t count = fewer ? batch->gpuCount : batch->count;
    uint32_t *reported = malloc(4 * (size_t)batch->count);
    assert_non_null(reported);
    memcpy(reported, side->results + first, 4 * (size_t)batch->count);
    Batch find = *batch;
    find.verb = FIND;
    find.outputs = ALL;
    find.counted = false;
    side->sorts = false;
    run_side(twins, side, &find, 0);
    side->sorts = true;
    for (uint32_t i = 0; i < batch->count; ++i) {
        const uint32_t refused = twins->kind->valueWords && i % 17 == 3;
        const uint32_t slot = i >= count                         ? UNTOUCHED
                              : refused && batch->verb == INSERT ? MUR_NO_SLOT
                                                                 : side->results[first + i];
        if (reported[i] != slot) {
            fail_msg("verb %d, item %u: slot 0x%x reported, 0x%x found", (int)batch->verb, i,
                     reported[i], slot);
        }
    }
    free(reported);
}

/* Each item that erased tells the slot where its key was. found: the slots, before. */
static void check_erased(const Twins *twins, const Batch *batch, const uint32_t *found) {
    const uint32_t valueWords = twins->kind->valueWords ? twins->kind->valueWords : 1;
    const uint32_t *statuses = twins->sides[1].results + (size_t)valueWords * batch->count;
    const uint32_t *slots = statuses + batch->count;
    for (uint32_t i = 0; i < batch->count; ++i) {
        const uint32_t slot = statuses[i] == MUR_ERASED   ? found[i]
                              : statuses[i] == MUR_ABSENT ? MUR_NO_SLOT
                                                          : UNTOUCHED;
        if (slots[i] != slot) {
            fail_msg("erase, item %u: slot 0x%x reported, 0x%x was its key's", i, slots[i], slot);
        }
    }
}

/* Erases with all outputs; keys come once. */
static void erase_and_check(Twins *twins, const Batch *batch) {
    Batch find = *batch;
    find.verb = FIND;
    find.counted = false;
    run(twins, &find, 0);
    const uint32_t valueWords = twins->kind->valueWords ? twins->kind->valueWords : 1;
    uint32_t *found = malloc(4 * (size_t)batch->count);
    assert_non_null(found);
    memcpy(found, twins->sides[1].results + (size_t)(valueWords + 1) * batch->count,
           4 * (size_t)batch->count);
    run(twins, batch, 0);
    check_erased(twins, batch, found);
    free(found);
}

/* Each item of an insert is told what a find before it found. Keys come once. */
static void insert_and_check(Twins *twins, const Batch *batch) {
    const uint32_t words = value_words(twins->kind) * batch->count;
    Batch find = *batch;
    find.verb = FIND;
    find.counted = false;
    find.outputs = VALUES | BITS;
    run(twins, &find, 0);
    uint32_t *before = malloc(4 * (size_t)words);
    assert_non_null(before);
    memcpy(before, twins->sides[1].results, 4 * (size_t)words);
    run(twins, batch, 0);
    const uint32_t *olds = twins->sides[1].results + olds_at(twins, batch->count);
    for (uint32_t i = 0; i < words && twins->kind->valueWords; ++i) {
        const uint32_t item = i / value_words(twins->kind);
        const uint32_t old = batch->counted && item >= batch->gpuCount ? UNTOUCHED
                             : item % 17 == 3                          ? UINT32_MAX
                                                                       : before[i];
        if (olds[i] != old) {
            fail_msg("insert by mode %u, item %u: met 0x%x, expected 0x%x", batch->mode, item,
                     olds[i], old);
        }
    }
    free(before);
}

/* Keys number first, first + step, ... */
static uint32_t *numbers(uint32_t count, uint32_t first, uint32_t step) {
    uint32_t *list = malloc(4 * (size_t)count);
    assert_non_null(list);
    for (uint32_t i = 0; i < count; ++i) {
        list[i] = first + i * step;
    }
    return list;
}

static void require_same(Twins *twins, uint32_t keys) {
    uint32_t *all = numbers(keys, 0, 1);
    const Batch batch = {.verb = FIND, .count = keys, .outputs = VALUES | STATUSES, .numbers = all};
    run(twins, &batch, 0);
    free(all);
}

static void life(Gpu *gpu, const Kind *kind, uint32_t capacity, uint32_t count) {
    Twins twins = open_twins(gpu, kind, capacity, MUR_RESERVED_VALUE_MAX);
    uint32_t *some = numbers(count, 0, 2), *others = numbers(count, 1, 3);
    const bool set = kind->valueWords == 0;
    const MurInsertMode fourth = set ? MUR_MODE_KEEP : MUR_MODE_MIN;
    const MurInsertMode last = set ? MUR_MODE_KEEP : MUR_MODE_UPDATE;
    const Batch batches[] = {
        {INSERT, count, false, 0, STATUSES | SLOTS, MUR_MODE_ASSIGN, some, 1},
        {INSERT, count, false, 0, 0, MUR_MODE_ASSIGN, others, 2},
        {INSERT, count, true, count / 2 + 1, SLOTS | OLD_VALUES, MUR_MODE_KEEP, some, 3},
        {INSERT, count, false, 0, STATUSES | OLD_VALUES | BITS, fourth, others, 4},
        {FIND, count, false, 0, ALL, 0, some, 0},
        {FIND, count, true, count / 3 + 1, ALL, 0, others, 0},
        {ERASE, count, true, count / 2 + 1, ALL, 0, others, 0},
        {FIND, count, false, 0, SLOTS, 0, some, 0},
        {ERASE, count, false, 0, 0, 0, some, 0},
        {ERASE, count, false, 0, STATUSES, 0, others, 0},
        {INSERT, count, true, count / 3 + 1, STATUSES | BITS, MUR_MODE_KEEP, others, 5},
        {INSERT, count, false, 0, STATUSES | BITS | OLD_VALUES, last, others, 6},
        {INSERT, count, false, 0, STATUSES | SLOTS, MUR_MODE_ASSIGN, some, 7},
    };
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; ++i) {
        if (batches[i].verb == ERASE && batches[i].outputs == ALL) {
            erase_and_check(&twins, &batches[i]);
        } else if (batches[i].outputs & OLD_VALUES) {
            insert_and_check(&twins, &batches[i]);
        } else {
            run(&twins, &batches[i], 0);
        }
        if (batches[i].outputs & SLOTS && batches[i].verb != ERASE) {
            check_slots(&twins, &batches[i]);
        }
        require_same(&twins, 3 * count + 2);
    }
    free(some);
    free(others);
    close_twins(&twins);
}

static void for_each_kind(Gpu *gpu, uint32_t capacity, uint32_t count) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (gpu_offers(gpu, kinds[i].format, kinds[i].width)) {
            print_message("  %s, capacity %u, %u items\n", kinds[i].name, capacity, count);
            life(gpu, &kinds[i], capacity, count);
        }
    }
}

static void every_format_and_command(void **state) {
    for_each_kind(*state, 20000, 5000);
}

static void counts_around_a_tile(void **state) {
    const uint32_t tile = MUR_SORT_ITEMS * 512;
    const uint32_t counts[] = {1, 2, tile - 1, tile, tile + 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        life(*state, &kinds[1], 3 * counts[i], counts[i]);
        life(*state, &kinds[6], 3 * counts[i], counts[i]);
    }
}

static void capacities_around_the_bins(void **state) {
    const uint32_t capacities[] = {1, MUR_SORT_BINS - 1, MUR_SORT_BINS, MUR_SORT_BINS + 1, 65537};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        life(*state, &kinds[1], capacities[i],
             capacities[i] / 3 < 500 ? capacities[i] / 3 + 1 : 500);
    }
}

/* The same key many times: one item inserts it, one erases it. */
static void repeated_keys(void **state) {
    enum { COUNT = 6000, KEYS = 7 };
    Twins twins = open_twins(*state, &kinds[1], 5000, MUR_RESERVED_VALUE_MAX);
    uint32_t *few = numbers(COUNT, 0, 1);
    for (uint32_t i = 0; i < COUNT; ++i) {
        few[i] %= KEYS;
    }
    const Verb verbs[] = {INSERT, ERASE};
    for (int v = 0; v < 2; ++v) {
        const Batch batch = {
            .verb = verbs[v], .count = COUNT, .outputs = STATUSES, .numbers = few, .salt = 1};
        for (int side = 0; side < 2; ++side) {
            run_side(&twins, &twins.sides[side], &batch, 0);
            uint32_t told = 0;
            for (uint32_t i = 0; i < COUNT; ++i) {
                told += twins.sides[side].results[COUNT + i] ==
                        (verbs[v] == INSERT ? MUR_INSERTED : MUR_ERASED);
            }
            assert_int_equal(told, KEYS);
        }
        require_same(&twins, KEYS + 1);
    }
    free(few);
    close_twins(&twins);
}

/* Sums are exact, whichever item comes first. */
static void repeated_sums(void **state) {
    enum { COUNT = 6000, KEYS = 9 };
    uint32_t *few = numbers(COUNT, 0, 1);
    for (uint32_t i = 0; i < COUNT; ++i) {
        few[i] %= KEYS;
    }
    for (int kind = 0; kind < 4; ++kind) {
        Twins twins = open_twins(*state, &kinds[kind], 5000, MUR_RESERVED_VALUE_ZERO);
        const MurInsertMode modes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR};
        for (int mode = 0; mode < 3; ++mode) {
            const Batch batch = {
                .verb = INSERT, .count = COUNT, .mode = modes[mode], .numbers = few, .salt = 1};
            run(&twins, &batch, 0);
            require_same(&twins, KEYS + 1);
        }
        close_twins(&twins);
    }
    free(few);
}

static void counts_on_the_gpu(void **state) {
    enum { COUNT = 3000 };
    const uint32_t counts[] = {0, 1, COUNT - 1, COUNT, COUNT + 1, UINT32_MAX};
    uint32_t *some = numbers(COUNT, 0, 1);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        Twins twins = open_twins(*state, &kinds[i % 2 ? 1 : 6], 8000, MUR_RESERVED_VALUE_MAX);
        const Verb verbs[] = {INSERT, FIND, ERASE};
        for (int v = 0; v < 3; ++v) {
            const Batch batch = {.verb = verbs[v],
                                 .count = COUNT,
                                 .counted = true,
                                 .gpuCount = counts[i],
                                 .outputs = ALL,
                                 .numbers = some};
            run(&twins, &batch, 0);
            require_same(&twins, COUNT + 1);
        }
        close_twins(&twins);
    }
    free(some);
}

/* Enough for this batch is enough, less is served directly, misaligned is an error. */
static void scratch_memory(void **state) {
    Gpu *gpu = *state;
    enum { COUNT = 112 }; /* a multiple of 4: arrays need no padding */
    Twins twins = open_twins(gpu, &kinds[1], 1000, MUR_RESERVED_VALUE_MAX);
    uint32_t *some = numbers(COUNT, 0, 1);
    const Batch plain = {.verb = INSERT, .count = COUNT, .numbers = some};
    run(&twins, &plain, 0);
    assert_true(twins.sides[1].sorted);
    require_same(&twins, COUNT + 1);
    run(&twins, &plain, 1);
    assert_false(twins.sides[1].sorted);
    const Batch erase = {.verb = ERASE, .count = COUNT, .outputs = ALL, .numbers = some};
    run(&twins, &erase, 1);
    assert_false(twins.sides[1].sorted);
    require_same(&twins, COUNT + 1);
    free(some);
    GpuBuffer buffer = gpu_buffer(gpu, 64);
    const MurBatch items = {.maxCount = 1,
                            .keys = gpu_part(&buffer, 0, 1),
                            .values = gpu_part(&buffer, 1, 1),
                            .scratch = {buffer.address + 8, 16}};
    gpu_begin(gpu);
    MurTable table = twins.sides[0].table;
    assert_int_equal(murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &items),
                     MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(murCmdFind(gpu->cmd, table, &items), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(murCmdErase(gpu->cmd, table, &items), MUR_ERROR_INVALID_ARGUMENT);
    gpu_submit(gpu);
    gpu_free(gpu, &buffer);
    close_twins(&twins);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(every_format_and_command),
        gpu_test(counts_around_a_tile),
        gpu_test(capacities_around_the_bins),
        gpu_test(repeated_keys),
        gpu_test(repeated_sums),
        gpu_test(counts_on_the_gpu),
        gpu_test(scratch_memory),
    };
    return cmocka_run_group_tests_name("sorted", tests, gpu_group_setup, gpu_group_teardown);
}
