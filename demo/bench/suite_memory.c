/* Bytes a pair by load: what the requirements of a table come to. SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"

static bool oneCapacity(Bench *bench, uint64_t capacity) {
    static const double loads[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    const MurTableCreateInfo info = {.capacity = capacity};
    MurTableRequirements needs;
    if (!gpuCheck(murGetTableRequirements(bench->gpu.context, &info, &needs), "memory")) {
        return false;
    }
    if (needs.size != MUR_HEADER_SIZE + MUR_SLOT_SIZE * (VkDeviceSize)needs.slotCount ||
        needs.slotCount < capacity) {
        return sayError("memory: %llu bytes for %u slots and a capacity of %llu",
                        (unsigned long long)needs.size, needs.slotCount,
                        (unsigned long long)capacity);
    }
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; ++i) {
        Row row = {.suite = "memory",
                   .operation = "bytes a pair",
                   .pairs = (uint32_t)((double)capacity * loads[i]),
                   .capacity = capacity,
                   .load = loads[i],
                   .format = "K32V32",
                   .tableBytes = needs.size,
                   .unit = "B"};
        snprintf(row.variant, sizeof row.variant, "%llu B in all", (unsigned long long)needs.size);
        row.rate = (double)needs.size / row.pairs;
        if (!benchRow(bench, &row)) {
            return false;
        }
    }
    return true;
}

bool suiteMemory(Bench *bench) {
    return oneCapacity(bench, 1u << 10) && oneCapacity(bench, 1u << 16) &&
           oneCapacity(bench, bench->options.quick ? 1u << 20 : 1u << 25);
}
