/* The brick table grows, shrinks and is cleaned while frames are in flight. A frame of the growable
 * is not one of ours: edits of one frame come one after the other, each with its own bound, so each
 * is a frame of the growable.
 * SPDX-License-Identifier: MIT */
#include "store.h"

#include "common/message.h"

#include <string.h>

#define WORLD_KERNEL(name, shader, push) GPU_SPIRV(voxels_spv_##shader);
WORLD_KERNEL_LIST(WORLD_KERNEL)
#undef WORLD_KERNEL

typedef struct KernelCode {
    const char *name;
    const uint32_t *code;
    const size_t *size;
    uint32_t pushSize;
} KernelCode;

#define WORLD_KERNEL(name, shader, push) \
    {#shader, voxels_spv_##shader, &voxels_spv_##shader##_size, (uint32_t)sizeof(push)},
static const KernelCode codes[WORLD_KERNELS] = {WORLD_KERNEL_LIST(WORLD_KERNEL)};
#undef WORLD_KERNEL

enum {
    EDIT_GROUPS = 4096,    /* workgroups at most that loop; */
    EDIT_GROUPS_SLOW = 16, /* a processor has no more to do at once */
    TABLE_START = 1 << 18  /* slots of the brick table at first, and at least */
};

_Static_assert(sizeof(WorldRef) == 80, "a WorldRef has no gaps");
_Static_assert(sizeof(TerrainPush) == 120, "push constants fit what every device has");
_Static_assert(sizeof(PickPush) == 128, "the same; the last word is the struct's alignment");
_Static_assert(sizeof(GatherPush) == 104, "push constants have no gaps");
_Static_assert(sizeof(Edit) == 48, "an Edit has no gaps");
_Static_assert(sizeof(EditResult) == 32, "a result has no gaps");
_Static_assert(sizeof(Pick) == 32, "a pick has no gaps");
_Static_assert(sizeof(EditBlock) % 8 == 0, "the alignment of a block");
_Static_assert(offsetof(FloodBlock, listSize) == 64, "a FloodBlock has no gaps");

/* 32-bit atomics, so that the kernels need no optional feature. */
static MurTableCreateInfo tableInfo(uint64_t capacity, MurEmptyValue reserved, const char *name) {
    return (MurTableCreateInfo){
        .capacity = capacity,
        .seed = 0x9E3779B9u,
        .emptyValue = reserved,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .type = murTypeK64V32(),
        .pName = name,
    };
}

static bool createBricks(Store *store) {
    const uint32_t most = store->options.tableSlots;
    const uint32_t start = store->options.tableStart ? store->options.tableStart : TABLE_START;
    const MurGrowableCreateInfo info = {
        .table = tableInfo(most < start ? most : start, MUR_EMPTY_VALUE_MAX, "brick table"),
        .framesInFlight = MUR_GROWABLE_FRAMES,
        .maxCapacity = most,
    };
    return gpuCheck(murCreateGrowable(store->gpu->context, &info, &store->growable), "brick table");
}

static bool createTable(Store *store, uint32_t capacity, MurEmptyValue reserved, const char *name,
                        MurTable *table) {
    const MurTableCreateInfo info = tableInfo(capacity, reserved, name);
    return gpuCheck(murCreateTable(store->gpu->context, &info, table), name);
}

static bool createTables(Store *store) {
    const WorldOptions *options = &store->options;
    const uint32_t regions = options->tableSlots / 8 + 64; /* of surfaces, with some 64 bricks */
    return createBricks(store) &&
           createTable(store, regions, MUR_EMPTY_VALUE_ZERO, "region table", &store->regions) &&
           createTable(store, options->floodBricks, MUR_EMPTY_VALUE_MAX, "flood table",
                       &store->floodTable);
}

static bool createBuffers(Store *store, uint64_t readback) {
    const uint64_t regions = (uint64_t)murGetTableRef(store->regions).slotCount + 1;
    const uint64_t floods = (uint64_t)murGetTableRef(store->floodTable).slotCount + 1;
    const struct {
        const char *name;
        uint64_t size;
    } buffers[WORLD_BUFFERS] = {
        [WORLD_POOL] = {"brick pool", (uint64_t)store->poolBricks * BRICK_BYTES},
        [WORLD_STATE] = {"world state", 4 * STATE_WORDS},
        [WORLD_BLOCK] = {"edit", sizeof(EditBlock)},
        [WORLD_ITEMS] = {"bricks of an edit", 16 * (uint64_t)store->options.editBricks},
        [WORLD_RING] = {"undo ring", 16 * (uint64_t)store->ringSize},
        [WORLD_RECORDS] = {"undo records", 16 * EDIT_RECORDS},
        [WORLD_FREE_LIST] = {"free bricks", 4 * (uint64_t)store->poolBricks},
        [WORLD_MASKS] = {"region masks", 4 * MASK_WORDS * regions},
        [WORLD_CLIPBOARD] = {"clipboard", (store->options.clipboardBytes + 4) & ~(uint64_t)3},
        [WORLD_PICKED] = {"pick", sizeof(Pick)},
        [WORLD_FLOOD] = {"flood", sizeof(FloodBlock)},
        [WORLD_FLOOD_WANTED] = {"flood, wanted", 4 * FLOOD_MASK_WORDS * floods},
        [WORLD_FLOOD_REACHED] = {"flood, reached", 4 * FLOOD_MASK_WORDS * floods},
        [WORLD_FLOOD_LISTS] = {"flood, lists", 8 * floods},
        [WORLD_STATS] = {"statistics", sizeof(MurStats)},
        [WORLD_READBACK] = {"readback", readback},
    };
    for (uint32_t i = 0; i < WORLD_BUFFERS; ++i) {
        if (!gpuCreateBuffer(store->gpu, buffers[i].size,
                             i == WORLD_READBACK ? GPU_HOST : GPU_DEVICE, buffers[i].name,
                             &store->buffers[i])) {
            return false;
        }
    }
    memset(store->buffers[WORLD_READBACK].mapped, 0, readback);
    return true;
}

static bool createKernels(Store *store) {
    for (uint32_t i = 0; i < WORLD_KERNELS && !store->kernels[i].layout; ++i) {
        if (!gpuCreateKernel(store->gpu, codes[i].name, codes[i].code, *codes[i].size,
                             codes[i].pushSize, &store->kernels[i])) {
            return false;
        }
        sayProgress("making pipelines", i + 1, WORLD_KERNELS);
    }
    return true;
}

bool storeCreate(Gpu *gpu, const WorldOptions *options, uint64_t readback, Store *store) {
    /* The ring has room for a whole edit and the undo records, a quarter of whose memory may be
     * lists. */
    const uint64_t pool = (options->poolBytes + options->undoBytes) / BRICK_BYTES;
    const uint64_t ring = options->editBricks + options->undoBytes / 64;
    store->gpu = gpu;
    store->options = *options;
    store->poolBricks = pool < 1 ? 1 : pool < WORLD_MAX_POOL ? (uint32_t)pool : WORLD_MAX_POOL;
    store->ringSize = ring < WORLD_MAX_POOL ? (uint32_t)ring : WORLD_MAX_POOL;
    if (!createTables(store) || !createBuffers(store, readback) || !createKernels(store)) {
        return false;
    }
    store->ref = (WorldRef){
        .regions = murGetTableRef(store->regions),
        .pool = store->buffers[WORLD_POOL].address,
        .state = store->buffers[WORLD_STATE].address,
    };
    return true;
}

void storeDestroy(Store *store) {
    for (uint32_t i = 0; i < WORLD_KERNELS; ++i) {
        gpuDestroyKernel(store->gpu, &store->kernels[i]);
    }
    murDestroyGrowable(store->growable);
    murDestroyTable(store->regions);
    murDestroyTable(store->floodTable);
    for (uint32_t i = 0; i < WORLD_BUFFERS; ++i) {
        gpuDestroyBuffer(store->gpu, &store->buffers[i]);
    }
}

MurGrowableStatus storeTable(const Store *store) {
    MurGrowableStatus status;
    murGetGrowableStatus(store->growable, &status);
    return status;
}

uint64_t storeBytes(const Store *store) {
    uint64_t bytes = murGetTableMemory(store->bricks).size +
                     murGetTableMemory(store->regions).size +
                     murGetTableMemory(store->floodTable).size;
    for (uint32_t i = 0; i < WORLD_BUFFERS; ++i) {
        bytes += store->buffers[i].size;
    }
    return bytes;
}

void storeGrow(Store *store, uint64_t inserts) {
    const MurGrowableFrame frame = {
        .frame = store->clock + 1,
        .completedFrame = store->done,
        .maxInserts = inserts,
    };
    MurGrowableFrameTable use;
    storeBarrier(store);
    if (!gpuCheck(murCmdBeginGrowableFrame(store->gpu->cmd, store->growable, &frame, &use),
                  "brick table")) {
        return;
    }
    storeBarrier(store);
    ++store->clock;
    store->bricks = use.table;
    store->ref.bricks = murGetTableRef(use.table);
}

void storeDispatch(Store *store, WorldKernel kernel, const void *push, uint32_t x, uint32_t y,
                   uint32_t z) {
    gpuDispatch(store->gpu, &store->kernels[kernel], push, x, y, z);
    gpuComputeBarrier(store->gpu);
}

/* Vulkan guarantees 65,535 workgroups a dimension, so large grids get rows. */
void storeDispatchItems(Store *store, WorldKernel kernel, const void *push, uint64_t items) {
    uint64_t groups = (items + 63) / 64;
    uint64_t rows = (groups + 65534) / 65535;
    storeDispatch(store, kernel, push, (uint32_t)((groups + rows - 1) / rows), (uint32_t)rows, 1);
}

uint32_t storeGroups(const Store *store, uint64_t bricks, uint32_t each) {
    const uint64_t most = gpuIsSlow(store->gpu) ? EDIT_GROUPS_SLOW : EDIT_GROUPS;
    const uint64_t groups = (bricks + each - 1) / each;
    return (uint32_t)(groups < 1 ? 1 : groups < most ? groups : most);
}

void storeBarrier(Store *store) {
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(store->gpu->cmd, stages, stages, 0, 1, &memory, 0, NULL, 0, NULL);
}
