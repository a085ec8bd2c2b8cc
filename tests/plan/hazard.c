/* SPDX-License-Identifier: MIT */
#include "hazard.h"

static bool of_batch(const MurBatchPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_TABLE         ? push->table.address
               : bit == MUR_TOUCHES_KEYS        ? push->keys
               : bit == MUR_TOUCHES_VALUES      ? push->values
               : bit == MUR_TOUCHES_STATUSES    ? push->statuses
               : bit == MUR_TOUCHES_SLOTS       ? push->slots
               : bit == MUR_TOUCHES_OLD_VALUES  ? push->oldValues
               : bit == MUR_TOUCHES_STATUS_BITS ? push->statusBits
                                                : push->count;
    return (bit & (MUR_TOUCHES_TABLE | MUR_TOUCHES_KEYS | MUR_TOUCHES_VALUES |
                   MUR_TOUCHES_STATUSES | MUR_TOUCHES_SLOTS | MUR_TOUCHES_OLD_VALUES |
                   MUR_TOUCHES_STATUS_BITS | MUR_TOUCHES_COUNT)) != 0;
}

static bool of_sort(const MurSortPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_KEYS            ? push->keys
               : bit == MUR_TOUCHES_VALUES        ? push->values
               : bit == MUR_TOUCHES_COUNT         ? push->count
               : bit == MUR_TOUCHES_COUNTERS      ? push->counters
               : bit == MUR_TOUCHES_SORTED_KEYS   ? push->sortedKeys
               : bit == MUR_TOUCHES_SORTED_VALUES ? push->sortedValues
                                                  : push->places;
    return (bit &
            (MUR_TOUCHES_KEYS | MUR_TOUCHES_VALUES | MUR_TOUCHES_COUNT | MUR_TOUCHES_COUNTERS |
             MUR_TOUCHES_SORTED_KEYS | MUR_TOUCHES_SORTED_VALUES | MUR_TOUCHES_PLACES)) != 0;
}

static bool of_unsort(const MurUnsortPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_COUNT    ? push->count
               : bit == MUR_TOUCHES_PLACES ? push->places
               : bit == MUR_TOUCHES_SORTED ? push->sorted
                                           : push->results;
    return (bit & (MUR_TOUCHES_COUNT | MUR_TOUCHES_PLACES | MUR_TOUCHES_SORTED |
                   MUR_TOUCHES_RESULTS)) != 0;
}

static bool of_extract(const MurExtractPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_TABLE    ? push->table.address
               : bit == MUR_TOUCHES_KEYS   ? push->keys
               : bit == MUR_TOUCHES_VALUES ? push->values
               : bit == MUR_TOUCHES_SLOTS  ? push->slots
                                           : push->count;
    return (bit & (MUR_TOUCHES_TABLE | MUR_TOUCHES_KEYS | MUR_TOUCHES_VALUES | MUR_TOUCHES_SLOTS |
                   MUR_TOUCHES_COUNT)) != 0;
}

static bool of_slices(const MurSlicesPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_TABLE    ? push->table.address
               : bit == MUR_TOUCHES_KEYS   ? push->keys
               : bit == MUR_TOUCHES_VALUES ? push->values
               : bit == MUR_TOUCHES_COUNT  ? push->count
                                           : push->scratch;
    return (bit & (MUR_TOUCHES_TABLE | MUR_TOUCHES_KEYS | MUR_TOUCHES_VALUES | MUR_TOUCHES_COUNT |
                   MUR_TOUCHES_SCRATCH)) != 0;
}

static bool of_rehash(const MurRehashPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_TABLE      ? push->table.address
               : bit == MUR_TOUCHES_SOURCE   ? push->source.address
               : bit == MUR_TOUCHES_SLOT_MAP ? push->slotMap
               : bit == MUR_TOUCHES_SCRATCH  ? push->scratch
                                             : push->result;
    return (bit & (MUR_TOUCHES_TABLE | MUR_TOUCHES_SOURCE | MUR_TOUCHES_SLOT_MAP |
                   MUR_TOUCHES_RESULT | MUR_TOUCHES_SCRATCH)) != 0;
}

