/* Commands that take a table's entries elsewhere: rehash, merge, compact.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

typedef struct Move {
    const MurDevice *device;
    const MurShape *source, *table;
} Move;

static MurPush push_move(const MurShape *source, const MurShape *table, MurInsertMode mode,
                         const MurRehash *rehash) {
    return (MurPush){.rehash = {
                         .source = source->ref,
                         .table = table->ref,
                         .slotMap = rehash ? rehash->slotMap.address : 0,
                         .result = rehash ? rehash->result.address : 0,
                         .mode = mode,
                     }};
}

/* Of the destination, see MUR_REHASH_CHUNK. */
static uint64_t chunks_of(const MurShape *table) {
    const uint32_t format = mur_shape_format(table);
    return mur_divide_up(table->ref.slotCount / MUR_SLOTS_OF(format), MUR_REHASH_CHUNK);
}

/* One workgroup for the header and the result; the others write a word an invocation. */
static uint64_t prepare_groups(const MurPush *push, const MurShape *table, uint64_t mapped) {
    const uint64_t chunks = push->rehash.scratch ? chunks_of(table) : 0;
    const uint64_t words = mapped > chunks ? mapped : chunks;
    return 1 + mur_few(mur_groups(MUR_KERNEL_REHASH_PREPARE, words));
}

/* Zeroes the result, inserts entry by entry. */
static void plan_direct_rehash(const MurShape *source, const MurPush *push, bool clear,
                               const MurShape *table, MurPlan *plan) {
    const uint64_t slots = (uint64_t)source->ref.slotCount +
                           MUR_EXTRA_SLOTS(mur_shape_format(source));
    if (clear) {
        mur_plan_clear_steps(table, plan);
    }
    const bool rows = mur_shape_format(source) == MUR_FORMAT_R32;
    const MurKernel direct = rows ? MUR_KERNEL_MOVE_ROWS : MUR_KERNEL_REHASH_DIRECT;
    if (rows && push->rehash.result) { /* no header, and no chunks */
        mur_plan_beside(plan, MUR_KERNEL_PREPARE_ROWS, push, 1);
    } else if (!rows && (push->rehash.result || push->rehash.scratch)) {
        mur_plan_step(plan, MUR_KERNEL_REHASH_PREPARE, push, prepare_groups(push, table, 0));
    }
    mur_plan_items(plan, direct, push, slots);
}

/* Are as many slots of the source read for a slice as the slice has, or more? */
static bool reads_twice(const Move *move) {
    return move->table->ref.capacity / 3 < move->source->ref.capacity / 2;
}

static bool can_stream(const Move *move) {
    const MurTableRef *from = &move->source->ref;
    const MurTableRef *to = &move->table->ref;
    const uint32_t format = mur_shape_format(move->table);
    const bool reached = to->probeSectors > MUR_REHASH_CARRY / MUR_SECTOR_SLOTS ||
                         to->probeSectors > to->slotCount / MUR_SECTOR_SLOTS;
    const bool streamed = format == MUR_FORMAT_K32V32 ||
                          (MUR_SLOT_FORMAT(format) == MUR_FORMAT_K64V32 &&
                           to->capacity <= 1u << 31);
    if (from->flags & MUR_TABLE_BUCKETS) {
        return false;
    }
    /* Shrinking to less than a quarter is not worth a stream. */
    return streamed && reached && from->seed == to->seed && to->capacity >= from->capacity / 4 &&
           (uint64_t)from->slotCount + to->slotCount >= move->device->tuning.streamLeastSlots;
}

/* Slots of the destination that a workgroup of the stream writes at a time: what corresponds to
 * them is read at once, with some slots more for rounding. A slice is whole lines of memory. */
static uint32_t slice_of(const Move *move) {
    enum { LINE = 16 };
    const uint64_t times = reads_twice(move) ? 2 : 1;
    const uint64_t reads = times * MUR_REHASH_READS - MUR_REHASH_CLOSE - 8;
    const uint64_t most = MUR_REHASH_WINDOW - MUR_REHASH_CARRY;
    const uint64_t read = reads * move->table->ref.capacity / move->source->ref.capacity;
    return (uint32_t)((read < most ? read : most) / LINE * LINE);
}

