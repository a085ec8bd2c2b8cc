/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <objects/objects.h>
#include <murmuration/multi.h>
#include <types/types.h>

#include <stdlib.h>
#include <string.h>

enum { TWO_STEPS = (MUR_SPLIT_BINS + 100) * MUR_SLICE, SLICES = 4 * MUR_SLICE };

#define TABLE(slots, keys)  .capacity = (slots), .filled = (keys)
#define FROM(slots)         .sourceCapacity = (slots)
#define ITEMS(all, ofTable) .count = (all), .known = (ofTable)
#define KEYS(which)         .keys = KEYS_##which
#define WIDE                .format = MUR_FORMAT_K64V32
#define PAIRS               .format = MUR_FORMAT_K64V64, .wide = true
#define SETS                .format = MUR_FORMAT_K32
#define SETS_64             .format = MUR_FORMAT_K64
#define ROWS                .format = MUR_FORMAT_R32, .flags = MUR_ROWS(2, 2)
#define MULTI               .format = MUR_FORMAT_K64V32, .zero = true
#define IN_BUCKETS          .flags = MUR_TABLE_BUCKETS
#define AGES                .flags = MUR_TABLE_BUCKETS | MUR_TABLE_AGES
#define ALONE               .exclusive = true
#define NO_RESULTS          .withoutResults = true
#define FILED               .hasFile = true
#define ASCENDING           .ascending = true

/* A scene is a command with its tables and arrays. Together, the scenes run each kernel in each of
 * its variants and roles. */
