/* SPDX-License-Identifier: MIT */
#include "plan_case.h"

#include "support/ways.h"

#include <host/size.h>

#include <string.h>

const char *verb_name(Verb verb) {
#define NAME(verb, name) name,
    static const char *const names[] = {VERBS(NAME)};
    return names[verb];
}

static MurCommand command_of(Verb verb) {
    switch (verb) {
    case VERB_FIND:
        return MUR_COMMAND_FIND;
    case VERB_ERASE:
        return MUR_COMMAND_ERASE;
    case VERB_BUILD:
        return MUR_COMMAND_BUILD;
    default:
        return MUR_COMMAND_INSERT;
    }
}

static MurKernel multi_kernel(Verb verb) {
    return verb == VERB_MULTI_INSERT  ? MUR_KERNEL_MULTI_INSERT
           : verb == VERB_MULTI_COUNT ? MUR_KERNEL_MULTI_COUNT
           : verb == VERB_MULTI_FIND  ? MUR_KERNEL_MULTI_FIND
           : verb == VERB_MULTI_ERASE ? MUR_KERNEL_MULTI_ERASE
                                      : MUR_KERNEL_MULTI_ERASE_KEYS;
}

static MurKernel rows_kernel(Verb verb) {
    return verb == VERB_INSERT_ROWS ? MUR_KERNEL_INSERT_ROWS : MUR_KERNEL_FIND_ROWS;
}

bool case_takes_scratch(const PlanCase *test) {
    return test->verb >= VERB_FIND && test->verb <= VERB_BUILD;
}

static void plan_pages(const PlanCase *test, MurPlan *plan) {
    switch (test->verb) {
    case VERB_PAGER_CLEAR:
        mur_begin_plan(0, plan);
        mur_plan_clear_pager(&test->pager, test->content, plan);
        break;
    case VERB_PAGE:
        mur_begin_plan(0, plan);
        mur_plan_page(&test->pager, &test->paging, NULL, plan);
        break;
    case VERB_PAGES:
        mur_plan_pages(&test->pager, &test->pages, test->pagesVerb,
                       test->pagesVerb == MUR_PAGES_REQUEST ? 3 : 0,
                       test->pagesVerb == MUR_PAGES_REQUEST ? 4 : 0, plan);
        break;
    case VERB_PAGER_FLUSH:
        mur_begin_plan(0, plan);
        mur_plan_flush_pager(&test->pager, test->flush, plan);
        break;
    case VERB_PAGED_CLEAR:
        mur_plan_clear_paged(&test->paged, &test->pager, test->content, plan);
        break;
    case VERB_PAGE_TABLE:
        mur_plan_page_table(&test->paged, &test->pager, &test->tablePaging, plan);
        break;
    case VERB_PAGED_FLUSH:
        mur_plan_flush_paged(&test->paged, &test->pager, plan);
        break;
    case VERB_PAGED_EXTRACT:
        mur_plan_paged_extract(&test->paged, &test->pager, &test->pagedExtract, plan);
        break;
    case VERB_PAGED_REHASH:
        mur_plan_paged_rehash(&test->paged, &test->pager, &test->pagedRehash, plan);
        break;
    default:
        mur_plan_paged_batch(&test->paged, &test->pager, test->pagedOp, test->pagedBuilds,
                             &test->pagedBatch, plan);
        break;
    }
}

