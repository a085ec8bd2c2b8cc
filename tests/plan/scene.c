/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <device/paged.h>
#include <host/size.h>
#include <murmuration/multi.h>

#include <stdlib.h>
#include <string.h>

enum { TWO_STEPS = (MUR_SPLIT_BINS + 100) * MUR_SLICE, SLICES = 4 * MUR_SLICE };

#define NARROW     .format = MUR_FORMAT_K32V32
#define WIDE       .format = MUR_FORMAT_K64V32
#define IN_BUCKETS .flags = MUR_TABLE_BUCKETS
#define ROWS       .format = MUR_FORMAT_R32, .flags = MUR_ROWS(2, 2)

/* Each kernel in each of its roles, at least once. */
const SceneInfo scene_infos[] = {
    {"clear", VERB_CLEAR, NARROW, .capacity = 1000, .filled = 500},
    {"extract", VERB_EXTRACT, NARROW, .capacity = 1000, .filled = 500, .count = 600},
    {"extract, 64-bit keys", VERB_EXTRACT, WIDE, .capacity = 500, .filled = 300, .count = 100},
    {"erase where", VERB_ERASE_WHERE, NARROW, .wide = true, .capacity = 1000, .filled = 500,
     .count = 600},
    {"erase where, sets", VERB_ERASE_WHERE, .format = MUR_FORMAT_K32, .capacity = 500,
     .filled = 300, .count = 100},
    {"statistics", VERB_STATS, NARROW, .capacity = 3000, .filled = 500},
    {"find", VERB_FIND, NARROW, .capacity = 1000, .filled = 500, .count = 700, .known = 400},
    {"find, pairs", VERB_FIND, .format = MUR_FORMAT_K64V64, .wide = true, .capacity = 1000,
     .filled = 500, .count = 700, .known = 400},
    {"insert", VERB_INSERT, NARROW, .capacity = 1000, .filled = 400, .count = 400, .known = 200},
    {"insert, 64-bit atomics", VERB_INSERT, WAY_HOME_FIRST, NARROW, .wide = true, .capacity = 1000,
     .filled = 400, .count = 400, .known = 200, .mode = MUR_MODE_KEEP},
    {"insert, sets", VERB_INSERT, .format = MUR_FORMAT_K32, .capacity = 1000, .filled = 400,
     .count = 400, .known = 200},
    {"erase", VERB_ERASE, NARROW, .capacity = 1000, .filled = 500, .count = 500, .known = 300},
    {"erase, 64-bit keys", VERB_ERASE, WIDE, .capacity = 1000, .filled = 500, .count = 500,
     .known = 300},
    {"sorted find", VERB_FIND, WAY_SORTED, NARROW, .capacity = 5000, .filled = 3000, .count = 3000,
     .known = 2000},
    {"sorted insert", VERB_INSERT, WAY_SORTED, NARROW, .capacity = 9000, .filled = 3000,
     .count = 3000, .known = 1000},
    {"sorted erase, pairs", VERB_ERASE, WAY_SORTED, .format = MUR_FORMAT_K64V64, .wide = true,
     .capacity = 5000, .filled = 3000, .count = 3000, .known = 2000},
    {"slices insert", VERB_INSERT, WAY_SLICES, NARROW, .capacity = SLICES, .filled = 1500,
     .count = 2800, .known = 300, .exclusive = true, .withoutResults = true},
    {"slices insert, crowded", VERB_INSERT, WAY_SLICES, NARROW, .capacity = SLICES, .filled = 600,
     .count = 3000, .keys = KEYS_FEW, .exclusive = true, .withoutResults = true},
    {"slices insert, two steps", VERB_INSERT, WAY_SLICES, NARROW, .capacity = TWO_STEPS,
     .filled = 300, .count = 4000, .exclusive = true, .withoutResults = true},
    {"build by slices", VERB_BUILD, WAY_SLICES, NARROW, .capacity = SLICES, .filled = 500,
     .count = 2400, .withoutResults = true},
    {"build by slices, full", VERB_BUILD, WAY_SLICES, NARROW, .capacity = SLICES, .filled = 500,
     .count = SLICES, .withoutResults = true},
    {"build by slices, crowded", VERB_BUILD, WAY_SLICES, NARROW, .capacity = SLICES, .filled = 500,
     .count = 3000, .keys = KEYS_FEW, .withoutResults = true},
    {"build by slices, two steps", VERB_BUILD, WAY_SLICES, NARROW, .capacity = TWO_STEPS,
     .filled = 300, .count = 4000, .withoutResults = true},
    {"exact build", VERB_BUILD, WAY_EXACT, NARROW, .capacity = SLICES, .filled = 500,
     .count = SLICES / 10 * 9, .withoutResults = true},
    {"exact build, crowded", VERB_BUILD, WAY_EXACT, NARROW, .capacity = SLICES, .filled = 500,
     .count = 700, .keys = KEYS_ONE_HOME, .withoutResults = true},
    {"exact build, behind the end", VERB_BUILD, WAY_EXACT, NARROW, .capacity = SLICES,
     .filled = 500, .count = 1200, .keys = KEYS_LAST, .withoutResults = true},
    {"build by slices, far from home", VERB_BUILD, WAY_SLICES, NARROW, .capacity = SLICES,
     .filled = 500, .count = 700, .keys = KEYS_ONE_HOME, .withoutResults = true},
    {"sorted build", VERB_BUILD, WAY_SORTED, NARROW, .capacity = 5000, .filled = 500,
     .count = 3000},
    {"build", VERB_BUILD, WAY_DIRECT, WIDE, .capacity = 1000, .filled = 500, .count = 700},
    {"insert in buckets", VERB_INSERT, NARROW, IN_BUCKETS, .capacity = 1024, .filled = 900,
     .count = 400, .known = 200},
    {"erase in buckets, and free", VERB_ERASE, WIDE, IN_BUCKETS, .capacity = 1024, .filled = 900,
     .count = 500, .known = 300, .exclusive = true},
    {"find in buckets", VERB_FIND, .format = MUR_FORMAT_K64, IN_BUCKETS, .capacity = 1024,
     .filled = 900, .count = 700, .known = 400},
    {"statistics of buckets", VERB_STATS, NARROW, IN_BUCKETS, .capacity = 1024, .filled = 900},
    {"begin filter", VERB_BEGIN_FILTER, NARROW, IN_BUCKETS, .capacity = 1024, .filled = 900},
    {"end filter", VERB_END_FILTER, NARROW, IN_BUCKETS, .capacity = 1024, .filled = 900},
    {"rebuild filter", VERB_REBUILD_FILTER, NARROW, IN_BUCKETS, .capacity = 1024, .filled = 900},
    {"age", VERB_AGE, NARROW, .flags = MUR_TABLE_BUCKETS | MUR_TABLE_AGES, .capacity = 1024,
     .filled = 900, .count = 300},
    {"age, sets by 32-bit atomics", VERB_AGE, .format = MUR_FORMAT_K64, .capacity = 1024,
     .flags = MUR_TABLE_BUCKETS | MUR_TABLE_AGES, .filled = 900, .count = 300},
    {"pager clear", VERB_PAGER_CLEAR, NARROW, .capacity = 10, .resident = true},
    {"pager clear, chunks", VERB_PAGER_CLEAR, NARROW, .capacity = 10, .several = true},
    {"page", VERB_PAGE, NARROW, .capacity = 10},
    {"page with a file", VERB_PAGE, NARROW, .capacity = 10, .hasFile = true},
    {"page and hold", VERB_PAGE, NARROW, .capacity = 10, .hasFile = true, .checkpoint = true},
    {"request pages", VERB_PAGES, NARROW, .capacity = 10, .count = 9},
    {"pin pages", VERB_PAGES, NARROW, .capacity = 10, .count = 9, .pagesVerb = MUR_PAGES_PIN},
    {"unpin pages", VERB_PAGES, NARROW, .capacity = 10, .count = 9, .pagesVerb = MUR_PAGES_UNPIN},
    {"pager flush", VERB_PAGER_FLUSH, NARROW, .capacity = 10},
    {"paged clear", VERB_PAGED_CLEAR, NARROW, .capacity = 10},
    {"paged clear from a file", VERB_PAGED_CLEAR, NARROW, .capacity = 10, .hasFile = true},
    {"page table with a checkpoint", VERB_PAGE_TABLE, NARROW, .capacity = 10, .count = 700,
     .hasFile = true, .checkpoint = true},
    {"page table", VERB_PAGE_TABLE, NARROW, .capacity = 10, .count = 700},
    {"page table, no page left", VERB_PAGE_TABLE, NARROW, .capacity = 10, .count = 470,
     .resident = true},
    {"page table, new page in a frame", VERB_PAGE_TABLE, NARROW, .capacity = 10, .count = 700,
     .several = true},
    {"paged insert", VERB_PAGED_BATCH, NARROW, .capacity = 10, .count = 700},
    {"paged insert, in frames", VERB_PAGED_BATCH, NARROW, .capacity = 10, .count = 700,
     .several = true},
    {"paged find", VERB_PAGED_BATCH, NARROW, .capacity = 10, .count = 700,
     .pagesVerb = MUR_BULK_FIND},
    {"paged build", VERB_PAGED_BATCH, NARROW, .capacity = 10, .count = 700, .several = true,
     .builds = true},
    {"paged extract", VERB_PAGED_EXTRACT, NARROW, .capacity = 10, .count = 300},
    {"paged extract, in frames", VERB_PAGED_EXTRACT, NARROW, .capacity = 10, .count = 300,
     .several = true},
    {"paged rehash", VERB_PAGED_REHASH, NARROW, .capacity = 10, .count = 300,
     .pagesVerb = MUR_BULK_FIND},
    {"paged rehash, in frames", VERB_PAGED_REHASH, NARROW, .capacity = 10, .count = 300,
     .several = true},
    {"paged flush", VERB_PAGED_FLUSH, NARROW, .capacity = 10, .count = 300, .several = true,
     .hasFile = true},
    {"insert rows", VERB_INSERT_ROWS, ROWS, .capacity = 900, .filled = 400, .count = 400,
     .known = 200},
    {"find rows", VERB_FIND_ROWS, ROWS, .capacity = 900, .filled = 400, .count = 400, .known = 200},
    {"find rows of another array", VERB_FIND_ROWS, ROWS, .exclusive = true, .capacity = 900,
     .filled = 400, .count = 400, .known = 200},
    {"rehash rows", VERB_REHASH, ROWS, .capacity = 900, .filled = 400, .sourceCapacity = 600},
    {"compact rows", VERB_COMPACT, ROWS, .capacity = 900, .filled = 400},
    {"rehash", VERB_REHASH, WAY_STREAM, NARROW, .capacity = 9000, .filled = 3000,
     .sourceCapacity = 5000},
    {"rehash to a quarter", VERB_REHASH, WAY_STREAM, NARROW, .capacity = 4000, .filled = 2000,
     .sourceCapacity = 15000},
    {"rehash, dense", VERB_REHASH, WAY_STREAM, NARROW, .capacity = 6000, .filled = 5500,
     .sourceCapacity = 12000},
    {"rehash, too dense", VERB_REHASH, WAY_STREAM, NARROW, .capacity = 5000, .filled = 6150,
     .sourceCapacity = 12000},
    {"rehash, 64-bit keys", VERB_REHASH, WAY_STREAM, WIDE, .wide = true, .capacity = 9000,
     .filled = 3000, .sourceCapacity = 5000},
    {"rehash directly", VERB_REHASH, NARROW, .wide = true, .capacity = 3000, .filled = 1000,
     .sourceCapacity = 2000, .newSeed = true},
    {"rehash without a map", VERB_REHASH, WAY_STREAM, NARROW, .capacity = 9000, .filled = 3000,
     .sourceCapacity = 5000, .withoutMap = true},
    {"rehash out of buckets", VERB_REHASH, NARROW, IN_BUCKETS, .capacity = 3000, .filled = 900,
     .sourceCapacity = 1024},
    {"merge", VERB_MERGE, NARROW, .capacity = 3000, .filled = 1000, .sourceCapacity = 2000},
    {"compact", VERB_COMPACT, WAY_STREAM, NARROW, .capacity = 5000, .filled = 3000},
    {"compact directly", VERB_COMPACT, WAY_DIRECT, NARROW, .capacity = 2000, .filled = 2000},
    {"group", VERB_GROUP, WAY_DIRECT, NARROW, .capacity = 1000, .filled = 300, .count = 700,
     .withoutResults = true},
    {"group, in tiles", VERB_GROUP, WAY_DIRECT, NARROW, .wide = true, .capacity = 4000,
     .count = 3000, .withoutResults = true},
    {"group, split once", VERB_GROUP, NARROW, .capacity = 4000, .count = 5000, .keys = KEYS_FEW,
     .withoutResults = true},
    {"group, split twice", VERB_GROUP, WAY_SORTED, NARROW, .capacity = 1000, .count = 600,
     .withoutResults = true},
    {"group, without room", VERB_GROUP, WAY_SORTED, NARROW, .capacity = 40, .count = 200,
     .words = 120, .withoutResults = true},
    {"group, 64-bit keys", VERB_GROUP, WIDE, .zero = true, .capacity = 4000, .count = 3000,
     .withoutResults = true},
    {"multi insert", VERB_MULTI_INSERT, WIDE, .zero = true, .capacity = 2000, .filled = 500,
     .count = 500},
    {"multi count", VERB_MULTI_COUNT, WIDE, .zero = true, .capacity = 2000, .filled = 500,
     .count = 200},
    {"multi find", VERB_MULTI_FIND, WIDE, .zero = true, .capacity = 2000, .filled = 500,
     .count = 200},
    {"multi erase", VERB_MULTI_ERASE, WIDE, .zero = true, .capacity = 2000, .filled = 500,
     .count = 200},
    {"multi erase keys", VERB_MULTI_ERASE_KEYS, WIDE, .zero = true, .capacity = 2000, .filled = 500,
     .count = 100},
    {"multi retrieve", VERB_MULTI_RETRIEVE, WIDE, .wide = true, .zero = true, .capacity = 2000,
     .filled = 1000, .count = 600},
};
const uint32_t scene_count = sizeof scene_infos / sizeof scene_infos[0];

