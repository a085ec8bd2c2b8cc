/* What the tests of formats share.
 *
 * SPDX-License-Identifier: MIT */
#include "formats.h"

#include <stdlib.h>
#include <string.h>

const FormatKind format_kinds[KIND_COUNT] = {
    {"K64V32, 32-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32},
    {"K64V32, 64-bit atomics", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64},
    {"K64V64", MUR_FORMAT_K64V64, MUR_ATOMIC_WIDTH_64},
    {"K32", MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32},
    {"K64", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64},
};

void for_each_kind(void **state, void (*test)(Gpu *gpu, const FormatKind *kind)) {
    for (uint32_t i = 0; i < KIND_COUNT; ++i) {
        print_message("%s\n", format_kinds[i].name);
        test(*state, &format_kinds[i]);
    }
}

uint64_t hard_key(uint32_t format, uint32_t seed, uint32_t i) {
    /* The first pairs of words go through everything that the markers and 0 can be taken for. */
    static const uint32_t lows[] = {0, UINT32_MAX, UINT32_MAX - 1, 1, 0x12345678, 7};
    static const uint32_t highs[] = {0,          UINT32_MAX, UINT32_MAX - 1, 1,
                                     0x80000000, 0x80000001, 0x80000002,     0x7FFFFFFF};
    if (format != MUR_FORMAT_K32) {
        const uint64_t hash = (uint64_t)highs[i % 8] << 32 | lows[i / 8];
        return model_key(format, hash, seed);
    }
    const uint32_t hash = i < 8 ? highs[i] : i < 28 ? UINT32_MAX - 1 - (i - 6) : 0x80000000 + i;
    return model_key(format, hash, seed);
}

static ModelConfig pair_config(const MurTableRef *ref, const FormatKind *kind,
                               const PairOptions *options) {
    const bool set = model_is_set(kind->format);
    return (ModelConfig){
        .format = kind->format,
        .capacity = options->capacity,
        .slotCount = ref->slotCount,
        .seed = options->seed,
        .probeLimit = options->probeLimit,
        .zero = options->zero && !set,
        .wide = kind->width == MUR_ATOMIC_WIDTH_64,
    };
}

VkDeviceSize pair_open_in(Gpu *gpu, Pair *pair, const FormatKind *kind, const PairOptions *options,
                          const GpuBuffer *buffer, VkDeviceSize offset) {
    MurTableCreateInfo info = {
        .capacity = options->capacity,
        .seed = options->seed,
        .reservedValue = options->zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = kind->width,
        .format = kind->format,
        .probeLimit = options->probeLimit,
        .uses = {options->moves ? murUseRehash() : NULL},
    };
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needs));
    assert_int_equal(needs.slotCount, model_slot_count(kind->format, options->capacity));
    assert_int_equal(needs.size, 256 + 4ull * model_slot_words(kind->format) * needs.slotCount);
    *pair = (Pair){0};
    if (!buffer) {
        pair->memory = gpu_buffer(gpu, needs.size);
        buffer = &pair->memory;
    }
    info.memory = (MurBufferRange){buffer->buffer, offset, needs.size};
    assert_true(offset + needs.size <= buffer->size);
    gpu_require(murCreateTable(gpu->context, &info, &pair->table));
    gpu_require(murBlockingClear(gpu->blocking, pair->table));
    pair->words = (const uint32_t *)((const char *)buffer->mapped + offset);
    const MurTableRef ref = murGetTableRef(pair->table);
    const ModelConfig config = pair_config(&ref, kind, options);
    model_open(&pair->model, &config);
    assert_int_equal(ref.probeSectors, pair->model.probeSectors);
    return (offset + needs.size + 255) / 256 * 256;
}

void pair_open(Gpu *gpu, Pair *pair, const FormatKind *kind, const PairOptions *options) {
    pair_open_in(gpu, pair, kind, options, NULL, 0);
}

void pair_close(Gpu *gpu, Pair *pair) {
    model_close(&pair->model);
    murDestroyTable(pair->table);
    if (pair->memory.buffer) {
        gpu_free(gpu, &pair->memory);
    }
}

void pair_require_same(Gpu *gpu, const Pair *pair) {
    const size_t words = model_image_words(&pair->model);
    uint32_t *expected = malloc(4 * words);
    assert_non_null(expected);
    model_image(&pair->model, expected);
    for (size_t w = 0; w < words; ++w) {
        if (pair->words[w] != expected[w]) {
            print_error("word %zu of %zu is 0x%x, not 0x%x\n", w, words, pair->words[w],
                        expected[w]);
            fail();
        }
    }
    free(expected);
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, pair->table, &stats));
    const MurStats right = model_stats(&pair->model);
    if (memcmp(&stats, &right, sizeof stats) != 0) {
        print_error("statistics: live %u, erased %u, free %u, probes %llu, longest %u\n"
                    "     not: live %u, erased %u, free %u, probes %llu, longest %u\n",
                    stats.live, stats.erased, stats.free, (unsigned long long)stats.probeSum,
                    stats.probeMax, right.live, right.erased, right.free,
                    (unsigned long long)right.probeSum, right.probeMax);
        fail();
    }
}

void pair_adopt(Pair *pair) {
    const char *wrong = model_adopt(&pair->model, pair->words);
    if (wrong) {
        fail_msg("%s", wrong);
    }
}

static bool wide_keys(uint32_t format) {
    return format != MUR_FORMAT_K32;
}

static bool wide_values(uint32_t format) {
    return format == MUR_FORMAT_K64V64;
}

Bulk bulk_open(uint32_t format, uint32_t count) {
    Bulk bulk = {.format = format, .count = count};
    bulk.keys = calloc(count + 1, 8);
    bulk.values = calloc(count + 1, 8);
    bulk.statuses = calloc(count + 1, 4);
    bulk.slots = calloc(count + 1, 4);
    assert_true(bulk.keys && bulk.values && bulk.statuses && bulk.slots);
    return bulk;
}

void bulk_close(Bulk *bulk) {
    free(bulk->keys);
    free(bulk->values);
    free(bulk->statuses);
    free(bulk->slots);
}

static void put(void *array, uint32_t i, bool wide, uint64_t number) {
    if (wide) {
        ((uint64_t *)array)[i] = number;
    } else {
        ((uint32_t *)array)[i] = (uint32_t)number;
    }
}

static uint64_t get(const void *array, uint32_t i, bool wide) {
    return wide ? ((const uint64_t *)array)[i] : ((const uint32_t *)array)[i];
}

void bulk_set(Bulk *bulk, uint32_t i, uint64_t key, uint64_t value) {
    put(bulk->keys, i, wide_keys(bulk->format), key);
    put(bulk->values, i, wide_values(bulk->format), value);
}

uint64_t bulk_key(const Bulk *bulk, uint32_t i) {
    return get(bulk->keys, i, wide_keys(bulk->format));
}

uint64_t bulk_value(const Bulk *bulk, uint32_t i) {
    return model_is_set(bulk->format) ? 0 : get(bulk->values, i, wide_values(bulk->format));
}

void *bulk_values(const Bulk *bulk) {
    return model_is_set(bulk->format) ? NULL : bulk->values;
}
