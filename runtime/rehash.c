/* The commands that take a table's entries elsewhere: rehash, merge, compact.
 *
 * SPDX-License-Identifier: MIT */
#include "internal.h"

/* Measured: below this many slots, of both tables together, inserting directly is faster. */
enum { MUR_REHASH_LEAST = 1 << 18 };

static VkResult check_tables(VkCommandBuffer cmd, MurTable source, MurTable destination,
                             const char *command) {
    if (!source || !destination) {
        const MurTable one = source ? source : destination;
        return one ? mur_fail(&one->context->logger, MUR_ERROR_INVALID_ARGUMENT, "%s: %s is NULL",
                              command, source ? "destination" : "source")
                   : MUR_ERROR_INVALID_ARGUMENT;
    }
    VkResult result = mur_check_command(cmd, destination, command);
    if (result != VK_SUCCESS) {
        return result;
    }
    const MurLogger *logger = &destination->context->logger;
    if (source == destination) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination are one table", command);
    }
    if (source->context != destination->context) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination belong to two contexts", command);
    }
    if ((source->ref.flags ^ destination->ref.flags) & ~MUR_TABLE_INT64) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: source and destination differ in their formats or reserved values",
                        command);
    }
    if (source->multi != destination->multi) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: %s was made by murCreateMultiTable, the other table was not", command,
                        source->multi ? "source" : "destination");
    }
    return VK_SUCCESS;
}