const SceneInfo scene_infos[] = {
    {"clear", VERB_CLEAR, TABLE(1000, 500)},
    {"extract", VERB_EXTRACT, TABLE(1000, 500), ITEMS(600, 0)},
    {"extract, 64-bit keys", VERB_EXTRACT, TABLE(500, 300), ITEMS(100, 0), WIDE},
    {"erase where", VERB_ERASE_WHERE, TABLE(1000, 500), ITEMS(600, 0), .wide = true},
    {"erase where, sets", VERB_ERASE_WHERE, TABLE(500, 300), ITEMS(100, 0), SETS},
    {"statistics", VERB_STATS, TABLE(3000, 500)},
    {"find", VERB_FIND, TABLE(1000, 500), ITEMS(700, 400)},
    {"find, pairs", VERB_FIND, TABLE(1000, 500), ITEMS(700, 400), PAIRS},
    {"insert", VERB_INSERT, TABLE(1000, 400), ITEMS(400, 200)},
    {"insert, 64-bit atomics", VERB_INSERT, WAY_HOME_FIRST, TABLE(1000, 400), ITEMS(400, 200),
     .wide = true, .mode = MUR_MODE_INSERT},
    {"insert, sets", VERB_INSERT, TABLE(1000, 400), ITEMS(400, 200), SETS},
    {"erase", VERB_ERASE, TABLE(1000, 500), ITEMS(500, 300)},
    {"erase, 64-bit keys", VERB_ERASE, TABLE(1000, 500), ITEMS(500, 300), WIDE},
    {"sorted find", VERB_FIND, WAY_SORTED, TABLE(5000, 3000), ITEMS(3000, 2000)},
    {"sorted insert", VERB_INSERT, WAY_SORTED, TABLE(9000, 3000), ITEMS(3000, 1000)},
    {"sorted erase, pairs", VERB_ERASE, WAY_SORTED, TABLE(5000, 3000), ITEMS(3000, 2000), PAIRS},
    {"slices insert", VERB_INSERT, WAY_SLICES, TABLE(SLICES, 1500), ITEMS(2800, 300)},
    {"slices insert, crowded", VERB_INSERT, WAY_SLICES, TABLE(SLICES, 600), ITEMS(3000, 0),
     KEYS(FEW)},
    {"slices insert, two steps", VERB_INSERT, WAY_SLICES, TABLE(TWO_STEPS, 300), ITEMS(4000, 0)},
    {"build by slices", VERB_BUILD, WAY_SLICES, TABLE(SLICES, 500), ITEMS(2400, 0)},
    {"build by slices, full", VERB_BUILD, WAY_SLICES, TABLE(SLICES, 500), ITEMS(SLICES, 0)},
    {"build by slices, crowded", VERB_BUILD, WAY_SLICES, TABLE(SLICES, 500), ITEMS(3000, 0),
     KEYS(FEW)},
    {"build by slices, two steps", VERB_BUILD, WAY_SLICES, TABLE(TWO_STEPS, 300), ITEMS(4000, 0)},
    {"exact build", VERB_BUILD, WAY_EXACT, TABLE(SLICES, 500), ITEMS(SLICES / 10 * 9, 0)},
    {"exact build, crowded", VERB_BUILD, WAY_EXACT, TABLE(SLICES, 500), ITEMS(700, 0),
     KEYS(ONE_HOME)},
    {"exact build, behind the end", VERB_BUILD, WAY_EXACT, TABLE(SLICES, 500), ITEMS(1200, 0),
     KEYS(LAST)},
    {"build by slices, far from home", VERB_BUILD, WAY_SLICES, TABLE(SLICES, 500), ITEMS(700, 0),
     KEYS(ONE_HOME)},
    {"sorted build", VERB_BUILD, WAY_SORTED, TABLE(5000, 500), ITEMS(3000, 0)},
    {"build", VERB_BUILD, WAY_DIRECT, TABLE(1000, 500), ITEMS(700, 0), WIDE},
    {"insert in buckets", VERB_INSERT, TABLE(1024, 900), ITEMS(400, 200), IN_BUCKETS},
    {"erase in buckets, and free", VERB_ERASE, TABLE(1024, 900), ITEMS(500, 300), WIDE, IN_BUCKETS,
     ALONE},
    {"find in buckets", VERB_FIND, TABLE(1024, 900), ITEMS(700, 400), SETS_64, IN_BUCKETS},
    {"statistics of buckets", VERB_STATS, TABLE(1024, 900), IN_BUCKETS},
    {"begin filter", VERB_BEGIN_FILTER, TABLE(1024, 900), IN_BUCKETS},
    {"end filter", VERB_END_FILTER, TABLE(1024, 900), IN_BUCKETS},
    {"rebuild filter", VERB_REBUILD_FILTER, TABLE(1024, 900), IN_BUCKETS},
    {"age", VERB_AGE, TABLE(1024, 900), ITEMS(300, 0), AGES},
    {"age, reserved slots", VERB_AGE, TABLE(1024, 900), ITEMS(300, 0), AGES, .reserved = 2},
    {"age, sets by 32-bit atomics", VERB_AGE, TABLE(1024, 900), ITEMS(300, 0), SETS_64, AGES},
    {"pager clear", VERB_PAGER_CLEAR, .resident = true},
    {"pager clear, host pages", VERB_PAGER_CLEAR, FILED, .replaces = true},
    {"pager clear, chunks", VERB_PAGER_CLEAR, .several = true},
    {"page", VERB_PAGE, .hasFile = false},
    {"page with a file", VERB_PAGE, FILED},
    {"page and hold", VERB_PAGE, FILED, .checkpoint = true},
    {"page and replace host pages", VERB_PAGE, FILED, .checkpoint = true, .replaces = true},
    {"request pages", VERB_REQUEST_PAGES, ITEMS(9, 0)},
    {"pin pages", VERB_PIN_PAGES, ITEMS(9, 0)},
    {"unpin pages", VERB_UNPIN_PAGES, ITEMS(9, 0)},
    {"pager flush", VERB_PAGER_FLUSH, .resident = false},
    {"paged clear", VERB_PAGED_CLEAR, .hasFile = false},
    {"paged clear from a file", VERB_PAGED_CLEAR, FILED},
    {"page table with a checkpoint", VERB_PAGE_TABLE, ITEMS(700, 0), FILED, .checkpoint = true},
    {"page table", VERB_PAGE_TABLE, ITEMS(700, 0)},
    {"page table, no page left", VERB_PAGE_TABLE, ITEMS(470, 0), .full = true},
    {"page table, new page in a frame", VERB_PAGE_TABLE, ITEMS(700, 0), .inFrames = true},
    {"paged insert", VERB_PAGED_INSERT, ITEMS(700, 0)},
    {"paged insert, in frames", VERB_PAGED_INSERT, ITEMS(700, 0), .inFrames = true},
    {"paged find", VERB_PAGED_FIND, ITEMS(700, 0)},
    {"paged build", VERB_PAGED_BUILD, ITEMS(700, 0), .inFrames = true},
    {"paged extract", VERB_PAGED_EXTRACT, ITEMS(300, 0)},
    {"paged extract, in frames", VERB_PAGED_EXTRACT, ITEMS(300, 0), .inFrames = true},
    {"paged rehash", VERB_PAGED_REHASH, ITEMS(300, 0)},
    {"paged rehash, in frames", VERB_PAGED_REHASH, ITEMS(300, 0), .inFrames = true},
    {"paged flush", VERB_PAGED_FLUSH, ITEMS(300, 0), FILED, .inFrames = true},
    {"insert rows", VERB_INSERT_ROWS, TABLE(900, 400), ITEMS(400, 200), ROWS},
    {"find rows", VERB_FIND_ROWS, TABLE(900, 400), ITEMS(400, 200), ROWS},
    {"find rows of another array", VERB_FIND_ROWS, TABLE(900, 400), ITEMS(400, 200), ROWS,
     .hasQueries = true},
    {"rehash rows", VERB_REHASH, TABLE(900, 400), FROM(600), ROWS},
    {"compact rows", VERB_COMPACT, TABLE(900, 400), ROWS},
    {"rehash", VERB_REHASH, WAY_STREAM, TABLE(9000, 3000), FROM(5000)},
    {"rehash to a quarter", VERB_REHASH, WAY_STREAM, TABLE(4000, 2000), FROM(15000)},
    {"rehash, dense", VERB_REHASH, WAY_STREAM, TABLE(6000, 5500), FROM(12000)},
    {"rehash, too dense", VERB_REHASH, WAY_STREAM, TABLE(5000, 6150), FROM(12000)},
    {"rehash, 64-bit keys", VERB_REHASH, WAY_STREAM, TABLE(9000, 3000), FROM(5000), WIDE,
     .wide = true},
    {"rehash directly", VERB_REHASH, TABLE(3000, 1000), FROM(2000), .wide = true, .newSeed = true},
    {"rehash without a map", VERB_REHASH, WAY_STREAM, TABLE(9000, 3000), FROM(5000), NO_RESULTS},
    {"rehash out of buckets", VERB_REHASH, TABLE(3000, 900), FROM(1024), IN_BUCKETS},
    {"merge", VERB_MERGE, TABLE(3000, 1000), FROM(2000)},
    {"compact", VERB_COMPACT, WAY_STREAM, TABLE(5000, 3000)},
    {"compact directly", VERB_COMPACT, WAY_DIRECT, TABLE(2000, 2000)},
    {"group", VERB_GROUP, WAY_DIRECT, TABLE(1000, 300), ITEMS(700, 0)},
    {"group, ascending", VERB_GROUP, WAY_DIRECT, TABLE(1000, 300), ITEMS(700, 0), ASCENDING},
    {"group, split once, ascending", VERB_GROUP, TABLE(4000, 0), ITEMS(5000, 0), KEYS(FEW),
     ASCENDING},
    {"group, in tiles", VERB_GROUP, WAY_DIRECT, TABLE(4000, 0), ITEMS(3000, 0), .wide = true},
    {"group, split once", VERB_GROUP, TABLE(4000, 0), ITEMS(5000, 0), KEYS(FEW)},
    {"group, split twice", VERB_GROUP, WAY_SORTED, TABLE(1000, 0), ITEMS(600, 0)},
    {"group, split twice, ascending", VERB_GROUP, WAY_SORTED, TABLE(1000, 0), ITEMS(600, 0),
     ASCENDING},
    {"group, without room, ascending", VERB_GROUP, WAY_SORTED, TABLE(40, 0), ITEMS(200, 0),
     .words = 120, ASCENDING},
    {"group, 64-bit keys, ascending", VERB_GROUP, TABLE(4000, 0), ITEMS(3000, 0), WIDE,
     .zero = true, ASCENDING},
    {"group, without room", VERB_GROUP, WAY_SORTED, TABLE(40, 0), ITEMS(200, 0), .words = 120},
    {"group, 64-bit keys", VERB_GROUP, TABLE(4000, 0), ITEMS(3000, 0), WIDE, .zero = true},
    {"multi insert", VERB_MULTI_INSERT, TABLE(2000, 500), ITEMS(500, 0), MULTI},
    {"multi count", VERB_MULTI_COUNT, TABLE(2000, 500), ITEMS(200, 0), MULTI, NO_RESULTS},
    {"multi find", VERB_MULTI_FIND, TABLE(2000, 500), ITEMS(200, 0), MULTI},
    {"multi erase", VERB_MULTI_ERASE, TABLE(2000, 500), ITEMS(200, 0), MULTI},
    {"multi erase keys", VERB_MULTI_ERASE_KEYS, TABLE(2000, 500), ITEMS(100, 0), MULTI},
    {"multi retrieve", VERB_MULTI_RETRIEVE, TABLE(2000, 1000), ITEMS(600, 0), MULTI, .wide = true},
};
const uint32_t scene_count = sizeof scene_infos / sizeof scene_infos[0];

