/* Checks invariants of every plan (dispatches of a command), on the host, for random cases.
 * SPDX-License-Identifier: MIT */
#include "plan_case.h"
#include "support/cases.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

/* The purpose of a kernel: a bit of a kernel set, or one of the bits below. */
enum {
    FOR_CORE = 1 << 8,
    FOR_SINGLE = 1 << 9,
    FOR_EVICTION = FOR_SINGLE,
    FOR_MULTI = FOR_SINGLE,
    FOR_ROWS = FOR_SINGLE, /* kernels of table types; the type's capabilities decide which */
    FOR_PAGER = 1 << 10,
    FOR_PAGED = 1 << 11,
    TO_GROUP = 1 << 12, /* kernels of the command murCmdGroup */
    FOR_SORT = MUR_KERNELS_LARGE_BATCHES | TO_GROUP,
    FOR_GROUP = MUR_KERNELS_GROUP | TO_GROUP,
    FOR_SLICES = MUR_KERNELS_LARGE_BATCHES | MUR_KERNELS_BUILD,
    FOR_INSERT = MUR_KERNELS_LARGE_BATCHES,
    FOR_BUILD = MUR_KERNELS_BUILD,
    FOR_REHASH = MUR_KERNELS_REHASH,
    FOR_MOVE = MUR_KERNELS_REHASH,
    FOR_MIRROR = 0 /* no random case has these kernels: see tests/mirror */
};
static const uint32_t made_for[MUR_KERNEL_COUNT] = {
#define KERNEL(id, folder, source, kind, group, variant, family, ...) \
    [MUR_KERNEL_##id] = FOR_##family,
#include <kernels/kernels.def>
#undef KERNEL
};

/* The kernels of all plans so far. */
static bool used[MUR_KERNEL_COUNT];

/* The case that is checked, and its seed. */
static const PlanCase *current;
static uint64_t currentSeed;

static _Noreturn void wrong(const char *what) {
    const MurShape *table = &current->table;
    print_error("seed %llu: %s, capacity %u, flags 0x%x, kernels 0x%x, probe sectors %u, mode %u, "
                "maxCount %u, lent %llu\n",
                (unsigned long long)currentSeed, verb_name(current->verb), table->ref.capacity,
                table->ref.flags, table->kernels, table->ref.probeSectors, current->mode,
                current->batch.maxCount, (unsigned long long)current->batch.scratch.size);
    fail_msg("%s", what);
    abort();
}

static uint32_t prepared(const PlanCase *test) {
    const Arguments takes = verb_arguments(test->verb);
    return takes >= TAKES_PAGED   ? FOR_PAGER | FOR_PAGED | FOR_CORE
           : takes >= TAKES_PAGER ? FOR_PAGER
                                  : FOR_CORE | FOR_SINGLE | test->table.kernels |
                                        (test->verb == VERB_GROUP ? TO_GROUP : 0);
}

/* Requires that the table's kernel sets contain the plan's pipelines, and the device runs them. */
static void has_pipelines(const PlanCase *test, const MurPlan *plan) {
    const Arguments takes = verb_arguments(test->verb);
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        const MurKernel kernel = plan->steps[i].kernel;
        if (!(made_for[kernel] & prepared(test)) ||
            !mur_kernel_serves(kernel, takes >= TAKES_PAGER ? mur_type_of(plan->tableFlags)
                                                            : test->table.type) ||
            (mur_kernels[kernel].needs == MUR_NEEDS_SHARED_MEMORY && !test->device.sharedMemory)) {
            wrong(mur_kernels[kernel].name);
        }
    }
    const bool noTable = takes == TAKES_PAGER || takes == TAKES_PAGES;
    if (plan->tableFlags != (noTable ? 0 : test->table.ref.flags)) {
        wrong("the pipelines of another table");
    }
}

/* Requires that a plan with work has steps (dispatches) with valid workgroup counts. */
static void has_work(const PlanCase *test, const MurPlan *plan) {
    const Arguments takes = verb_arguments(test->verb);
    const bool builds = test->verb == VERB_BUILD || test->verb == VERB_PAGED_BUILD;
    const bool idle =
        ((takes == TAKES_BATCH || takes == TAKES_MULTI) && test->batch.maxCount == 0 && !builds) ||
        (takes == TAKES_ROWS && test->rows.maxCount == 0) ||
        (takes == TAKES_RETRIEVE && test->retrieve.maxCount == 0) ||
        (takes == TAKES_PAGES && test->pages.maxCount == 0) ||
        (takes == TAKES_PAGED_BATCH && test->pagedBatch.maxCount == 0 && !builds) ||
        (test->verb == VERB_PAGER_FLUSH && test->pager.resident) ||
        (test->verb == VERB_PAGE && test->pager.resident && !test->paging.stats.address);
    if (idle != (plan->stepCount == 0)) {
        wrong(idle ? "work without items" : "no work");
    }
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        if (plan->steps[i].groups == 0 || plan->steps[i].groups > 1ull << 25) {
            wrong("a step of no workgroups, or of more than there can be");
        }
    }
}