static bool is_multi(const SceneInfo *info) {
    return info->verb >= VERB_MULTI_INSERT;
}

static bool is_move(const SceneInfo *info) {
    return info->verb >= VERB_REHASH && info->verb <= VERB_COMPACT;
}

/* ---- Contents ------------------------------------------------------------------------------- */

enum { SEED = 3, OTHER_SEED = 7 };

static void set_key(const SceneInfo *info, void *keys, uint32_t i, uint32_t number) {
    if (is_multi(info)) {
        ((uint32_t *)keys)[i] = mur_hash(number / 3, 3);
    } else if (mur_key_size(info->format) == 8) {
        ((uint64_t *)keys)[i] = (uint64_t)mur_hash(number, 3) << 32 | number;
    } else {
        ((uint32_t *)keys)[i] = mur_hash(number, 3);
    }
}

/* Some are reserved, which inserts refuse and count. */
static void set_value(const SceneInfo *info, void *values, uint32_t i, uint32_t number) {
    const bool refused = number % 50 == 7;
    if (mur_value_size(info->format) == 8) {
        ((uint64_t *)values)[i] = refused ? UINT64_MAX : (uint64_t)number << 20 | 1;
    } else if (mur_value_size(info->format) == 4) {
        ((uint32_t *)values)[i] = !refused                        ? 1 + number
                                  : info->zero && !is_multi(info) ? 0
                                                                  : UINT32_MAX;
    }
}

