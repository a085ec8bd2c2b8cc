/* Commands that process a whole table: clear, extract, erase where, statistics, and eviction passes
 * over bucketed tables.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

/* Workgroups of the statistics scan: enough to fill any GPU, few enough that reducing their sums
 * takes no measurable time. */
enum { STATS_GROUPS = 4096 };

/* Returns the number of sectors of slots; in bucketed tables, of sectors of keys. */
uint64_t mur_sector_count(const MurShape *table) {
    const MurTypeInfo *type = table->type;
    const bool apart = mur_can(type, MUR_TYPE_EVICTS) && type->slotSize > type->keySize;
    return table->ref.slotCount / (32u / (apart && type->keySize == 8 ? 8u : type->slotSize));
}

void mur_plan_clear_steps(const MurShape *table, MurPlan *plan) {
    const MurPush push = {.table = table->ref};
    const uint64_t stores = mur_table_size(table->ref.slotCount, table->ref.flags) / 16;
    mur_plan_items(plan, MUR_KERNEL_CLEAR, &push, mur_divide_up(stores, MUR_CLEAR_STORES));
}

void mur_plan_clear(const MurRequest *request, MurPlan *plan) {
    mur_plan_clear_steps(request->table, plan);
}

void mur_push_predicates(const MurPredicate *predicates, MurPredicatePush *push) {
    for (uint32_t i = 0; i < MUR_MAX_PREDICATES; ++i) {
        push[i] = (MurPredicatePush){
            .word = predicates[i].word,
            .compare = predicates[i].compare,
            .mask = predicates[i].mask ? predicates[i].mask : UINT32_MAX,
            .reference = predicates[i].reference,
        };
    }
}

static void plan_extract(const MurRequest *request, bool erases, MurPlan *plan) {
    const MurExtract *extract = request->info;
    MurPush push = {.extract = {
                        .table = request->table->ref,
                        .keys = extract->keys.address,
                        .values = extract->values.address,
                        .slots = extract->slots.address,
                        .count = extract->countAddress,
                        .maxCount = extract->maxCount,
                        .erases = erases,
                    }};
    mur_push_predicates(extract->predicates, push.extract.predicates);
    mur_plan_step(plan, MUR_KERNEL_RESET, &push, 1);
    mur_plan_items(plan, MUR_KERNEL_EXTRACT, &push, mur_sector_count(request->table) + 1);
}

void mur_plan_extract(const MurRequest *request, MurPlan *plan) {
    plan_extract(request, false, plan);
}

void mur_plan_erase_where(const MurRequest *request, MurPlan *plan) {
    plan_extract(request, true, plan);
}

void mur_plan_stats(const MurRequest *request, MurPlan *plan) {
    const MurShape *table = request->table;
    const MurArray *stats = request->info;
    const uint64_t span = mur_can(table->type, MUR_TYPE_EVICTS) ? MUR_BUCKET_SLOTS : 1;
    const uint64_t groups = mur_groups(MUR_KERNEL_STATS, mur_divide_up(mur_slots(table), span));
    MurPush push = {.stats = {.table = table->ref, .stats = stats->address, .phase = 0}};
    mur_plan_step(plan, MUR_KERNEL_STATS, &push, 1);
    push.stats.phase = 1;
    mur_plan_step(plan, MUR_KERNEL_STATS, &push, groups < STATS_GROUPS ? groups : STATS_GROUPS);
}

static void plan_filter(const MurPush *push, bool begins, MurPlan *plan) {
    MurPush filter = *push;
    filter.evict.phase = begins ? MUR_EVICT_BEGIN : 0;
    const uint32_t words = MUR_FILTER_WORDS(push->evict.table.slotCount);
    const uint32_t most = words > MUR_EVICT_RESULT_WORDS ? words : MUR_EVICT_RESULT_WORDS;
    mur_plan_step(plan, MUR_KERNEL_FILTER, &filter,
                  begins ? mur_groups(MUR_KERNEL_FILTER, most) : 1);
}

void mur_plan_begin_filter(const MurRequest *request, MurPlan *plan) {
    plan_filter(&(MurPush){.evict = {.table = request->table->ref}}, true, plan);
}

void mur_plan_end_filter(const MurRequest *request, MurPlan *plan) {
    plan_filter(&(MurPush){.evict = {.table = request->table->ref}}, false, plan);
}

void mur_plan_evict(const MurRequest *request, MurPlan *plan) {
    static const MurEvict none;
    const MurEvict *age = request->info ? request->info : &none;
    const MurPush push = {.evict = {
                              .table = request->table->ref,
                              .live = age->live.address,
                              .erased = age->erased.address,
                              .result = age->result.address,
                              .maxLive = age->live.address ? age->maxLive : 0,
                              .maxErased = age->erased.address ? age->maxErased : 0,
                              .frame = age->frame,
                              .maxAge = age->maxAge,
                              .groupEntries = age->groupEntries,
                              .reserved = age->reservedSlots,
                              .ages = request->info != NULL,
                          }};
    plan_filter(&push, true, plan);
    mur_plan_items(plan, MUR_KERNEL_EVICT, &push, mur_slots(request->table));
    plan_filter(&push, false, plan);
}