/* Requires that the last kernel with one invocation per item processes all items. */
static void covers_items(const PlanCase *test, const MurPlan *plan) {
    const uint32_t items = verb_arguments(test->verb) == TAKES_ROWS ? test->rows.maxCount
                                                                    : test->batch.maxCount;
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        const MurStep *step = &plan->steps[i];
        if (mur_kernels[step->kernel].push == MUR_PUSH_BATCH &&
            (step->groups * mur_kernels[step->kernel].group < items ||
             step->push.batch.maxCount != items)) {
            wrong("items that no invocation takes");
        }
    }
}

/* Requires that only exclusive commands use the partitioned path. It copies slots to shared memory
 * and back, so concurrent changes of the table would be lost. */
static void keeps_company(const PlanCase *test, const MurPlan *plan) {
    const bool alone = test->verb == VERB_BUILD || (test->batch.flags & MUR_BATCH_EXCLUSIVE);
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        if (mur_kernels[plan->steps[i].kernel].push == MUR_PUSH_SLICES && !alone) {
            wrong("slices, but the table is not the command's alone");
        }
        if (plan->steps[i].kernel == MUR_KERNEL_ERASE &&
            (plan->steps[i].push.batch.mode == MUR_ERASE_FREES) != alone) {
            wrong("an erase frees slots, or does not");
        }
    }
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

/* Returns the largest number of items per invocation. A unit is a partition or a bin of `items`
 * items. Invocations may share a unit, or have several units. */
static uint64_t most_items(uint64_t invocations, uint64_t units, uint64_t items, uint64_t lanes) {
    const uint64_t each = invocations / units > lanes ? invocations / units : lanes;
    return divide_up(items, each) * divide_up(units, invocations / each);
}

/* Returns the largest number of loop iterations of an invocation. Counts only probes and copies. An
 * iteration of a loop counts as one of each loop inside it, so inserts take two per sector. */
static uint64_t most_iterations(const PlanCase *test, const MurStep *step) {
    const uint64_t group = mur_kernels[step->kernel].group, lanes = step->groups * group;
    const MurTableRef *table = &test->table.ref;
    const uint64_t probe = table->probeSectors < 8192 ? table->probeSectors : 8192;
    const MurGroupPush *pairs = &step->push.group;
    const MurSlicesPush *slices = &step->push.slices;
    const uint64_t slots = step->push.rehash.source.slotCount + 2ull;
    const bool split = pairs->bins != 0;
    const uint64_t insert = 2 * probe;
    const bool tiled = step->kernel == MUR_KERNEL_GROUP_COUNT ||
                       step->kernel == MUR_KERNEL_GROUP_PLACE;
    const uint64_t each = tiled ? pairs->tile : MUR_GROUP_ROOM;
    const uint64_t tiles = split ? 2ull * pairs->maxCount / each : divide_up(pairs->maxCount, each);
    const uint64_t tile = divide_up(tiles, step->groups) * (each / group);
    switch (step->kernel) {
    case MUR_KERNEL_GROUP_SORT_BINS: /* also sorts the values of a group */
    case MUR_KERNEL_GROUP_BINS:      /* clears and writes slots in each round */
        return table->slotCount / pairs->bins / MUR_GROUP_ROOM * (2 * 2 * MUR_GROUP_ROOM / group) +
               (step->kernel == MUR_KERNEL_GROUP_BINS ? 0 : 4 * MUR_GROUP_SMALL + 1000);
    case MUR_KERNEL_GROUP_ASCEND: { /* needs 78 steps to sort the largest group */
        const uint64_t keys = pairs->maxCount <= table->slotCount ? pairs->maxCount
                                                                  : table->slotCount + 1ull;
        return divide_up(divide_up(keys, MUR_GROUP_CHUNK), step->groups) * MUR_GROUP_CHUNK * 78 * 9;
    }
    case MUR_KERNEL_GROUP_COUNT:
        return insert *
               (tile +
                (split ? most_items(lanes, pairs->bins, MUR_GROUP_ROOM, MUR_GROUP_LANES) : 0));
    case MUR_KERNEL_GROUP_PLACE:
        return probe * tile;
    case MUR_KERNEL_REHASH_DIRECT:
        return (insert + probe /* skips full chunks */) * divide_up(slots, lanes);
    case MUR_KERNEL_SLICES_OVERFLOW:
        return insert * (slices->flags & MUR_SLICES_BUILD
                             ? divide_up(slices->maxCount, lanes)
                             : most_items(lanes, divide_up(table->capacity, MUR_SLICE),
                                          slices->sliceRoom, MUR_REST_LANES));
    case MUR_KERNEL_PAGER_MOVE: {
        const uint32_t requests = test->pager.ref.maxRequests;
        const uint32_t frames = test->pager.ref.poolPageCount;
        const uint64_t moves = test->pager.resident ? 0 : requests < frames ? requests : frames;
        const uint32_t most = step->push.pager.maxPages;
        const uint32_t shift = test->pager.ref.pageShift - MUR_PAGER_PIECE_SHIFT;
        return divide_up((moves < most ? moves : most) << shift, step->groups);
    }
    default:
        return 0;
    }
}

