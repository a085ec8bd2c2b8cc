/* Growth under load in its full size, for a real GPU.
 * SPDX-License-Identifier: MIT */
#include "engine.h"

GPU_TEST(from_a_thousand_to_four_million_entries) {
    const LoadCase test = {
        .format = MUR_FORMAT_K32V32, .inFlight = 2, .from = 1 << 10, .to = 1 << 22, .frames = 500};
    grow_under_load(gpu, &test);
}

GPU_TEST(from_a_thousand_to_four_million_entries_of_64_bits) {
    const LoadCase test = {
        .format = MUR_FORMAT_K64V32, .inFlight = 2, .from = 1 << 10, .to = 1 << 22, .frames = 500};
    grow_under_load(gpu, &test);
}