void *scene_at(const Scene *scene, uint64_t address) {
    return address ? (uint8_t *)scene->memory.mapped + (address - scene->memory.address) : NULL;
}

uint64_t scene_size(const Scene *scene) {
    assert_in_range(scene->test.next - scene->memory.address, 0, scene->memory.size);
    return scene->test.next - scene->memory.address;
}

MurBufferRange scene_place(Scene *scene, uint64_t bytes) {
    const uint64_t at = case_place(&scene->test, bytes) - scene->memory.address;
    return (MurBufferRange){scene->memory.buffer, at, bytes};
}

void scene_set_word(const Scene *scene, uint64_t address, uint32_t word) {
    if (address) {
        memcpy(scene_at(scene, address), &word, sizeof word);
    }
}

enum { SEED = 3, OTHER_SEED = 7 };

static bool is_multi(const SceneInfo *info) {
    return info->verb >= VERB_MULTI_INSERT && info->verb <= VERB_MULTI_RETRIEVE;
}

static const MurTypeInfo *type_of(const SceneInfo *info) {
    return mur_type_of(info->format << MUR_TABLE_FORMAT_SHIFT);
}

static void set_key(const SceneInfo *info, void *keys, uint32_t i, uint32_t number) {
    if (is_multi(info)) {
        ((uint32_t *)keys)[i] = mur_hash(number / 3, 3);
    } else if (type_of(info)->keySize == 8) {
        ((uint64_t *)keys)[i] = (uint64_t)mur_hash(number, 3) << 32 | number;
    } else {
        ((uint32_t *)keys)[i] = mur_hash(number, 3);
    }
}

