/* Computes sizes of scratch memory. This file uses the plans of all commands that need scratch
 * memory. No command calls this file, so that programs link only the plans of their commands.
 * SPDX-License-Identifier: MIT */
#include "../objects/objects.h"

#include <murmuration/group.h>
#include <murmuration/multi.h>

VkDeviceSize murGetScratchSize(MurTable table, MurCommand command, MurInsertMode mode,
                               const MurBatch *pBatch) {
    if (table && command == MUR_COMMAND_COMPACT) {
        return mur_compact_scratch(&table->shape);
    }
    if (!table || !pBatch || (uint32_t)command > MUR_COMMAND_MULTI_RETRIEVE ||
        (command == MUR_COMMAND_GROUP && pBatch->maxCount > MUR_MAX_GROUPED)) {
        return 0;
    }
    const MurGroup group = {.maxCount = pBatch->maxCount};
    const MurMultiRetrieve retrieve = {.maxCount = pBatch->maxCount};
    MurRequest request = {.device = &table->context->planning,
                          .table = &table->shape,
                          .command = command,
                          .mode = mode,
                          .batch = pBatch};
    MurPlanner *planner = mur_plan_batch;
    if (command == MUR_COMMAND_GROUP) {
        planner = mur_plan_group;
        request.info = &group;
    } else if (command == MUR_COMMAND_MULTI_RETRIEVE) {
        planner = mur_plan_retrieve;
        request.info = &retrieve;
    }
    MurPlan plan;
    mur_make_plan(&request, planner, &plan);
    return plan.scratch;
}
