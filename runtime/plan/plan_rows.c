/* Commands on rows.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

void mur_plan_rows(const MurShape *table, MurKernel kernel, const MurRowBatch *batch,
                   MurPlan *plan) {
    const uint32_t stride = MUR_ROW_STRIDE(table->ref.flags);
    const uint64_t words = batch->rows.size / 4 + stride - MUR_ROW_WORDS(table->ref.flags);
    const uint64_t rows = words / stride;
    const MurPush push = {.rows = {
                              .table = table->ref,
                              .rows = batch->rows.address,
                              .queries = batch->queries.address,
                              .keys = batch->numbers.address,
                              .values = batch->found.address,
                              .statuses = batch->statuses.address,
                              .count = batch->countAddress,
                              .maxCount = batch->maxCount,
                              .rowCount = rows < MUR_ROW_QUERY ? (uint32_t)rows : MUR_ROW_QUERY,
                          }};
    mur_begin_plan(table, plan);
    mur_plan_step(plan, kernel, &push, mur_groups(kernel, batch->maxCount));
}
