/* Commands that move a table's entries: rehash, merge, compact.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

static MurPush push_move(const MurRequest *move) {
    const MurRehash *rehash = move->info;
    return (MurPush){.rehash = {
                         .source = move->source->ref,
                         .table = move->table->ref,
                         .slotMap = rehash ? rehash->slotMap.address : 0,
                         .result = rehash ? rehash->result.address : 0,
                         .mode = move->mode,
                     }};
}

/* Returns the number of chunks of MUR_REHASH_CHUNK sectors in the destination of a rehash. */
static uint64_t chunks_of(const MurShape *table) {
    return mur_divide_up(mur_sector_count(table), MUR_REHASH_CHUNK);
}

/* Returns the number of workgroups of the kernel REHASH_PREPARE. One writes header and result. The
 * others write the slot map (`mapped` words) and a word per chunk of the destination. */
static uint64_t prepare_groups(const MurPush *push, const MurShape *table, uint64_t mapped) {
    const uint64_t chunks = push->rehash.scratch ? chunks_of(table) : 0;
    const uint64_t words = mapped > chunks ? mapped : chunks;
    return 1 + mur_persistent_groups(mur_groups(MUR_KERNEL_REHASH_PREPARE, words));
}

/* Appends steps that clear the table (if clear is true), zero the result, and insert entries. */
static void plan_direct_rehash(const MurRequest *move, const MurPush *push, bool clear,
                               MurPlan *plan) {
    const bool compares = mur_can(move->source->type, MUR_TYPE_COMPARES);
    if (clear) {
        mur_plan_clear_steps(move->table, plan);
    }
    if (compares && push->rehash.result) { /* writes the result, but no header and no chunks */
        mur_plan_step_concurrent(plan, MUR_KERNEL_ZERO_RESULT, push, 1);
    } else if (!compares && (push->rehash.result || push->rehash.scratch)) {
        mur_plan_step(plan, MUR_KERNEL_REHASH_PREPARE, push, prepare_groups(push, move->table, 0));
    }
    mur_plan_items(plan, MUR_KERNEL_REHASH_DIRECT, push, mur_slots(move->source));
}

/* Returns whether a workgroup reads twice as many source slots at once per slice of destination
 * slots, because the source has more than two thirds of the destination's capacity. */
static bool reads_twice(const MurRequest *move) {
    return move->table->ref.capacity / 3 < move->source->ref.capacity / 2;
}

static bool can_stream(const MurRequest *move) {
    const MurTableRef *from = &move->source->ref;
    const MurTableRef *to = &move->table->ref;
    const bool reached = to->probeSectors > MUR_REHASH_CARRY / MUR_SECTOR_SLOTS ||
                         to->probeSectors > to->slotCount / MUR_SECTOR_SLOTS;
    /* In slots of 16 bytes, a streaming rehash compares only the high halves of hashes. */
    const bool streamed = mur_can(move->source->type, MUR_TYPE_STREAMED) &&
                          (move->table->type->slotSize == MUR_SLOT_SIZE ||
                           to->capacity <= 1u << 31);
    /* If the capacity shrinks to less than a quarter, streaming is slower than direct inserts. */
    return streamed && reached && from->seed == to->seed && to->capacity >= from->capacity / 4 &&
           (uint64_t)from->slotCount + to->slotCount >= move->device->tuning.streamMinSlots;
}

/* Returns the size of a slice: the destination slots that a workgroup of a streaming rehash writes
 * at a time. It reads the corresponding source slots at once, and some more for rounding. Slices
 * consist of whole cache lines. */
static uint32_t slice_of(const MurRequest *move) {
    enum { LINE = 16 };
    const uint64_t times = reads_twice(move) ? 2 : 1;
    const uint64_t reads = times * MUR_REHASH_READS - MUR_REHASH_CLOSE - 8;
    const uint64_t most = MUR_REHASH_WINDOW - MUR_REHASH_CARRY;
    const uint64_t read = reads * move->table->ref.capacity / move->source->ref.capacity;
    return (uint32_t)((read < most ? read : most) / LINE * LINE);
}

