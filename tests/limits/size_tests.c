/* Tests the sizes of tables, also of tables that are too large for the device. For these, the
 * device is made to report a larger heap.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

static VkDeviceSize claimed; /* reported size of the device's largest heap */

static void claim(VkPhysicalDeviceMemoryProperties *memory) {
    for (uint32_t i = 0; i < memory->memoryHeapCount; ++i) {
        memory->memoryHeaps[i].size = claimed;
    }
}

static void open_claiming(Observed *observed, Gpu *gpu, VkDeviceSize size) {
    const MurContextCreateInfo info = observe(observed, gpu);
    claimed = size;
    interposition.bendMemory = claim;
    gpu_require(murCreateContext(&info, &observed->context));
}

static void check_requirements(MurContext context, uint64_t capacity, uint32_t *lastSlotCount) {
    const MurTableCreateInfo info = {.capacity = capacity};
    MurTableRequirements requirements = {0};
    gpu_require(murGetTableRequirements(context, &info, &requirements));
    assert_int_equal(requirements.alignment, MUR_TABLE_ALIGNMENT);
    assert_int_equal(requirements.usage, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    assert_int_equal(requirements.memoryProperties, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    uint64_t slotCount = requirements.slotCount;
    if (requirements.size != 256 + 8 * slotCount || slotCount % 4 != 0 || slotCount <= capacity ||
        slotCount < *lastSlotCount || slotCount == UINT32_MAX) {
        fail_msg("capacity %llu: %llu bytes, %llu slots, fewer were %u",
                 (unsigned long long)capacity, (unsigned long long)requirements.size,
                 (unsigned long long)slotCount, *lastSlotCount);
    }
    /* The padding takes entries whose probes leave the capacity, and must not waste memory. */
    assert_in_range(slotCount - capacity, 4, capacity / 8 + 8);
    *lastSlotCount = requirements.slotCount;
}

GPU_TEST(sizes_are_exact_at_every_capacity) {
    Observed observed;
    open_claiming(&observed, gpu, UINT64_MAX);
    uint32_t last = 0;
    uint64_t capacity = 1;
    for (; capacity <= 70000; ++capacity) {
        check_requirements(observed.context, capacity, &last);
    }
    for (; capacity < MUR_MAX_CAPACITY; capacity += capacity / 1000) {
        check_requirements(observed.context, capacity, &last);
    }
    check_requirements(observed.context, MUR_MAX_CAPACITY, &last);
    last = 0;
    for (uint32_t power = 1; power < 32; ++power) {
        check_requirements(observed.context, (1ull << power) - 1, &last);
        check_requirements(observed.context, 1ull << power, &last);
        check_requirements(observed.context, (1ull << power) + 1, &last);
    }
    check_requirements(observed.context, (1ull << 32) - 65536, &last);
    assert_true(256 + 8ull * last > 1ull << 34);
    observe_close(&observed);
}

GPU_TEST(device_memory_limits_the_capacity) {
    for (uint64_t capacity = 1000; capacity < MUR_MAX_CAPACITY; capacity *= 37) {
        Observed observed;
        open_claiming(&observed, gpu, UINT64_MAX);
        const MurTableCreateInfo info = {.capacity = capacity};
        MurTableRequirements requirements;
        gpu_require(murGetTableRequirements(observed.context, &info, &requirements));
        observe_close(&observed);
        open_claiming(&observed, gpu, requirements.size);
        gpu_require(murGetTableRequirements(observed.context, &info, &requirements));
        observe_close(&observed);
        open_claiming(&observed, gpu, requirements.size - 1);
        VkResult result = murGetTableRequirements(observed.context, &info, &requirements);
        expect_error(&observed, result, MUR_ERROR_TOO_LARGE, "this device allocates",
                     "one byte less");
        observe_close(&observed);
    }
}