static bool of_multi(const MurMultiPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_TABLE     ? push->table.address
               : bit == MUR_TOUCHES_KEYS    ? push->keys
               : bit == MUR_TOUCHES_COUNT   ? push->count
               : bit == MUR_TOUCHES_OFFSETS ? push->offsets
               : bit == MUR_TOUCHES_VALUES  ? push->values
               : bit == MUR_TOUCHES_INDICES ? push->indices
               : bit == MUR_TOUCHES_TOTAL   ? push->total
                                            : push->scratch;
    return (bit & (MUR_TOUCHES_TABLE | MUR_TOUCHES_KEYS | MUR_TOUCHES_COUNT | MUR_TOUCHES_OFFSETS |
                   MUR_TOUCHES_VALUES | MUR_TOUCHES_INDICES | MUR_TOUCHES_TOTAL |
                   MUR_TOUCHES_SCRATCH)) != 0;
}

static bool of_pager(const MurPagerPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_PAGER   ? push->block
               : bit == MUR_TOUCHES_POOL  ? push->pager.pool
               : bit == MUR_TOUCHES_STORE ? push->store
               : bit == MUR_TOUCHES_LISTS ? push->lists
                                          : push->stats;
    return (bit & (MUR_TOUCHES_PAGER | MUR_TOUCHES_POOL | MUR_TOUCHES_STORE | MUR_TOUCHES_LISTS |
                   MUR_TOUCHES_STATS)) != 0;
}

static bool of_pages(const MurPagesPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_PAGER   ? push->pager.requests
               : bit == MUR_TOUCHES_POOL  ? push->pager.pool
               : bit == MUR_TOUCHES_PAGES ? push->pages
                                          : push->count;
    return (bit & (MUR_TOUCHES_PAGER | MUR_TOUCHES_POOL | MUR_TOUCHES_PAGES | MUR_TOUCHES_COUNT)) !=
           0;
}

static bool of_paged(const MurPagedRef *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_PAGER   ? push->pager.requests
               : bit == MUR_TOUCHES_POOL  ? push->pager.pool
               : bit == MUR_TOUCHES_STATE ? push->state
                                          : push->partitions;
    return (bit & (MUR_TOUCHES_PAGER | MUR_TOUCHES_POOL | MUR_TOUCHES_STATE |
                   MUR_TOUCHES_PARTITIONS)) != 0;
}

static bool of_paged_out(const MurPagedOutPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_PAGER   ? push->block
               : bit == MUR_TOUCHES_POOL  ? push->pager.pool
               : bit == MUR_TOUCHES_STORE ? push->store
               : bit == MUR_TOUCHES_STATE ? push->state
                                          : push->stats;
    return (bit & (MUR_TOUCHES_PAGER | MUR_TOUCHES_POOL | MUR_TOUCHES_STORE | MUR_TOUCHES_STATE |
                   MUR_TOUCHES_STATS)) != 0;
}

static bool of_paged_keep(const MurPagedKeepPush *push, MurTouches bit, uint64_t *address) {
    *address = bit == MUR_TOUCHES_PAGER   ? push->block
               : bit == MUR_TOUCHES_STORE ? push->store
               : bit == MUR_TOUCHES_STATE ? push->state
                                          : push->partitions;
    return (bit & (MUR_TOUCHES_PAGER | MUR_TOUCHES_STORE | MUR_TOUCHES_STATE |
                   MUR_TOUCHES_PARTITIONS)) != 0;
}

static bool of_bulk(const MurPagedBulkPush *push, MurTouches bit, uint64_t *address) {
    const MurPagedArguments *given = &push->given;
    *address = bit == MUR_TOUCHES_SCRATCH    ? given->pages /* behind what they are given */
               : bit == MUR_TOUCHES_KEYS     ? given->keys
               : bit == MUR_TOUCHES_VALUES   ? given->values
               : bit == MUR_TOUCHES_STATUSES ? given->statuses
               : bit == MUR_TOUCHES_COUNT    ? given->count
               : bit == MUR_TOUCHES_RESULT   ? given->result
               : bit == MUR_TOUCHES_LEFT     ? given->left
                                             : given->store;
    return (bit & (MUR_TOUCHES_RESULT | MUR_TOUCHES_LEFT | MUR_TOUCHES_SCRATCH | MUR_TOUCHES_KEYS |
                   MUR_TOUCHES_VALUES | MUR_TOUCHES_STATUSES | MUR_TOUCHES_COUNT |
                   MUR_TOUCHES_STORE)) != 0 ||
           of_paged(&given->table, bit, address);
}

