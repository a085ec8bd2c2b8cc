/* Wrong arguments: an error, a message that names the argument, and nothing recorded or changed.
 *
 * SPDX-License-Identifier: MIT */
#include "group.h"

#include "support/observe.h"

#include <murmuration/multi.h>

IDLE_CASE(tables_that_have_no_groups) {
    const MurTableCreateInfo wrong[] = {
        {.capacity = 100, .format = MUR_FORMAT_K32},
        {.capacity = 100, .format = MUR_FORMAT_K64},
        {.capacity = 100, .format = MUR_FORMAT_K64V64},
        {.capacity = 100, .flags = MUR_TABLE_BUCKETS},
        {.capacity = 100, .format = MUR_FORMAT_K64V32, .flags = MUR_TABLE_BUCKETS},
        {.capacity = 100,
         .format = MUR_FORMAT_K64V32_MULTI,
         .uses = {murUseMulti()},
         .reservedValue = MUR_RESERVED_VALUE_ZERO},
        {.capacity = 100,
         .format = MUR_FORMAT_K64V32,
         .uses = {murUseMulti()},
         .reservedValue = MUR_RESERVED_VALUE_ZERO},
    };
    MurTable table = VK_NULL_HANDLE;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        MurTableCreateInfo info = wrong[i];
        info.uses[info.uses[0] ? 1 : 0] = murUseGroup();
        expect_refused(observed, murCreateTable(observed->context, &info, &table), "murUseGroup");
        assert_null(table);
    }
    const MurTableCreateInfo info = {.capacity = 100};
    const MurGroup group = {.groups = {1 << 20, 4}};
    gpu_require(murCreateTable(observed->context, &info, &table));
    gpu_begin(gpu);
    expect_refused(observed, murCmdGroup(gpu->cmd, table, &group), "murUseGroup");
    expect_refused(observed, murCmdGroup(gpu->cmd, VK_NULL_HANDLE, &group), NULL);
    assert_int_equal(interpose_recorded(), 0);
    assert_int_equal(murGetGroupScratchSize(VK_NULL_HANDLE, 100), 0);
    gpu_submit(gpu);
    murDestroyTable(table);
}

/* Arguments with which the command is recorded, and what is wrong with one of them. */
static void refuse(Observed *observed, MurTable table, const GpuBuffer *buffer, uint32_t keyWords) {
    enum { COUNT = 1025 };
    VkCommandBuffer cmd = observed->gpu->cmd;
    const VkDeviceSize scratch = murGetGroupScratchSize(table, COUNT);
    const MurGroup good = {.maxCount = COUNT,
                           .countAddress = buffer->address,
                           .keys = gpu_part(buffer, 1000, COUNT * keyWords),
                           .values = gpu_part(buffer, 10000, COUNT),
                           .groups = gpu_part(buffer, 20000, 2 * COUNT + 1),
                           .scratch = {buffer->address + 4 * 30000, scratch}};
    const MurGroup none = {.groups = good.groups, .scratch = good.scratch};
    assert_true(scratch != 0 && 4 * 30000 + scratch <= buffer->size);
    gpu_require(murCmdGroup(cmd, table, &good));
    gpu_require(murCmdGroup(cmd, table, &none));
    const uint32_t recorded = interpose_recorded();
    assert_true(recorded > 0);
    expect_refused(observed, murCmdGroup(NULL, table, &good), "cmd");
    expect_refused(observed, murCmdGroup(cmd, table, NULL), "pGroup");
#define WRONG(field, value, name)                                        \
    do {                                                                 \
        MurGroup wrong = good;                                           \
        wrong.field = value;                                             \
        expect_refused(observed, murCmdGroup(cmd, table, &wrong), name); \
    } while (0)
    WRONG(pNext, &good, "pNext");
    WRONG(maxCount, MUR_MAX_GROUPED + 1, "maxCount");
    WRONG(maxCount, UINT32_MAX, "maxCount");
    WRONG(maxCount, COUNT + 1, "keys");
    WRONG(countAddress, buffer->address + 2, "countAddress");
    WRONG(keys.address, 0, "keys");
    WRONG(keys.address, good.keys.address + 4 * keyWords - 2, "keys");
    WRONG(keys.size, 4 * keyWords * COUNT - 1, "keys");
    WRONG(values.address, 0, "values");
    WRONG(values.address, good.values.address + 2, "values");
    WRONG(values.size, 4 * COUNT - 1, "values");
    WRONG(groups.address, 0, "groups");
    WRONG(groups.address, good.groups.address + 1, "groups");
    WRONG(groups.size, 3, "groups");
    WRONG(scratch.address, 0, "scratch");
    WRONG(scratch.address, good.scratch.address + 8, "scratch");
    WRONG(scratch.size, scratch - 1, "scratch");
    WRONG(keys.address, murGetTableRef(table).address, "overlaps");
    WRONG(groups.address, good.keys.address, "overlaps");
    WRONG(scratch.address, good.keys.address, "overlaps");
#undef WRONG
    assert_int_equal(interpose_recorded(), recorded);
    assert_int_equal(murGetGroupScratchSize(table, MUR_MAX_GROUPED + 1), 0);
    assert_true(murGetGroupScratchSize(table, MUR_MAX_GROUPED) > MUR_MAX_GROUPED);
}

