/* Tables whose slots the host has filled at random, which no inserts would make: the same hash in
 * several slots, keys before and far beyond their probes, any probe limit, any claim about the
 * order. What a probe finds there is what its definition says, sector by sector.
 *
 * SPDX-License-Identifier: MIT */
#include "lookup.h"

#include <stdio.h>
#include <string.h>

/* A table in memory that the host can write. */
typedef struct Image {
    MurTable table;
    MurTableRef ref;
    GpuBuffer memory;
    uint32_t *words; /* header, then slots */
    uint32_t none;
} Image;

static void image_open(Image *image, Gpu *gpu, uint64_t capacity, bool zero) {
    MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = 0xC0FFEE,
        .reservedValue = zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .probeLimit = UINT64_MAX,
    };
    MurTableRequirements requirements;
    gpu_require(murGetTableRequirements(gpu->context, &info, &requirements));
    image->memory = gpu_buffer(gpu, requirements.size);
    info.memory = (MurBufferRange){image->memory.buffer, 0, requirements.size};
    image->table = gpu_table(gpu, &info);
    image->ref = murGetTableRef(image->table);
    image->words = image->memory.mapped;
    image->none = zero ? 0 : UINT32_MAX;
}

static void image_close(Image *image, Gpu *gpu) {
    murDestroyTable(image->table);
    gpu_free(gpu, &image->memory);
}

static uint32_t *slot_words(const Image *image, uint32_t slot) {
    return image->words +
           (slot == image->ref.slotCount ? MUR_HEADER_EXTRA : MUR_HEADER_WORDS + 2 * slot);
}

/* A few hashes come often, so that first matches have rivals. */
static uint32_t some_hash(Random *random) {
    const uint32_t pick = random_below(random, 64);
    return pick == 0  ? MUR_EMPTY
           : pick < 8 ? mur_hash(pick, 99)
                      : (uint32_t)(random_next(random) >> 32);
}

static void image_fill(Image *image, Random *random, uint32_t percent, uint32_t state) {
    for (uint32_t slot = 0; slot <= image->ref.slotCount; ++slot) {
        const bool taken = random_below(random, 100) < percent;
        const bool erased = random_below(random, 10) == 0;
        uint32_t *words = slot_words(image, slot);
        words[0] = taken && slot != image->ref.slotCount ? some_hash(random) : MUR_EMPTY;
        words[1] = taken && !erased ? 1 + slot : image->none;
    }
    image->words[MUR_HEADER_STATE] = state;
}

/* Half of the queries are for hashes that are somewhere in the table. */
static void ask(const Image *image, Random *random, Query *queries, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = random_below(random, image->ref.slotCount);
        const uint32_t hash = random_below(random, 2) ? slot_words(image, slot)[0]
                                                      : some_hash(random);
        queries[i] = (Query){mur_key(hash, image->ref.seed), random_below(random, 8) != 0};
    }
}

/* Where a probe for the hash ends that examines one sector after another. */
static uint32_t probe(const Image *image, uint32_t hash, bool ordered) {
    const MurTableRef *ref = &image->ref;
    const uint32_t home = (uint32_t)((uint64_t)hash * ref->capacity >> 32);
    if (hash == MUR_EMPTY) {
        return ref->slotCount;
    }
    for (uint32_t i = 0; i < ref->probeSectors; ++i) {
        const uint32_t sector = (home / 4 + i) % (ref->slotCount / 4);
        for (uint32_t slot = 4 * sector; slot < 4 * sector + 4; ++slot) {
            if (slot_words(image, slot)[0] == hash) {
                return slot;
            }
        }
        for (uint32_t slot = i == 0 ? home : 4 * sector; slot < 4 * sector + 4; ++slot) {
            if (slot_words(image, slot)[0] == MUR_EMPTY) {
                return MUR_NO_SLOT;
            }
        }
        if (ordered && slot_words(image, 4 * sector + 3)[0] > hash) {
            return MUR_NO_SLOT;
        }
    }
    return MUR_NO_SLOT;
}

static void check_image(Lookup *lookup, const Image *image, uint32_t variant, uint32_t count,
                        const char *what) {
    const MurTableRef *ref = &image->ref;
    const uint32_t state = image->words[MUR_HEADER_STATE];
    const bool ordered = state == MUR_STATE_ORDERED && !variants[variant].coherent;
    lookup_run(lookup, variant, murGetTableMemory(image->table), *ref, count, what);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t hash = mur_hash(lookup_queries(lookup)[i].key, ref->seed);
        const uint32_t slot = probe(image, hash, ordered);
        const uint32_t value = slot == MUR_NO_SLOT ? image->none : slot_words(image, slot)[1];
        lookup_expect(lookup, variant, *ref, i, value == image->none ? MUR_NO_SLOT : slot, value,
                      what);
    }
}

static const uint32_t loads[] = {0, 50, 70, 80, 90, 95, 99, 100};
enum { LOADS = sizeof loads / sizeof loads[0] };

/* Every probe limit up to that of the table, all variants in turn. */
static void fill_and_check(Lookup *lookup, uint64_t capacity, uint32_t rounds, uint32_t state) {
    Random random = {capacity * 1000 + state};
    Image image;
    image_open(&image, lookup->gpu, capacity, capacity % 2 != 0);
    const uint32_t most = image.ref.probeSectors;
    for (uint32_t round = 0; round < rounds; ++round) {
        const uint32_t percent = loads[round % LOADS];
        const uint32_t count = 1 + random_below(&random, 700);
        const uint32_t variant = round / LOADS % VARIANT_COUNT;
        char what[128];
        image.ref.probeSectors = random_below(&random, 2) ? most : 1 + random_below(&random, most);
        image_fill(&image, &random, percent, state);
        ask(&image, &random, lookup_queries(lookup), count);
        snprintf(what, sizeof what, "capacity %u, state %u, round %u, load 0.%02u",
                 (uint32_t)capacity, state, round, percent);
        check_image(lookup, &image, variant, count, what);
    }
    image_close(&image, lookup->gpu);
}

static void any_image(Gpu *gpu, uint32_t state) {
    static const uint64_t capacities[] = {1, 5, 30, 127, 600, 2001};
    Lookup lookup;
    lookup_open(&lookup, gpu);
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        fill_and_check(&lookup, capacities[i], 2 * LOADS * VARIANT_COUNT, state);
    }
    lookup_close(&lookup);
}

static void images_without_order(void **state) {
    any_image(*state, 0);
}

static void images_in_order_that_wrap(void **state) {
    any_image(*state, MUR_STATE_ORDERED | MUR_STATE_WRAPPED);
}

int run_image_tests(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(images_without_order),
        gpu_test(images_in_order_that_wrap),
    };
    return cmocka_run_group_tests_name("cooperative: images", tests, gpu_group_setup,
                                       gpu_group_teardown);
}