/* Slices that one workgroup writes, one after the other: as many as leave enough workgroups. */
static uint32_t steps_of(const Move *move, uint64_t slices) {
    const uint64_t steps = slices / move->device->tuning.streamGroups;
    return steps < 1 ? 1 : steps > MUR_REHASH_STEPS ? MUR_REHASH_STEPS : (uint32_t)steps;
}

static void plan_stream(const Move *move, MurPush *push, MurPlan *plan) {
    MurRehashPush *rehash = &push->rehash;
    const uint64_t ratio = ((uint64_t)rehash->source.capacity << 32) / rehash->table.capacity;
    const uint64_t slots = rehash->table.slotCount;
    rehash->slice = slice_of(move);
    rehash->ratioLow = (uint32_t)ratio;
    rehash->ratioHigh = (uint32_t)(ratio >> 32);
    rehash->steps = steps_of(move, mur_divide_up(slots, rehash->slice));
    const uint64_t extra = MUR_EXTRA_SLOTS(mur_shape_format(move->source));
    const uint64_t all = mur_groups(MUR_KERNEL_REHASH_DIRECT, rehash->source.slotCount + extra);
    const uint64_t few = mur_few(mur_groups(MUR_KERNEL_REHASH_DIRECT, slots + extra));
    const uint64_t mapped = rehash->slotMap ? rehash->source.slotCount + extra : 0;
    plan->way = "stream";
    mur_plan_step(plan, MUR_KERNEL_REHASH_PREPARE, push, prepare_groups(push, move->table, mapped));
    mur_plan_step(plan, reads_twice(move) ? MUR_KERNEL_REHASH_TWICE : MUR_KERNEL_REHASH_SLICES,
                  push, mur_divide_up(slots, (uint64_t)rehash->slice * rehash->steps));
    /* Only one of them has something to do. */
    mur_plan_beside(plan, MUR_KERNEL_REHASH_DENSE, push, few);
    mur_plan_step(plan, MUR_KERNEL_REHASH_FINISH, push, few);
    mur_plan_step(plan, MUR_KERNEL_REHASH_DIRECT, push, mur_spread(move->device, all, 1));
}

static void plan_move(const Move *move, MurPush *push, MurPlan *plan) {
    mur_begin_plan(move->table->ref.flags, plan);
    if (can_stream(move)) {
        plan_stream(move, push, plan);
    } else {
        plan_direct_rehash(move->source, push, true, move->table, plan);
    }
}

void mur_plan_rehash(const MurDevice *device, const MurShape *source, const MurShape *table,
                     const MurRehash *rehash, MurPlan *plan) {
    const Move move = {device, source, table};
    MurPush push = push_move(source, table, MUR_MODE_ASSIGN, rehash);
    plan_move(&move, &push, plan);
}

void mur_plan_merge(const MurShape *source, const MurShape *table, MurInsertMode mode,
                    const MurRehash *rehash, MurPlan *plan) {
    const MurPush push = push_move(source, table, mode, rehash);
    mur_begin_plan(table->ref.flags, plan);
    plan_direct_rehash(source, &push, false, table, plan);
}

/* A table of the same size, and a word a chunk. */
uint64_t mur_compact_scratch(const MurShape *table) {
    return table->bytes + mur_divide_up(4 * chunks_of(table), 32) * 32;
}

void mur_plan_compact(const MurDevice *device, const MurShape *table, const MurRehash *rehash,
                      MurPlan *plan) {
    /* The same table, in scratch memory; then back. */
    MurShape compacted = *table;
    compacted.ref.address = rehash->scratch.address;
    const Move move = {device, table, &compacted};
    MurPush push = push_move(table, &compacted, MUR_MODE_ASSIGN, rehash);
    push.rehash.scratch = rehash->scratch.address + table->bytes;
    const MurPush back = {.rehash = {.source = compacted.ref, .table = table->ref}};
    plan_move(&move, &push, plan);
    plan->scratch = mur_compact_scratch(table);
    mur_plan_step(
        plan, MUR_KERNEL_REHASH_COPY, &back,
        mur_groups(MUR_KERNEL_REHASH_COPY, mur_divide_up(table->bytes / 16, MUR_CLEAR_STORES)));
}