/* Writes a value to an array. Some are invalid, because inserts must reject and count them. */
static void set_value(const SceneInfo *info, void *values, uint32_t i, uint32_t number) {
    const bool refused = number % 50 == 7;
    if (type_of(info)->valueSize == 8) {
        ((uint64_t *)values)[i] = refused ? UINT64_MAX : (uint64_t)number << 20 | 1;
    } else if (type_of(info)->valueSize == 4) {
        ((uint32_t *)values)[i] = !refused                        ? 1 + number
                                  : info->zero && !is_multi(info) ? 0
                                                                  : UINT32_MAX;
    }
}

/* Writes rows, some of which are equal. */
static void set_rows(void *rows, uint32_t count) {
    for (uint32_t i = 0; i < 2 * count; ++i) {
        ((uint32_t *)rows)[i] = mur_hash(i / 2 * 2 % 900 + i % 2, 3);
    }
}

static void fill_rows(const Scene *scene, MurTable table) {
    const MurPredicate some = {
        .word = MUR_PREDICATE_KEY_LOW, .compare = MUR_COMPARE_EQUAL, .mask = 7};
    uint32_t erased;
    GpuBuffer rows = gpu_buffer(scene->gpu, 8ull * scene->info->filled);
    set_rows(rows.mapped, scene->info->filled);
    const MurRowBatch batch = {.maxCount = scene->info->filled, .rows = gpu_array(&rows)};
    GPU_RUN(scene->gpu, murCmdInsertRows(scene->gpu->cmd, table, &batch));
    gpu_require(
        murBlockingEraseWhere(scene->blocking, table, 1, &some, 0, NULL, NULL, NULL, &erased));
    gpu_free(scene->gpu, &rows);
}