/* Mesa's software device ends all loops of an invocation after 65,535 iterations in total, without
 * an error. The limit of 60,000 leaves a margin for loops that are not counted here. */
static void ends_no_loop_early(const PlanCase *test, const MurPlan *plan) {
    for (uint32_t i = 0; i < plan->stepCount && test->device.software; ++i) {
        if (most_iterations(test, &plan->steps[i]) > 60000) {
            print_error("step %u, %s: %llu iterations\n", i,
                        mur_kernels[plan->steps[i].kernel].name,
                        (unsigned long long)most_iterations(test, &plan->steps[i]));
            wrong("an invocation of a software device has too many loop iterations");
        }
    }
}

/* Two steps that access the same memory without a barrier between them. */
typedef struct Hazard {
    uint32_t first, second; /* their indices in the plan */
    const char *memory;
} Hazard;

/* Returns as one bit which memory of the case a step accesses, through the addresses in mask.
 * NOT_GIVEN: memory that the case does not have. Accesses to one memory count as overlapping. */
enum { NOT_GIVEN = 1 << CASE_MEMORY };
static uint32_t pieces_of(const PlanCase *test, const MurStep *step, uint32_t mask) {
    const Address *all = kernel_addresses(step->kernel);
    uint32_t pieces = 0;
    for (uint32_t i = 0; mask >> i != 0; ++i) {
        const uint64_t address = mask >> i & 1 ? step_address(step, &all[i]) : 0;
        pieces |= address ? 1u << case_memory_at(test, address) : 0;
    }
    return pieces;
}

/* Returns the name of a push constant of the step that is an address in this memory. */
static const char *name_of(const PlanCase *test, const MurStep *step, uint32_t pieces) {
    uint32_t i = 0;
    while (!(pieces_of(test, step, 1u << i) & pieces)) {
        ++i;
    }
    return kernel_addresses(step->kernel)[i].member;
}

/* Finds the first hazard (a missing barrier). Returns false if there is none. An access to memory
 * that the case does not have counts as a hazard. */
static bool hazard_find(const PlanCase *test, const MurPlan *plan, Hazard *hazard) {
    uint32_t reads[MUR_PLAN_STEPS], writes[MUR_PLAN_STEPS];
    uint32_t begin = 0; /* the first step after the last barrier */
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        const MurStep *step = &plan->steps[i];
        const Touched touched = kernel_touches(step->kernel);
        reads[i] = pieces_of(test, step, touched.reads);
        writes[i] = pieces_of(test, step, touched.writes);
        begin = step->barrier ? i : begin;
        for (uint32_t j = begin; j <= i; ++j) {
            const uint32_t both = j == i ? (reads[i] | writes[i]) & NOT_GIVEN
                                         : (writes[j] & (reads[i] | writes[i])) |
                                               (reads[j] & writes[i]);
            if (both && (j == i || !kernels_alternate(plan->steps[j].kernel, step->kernel))) {
                *hazard = (Hazard){j, i, name_of(test, step, both)};
                return true;
            }
        }
    }
    return false;
}

static void has_barriers(const PlanCase *test, const MurPlan *plan) {
    Hazard hazard;
    if (plan->stepCount && plan->steps[0].barrier) {
        wrong("a barrier before the first step");
    }
    if (hazard_find(test, plan, &hazard)) {
        print_error("steps %u and %u, on %s:\n", hazard.first, hazard.second, hazard.memory);
        wrong("no barrier between steps that need one");
    }
    for (uint32_t i = 1; i < plan->stepCount; ++i) {
        if (!plan->steps[i].barrier) {
            continue;
        }
        MurPlan without = *plan;
        without.steps[i].barrier = false;
        if (!hazard_find(test, &without, &hazard)) {
            print_error("step %u, %s:\n", i, mur_kernels[plan->steps[i].kernel].name);
            wrong("a barrier that nothing needs, or whose absence goes unnoticed");
        }
    }
}