/* scratch: bytes that the command uses of it. */
static VkResult check_rehash(MurTable source, MurTable destination, const char *command,
                             const MurRehash *rehash, VkDeviceSize scratch) {
    static const MurRehash none;
    if (!rehash) {
        rehash = &none;
    }
    MurContext context = source->context;
    const uint32_t slots = source->ref.slotCount + MUR_EXTRA_SLOTS(mur_table_format(source));
    if (rehash->pNext) {
        return mur_fail(&context->logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: pRehash->pNext is not NULL", command);
    }
    VkResult result = mur_check_array(context, command, "slotMap", rehash->slotMap, slots, false);
    if (result == VK_SUCCESS) {
        result = mur_check_array(context, command, "result", rehash->result, MUR_REHASH_WORDS,
                                 false);
    }
    const bool inPlace = source == destination;
    const MurSpan spans[] = {
        mur_table_span(source, inPlace ? "the table" : "source", inPlace),
        {"slotMap", rehash->slotMap, 4 * (VkDeviceSize)slots, true},
        {"result", rehash->result, sizeof(MurRehashResult), true},
        inPlace ? (MurSpan){"scratch", rehash->scratch, scratch, true}
                : mur_table_span(destination, "destination", true),
    };
    return result == VK_SUCCESS
               ? mur_check_spans(context, command, spans, sizeof spans / sizeof spans[0])
               : result;
}

static MurRehashPush make_push(MurTable source, MurTable destination, MurInsertMode mode,
                               const MurRehash *rehash) {
    return (MurRehashPush){
        .source = source->ref,
        .table = destination->ref,
        .slotMap = rehash ? rehash->slotMap.address : 0,
        .result = rehash ? rehash->result.address : 0,
        .mode = (uint32_t)mode,
    };
}

static MurKernel direct_kernel(MurTable destination) {
    return mur_kernel(destination->ref.flags, MUR_VERB_MOVE);
}

/* Zeroes the result, empties the destination if asked, inserts entry by entry. */
static void record_direct(VkCommandBuffer cmd, MurTable destination, const MurRehashPush *push,
                          bool clear) {
    MurContext context = destination->context;
    if (clear) {
        mur_record_clear(cmd, destination);
    }
    if (push->result) {
        mur_dispatch(context, cmd, MUR_KERNEL_REHASH_PREPARE, push, sizeof *push, 1);
    }
    if (clear || push->result) {
        mur_barrier(context, cmd);
    }
    mur_dispatch(context, cmd, direct_kernel(destination), push, sizeof *push,
                 (uint64_t)push->source.slotCount + MUR_EXTRA_SLOTS(mur_table_format(destination)));
}

static bool is_wide(MurTable table) {
    return mur_table_format(table) == MUR_FORMAT_K64V32;
}

/* A kernel of the stream, for the table's format. */
static MurKernel stream_kernel(MurTable table, MurKernel kernel) {
    enum { WIDE = MUR_KERNEL_REHASH_PREPARE_WIDE - MUR_KERNEL_REHASH_PREPARE };
    return is_wide(table) ? (MurKernel)((int)kernel + WIDE) : kernel;
}

/* Are as many slots of the source read for a slice as the slice has, or more? */
static bool reads_twice(MurTable source, MurTable destination) {
    return destination->ref.capacity / 3 < source->ref.capacity / 2;
}

/* Slots of the destination that a workgroup of the stream writes at a time; 0: no stream. */
static uint32_t choose_slice(MurTable source, MurTable destination) {
    const MurContext context = destination->context;
    const MurTableRef *from = &source->ref;
    const MurTableRef *to = &destination->ref;
    const bool reached = to->probeSectors > MUR_REHASH_CARRY / MUR_SECTOR_SLOTS ||
                         to->probeSectors > to->slotCount / MUR_SECTOR_SLOTS;
    const bool streams = mur_table_format(destination) == MUR_FORMAT_K32V32 ||
                         (is_wide(destination) && to->capacity <= 1u << 31);
    const bool large = (uint64_t)from->slotCount + to->slotCount >= MUR_REHASH_LEAST;
    if (!streams || context->rehashPath == MUR_REHASH_DIRECT || from->seed != to->seed ||
        !reached || (context->rehashPath == MUR_REHASH_AUTO && !large)) {
        return 0;
    }
    /* What corresponds to a slice is read at once, with some slots more for rounding. A slice is
     * whole lines of memory. Shrinking to less than a quarter is not worth a stream. */
    enum { LINE = 16 };
    const uint64_t times = reads_twice(source, destination) ? 2 : 1;
    const uint64_t reads = times * MUR_REHASH_READS - MUR_REHASH_CLOSE - 8;
    const uint64_t most = MUR_REHASH_WINDOW - MUR_REHASH_CARRY;
    const uint64_t read = reads * to->capacity / from->capacity;
    const uint64_t slice = read < most ? read : most;
    return to->capacity < from->capacity / 4 ? 0 : (uint32_t)(slice / LINE * LINE);
}

/* Slices that one workgroup writes: as many as leave enough workgroups. A stream that was asked for
 * needs few, so that tests see several slices with small tables. */
static uint32_t choose_steps(MurContext context, uint64_t slices) {
    const uint64_t steps = slices / (context->rehashPath == MUR_REHASH_STREAM ? 4 : 2048);
    return steps < 1 ? 1 : steps > MUR_REHASH_STEPS ? MUR_REHASH_STEPS : (uint32_t)steps;
}

/* For kernels that mostly have nothing to do, or little. */
static uint64_t few_groups(uint64_t invocations) {
    const uint64_t groups = (invocations + MUR_WORKGROUP_SIZE - 1) / MUR_WORKGROUP_SIZE;
    return groups < 1024 ? groups : 1024;
}

static void record_stream(VkCommandBuffer cmd, MurTable source, MurTable destination,
                          MurRehashPush *push) {
    const MurContext context = destination->context;
    const uint64_t ratio = ((uint64_t)source->ref.capacity << 32) / destination->ref.capacity;
    push->ratioLow = (uint32_t)ratio;
    push->ratioHigh = (uint32_t)(ratio >> 32);
    const uint64_t slots = destination->ref.slotCount;
    const uint64_t slices = (slots + push->slice - 1) / push->slice;
    push->steps = choose_steps(context, slices);
    const uint64_t groups = (slices + push->steps - 1) / push->steps;
    const MurKernel kernel = reads_twice(source, destination) ? MUR_KERNEL_REHASH_TWICE
                                                              : MUR_KERNEL_REHASH_SLICES;
    const uint64_t few = few_groups(slots + 1);
    const uint64_t fill = push->slotMap ? few_groups(push->source.slotCount + 1ull) : 0;
    mur_dispatch_groups(context, cmd, stream_kernel(destination, MUR_KERNEL_REHASH_PREPARE), push,
                        sizeof *push, 1 + fill);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, stream_kernel(destination, kernel), push, sizeof *push,
                        groups);
    /* Only one of them has something to do. */
    mur_dispatch_groups(context, cmd, stream_kernel(destination, MUR_KERNEL_REHASH_DENSE), push,
                        sizeof *push, few_groups(slots));
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, stream_kernel(destination, MUR_KERNEL_REHASH_FINISH), push,
                        sizeof *push, few);
    mur_barrier(context, cmd);
    mur_dispatch_groups(context, cmd, direct_kernel(destination), push, sizeof *push, few);
}