MurPlan case_plan(const PlanCase *test) {
    MurPlan plan;
    memset(&plan, 0, sizeof plan);
    const MurRequest request = {&test->device, &test->table, command_of(test->verb), test->mode,
                                &test->batch};
    if (case_pages(test->verb)) {
        plan_pages(test, &plan);
        return plan;
    }
    switch (test->verb) {
    case VERB_CLEAR:
        mur_plan_clear(&test->table, &plan);
        break;
    case VERB_EXTRACT:
    case VERB_ERASE_WHERE:
        mur_plan_extract(&test->table, &test->extract, test->verb == VERB_ERASE_WHERE, &plan);
        break;
    case VERB_STATS:
        mur_plan_stats(&test->table, test->stats, &plan);
        break;
    case VERB_BEGIN_FILTER:
    case VERB_END_FILTER:
        mur_plan_filter(&test->table, test->verb == VERB_BEGIN_FILTER, &plan);
        break;
    case VERB_REBUILD_FILTER:
    case VERB_AGE:
        mur_plan_age(&test->table, test->verb == VERB_AGE ? &test->age : NULL, &plan);
        break;
    case VERB_INSERT_ROWS:
    case VERB_FIND_ROWS:
        mur_plan_rows(&test->table, rows_kernel(test->verb), &test->rows, &plan);
        break;
    case VERB_REHASH:
        mur_plan_rehash(&test->device, &test->source, &test->table, &test->rehash, &plan);
        break;
    case VERB_MERGE:
        mur_plan_merge(&test->source, &test->table, test->mode, &test->rehash, &plan);
        break;
    case VERB_COMPACT:
        mur_plan_compact(&test->device, &test->table, &test->rehash, &plan);
        break;
    case VERB_GROUP:
        mur_plan_group(&test->device, &test->table, &test->group, &plan);
        break;
    case VERB_MULTI_RETRIEVE:
        mur_plan_multi_retrieve(&test->table, &test->retrieve, &plan);
        break;
    case VERB_MULTI_INSERT:
    case VERB_MULTI_COUNT:
    case VERB_MULTI_FIND:
    case VERB_MULTI_ERASE:
    case VERB_MULTI_ERASE_KEYS:
        mur_plan_kernel(&request, multi_kernel(test->verb), 0, &plan);
        break;
    default:
        mur_plan_batch(&request, &plan);
        break;
    }
    return plan;
}

bool case_extracts(Verb verb) {
    return verb == VERB_EXTRACT || verb == VERB_ERASE_WHERE;
}

bool case_passes(Verb verb) {
    return verb >= VERB_BEGIN_FILTER && verb <= VERB_AGE;
}

bool case_pages(Verb verb) {
    return verb >= VERB_PAGER_CLEAR && verb <= VERB_PAGED_BATCH;
}

bool case_is_paged(Verb verb) {
    return verb >= VERB_PAGED_CLEAR && verb <= VERB_PAGED_BATCH;
}

bool case_has_rows(Verb verb) {
    return verb == VERB_INSERT_ROWS || verb == VERB_FIND_ROWS;
}

bool case_moves(Verb verb) {
    return verb >= VERB_REHASH && verb <= VERB_COMPACT;
}

/* ---- Random cases --------------------------------------------------------------------------- */

typedef struct Dice {
    uint64_t state;
    uint64_t address; /* of the next piece of memory */
} Dice;

