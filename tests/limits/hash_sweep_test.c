/* Tests that mur_key undoes mur_hash for all 2^32 words. Only in the long tier.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

PLAIN_TEST(mur_key_undoes_mur_hash_everywhere) {
    const uint32_t seed = 0x9E3779B9;
    uint32_t word = 0;
    do {
        if (mur_key(mur_hash(word, seed), seed) != word) {
            fail_msg("word 0x%x, seed 0x%x", word, seed);
        }
    } while (++word != 0);
}