static void record_rehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                          const MurRehash *rehash) {
    MurRehashPush push = make_push(source, destination, MUR_INSERT_ASSIGN, rehash);
    push.slice = choose_slice(source, destination);
    if (push.slice) {
        record_stream(cmd, source, destination, &push);
    } else {
        record_direct(cmd, destination, &push, true);
    }
}

VkResult murCmdRehash(VkCommandBuffer cmd, MurTable source, MurTable destination,
                      const MurRehash *pRehash) {
    const char *command = "murCmdRehash";
    VkResult result = check_tables(cmd, source, destination, command);
    if (result == VK_SUCCESS) {
        result = check_rehash(source, destination, command, pRehash, 0);
    }
    if (result == VK_SUCCESS) {
        mur_begin_label(destination->context, cmd, command);
        record_rehash(cmd, source, destination, pRehash);
        mur_end_label(destination->context, cmd);
    }
    return result;
}

VkDeviceSize murGetCompactScratchSize(MurTable table) {
    return table ? table->memory.size : 0;
}

static VkResult check_compact(VkCommandBuffer cmd, MurTable table, const MurRehash *rehash,
                              const char *command) {
    VkResult result = mur_check_command(cmd, table, command);
    if (result != VK_SUCCESS) {
        return result;
    }
    const MurLogger *logger = &table->context->logger;
    if (!rehash) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT, "%s: pRehash is NULL", command);
    }
    const MurArray scratch = rehash->scratch;
    if (scratch.address == 0 || scratch.address % 32 != 0) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: the address of scratch is 0x%llx, not a multiple of 32 above 0",
                        command, (unsigned long long)scratch.address);
    }
    if (scratch.size < murGetCompactScratchSize(table)) {
        return mur_fail(logger, MUR_ERROR_INVALID_ARGUMENT,
                        "%s: scratch is %llu bytes; the table needs %llu", command,
                        (unsigned long long)scratch.size,
                        (unsigned long long)murGetCompactScratchSize(table));
    }
    return check_rehash(table, table, command, rehash, murGetCompactScratchSize(table));
}

VkResult murCmdCompact(VkCommandBuffer cmd, MurTable table, const MurRehash *pRehash) {
    const char *command = "murCmdCompact";
    const VkResult result = check_compact(cmd, table, pRehash, command);
    if (result != VK_SUCCESS) {
        return result;
    }
    /* The same table, in scratch memory. */
    struct MurTable_T compacted = *table;
    compacted.ref.address = pRehash->scratch.address;
    const MurRehashPush back = {.source = compacted.ref, .table = table->ref};
    const uint64_t stores = table->memory.size / 16;
    mur_begin_label(table->context, cmd, command);
    record_rehash(cmd, table, &compacted, pRehash);
    mur_barrier(table->context, cmd);
    mur_dispatch(table->context, cmd, MUR_KERNEL_REHASH_COPY, &back, sizeof back,
                 (stores + MUR_CLEAR_STORES - 1) / MUR_CLEAR_STORES);
    mur_end_label(table->context, cmd);
    return VK_SUCCESS;
}

VkResult murCmdMerge(VkCommandBuffer cmd, MurTable source, MurTable destination, MurInsertMode mode,
                     const MurRehash *pRehash) {
    const char *command = "murCmdMerge";
    VkResult result = check_tables(cmd, source, destination, command);
    if (result == VK_SUCCESS && source->multi) {
        result = mur_fail(&destination->context->logger, MUR_ERROR_INVALID_ARGUMENT,
                          "%s: source and destination were made by murCreateMultiTable: their "
                          "numbers of values would be merged",
                          command);
    }
    if (result == VK_SUCCESS) {
        result = mur_check_mode(destination, command, mode);
    }
    if (result == VK_SUCCESS) {
        result = check_rehash(source, destination, command, pRehash, 0);
    }
    if (result == VK_SUCCESS) {
        const MurRehashPush push = make_push(source, destination, mode, pRehash);
        mur_begin_label(destination->context, cmd, command);
        record_direct(cmd, destination, &push, false);
        mur_end_label(destination->context, cmd);
    }
    return result;
}