static uint64_t roll(Dice *dice) {
    uint64_t z = dice->state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static uint32_t below(Dice *dice, uint32_t bound) {
    return (uint32_t)((roll(dice) >> 32) * bound >> 32);
}

static bool flip(Dice *dice) {
    return below(dice, 2) != 0;
}

/* Each order of magnitude is as likely as the others; exact powers of two and their neighbours are
 * likelier than that. */
static uint64_t size_up_to(Dice *dice, uint64_t most) {
    uint32_t bits = 0;
    while (bits < 63 && most >> bits != 0) {
        ++bits;
    }
    const uint64_t power = 1ull << below(dice, bits + 1);
    const uint64_t size = below(dice, 4) == 0 ? power - 1 + below(dice, 3)
                                              : power + roll(dice) % power;
    return size < most ? size : most;
}

static float ratio(Dice *dice, float most) {
    return (float)below(dice, 1001) / 1000 * most;
}

static MurTuning tuning(Dice *dice) {
    MurTuning own = mur_default_tuning(below(dice, 4) == 0);
    const uint32_t kind = below(dice, 4);
    if (kind == 0) {
        own.cacheBytes = size_up_to(dice, 1ull << 30) + 1;
        own.homeFirstCaches = ratio(dice, 4);
        own.sortedWriteCaches = ratio(dice, 4);
        own.sortedReadCaches = ratio(dice, 4);
        own.sortedShare = ratio(dice, 1);
        own.sortedBinCaches = ratio(dice, 1);
        own.insertSlicesLeast = (uint32_t)size_up_to(dice, UINT32_MAX);
        own.insertSlicesShare = ratio(dice, 1);
        own.buildLeast = (uint32_t)size_up_to(dice, UINT32_MAX);
        own.buildSlicesLoad = ratio(dice, 2);
        own.buildExactLoad = ratio(dice, 2);
        own.buildFullLoad = ratio(dice, 2);
        own.buildLeastFull = (uint32_t)size_up_to(dice, UINT32_MAX);
        own.groupBinPairs = (uint32_t)size_up_to(dice, UINT32_MAX);
        own.streamLeastSlots = size_up_to(dice, 1ull << 32);
        own.streamGroups = (uint32_t)size_up_to(dice, 1u << 16) + 1;
    } else if (kind == 1) {
        own = way_tuning(&own, (Way)below(dice, WAY_COUNT));
    }
    return own;
}

static uint64_t place(Dice *dice, uint64_t bytes) {
    const uint64_t address = dice->address;
    dice->address += (bytes + 4096) / 256 * 256;
    return address;
}

static MurArray array(Dice *dice, uint64_t bytes) {
    return bytes ? (MurArray){place(dice, bytes), bytes} : (MurArray){0, 0};
}

static MurShape shape(Dice *dice, uint32_t flags, uint64_t capacity) {
    const uint32_t slots = mur_slot_count(capacity, flags);
    const uint64_t limit = below(dice, 3) == 0 ? size_up_to(dice, UINT32_MAX) : 0;
    MurShape made = {.ref = {.capacity = (uint32_t)capacity,
                             .slotCount = slots,
                             .seed = below(dice, 2),
                             .probeSectors = mur_probe_sectors(limit, slots, flags),
                             .flags = flags},
                     .bytes = mur_table_size(slots, flags),
                     .uses = below(dice, 32)};
    made.ref.address = place(dice, made.bytes);
    return made;
}

/* Where tables can be in buckets. */
static bool can_be_in_buckets(Verb verb, uint32_t format) {
    return MUR_HAS_BUCKETS(format) && verb <= VERB_AGE && verb != VERB_BUILD;
}

static uint32_t bucket_flags(Dice *dice, Verb verb) {
    const bool ages = verb == VERB_AGE || flip(dice);
    return MUR_TABLE_BUCKETS | (ages ? MUR_TABLE_AGES : 0);
}

/* Tables of rows alone, or others too, have the command. */
static bool rows_are_served(Dice *dice, Verb verb) {
    const bool all = verb == VERB_CLEAR || verb == VERB_STATS || case_extracts(verb) ||
                     (case_moves(verb) && verb != VERB_MERGE);
    return case_has_rows(verb) || (all && below(dice, 6) == 0);
}

static uint32_t table_flags(Dice *dice, Verb verb) {
    if (rows_are_served(dice, verb)) {
        const uint32_t words = 1 + below(dice, 100);
        return MUR_FORMAT_R32 << MUR_TABLE_FORMAT_SHIFT | MUR_ROWS(words, words + below(dice, 9));
    }
    const bool multi = verb >= VERB_MULTI_INSERT;
    const bool common = below(dice, 2) == 0;
    const uint32_t any = multi                ? common ? MUR_FORMAT_K64V32 : MUR_FORMAT_K64V32_MULTI
                         : common             ? MUR_FORMAT_K32V32
                         : verb == VERB_GROUP ? MUR_FORMAT_K64V32
                                              : below(dice, MUR_FORMAT_COUNT);
    const bool passes = case_passes(verb);
    const uint32_t format = MUR_FORMAT_K64V64 == any && passes ? MUR_FORMAT_K64 : any;
    const bool in = can_be_in_buckets(verb, format) && (passes || below(dice, 4) == 0);
    const uint32_t kind = format << MUR_TABLE_FORMAT_SHIFT | (in ? bucket_flags(dice, verb) : 0);
    const MurAtomicWidth only = mur_only_width(kind);
    const bool wide = only == MUR_ATOMIC_WIDTH_64 ||
                      (only == MUR_ATOMIC_WIDTH_DEFAULT && flip(dice));
    const bool zero = multi || (!MUR_IS_SET(format) && flip(dice));
    return kind | (wide ? MUR_TABLE_INT64 : 0) | (zero ? MUR_TABLE_ZERO : 0);
}

static void make_batch(PlanCase *test, Dice *dice) {
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    const bool multi = test->verb >= VERB_MULTI_INSERT;
    const bool reads = test->verb == VERB_FIND || test->verb == VERB_ERASE;
    /* Often a share of the capacity, since that is what ways depend on. */
    const uint64_t capacity = test->table.ref.capacity;
    const uint64_t share = (uint64_t)((double)capacity * (double)ratio(dice, 1.1f));
    const uint64_t any = flip(dice) ? share : size_up_to(dice, UINT32_MAX);
    const uint64_t count = any < UINT32_MAX ? any : UINT32_MAX;
    const uint64_t valueSize = mur_value_size(format);
    const bool results = !multi || flip(dice);
    MurBatch *batch = &test->batch;
    batch->maxCount = (uint32_t)count;
    batch->keys = array(dice, count * (multi ? mur_multi_key_size : mur_key_size)(format));
    batch->values = !reads || flip(dice) ? array(dice, count * valueSize) : (MurArray){0, 0};
    batch->statuses = results && flip(dice) ? array(dice, count * 4) : (MurArray){0, 0};
    batch->slots = !multi && flip(dice) ? array(dice, count * 4) : (MurArray){0, 0};
    const bool inserts = !multi && !reads && valueSize != 0;
    batch->oldValues = inserts && flip(dice) ? array(dice, count * valueSize) : (MurArray){0, 0};
    batch->statusBits = !multi && flip(dice) ? array(dice, (count + 31) / 32 * 4)
                                             : (MurArray){0, 0};
    batch->countAddress = flip(dice) ? place(dice, 4) : 0;
    const bool alone = test->verb == VERB_INSERT || test->verb == VERB_ERASE;
    batch->flags = alone && flip(dice) ? MUR_BATCH_EXCLUSIVE : 0;
    if (!batch->values.address && !batch->statuses.address && !batch->slots.address &&
        !batch->statusBits.address) {
        batch->statuses = array(dice, count * 4);
    }
}

static void make_rows(PlanCase *test, Dice *dice) {
    const uint64_t count = size_up_to(dice, UINT32_MAX), all = size_up_to(dice, 1u << 20) + count;
    const uint64_t size = 4ull * MUR_ROW_STRIDE(test->table.ref.flags);
    const bool queries = test->verb == VERB_FIND_ROWS && flip(dice), none = queries || flip(dice);
    test->rows = (MurRowBatch){
        .maxCount = (uint32_t)count,
        .countAddress = flip(dice) ? place(dice, 4) : 0,
        .rows = array(dice, size * all),
        .numbers = none ? (MurArray){0, 0} : array(dice, 4 * count),
        .queries = queries ? array(dice, size * count) : (MurArray){0, 0},
        .found = flip(dice) ? array(dice, 4 * count) : (MurArray){0, 0},
        .statuses = array(dice, 4 * count),
    };
}

static void make_rehash(PlanCase *test, Dice *dice) {
    uint64_t capacity = size_up_to(dice, MUR_MAX_CAPACITY);
    capacity = flip(dice) ? test->table.ref.capacity / 16ull * (1 + below(dice, 96)) : capacity;
    capacity = capacity < 1 ? 1 : capacity < MUR_MAX_CAPACITY ? capacity : MUR_MAX_CAPACITY;
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    const bool either = mur_only_width(test->table.ref.flags) == MUR_ATOMIC_WIDTH_DEFAULT;
    const uint32_t other = either && flip(dice) ? MUR_TABLE_INT64 : 0;
    const bool in = test->verb != VERB_COMPACT && MUR_HAS_BUCKETS(format) && below(dice, 4) == 0;
    const uint32_t flags = test->table.ref.flags ^ other;
    capacity = in && capacity > MUR_MAX_BUCKET_CAPACITY ? MUR_MAX_BUCKET_CAPACITY : capacity;
    test->source = shape(dice, flags | (in ? bucket_flags(dice, test->verb) : 0), capacity);
    const MurShape *from = test->verb == VERB_COMPACT ? &test->table : &test->source;
    const uint64_t slots = (uint64_t)from->ref.slotCount +
                           MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(from->ref.flags));
    test->rehash.slotMap = flip(dice) ? array(dice, 4 * slots) : (MurArray){0, 0};
    test->rehash.result = flip(dice) ? array(dice, 4 * MUR_REHASH_WORDS) : (MurArray){0, 0};
    if (test->verb == VERB_COMPACT) {
        test->rehash.scratch = array(dice, mur_compact_scratch(&test->table));
    }
}

