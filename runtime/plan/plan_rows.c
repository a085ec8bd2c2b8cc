/* Commands on rows.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

void mur_plan_rows(const MurShape *table, MurKernel kernel, const MurRowBatch *batch,
                   MurPlan *plan) {
    const uint32_t flags = table->ref.flags, stride = MUR_ROW_STRIDE(flags);
    const uint64_t rows = (batch->rows.size / 4 + stride - MUR_ROW_WORDS(flags)) / stride;
    const MurBatch as = {.maxCount = batch->maxCount,
                         .countAddress = batch->countAddress,
                         .keys = batch->numbers,
                         .values = batch->found,
                         .statuses = batch->statuses,
                         .slots = batch->rows,
                         .oldValues = batch->queries};
    const MurRequest request = {.table = table, .batch = &as};
    mur_plan_kernel(&request, kernel, rows < MUR_ROW_QUERY ? (uint32_t)rows : MUR_ROW_QUERY, plan);
}
