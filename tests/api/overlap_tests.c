/* Memory that commands are given by address: what is written must lie in nothing else, and nothing
 * may end beyond the last address.
 *
 * SPDX-License-Identifier: MIT */
#include "api.h"

#include <murmuration/group.h>
#include <murmuration/multi.h>

#include <string.h>

/* Of the buffer each argument has a part, far larger than what the commands use of it. Of scratch
 * they use all. */
enum { COUNT = 64, WORDS = 2048, PART = 4 * WORDS, SCRATCH = 512, PARTS = 41 };

typedef struct Bench {
    Observed observed;
    Gpu *gpu;
    GpuBuffer buffer;
    uint32_t parts; /* given away */
    MurTable table, other, multi, grouped;
    /* The commands' arguments. */
    MurBatch batch;
    MurExtract extract;
    MurRehash rehash;
    MurMultiRetrieve retrieve;
    MurGroup group;
    MurArray stats;
    uint32_t recorded; /* calls so far */
} Bench;

static MurArray next_scratch(Bench *bench) {
    return gpu_part(&bench->buffer, (uint64_t)WORDS * bench->parts++, SCRATCH / 4);
}

static MurArray next_part(Bench *bench) {
    return gpu_part(&bench->buffer, (uint64_t)WORDS * bench->parts++, WORDS);
}

/* Tables in parts of the buffer, too: what lies behind them is known then. */
static MurTable next_table(Bench *bench, MurUse use) {
    MurTableCreateInfo info = {.capacity = COUNT, .uses = {murUseScratch(), murUseRehash(), use}};
    if (use == murUseMulti()) {
        info.format = MUR_FORMAT_K64V32;
        info.reservedValue = MUR_RESERVED_VALUE_ZERO;
    }
    const VkDeviceSize offset = (VkDeviceSize)PART * bench->parts++;
    info.memory = (MurBufferRange){bench->buffer.buffer, offset, PART};
    MurTable table;
    gpu_require(murCreateTable(bench->observed.context, &info, &table));
    return table;
}

static void bench_open(Bench *bench, Gpu *gpu) {
    memset(bench, 0, sizeof *bench);
    observe_open_idle(&bench->observed, gpu);
    bench->gpu = gpu;
    bench->buffer = gpu_buffer(gpu, PART * PARTS);
    bench->table = next_table(bench, NULL);
    bench->other = next_table(bench, NULL);
    bench->multi = next_table(bench, murUseMulti());
    bench->grouped = next_table(bench, murUseGroup());
    bench->batch = (MurBatch){.maxCount = COUNT,
                              .countAddress = next_part(bench).address,
                              .keys = next_part(bench),
                              .values = next_part(bench),
                              .statuses = next_part(bench),
                              .slots = next_part(bench),
                              .oldValues = next_part(bench),
                              .statusBits = next_part(bench),
                              .scratch = next_scratch(bench)};
    bench->extract = (MurExtract){.maxCount = COUNT,
                                  .countAddress = next_part(bench).address,
                                  .keys = next_part(bench),
                                  .values = next_part(bench),
                                  .slots = next_part(bench)};
    bench->rehash = (MurRehash){
        .slotMap = next_part(bench), .result = next_part(bench), .scratch = next_part(bench)};
    bench->retrieve = (MurMultiRetrieve){.maxKeys = COUNT,
                                         .countAddress = next_part(bench).address,
                                         .keys = next_part(bench),
                                         .offsets = next_part(bench),
                                         .maxValues = COUNT,
                                         .values = next_part(bench),
                                         .keyIndices = next_part(bench),
                                         .totalAddress = next_part(bench).address,
                                         .scratch = next_scratch(bench)};
    bench->group = (MurGroup){.maxCount = COUNT,
                              .countAddress = next_part(bench).address,
                              .keys = next_part(bench),
                              .values = next_part(bench),
                              .groups = {next_part(bench).address, 4 * (2 * COUNT + 1)},
                              .scratch = next_part(bench)};
    bench->stats = next_part(bench);
    assert_in_range(bench->parts, 1, PARTS);
    log_book_clear(&bench->observed.log);
    gpu_begin(gpu);
}