static void make_extract(PlanCase *test, Dice *dice) {
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    const uint64_t count = size_up_to(dice, UINT32_MAX);
    test->extract = (MurExtract){
        .maxCount = (uint32_t)count,
        .countAddress = place(dice, 4),
        .keys = flip(dice) ? array(dice, count * mur_key_size(format)) : (MurArray){0, 0},
        .values = flip(dice) ? array(dice, count * mur_value_size(format)) : (MurArray){0, 0},
        .slots = flip(dice) ? array(dice, count * 4) : (MurArray){0, 0},
    };
}

static void make_age(PlanCase *test, Dice *dice) {
    MurAge *age = &test->age;
    age->maxLive = (uint32_t)size_up_to(dice, UINT32_MAX);
    age->maxErased = (uint32_t)size_up_to(dice, UINT32_MAX);
    age->live = flip(dice) ? array(dice, 4ull * age->maxLive) : (MurArray){0, 0};
    age->erased = flip(dice) ? array(dice, 4ull * age->maxErased) : (MurArray){0, 0};
    const bool lists = age->live.address || age->erased.address;
    age->result = lists || flip(dice) ? array(dice, sizeof(MurAgeResult)) : (MurArray){0, 0};
    age->groupEntries = below(dice, 3) * 64;
}

static void make_group(PlanCase *test, Dice *dice) {
    const uint64_t count = size_up_to(dice, MUR_MAX_GROUPED);
    const MurGroup bare = {.maxCount = (uint32_t)count};
    MurPlan plan;
    mur_plan_group(&test->device, &test->table, &bare, &plan);
    test->group = (MurGroup){
        .maxCount = bare.maxCount,
        .countAddress = flip(dice) ? place(dice, 4) : 0,
        .keys = array(dice, mur_key_size(MUR_TABLE_FORMAT(test->table.ref.flags)) * count),
        .values = array(dice, 4 * count),
        .groups = array(dice, 4 + size_up_to(dice, 16 * count)),
        .scratch = array(dice, plan.scratch),
    };
}

