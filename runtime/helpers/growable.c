/* Growable tables: the host's bound of used slots, and the decisions that follow from it.
 *
 * The bound. At the beginning of an earlier frame, the GPU counted entries and tombstones. Every
 * insert declared since then may use one more slot. A move to another table drops the tombstones:
 * the bound of the new table is the counted entries plus the inserts declared since.
 * SPDX-License-Identifier: MIT */
#include "../objects/objects.h"

#include <murmuration/growable.h>

#include <string.h>

/* ENTRY_SIZE: bytes of a frame's statistics. STATS_INTERVAL: maximum number of frames between two
 * readings of statistics. Only statistics show erases, which frames do not declare. The actual
 * interval starts at 1, so that frames that declare too few inserts are detected early. */
enum { ENTRY_SIZE = 256, STATS_INTERVAL = 64 };
MUR_STATIC_ASSERT(sizeof(MurStats) <= ENTRY_SIZE && sizeof(MurRehashResult) <= ENTRY_SIZE);

#define DEFAULT_LOAD   0.75f
#define DEFAULT_ERASED 0.25f

/* The memory of the current or a former table: the engine's or the library's. */
typedef struct Place {
    MurTable table;
    MurBufferRange memory; /* memory of the engine; empty if the table has its own */
    MurBufferRange map;    /* the slot map of the move to the next table; empty before that */
    MurBuffer ownMap;      /* the buffer of the member map; empty if the engine provides it */
} Place;

typedef struct Retired {
    Place place;
    uint64_t frame; /* the last frame that uses it */
} Retired;

/* The content of a frame's record: none, statistics of the table, or results of a move. */
typedef enum Kind { KIND_NONE, KIND_STATS, KIND_MOVE } Kind;
typedef struct Record {
    Kind kind;
    uint64_t frame;
    uint64_t declared; /* inserts that were declared before this frame */
    uint32_t moves;    /* number of moves up to these counts */
} Record;

/* The GPU's counts of entries and tombstones at the beginning of a frame. */
typedef struct Known {
    uint64_t frame;
    uint64_t live, erased;
    uint64_t declared;
} Known;

struct MurGrowable_T {
    MurContext context;
    MurGrowableCreateInfo info;
    Place place;
    uint64_t capacity;
    bool cleared;
    Retired retired[MUR_GROWABLE_FRAMES];
    uint32_t retiredCount;
    Record records[MUR_GROWABLE_FRAMES]; /* index: frame modulo framesInFlight */
    MurBuffer device, host;              /* statistics of the records, ENTRY_SIZE bytes each */
    VkDeviceAddress address;             /* the GPU address of `device` */
    uint8_t *mapped;                     /* the mapped memory of `host` */
    uint64_t frame;                      /* the last frame that was begun */
    uint64_t declared;                   /* inserts that all frames have declared */
    Record recorded;                     /* the last record of any type */
    Known known;
    uint64_t claimed; /* number of used slots at the time of `known`, in its table */
    uint64_t newPairs, lost, undeclared;
    uint64_t interval; /* maximum frames until the next statistics; up to STATS_INTERVAL */
    uint32_t moves, failures;
    VkResult lastFailure;
    VkResult growth; /* the result of growing in the last frame */
    char name[];
};

/* Allocates memory by the engine's callback, if any. caller: for messages; NULL: logs no error. */
static VkResult allocate_growable(MurGrowable growable, const char *caller, MurMemoryKind kind,
                                  const MurTableRequirements *needs, MurBufferRange *memory) {
    const MurGrowableCreateInfo *info = &growable->info;
    if (!info->pfnAllocate) {
        return VK_SUCCESS;
    }
    const VkResult result = info->pfnAllocate(info->pUserData, kind, needs, memory);
    if (result == VK_SUCCESS && memory->buffer) {
        return VK_SUCCESS;
    }
    *memory = (MurBufferRange){0};
    return result == VK_SUCCESS ? mur_invalid_argument(growable->context, "pfnAllocate",
                                                       "returned VK_SUCCESS without a buffer")
           : caller ? mur_fail(&growable->context->logger, result, "%s: pfnAllocate returned %s",
                               caller, murResultName(result))
                    : result;
}

