/* The memory that a case's command is given.
 *
 * SPDX-License-Identifier: MIT */
#include "plan_case.h"

#include <string.h>

static uint32_t memory_of_batch(const MurBatch *batch, Memory *memory) {
    const Memory all[] = {
        {"keys", batch->keys.address, batch->keys.size},
        {"values", batch->values.address, batch->values.size},
        {"statuses", batch->statuses.address, batch->statuses.size},
        {"slots", batch->slots.address, batch->slots.size},
        {"old values", batch->oldValues.address, batch->oldValues.size},
        {"status bits", batch->statusBits.address, batch->statusBits.size},
        {"count", batch->countAddress, 4},
        {"scratch", batch->scratch.address, batch->scratch.size},
    };
    memcpy(memory, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static uint32_t memory_of_group(const MurGroup *group, Memory *memory) {
    const Memory all[] = {
        {"keys", group->keys.address, group->keys.size},
        {"values", group->values.address, group->values.size},
        {"groups", group->groups.address, group->groups.size},
        {"count", group->countAddress, 4},
        {"scratch", group->scratch.address, group->scratch.size},
    };
    memcpy(memory, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static uint32_t memory_of_retrieve(const MurMultiRetrieve *retrieve, Memory *memory) {
    const Memory all[] = {
        {"keys", retrieve->keys.address, retrieve->keys.size},
        {"offsets", retrieve->offsets.address, retrieve->offsets.size},
        {"values", retrieve->values.address, retrieve->values.size},
        {"indices", retrieve->keyIndices.address, retrieve->keyIndices.size},
        {"count", retrieve->countAddress, 4},
        {"total", retrieve->totalAddress, 4},
        {"scratch", retrieve->scratch.address, retrieve->scratch.size},
    };
    memcpy(memory, all, sizeof all);
    return sizeof all / sizeof all[0];
}

/* What bulk commands on paged tables are given, whichever it is. */
static MurPagedExtract bulk_of(const PlanCase *test) {
    const MurPagedBatch *batch = &test->pagedBatch;
    switch (test->verb) {
    case VERB_PAGED_EXTRACT:
        return test->pagedExtract;
    case VERB_PAGED_REHASH:
        return (MurPagedExtract){.countAddress = test->pagedRehash.countAddress,
                                 .leftAddress = test->pagedRehash.leftAddress,
                                 .scratch = test->pagedRehash.scratch};
    default:
        return (MurPagedExtract){.countAddress = test->verb == VERB_PAGED_BATCH
                                                     ? batch->countAddress
                                                     : test->pages.countAddress,
                                 .keys = batch->keys,
                                 .values = batch->values,
                                 .scratch = batch->scratch};
    }
}

static uint32_t memory_of_pager(const PlanCase *test, Memory *memory) {
    const MurPagerShape *pager = &test->pager;
    const MurPagedExtract bulk = bulk_of(test);
    const Memory all[] = {
        {"the pager", pager->block, pager->bytes},
        {"the store", pager->chunks[0], (uint64_t)pager->ref.pageCount << pager->ref.pageShift},
        {"statistics", test->paging.stats.address, test->paging.stats.size},
        {"pages", test->pages.pages.address, test->pages.pages.size},
        {"lists", pager->lists, pager->lists ? pager->listsSize * pager->listsCount : 0},
        {"count", bulk.countAddress, 4},
        {"pages left", bulk.leftAddress, 4},
        {"the paged table", test->paged.ref.partitions, test->paged.bytes},
        {"its statistics", test->tablePaging.stats.address, test->tablePaging.stats.size},
        {"keys", bulk.keys.address, bulk.keys.size},
        {"values", bulk.values.address, bulk.values.size},
        {"statuses", test->pagedBatch.statuses.address, test->pagedBatch.statuses.size},
        {"scratch", bulk.scratch.address, bulk.scratch.size},
    };
    memcpy(memory, all, sizeof all);
    return sizeof all / sizeof all[0];
}

uint32_t case_memory(const PlanCase *test, Memory memory[CASE_MEMORY]) {
    uint32_t count = 0;
    memory[count++] = (Memory){"table", test->table.ref.address, test->table.bytes};
    if (case_extracts(test->verb)) {
        const MurExtract *extract = &test->extract;
        memory[count++] = (Memory){"keys", extract->keys.address, extract->keys.size};
        memory[count++] = (Memory){"values", extract->values.address, extract->values.size};
        memory[count++] = (Memory){"slots", extract->slots.address, extract->slots.size};
        memory[count++] = (Memory){"count", extract->countAddress, 4};
    } else if (test->verb == VERB_STATS) {
        memory[count++] = (Memory){"stats", test->stats.address, test->stats.size};
    } else if (case_passes(test->verb)) {
        const MurAge *age = &test->age;
        memory[count++] = (Memory){"live", age->live.address, age->live.size};
        memory[count++] = (Memory){"erased", age->erased.address, age->erased.size};
        memory[count++] = (Memory){"result", age->result.address, age->result.size};
    } else if (case_has_rows(test->verb)) {
        const MurRowBatch *rows = &test->rows;
        memory[count++] = (Memory){"rows", rows->rows.address, rows->rows.size};
        memory[count++] = (Memory){"numbers", rows->numbers.address, rows->numbers.size};
        memory[count++] = (Memory){"queries", rows->queries.address, rows->queries.size};
        memory[count++] = (Memory){"found", rows->found.address, rows->found.size};
        memory[count++] = (Memory){"statuses", rows->statuses.address, rows->statuses.size};
        memory[count++] = (Memory){"count", rows->countAddress, 4};
    } else if (case_pages(test->verb)) {
        count += memory_of_pager(test, memory + count);
    } else if (case_moves(test->verb)) {
        const MurRehash *rehash = &test->rehash;
        if (test->verb != VERB_COMPACT) {
            memory[count++] = (Memory){"source", test->source.ref.address, test->source.bytes};
        }
        memory[count++] = (Memory){"slot map", rehash->slotMap.address, rehash->slotMap.size};
        memory[count++] = (Memory){"result", rehash->result.address, rehash->result.size};
        memory[count++] = (Memory){"scratch", rehash->scratch.address, rehash->scratch.size};
    } else if (test->verb == VERB_GROUP) {
        count += memory_of_group(&test->group, memory + count);
    } else if (test->verb == VERB_MULTI_RETRIEVE) {
        count += memory_of_retrieve(&test->retrieve, memory + count);
    } else if (test->verb != VERB_CLEAR) {
        count += memory_of_batch(&test->batch, memory + count);
    }
    return count;
}
