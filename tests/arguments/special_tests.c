/* Wrong calls that cannot be derived from the description of one command.
 * SPDX-License-Identifier: MIT */
#include "arguments.h"

/* The memory of a move's destination must not overlap that of the source. */
SCENE_CASE(moves_between_overlapping_tables_are_rejected) {
    const MurTable source = scene->objects[K32V32].handle;
    MurTableCreateInfo info = scene_table_info(K32V32);
    MurTable destination;
    info.memory = murGetTableMemory(source);
    info.memory.offset += 256;
    gpu_require(murCreateTable(scene->observed.context, &info, &destination));
    log_book_clear(&scene->observed.log);
    const uint32_t recorded = interpose_recorded();
    const VkCommandBuffer cmd = gpu_begin(&scene->gpu);
    expect_rejected(scene, murCmdRehash(cmd, source, destination, NULL), MUR_ERROR_INVALID_ARGUMENT,
                    recorded, "source", "destination", "murCmdRehash");
    expect_rejected(scene, murCmdMerge(cmd, source, destination, MUR_MODE_INSERT, NULL),
                    MUR_ERROR_INVALID_ARGUMENT, recorded, "source", "destination", "murCmdMerge");
    gpu_require(vkEndCommandBuffer(cmd));
    murDestroyTable(destination);
}

/* A rehash keeps the stored hashes of rows, so both tables need the same row layout and seed. */
SCENE_CASE(moves_between_tables_of_other_rows_are_rejected) {
    const MurTableCreateInfo right = scene_table_info(ROWS);
    MurTableCreateInfo infos[] = {right, right};
    infos[0].seed = 1;
    infos[1].flags = MUR_ROWS(ROW_WORDS - 1, ROW_STRIDE);
    for (uint32_t i = 0; i < 2; ++i) {
        MurTable destination;
        gpu_require(murCreateTable(scene->observed.context, &infos[i], &destination));
        log_book_clear(&scene->observed.log);
        const uint32_t recorded = interpose_recorded();
        const VkCommandBuffer cmd = gpu_begin(&scene->gpu);
        const VkResult result = murCmdRehash(cmd, scene->objects[ROWS].handle, destination, NULL);
        expect_rejected(scene, result, MUR_ERROR_INVALID_ARGUMENT, recorded,
                        "expected contents like", "", "murCmdRehash");
        gpu_require(vkEndCommandBuffer(cmd));
        murDestroyTable(destination);
    }
}

/* Status bits of 32 items need one word. The words of 33 items are two. */
SCENE_CASE(status_bits_of_33_items_require_two_words) {
    MurBatch batch = {
        .maxCount = 33, .keys = {scene->homes[0], SCENE_GAP}, .statusBits = {scene->homes[1], 4}};
    const MurTable table = scene->objects[K32V32].handle;
    const uint32_t recorded = interpose_recorded();
    const VkCommandBuffer cmd = gpu_begin(&scene->gpu);
    expect_rejected(scene, murCmdFind(cmd, table, &batch), MUR_ERROR_INVALID_ARGUMENT, recorded,
                    "statusBits", "4 bytes", "murCmdFind");
    batch.statusBits.size = 8;
    gpu_require(murCmdFind(cmd, table, &batch));
    gpu_require(vkEndCommandBuffer(cmd));
}

/* If only one number is valid, the error message names this number instead of a range. */
SCENE_CASE(message_of_one_valid_number_names_it_once) {
    const MurBatch batch = {.flags = MUR_BATCH_EXCLUSIVE};
    const VkCommandBuffer cmd = gpu_begin(&scene->gpu);
    const MurTable table = scene->objects[MULTI_32].handle;
    assert_int_equal(murCmdMultiFind(cmd, table, &batch), MUR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(scene->observed.log.lastError, "murCmdMultiFind: flags is 1, expected 0");
    log_book_clear(&scene->observed.log);
    gpu_require(vkEndCommandBuffer(cmd));
}

/* Functions that return sizes return 0 for NULL objects and invalid batches. */
SCENE_CASE(sizes_of_null_objects_are_0) {
    const MurBatch batch = {.maxCount = 1}, most = {.maxCount = MUR_MAX_GROUPED};
    const MurBatch more = {.maxCount = MUR_MAX_GROUPED + 1};
    const MurTable grouped = scene->objects[K32V32].handle;
    assert_int_equal(murGetTableRef(NULL).address, 0);
    assert_int_equal(murGetTableRef(NULL).slotCount, 0);
    assert_true(murGetTableMemory(NULL).buffer == VK_NULL_HANDLE);
    assert_int_equal(murGetTableMemory(NULL).size, 0);
    assert_int_equal(murGetMaxEntries(NULL), 0);
    assert_int_equal(murGetScratchSize(NULL, MUR_COMMAND_INSERT, MUR_MODE_INSERT, &batch), 0);
    assert_int_equal(murGetScratchSize(grouped, MUR_COMMAND_INSERT, MUR_MODE_INSERT, NULL), 0);
    assert_int_equal(murGetScratchSize(NULL, MUR_COMMAND_COMPACT, 0, NULL), 0);
    assert_int_equal(murGetScratchSize(NULL, MUR_COMMAND_GROUP, 0, &batch), 0);
    assert_int_equal(murGetScratchSize(grouped, MUR_COMMAND_GROUP, 0, &more), 0);
    assert_true((murGetScratchSize(grouped, MUR_COMMAND_GROUP, 0, &most) > MUR_MAX_GROUPED) ==
                scene->gpu.sharedMemory); /* groups need shared memory */
    assert_int_equal(murGetScratchSize(grouped, MUR_COMMAND_MULTI_RETRIEVE, 0, NULL), 0);
    assert_int_equal(murGetScratchSize(grouped, MUR_COMMAND_MULTI_RETRIEVE + 1, 0, &batch), 0);
    assert_int_equal(murGetPagedScratchSize(NULL, ITEMS), 0);
    assert_int_equal(murGetPagedScratchMinimum(NULL, ITEMS), 0);
    assert_int_equal(murGetPagedTableRef(NULL, 3).maxPending, 0);
    assert_int_equal(murGetPagerRef(NULL, 3).pageCount, 0);
    assert_null(murGetPagerStorePage(NULL, 0));
    murDestroyContext(NULL);
    murDestroyTable(NULL);
    murDestroyBlocking(NULL);
    murDestroyPagedTable(NULL);
    murDestroyPager(NULL);
    murDestroyGrowable(NULL);
    assert_null(murGetMirrorHostTable(NULL));
    assert_null(murGetMirrorTable(NULL));
    assert_int_equal(murGetMirrorCopiedSize(NULL), 0);
    murMirrorMarkDirty(NULL, 0, 0, 1);
    murDestroyMirror(NULL);
}

/* A paged table cannot be read from a file if its pager has none. */
SCENE_CASE(reading_a_paged_table_without_a_file_is_rejected) {
    const uint32_t recorded = interpose_recorded();
    expect_rejected(scene, murReadPagedTable(scene->objects[PAGED_BY_HASH].handle),
                    MUR_ERROR_INVALID_ARGUMENT, recorded, "murReadPagedTable", "no file",
                    "persistent");
    expect_rejected(scene, murReadPagedTable(NULL), MUR_ERROR_INVALID_ARGUMENT, recorded, NULL,
                    NULL, "no table");
}
