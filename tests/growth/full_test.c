/* Growth under load in its full size, for a real GPU.
 * SPDX-License-Identifier: MIT */
#include "engine.h"

GPU_TEST(from_a_thousand_to_four_million_entries) {
    for (uint32_t format = MUR_FORMAT_K32V32; format <= MUR_FORMAT_K64V32; ++format) {
        const LoadCase test = {
            .format = format, .inFlight = 2, .from = 1 << 10, .to = 1 << 22, .frames = 500};
        grow_under_load(gpu, &test);
    }
}