static void make_retrieve(PlanCase *test, Dice *dice) {
    const uint32_t keys = (uint32_t)size_up_to(dice, UINT32_MAX - 1);
    const uint32_t values = (uint32_t)size_up_to(dice, UINT32_MAX);
    const uint64_t groups = (keys + (uint64_t)MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP;
    const uint64_t keySize = mur_multi_key_size(MUR_TABLE_FORMAT(test->table.ref.flags));
    test->retrieve = (MurMultiRetrieve){
        .maxKeys = keys,
        .countAddress = flip(dice) ? place(dice, 4) : 0,
        .keys = array(dice, keySize * keys),
        .offsets = array(dice, 4 * (keys + 1ull)),
        .maxValues = values,
        .values = array(dice, 4ull * values),
        .keyIndices = flip(dice) ? array(dice, 4ull * values) : (MurArray){0, 0},
        .totalAddress = flip(dice) ? place(dice, 4) : 0,
        .scratch = array(dice, 4 * (keys + 2 * groups)),
    };
}

static void make_pager(PlanCase *test, Dice *dice) {
    MurPagerShape *pager = &test->pager;
    const uint32_t pages = (uint32_t)size_up_to(dice, MUR_MAX_PAGES - 1) + 1;
    const uint32_t frames = (uint32_t)size_up_to(dice, MUR_MAX_PAGE_FRAMES - 1) + 1;
    const uint32_t shift = 12 + below(dice, 9);
    pager->resident = below(dice, 4) == 0 && pages <= MUR_MAX_PAGE_FRAMES;
    pager->ref = (MurPagerRef){.pageCount = pages,
                               .pageFrameCount = pager->resident || frames > pages ? pages : frames,
                               .pageShift = shift,
                               .maxRequests = (uint32_t)size_up_to(dice, pages - 1) + 1};
    pager->chunkShift = pager->resident ? 31 : 25 + below(dice, 7);
    pager->chunkCount = ((pages - 1) >> pager->chunkShift) + 1;
    pager->framesInFlight = 1 + below(dice, 4);
    pager->bytes = 1ull << 35;
    pager->block = place(dice, pager->bytes);
    pager->chunks[0] = place(dice, (uint64_t)pages << shift);
    for (uint32_t i = 1; i < pager->chunkCount; ++i) {
        pager->chunks[i] = pager->chunks[0] + ((uint64_t)i << pager->chunkShift << shift);
    }
    pager->ref.requests = pager->block + (1 << 20);
    pager->ref.directory = pager->block + (1ull << 33);
    pager->ref.frames = pager->block + (3ull << 33);
    pager->ref.pool = pager->resident ? pager->chunks[0] : pager->block + pager->bytes - 4096;
    if (!pager->resident && flip(dice)) {
        pager->maxListed = 1 + below(dice, 5000);
        pager->listsSize = 4ull * MUR_LISTS_BITS((uint64_t)pager->maxListed) + pages / 8ull + 256;
        pager->listsCount = 1u << below(dice, 3);
        pager->lists = place(dice, pager->listsSize * pager->listsCount);
    }
    test->content = flip(dice) ? MUR_PAGES_ZERO : MUR_PAGES_IN_STORE;
    test->paging = (MurPaging){.maxPages = (uint32_t)size_up_to(dice, UINT32_MAX),
                               .flags = pager->lists && flip(dice) ? MUR_PAGING_CHECKPOINT : 0,
                               .stats = flip(dice) ? array(dice, 4 * MUR_PAGER_STATS_WORDS)
                                                   : (MurArray){0, 0}};
    test->pages.maxCount = (uint32_t)size_up_to(dice, UINT32_MAX);
    test->pages.pages = array(dice, 4ull * test->pages.maxCount);
    test->pages.countAddress = flip(dice) ? place(dice, 4) : 0;
    test->pagesVerb = below(dice, 3);
    test->flush = flip(dice) ? MUR_FLUSH_EVICT : 0;
}

static void make_paged(PlanCase *test, Dice *dice) {
    MurPagedRef *ref = &test->paged.ref;
    ref->pager = test->pager.ref;
    ref->partitionCapacity = (uint32_t)size_up_to(dice, 1 << 24) + 1;
    ref->partitionSlots = mur_slot_count(ref->partitionCapacity, MUR_FORMAT_K32V32);
    ref->flags = test->table.ref.flags;
    ref->maxPending = (uint32_t)size_up_to(dice, (1 << 24) - 1) + 1;
    ref->maxLeaves = 8 * ((uint32_t)size_up_to(dice, 1 << 22) + 1);
    test->paged.bytes = 1ull << 36;
    ref->partitions = place(dice, test->paged.bytes);
    ref->state = ref->partitions + (1ull << 32);
    if ((test->pager.lists || flip(dice)) && ref->pager.pageCount > 1) {
        test->paged.keptPages = 1 + below(dice, ref->pager.pageCount - 1);
        test->paged.keptBytes = (uint64_t)test->paged.keptPages << ref->pager.pageShift;
        ref->pager.pageCount -= test->paged.keptPages;
    }
    test->content = test->paged.keptPages && flip(dice) ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO;
    test->tablePaging = (MurTablePaging){
        .paging = test->paging,
        .stats = flip(dice) ? array(dice, 4 * MUR_PAGED_STATS_WORDS) : (MurArray){0, 0}};
    const uint32_t ops[] = {MUR_MODE_ASSIGN, MUR_MODE_UPDATE, MUR_PAGED_ERASE, MUR_BULK_FIND};
    MurPagedBatch *batch = &test->pagedBatch;
    test->pagedOp = ops[below(dice, 4)];
    batch->maxCount = (uint32_t)size_up_to(dice, UINT32_MAX);
    batch->keys = array(dice, 8ull * batch->maxCount);
    batch->values = array(dice, 8ull * batch->maxCount);
    batch->statuses = flip(dice) ? array(dice, 4ull * batch->maxCount) : (MurArray){0, 0};
    batch->countAddress = flip(dice) ? place(dice, 4) : 0;
    batch->scratch = array(dice, mur_paged_scratch(&test->paged, batch->maxCount, 9));
    test->pagedBuilds = test->pagedOp <= MUR_MODE_UPDATE && flip(dice);
    const MurArray scratch = array(dice, mur_paged_scratch(&test->paged, 0, 2 + below(dice, 9)));
    test->pagedExtract = (MurPagedExtract){.maxCount = batch->maxCount,
                                           .firstPage = (uint32_t)size_up_to(dice, UINT32_MAX),
                                           .pageCount = (uint32_t)size_up_to(dice, UINT32_MAX),
                                           .countAddress = place(dice, 4),
                                           .leftAddress = flip(dice) ? place(dice, 4) : 0,
                                           .keys = batch->keys,
                                           .scratch = scratch};
    test->pagedRehash = (MurPagedRehash){.countAddress = flip(dice) ? place(dice, 4) : 0,
                                         .leftAddress = flip(dice) ? place(dice, 4) : 0,
                                         .scratch = scratch};
    if (test->verb == VERB_PAGED_FLUSH && !test->paged.keptPages) {
        test->verb = VERB_PAGED_CLEAR; /* it is only for those that are kept */
    }
}

static MurInsertMode any_mode(const PlanCase *test, Dice *dice) {
    const bool zero = (test->table.ref.flags & MUR_TABLE_ZERO) != 0;
    const bool set = MUR_IS_SET(MUR_TABLE_FORMAT(test->table.ref.flags));
    const MurInsertMode zeroModes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR};
    return flip(dice) || set ? (flip(dice) ? MUR_MODE_ASSIGN : MUR_MODE_KEEP)
           : zero            ? zeroModes[below(dice, 3)]
                             : MUR_MODE_MIN;
}