static void free_growable_memory(MurGrowable growable, MurBufferRange *memory) {
    if (memory->buffer && growable->info.pfnFree) {
        growable->info.pfnFree(growable->info.pUserData, memory);
    }
    *memory = (MurBufferRange){0};
}

static void free_slot_map(MurGrowable growable, Place *place) {
    free_growable_memory(growable, &place->map);
    mur_destroy_buffer(growable->context, &place->ownMap);
}

static void free_growable_place(MurGrowable growable, Place *place) {
    murDestroyTable(place->table);
    free_growable_memory(growable, &place->memory);
    free_slot_map(growable, place);
    *place = (Place){0};
}

/* Creates a table. caller: the function for messages about pfnAllocate; NULL: no log, because the
 * caller can continue without the table. On failure, all members of place are zero. */
static VkResult make_growable_place(MurGrowable growable, const char *caller, uint64_t capacity,
                                    Place *place) {
    MurTableCreateInfo table = growable->info.table;
    MurTableRequirements needs;
    table.capacity = capacity;
    *place = (Place){0};
    MUR_TRY(murGetTableRequirements(growable->context, &table, &needs));
    MUR_TRY(allocate_growable(growable, caller, MUR_MEMORY_TABLE, &needs, &place->memory));
    table.memory = place->memory;
    const VkResult result = murCreateTable(growable->context, &table, &place->table);
    if (result != VK_SUCCESS) {
        free_growable_place(growable, place);
    }
    return result;
}

static VkDeviceSize slot_map_size(MurTable table) {
    return 4 * (VkDeviceSize)mur_slots(&table->shape);
}

/* Creates the slot map of a move to the next table, if the growable has slot maps. */
static VkResult make_slot_map(MurGrowable growable, Place *place) {
    if (!growable->info.slotMap) {
        return VK_SUCCESS;
    }
    const MurTableRequirements needs = {
        .size = slot_map_size(place->table),
        .alignment = MUR_TABLE_ALIGNMENT,
        .usage = MUR_ARRAY_USAGE,
        .memoryProperties = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        .slotCount = place->table->shape.ref.slotCount,
    };
    MUR_TRY(allocate_growable(growable, NULL, MUR_MEMORY_SLOT_MAP, &needs, &place->map));
    if (!place->map.buffer) {
        MUR_TRY(mur_create_buffer(growable->context, needs.size, &place->ownMap));
        mur_name_object(growable->context, VK_OBJECT_TYPE_BUFFER, (uint64_t)place->ownMap.buffer,
                        growable->name);
        place->map = (MurBufferRange){place->ownMap.buffer, 0, needs.size};
    }
    return VK_SUCCESS;
}

static MurArray slot_map_array(MurGrowable growable, const Place *place) {
    const MurBufferRange *range = &place->map;
    return range->buffer
               ? (MurArray){mur_buffer_address(growable->context, range->buffer) + range->offset,
                            slot_map_size(place->table)}
               : (MurArray){0, 0};
}

static bool is_share(float share, float least, float most) {
    return share == 0 || (share >= least && share <= most); /* false for NaN */
}

static VkResult check_growable_info(MurContext context, const char *function,
                                    const MurGrowableCreateInfo *info) {
    const MurNumber numbers[] = {
        {"framesInFlight", info->framesInFlight, 1, MUR_GROWABLE_FRAMES},
        {"minCapacity", info->minCapacity, 0, info->table.capacity},
        {"maxCapacity", info->maxCapacity ? info->maxCapacity : MUR_MAX_CAPACITY,
         info->table.capacity, MUR_MAX_CAPACITY},
    };
    MUR_TRY(mur_check_numbers(context, function, numbers, MUR_LENGTH(numbers)));
    const char *bad = info->table.memory.buffer ? "table.memory is given, expected pfnAllocate"
                      : info->table.type && !mur_can(info->table.type->info, MUR_TYPE_DESTINATION)
                          ? "table.type is one whose tables do not grow, expected linear probing"
                      : !is_share(info->maxLoad, 0.05f, 0.95f)
                          ? "maxLoad is out of range, expected 0 or 0.05 to 0.95"
                      : !is_share(info->maxErased, 0.01f, 1.0f)
                          ? "maxErased is out of range, expected 0 or 0.01 to 1"
                      : !info->pfnAllocate != !info->pfnFree
                          ? "one of pfnAllocate and pfnFree is NULL, expected both or none"
                          : NULL;
    return bad ? mur_invalid_argument(context, function, "%s", bad) : VK_SUCCESS;
}

