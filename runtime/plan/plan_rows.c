/* Plans commands on rows. They use members of MurBatchPush for other arrays: see there.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

#include <murmuration/rows.h>

void mur_plan_compared(const MurRequest *request, MurPlan *plan) {
    const MurRowBatch *batch = request->info;
    const uint32_t flags = request->table->ref.flags, stride = MUR_ROW_STRIDE(flags);
    const uint64_t rows = (batch->rows.size / 4 + stride - MUR_ROW_WORDS(flags)) / stride;
    const MurBatch as = {.maxCount = batch->maxCount,
                         .countAddress = batch->countAddress,
                         .keys = batch->rowIndices,
                         .values = batch->matches,
                         .statuses = batch->statuses,
                         .slots = batch->rows,
                         .oldValues = batch->probeRows};
    const MurPush push = mur_batch_push(request, &as, (uint32_t)mur_least(rows, MUR_ROW_QUERY));
    mur_plan_items(plan, request->kernel, &push, as.maxCount);
}
