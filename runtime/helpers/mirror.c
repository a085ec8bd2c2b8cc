/* Mirrors: their memory, and the update command. host/host_mirror.h explains the copy.
 * SPDX-License-Identifier: MIT */
#include "../host/host_mirror.h"
#include "../objects/objects.h"
#include "../plan/steps.h"

#include <murmuration/mirror.h>

#include <string.h>

/* The objects of a mirror that an update to another capacity replaces. */
typedef struct MirrorPlace {
    MurTable table;
    void *memory; /* the bitmap of changed blocks (marks), then the host table */
    MurMirrorArray array;
    MurBuffer staging;
    uint8_t *mapped; /* staging; framesInFlight parts, each used by one frame at a time */
    VkDeviceAddress address;
    uint64_t blocks;     /* size of staging memory, in blocks */
    uint64_t frame;      /* the last frame that used it */
    uint64_t wholeFrame; /* the last frame that used more than its part of staging memory */
} MirrorPlace;

struct MurMirror_T {
    MurContext context;
    MurMirrorCreateInfo info;
    MirrorPlace place;
    MirrorPlace retired[MUR_MIRROR_FRAMES];       /* by their last frame modulo framesInFlight */
    MurMirrorArray payloads[MUR_MIRROR_PAYLOADS]; /* their marks follow the struct */
    uint32_t payloadCount;
    uint64_t frame; /* frame of the last update */
    VkDeviceSize copied;
};

/* Limits of a mirror: four invocations copy a block of 64 bytes; slots have up to 16 bytes. */
#define MOST_BYTES    ((1ull << 36) - 1)
#define MOST_CAPACITY (1ull << 31)

static const char create_name[] = "murCreateMirror", update_name[] = "murCmdUpdateMirror";

static VkResult check_mirror_info(MurContext context, const MurMirrorCreateInfo *info) {
    const MurTableCreateInfo *table = &info->table;
    const MurNumber numbers[] = {
        {"framesInFlight", info->framesInFlight, 1, MUR_MIRROR_FRAMES},
        {"table.capacity", table->capacity, 1, MOST_CAPACITY},
    };
    MUR_TRY(mur_check_numbers(context, create_name, numbers, MUR_LENGTH(numbers)));
    bool bad = false;
    const MurMirrorPayload *payload = info->payloads;
    for (uint32_t i = 0; i < MUR_MIRROR_PAYLOADS && payload->pHost && !bad; ++i, ++payload) {
        bad = payload->address == 0 || payload->size == 0 || payload->size > MOST_BYTES ||
              ((uintptr_t)payload->pHost | payload->address | payload->size) % 16 != 0;
    }
    const char *text =
        bad ? "payloads has an address or a size of 0 or misaligned, expected multiples of 16"
        : table->type && !mur_can(table->type->info, MUR_TYPE_SINGLE)
            ? "table.type has rows or many values per key, expected at most one value per key"
        : table->flags & MUR_TABLE_AGES
            ? "table.flags has MUR_TABLE_AGES, expected none: shaders write ages"
            : NULL;
    return text ? mur_invalid_argument(context, create_name, "%s", text) : VK_SUCCESS;
}

/* Creates staging memory with room for at least one copy of the table and all payload arrays. */
static VkResult provide_staging(MurMirror mirror, MirrorPlace *place) {
    const uint64_t wanted = mirror->info.stagingSize / MUR_MIRROR_BLOCK;
    uint64_t full = place->array.blocks;
    for (uint32_t i = 0; i < mirror->payloadCount; ++i) {
        full += mirror->payloads[i].blocks;
    }
    const uint64_t blocks = mirror->info.stagingSize == 0 ? full * mirror->info.framesInFlight
                            : wanted > full               ? wanted
                                                          : full;
    MUR_TRY(mur_create_mapped(mirror->context, blocks * MUR_MIRROR_BLOCK, &place->staging,
                              &place->mapped));
    place->address = mur_buffer_address(mirror->context, place->staging.buffer);
    place->blocks = blocks;
    return VK_SUCCESS;
}