/* Returns how many slices a workgroup writes one after another. Enough workgroups must remain. */
static uint32_t steps_of(const MurRequest *move, uint64_t slices) {
    const uint64_t steps = slices / move->device->tuning.streamMinGroups;
    return steps < 1 ? 1 : steps > MUR_REHASH_STEPS ? MUR_REHASH_STEPS : (uint32_t)steps;
}

static void plan_stream(const MurRequest *move, MurPush *push, MurPlan *plan) {
    MurRehashPush *rehash = &push->rehash;
    const uint64_t ratio = ((uint64_t)rehash->source.capacity << 32) / rehash->table.capacity;
    const uint64_t slots = rehash->table.slotCount;
    rehash->slice = slice_of(move);
    rehash->ratioLow = (uint32_t)ratio;
    rehash->ratioHigh = (uint32_t)(ratio >> 32);
    rehash->steps = steps_of(move, mur_divide_up(slots, rehash->slice));
    const uint64_t from = mur_slots(move->source), to = mur_slots(move->table);
    const uint64_t all = mur_groups(MUR_KERNEL_REHASH_DIRECT, from);
    const uint64_t few = mur_persistent_groups(mur_groups(MUR_KERNEL_REHASH_DIRECT, to));
    const uint64_t mapped = rehash->slotMap ? from : 0;
    plan->path = "stream";
    mur_plan_step(plan, MUR_KERNEL_REHASH_PREPARE, push, prepare_groups(push, move->table, mapped));
    mur_plan_step(plan, reads_twice(move) ? MUR_KERNEL_REHASH_WIDE : MUR_KERNEL_REHASH_SLICES, push,
                  mur_divide_up(slots, (uint64_t)rehash->slice * rehash->steps));
    /* Only one of the next two steps has work. */
    mur_plan_step_concurrent(plan, MUR_KERNEL_REHASH_DENSE, push, few);
    mur_plan_step(plan, MUR_KERNEL_REHASH_FINISH, push, few);
    mur_plan_step(plan, MUR_KERNEL_REHASH_DIRECT, push, mur_spread(move->device, all, 1));
}

static void plan_move(const MurRequest *move, MurPush *push, MurPlan *plan) {
    if (can_stream(move)) {
        plan_stream(move, push, plan);
    } else {
        plan_direct_rehash(move, push, true, plan);
    }
}

void mur_plan_rehash(const MurRequest *request, MurPlan *plan) {
    MurPush push = push_move(request);
    plan_move(request, &push, plan);
}

void mur_plan_merge(const MurRequest *request, MurPlan *plan) {
    const MurPush push = push_move(request);
    plan_direct_rehash(request, &push, false, plan);
}

/* Returns the size of a compaction's scratch memory: a table, and a 32-bit word per chunk of it. */
uint64_t mur_compact_scratch(const MurShape *table) {
    return table->bytes + mur_divide_up(4 * chunks_of(table), 32) * 32;
}

/* Plans a rehash into scratch memory, and a copy of the result back into the table. */
void mur_plan_compact(const MurRequest *request, MurPlan *plan) {
    const MurRehash *rehash = request->info;
    const MurShape *table = request->table;
    MurShape compacted = *table;
    compacted.ref.address = rehash->scratch.address;
    MurRequest move = *request;
    move.source = table;
    move.table = &compacted;
    MurPush push = push_move(&move);
    push.rehash.scratch = compacted.ref.address + table->bytes;
    const MurPush back = {.rehash = {.source = compacted.ref, .table = table->ref}};
    plan_move(&move, &push, plan);
    plan->scratch = mur_compact_scratch(table);
    mur_plan_items(plan, MUR_KERNEL_REHASH_COPY, &back,
                   mur_divide_up(table->bytes / 16, MUR_CLEAR_STORES));
}
