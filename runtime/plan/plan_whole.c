/* Commands that process a whole table: clear, extract, erase where, statistics.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

/* Workgroups of the statistics scan: enough to fill any GPU, few enough to add their sums fast. */
enum { STATS_GROUPS = 4096 };

/* Returns the number of sectors that store keys. Tables that evict store values and tags apart. */
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

void mur_plan_extract(const MurRequest *request, MurPlan *plan) {
    const MurExtract *extract = request->info;
    MurPush push = {.extract = {
                        .table = request->table->ref,
                        .keys = extract->keys.address,
                        .values = extract->values.address,
                        .slots = extract->slots.address,
                        .count = extract->countAddress,
                        .maxCount = extract->maxCount,
                        .erases = request->op,
                    }};
    mur_push_predicates(extract->predicates, push.extract.predicates);
    mur_plan_step(plan, MUR_KERNEL_RESET, &push, 1);
    mur_plan_items(plan, MUR_KERNEL_EXTRACT, &push, mur_sector_count(request->table) + 1);
}

void mur_plan_stats(const MurRequest *request, MurPlan *plan) {
    const MurShape *table = request->table;
    const MurArray *stats = request->info;
    const uint64_t span = MUR_HOME_SLOTS(mur_can(table->type, MUR_TYPE_EVICTS));
    const uint64_t groups = mur_groups(MUR_KERNEL_STATS, mur_divide_up(mur_slots(table), span));
    MurPush push = {.stats = {.table = table->ref, .stats = stats->address, .phase = 0}};
    mur_plan_step(plan, MUR_KERNEL_STATS, &push, 1);
    push.stats.phase = 1;
    mur_plan_step(plan, MUR_KERNEL_STATS, &push, groups < STATS_GROUPS ? groups : STATS_GROUPS);
}