bool step_address(const MurStep *step, MurTouches bit, uint64_t *address) {
    const MurPush *push = &step->push;
    switch (mur_kernels[step->kernel].push) {
    case MUR_PUSH_TABLE:
        *address = push->table.address;
        return bit == MUR_TOUCHES_TABLE;
    case MUR_PUSH_BATCH:
        return of_batch(&push->batch, bit, address);
    case MUR_PUSH_SORT:
        return of_sort(&push->sort, bit, address);
    case MUR_PUSH_UNSORT:
        return of_unsort(&push->unsort, bit, address);
    case MUR_PUSH_EXTRACT:
        return of_extract(&push->extract, bit, address);
    case MUR_PUSH_STATS:
        *address = bit == MUR_TOUCHES_TABLE ? push->stats.table.address : push->stats.stats;
        return bit == MUR_TOUCHES_TABLE || bit == MUR_TOUCHES_STATS;
    case MUR_PUSH_SLICES:
        return of_slices(&push->slices, bit, address);
    case MUR_PUSH_REHASH:
        return of_rehash(&push->rehash, bit, address);
    case MUR_PUSH_PAGER:
        return of_pager(&push->pager, bit, address);
    case MUR_PUSH_PAGES:
        return of_pages(&push->pages, bit, address);
    case MUR_PUSH_CHUNKS:
        *address = push->chunks.block;
        return bit == MUR_TOUCHES_PAGER;
    case MUR_PUSH_PAGED:
        return of_paged(&push->paged, bit, address);
    case MUR_PUSH_PAGED_BULK:
        return of_bulk(&push->pagedBulk, bit, address);
    case MUR_PUSH_WORDS:
        *address = push->words.arguments;
        return bit == MUR_TOUCHES_SCRATCH;
    case MUR_PUSH_PAGED_KEEP:
        return of_paged_keep(&push->pagedKeep, bit, address);
    case MUR_PUSH_PAGED_OUT:
        return of_paged_out(&push->pagedOut, bit, address);
    default:
        return of_multi(&push->multi, bit, address);
    }
}

enum { NOWHERE = CASE_MEMORY };

static uint32_t memory_at(const Memory *memory, uint32_t count, uint64_t address) {
    for (uint32_t i = 0; i < count; ++i) {
        if (memory[i].address && address >= memory[i].address &&
            address - memory[i].address < memory[i].size) {
            return i;
        }
    }
    return NOWHERE;
}

/* A bit for each piece of memory. Within one piece all is taken to overlap. */
static bool touched(const MurStep *step, uint32_t declared, const Memory *memory, uint32_t count,
                    uint32_t *pieces) {
    *pieces = 0;
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        uint64_t address = 0;
        if (!(declared & bit)) {
            continue;
        }
        if (!step_address(step, (MurTouches)bit, &address)) {
            return false;
        }
        if (address) {
            const uint32_t piece = memory_at(memory, count, address);
            if (piece == NOWHERE) {
                return false;
            }
            *pieces |= 1u << piece;
        }
    }
    return true;
}

bool hazard_find(const PlanCase *test, const MurPlan *plan, Hazard *hazard) {
    Memory memory[CASE_MEMORY];
    const uint32_t count = case_memory(test, memory);
    uint32_t reads[MUR_PLAN_STEPS], writes[MUR_PLAN_STEPS];
    uint32_t begin = 0; /* the first step since the last barrier */
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        const MurStep *step = &plan->steps[i];
        const MurKernelInfo *kernel = &mur_kernels[step->kernel];
        if (!touched(step, kernel->reads, memory, count, &reads[i]) ||
            !touched(step, kernel->writes, memory, count, &writes[i])) {
            *hazard = (Hazard){i, i, "nothing that the command was given"};
            return true;
        }
        begin = step->barrier ? i : begin;
        for (uint32_t j = begin; j < i; ++j) {
            const uint32_t both = (writes[j] & (reads[i] | writes[i])) | (reads[j] & writes[i]);
            if (both && !mur_kernels_alternate(plan->steps[j].kernel, step->kernel)) {
                uint32_t piece = 0;
                while (!(both >> piece & 1)) {
                    ++piece;
                }
                *hazard = (Hazard){j, i, memory[piece].name};
                return true;
            }
        }
    }
    return false;
}