static void fill_table(Scene *scene, MurBlocking blocking, MurTable table, uint32_t count,
                       uint32_t first) {
    if (scene->info->format == MUR_FORMAT_R32) {
        scene_fill_rows(scene, blocking, table);
        return;
    }
    if (scene->bare) {
        return;
    }
    const SceneInfo *info = scene->info;
    uint64_t *keys = test_allocate((2 * (size_t)count + 2) * sizeof *keys);
    uint64_t *values = keys + count + 1;
    const bool set = mur_value_size(info->format) == 0;
    for (uint32_t i = 0; i < count; ++i) {
        set_key(info, keys, i, first + i);
        set_value(info, values, i, first + i + (first + i) % 50 == 7);
    }
    gpu_require(murBlockingClear(blocking, table));
    gpu_require(murBlockingInsert(blocking, table, MUR_MODE_ASSIGN, count, keys,
                                  set ? NULL : values, NULL, NULL));
    if (murGetTableRef(table).flags & MUR_TABLE_BUCKETS) { /* the second filter counts */
        GPU_RUN(scene->gpu, murCmdRebuildFilter(scene->gpu->cmd, table));
    }
    for (uint32_t i = 0; i < count / 5; ++i) {
        set_key(info, keys, i, first + 5 * i);
    }
    gpu_require(murBlockingErase(blocking, table, count / 5, keys, NULL, NULL, NULL));
    free(keys);
}

