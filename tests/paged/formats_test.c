/* Random frames on paged tables of every format and atomic width, with pages of several sizes.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "random_frames.h"

#include "support/seed.h"

static void formats(void **state) {
    Gpu *gpu = *state;
    Random random = {test_seed(0xF04A75)};
    for (uint32_t format = 0; format < MUR_FORMAT_COUNT; ++format) {
        for (uint32_t wide = 0; wide < 2; ++wide) {
            const bool one = format != MUR_FORMAT_K32V32 && format != MUR_FORMAT_K64V32;
            if ((one && wide) || ((wide || format >= MUR_FORMAT_K64) && !gpu->int64Atomics)) {
                continue;
            }
            for (uint32_t i = 0; i < 4; ++i) {
                const PagedOptions options = {
                    .info = {.format = format,
                             .seed = 0xA5EED,
                             .shift = 12,
                             .atomicWidth = one    ? MUR_ATOMIC_WIDTH_DEFAULT
                                            : wide ? MUR_ATOMIC_WIDTH_64
                                                   : MUR_ATOMIC_WIDTH_32,
                             .reservedValue = (MurReservedValue)(i % 2),
                             .maxPending = 2048},
                    .pageCount = 64,
                    .pageSize = 4096u << i % 2,
                    .pageFrameCount = 1 + 5 * i,
                    .framesInFlight = 1 + i,
                    .chunkPages = i == 3 ? 16 : 0,
                    .keyCount = 8000,
                    .partitionKeys = 3000,
                };
                random_frames_on(gpu, &options, &random, 30, 1500);
            }
            paged_forget_kernel();
        }
    }
}

GPU_TEST_GROUP(main, "paged formats", gpu_test(formats))
