/* Commands record exactly the dispatches of their plan: its kernels, push constants, workgroups and
 * barriers, in order. Barriers have the stages and accesses that the header states.
 * SPDX-License-Identifier: MIT */
#include "scene.h"
#include "support/observe.h"

#include <objects/objects.h>

#include <string.h>

/* Compares a barrier with Vulkan's values of the stages and accesses that the header promises. */
static void check_barrier(const InterposedRecord *record, const char *name) {
    const VkAccessFlags written = VK_ACCESS_SHADER_WRITE_BIT;
    const VkAccessFlags touched = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if (record->function != ON_vkCmdPipelineBarrier || !record->plain ||
        record->before != VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT ||
        record->after != VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT || record->memory.pNext ||
        record->memory.srcAccessMask != written || record->memory.dstAccessMask != touched) {
        fail_msg("%s: %s instead of a barrier between compute shaders", name,
                 interpose_name(record->function));
    }
}

/* Returns the pushed bytes. Bulk commands push only the table: their arguments are in memory. */
static uint32_t push_size(MurPushKind kind) {
#define SIZE(id, Type, member) [MUR_PUSH_##id] = sizeof(Type),
    static const uint32_t sizes[] = {MUR_PUSHED(SIZE)};
#undef SIZE
    return kind == MUR_PUSH_PAGED_BULK ? sizeof(MurPagedRef) : sizes[kind];
}

static void check_step(MurContext context, const MurPlan *plan, const MurStep *step,
                       const InterposedRecord *records, const char *name) {
    const uint32_t variant = mur_pipeline_variant(step->kernel, plan->tableFlags);
    const VkPipeline pipeline = (VkPipeline)context->pipelines[step->kernel][variant];
    const InterposedRecord *bind = &records[0], *push = &records[1], *dispatch = &records[2];
    if (bind->function != ON_vkCmdBindPipeline || !pipeline || bind->pipeline != pipeline) {
        fail_msg("%s: not the pipeline of %s", name, mur_kernels[step->kernel].name);
    }
    if (push->function != ON_vkCmdPushConstants || push->pushOffset != 0 ||
        push->pushSize != push_size(mur_kernels[step->kernel].push) ||
        memcmp(push->push, &step->push, push->pushSize) != 0) {
        fail_msg("%s: not the push constants of %s", name, mur_kernels[step->kernel].name);
    }
    const uint64_t groups = (uint64_t)dispatch->groups[0] * dispatch->groups[1];
    if (dispatch->function != ON_vkCmdDispatch || dispatch->groups[2] != 1 ||
        groups < step->groups || groups - step->groups >= dispatch->groups[1] ||
        dispatch->groups[0] > context->limits.maxGroupsX) {
        fail_msg("%s: %u x %u workgroups instead of %llu", name, dispatch->groups[0],
                 dispatch->groups[1], (unsigned long long)step->groups);
    }
}

static void check_stream(MurContext context, const Scene *scene) {
    const char *name = scene->info->name;
    const MurPlan plan = case_plan(&scene->test);
    uint32_t count;
    const InterposedRecord *records = interpose_records(&count);
    uint32_t at = 0;
    for (uint32_t i = 0; i < plan.stepCount; ++i) {
        if (plan.steps[i].barrier) {
            assert_in_range(at, 1, count - 1);
            check_barrier(&records[at++], name);
        }
        assert_true(at + 3 <= count);
        check_step(context, &plan, &plan.steps[i], &records[at], name);
        at += 3;
    }
    if (at != count || plan.stepCount == 0) {
        fail_msg("%s: %u calls were recorded, %u planned", name, count, at);
    }
    const PlanCase *test = &scene->test;
    if (verb_arguments(test->verb) == TAKES_BATCH) {
        assert_int_equal(
            murGetScratchSize(scene->table, verb_command(test->verb), test->mode, &test->batch),
            plan.scratch);
    }
}

IDLE_CASE(commands_record_their_plans) {
    for (uint32_t i = 0; i < scene_count; ++i) {
        Scene scene = scene_open(gpu, observed->context, NULL, &scene_infos[i]);
        const uint32_t allocations = observed->memory.calls;
        const int32_t objects = interpose_objects();
        gpu_begin(gpu);
        interpose_keep_records();
        gpu_require(scene_record(&scene, gpu->cmd));
        check_stream(observed->context, &scene);
        assert_int_equal(interpose_open_labels(), 0);
        assert_int_equal(observed->memory.calls, allocations);
        assert_int_equal(interpose_objects(), objects);
        gpu_require(vkEndCommandBuffer(gpu->cmd)); /* access_test runs the commands */
        scene_close(&scene);
    }
    assert_false(interpose_labels_crossed());
}

OBSERVED_CASE(barrier_orders_exit_before_entry) {
    const MurTableCreateInfo info = {.capacity = 100};
    const MurPagerCreateInfo paging = {
        .pageCount = 1, .pageSize = MUR_PAGE_MIN_SIZE, .poolPageCount = 1, .framesInFlight = 1};
    MurTable table;
    MurPager pager;
    uint32_t count;
    interpose_empty_shaders();
    gpu_require(murCreateTable(observed->context, &info, &table));
    gpu_require(murCreatePager(observed->context, &paging, &pager));
    gpu_begin(gpu);
    interpose_keep_records();
    gpu_require(murCmdBarrier(gpu->cmd, table));
    const InterposedRecord *records = interpose_records(&count);
    assert_int_equal(count, 1);
    check_barrier(records, "murCmdBarrier");
    assert_int_equal(records->before, MUR_EXIT_STAGES);
    assert_int_equal(records->after, MUR_ENTRY_STAGES);
    assert_int_equal(records->memory.srcAccessMask, MUR_EXIT_ACCESS);
    assert_int_equal(records->memory.dstAccessMask, MUR_ENTRY_ACCESS);
    gpu_require(murCmdPagerBarrier(gpu->cmd, pager)); /* this barrier also covers the host */
    records = interpose_records(&count);
    assert_int_equal(count, 2);
    assert_int_equal(records[1].before, MUR_EXIT_STAGES);
    assert_int_equal(records[1].after, MUR_ENTRY_STAGES | VK_PIPELINE_STAGE_HOST_BIT);
    assert_int_equal(records[1].memory.srcAccessMask, MUR_EXIT_ACCESS);
    assert_int_equal(records[1].memory.dstAccessMask, MUR_ENTRY_ACCESS | VK_ACCESS_HOST_READ_BIT);
    gpu_submit(gpu);
    murDestroyPager(pager);
    murDestroyTable(table);
}
