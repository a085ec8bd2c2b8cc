/* Tests that the hash is a bijection, and that home slots follow the order of hashes.
 * tests/property compares the slots of keys in GLSL and C, tests/languages in all languages.
 * SPDX-License-Identifier: MIT */
#include "oracle/keys.h"
#include "oracle/pair.h"

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
