/* Wrong arguments to the functions of multi-value tables: an error, a message, nothing recorded.
 *
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include "support/observe.h"

static const MurTableCreateInfo plain_info = {
    .capacity = 100,
    .reservedValue = MUR_RESERVED_VALUE_ZERO,
    .atomicWidth = MUR_ATOMIC_WIDTH_32,
    .format = MUR_FORMAT_K64V32,
};

/* This, with its uses, which are no constants. */
static MurTableCreateInfo multi_info(void) {
    MurTableCreateInfo multi = plain_info;
    multi.uses[0] = murUseMulti();
    multi.uses[1] = murUseRehash();
    return multi;
}

/* The commands for multi-value tables, on a table that is not one. */
static void refuse_commands(Observed *observed, const MurTableCreateInfo *plain) {
    VkCommandBuffer cmd = gpu_begin(observed->gpu);
    const MurBatch batch = {0};
    const MurMultiRetrieve retrieve = {0};
    MurTable table;
    gpu_require(murCreateTable(observed->context, plain, &table));
    log_book_clear(&observed->log);
#define REFUSED(call) expect_refused(observed, call, "murUseMulti")
    REFUSED(murCmdMultiInsert(cmd, table, &batch));
    REFUSED(murCmdMultiCount(cmd, table, &batch));
    REFUSED(murCmdMultiFind(cmd, table, &batch));
    REFUSED(murCmdMultiErase(cmd, table, &batch));
    REFUSED(murCmdMultiEraseKeys(cmd, table, &batch));
    REFUSED(murCmdMultiRetrieve(cmd, table, &retrieve));
#undef REFUSED
    assert_refused(murCmdMultiInsert(cmd, VK_NULL_HANDLE, &batch));
    assert_refused(murCmdMultiRetrieve(cmd, VK_NULL_HANDLE, &retrieve));
    assert_int_equal(interpose_recorded(), 0);
    gpu_submit(observed->gpu);
    murDestroyTable(table);
}

GPU_TEST(wrong_tables) {
    MurTable table = VK_NULL_HANDLE;
    const MurTableCreateInfo info = multi_info();
    MurTableCreateInfo wrong = info;
    assert_refused(murCreateTable(VK_NULL_HANDLE, &info, &table));
    assert_refused(murPreparePipelines(VK_NULL_HANDLE, &info));
    gpu_refused(gpu, murCreateTable(gpu->context, NULL, &table), "pCreateInfo");
    gpu_refused(gpu, murPreparePipelines(gpu->context, NULL), "pCreateInfo");
    gpu_refused(gpu, murCreateTable(gpu->context, &info, NULL), "pTable");
    wrong.format = MUR_FORMAT_K32V32;
    gpu_refused(gpu, murCreateTable(gpu->context, &wrong, &table), "format");
    gpu_refused(gpu, murPreparePipelines(gpu->context, &wrong), "format");
    for (uint32_t i = 0; i < 2; ++i) {
        wrong = info;
        wrong.format = i == 0 ? MUR_FORMAT_K64V32 : MUR_FORMAT_K64V32_MULTI;
        wrong.reservedValue = MUR_RESERVED_VALUE_MAX;
        gpu_refused(gpu, murCreateTable(gpu->context, &wrong, &table), "reservedValue");
    }
    wrong = plain_info;
    wrong.format = MUR_FORMAT_K64V32_MULTI;
    gpu_refused(gpu, murCreateTable(gpu->context, &wrong, &table), "murUseMulti");
    wrong.format = MUR_FORMAT_K64V32_MULTI - 1;
    gpu_refused(gpu, murCreateTable(gpu->context, &wrong, &table), "format");
    wrong.format = MUR_FORMAT_K64V32_MULTI + 1;
    gpu_refused(gpu, murCreateTable(gpu->context, &wrong, &table), "format");
    wrong = info;
    wrong.capacity = 0;
    gpu_refused(gpu, murCreateTable(gpu->context, &wrong, &table), "capacity");
    assert_null(table);

    /* Commands on tables of other kinds, and on none, whether the pipelines are there or not. */
    Observed observed;
    observe_open_idle(&observed, gpu);
    MurTableCreateInfo plain = plain_info;
    for (uint32_t round = 0; round < 4; ++round) {
        plain.reservedValue = round % 2 ? MUR_RESERVED_VALUE_MAX : MUR_RESERVED_VALUE_ZERO;
        if (round == 2) {
            gpu_require(murPreparePipelines(observed.context, &info));
        }
        refuse_commands(&observed, &plain);
    }
    observe_close(&observed);
}

