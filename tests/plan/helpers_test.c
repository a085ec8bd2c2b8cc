/* The barriers of the helpers, which mix commands with copies: for each two things that they record
 * one of which needs the other's results, there is a barrier between them of both their stages and
 * accesses; and none that could be left out.
 *
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <murmuration/growable.h>

#include <string.h>

enum { SHADER = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, TRANSFER = VK_PIPELINE_STAGE_TRANSFER_BIT };
enum { HOST = VK_PIPELINE_STAGE_HOST_BIT, COUNT = 50 };

/* A recorded stream; table: the buffer of the table; engine: work that came before and comes after
 * uses the table, too. */
typedef struct Stream {
    InterposedRecord records[INTERPOSED_RECORDS];
    uint32_t count;
    VkBuffer table;
    bool orders; /* it orders itself after what was submitted before */
} Stream;

static Stream take_stream(VkBuffer table, bool orders) {
    Stream stream = {.table = table, .orders = orders};
    const InterposedRecord *records = interpose_records(&stream.count);
    memcpy(stream.records, records, stream.count * sizeof records[0]);
    return stream;
}

/* Is there a barrier among the records from first to before last? */
static bool has_barrier(const Stream *stream, uint32_t first, uint32_t last,
                        VkPipelineStageFlags before, VkAccessFlags written,
                        VkPipelineStageFlags after, VkAccessFlags touched) {
    for (uint32_t i = first; i < last; ++i) {
        const InterposedRecord *it = &stream->records[i];
        if (it->function == ON_vkCmdPipelineBarrier && it->plain &&
            (it->before & before) == before && (it->after & after) == after &&
            (it->memory.srcAccessMask & written) == written &&
            (it->memory.dstAccessMask & touched) == touched) {
            return true;
        }
    }
    return false;
}

static bool needs(const char **why, bool there, const char *what) {
    if (!there) {
        *why = what;
    }
    return there;
}

static bool is_dispatch(const InterposedRecord *record) {
    return record->function == ON_vkCmdDispatch;
}

static bool is_copy(const InterposedRecord *record) {
    return record->function == ON_vkCmdCopyBuffer;
}

/* What two things in a stream that follow each other want between them. */
static bool check_pair(const Stream *stream, uint32_t i, uint32_t j, const char **why) {
    const InterposedRecord *a = &stream->records[i], *b = &stream->records[j];
    if (is_dispatch(a) && is_copy(b)) {
        return needs(why,
                     has_barrier(stream, i, j, SHADER, VK_ACCESS_SHADER_WRITE_BIT, TRANSFER,
                                 VK_ACCESS_TRANSFER_READ_BIT),
                     "a copy of what a command writes");
    }
    if (is_copy(a) && is_dispatch(b)) {
        return needs(why,
                     has_barrier(stream, i, j, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, SHADER,
                                 VK_ACCESS_SHADER_READ_BIT),
                     "a command on what is copied");
    }
    return true;
}

/* Against what was submitted before, and what the host or others do after. */
static bool check_ends(const Stream *stream, uint32_t i, const char **why) {
    const InterposedRecord *it = &stream->records[i];
    if (stream->orders && is_dispatch(it) &&
        !needs(why,
               has_barrier(stream, 0, i, SHADER | TRANSFER,
                           VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, SHADER,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT),
               "a command after what was submitted before")) {
        return false;
    }
    const bool ofTable = is_copy(it) && (it->from == stream->table || it->to == stream->table);
    if (stream->orders && ofTable &&
        !needs(why,
               has_barrier(stream, 0, i, SHADER | TRANSFER,
                           VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, TRANSFER,
                           it->from == stream->table ? VK_ACCESS_TRANSFER_READ_BIT
                                                     : VK_ACCESS_TRANSFER_WRITE_BIT),
               "a copy of the table after what was submitted before")) {
        return false;
    }
    if (is_copy(it) && it->to == stream->table) {
        return needs(why,
                     has_barrier(stream, i, stream->count, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT,
                                 SHADER, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT),
                     "the table for whoever comes after");
    }
    /* What is copied last is for the host. */
    bool last = is_copy(it);
    for (uint32_t j = i + 1; j < stream->count; ++j) {
        last = last && !is_dispatch(&stream->records[j]);
    }
    return !last || needs(why,
                          has_barrier(stream, i, stream->count, TRANSFER,
                                      VK_ACCESS_TRANSFER_WRITE_BIT, HOST, VK_ACCESS_HOST_READ_BIT),
                          "what the host reads");
}

static bool check_stream(const Stream *stream, const char **why) {
    *why = "nothing";
    for (uint32_t j = 0; j < stream->count; ++j) {
        for (uint32_t i = 0; i < j; ++i) {
            if (!check_pair(stream, i, j, why)) {
                return false;
            }
        }
        if (!check_ends(stream, j, why)) {
            return false;
        }
    }
    return true;
}

/* The stream is right, and no longer is without any of its barriers; those between dispatches are
 * the plan's (plan_test.c). */
static void judge(const Stream *stream, const char *what) {
    const char *why;
    uint32_t barriers = 0;
    if (!check_stream(stream, &why)) {
        fail_msg("%s: no barrier before %s", what, why);
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
        if (!own && check_stream(&without, &why)) {
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
#define CALL(call)                                       \
    do {                                                 \
        interpose_keep_records();                        \
        gpu_require(call);                               \
        const Stream stream = take_stream(buffer, true); \
        judge(&stream, #call);                           \
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

/* Two calls: one that counts, one that moves. */
OBSERVED_CASE(growable_frames_have_their_barriers) {
    const MurGrowableCreateInfo info = {.table = {.capacity = 1000}, .framesInFlight = 1};
    MurGrowable growable;
    gpu_require(murCreateGrowable(observed->context, &info, &growable));
    const uint64_t inserts[] = {300, 100, 2000};
    for (uint32_t i = 0; i < 3; ++i) {
        const MurGrowableFrame frame = {
            .frame = i + 1, .completedFrame = i, .maxInserts = inserts[i]};
        MurGrowableUse use;
        VkCommandBuffer cmd = gpu_begin(gpu);
        interpose_keep_records();
        gpu_require(murCmdBeginGrowableFrame(cmd, growable, &frame, &use));
        gpu_require(use.growth);
        const Stream stream = take_stream(murGetTableMemory(use.table).buffer, false);
        if (i) { /* the first frame clears */
            assert_int_equal(use.source != VK_NULL_HANDLE, i == 2);
            judge(&stream, i == 1 ? "a frame that counts" : "a frame that moves");
        }
        gpu_submit(gpu);
    }
    murDestroyGrowable(growable);
}
