/* Commands on rows.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

void mur_plan_rows(const MurShape *table, MurKernel kernel, const MurRowBatch *batch,
                   MurPlan *plan) {
    const uint32_t flags = table->ref.flags, stride = MUR_ROW_STRIDE(flags);
    const uint64_t rows = (batch->rows.size / 4 + stride - MUR_ROW_WORDS(flags)) / stride;
    const MurRequest request = {.table = table};
    const MurBatch as = {.maxCount = batch->maxCount,
                         .countAddress = batch->countAddress,
                         .keys = batch->numbers,
                         .values = batch->found,
                         .statuses = batch->statuses,
                         .slots = batch->rows,
                         .oldValues = batch->queries};
    const MurPush push = mur_batch_push(&request, &as,
                                        rows < MUR_ROW_QUERY ? (uint32_t)rows : MUR_ROW_QUERY);
    mur_begin_plan(table, plan);
    mur_plan_step(plan, kernel, &push, mur_groups(kernel, batch->maxCount));
}