static void fill_multi(const Scene *scene, MurTable table) {
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
    GPU_RUN(gpu, murCmdMultiInsert(gpu->cmd, table, &batch));
    for (uint32_t i = 0; i < count / 2; ++i) { /* erases pairs of every second key */
        set_key(scene->info, words, i, 6 * i);
        words[count + i] = 6 * i;
    }
    GPU_RUN(gpu, murCmdMultiErase(gpu->cmd, table, &batch));
    gpu_free(gpu, &buffer);
}

static void fill_keys(const Scene *scene, MurTable table, uint32_t count, uint32_t first) {
    const SceneInfo *info = scene->info;
    uint64_t *keys = test_allocate((2 * (size_t)count + 2) * sizeof *keys);
    uint64_t *values = keys + count + 1;
    const bool set = type_of(info)->valueSize == 0;
    for (uint32_t i = 0; i < count; ++i) {
        set_key(info, keys, i, first + i);
        set_value(info, values, i, first + i + (first + i) % 50 == 7);
    }
    gpu_require(murBlockingInsert(scene->blocking, table, MUR_MODE_ASSIGN, count, keys,
                                  set ? NULL : values, NULL, NULL));
    if (murGetTableRef(table).flags & MUR_TABLE_BUCKETS) { /* swaps the front and the back filter */
        GPU_RUN(scene->gpu, murCmdRebuildFilter(scene->gpu->cmd, table));
    }
    for (uint32_t i = 0; i < count / 5; ++i) {
        set_key(info, keys, i, first + 5 * i);
    }
    gpu_require(murBlockingErase(scene->blocking, table, count / 5, keys, NULL, NULL, NULL));
    free(keys);
}

/* Writes the frame of each slot's last use, or "untouched", as shaders do. */
enum { FRAME = 50 };
static void fill_ages(const Scene *scene) {
    const MurTableRef ref = scene->table->shape.ref;
    uint32_t *words = scene_at(scene, ref.address);
    const uint32_t ages = MUR_AGES_START(scene->info->format, ref.flags, ref.slotCount);
    for (uint32_t i = 0; i < ref.slotCount; ++i) {
        words[ages + i] = i % 7 ? FRAME - i % 7 : MUR_AGE_UNTOUCHED;
    }
}