/* Creates the host table, which is like the one on the GPU, at a multiple of 64 bytes. */
static VkResult provide_image(MurMirror mirror, const char *function, MirrorPlace *place) {
    const MurShape *shape = &place->table->shape;
    mur_mirror_describe(&shape->ref, shape->bytes, &place->array);
    const uint64_t marks = mur_mirror_mark_size(&place->array);
    const uint64_t size = marks + MUR_MIRROR_BLOCK + shape->bytes;
    place->memory = size <= SIZE_MAX ? mur_new(mirror->context, function, (size_t)size) : NULL;
    if (!place->memory) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    uint8_t *image = (uint8_t *)place->memory + marks;
    image += (MUR_MIRROR_BLOCK - (uintptr_t)image % MUR_MIRROR_BLOCK) % MUR_MIRROR_BLOCK;
    place->array.table.ref = shape->ref;
    place->array.table.ref.address = place->array.table.ref.index = 0;
    mur_mirror_open(&place->array, place->memory, image);
    murHostClear(&place->array.table);
    return VK_SUCCESS;
}

static void free_place(MurMirror mirror, MirrorPlace *place) {
    murDestroyTable(place->table);
    mur_destroy_buffer(mirror->context, &place->staging); /* unmaps */
    mur_release(mur_allocator(mirror->context), place->memory);
    *place = (MirrorPlace){0};
}

static VkResult make_place(MurMirror mirror, const char *function, uint64_t capacity,
                           const MurBufferRange *memory, MirrorPlace *place) {
    MurTableCreateInfo info = mirror->info.table;
    info.capacity = capacity;
    info.memory = *memory;
    VkResult result = murCreateTable(mirror->context, &info, &place->table);
    if (result == VK_SUCCESS) {
        place->table->shape.mirrored = true;
        result = provide_image(mirror, function, place);
    }
    if (result == VK_SUCCESS) {
        result = provide_staging(mirror, place);
    }
    if (result != VK_SUCCESS) {
        free_place(mirror, place);
    }
    return result;
}

/* Creates a mirror without tables and staging memory. */
static MurMirror new_mirror(MurContext context, const MurMirrorCreateInfo *info) {
    MurMirrorArray payloads[MUR_MIRROR_PAYLOADS];
    uint64_t size = sizeof(struct MurMirror_T);
    uint32_t count = 0;
    for (; count < MUR_MIRROR_PAYLOADS && info->payloads[count].pHost; ++count) {
        mur_mirror_describe(NULL, info->payloads[count].size, &payloads[count]);
        size += mur_mirror_mark_size(&payloads[count]);
    }
    MurMirror mirror = size <= SIZE_MAX ? mur_new(context, create_name, (size_t)size) : NULL;
    if (mirror) {
        uint8_t *marks = (uint8_t *)(mirror + 1);
        mirror->context = context;
        mirror->info = *info;
        mirror->payloadCount = count;
        memcpy(mirror->payloads, payloads, count * sizeof *payloads);
        for (uint32_t i = 0; i < count; ++i) {
            mur_mirror_open(&mirror->payloads[i], marks,
                            (void *)(uintptr_t)info->payloads[i].pHost);
            marks += mur_mirror_mark_size(&payloads[i]);
        }
    }
    return mirror;
}

VkResult murCreateMirror(MurContext context, const MurMirrorCreateInfo *pCreateInfo,
                         MurMirror *pMirror) {
    if (pMirror) {
        *pMirror = VK_NULL_HANDLE;
    }
    MUR_TRY(mur_check_creation(context, create_name, pCreateInfo, pMirror, "pMirror"));
    MUR_TRY(check_mirror_info(context, pCreateInfo));
    MurKernelList list = {.table.type = mur_types};
    mur_list_family(context, &mur_family_mirror, &list);
    MUR_TRY(mur_prepare_kernels(context, &list, 0, list.count));
    MurMirror mirror = new_mirror(context, pCreateInfo);
    if (!mirror) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkResult result = make_place(mirror, create_name, pCreateInfo->table.capacity,
                                       &pCreateInfo->table.memory, &mirror->place);
    if (result != VK_SUCCESS) {
        murDestroyMirror(mirror);
        return result;
    }
    mirror->info.table.pName = NULL; /* the engine may free the name */
    *pMirror = mirror;
    return VK_SUCCESS;
}

