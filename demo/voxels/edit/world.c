/* The world's memory and its kernels.
 *
 * SPDX-License-Identifier: MIT */
#include "world_internal.h"

#include "common/say.h"

#include <stdlib.h>
#include <string.h>

#define WORLD_SPIRV(kernel) GPU_SPIRV(voxels_spv_##kernel);
WORLD_SPIRV(edit_begin)
WORLD_SPIRV(edit_plan)
WORLD_SPIRV(edit_voxels)
WORLD_SPIRV(edit_smooth)
WORLD_SPIRV(edit_commit)
WORLD_SPIRV(edit_drop)
WORLD_SPIRV(edit_finish)
WORLD_SPIRV(copy)
WORLD_SPIRV(pick)
WORLD_SPIRV(flood_begin)
WORLD_SPIRV(flood_step)
WORLD_SPIRV(flood_plan)
WORLD_SPIRV(terrain_columns)
WORLD_SPIRV(terrain_plan)
WORLD_SPIRV(terrain_voxels)
WORLD_SPIRV(count)
WORLD_SPIRV(gather)

typedef struct KernelCode {
    const char *name;
    const uint32_t *code;
    const size_t *size;
    uint32_t pushSize;
} KernelCode;

#define WORLD_CODE(kernel, push) \
    { #kernel, voxels_spv_##kernel, &voxels_spv_##kernel##_size, (uint32_t)sizeof(push) }
static const KernelCode codes[WORLD_KERNELS] = {
    [WORLD_BEGIN] = WORLD_CODE(edit_begin, EditPush),
    [WORLD_PLAN] = WORLD_CODE(edit_plan, EditPush),
    [WORLD_VOXELS] = WORLD_CODE(edit_voxels, EditPush),
    [WORLD_SMOOTH] = WORLD_CODE(edit_smooth, EditPush),
    [WORLD_COMMIT] = WORLD_CODE(edit_commit, EditPush),
    [WORLD_DROP] = WORLD_CODE(edit_drop, EditPush),
    [WORLD_FINISH] = WORLD_CODE(edit_finish, EditPush),
    [WORLD_COPY] = WORLD_CODE(copy, EditPush),
    [WORLD_PICK] = WORLD_CODE(pick, PickPush),
    [WORLD_FLOOD_BEGIN] = WORLD_CODE(flood_begin, EditPush),
    [WORLD_FLOOD_STEP] = WORLD_CODE(flood_step, FloodPush),
    [WORLD_FLOOD_PLAN] = WORLD_CODE(flood_plan, EditPush),
    [WORLD_TERRAIN_COLUMNS] = WORLD_CODE(terrain_columns, TerrainPush),
    [WORLD_TERRAIN_PLAN] = WORLD_CODE(terrain_plan, TerrainPush),
    [WORLD_TERRAIN_VOXELS] = WORLD_CODE(terrain_voxels, TerrainPush),
    [WORLD_COUNT] = WORLD_CODE(count, CountPush),
    [WORLD_GATHER] = WORLD_CODE(gather, GatherPush),
};

_Static_assert(sizeof(WorldRef) == 80, "a WorldRef has no gaps");
_Static_assert(sizeof(TerrainPush) == 120, "push constants fit what every device has");
_Static_assert(sizeof(PickPush) == 128, "the same; the last word is the struct's alignment");
_Static_assert(sizeof(GatherPush) == 104, "push constants have no gaps");
_Static_assert(sizeof(Edit) == 48, "an Edit has no gaps");
_Static_assert(sizeof(EditResult) == 64, "a result has no gaps");
_Static_assert(sizeof(Pick) == 32, "a pick has no gaps");
_Static_assert(sizeof(EditBlock) % 8 == 0, "the alignment of a block");
_Static_assert(offsetof(FloodBlock, listSize) == 64, "a FloodBlock has no gaps");

/* A table that stays as it is, in memory of our own. */
static bool createTable(World *world, uint32_t capacity, MurReservedValue reserved,
                        const char *name, GpuBuffer *memory, MurTable *table) {
    MurContext context = world->gpu->context;
    MurTableCreateInfo info = worldTableInfo(capacity, reserved, name);
    MurTableRequirements requirements;
    if (!gpuCheck(murGetTableRequirements(context, &info, &requirements), name) ||
        !gpuCreateBuffer(world->gpu, requirements.size, GPU_DEVICE, name, memory)) {
        return false;
    }
    info.memory = (MurBufferRange){memory->buffer, 0, memory->size};
    return gpuCheck(murCreateTable(context, &info, table), name);
}

/* A region has up to 512 bricks; of surfaces, some 64. */
static uint32_t regionSlots(uint32_t tableSlots) {
    return tableSlots / 8 + 64;
}

static bool createTables(World *world) {
    const WorldOptions *options = &world->options;
    return worldCreateBricks(world) &&
           createTable(world, regionSlots(options->tableSlots), MUR_RESERVED_VALUE_ZERO,
                       "region table", &world->tables[0], &world->regions) &&
           createTable(world, options->floodBricks, MUR_RESERVED_VALUE_MAX, "flood table",
                       &world->tables[1], &world->floodTable);
}

static bool createBuffers(World *world) {
    const uint64_t regions = (uint64_t)murGetTableRef(world->regions).slotCount + 2;
    const uint64_t floods = (uint64_t)murGetTableRef(world->floodTable).slotCount + 2;
    const struct {
        const char *name;
        uint64_t size;
    } buffers[WORLD_BUFFERS] = {
        [WORLD_POOL] = {"brick pool", (uint64_t)world->poolBricks * BRICK_BYTES},
        [WORLD_STATE] = {"world state", 4 * STATE_WORDS},
        [WORLD_BLOCK] = {"edit", sizeof(EditBlock)},
        [WORLD_ITEMS] = {"bricks of an edit", 16 * (uint64_t)world->options.editBricks},
        [WORLD_RING] = {"undo ring", 16 * (uint64_t)world->ringSize},
        [WORLD_RECORDS] = {"undo records", 16 * EDIT_RECORDS},
        [WORLD_FREE_LIST] = {"free bricks", 4 * (uint64_t)world->poolBricks},
        [WORLD_MASKS] = {"region masks", 4 * MASK_WORDS * regions},
        [WORLD_CLIPBOARD] = {"clipboard", (world->options.clipboardBytes + 4) & ~(uint64_t)3},
        [WORLD_PICKED] = {"pick", sizeof(Pick)},
        [WORLD_FLOOD] = {"flood", sizeof(FloodBlock)},
        [WORLD_FLOOD_WANTED] = {"flood, wanted", 4 * FLOOD_MASK_WORDS * floods},
        [WORLD_FLOOD_REACHED] = {"flood, reached", 4 * FLOOD_MASK_WORDS * floods},
        [WORLD_FLOOD_LISTS] = {"flood, lists", 8 * floods},
        [WORLD_STATS] = {"statistics", sizeof(MurStats)},
        [WORLD_READBACK] = {"readback", WORLD_READBACKS * sizeof(Readback)},
    };
    for (uint32_t i = 0; i < WORLD_BUFFERS; ++i) {
        if (!gpuCreateBuffer(world->gpu, buffers[i].size,
                             i == WORLD_READBACK ? GPU_HOST : GPU_DEVICE, buffers[i].name,
                             &world->buffers[i])) {
            return false;
        }
    }
    memset(world->buffers[WORLD_READBACK].mapped, 0, WORLD_READBACKS * sizeof(Readback));
    return true;
}

static bool createKernels(World *world) {
    for (uint32_t i = 0; i < WORLD_KERNELS; ++i) {
        if (!gpuCreateKernel(world->gpu, codes[i].name, codes[i].code, *codes[i].size,
                             codes[i].pushSize, &world->kernels[i])) {
            return false;
        }
        sayProgress("making pipelines", i + 1, WORLD_KERNELS);
    }
    return true;
}

static bool createAll(World *world) {
    if (!createTables(world) || !createBuffers(world) || !createKernels(world)) {
        return false;
    }
    world->ref = (WorldRef){
        .regions = murGetTableRef(world->regions),
        .pool = world->buffers[WORLD_POOL].address,
        .state = world->buffers[WORLD_STATE].address,
    };
    return worldClear(world); /* which sees the first brick table */
}

World *worldCreate(Gpu *gpu, const WorldOptions *options) {
    World *world = calloc(1, sizeof *world);
    if (!world) {
        (void)sayError("no memory");
        return NULL;
    }
    world->gpu = gpu;
    world->options = *options;
    /* The ring has room for a whole edit besides the undo records, a quarter of whose memory may be
     * lists. */
    uint64_t pool = (options->poolBytes + options->undoBytes) / BRICK_BYTES;
    uint64_t ring = options->editBricks + options->undoBytes / 64;
    world->poolBricks = pool < 1 ? 1 : pool < WORLD_MAX_POOL ? (uint32_t)pool : WORLD_MAX_POOL;
    world->ringSize = ring < WORLD_MAX_POOL ? (uint32_t)ring : WORLD_MAX_POOL;
    if (createAll(world)) {
        return world;
    }
    worldDestroy(world);
    return NULL;
}

void worldDestroy(World *world) {
    if (!world) {
        return;
    }
    for (uint32_t i = 0; i < WORLD_KERNELS; ++i) {
        gpuDestroyKernel(world->gpu, &world->kernels[i]);
    }
    murDestroyGrowable(world->growable);
    murDestroyTable(world->regions);
    murDestroyTable(world->floodTable);
    for (uint32_t i = 0; i < 2; ++i) {
        gpuDestroyBuffer(world->gpu, &world->tables[i]);
    }
    for (uint32_t i = 0; i < WORLD_BUFFERS; ++i) {
        gpuDestroyBuffer(world->gpu, &world->buffers[i]);
    }
    free(world);
}

WorldRef worldRef(const World *world) {
    return world->ref;
}

VkDeviceAddress worldMasks(const World *world) {
    return world->buffers[WORLD_MASKS].address;
}

VkDeviceAddress worldClipboard(const World *world) {
    return world->buffers[WORLD_CLIPBOARD].address;
}

uint64_t worldBytes(const World *world) {
    uint64_t bytes = worldTableBytes(world);
    for (uint32_t i = 0; i < 2; ++i) {
        bytes += world->tables[i].size;
    }
    for (uint32_t i = 0; i < WORLD_BUFFERS; ++i) {
        bytes += world->buffers[i].size;
    }
    return bytes;
}

WorldUse worldUse(const World *world) {
    uint64_t undo = 0;
    MurGrowableStatus table;
    murGetGrowableStatus(world->growable, &table);
    for (uint64_t i = world->oldest; i < world->next; ++i) {
        const Record *record = &world->records[i % EDIT_RECORDS];
        undo += 16 * record->changes + BRICK_BYTES * record->retained;
    }
    return (WorldUse){
        .bricks = world->last.bricks,
        .tableSlots = (uint32_t)table.capacity,
        .tableMost = world->options.tableSlots,
        .tableMoves = table.moves,
        .payloads = world->last.payloads,
        .poolBricks = world->poolBricks,
        .undoBytes = undo,
        .undoBudget = world->options.undoBytes,
        .waiting = world->flooding || world->probing,
    };
}

Pick worldPicked(const World *world) {
    return world->pick;
}

const MurStats *worldTableStats(const World *world) {
    return world->counted ? &world->stats : NULL;
}

/* Strokes in records from first up to before end, without those that changed nothing. */
static uint32_t strokesIn(const World *world, uint64_t first, uint64_t end) {
    uint32_t strokes = 0;
    uint32_t last = 0;
    for (uint64_t i = first; i < end; ++i) {
        const Record *record = &world->records[i % EDIT_RECORDS];
        const bool empty = record->known && record->changes == 0;
        strokes += !empty && (strokes == 0 || record->stroke != last);
        last = empty ? last : record->stroke;
    }
    return strokes;
}

uint32_t worldUndos(const World *world) {
    return strokesIn(world, world->oldest, world->next);
}

uint32_t worldRedos(const World *world) {
    return strokesIn(world, world->next, world->newest);
}

void worldCopied(const World *world, uint32_t size[3]) {
    memcpy(size, world->clip, sizeof world->clip);
}

bool worldNextReport(World *world, WorldReport *report) {
    if (world->reportCount == 0) {
        return false;
    }
    *report = world->reports[world->firstReport % WORLD_REPORTS];
    ++world->firstReport;
    --world->reportCount;
    return true;
}