/* What the commands insist on: a use that they cannot do without. */
static uint32_t required_uses(Verb verb) {
    return case_moves(verb) ? MUR_USES_REHASH : verb >= VERB_MULTI_INSERT ? MUR_USES_MULTI : 0;
}

PlanCase case_random(uint64_t seed) {
    Dice dice = {seed, 1ull << 44};
    PlanCase test;
    memset(&test, 0, sizeof test);
    test.verb = (Verb)below(&dice, VERB_COUNT);
    test.device = (MurDevice){.sharedMemory = below(&dice, 8) != 0,
                              .software = below(&dice, 4) == 0,
                              .tuning = tuning(&dice)};
    const uint32_t flags = table_flags(&dice, test.verb);
    const uint64_t capacity = size_up_to(&dice, mur_max_capacity(flags) - 1) + 1;
    test.table = shape(&dice, flags, capacity);
    test.table.uses |= required_uses(test.verb);
    test.mode = any_mode(&test, &dice);
    if (case_moves(test.verb)) {
        make_rehash(&test, &dice);
    } else if (case_extracts(test.verb)) {
        make_extract(&test, &dice);
    } else if (test.verb == VERB_STATS) {
        test.stats = array(&dice, 4 * MUR_STATS_WORDS);
    } else if (test.verb == VERB_AGE) {
        make_age(&test, &dice);
    } else if (case_has_rows(test.verb)) {
        make_rows(&test, &dice);
    } else if (case_passes(test.verb)) {
        return test;
    } else if (case_pages(test.verb)) {
        make_pager(&test, &dice);
        if (case_is_paged(test.verb)) {
            make_paged(&test, &dice);
        }
    } else if (test.verb == VERB_GROUP) {
        make_group(&test, &dice);
    } else if (test.verb == VERB_MULTI_RETRIEVE) {
        make_retrieve(&test, &dice);
    } else if (test.verb != VERB_CLEAR) {
        make_batch(&test, &dice);
    }
    return test;
}

void case_lend(PlanCase *test, uint64_t bytes) {
    test->batch.scratch = (MurArray){bytes ? 1ull << 60 : 0, bytes};
}
