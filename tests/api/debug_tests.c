/* Tests of the object names and command labels that debuggers show.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

IDLE_CASE(objects_have_names) {
    static const char *const names[] = {"murmuration layout",  "murmuration CLEAR 0",
                                        "murmuration FIND 0",  "murmuration EXTRACT 0",
                                        "murmuration STATS 0", "murmuration INSERT 0",
                                        "murmuration ERASE 0"};
    const MurTableCreateInfo info = {.capacity = 10, .atomicWidth = MUR_ATOMIC_WIDTH_32};
    MurTable table;
    gpu_require(murCreateTable(observed->context, &info, &table));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!interpose_saw_text(names[i])) {
            fail_msg("nothing was named \"%s\"", names[i]);
        }
    }
    murDestroyTable(table);
}

IDLE_CASE(tables_carry_their_own_names) {
    char name[] = "flock of starlings";
    MurTableCreateInfo info = {.capacity = 10, .pName = name};
    MurTable named, nameless;
    gpu_require(murCreateTable(observed->context, &info, &named));
    name[0] = 'b'; /* the library must have copied the name */
    assert_true(interpose_saw_text("flock of starlings"));
    assert_false(interpose_saw_text("murmuration table"));
    info.pName = NULL;
    gpu_require(murCreateTable(observed->context, &info, &nameless));
    assert_true(interpose_saw_text("murmuration table"));
    murDestroyTable(named);
    murDestroyTable(nameless);
}

BLOCKING_CASE(commands_are_labelled_and_labels_end) {
    MurTable table = observed_table(observed, 10);
    gpu_require(murBlockingClear(observed->blocking, table));
    uint32_t word = 3, out;
    MurStats stats;
    gpu_require(
        murBlockingInsert(observed->blocking, table, MUR_MODE_INSERT, 1, &word, &word, NULL, NULL));
    gpu_require(murBlockingFind(observed->blocking, table, 1, &word, &out, NULL, NULL));
    gpu_require(murBlockingErase(observed->blocking, table, 1, &word, NULL, NULL, NULL));
    gpu_require(murBlockingExtract(observed->blocking, table, 0, NULL, 0, NULL, NULL, NULL, &out));
    gpu_require(murBlockingStats(observed->blocking, table, &stats));
    static const char *const labels[] = {"murCmdClear", "murCmdInsert",  "murCmdFind",
                                         "murCmdErase", "murCmdExtract", "murCmdStats"};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; ++i) {
        if (!interpose_saw_text(labels[i])) {
            fail_msg("no command was labelled \"%s\"", labels[i]);
        }
    }
    assert_int_equal(interpose_calls(ON_vkCmdBeginDebugUtilsLabelEXT), 6);
    assert_int_equal(interpose_calls(ON_vkCmdEndDebugUtilsLabelEXT), 6);
    assert_int_equal(interpose_open_labels(), 0);
    assert_false(interpose_labels_crossed());
    murDestroyTable(table);
}

IDLE_CASE(rejected_commands_are_not_labelled) {
    MurTable table = observed_table(observed, 10);
    gpu_begin(gpu);
    const MurBatch batch = {.maxCount = 5};
    assert_refused(murCmdFind(gpu->cmd, table, &batch));
    assert_refused(murCmdExtract(gpu->cmd, table, NULL));
    gpu_submit(gpu);
    assert_int_equal(interpose_calls(ON_vkCmdBeginDebugUtilsLabelEXT), 0);
    murDestroyTable(table);
}