static MurTable open_table(Scene *scene, MurContext context, bool source) {
    const SceneInfo *info = scene->info;
    const bool from = info->verb == VERB_REHASH || info->verb == VERB_MERGE;
    const bool rows = info->format == MUR_FORMAT_R32;
    const uint32_t flags = rows || source == from ? info->flags : 0;
    const MurAtomicWidth only = mur_required_width(
        mur_type_of(info->format << MUR_TABLE_FORMAT_SHIFT | flags));
    MurTableCreateInfo create = {
        .capacity = source ? info->sourceCapacity : info->capacity,
        .seed = source && info->newSeed ? OTHER_SEED : SEED,
        .emptyValue = info->zero ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .atomicWidth = only         ? only
                       : info->wide ? MUR_ATOMIC_WIDTH_64
                                    : MUR_ATOMIC_WIDTH_32,
        .type = is_multi(info) ? murTypeMultiK32() : format_type(info->format, flags),
        .flags = rows ? flags : flags & MUR_TABLE_AGES,
        .kernels = {murKernelsLargeBatches(), flags & MUR_TABLE_BUCKETS ? NULL : murKernelsRehash(),
                    rows || is_multi(info) ? NULL : murKernelsBuild(),
                    info->verb == VERB_GROUP ? murKernelsGroup() : NULL},
    };
    MurTableRequirements needs;
    MurTable table;
    gpu_require(murGetTableRequirements(context, &create, &needs));
    create.memory = scene_place(scene, needs.size);
    gpu_require(murCreateTable(context, &create, &table));
    if (scene->blocking) {
        const bool target = from && !source;
        gpu_require(murBlockingClear(scene->blocking, table));
        if (rows) {
            fill_rows(scene, table);
        } else if (is_multi(info)) {
            fill_multi(scene, table);
        } else {
            fill_keys(scene, table, target ? 100 : info->filled, target ? 50 : 0);
        }
    }
    return table;
}

enum { RETRIEVED = 30 /* number of keys to retrieve */ };

static void fill_batch(const Scene *scene, uint32_t *keys, void *values) {
    const SceneInfo *info = scene->info;
    const bool writes = info->verb != VERB_FIND && info->verb != VERB_ERASE &&
                        info->verb != VERB_MULTI_COUNT;
    for (uint32_t i = 0; i < info->count; ++i) {
        const uint32_t number = i < info->known || is_multi(info) ? i : info->filled + i;
        set_key(info, keys, i, info->keys == KEYS_FEW ? i % 3 : number);
        if (info->keys >= KEYS_ONE_HOME) {
            const uint32_t hash = info->keys == KEYS_ONE_HOME ? 0x40000000u + number
                                  : number % 4                ? mur_hash(number, 5) / 2
                                                              : 0xFFFFF000u + number / 4;
            keys[i] = mur_key(hash, SEED);
        }
        if (writes && type_of(info)->valueSize) {
            set_value(info, values, i, info->verb == VERB_MULTI_ERASE && i % 50 != 7 ? i - 1 : i);
        }
    }
}

static void fill_row_batch(const Scene *scene) {
    const SceneInfo *info = scene->info;
    const MurRowBatch *batch = &scene->test.rows;
    set_rows(scene_at(scene, batch->rows.address), info->filled + info->count);
    if (info->hasQueries) {
        set_rows(scene_at(scene, batch->probeRows.address), info->count);
        return;
    }
    uint32_t *numbers = scene_at(scene, batch->rowIndices.address);
    for (uint32_t i = 0; i < info->count; ++i) {
        numbers[i] = i < info->known ? 2 * i : info->filled + i;
    }
}