/* Nothing is executed: only what the commands say of their arguments is asked. */
static void bench_close(Bench *bench) {
    gpu_require(vkEndCommandBuffer(bench->gpu->cmd));
    murDestroyTable(bench->table);
    murDestroyTable(bench->other);
    murDestroyTable(bench->multi);
    murDestroyTable(bench->grouped);
    gpu_free(bench->gpu, &bench->buffer);
    observe_close(&bench->observed);
}

/* What a message calls it; where its address is among the arguments, NULL: it cannot be moved;
 * where it is; how many bytes the command uses; whether it writes them. */
typedef struct Argument {
    const char *name;
    VkDeviceAddress *address;
    VkDeviceAddress home;
    VkDeviceSize used;
    bool written;
} Argument;

static Argument argument(const char *name, VkDeviceAddress *address, VkDeviceSize used,
                         bool written) {
    return (Argument){name, address, *address, used, written};
}

static Argument table_argument(const char *name, MurTable table, bool written) {
    return (Argument){name, NULL, murGetTableRef(table).address, murGetTableMemory(table).size,
                      written};
}

typedef VkResult Command(Bench *bench);

static void refuse_overlap(Bench *bench, Command *command, const char *a, const char *b,
                           const char *what) {
    LogBook *log = &bench->observed.log;
    log_book_clear(log);
    const VkResult result = command(bench);
    if (result != MUR_ERROR_INVALID_ARGUMENT || log->errors != 1 || !strstr(log->lastError, a) ||
        !strstr(log->lastError, b) || interpose_recorded() != bench->recorded) {
        fail_msg("%s, %s on %s: %s, %u errors, the last \"%s\"", what, a, b, murResultName(result),
                 log->errors, log->lastError);
    }
    log_book_clear(log);
}

static void expect_taken(Bench *bench, Command *command, const char *what) {
    const VkResult result = command(bench);
    if (result != VK_SUCCESS || interpose_recorded() == bench->recorded) {
        fail_msg("%s: %s: %s", what, murResultName(result), bench->observed.log.lastError);
    }
    bench->recorded = interpose_recorded();
}

/* At b's start and at its end, ending in its first bytes; then just behind it and just before
 * it. */
static void lay_upon(Bench *bench, Command *command, const Argument *a, const Argument *b,
                     const char *what) {
    enum { STEP = 32 }; /* alignment enough for all */
    const VkDeviceSize rounded = (b->used + STEP - 1) / STEP * STEP;
    const VkDeviceSize before = (a->used + STEP - 1) / STEP * STEP;
    const VkDeviceAddress last = b->home + (b->used - 1) / STEP * STEP;
    const VkDeviceAddress on[] = {b->home, last, b->home - before + STEP};
    for (uint32_t i = 0; i < 3; ++i) {
        *a->address = on[i];
        if (a->written || b->written) {
            refuse_overlap(bench, command, a->name, b->name, what);
        } else {
            expect_taken(bench, command, what);
        }
    }
    *a->address = b->home + rounded;
    expect_taken(bench, command, what);
    *a->address = b->home - before;
    expect_taken(bench, command, what);
    *a->address = a->home;
}

static void try_all(Bench *bench, Command *command, const Argument *list, size_t count,
                    const char *what) {
    expect_taken(bench, command, what);
    for (size_t i = 0; i < count; ++i) {
        if (!list[i].address) {
            continue;
        }
        for (size_t j = 0; j < count; ++j) {
            if (i != j) {
                lay_upon(bench, command, &list[i], &list[j], what);
            }
        }
        if (list[i].used > 4) {                                   /* a word has no size */
            *list[i].address = 0 - (VkDeviceAddress)SCRATCH + 32; /* the others are larger */
            refuse_overlap(bench, command, list[i].name, "beyond the last address", what);
            *list[i].address = list[i].home;
        }
    }
}