static void fill_multi(Scene *scene, MurBlocking blocking, MurTable table) {
    if (scene->bare) {
        return;
    }
    Gpu *gpu = scene->gpu;
    const uint32_t count = scene->info->filled;
    GpuBuffer buffer = gpu_buffer(gpu, 8ull * count);
    uint32_t *words = buffer.mapped;
    for (uint32_t i = 0; i < count; ++i) {
        set_key(scene->info, words, i, i);
        words[count + i] = i;
    }
    const MurBatch batch = {.maxCount = count,
                            .keys = gpu_part(&buffer, 0, count),
                            .values = gpu_part(&buffer, count, count)};
    gpu_require(murBlockingClear(blocking, table));
    GPU_RUN(gpu, murCmdMultiInsert(gpu->cmd, table, &batch));
    for (uint32_t i = 0; i < count / 2; ++i) { /* every other key gets holes */
        set_key(scene->info, words, i, 6 * i);
        words[count + i] = 6 * i;
    }
    GPU_RUN(gpu, murCmdMultiErase(gpu->cmd, table, &batch));
    gpu_free(gpu, &buffer);
}

/* ---- Memory --------------------------------------------------------------------------------- */

MurArray scene_give(Scene *scene, uint64_t bytes) {
    assert_true(scene->memoryCount < CASE_MEMORY);
    GpuBuffer *buffer = &scene->buffers[scene->memoryCount++];
    *buffer = gpu_buffer(scene->gpu, bytes + SCENE_MARGIN);
    memset(buffer->mapped, 0x3C, buffer->size);
    return (MurArray){buffer->address, bytes};
}