static void give_arguments(Scene *scene) {
    const SceneInfo *info = scene->info;
    PlanCase *test = &scene->test;
    const uint32_t count = info->count;
    const bool sliced = info->way == WAY_SLICES || info->way == WAY_EXACT;
    const bool exclusive = info->exclusive || (sliced && info->verb == VERB_INSERT);
    test->withoutResults = info->withoutResults || sliced;
    test->hasQueries = info->hasQueries;
    test->batch.maxCount = test->rows.maxCount = test->extract.maxCount = count;
    test->batch.flags = exclusive ? MUR_BATCH_EXCLUSIVE : 0;
    test->rows.rows.size = 8ull * (info->filled + count);
    test->age = (MurEvict){.frame = FRAME,
                           .maxAge = 3,
                           .maxLive = count,
                           .maxErased = count,
                           .groupEntries = 64,
                           .reservedSlots = info->reserved};
    test->group.flags = info->ascending ? MUR_GROUP_ASCENDING : 0;
    test->group.maxCount = count;
    test->group.groups.size = 4ull * (info->words ? info->words : 2 * count + 1);
    test->retrieve = (MurMultiRetrieve){.maxCount = RETRIEVED, .maxValues = count};
    case_give(test, NULL);
    scene_set_word(scene, test->batch.countAddress, count - 3);
    scene_set_word(scene, test->rows.countAddress, count - 3);
    scene_set_word(scene, test->group.countAddress, count - 3);
    scene_set_word(scene, test->retrieve.countAddress, RETRIEVED - 1);
    switch (verb_arguments(info->verb)) {
    case TAKES_BATCH:
    case TAKES_MULTI:
        fill_batch(scene, scene_at(scene, test->batch.keys.address),
                   scene_at(scene, test->batch.values.address));
        const uint64_t scratch = case_plan(test).scratch;
        if (scratch) {
            test->batch.scratch = (MurArray){case_place(test, scratch), scratch};
        }
        break;
    case TAKES_GROUP:
        fill_batch(scene, scene_at(scene, test->group.keys.address),
                   scene_at(scene, test->group.values.address));
        break;
    case TAKES_RETRIEVE:
        for (uint32_t i = 0; i < RETRIEVED; ++i) {
            set_key(info, scene_at(scene, test->retrieve.keys.address), i, i);
        }
        break;
    case TAKES_ROWS:
        fill_row_batch(scene);
        break;
    case TAKES_AGE:
        fill_ages(scene);
        break;
    default:
        break;
    }
}

Scene scene_open(Gpu *gpu, MurContext context, MurBlocking blocking, const SceneInfo *info) {
    enum { ROOM = 1 << 23 };
    Scene scene = {.gpu = gpu, .info = info, .blocking = blocking};
    PlanCase *test = &scene.test;
    const MurTuning forced = way_tuning(&gpu->tuning, info->way);
    gpu_require(murSetTuning(context, &forced));
    scene.memory = gpu_buffer(gpu, ROOM + 16ull * (info->capacity + info->sourceCapacity));
    memset(scene.memory.mapped, 0x3C, scene.memory.size);
    test->verb = info->verb;
    test->device = context->planning;
    test->mode = info->mode;
    test->next = (scene.memory.address + 4095) / 4096 * 4096;
    if (verb_arguments(info->verb) >= TAKES_PAGER) {
        scene_open_pages(&scene, context);
        return scene;
    }
    scene.table = open_table(&scene, context, false);
    test->table = scene.table->shape;
    if (info->verb == VERB_CLEAR || info->verb == VERB_BUILD || info->verb == VERB_REHASH) {
        memset(scene_at(&scene, test->table.ref.address), 0x5A, test->table.bytes); /* garbage */
    }
    if (info->sourceCapacity) {
        scene.source = open_table(&scene, context, true);
        test->source = scene.source->shape;
    }
    give_arguments(&scene);
    return scene;
}

void scene_close(Scene *scene) {
    murDestroyTable(scene->table);
    murDestroyTable(scene->source);
    murDestroyPagedTable(scene->paged);
    murDestroyPager(scene->pager);
    gpu_free(scene->gpu, &scene->memory);
}

VkResult scene_record(const Scene *scene, VkCommandBuffer cmd) {
    const PlanCase *test = &scene->test;
    const MurTable table = scene->table, source = scene->source;
    const MurPager pager = scene->pager;
    const MurPagedTable paged = scene->paged;
    switch (test->verb) {
#define VERB(id, takes, planner, given, operation, number, call) \
    case VERB_##id:                                              \
        return call;
#include "verbs.def"
#undef VERB
    default:
        return VK_ERROR_UNKNOWN;
    }
}
