/* SPDX-License-Identifier: MIT */
#include "hazard.h"

#include <stddef.h>
#include <string.h>

/* Where the push constants of a kind have the address of what a bit stands for. */
static const struct {
    MurPushKind push;
    MurTouches bit;
    size_t at;
} addresses[] = {
#define AT(push, bit, member) \
    { MUR_PUSH_##push, MUR_TOUCHES_##bit, offsetof(MurPush, member) }
    AT(BATCH, TABLE, batch.table.address),
    AT(BATCH, KEYS, batch.keys),
    AT(BATCH, VALUES, batch.values),
    AT(BATCH, STATUSES, batch.statuses),
    AT(BATCH, SLOTS, batch.slots),
    AT(BATCH, OLD_VALUES, batch.oldValues),
    AT(BATCH, STATUS_BITS, batch.statusBits),
    AT(BATCH, COUNT, batch.count),
    AT(SORT, KEYS, sort.keys),
    AT(SORT, VALUES, sort.values),
    AT(SORT, COUNT, sort.count),
    AT(SORT, COARSE, sort.coarse),
    AT(SORT, COUNTERS, sort.counters),
    AT(SORT, SORTED_KEYS, sort.sortedKeys),
    AT(SORT, SORTED_VALUES, sort.sortedValues),
    AT(SORT, PLACES, sort.places),
    AT(UNSORT, COUNT, unsort.count),
    AT(UNSORT, PLACES, unsort.places),
    AT(UNSORT, SORTED, unsort.sorted),
    AT(UNSORT, RESULTS, unsort.results),
    AT(EXTRACT, TABLE, extract.table.address),
    AT(EXTRACT, KEYS, extract.keys),
    AT(EXTRACT, VALUES, extract.values),
    AT(EXTRACT, SLOTS, extract.slots),
    AT(EXTRACT, COUNT, extract.count),
    AT(GROUP, TABLE, group.table.address),
    AT(GROUP, KEYS, group.keys),
    AT(GROUP, VALUES, group.values),
    AT(GROUP, COUNT, group.count),
    AT(GROUP, COUNTERS, group.counters),
    AT(GROUP, SCRATCH, group.scratch),
    AT(GROUP, TILES, group.tiles),
    AT(GROUP, SLOTS, group.slots),
    AT(GROUP, GROUPS, group.groups),
    AT(SLICES, TABLE, slices.table.address),
    AT(SLICES, KEYS, slices.keys),
    AT(SLICES, VALUES, slices.values),
    AT(SLICES, COUNT, slices.count),
    AT(SLICES, SCRATCH, slices.scratch),
    AT(REHASH, TABLE, rehash.table.address),
    AT(REHASH, SOURCE, rehash.source.address),
    AT(REHASH, SLOT_MAP, rehash.slotMap),
    AT(REHASH, SCRATCH, rehash.scratch),
    AT(REHASH, RESULT, rehash.result),
    AT(MULTI, TABLE, multi.table.address),
    AT(MULTI, KEYS, multi.keys),
    AT(MULTI, COUNT, multi.count),
    AT(MULTI, OFFSETS, multi.offsets),
    AT(MULTI, VALUES, multi.values),
    AT(MULTI, INDICES, multi.indices),
    AT(MULTI, TOTAL, multi.total),
    AT(MULTI, SCRATCH, multi.scratch),
    AT(PAGER, PAGER, pager.block),
    AT(PAGER, POOL, pager.pager.pool),
    AT(PAGER, STORE, pager.store),
    AT(PAGER, LISTS, pager.lists),
    AT(PAGER, STATS, pager.stats),
    AT(PAGES, PAGER, pages.pager.requests),
    AT(PAGES, POOL, pages.pager.pool),
    AT(PAGES, PAGES, pages.pages),
    AT(PAGES, COUNT, pages.count),
    AT(PAGED, PAGER, paged.pager.requests),
    AT(PAGED, POOL, paged.pager.pool),
    AT(PAGED, STATE, paged.state),
    AT(PAGED, PARTITIONS, paged.partitions),
    AT(PAGED_OUT, PAGER, pagedOut.block),
    AT(PAGED_OUT, POOL, pagedOut.pager.pool),
    AT(PAGED_OUT, STORE, pagedOut.store),
    AT(PAGED_OUT, STATE, pagedOut.state),
    AT(PAGED_OUT, STATS, pagedOut.stats),
    AT(PAGED_KEEP, PAGER, pagedKeep.block),
    AT(PAGED_KEEP, STORE, pagedKeep.store),
    AT(PAGED_KEEP, STATE, pagedKeep.state),
    AT(PAGED_KEEP, PARTITIONS, pagedKeep.partitions),
    AT(AGE, TABLE, age.table.address),
    AT(AGE, LIVE, age.live),
    AT(AGE, ERASED, age.erased),
    AT(AGE, RESULT, age.result),
    AT(PAGED_BULK, SCRATCH, pagedBulk.given.pages), /* behind what they are given */
    AT(PAGED_BULK, KEYS, pagedBulk.given.keys),
    AT(PAGED_BULK, VALUES, pagedBulk.given.values),
    AT(PAGED_BULK, STATUSES, pagedBulk.given.statuses),
    AT(PAGED_BULK, COUNT, pagedBulk.given.count),
    AT(PAGED_BULK, RESULT, pagedBulk.given.result),
    AT(PAGED_BULK, LEFT, pagedBulk.given.left),
    AT(PAGED_BULK, STORE, pagedBulk.given.store),
    AT(PAGED_BULK, PAGER, pagedBulk.table.pager.requests),
    AT(PAGED_BULK, POOL, pagedBulk.table.pager.pool),
    AT(PAGED_BULK, STATE, pagedBulk.table.state),
    AT(PAGED_BULK, PARTITIONS, pagedBulk.table.partitions),
    AT(TABLE, TABLE, table.address),
    AT(STATS, TABLE, stats.table.address),
    AT(STATS, STATS, stats.stats),
    AT(CHUNKS, PAGER, chunks.block),
    AT(WORDS, SCRATCH, words.arguments),
#undef AT
};

bool step_address(const MurStep *step, MurTouches bit, uint64_t *address) {
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; ++i) {
        if (addresses[i].push == mur_kernels[step->kernel].push && addresses[i].bit == bit) {
            memcpy(address, (const char *)&step->push + addresses[i].at, sizeof *address);
            return true;
        }
    }
    return false;
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
        const Touched *kernel = &kernels_touch[step->kernel];
        if (!touched(step, kernel->reads, memory, count, &reads[i]) ||
            !touched(step, kernel->writes, memory, count, &writes[i])) {
            *hazard = (Hazard){i, i, "nothing that the command was given"};
            return true;
        }
        begin = step->barrier ? i : begin;
        for (uint32_t j = begin; j < i; ++j) {
            const uint32_t both = (writes[j] & (reads[i] | writes[i])) | (reads[j] & writes[i]);
            if (both && !kernels_alternate(plan->steps[j].kernel, step->kernel)) {
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
