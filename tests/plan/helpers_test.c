/* Tests the barriers of the helpers (blocking, growable, mirror), which record commands and copies.
 * If an operation requires results of another, a barrier between them must cover the stages and
 * accesses of both. No barrier may be superfluous.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <murmuration/growable.h>

#include <string.h>

enum { SHADER = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, TRANSFER = VK_PIPELINE_STAGE_TRANSFER_BIT };
enum { HOST = VK_PIPELINE_STAGE_HOST_BIT, COUNT = 50 };
enum {
    SHADER_READ = VK_ACCESS_SHADER_READ_BIT,
    SHADER_WRITE = VK_ACCESS_SHADER_WRITE_BIT,
    COPY_READ = VK_ACCESS_TRANSFER_READ_BIT,
    COPY_WRITE = VK_ACCESS_TRANSFER_WRITE_BIT,
    ANY_WRITE = SHADER_WRITE | COPY_WRITE
};

/* The Vulkan calls that a function of the library recorded: a stream. */
typedef struct Stream {
    InterposedRecord records[INTERPOSED_RECORDS];
    uint32_t count;
    VkBuffer table;  /* the table's buffer, which earlier and later work of the engine may access */
    bool orders;     /* whether a barrier must order it after earlier submissions */
    const char *why; /* names the first operation that lacks a barrier */
} Stream;

static Stream take_stream(VkBuffer table, bool orders) {
    Stream stream = {.table = table, .orders = orders};
    const InterposedRecord *records = interpose_records(&stream.count);
    memcpy(stream.records, records, stream.count * sizeof records[0]);
    return stream;
}

/* Returns whether a record (a Vulkan call) from first to last - 1 is a sufficient barrier. Else
 * sets stream->why. */
static bool has_barrier(Stream *stream, uint32_t first, uint32_t last, VkPipelineStageFlags before,
                        VkAccessFlags written, VkPipelineStageFlags after, VkAccessFlags touched,
                        const char *why) {
    for (uint32_t i = first; i < last; ++i) {
        const InterposedRecord *it = &stream->records[i];
        if (it->function == ON_vkCmdPipelineBarrier && it->plain &&
            (it->before & before) == before && (it->after & after) == after &&
            (it->memory.srcAccessMask & written) == written &&
            (it->memory.dstAccessMask & touched) == touched) {
            return true;
        }
    }
    stream->why = why;
    return false;
}

static bool is_dispatch(const InterposedRecord *record) {
    return record->function == ON_vkCmdDispatch;
}

static bool is_copy(const InterposedRecord *record) {
    return record->function == ON_vkCmdCopyBuffer;
}

/* Returns whether the barriers between two recorded operations suffice. */
static bool check_pair(Stream *stream, uint32_t i, uint32_t j) {
    const InterposedRecord *a = &stream->records[i], *b = &stream->records[j];
    return (!is_dispatch(a) || !is_copy(b) ||
            has_barrier(stream, i, j, SHADER, SHADER_WRITE, TRANSFER, COPY_READ,
                        "a copy of what a command writes")) &&
           (!is_copy(a) || !is_dispatch(b) ||
            has_barrier(stream, i, j, TRANSFER, COPY_WRITE, SHADER, SHADER_READ,
                        "a command on what is copied"));
}

/* Returns whether barriers separate the operation from all accesses before and after the stream. */
static bool check_ends(Stream *stream, uint32_t i) {
    const InterposedRecord *it = &stream->records[i];
    const bool reads = is_copy(it) && it->from == stream->table;
    const bool writes = is_copy(it) && it->to == stream->table;
    bool last = is_copy(it); /* the host reads the results of the last copies */
    for (uint32_t j = i + 1; j < stream->count; ++j) {
        last = last && !is_dispatch(&stream->records[j]);
    }
    return (!stream->orders || !is_dispatch(it) ||
            has_barrier(stream, 0, i, SHADER | TRANSFER, ANY_WRITE, SHADER,
                        SHADER_READ | SHADER_WRITE, "a command after what was submitted before")) &&
           (!stream->orders || !(reads || writes) ||
            has_barrier(stream, 0, i, SHADER | TRANSFER, ANY_WRITE, TRANSFER,
                        reads ? COPY_READ : COPY_WRITE,
                        "a copy of the table after what was submitted before")) &&
           (writes ? has_barrier(stream, i, stream->count, TRANSFER, COPY_WRITE, SHADER,
                                 SHADER_READ | SHADER_WRITE, "the table for whoever comes after")
                   : !last || has_barrier(stream, i, stream->count, TRANSFER, COPY_WRITE, HOST,
                                          VK_ACCESS_HOST_READ_BIT, "what the host reads"));
}