/* A multi-value table moves into one of its kind alone, and is merged with none. */
GPU_TEST(wrong_moves) {
    Observed observed;
    observe_open_idle(&observed, gpu);
    const MurTableCreateInfo info = multi_info();
    MurTableCreateInfo plainInfo = plain_info;
    plainInfo.uses[0] = murUseRehash();
    MurTable multi[2], plain;
    gpu_require(murCreateTable(observed.context, &info, &multi[0]));
    gpu_require(murCreateTable(observed.context, &info, &multi[1]));
    gpu_require(murCreateTable(observed.context, &plainInfo, &plain));
    log_book_clear(&observed.log);
    VkCommandBuffer cmd = gpu_begin(gpu);
#define REFUSED(call) expect_refused(&observed, call, "many values a key")
    REFUSED(murCmdRehash(cmd, multi[0], plain, NULL));
    REFUSED(murCmdRehash(cmd, plain, multi[0], NULL));
    REFUSED(murCmdMerge(cmd, multi[0], plain, MUR_MODE_ASSIGN, NULL));
    REFUSED(murCmdMerge(cmd, plain, multi[0], MUR_MODE_ADD, NULL));
    REFUSED(murCmdMerge(cmd, multi[0], multi[1], MUR_MODE_ASSIGN, NULL));
    REFUSED(murCmdMerge(cmd, multi[0], multi[1], MUR_MODE_ADD, NULL));
#undef REFUSED
    assert_int_equal(interpose_recorded(), 0);
    gpu_require(murCmdRehash(cmd, multi[0], multi[1], NULL));
    gpu_require(vkEndCommandBuffer(cmd)); /* not executed: the tables have no contents */
    murDestroyTable(multi[0]);
    murDestroyTable(multi[1]);
    murDestroyTable(plain);
    observe_close(&observed);
}

/* What is for one value a key, on a table with many values a 64-bit key; and moves to and from
 * tables of 32-bit keys. */
GPU_TEST(wrong_commands_of_wide_keys) {
    Observed observed;
    observe_open_idle(&observed, gpu);
    const MurTableCreateInfo info = multi_info();
    MurTableCreateInfo wideInfo = info;
    wideInfo.format = MUR_FORMAT_K64V32_MULTI;
    MurTable wide, narrow;
    gpu_require(murCreateTable(observed.context, &wideInfo, &wide));
    gpu_require(murCreateTable(observed.context, &info, &narrow));
    log_book_clear(&observed.log);
    VkCommandBuffer cmd = gpu_begin(gpu);
    const MurBatch batch = {0};
#define REFUSED(call, text) expect_refused(&observed, call, text)
    REFUSED(murCmdInsert(cmd, wide, MUR_MODE_ASSIGN, &batch), "K64V32_MULTI");
    REFUSED(murCmdBuild(cmd, wide, MUR_MODE_ASSIGN, &batch), "K64V32_MULTI");
    REFUSED(murCmdFind(cmd, wide, &batch), "K64V32_MULTI");
    REFUSED(murCmdErase(cmd, wide, &batch), "K64V32_MULTI");
    REFUSED(murCmdRehash(cmd, wide, narrow, NULL), "formats");
    REFUSED(murCmdRehash(cmd, narrow, wide, NULL), "formats");
#undef REFUSED
    assert_int_equal(interpose_recorded(), 0);
    gpu_submit(gpu);
    murDestroyTable(wide);
    murDestroyTable(narrow);
    observe_close(&observed);
}

/* Arrays of 64-bit keys: pairs of words, at multiples of 8 bytes. */
GPU_TEST(wrong_wide_keys) {
    MurTableCreateInfo info = multi_info();
    info.format = MUR_FORMAT_K64V32_MULTI;
    MurTable table;
    gpu_require(murCreateTable(gpu->context, &info, &table));
    GpuBuffer buffer = gpu_buffer(gpu, 4096);
    MurBatch batch = {
        .maxCount = 10, .keys = gpu_part(&buffer, 0, 20), .values = gpu_part(&buffer, 100, 10)};
    MurMultiRetrieve retrieve = {.maxKeys = 10,
                                 .keys = batch.keys,
                                 .offsets = gpu_part(&buffer, 200, 11),
                                 .scratch = gpu_part(&buffer, 300, 100)};
    gpu_begin(gpu);
    gpu_require(murCmdClear(gpu->cmd, table));
    gpu_require(murCmdBarrier(gpu->cmd, table));
    gpu_require(murCmdMultiInsert(gpu->cmd, table, &batch));
    gpu_require(murCmdBarrier(gpu->cmd, table));
    gpu_require(murCmdMultiRetrieve(gpu->cmd, table, &retrieve));
    const MurArray keys[] = {gpu_part(&buffer, 0, 19), gpu_part(&buffer, 1, 20)};
    for (uint32_t i = 0; i < 2; ++i) {
        batch.keys = retrieve.keys = keys[i];
        gpu_refused(gpu, murCmdMultiInsert(gpu->cmd, table, &batch), "keys");
        gpu_refused(gpu, murCmdMultiCount(gpu->cmd, table, &batch), "keys");
        gpu_refused(gpu, murCmdMultiRetrieve(gpu->cmd, table, &retrieve), "keys");
    }
    gpu_submit(gpu);
    gpu_free(gpu, &buffer);
    murDestroyTable(table);
}

typedef VkResult Command(VkCommandBuffer cmd, MurTable table, const MurBatch *batch);