#define TRY(bench, command, list) \
    try_all(bench, command, list, sizeof list / sizeof list[0], #command)

/* The commands, with the bench's arguments. */
#define COMMAND(name, verb, ...)                   \
    static VkResult name(Bench *bench) {           \
        return verb(bench->gpu->cmd, __VA_ARGS__); \
    }
COMMAND(insert, murCmdInsert, bench->table, MUR_MODE_ASSIGN, &bench->batch)
COMMAND(build, murCmdBuild, bench->table, MUR_MODE_ASSIGN, &bench->batch)
COMMAND(find, murCmdFind, bench->table, &bench->batch)
COMMAND(erase, murCmdErase, bench->table, &bench->batch)
COMMAND(extract, murCmdExtract, bench->table, &bench->extract)
COMMAND(erase_where, murCmdEraseWhere, bench->table, &bench->extract)
COMMAND(stats, murCmdStats, bench->table, bench->stats)
COMMAND(rehash, murCmdRehash, bench->table, bench->other, &bench->rehash)
COMMAND(merge, murCmdMerge, bench->table, bench->other, MUR_MODE_KEEP, &bench->rehash)
COMMAND(compact, murCmdCompact, bench->table, &bench->rehash)
COMMAND(group, murCmdGroup, bench->grouped, &bench->group)
COMMAND(multi_insert, murCmdMultiInsert, bench->multi, &bench->batch)
COMMAND(multi_count, murCmdMultiCount, bench->multi, &bench->batch)
COMMAND(multi_find, murCmdMultiFind, bench->multi, &bench->batch)
COMMAND(multi_erase, murCmdMultiErase, bench->multi, &bench->batch)
COMMAND(multi_erase_keys, murCmdMultiEraseKeys, bench->multi, &bench->batch)
COMMAND(multi_retrieve, murCmdMultiRetrieve, bench->multi, &bench->retrieve)

/* more: of the last arguments, those that the command takes. */
static void try_batch(Bench *bench, Command *command, MurTable table, bool writesTable,
                      bool writesValues, uint32_t more, const char *what) {
    MurBatch *batch = &bench->batch;
    const MurArray none = {0};
    const MurArray olds = batch->oldValues, bits = batch->statusBits;
    batch->oldValues = more == 3 ? olds : none;
    batch->statusBits = more >= 2 ? bits : none;
    const Argument list[] = {
        table_argument("the table", table, writesTable),
        argument("countAddress", &batch->countAddress, 4, false),
        argument("keys", &batch->keys.address, 4 * COUNT, false),
        argument("values", &batch->values.address, 4 * COUNT, writesValues),
        argument("statuses", &batch->statuses.address, 4 * COUNT, true),
        argument("scratch", &batch->scratch.address, SCRATCH, true),
        argument("slots", &batch->slots.address, 4 * COUNT, true),
        argument("statusBits", &batch->statusBits.address, COUNT / 8, true),
        argument("oldValues", &batch->oldValues.address, 4 * COUNT, true),
    };
    try_all(bench, command, list, 6 + more, what);
    batch->oldValues = olds;
    batch->statusBits = bits;
}

static void arrays_of_batches(Bench *bench) {
    try_batch(bench, insert, bench->table, true, false, 3, "insert");
    try_batch(bench, build, bench->table, true, false, 3, "build");
    try_batch(bench, find, bench->table, false, true, 2, "find");
    try_batch(bench, erase, bench->table, true, true, 2, "erase");
}

static void arrays_of_whole_tables(Bench *bench) {
    MurExtract *given = &bench->extract;
    Argument extracted[] = {
        table_argument("the table", bench->table, false),
        argument("countAddress", &given->countAddress, 4, true),
        argument("keys", &given->keys.address, 4 * COUNT, true),
        argument("values", &given->values.address, 4 * COUNT, true),
        argument("slots", &given->slots.address, 4 * COUNT, true),
    };
    TRY(bench, extract, extracted);
    extracted[0] = table_argument("the table", bench->table, true);
    TRY(bench, erase_where, extracted);
    const Argument counted[] = {
        table_argument("the table", bench->table, false),
        argument("stats", &bench->stats.address, sizeof(MurStats), true),
    };
    TRY(bench, stats, counted);
}

static void arrays_of_moves(Bench *bench) {
    MurRehash *given = &bench->rehash;
    const VkDeviceSize map = 4 * (murGetTableRef(bench->table).slotCount + 1ull);
    const Argument moved[] = {
        table_argument("source", bench->table, false),
        table_argument("destination", bench->other, true),
        argument("slotMap", &given->slotMap.address, map, true),
        argument("result", &given->result.address, sizeof(MurRehashResult), true),
    };
    TRY(bench, rehash, moved);
    TRY(bench, merge, moved);
    const Argument inPlace[] = {
        table_argument("the table", bench->table, true),
        argument("slotMap", &given->slotMap.address, map, true),
        argument("result", &given->result.address, sizeof(MurRehashResult), true),
        argument("scratch", &given->scratch.address, murGetCompactScratchSize(bench->table), true),
    };
    TRY(bench, compact, inPlace);
}

/* A table is not moved into a part of its own memory. */
static void tables_that_overlap(Bench *bench) {
    const MurTable other = bench->other;
    MurTableCreateInfo info = {
        .capacity = COUNT, .memory = murGetTableMemory(bench->table), .uses = {murUseRehash()}};
    info.memory.offset += 256;
    gpu_require(murCreateTable(bench->observed.context, &info, &bench->other));
    refuse_overlap(bench, rehash, "source", "destination", "rehash");
    refuse_overlap(bench, merge, "source", "destination", "merge");
    murDestroyTable(bench->other);
    bench->other = other;
}

static void arrays_of_groups(Bench *bench) {
    MurGroup *given = &bench->group;
    const Argument list[] = {
        table_argument("the table", bench->grouped, true),
        argument("countAddress", &given->countAddress, 4, false),
        argument("keys", &given->keys.address, 4 * COUNT, false),
        argument("values", &given->values.address, 4 * COUNT, false),
        argument("groups", &given->groups.address, given->groups.size, true),
        argument("scratch", &given->scratch.address, murGetGroupScratchSize(bench->grouped, COUNT),
                 true),
    };
    TRY(bench, group, list);
}

static void arrays_of_multi_tables(Bench *bench) {
    bench->batch.slots = (MurArray){0, 0};
    try_batch(bench, multi_insert, bench->multi, true, false, 0, "murCmdMultiInsert");
    try_batch(bench, multi_count, bench->multi, false, true, 0, "murCmdMultiCount");
    try_batch(bench, multi_find, bench->multi, false, true, 0, "murCmdMultiFind");
    try_batch(bench, multi_erase, bench->multi, true, false, 0, "murCmdMultiErase");
    try_batch(bench, multi_erase_keys, bench->multi, true, true, 0, "murCmdMultiEraseKeys");
    MurMultiRetrieve *given = &bench->retrieve;
    const Argument retrieved[] = {
        table_argument("the table", bench->multi, false),
        argument("countAddress", &given->countAddress, 4, false),
        argument("totalAddress", &given->totalAddress, 4, true),
        argument("keys", &given->keys.address, 4 * COUNT, false),
        argument("offsets", &given->offsets.address, 4 * (COUNT + 1), true),
        argument("values", &given->values.address, 4 * COUNT, true),
        argument("keyIndices", &given->keyIndices.address, 4 * COUNT, true),
        argument("scratch", &given->scratch.address, murGetMultiRetrieveScratchSize(COUNT), true),
    };
    TRY(bench, multi_retrieve, retrieved);
}

/* All on the same tables, since pipelines of a context of their own take long to make. */
GPU_TEST(what_is_written_lies_in_nothing_else) {
    Bench bench;
    bench_open(&bench, gpu);
    arrays_of_batches(&bench);
    arrays_of_whole_tables(&bench);
    arrays_of_moves(&bench);
    tables_that_overlap(&bench);
    arrays_of_groups(&bench);
    arrays_of_multi_tables(&bench);
    bench_close(&bench);
}