static bool is_same(const MurPlan *a, const MurPlan *b) {
    return a->stepCount == b->stepCount && a->scratch == b->scratch &&
           strcmp(a->path, b->path) == 0 &&
           memcmp(a->steps, b->steps, a->stepCount * sizeof a->steps[0]) == 0;
}

static void check_plan(const PlanCase *test, const MurPlan *plan) {
    const MurPlan again = case_plan(test);
    if (!is_same(plan, &again)) {
        wrong("not the same the second time");
    }
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        used[plan->steps[i].kernel] = true;
    }
    has_pipelines(test, plan);
    has_work(test, plan);
    covers_items(test, plan);
    keeps_company(test, plan);
    ends_no_loop_early(test, plan);
    has_barriers(test, plan);
}

/* Returns the required bytes of scratch memory, for commands without a batch. */
static uint64_t required_scratch(const PlanCase *test, const MurPlan *plan) {
    switch (test->verb) {
    case VERB_GROUP: /* any reasonable size */
        return plan->scratch <= 40ull * test->group.maxCount + (1 << 21) ? test->group.scratch.size
                                                                         : UINT64_MAX;
    case VERB_COMPACT:
        return mur_compact_scratch(&test->table);
    case VERB_MULTI_RETRIEVE:
        return test->retrieve.scratch.size;
    case VERB_PAGED_EXTRACT:
    case VERB_PAGED_REHASH:
        return mur_paged_scratch_minimum(&test->paged, 0);
    default:
        return verb_arguments(test->verb) == TAKES_PAGED_BATCH && test->pagedBatch.maxCount
                   ? mur_paged_scratch_minimum(&test->paged, test->pagedBatch.maxCount)
                   : 0;
    }
}

static MurPlan plan_with(PlanCase *test, uint64_t lent) {
    case_lend(test, lent);
    return case_plan(test);
}

/* Checks the scratch size that the plan of a batch requests. A batch with at least this much takes
 * one path, and with less another path. The request must not depend on the batch's scratch
 * memory. */
static void check_batch_scratch(PlanCase *test, const MurPlan *bare) {
    const uint64_t size = bare->scratch;
    if (size > 40ull * test->batch.maxCount + 40ull * test->table.ref.capacity + (1 << 20)) {
        wrong("more scratch memory than is reasonable");
    }
    const MurPlan more = plan_with(test, size ? size + 16 : 1 << 30);
    if (size == 0 && !is_same(bare, &more)) {
        wrong("scratch memory is used, but none asked for");
    }
    if (size == 0) {
        return;
    }
    const MurPlan less = plan_with(test, size - 1);
    check_plan(test, &less);
    const MurPlan lent = plan_with(test, size);
    check_plan(test, &lent);
    if (lent.scratch != size || more.scratch != size || less.scratch != size) {
        wrong("the size asked for depends on what is lent");
    }
    if (is_same(&lent, bare) || is_same(&lent, &less) || !is_same(&lent, &more)) {
        wrong("scratch memory does not decide what it should");
    }
}

/* Checks one random case: its plan and its scratch memory. */
static void check_case(uint64_t seed) {
    PlanCase test = case_random(seed);
    current = &test;
    currentSeed = seed;
    const MurPlan bare = case_plan(&test);
    check_plan(&test, &bare);
    if (verb_arguments(test.verb) == TAKES_BATCH) {
        check_batch_scratch(&test, &bare);
    } else if (bare.scratch != required_scratch(&test, &bare)) {
        wrong("another size of scratch memory");
    }
    const uint64_t words = test.group.groups.size / 4;
    if (test.verb == VERB_GROUP && bare.steps[bare.stepCount - 1].push.group.maxWords !=
                                       (words < UINT32_MAX ? words : UINT32_MAX)) {
        wrong("groups have another array");
    }
}

PLAIN_TEST(plans) {
    const uint64_t cases = test_full() ? 1000000 : 400000, seed = test_seed(1);
    check_case(2167593788); /* full partitions on a software device: rare */
    for (uint64_t i = 0; i < cases; ++i) {
        check_case(seed + i);
    }
    for (uint32_t i = 0; i < MUR_KERNEL_COUNT; ++i) {
        if (!used[i] && made_for[i] != FOR_MIRROR) {
            fail_msg("no case uses the kernel %s", mur_kernels[i].name);
        }
    }
}