/* The GPU counts in device memory, because atomics on host memory are slow. */
static VkResult make_statistics(MurGrowable growable) {
    MurContext context = growable->context;
    const VkDeviceSize size = (VkDeviceSize)ENTRY_SIZE * growable->info.framesInFlight;
    MUR_TRY(mur_create_buffer(context, size, &growable->device));
    MUR_TRY(mur_create_mapped(context, size, &growable->host, &growable->mapped));
    growable->address = mur_buffer_address(context, growable->device.buffer);
    return VK_SUCCESS;
}

/* Adds the kernel set that moves require to the kernel sets of a growable's tables. */
static void add_rehash(MurKernels kernels[MUR_MAX_KERNELS]) {
    uint32_t at = 0;
    while (at < MUR_MAX_KERNELS && kernels[at] && kernels[at] != murKernelsRehash()) {
        ++at;
    }
    if (at < MUR_MAX_KERNELS) {
        kernels[at] = murKernelsRehash();
    }
}

static void set_info(MurGrowable growable, const MurGrowableCreateInfo *given) {
    MurGrowableCreateInfo *info = &growable->info;
    *info = *given;
    add_rehash(info->table.kernels);
    info->table.pName = growable->name;
    info->minCapacity = info->minCapacity ? info->minCapacity : info->table.capacity;
    info->maxCapacity = info->maxCapacity ? info->maxCapacity : MUR_MAX_CAPACITY;
    info->maxLoad = info->maxLoad > 0 ? info->maxLoad : DEFAULT_LOAD;
    info->maxErased = info->maxErased > 0 ? info->maxErased : DEFAULT_ERASED;
    growable->capacity = info->table.capacity;
    growable->interval = 1;
}

VkResult murCreateGrowable(MurContext context, const MurGrowableCreateInfo *pCreateInfo,
                           MurGrowable *pGrowable) {
    if (pGrowable) {
        *pGrowable = VK_NULL_HANDLE;
    }
    MUR_TRY(mur_check_creation(context, __func__, pCreateInfo, pGrowable, "pGrowable"));
    MUR_TRY(check_growable_info(context, __func__, pCreateInfo));
    const char *name = pCreateInfo->table.pName ? pCreateInfo->table.pName : "murmuration growable";
    const size_t nameSize = strlen(name) + 1;
    MurGrowable growable = mur_new(context, __func__, sizeof *growable + nameSize);
    if (!growable) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    growable->context = context;
    memcpy(growable->name, name, nameSize);
    set_info(growable, pCreateInfo);
    VkResult result = make_growable_place(growable, __func__, growable->capacity, &growable->place);
    if (result == VK_SUCCESS) {
        result = make_statistics(growable);
    }
    if (result != VK_SUCCESS) {
        murDestroyGrowable(growable);
        return result;
    }
    *pGrowable = growable;
    return VK_SUCCESS;
}

void murDestroyGrowable(MurGrowable growable) {
    if (!growable) {
        return;
    }
    MurContext context = growable->context;
    for (uint32_t i = 0; i < growable->retiredCount; ++i) {
        free_growable_place(growable, &growable->retired[i].place);
    }
    free_growable_place(growable, &growable->place);
    mur_destroy_buffer(context, &growable->device);
    mur_destroy_buffer(context, &growable->host); /* unmaps */
    mur_release(mur_allocator(context), growable);
}

static void free_retired(MurGrowable growable, uint64_t completed) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < growable->retiredCount; ++i) {
        if (growable->retired[i].frame <= completed) {
            free_growable_place(growable, &growable->retired[i].place);
        } else {
            growable->retired[kept++] = growable->retired[i];
        }
    }
    growable->retiredCount = kept;
}

