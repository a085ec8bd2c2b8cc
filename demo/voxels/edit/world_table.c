/* The brick table, which grows, shrinks and is cleaned while frames are in flight.
 *
 * A frame of the growable is not one of ours: edits of one frame come one after the other, each
 * with its own bound, so each is a frame of the growable. They end with the frame that they are in.
 *
 * SPDX-License-Identifier: MIT */
#include "world_internal.h"

/* A call when the frame begins and one for each operation; one more outside of frames. */
_Static_assert(GPU_FRAMES *(1 + WORLD_FRAME_OPERATIONS) + 1 <= MUR_GROWABLE_FRAMES,
               "the growable keeps as many frames");

/* 32-bit atomics, so that the kernels need no optional feature. */
MurTableCreateInfo worldTableInfo(uint64_t capacity, MurReservedValue reserved, const char *name) {
    return (MurTableCreateInfo){
        .capacity = capacity,
        .seed = 0x9E3779B9u,
        .reservedValue = reserved,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .format = MUR_FORMAT_K64V32,
        .pName = name,
    };
}

static MurTableCreateInfo bricksInfo(uint64_t capacity) {
    return worldTableInfo(capacity, MUR_RESERVED_VALUE_MAX, "brick table");
}

bool worldCreateBricks(World *world) {
    const uint32_t most = world->options.tableSlots;
    const uint32_t start = world->options.tableStart ? world->options.tableStart : TABLE_START;
    const MurGrowableCreateInfo info = {
        .table = bricksInfo(most < start ? most : start),
        .framesInFlight = MUR_GROWABLE_FRAMES,
        .maxCapacity = most,
    };
    return gpuCheck(murCreateGrowable(world->gpu->context, &info, &world->growable), "brick table");
}

uint64_t worldTableBytes(const World *world) {
    MurGrowableStatus status;
    MurTableRequirements needs = {0};
    murGetGrowableStatus(world->growable, &status);
    const MurTableCreateInfo info = bricksInfo(status.capacity);
    return murGetTableRequirements(world->gpu->context, &info, &needs) == VK_SUCCESS ? needs.size
                                                                                     : 0;
}

/* That it could not grow is no error here: an edit that finds it full is partial. */
void worldGrow(World *world, uint64_t inserts) {
    const MurGrowableFrame frame = {
        .frame = world->clock + 1,
        .completedFrame = world->done,
        .maxInserts = inserts,
    };
    MurGrowableUse use;
    worldBarrier(world);
    if (!gpuCheck(murCmdBeginGrowableFrame(world->gpu->cmd, world->growable, &frame, &use),
                  "brick table")) {
        return;
    }
    worldBarrier(world);
    ++world->clock;
    if (world->frames) {
        world->work[gpuFrameIndex(world->frames)].clock = world->clock;
    }
    if (use.source) {
        world->counted = false; /* it was another table */
    }
    world->bricks = use.table;
    world->ref.bricks = murGetTableRef(use.table);
}

void worldIsIdle(World *world) {
    world->done = world->clock;
}