void murDestroyMirror(MurMirror mirror) {
    if (mirror) {
        for (uint32_t i = 0; i < MUR_MIRROR_FRAMES; ++i) {
            free_place(mirror, &mirror->retired[i]);
        }
        free_place(mirror, &mirror->place);
        mur_release(mur_allocator(mirror->context), mirror);
    }
}

const MurHostTable *murGetMirrorHostTable(MurMirror mirror) {
    return mirror ? &mirror->place.array.table : NULL;
}

MurTable murGetMirrorTable(MurMirror mirror) {
    return mirror ? mirror->place.table : VK_NULL_HANDLE;
}

VkDeviceSize murGetMirrorCopiedSize(MurMirror mirror) {
    return mirror ? mirror->copied : 0;
}

void murMirrorMarkDirty(MurMirror mirror, uint32_t payload, VkDeviceSize offset,
                        VkDeviceSize size) {
    if (mirror && payload == MUR_MIRROR_TABLE) {
        mur_host_mark_all(&mirror->place.array.table);
        for (uint32_t i = 0; i < mirror->payloadCount; ++i) {
            mur_host_mark_all(&mirror->payloads[i].table);
        }
    } else if (mirror && payload < mirror->payloadCount) {
        mur_mirror_mark_bytes(&mirror->payloads[payload], offset, size);
    }
}

/* Creates tables of another capacity, and moves all entries to them. */
static VkResult resize(MurMirror mirror, const MurMirrorUpdate *update, MirrorPlace *next) {
    MurHostMoved moved;
    MUR_TRY(make_place(mirror, update_name, update->capacity, &update->memory, next));
    (void)murHostRehash(&mirror->place.array.table, &next->array.table, NULL, &moved);
    if (moved.failed != 0) {
        free_place(mirror, next);
        return mur_fail(&mirror->context->logger, MUR_ERROR_TOO_LARGE,
                        "%s: capacity is %llu, expected room for %llu more entries", update_name,
                        (unsigned long long)update->capacity, (unsigned long long)moved.failed);
    }
    return VK_SUCCESS;
}

static VkDeviceAddress staged(const MirrorPlace *place, const void *memory) {
    return place->address + (VkDeviceSize)((const uint8_t *)memory - place->mapped);
}

/* Copies the marked parts of the table, then of the payload arrays, to staging memory, from block
 * `first` on. Plans the dispatches that write staging memory to the GPU. Returns false if the
 * copies need more than `count` blocks. */
static bool copy_arrays(MurMirror mirror, MirrorPlace *place, uint64_t first, uint64_t count,
                        MurPlan *plan) {
    MurMirrorStaging staging = {place->mapped + (size_t)first * MUR_MIRROR_BLOCK, count, 0};
    *plan = (MurPlan){0};
    for (uint32_t i = 0; i <= mirror->payloadCount; ++i) {
        MurMirrorArray *array = i == 0 ? &place->array : &mirror->payloads[i - 1];
        MurMirrorCopy copy;
        if (!mur_mirror_copy(array, &staging, &copy)) {
            return false;
        }
        const MurPush push = {.mirror = {.table = i == 0 ? place->table->shape.ref.address
                                                         : mirror->info.payloads[i - 1].address,
                                         .list = copy.list ? staged(place, copy.list) : 0,
                                         .source = copy.count ? staged(place, copy.data) : 0,
                                         .count = copy.count,
                                         .parts = (uint32_t)(array->bytes / 16)}};
        mur_plan_step_concurrent(plan, MUR_KERNEL_MIRROR, &push,
                                 mur_groups(MUR_KERNEL_MIRROR, 4 * (uint64_t)copy.count));
    }
    mirror->copied = staging.used * MUR_MIRROR_BLOCK;
    return true;
}