/* Logs undeclared inserts. The bound of used slots is wrong, so statistics become frequent. */
static void note_undeclared(MurGrowable growable, uint64_t from, uint64_t pairs,
                            uint64_t declared) {
    if (growable->undeclared == 0) {
        mur_log(&growable->context->logger, MUR_LOG_INFO,
                "murCmdBeginGrowableFrame: maxInserts of the frames %llu to %llu is %llu together, "
                "expected at least %llu, the number of new pairs; inserts may report MUR_FULL",
                (unsigned long long)from, (unsigned long long)growable->known.frame - 1,
                (unsigned long long)declared, (unsigned long long)pairs);
    }
    growable->undeclared += pairs - declared;
    growable->interval = 1;
}

static void read_record(MurGrowable growable, const Record *record, const void *entry) {
    Known *known = &growable->known;
    const uint64_t from = known->frame, declared = record->declared - known->declared;
    *known = (Known){.frame = record->frame, .declared = record->declared};
    uint64_t before; /* number of used slots; if the record is of a move, before the move */
    if (record->kind == KIND_MOVE) {
        MurRehashResult result;
        memcpy(&result, entry, sizeof result);
        known->live = result.moved;
        growable->lost += result.failed;
        before = (uint64_t)result.moved + result.dropped + result.failed;
    } else {
        MurStats stats;
        memcpy(&stats, entry, sizeof stats);
        known->live = stats.live;
        known->erased = stats.erased;
        before = known->live + known->erased;
    }
    /* The difference may be negative and wrap, because erased sentinel slots are no longer used. */
    growable->newPairs += before - growable->claimed;
    if (before > growable->claimed + declared) {
        note_undeclared(growable, from, before - growable->claimed, declared);
    }
    growable->claimed = known->live + known->erased;
    if (record->moves != growable->moves) {
        known->erased = 0; /* a later move has removed the tombstones */
    }
}

/* Reads the records of completed frames, in the order of frames. */
static void read_records(MurGrowable growable, uint64_t completed) {
    const uint32_t count = growable->info.framesInFlight;
    for (;;) {
        Record *next = NULL;
        for (uint32_t i = 0; i < count; ++i) {
            Record *record = &growable->records[i];
            if (record->kind != KIND_NONE && record->frame <= completed &&
                (!next || record->frame < next->frame)) {
                next = record;
            }
        }
        if (!next) {
            return;
        }
        read_record(growable, next, growable->mapped + (size_t)ENTRY_SIZE * (next->frame % count));
        next->kind = KIND_NONE;
    }
}

static uint64_t limit_of(MurGrowable growable, uint64_t capacity) {
    return (uint64_t)((double)capacity * (double)growable->info.maxLoad);
}

static uint64_t live_at_most(MurGrowable growable) {
    return growable->known.live + (growable->declared - growable->known.declared);
}

static uint64_t larger(MurGrowable growable, uint64_t capacity) {
    const uint64_t most = growable->info.maxCapacity;
    return capacity < most / 2 ? 2 * capacity : most;
}

static uint64_t smaller(MurGrowable growable, uint64_t capacity) {
    const uint64_t least = growable->info.minCapacity;
    return capacity / 2 > least ? capacity / 2 : least;
}

/* Halves the capacity until a quarter of its limit is used, so that entries can quadruple. */
static uint64_t shrink(MurGrowable growable, uint64_t capacity, uint64_t live) {
    while (capacity > growable->info.minCapacity &&
           live <= limit_of(growable, smaller(growable, capacity)) / 4) {
        capacity = smaller(growable, capacity);
    }
    return capacity;
}

/* Returns whether a table of the same capacity without tombstones is sufficient: a quarter of its
 * limit is free, or slots for four frames like this one. Otherwise moves would be frequent. */
static bool has_room(uint64_t limit, uint64_t live, uint64_t inserts) {
    const uint64_t room = limit - live;
    return live <= limit && (room >= limit / 4 || (room >= limit / 32 && room / 4 >= inserts));
}

/* Returns the capacity for a frame with this many inserts. move (output): whether the entries must
 * move to another table. A move to the same capacity removes tombstones. */