static MurTable give_table(Scene *scene, MurContext context, uint32_t capacity, bool source) {
    const SceneInfo *info = scene->info;
    const bool from = info->verb == VERB_REHASH || info->verb == VERB_MERGE;
    const bool rows = info->format == MUR_FORMAT_R32;
    const uint32_t flags = rows || source == from ? info->flags : 0;
    const MurAtomicWidth only = mur_only_width(info->format << MUR_TABLE_FORMAT_SHIFT | flags);
    MurTableCreateInfo table = {
        .capacity = capacity,
        .seed = source && info->newSeed ? OTHER_SEED : SEED,
        .reservedValue = info->zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = only         ? only
                       : info->wide ? MUR_ATOMIC_WIDTH_64
                                    : MUR_ATOMIC_WIDTH_32,
        .format = info->format,
        .flags = flags,
        .uses = {murUseScratch(), flags & MUR_TABLE_BUCKETS ? NULL : murUseRehash(),
                 is_multi(info) ? murUseMulti()
                 : rows         ? NULL
                                : murUseBuild(),
                 info->verb == VERB_GROUP ? murUseGroup() : NULL},
    };
    MurTableRequirements needs;
    gpu_require(murGetTableRequirements(context, &table, &needs));
    const uint32_t at = scene->memoryCount;
    scene_give(scene, needs.size);
    table.memory = (MurBufferRange){scene->buffers[at].buffer, 0, needs.size};
    MurTable made;
    gpu_require(murCreateTable(context, &table, &made));
    return made;
}

/* The batch is that of a group. */
static void give_group(Scene *scene) {
    const MurBatch *batch = &scene->test.batch;
    MurGroup *group = &scene->test.group;
    const uint64_t words = scene->info->words, count = batch->maxCount;
    *group = (MurGroup){.maxCount = batch->maxCount,
                        .countAddress = batch->countAddress,
                        .keys = batch->keys,
                        .values = batch->values,
                        .groups = scene_give(scene, 4 * (words ? words : 2 * count + 1))};
    group->scratch = scene_give(scene, case_plan(&scene->test).scratch);
}

