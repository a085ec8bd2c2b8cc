/* Commands that go over a whole table: clear, extract, erase where, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

#include "../host/size.h"

/* Workgroups of the statistics scan: enough to fill any GPU, few enough that adding their sums
 * costs nothing. */
enum { STATS_GROUPS = 4096 };

/* Of slots, or, in buckets, of keys. */
uint64_t mur_sector_count(const MurShape *table) {
    const uint32_t format = mur_shape_format(table);
    const bool buckets = (table->ref.flags & MUR_TABLE_BUCKETS) != 0;
    return table->ref.slotCount / MUR_SLOTS_OF(buckets ? MUR_KEY_FORMAT(format) : format);
}

void mur_plan_clear_steps(const MurShape *table, MurPlan *plan) {
    const MurPush push = {.table = table->ref};
    const uint64_t stores = mur_table_size(table->ref.slotCount, table->ref.flags) / 16;
    mur_plan_items(plan, MUR_KERNEL_CLEAR, &push, mur_divide_up(stores, MUR_CLEAR_STORES));
}

void mur_plan_clear(const MurShape *table, MurPlan *plan) {
    mur_begin_plan(table->ref.flags, plan);
    mur_plan_clear_steps(table, plan);
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

void mur_plan_extract(const MurShape *table, const MurExtract *extract, bool erases,
                      MurPlan *plan) {
    MurPush push = {.extract = {
                        .table = table->ref,
                        .keys = extract->keys.address,
                        .values = extract->values.address,
                        .slots = extract->slots.address,
                        .count = extract->countAddress,
                        .maxCount = extract->maxCount,
                        .erases = erases,
                    }};
    mur_push_predicates(extract->predicates, push.extract.predicates);
    mur_begin_plan(table->ref.flags, plan);
    mur_plan_step(plan, MUR_KERNEL_RESET, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_EXTRACT, &push,
                  mur_groups(MUR_KERNEL_EXTRACT, mur_sector_count(table) + 1));
}

void mur_plan_stats(const MurShape *table, MurArray stats, MurPlan *plan) {
    const uint64_t span = table->ref.flags & MUR_TABLE_BUCKETS ? MUR_BUCKET_SLOTS : 1;
    const uint64_t slots = (uint64_t)table->ref.slotCount +
                           MUR_EXTRA_SLOTS(mur_shape_format(table));
    const uint64_t groups = mur_groups(MUR_KERNEL_STATS, mur_divide_up(slots, span));
    MurPush push = {.stats = {.table = table->ref, .stats = stats.address, .phase = 0}};
    mur_begin_plan(table->ref.flags, plan);
    mur_plan_step(plan, MUR_KERNEL_STATS, &push, 1);
    push.stats.phase = 1;
    mur_plan_step(plan, MUR_KERNEL_STATS, &push, groups < STATS_GROUPS ? groups : STATS_GROUPS);
}