static uint64_t choose_capacity(MurGrowable growable, uint64_t inserts, bool *move) {
    const uint64_t capacity = growable->capacity;
    const uint64_t limit = limit_of(growable, capacity);
    const uint64_t live = live_at_most(growable);
    const uint64_t erased = growable->known.erased;
    const bool dirty = (double)erased > (double)growable->info.maxErased * (double)capacity;
    const bool full = live + erased > limit;
    uint64_t chosen = capacity;
    if (!full || has_room(limit, live, inserts)) {
        chosen = shrink(growable, capacity, live);
        *move = full || dirty || chosen != capacity;
    } else {
        do {
            chosen = larger(growable, chosen);
        } while (chosen < growable->info.maxCapacity && live > limit_of(growable, chosen));
        /* At the largest capacity, a move must remove enough tombstones to be useful. */
        *move = chosen != capacity || erased > limit / 8;
    }
    return chosen;
}

static bool is_overdue(MurGrowable growable) {
    return growable->frame - growable->recorded.frame >= growable->interval;
}

/* Returns whether this frame reads statistics: if they are overdue, or if declared inserts may have
 * used a quarter of the remaining slots. So the bound is accurate in nearly full tables. */
static bool wants_statistics(MurGrowable growable, uint64_t declaredBefore) {
    const uint64_t used = growable->known.live + growable->known.erased;
    const uint64_t limit = limit_of(growable, growable->capacity);
    const uint64_t left = limit > used ? limit - used : 0;
    const uint64_t since = declaredBefore - growable->recorded.declared;
    return (since != 0 && since >= left / 4) || is_overdue(growable);
}

static MurArray entry_array(MurGrowable growable) {
    const uint64_t at = growable->frame % growable->info.framesInFlight;
    return (MurArray){growable->address + ENTRY_SIZE * at, ENTRY_SIZE};
}

