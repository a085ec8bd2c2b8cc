/* Growth under load in its full size, for a real GPU.
 *
 * SPDX-License-Identifier: MIT */
#include "load.h"

static void from_a_thousand_to_four_million_entries(void **state) {
    const LoadCase test = {
        .format = MUR_FORMAT_K32V32, .inFlight = 2, .from = 1 << 10, .to = 1 << 22, .frames = 500};
    grow_under_load(*state, &test);
}

static void the_same_with_64_bit_keys(void **state) {
    const LoadCase test = {
        .format = MUR_FORMAT_K64V32, .inFlight = 2, .from = 1 << 10, .to = 1 << 22, .frames = 500};
    grow_under_load(*state, &test);
}

GPU_TEST_GROUP(main, "growth, full size", gpu_test(from_a_thousand_to_four_million_entries),
               gpu_test(the_same_with_64_bit_keys))