/* Copies changes to this frame's part of staging memory. If the part is too small and no other
 * frame uses staging memory, uses all of it. */
static bool copy_mirror(MurMirror mirror, MirrorPlace *place, const MurMirrorUpdate *update,
                        MurPlan *plan) {
    const uint64_t part = place->blocks / mirror->info.framesInFlight;
    const uint64_t first = update->frame % mirror->info.framesInFlight * part;
    if (place->wholeFrame <= update->completedFrame &&
        copy_arrays(mirror, place, first, part, plan)) {
        return true;
    }
    place->wholeFrame = place->frame <= update->completedFrame ? update->frame : place->wholeFrame;
    return place->wholeFrame == update->frame && copy_arrays(mirror, place, 0, place->blocks, plan);
}

/* Ends an update. next: the table that replaces the present one, if the update made a new one. */
static void commit(MurMirror mirror, const MirrorPlace *next, uint64_t frame) {
    if (next->table) {
        mirror->place.frame = frame;
        mirror->retired[frame % mirror->info.framesInFlight] = mirror->place;
        mirror->place = *next;
    }
    mur_mirror_commit(&mirror->place.array);
    for (uint32_t i = 0; i < mirror->payloadCount; ++i) {
        mur_mirror_commit(&mirror->payloads[i]);
    }
    mirror->frame = frame;
    mirror->place.frame = mirror->copied != 0 ? frame : mirror->place.frame;
}

VkResult murCmdUpdateMirror(VkCommandBuffer cmd, MurMirror mirror, const MurMirrorUpdate *pUpdate) {
    MurContext context = MUR_CONTEXT(mirror);
    MUR_TRY(mur_check_command(context, cmd, update_name));
    MUR_TRY(mur_check_struct(context, update_name, "pUpdate", pUpdate));
    MUR_TRY(mur_check_frame(context, update_name, pUpdate->frame, pUpdate->completedFrame,
                            mirror->frame, mirror->info.framesInFlight));
    const bool grows = mur_can(mirror->place.table->shape.type, MUR_TYPE_DESTINATION);
    const MurNumber capacity = {"capacity", pUpdate->capacity, 0, grows ? MOST_CAPACITY : 0};
    MUR_TRY(mur_check_numbers(context, update_name, &capacity, 1));
    for (uint32_t i = 0; i < mirror->info.framesInFlight; ++i) {
        if (mirror->retired[i].frame <= pUpdate->completedFrame) {
            free_place(mirror, &mirror->retired[i]);
        }
    }
    MirrorPlace next = {0};
    MUR_TRY(pUpdate->capacity ? resize(mirror, pUpdate, &next) : VK_SUCCESS);
    MurPlan plan;
    if (!copy_mirror(mirror, next.table ? &next : &mirror->place, pUpdate, &plan)) {
        return VK_NOT_READY; /* impossible with a new place, which has room for everything */
    }
    commit(mirror, &next, pUpdate->frame);
    if (plan.stepCount != 0) {
        const VkPipelineStageFlags readers = pUpdate->readStages
                                                 ? pUpdate->readStages
                                                 : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        mur_barrier(context, cmd, readers | MUR_EXIT_STAGES, MUR_EXIT_ACCESS, MUR_ENTRY_STAGES,
                    MUR_ENTRY_ACCESS);
        (void)mur_record(context, cmd, update_name, &plan);
        mur_barrier(context, cmd, MUR_EXIT_STAGES, MUR_EXIT_ACCESS, readers,
                    VK_ACCESS_MEMORY_READ_BIT);
    }
    return VK_SUCCESS;
}