static void give_batch(Scene *scene) {
    const SceneInfo *info = scene->info;
    const bool reads = info->verb == VERB_FIND || info->verb == VERB_ERASE;
    const uint64_t count = info->count;
    const uint32_t valueSize = is_multi(info) ? 4 : mur_value_size(info->format);
    MurBatch *batch = &scene->test.batch;
    *batch = (MurBatch){
        .maxCount = info->count,
        .keys = scene_give(scene, count * (is_multi(info) ? 4 : mur_key_size(info->format)))};
    void *keys = scene->buffers[scene->memoryCount - 1].mapped;
    if (valueSize) {
        batch->values = scene_give(scene, count * valueSize);
    }
    void *values = scene->buffers[scene->memoryCount - 1].mapped;
    for (uint32_t i = 0; i < info->count; ++i) {
        const uint32_t number = i < info->known || is_multi(info) ? i : info->filled + i;
        set_key(info, keys, i, info->keys == KEYS_FEW ? i % 3 : number);
        if (info->keys >= KEYS_ONE_HOME) {
            const uint32_t hash = info->keys == KEYS_ONE_HOME ? 0x40000000u + number
                                  : number % 4                ? mur_hash(number, 5) / 2
                                                              : 0xFFFFF000u + number / 4;
            ((uint32_t *)keys)[i] = mur_key(hash, SEED);
        }
        if (valueSize && !reads && info->verb != VERB_MULTI_COUNT) {
            set_value(info, values, i, info->verb == VERB_MULTI_ERASE && i % 50 != 7 ? i - 1 : i);
        }
    }
    if (!info->withoutResults && info->verb != VERB_MULTI_COUNT) {
        batch->statuses = scene_give(scene, 4 * count);
    }
    if (!info->withoutResults && !is_multi(info)) {
        batch->slots = scene_give(scene, 4 * count);
        batch->statusBits = scene_give(scene, (count + 31) / 32 * 4);
    }
    if (!info->withoutResults && !is_multi(info) && !reads && valueSize) {
        batch->oldValues = scene_give(scene, count * valueSize);
    }
    batch->countAddress = scene_give(scene, 4).address;
    *(uint32_t *)scene->buffers[scene->memoryCount - 1].mapped = info->count - 3;
    batch->flags = info->exclusive ? MUR_BATCH_EXCLUSIVE : 0;
    if (info->verb == VERB_GROUP) {
        give_group(scene);
        return;
    }
    const MurPlan plan = case_plan(&scene->test);
    if (plan.scratch) {
        batch->scratch = scene_give(scene, plan.scratch);
    }
}

static void give_move(Scene *scene, MurContext context, MurBlocking blocking) {
    const SceneInfo *info = scene->info;
    MurTable from = scene->table;
    if (info->verb != VERB_COMPACT) {
        scene->source = give_table(scene, context, info->sourceCapacity, true);
        fill_table(scene, blocking, scene->source, info->filled, 0);
        from = scene->source;
        scene->test.source = from->shape;
    }
    const uint64_t slots = (uint64_t)from->shape.ref.slotCount + MUR_EXTRA_SLOTS(info->format);
    if (!info->withoutMap) {
        scene->test.rehash.slotMap = scene_give(scene, 4 * slots);
        scene->test.rehash.result = scene_give(scene, 4 * MUR_REHASH_WORDS);
    }
    if (info->verb == VERB_COMPACT) {
        scene->test.rehash.scratch = scene_give(scene, murGetCompactScratchSize(from));
    }
}

static void give_extract(Scene *scene) {
    const SceneInfo *info = scene->info;
    const uint64_t count = info->count;
    scene->test.extract = (MurExtract){
        .maxCount = info->count,
        .countAddress = scene_give(scene, 4).address,
        .keys = scene_give(scene, count * mur_key_size(info->format)),
        .slots = scene_give(scene, 4 * count),
    };
    if (mur_value_size(info->format)) {
        scene->test.extract.values = scene_give(scene, count * mur_value_size(info->format));
    }
}

static void give_retrieve(Scene *scene) {
    enum { KEYS = 30 };
    const uint32_t room = scene->info->count;
    MurMultiRetrieve *retrieve = &scene->test.retrieve;
    *retrieve = (MurMultiRetrieve){.maxKeys = KEYS, .maxValues = room};
    retrieve->countAddress = scene_give(scene, 4).address;
    *(uint32_t *)scene->buffers[scene->memoryCount - 1].mapped = KEYS - 1;
    retrieve->keys = scene_give(scene, 4 * KEYS);
    for (uint32_t i = 0; i < KEYS; ++i) {
        set_key(scene->info, scene->buffers[scene->memoryCount - 1].mapped, i, i);
    }
    retrieve->offsets = scene_give(scene, 4 * (KEYS + 1));
    retrieve->values = scene_give(scene, 4ull * room);
    retrieve->keyIndices = scene_give(scene, 4ull * room);
    retrieve->totalAddress = scene_give(scene, 4).address;
    retrieve->scratch = scene_give(scene, murGetMultiRetrieveScratchSize(KEYS));
}

