/* SPDX-License-Identifier: MIT */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

static void run_kind(Gpu *gpu, const TableKind *kind, KindTest test) {
    if (gpu_offers(gpu, kind->format, kind->width)) {
        print_message("%s\n", kind->name);
        test(gpu, kind);
    }
}

void for_each_kind(Gpu *gpu, KindTest test) {
    for (uint32_t i = 0; i < ALL_KINDS; ++i) {
        if (kind_is_usual(&table_kinds[i])) {
            run_kind(gpu, &table_kinds[i], test);
        }
    }
}

void for_each_linear_kind(Gpu *gpu, KindTest test) {
    for (uint32_t i = 0; i < TABLE_KINDS; ++i) {
        if (kind_is_usual(&table_kinds[i])) {
            run_kind(gpu, &table_kinds[i], test);
        }
    }
}

void for_each_layout(Gpu *gpu, KindTest test) {
    for (Layout layout = 0; layout < LAYOUT_COUNT; ++layout) {
        run_kind(gpu, layout_kind(layout, false), test);
    }
}

VkDeviceSize pair_open_in(Gpu *gpu, Pair *pair, const TableKind *kind, const PairOptions *options,
                          const GpuBuffer *buffer, VkDeviceSize offset) {
    MurTableCreateInfo info = kind_info(kind, options->capacity);
    info.seed = options->seed;
    info.probeLimit = options->probeLimit;
    info.flags |= options->ages ? MUR_TABLE_AGES : 0;
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needs));
    *pair = (Pair){.kind = kind};
    const OracleConfig config = {
        .format = kind->format,
        .capacity = options->capacity,
        .slotCount = kind->flags ? (options->capacity + 127) / 128 * 128
                                 : oracle_slot_count(kind->format, options->capacity),
        .seed = options->seed,
        .probeLimit = options->probeLimit,
        .zero = kind->zero,
        .wide = kind_is_wide(kind),
        .flags = kind->flags | info.flags,
    };
    oracle_open(&pair->oracle, &config);
    assert_int_equal(needs.slotCount, config.slotCount);
    assert_int_equal(needs.size, 4 * oracle_image_words(&pair->oracle));
    if (!buffer) {
        pair->memory = gpu_buffer(gpu, needs.size);
        buffer = &pair->memory;
    }
    info.memory = (MurBufferRange){buffer->buffer, offset, needs.size};
    assert_true(offset + needs.size <= buffer->size);
    gpu_require(murCreateTable(gpu->context, &info, &pair->table));
    gpu_require(murBlockingClear(gpu->blocking, pair->table));
    pair->words = (uint32_t *)((char *)buffer->mapped + offset);
    const MurTableRef ref = murGetTableRef(pair->table);
    assert_int_equal(ref.capacity, config.capacity);
    assert_int_equal(ref.seed, config.seed);
    assert_int_equal(ref.probeSectors, pair->oracle.probeSectors);
    assert_int_equal(ref.flags, kind->format << MUR_TABLE_FORMAT_SHIFT |
                                    (config.wide ? MUR_TABLE_INT64 : 0) |
                                    (kind->zero ? MUR_TABLE_ZERO : 0) | config.flags);
    assert_int_equal(ref.address % 32, 0);
    return (offset + needs.size + 255) / 256 * 256;
}

void pair_open(Gpu *gpu, Pair *pair, const TableKind *kind, const PairOptions *options) {
    pair_open_in(gpu, pair, kind, options, NULL, 0);
}

void pair_close(Gpu *gpu, Pair *pair) {
    oracle_close(&pair->oracle);
    murDestroyTable(pair->table);
    if (pair->memory.buffer) {
        gpu_free(gpu, &pair->memory);
    }
}

/* Copies stale filter bits of the table to the oracle, because they are no error: they only cost
 * time. They occur in sets of 64-bit keys. A tombstone, or a key with a half of all ones, looks
 * half-claimed to a key with the same other half. An insert of that key tries to claim the slot,
 * for which it sets the filter bit, and then uses another slot. */
static void take_bits(const Pair *pair, size_t filters, uint32_t *expected) {
    const Oracle *oracle = &pair->oracle;
    const bool tries = pair->kind->layout == LAYOUT_buckets_k64_64;
    const uint32_t words = oracle->config.slotCount / 32; /* words of the front filter */
    const uint32_t first = oracle->filter * words;
    for (uint32_t w = first; tries && w < first + words; ++w) {
        oracle->filters[w] |= pair->words[filters + w];
        expected[filters + w] = oracle->filters[w];
    }
}

void pair_require_memory(const Pair *pair) {
    const size_t words = oracle_image_words(&pair->oracle);
    const Oracle *oracle = &pair->oracle;
    uint32_t *expected = test_allocate(4 * words);
    oracle_image(oracle, expected);
    oracle_sum_counters(oracle, pair->words);
    take_bits(pair, MUR_HEADER_WORDS + 2 * (size_t)oracle->config.slotCount, expected);
    for (size_t w = 0; w < words; ++w) {
        if (pair->words[w] != expected[w]) {
            fail_msg("%s: word %zu of %zu is 0x%x, not 0x%x", pair->kind->name, w, words,
                     pair->words[w], expected[w]);
        }
    }
    free(expected);
}

void pair_require_same(Gpu *gpu, const Pair *pair) {
    pair_require_memory(pair);
    const MurStats stats = gpu_stats(gpu, pair->table);
    const MurStats right = oracle_stats(&pair->oracle);
    if (memcmp(&stats, &right, sizeof stats) != 0) {
        fail_msg("%s: statistics: live %u, erased %u, free %u, probes %llu, longest %u\n"
                 "     not: live %u, erased %u, free %u, probes %llu, longest %u",
                 pair->kind->name, stats.live, stats.erased, stats.freeSlots,
                 (unsigned long long)stats.probeSum, stats.probeMax, right.live, right.erased,
                 right.freeSlots, (unsigned long long)right.probeSum, right.probeMax);
    }
}

void pair_adopt(Pair *pair) {
    const char *wrong = oracle_adopt(&pair->oracle, pair->words);
    if (wrong) {
        fail_msg("%s: %s", pair->kind->name, wrong);
    }
}

void pair_insert(Gpu *gpu, const Pair *pair, MurInsertMode mode, Bulk *bulk) {
    gpu_require(murBlockingInsert(gpu->blocking, pair->table, mode, bulk->count, bulk->keys,
                                  bulk_values(bulk), bulk->statuses, bulk->slots));
}

void pair_find(Gpu *gpu, const Pair *pair, Bulk *bulk) {
    gpu_require(murBlockingFind(gpu->blocking, pair->table, bulk->count, bulk->keys,
                                bulk_values(bulk), bulk->statuses, bulk->slots));
}

void pair_erase(Gpu *gpu, const Pair *pair, Bulk *bulk) {
    gpu_require(murBlockingErase(gpu->blocking, pair->table, bulk->count, bulk->keys,
                                 bulk_values(bulk), bulk->statuses, bulk->slots));
}