IDLE_CASE(wrong_arguments) {
    GpuBuffer buffer = gpu_buffer(gpu, 1 << 19);
    for (uint32_t keyWords = 1; keyWords <= 2; ++keyWords) {
        const MurTableCreateInfo info = {.capacity = 2000,
                                         .format = keyWords == 1 ? MUR_FORMAT_K32V32
                                                                 : MUR_FORMAT_K64V32,
                                         .uses = {murUseGroup()}};
        MurTable table;
        gpu_require(murCreateTable(observed->context, &info, &table));
        log_book_clear(&observed->log);
        gpu_begin(gpu);
        refuse(observed, table, &buffer, keyWords);
        gpu_require(vkEndCommandBuffer(gpu->cmd)); /* not to be run */
        murDestroyTable(table);
    }
    gpu_free(gpu, &buffer);
}

/* Nothing is written. */
PLAIN_TEST(wrong_arguments_of_the_host) {
    static uint64_t image[4096];
    static const uint64_t keys[3] = {1, 2, 1};
    const uint32_t values[3] = {5, 6, 7};
    uint32_t groups[7] = {99};
    for (uint32_t i = 0; i < ALL_KINDS; ++i) {
        const MurTableCreateInfo info = kind_info(&table_kinds[i], 200);
        const bool groupable = i < KINDS_WITH_WIDTHS;
        MurHostTable table;
        assert_int_equal(
            murHostCreate(&info, image + (uintptr_t)image / 8 % 2, sizeof image - 8, &table),
            VK_SUCCESS);
        assert_int_equal(murHostInsert(&table, MUR_MODE_KEEP, 9, 1).status, MUR_INSERTED);
        groups[0] = 99;
        assert_refused(murHostGroup(NULL, 3, keys, values, groups, 7));
        assert_refused(murHostGroup(&table, 3, NULL, values, groups, 7));
        assert_refused(murHostGroup(&table, 3, keys, NULL, groups, 7));
        assert_refused(murHostGroup(&table, 3, keys, values, NULL, 7));
        assert_refused(murHostGroup(&table, 3, keys, values, groups, 0));
        assert_refused(murHostGroup(&table, MUR_MAX_GROUPED + 1u, keys, values, groups, 7));
        if (!groupable) {
            assert_refused(murHostGroup(&table, 3, keys, values, groups, 7));
        }
        assert_int_equal(murHostFind(&table, 9).status, MUR_FOUND);
        assert_int_equal(groups[0], 99);
        if (groupable) {
            assert_int_equal(murHostGroup(&table, 0, NULL, NULL, groups, 1), VK_SUCCESS);
            assert_int_equal(murHostFind(&table, 9).status, MUR_ABSENT);
            assert_int_equal(groups[0], 1);
        }
    }
}