/* Puts the buffers into the order of the case's memory. */
static void order_buffers(Scene *scene) {
    GpuBuffer given[CASE_MEMORY];
    const uint32_t givenCount = scene->memoryCount;
    memcpy(given, scene->buffers, sizeof given);
    Memory memory[CASE_MEMORY];
    const uint32_t count = case_memory(&scene->test, memory);
    scene->memoryCount = 0;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < givenCount && memory[i].address; ++j) {
            if (given[j].address == memory[i].address) {
                scene->buffers[scene->memoryCount] = given[j];
                scene->memory[scene->memoryCount++] = memory[i];
            }
        }
    }
    assert_int_equal(scene->memoryCount, givenCount);
}

Scene scene_open(Gpu *gpu, MurContext context, MurBlocking blocking, const SceneInfo *info) {
    Scene scene = {.gpu = gpu, .info = info, .bare = !blocking};
    const MurTuning forced = way_tuning(&gpu->tuning, info->way);
    gpu_require(murSetTuning(context, &forced));
    scene.table = give_table(&scene, context, info->capacity, false);
    if (is_multi(info)) {
        fill_multi(&scene, blocking, scene.table);
    } else {
        const bool moved = is_move(info) && info->verb != VERB_COMPACT;
        fill_table(&scene, blocking, scene.table, moved ? 100 : info->filled, moved ? 50 : 0);
    }
    if (info->verb == VERB_CLEAR || info->verb == VERB_BUILD || info->verb == VERB_REHASH) {
        memset(scene.buffers[0].mapped, 0x5A, murGetTableMemory(scene.table).size); /* rubbish */
    }
    scene.test.verb = info->verb;
    scene.test.device = context->planning;
    scene.test.table = scene.table->shape;
    scene.test.mode = info->mode;
    if (is_move(info)) {
        give_move(&scene, context, blocking);
    } else if (case_extracts(info->verb)) {
        give_extract(&scene);
    } else if (info->verb == VERB_STATS) {
        scene.test.stats = scene_give(&scene, 4 * MUR_STATS_WORDS);
    } else if (info->verb == VERB_AGE) {
        scene_give_age(&scene);
    } else if (case_has_rows(info->verb)) {
        scene_give_rows(&scene);
    } else if (case_is_paged(info->verb)) {
        scene_give_paged(&scene, context);
    } else if (case_pages(info->verb)) {
        scene_give_pager(&scene, context);
    } else if (info->verb == VERB_MULTI_RETRIEVE) {
        give_retrieve(&scene);
    } else if (info->verb != VERB_CLEAR && !case_passes(info->verb)) {
        give_batch(&scene);
    }
    order_buffers(&scene);
    return scene;
}

void scene_close(Scene *scene) {
    murDestroyTable(scene->table);
    murDestroyTable(scene->source);
    murDestroyPagedTable(scene->paged);
    murDestroyPager(scene->pager);
    for (uint32_t i = 0; i < scene->memoryCount; ++i) {
        gpu_free(scene->gpu, &scene->buffers[i]);
    }
}

/* ---- The command ---------------------------------------------------------------------------- */