static void record_copy(MurGrowable growable, VkCommandBuffer cmd, Kind kind,
                        uint64_t declaredBefore) {
    const uint64_t at = growable->frame % growable->info.framesInFlight;
    const VkBufferCopy region = {ENTRY_SIZE * at, ENTRY_SIZE * at, ENTRY_SIZE};
    mur_barrier(growable->context, cmd, MUR_EXIT_STAGES, MUR_EXIT_ACCESS,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    growable->context->vk.vkCmdCopyBuffer(cmd, growable->device.buffer, growable->host.buffer, 1,
                                          &region);
    mur_barrier(growable->context, cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    growable->recorded = (Record){kind, growable->frame, declaredBefore, growable->moves};
    growable->records[at] = growable->recorded;
}

/* Replaces the table by one of this capacity. The old one becomes the last in growable->retired. */
static VkResult move(MurGrowable growable, VkCommandBuffer cmd, uint64_t capacity,
                     uint64_t declaredBefore) {
    Place next;
    VkResult result = make_growable_place(growable, NULL, capacity, &next);
    if (result == VK_SUCCESS) {
        result = make_slot_map(growable, &growable->place);
    }
    if (result == VK_SUCCESS && growable->cleared) {
        /* murCmdRehash fails if the engine gave the same memory to both tables. */
        const MurRehash arguments = {.slotMap = slot_map_array(growable, &growable->place),
                                     .result = entry_array(growable)};
        result = murCmdRehash(cmd, growable->place.table, next.table, &arguments);
    }
    if (result != VK_SUCCESS) {
        free_growable_place(growable, &next); /* if it was created */
        free_slot_map(growable, &growable->place);
        return result;
    }
    const Retired last = {growable->place, growable->frame};
    if (growable->cleared) {
        growable->retired[growable->retiredCount++] = last;
        ++growable->moves;
        growable->known.erased = 0;
        record_copy(growable, cmd, KIND_MOVE, declaredBefore);
    } else {
        free_growable_place(growable, &growable->place); /* not yet used by the GPU */
    }
    growable->place = next;
    growable->capacity = capacity;
    return VK_SUCCESS;
}

/* Logs that the table cannot grow. The frame succeeds nevertheless, and the largest capacity may be
 * intended, so this is no error. Logs only the first of consecutive failures. */
static void note_growth(MurGrowable growable, VkResult growth) {
    if (growth != VK_SUCCESS) {
        if (growable->growth == VK_SUCCESS) {
            mur_log(&growable->context->logger, MUR_LOG_INFO,
                    "murCmdBeginGrowableFrame: frame %llu: the table of capacity %llu should "
                    "change and cannot: "
                    "%s; inserts may report MUR_FULL",
                    (unsigned long long)growable->frame, (unsigned long long)growable->capacity,
                    murResultName(growth));
        }
        ++growable->failures;
        growable->lastFailure = growth;
    }
    growable->growth = growth;
}

static void grow(MurGrowable growable, VkCommandBuffer cmd, uint64_t maxInserts,
                 MurGrowableFrameTable *use) {
    const uint64_t declaredBefore = growable->declared;
    const uint32_t moves = growable->moves;
    bool change = false;
    growable->declared += maxInserts;
    const uint64_t capacity = choose_capacity(growable, maxInserts, &change);
    *use = (MurGrowableFrameTable){.growth = VK_SUCCESS};
    if (change) {
        use->growth = move(growable, cmd, capacity, declaredBefore);
    }
    if (use->growth == VK_SUCCESS &&
        live_at_most(growable) > limit_of(growable, growable->capacity)) {
        use->growth = MUR_ERROR_TOO_LARGE;
    }
    note_growth(growable, use->growth);
    if (growable->moves != moves) {
        const Retired *last = &growable->retired[growable->retiredCount - 1];
        use->source = last->place.table;
        use->slotMap = slot_map_array(growable, &last->place);
    } else if (!growable->cleared) {
        murCmdClear(cmd, growable->place.table);
        growable->recorded.frame = growable->frame;
    } else if (wants_statistics(growable, declaredBefore)) {
        if (is_overdue(growable) && growable->interval < STATS_INTERVAL) {
            growable->interval *= 2;
        }
        murCmdStats(cmd, growable->place.table, entry_array(growable));
        record_copy(growable, cmd, KIND_STATS, declaredBefore);
    }
    growable->cleared = true;
    use->table = growable->place.table;
}

static const char BEGIN[] = "murCmdBeginGrowableFrame";

VkResult murCmdBeginGrowableFrame(VkCommandBuffer cmd, MurGrowable growable,
                                  const MurGrowableFrame *pFrame, MurGrowableFrameTable *pUse) {
    MurContext context = MUR_CONTEXT(growable);
    MUR_TRY(mur_check_command(context, cmd, BEGIN));
    MUR_TRY(mur_check_struct(context, BEGIN, "pFrame", pFrame));
    if (!pUse) {
        return mur_invalid_argument(context, BEGIN, "pUse is NULL");
    }
    MUR_TRY(mur_check_frame(context, BEGIN, pFrame->frame, pFrame->completedFrame, growable->frame,
                            growable->info.framesInFlight));
    free_retired(growable, pFrame->completedFrame);
    read_records(growable, pFrame->completedFrame);
    growable->frame = pFrame->frame;
    mur_begin_label(context, cmd, BEGIN);
    /* No table has room for more inserts. The limit prevents sums over frames from wrapping. */
    const uint64_t inserts = pFrame->maxInserts < MUR_MAX_CAPACITY ? pFrame->maxInserts
                                                                   : MUR_MAX_CAPACITY;
    grow(growable, cmd, inserts, pUse);
    mur_end_label(context, cmd);
    return VK_SUCCESS;
}

void murGetGrowableStatus(MurGrowable growable, MurGrowableStatus *pStatus) {
    if (!pStatus) {
        return;
    }
    *pStatus = (MurGrowableStatus){0};
    if (!growable) {
        return;
    }
    *pStatus = (MurGrowableStatus){
        .capacity = growable->capacity,
        .usedAtMost = live_at_most(growable) + growable->known.erased,
        .frame = growable->known.frame,
        .live = growable->known.live,
        .erased = growable->known.erased,
        .newPairs = growable->newPairs,
        .undeclared = growable->undeclared,
        .lost = growable->lost,
        .moves = growable->moves,
        .failures = growable->failures,
        .lastFailure = growable->lastFailure,
        .retired = growable->retiredCount,
    };
}
