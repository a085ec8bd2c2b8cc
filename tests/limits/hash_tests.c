/* Tests that the hash is a bijection and equal in C and GLSL, and that home slots follow the order
 * of hashes.
 * SPDX-License-Identifier: MIT */
#include "oracle/keys.h"
#include "oracle/pair.h"

#include <string.h>

GPU_SPIRV(hash_spv);

static const uint32_t special[] = {0,          1,          2,          0x7FFFFFFF,
                                   0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF};
enum { SPECIAL_COUNT = sizeof special / sizeof special[0] };

/* Checks both hashes. The 32-bit hash is of the low word. */
static void check_inverse(uint64_t word, uint32_t seed) {
    const uint32_t low = (uint32_t)word;
    if (mur_key(mur_hash(low, seed), seed) != low || mur_hash(mur_key(low, seed), seed) != low ||
        mur_key64(mur_hash64(word, seed), seed) != word ||
        mur_hash64(mur_key64(word, seed), seed) != word) {
        fail_msg("word 0x%llx, seed 0x%x: hashes 0x%x, 0x%llx", (unsigned long long)word, seed,
                 mur_hash(low, seed), (unsigned long long)mur_hash64(word, seed));
    }
}

PLAIN_TEST(keys_are_the_inverse_of_hashes) {
    Random random = {1};
    for (uint32_t i = 0; i < 1000000; ++i) {
        check_inverse(random_next(&random), (uint32_t)random_next(&random));
    }
    for (uint32_t i = 0; i < SPECIAL_COUNT * SPECIAL_COUNT; ++i) {
        const uint64_t low = special[i % SPECIAL_COUNT], high = special[i / SPECIAL_COUNT];
        for (uint32_t j = 0; j < SPECIAL_COUNT; ++j) {
            check_inverse(high << 32 | low, special[j]);
        }
    }
}

/* Values of MurmurHash3's finalizers, computed by its published source (Austin Appleby, public
 * domain). The seed is combined by exclusive or. */
PLAIN_TEST(hashes_are_murmur3s_finalizers) {
    static const uint32_t narrow[][2] = {{0, 0},
                                         {1, 0x514E28B7},
                                         {0x80000000, 0x6D3C65A0},
                                         {0x12345678, 0xE37CD1BC},
                                         {UINT32_MAX, 0x81F16F39}};
    static const uint64_t wide[][2] = {{0, 0},
                                       {1, 0xB456BCFC34C2CB2C},
                                       {0x8000000000000000, 0x8F780810AF31A493},
                                       {0x0123456789ABCDEF, 0x87CBFBFE89022CEA},
                                       {UINT64_MAX, 0x64B5720B4B825F21}};
    for (size_t i = 0; i < 5; ++i) {
        assert_int_equal(mur_hash(narrow[i][0], 0), narrow[i][1]);
        assert_int_equal(mur_hash(narrow[i][0] ^ 0xDEADBEEE, 0xDEADBEEE), narrow[i][1]);
        assert_true(mur_hash64(wide[i][0], 0) == wide[i][1]);
    }
}

PLAIN_TEST(home_slots_follow_the_hash) {
    static const uint32_t capacities[] = {1,       2,          3,          5,         1000,
                                          1 << 16, 0x7FFFFFFF, 0x80000000, 0xFFFF0000};
    for (size_t c = 0; c < sizeof capacities / sizeof capacities[0]; ++c) {
        assert_int_equal(mur_home(0, capacities[c]), 0);
        assert_int_equal(mur_home(UINT32_MAX, capacities[c]), capacities[c] - 1);
        uint32_t before = 0;
        for (uint64_t hash = 0; hash <= UINT32_MAX; hash += 65521) {
            uint32_t home = mur_home((uint32_t)hash, capacities[c]);
            if (home < before || home >= capacities[c]) {
                fail_msg("capacity %u, hash 0x%llx: home %u after %u", capacities[c],
                         (unsigned long long)hash, home, before);
            }
            before = home;
        }
    }
}

/* The numbers of hashes per home slot must differ by at most one. */
PLAIN_TEST(hashes_are_distributed_evenly_over_homes) {
    const uint32_t capacity = 1000003;
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t home = 0; home < capacity; ++home) {
        uint64_t first = first_word(capacity, home);
        uint64_t next = home + 1 < capacity ? first_word(capacity, home + 1) : 1ull << 32;
        assert_int_equal(mur_home((uint32_t)first, capacity), home);
        assert_int_equal(mur_home((uint32_t)(next - 1), capacity), home);
        least = next - first < least ? next - first : least;
        most = next - first > most ? next - first : most;
    }
    assert_in_range(most - least, 0, 1);
}

/* hash.comp reads two words per key and writes seven words of results. */
enum { COUNT = 10000, RESULTS = 7 };

static void check_results(const uint32_t *words, const uint32_t *got, uint32_t seed,
                          uint32_t capacity) {
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t low = words[2 * i], high = words[2 * i + 1];
        const uint64_t hash = mur_hash64((uint64_t)high << 32 | low, seed);
        const uint64_t key = mur_key64((uint64_t)high << 32 | low, seed);
        const uint32_t expected[RESULTS] = {
            mur_hash(low, seed),    mur_key(low, seed), mur_home(low, capacity), (uint32_t)hash,
            (uint32_t)(hash >> 32), (uint32_t)key,      (uint32_t)(key >> 32)};
        for (uint32_t r = 0; r < RESULTS; ++r) {
            if (got[RESULTS * i + r] != expected[r]) {
                fail_msg("key 0x%x 0x%x, seed 0x%x, capacity %u, word %u: GLSL 0x%x, C 0x%x", low,
                         high, seed, capacity, r, got[RESULTS * i + r], expected[r]);
            }
        }
    }
}

GPU_TEST(hashes_in_glsl_and_c_agree) {
    GpuBuffer keys = gpu_buffer(gpu, COUNT * 8);
    GpuBuffer results = gpu_buffer(gpu, COUNT * 4 * RESULTS);
    uint32_t *words = keys.mapped;
    Random random = {2};
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint64_t bits = random_next(&random);
        const bool chosen = i < SPECIAL_COUNT * SPECIAL_COUNT;
        words[2 * i] = chosen ? special[i % SPECIAL_COUNT] : (uint32_t)bits;
        words[2 * i + 1] = chosen ? special[i / SPECIAL_COUNT] : (uint32_t)(bits >> 32);
    }
    struct Push {
        uint64_t keys, results;
        uint32_t count, seed, capacity, pad;
    } push = {keys.address, results.address, COUNT, 0, 0, 0};
    GpuKernel kernel = gpu_kernel(gpu, hash_spv, hash_spv_size, sizeof push, 0);
    static const uint32_t capacities[] = {1, 7, 65536, 0x80000001, 0xFFFF0000, 1000003};
    static const uint32_t seeds[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x9E3779B9};
    for (size_t c = 0; c < sizeof capacities / sizeof capacities[0]; ++c) {
        push.capacity = capacities[c];
        push.seed = seeds[c];
        memset(results.mapped, 0, (size_t)results.size);
        gpu_begin(gpu);
        gpu_dispatch(gpu, &kernel, &push, (COUNT + 63) / 64);
        gpu_submit(gpu);
        check_results(words, results.mapped, push.seed, push.capacity);
    }
    gpu_free(gpu, &keys);
    gpu_free(gpu, &results);
}