GPU_TEST(wrong_batches) {
    static Command *const commands[] = {murCmdMultiInsert, murCmdMultiErase, murCmdMultiCount,
                                        murCmdMultiFind, murCmdMultiEraseKeys};
    Multi multi;
    multi_open(gpu, &multi, 100, MUR_ATOMIC_WIDTH_32, 0);
    GpuBuffer buffer = gpu_buffer(gpu, 4096);
    const MurBatch good = {
        .maxCount = 10, .keys = gpu_part(&buffer, 0, 10), .values = gpu_part(&buffer, 100, 10)};
    gpu_begin(gpu);
    for (uint32_t c = 0; c < 5; ++c) {
        Command *const command = commands[c];
        gpu_require(command(gpu->cmd, multi.table, &good));
        gpu_require(murCmdBarrier(gpu->cmd, multi.table));
        gpu_refused(gpu, command(NULL, multi.table, &good), "cmd");
        gpu_refused(gpu, command(gpu->cmd, multi.table, NULL), "pBatch");
#define WRONG(field, value, name)                                       \
    do {                                                                \
        MurBatch wrong = good;                                          \
        wrong.field = value;                                            \
        gpu_refused(gpu, command(gpu->cmd, multi.table, &wrong), name); \
    } while (0)
        WRONG(pNext, &buffer, "pNext");
        WRONG(flags, MUR_BATCH_EXCLUSIVE, "flags");
        WRONG(slots, gpu_part(&buffer, 300, 10), "slots");
        WRONG(statusBits, gpu_part(&buffer, 300, 10), "statusBits");
        WRONG(oldValues, gpu_part(&buffer, 300, 10), "oldValues");
        WRONG(scratch, ((MurArray){buffer.address + 8, 64}), "scratch");
        WRONG(countAddress, buffer.address + 2, "count");
        WRONG(keys.address, 0, "keys");
        WRONG(keys.size, 39, "keys");
        WRONG(values.address, good.values.address + 1, "values");
        WRONG(statuses, gpu_part(&buffer, 300, 9), "statuses");
        if (command != murCmdMultiEraseKeys) {
            WRONG(values.address, 0, "values");
        }
#undef WRONG
        gpu_require(command(gpu->cmd, multi.table, &(MurBatch){0}));
    }
    gpu_submit(gpu);
    gpu_free(gpu, &buffer);
    multi_close(&multi);
}

GPU_TEST(wrong_retrieves) {
    Multi multi;
    multi_open(gpu, &multi, 100, MUR_ATOMIC_WIDTH_32, 0);
    GpuBuffer buffer = gpu_buffer(gpu, 4096);
    const VkDeviceSize scratch = murGetMultiRetrieveScratchSize(10) / 4;
    const MurMultiRetrieve good = {
        .maxKeys = 10,
        .keys = gpu_part(&buffer, 0, 10),
        .offsets = gpu_part(&buffer, 100, 11),
        .maxValues = 20,
        .values = gpu_part(&buffer, 200, 20),
        .keyIndices = gpu_part(&buffer, 300, 20),
        .totalAddress = buffer.address + 4 * 400,
        .scratch = gpu_part(&buffer, 500, scratch),
    };
    gpu_begin(gpu);
    gpu_require(murCmdMultiRetrieve(gpu->cmd, multi.table, &good));
    gpu_refused(gpu, murCmdMultiRetrieve(NULL, multi.table, &good), "cmd");
    gpu_refused(gpu, murCmdMultiRetrieve(gpu->cmd, multi.table, NULL), "pRetrieve");
#define WRONG(field, value, name)                                                   \
    do {                                                                            \
        MurMultiRetrieve wrong = good;                                              \
        wrong.field = value;                                                        \
        gpu_refused(gpu, murCmdMultiRetrieve(gpu->cmd, multi.table, &wrong), name); \
    } while (0)
    WRONG(pNext, &buffer, "pNext");
    WRONG(countAddress, buffer.address + 1, "count");
    WRONG(totalAddress, buffer.address + 2, "total");
    WRONG(keys.address, 0, "keys");
    WRONG(keys.size, 39, "keys");
    WRONG(offsets.address, 0, "offsets");
    WRONG(offsets.size, 40, "offsets");
    WRONG(values.address, 0, "values");
    WRONG(values.size, 76, "values");
    WRONG(keyIndices.size, 76, "keyIndices");
    WRONG(keyIndices.address, buffer.address + 3, "keyIndices");
    WRONG(scratch.address, 0, "scratch");
    WRONG(scratch.address, buffer.address + 2, "scratch");
    WRONG(scratch.size, 4 * scratch - 1, "scratch");
    WRONG(maxKeys, UINT32_MAX, "maxKeys");
#undef WRONG
    gpu_require(murCmdMultiRetrieve(gpu->cmd, multi.table, &(MurMultiRetrieve){0}));
    gpu_submit(gpu);
    assert_int_equal(murGetMultiRetrieveScratchSize(0), 0);
    gpu_free(gpu, &buffer);
    multi_close(&multi);
}