static bool check_stream(Stream *stream) {
    for (uint32_t j = 0; j < stream->count; ++j) {
        for (uint32_t i = 0; i < j; ++i) {
            if (!check_pair(stream, i, j)) {
                return false;
            }
        }
        if (!check_ends(stream, j)) {
            return false;
        }
    }
    return true;
}

/* Requires that the recorded calls have all barriers, and lack one if any barrier is removed.
 * plan_test.c tests the barriers between dispatches. */
static void judge(Stream *stream, const char *what) {
    uint32_t barriers = 0;
    if (!check_stream(stream)) {
        fail_msg("%s: no barrier before %s", what, stream->why);
    }
    for (uint32_t i = 0; i < stream->count; ++i) {
        const InterposedRecord *it = &stream->records[i];
        if (it->function != ON_vkCmdPipelineBarrier) {
            continue;
        }
        assert_true(it->plain);
        ++barriers;
        Stream without = *stream;
        without.records[i].plain = false;
        const bool own = it->before == SHADER && it->after == SHADER;
        if (!own && check_stream(&without)) {
            fail_msg("%s: nothing needs barrier %u, 0x%x to 0x%x", what, barriers, it->before,
                     it->after);
        }
    }
    assert_true(barriers > 0);
}

BLOCKING_CASE(blocking_calls_have_their_barriers) {
    MurBlocking helper = observed->blocking;
    const MurTableCreateInfo info = {.capacity = 1000};
    MurTable table;
    gpu_require(murCreateTable(observed->context, &info, &table));
    const VkBuffer buffer = murGetTableMemory(table).buffer;
    uint32_t keys[COUNT], values[COUNT], statuses[COUNT], slots[COUNT], count;
    for (uint32_t i = 0; i < COUNT; ++i) {
        keys[i] = values[i] = i + 1;
    }
    static uint32_t image[8192];
    MurStats stats;
#define CALL(call)                                 \
    do {                                           \
        interpose_keep_records();                  \
        gpu_require(call);                         \
        Stream stream = take_stream(buffer, true); \
        judge(&stream, #call);                     \
    } while (0)
    gpu_require(murBlockingClear(helper, table));
    CALL(murBlockingInsert(helper, table, 0, COUNT, keys, values, statuses, slots));
    CALL(murBlockingFind(helper, table, COUNT, keys, values, statuses, slots));
    CALL(murBlockingErase(helper, table, COUNT, keys, values, statuses, slots));
    CALL(murBlockingExtract(helper, table, 0, NULL, COUNT, keys, values, slots, &count));
    CALL(murBlockingStats(helper, table, &stats));
    CALL(murBlockingDownload(helper, table, image, sizeof image));
    CALL(murBlockingUpload(helper, table, image, sizeof image));
#undef CALL
    murDestroyTable(table);
}

/* The second frame counts entries, and the third frame moves them to another table. */
OBSERVED_CASE(growable_frames_have_their_barriers) {
    const MurGrowableCreateInfo info = {.table = {.capacity = 1000}, .framesInFlight = 1};
    MurGrowable growable;
    gpu_require(murCreateGrowable(observed->context, &info, &growable));
    const uint64_t inserts[] = {300, 100, 2000};
    for (uint32_t i = 0; i < 3; ++i) {
        const MurGrowableFrame frame = {
            .frame = i + 1, .completedFrame = i, .maxInserts = inserts[i]};
        MurGrowableFrameTable use;
        VkCommandBuffer cmd = gpu_begin(gpu);
        interpose_keep_records();
        gpu_require(murCmdBeginGrowableFrame(cmd, growable, &frame, &use));
        gpu_require(use.growth);
        Stream stream = take_stream(murGetTableMemory(use.table).buffer, false);
        if (i) { /* the first frame only clears the table */
            assert_int_equal(use.source != VK_NULL_HANDLE, i == 2);
            judge(&stream, i == 1 ? "a frame that counts" : "a frame that moves");
        }
        gpu_submit(gpu);
    }
    murDestroyGrowable(growable);
}