static VkResult record_pages(Scene *scene, VkCommandBuffer cmd) {
    const PlanCase *test = &scene->test;
    switch (test->verb) {
    case VERB_PAGER_CLEAR:
        return murCmdClearPager(cmd, scene->pager, test->content);
    case VERB_PAGE:
        return murCmdPage(cmd, scene->pager, &test->paging);
    case VERB_PAGES:
        return test->pagesVerb == MUR_PAGES_REQUEST
                   ? murCmdRequestPages(cmd, scene->pager, &test->pages, 3, 4)
               : test->pagesVerb == MUR_PAGES_PIN
                   ? murCmdPinPages(cmd, scene->pager, &test->pages)
                   : murCmdUnpinPages(cmd, scene->pager, &test->pages);
    case VERB_PAGED_CLEAR:
        return murCmdClearPagedTable(cmd, scene->paged, test->content);
    case VERB_PAGE_TABLE:
        return murCmdPageTable(cmd, scene->paged, &test->tablePaging);
    case VERB_PAGED_FLUSH:
        return murCmdFlushPagedTable(cmd, scene->paged);
    case VERB_PAGED_EXTRACT:
        return murCmdPagedExtract(cmd, scene->paged, &test->pagedExtract);
    case VERB_PAGED_REHASH:
        return murCmdPagedRehash(cmd, scene->paged, &test->pagedRehash);
    default:
        return test->pagedBuilds
                   ? murCmdPagedBuild(cmd, scene->paged, test->pagedOp, &test->pagedBatch)
               : test->pagedOp == MUR_BULK_FIND
                   ? murCmdPagedFind(cmd, scene->paged, &test->pagedBatch)
                   : murCmdPagedInsert(cmd, scene->paged, test->pagedOp, &test->pagedBatch);
    case VERB_PAGER_FLUSH:
        return murCmdFlushPager(cmd, scene->pager, test->flush);
    }
}

VkResult scene_record(Scene *scene, VkCommandBuffer cmd) {
    const PlanCase *test = &scene->test;
    if (case_pages(test->verb)) {
        return record_pages(scene, cmd);
    }
    switch (test->verb) {
    case VERB_CLEAR:
        return murCmdClear(cmd, scene->table);
    case VERB_FIND:
        return murCmdFind(cmd, scene->table, &test->batch);
    case VERB_INSERT:
        return murCmdInsert(cmd, scene->table, test->mode, &test->batch);
    case VERB_ERASE:
        return murCmdErase(cmd, scene->table, &test->batch);
    case VERB_BUILD:
        return murCmdBuild(cmd, scene->table, test->mode, &test->batch);
    case VERB_EXTRACT:
        return murCmdExtract(cmd, scene->table, &test->extract);
    case VERB_ERASE_WHERE:
        return murCmdEraseWhere(cmd, scene->table, &test->extract);
    case VERB_STATS:
        return murCmdStats(cmd, scene->table, test->stats);
    case VERB_BEGIN_FILTER:
        return murCmdBeginFilter(cmd, scene->table);
    case VERB_END_FILTER:
        return murCmdEndFilter(cmd, scene->table);
    case VERB_REBUILD_FILTER:
        return murCmdRebuildFilter(cmd, scene->table);
    case VERB_AGE:
        return murCmdAge(cmd, scene->table, &test->age);
    case VERB_INSERT_ROWS:
        return murCmdInsertRows(cmd, scene->table, &test->rows);
    case VERB_FIND_ROWS:
        return murCmdFindRows(cmd, scene->table, &test->rows);
    case VERB_REHASH:
        return murCmdRehash(cmd, scene->source, scene->table, &test->rehash);
    case VERB_MERGE:
        return murCmdMerge(cmd, scene->source, scene->table, test->mode, &test->rehash);
    case VERB_COMPACT:
        return murCmdCompact(cmd, scene->table, &test->rehash);
    case VERB_GROUP:
        return murCmdGroup(cmd, scene->table, &test->group);
    case VERB_MULTI_INSERT:
        return murCmdMultiInsert(cmd, scene->table, &test->batch);
    case VERB_MULTI_COUNT:
        return murCmdMultiCount(cmd, scene->table, &test->batch);
    case VERB_MULTI_FIND:
        return murCmdMultiFind(cmd, scene->table, &test->batch);
    case VERB_MULTI_ERASE:
        return murCmdMultiErase(cmd, scene->table, &test->batch);
    case VERB_MULTI_ERASE_KEYS:
        return murCmdMultiEraseKeys(cmd, scene->table, &test->batch);
    default:
        return murCmdMultiRetrieve(cmd, scene->table, &test->retrieve);
    }
}

VkDeviceSize scene_scratch(const Scene *scene) {
    static const MurCommand commands[VERB_COUNT] = {
        [VERB_FIND] = MUR_COMMAND_FIND,
        [VERB_INSERT] = MUR_COMMAND_INSERT,
        [VERB_ERASE] = MUR_COMMAND_ERASE,
        [VERB_BUILD] = MUR_COMMAND_BUILD,
    };
    return murGetScratchSize(scene->table, commands[scene->test.verb], scene->test.mode,
                             &scene->test.batch);
}
