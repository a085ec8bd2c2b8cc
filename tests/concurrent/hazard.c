/* Does the validation layer detect missing barriers, as the tests assume? The layer tracks bound
 * buffers and not device addresses, so this runs in bound-buffer mode. With the library's barrier
 * between two shaders of a table the layer must be silent; without the barrier it must report an
 * error.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

GPU_SPIRV(wipe_buffer);

/* Runs two shaders on a table: the storm, or a shader that empties the table. Returns the number of
 * validation messages (with a barrier: 0). */
static uint32_t run_two(Arena *arena, bool firstWipes, bool secondWipes, bool barrier) {
    Gpu *gpu = &arena->gpu;
    Trial trial = {
        .name = "hazard",
        .mix = storm_mix("KAFEKAFE"),
        .width = MUR_ATOMIC_WIDTH_32,
        .bound = true,
        .combines = trial_combines(true, false, false),
        .keyCount = 32,
        .present = 4,
        .seed = 0x4A2A2D,
    };
    MurTable table = trial_begin(arena, &trial);
    GpuKernel wipe = gpu_kernel(gpu, wipe_buffer, wipe_buffer_size, sizeof(StormPush), 1);
    const GpuKernel storm = trial_kernel(arena, &trial, table);
    gpu_bind(gpu, &wipe, 0, murGetTableMemory(table));
    const StormPush push = trial_push(arena, &trial, table);
    uint32_t groups = push.invocations / STORM_WORKGROUP;
    gpu_begin(gpu);
    gpu->expectMessages = !barrier;
    gpu_dispatch(gpu, firstWipes ? &wipe : &storm, &push, groups);
    if (barrier) {
        gpu_require(murCmdBarrier(gpu->cmd, table));
    }
    gpu_dispatch(gpu, secondWipes ? &wipe : &storm, &push, groups);
    gpu->expectMessages = false;
    trial_end(arena, &trial, table);
    trial_free(&trial);
    return gpu->expected;
}

/* Defines a case that is skipped without the validation layer. */
#define HAZARD_TEST(name) \
    GPU_TEST_OF_IF(name, gpu_validates(), Arena, arena, arena_setup, arena_teardown)

HAZARD_TEST(barrier_between_two_shaders_suffices) {
    for (uint32_t i = 0; i < 4; ++i) {
        run_two(arena, i & 1, i & 2, true);
    }
    assert_int_equal(arena->gpu.messages, arena->gpu.messagesBefore);
}

HAZARD_TEST(a_missing_barrier_is_reported) {
    const uint32_t before = run_two(arena, true, false, false);
    assert_true(before > 0);
    assert_true(run_two(arena, false, true, false) > before);
}
