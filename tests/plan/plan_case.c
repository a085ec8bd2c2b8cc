/* SPDX-License-Identifier: MIT */
#include "plan_case.h"

#include "support/ways.h"

#include <host/size.h>

#include <assert.h>
#include <string.h>

const char *verb_name(Verb verb) {
    static const char *const names[] = {
#define VERB(id, ...) #id,
#include "verbs.def"
#undef VERB
    };
    return names[verb];
}

Arguments verb_arguments(Verb verb) {
    static const Arguments arguments[] = {
#define VERB(id, takes, ...) TAKES_##takes,
#include "verbs.def"
#undef VERB
    };
    return arguments[verb];
}

MurCommand verb_command(Verb verb) {
    return verb == VERB_FIND    ? MUR_COMMAND_FIND
           : verb == VERB_ERASE ? MUR_COMMAND_ERASE
           : verb == VERB_BUILD ? MUR_COMMAND_BUILD
                                : MUR_COMMAND_INSERT;
}

static void plan_batch(const PlanCase *test, MurPlan *plan) {
    const MurRequest request = {&test->device, &test->table, verb_command(test->verb), test->mode,
                                &test->batch};
    mur_plan_batch(&request, plan);
}

static void plan_multi(const PlanCase *test, MurKernel kernel, MurPlan *plan) {
    const MurRequest request = {.table = &test->table, .batch = &test->batch};
    mur_plan_kernel(&request, kernel, 0, plan);
}

static void plan_paged(const PlanCase *test, uint32_t op, bool builds, MurPlan *plan) {
    mur_plan_paged_batch(&test->paged, &test->pager, op, builds, &test->pagedBatch, plan);
}

MurPlan case_plan(const PlanCase *test) {
    MurPlan made, *plan = &made;
    memset(plan, 0, sizeof *plan);
    mur_begin_plan(0, plan);
    switch (test->verb) {
#define VERB(id, takes, call, ...) \
    case VERB_##id:                \
        call;                      \
        break;
#include "verbs.def"
#undef VERB
    default:
        break;
    }
    return made;
}

/* ---- Dice ----------------------------------------------------------------------------------- */

typedef struct Dice {
    uint64_t state;
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

/* Is an optional argument given? */
static bool wants(Dice *dice) {
    return !dice || flip(dice);
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

static uint32_t any_count(Dice *dice) {
    return (uint32_t)size_up_to(dice, UINT32_MAX);
}

static float ratio(Dice *dice, float most) {
    return (float)below(dice, 1001) / 1000 * most;
}

/* ---- Memory --------------------------------------------------------------------------------- */

uint64_t case_place(PlanCase *test, uint64_t bytes) {
    const uint64_t address = test->next;
    assert(test->memoryCount < CASE_MEMORY);
    test->memory[test->memoryCount++] = (Memory){address, bytes};
    test->next += (bytes + 8191) / 4096 * 4096;
    return address;
}

uint32_t case_memory_at(const PlanCase *test, uint64_t address) {
    for (uint32_t i = 0; i < test->memoryCount; ++i) {
        if (address - test->memory[i].address < test->memory[i].size) {
            return i;
        }
    }
    return CASE_MEMORY;
}

static MurArray array(PlanCase *test, uint64_t bytes) {
    return bytes ? (MurArray){case_place(test, bytes), bytes} : (MurArray){0, 0};
}

static MurArray maybe(PlanCase *test, Dice *dice, uint64_t bytes) {
    return array(test, wants(dice) ? bytes : 0);
}

static uint64_t maybe_word(PlanCase *test, Dice *dice) {
    return maybe(test, dice, 4).address;
}

static void give_batch(PlanCase *test, Dice *dice) {
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    const bool multi = verb_arguments(test->verb) == TAKES_MULTI;
    const bool reads = test->verb == VERB_FIND || test->verb == VERB_ERASE;
    MurBatch *batch = &test->batch;
    const uint64_t count = batch->maxCount, values = count * mur_value_size(format);
    batch->keys = array(test, count * (multi ? mur_multi_key_size : mur_key_size)(format));
    batch->values = reads ? maybe(test, dice, values) : array(test, values);
    if (!test->withoutResults) {
        batch->statuses = maybe(test, dice, 4 * count);
        batch->slots = maybe(test, dice, multi ? 0 : 4 * count);
        batch->statusBits = maybe(test, dice, multi ? 0 : (count + 31) / 32 * 4);
        batch->oldValues = maybe(test, dice, multi || reads ? 0 : values);
    }
    batch->countAddress = maybe_word(test, dice);
    if (!batch->values.address && !batch->statuses.address && !batch->slots.address &&
        !batch->statusBits.address) {
        batch->statuses = array(test, count * 4);
    }
}

static void give_rows(PlanCase *test, Dice *dice) {
    const uint64_t size = 4ull * MUR_ROW_STRIDE(test->table.ref.flags);
    MurRowBatch *rows = &test->rows;
    const uint64_t count = rows->maxCount;
    rows->rows = array(test, rows->rows.size);
    rows->queries = array(test, test->hasQueries ? size * count : 0);
    rows->numbers = maybe(test, dice, test->hasQueries ? 0 : 4 * count);
    rows->found = maybe(test, dice, 4 * count);
    rows->statuses = array(test, 4 * count);
    rows->countAddress = maybe_word(test, dice);
}

static void give_extract(PlanCase *test, Dice *dice) {
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    MurExtract *extract = &test->extract;
    const uint64_t count = extract->maxCount;
    extract->countAddress = case_place(test, 4);
    extract->keys = maybe(test, dice, count * mur_key_size(format));
    extract->values = maybe(test, dice, count * mur_value_size(format));
    extract->slots = maybe(test, dice, count * 4);
}

static void give_age(PlanCase *test, Dice *dice) {
    MurAge *age = &test->age;
    age->live = maybe(test, dice, 4ull * age->maxLive);
    age->erased = maybe(test, dice, 4ull * age->maxErased);
    const bool lists = age->live.address || age->erased.address;
    age->result = array(test, lists || wants(dice) ? sizeof(MurAgeResult) : 0);
}

static void give_move(PlanCase *test, Dice *dice) {
    const MurTableRef *from = test->verb == VERB_COMPACT ? &test->table.ref : &test->source.ref;
    const uint64_t slots = (uint64_t)from->slotCount +
                           MUR_EXTRA_SLOTS(MUR_TABLE_FORMAT(from->flags));
    if (!test->withoutResults) {
        test->rehash.slotMap = maybe(test, dice, 4 * slots);
        test->rehash.result = maybe(test, dice, 4 * MUR_REHASH_WORDS);
    }
    if (test->verb == VERB_COMPACT) {
        test->rehash.scratch = array(test, mur_compact_scratch(&test->table));
    }
}

static void give_group(PlanCase *test, Dice *dice) {
    MurGroup *group = &test->group;
    const uint64_t count = group->maxCount;
    group->countAddress = maybe_word(test, dice);
    group->keys = array(test, mur_key_size(MUR_TABLE_FORMAT(test->table.ref.flags)) * count);
    group->values = array(test, 4 * count);
    group->groups = array(test, group->groups.size);
    group->scratch = array(test, case_plan(test).scratch);
}

static void give_retrieve(PlanCase *test, Dice *dice) {
    MurMultiRetrieve *retrieve = &test->retrieve;
    const uint64_t keys = retrieve->maxKeys, values = retrieve->maxValues;
    const uint64_t groups = (keys + MUR_MULTI_GROUP - 1) / MUR_MULTI_GROUP;
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    retrieve->countAddress = maybe_word(test, dice);
    retrieve->keys = array(test, mur_multi_key_size(format) * keys);
    retrieve->offsets = array(test, 4 * (keys + 1));
    retrieve->values = array(test, 4 * values);
    retrieve->keyIndices = maybe(test, dice, 4 * values);
    retrieve->totalAddress = maybe_word(test, dice);
    retrieve->scratch = array(test, 4 * (keys + 2 * groups));
}

static void give_paged_batch(PlanCase *test, Dice *dice, uint64_t pages) {
    const uint32_t format = MUR_TABLE_FORMAT(test->paged.ref.flags);
    MurPagedBatch *batch = &test->pagedBatch;
    const uint64_t count = batch->maxCount;
    batch->keys = array(test, mur_key_size(format) * count);
    batch->values = array(test, mur_value_size(format) * count);
    batch->statuses = maybe(test, dice, 4 * count);
    batch->countAddress = maybe_word(test, dice);
    batch->scratch = array(test, mur_paged_scratch(&test->paged, batch->maxCount, pages));
}

/* Commands on all pages. */
static void give_paged(PlanCase *test, Dice *dice, uint64_t pages) {
    const uint32_t format = MUR_TABLE_FORMAT(test->paged.ref.flags);
    MurPagedExtract *extract = &test->pagedExtract;
    const uint64_t count = extract->maxCount;
    if (test->verb == VERB_PAGE_TABLE) {
        test->paging.stats = maybe(test, dice, 4 * MUR_PAGER_STATS_WORDS);
        test->tablePaging.paging = test->paging;
        test->tablePaging.stats = maybe(test, dice, 4 * MUR_PAGED_STATS_WORDS);
        return;
    }
    const MurArray scratch = array(test, mur_paged_scratch(&test->paged, 0, pages));
    extract->countAddress = case_place(test, 4);
    extract->leftAddress = maybe_word(test, dice);
    extract->scratch = scratch;
    test->pagedRehash = (MurPagedRehash){NULL, wants(dice) ? extract->countAddress : 0,
                                         extract->leftAddress, scratch};
    if (test->verb == VERB_PAGED_EXTRACT) {
        extract->keys = maybe(test, dice, mur_key_size(format) * count);
        extract->values = maybe(test, dice, mur_value_size(format) * count);
    }
}

void case_give(PlanCase *test, Dice *dice) {
    const uint64_t ownPages = dice ? 2 + below(dice, 9) : 3;
    switch (verb_arguments(test->verb)) {
    case TAKES_BATCH:
    case TAKES_MULTI:
        give_batch(test, dice);
        break;
    case TAKES_EXTRACT:
        give_extract(test, dice);
        break;
    case TAKES_STATS:
        test->stats = array(test, 4 * MUR_STATS_WORDS);
        break;
    case TAKES_AGE:
        give_age(test, dice);
        break;
    case TAKES_ROWS:
        give_rows(test, dice);
        break;
    case TAKES_MOVE:
        give_move(test, dice);
        break;
    case TAKES_GROUP:
        give_group(test, dice);
        break;
    case TAKES_RETRIEVE:
        give_retrieve(test, dice);
        break;
    case TAKES_PAGER:
        test->paging.stats = maybe(test, dice,
                                   test->verb == VERB_PAGE ? 4 * MUR_PAGER_STATS_WORDS : 0);
        break;
    case TAKES_PAGES:
        test->pages.pages = array(test, 4ull * test->pages.maxCount);
        test->pages.countAddress = maybe_word(test, dice);
        break;
    case TAKES_PAGED:
        give_paged(test, dice, ownPages);
        break;
    case TAKES_PAGED_BATCH:
        give_paged_batch(test, dice, ownPages);
        break;
    default:
        break;
    }
}

/* ---- Random cases --------------------------------------------------------------------------- */

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
        own.insertSlicesLeast = any_count(dice);
        own.insertSlicesShare = ratio(dice, 1);
        own.buildLeast = any_count(dice);
        own.buildSlicesLoad = ratio(dice, 2);
        own.buildExactLoad = ratio(dice, 2);
        own.buildFullLoad = ratio(dice, 2);
        own.buildLeastFull = any_count(dice);
        own.groupBinPairs = any_count(dice);
        own.streamLeastSlots = size_up_to(dice, 1ull << 32);
        own.streamGroups = (uint32_t)size_up_to(dice, 1u << 16) + 1;
    } else if (kind == 1) {
        own = way_tuning(&own, (Way)below(dice, WAY_COUNT));
    }
    return own;
}

static MurShape shape(PlanCase *test, Dice *dice, uint32_t flags, uint64_t capacity) {
    const uint32_t slots = mur_slot_count(capacity, flags);
    const uint64_t limit = below(dice, 3) == 0 ? any_count(dice) : 0;
    const uint64_t bytes = mur_table_size(slots, flags);
    return (MurShape){.ref = {.address = case_place(test, bytes),
                              .capacity = (uint32_t)capacity,
                              .slotCount = slots,
                              .seed = below(dice, 2),
                              .probeSectors = mur_probe_sectors(limit, slots, flags),
                              .flags = flags},
                      .bytes = bytes,
                      .uses = below(dice, 32)};
}

static uint32_t bucket_flags(Dice *dice, Verb verb) {
    const bool ages = verb == VERB_AGE || flip(dice);
    return MUR_TABLE_BUCKETS | (ages ? MUR_TABLE_AGES : 0);
}

/* Is the table one of rows? Some commands are for these alone, some for all tables. */
static bool has_rows(Dice *dice, Verb verb) {
    const Arguments takes = verb_arguments(verb);
    const bool all = takes == TAKES_NOTHING || takes == TAKES_STATS || takes == TAKES_EXTRACT ||
                     (takes == TAKES_MOVE && verb != VERB_MERGE);
    return takes == TAKES_ROWS || (all && below(dice, 6) == 0);
}

static uint32_t table_flags(Dice *dice, Verb verb) {
    const Arguments takes = verb_arguments(verb);
    if (has_rows(dice, verb)) {
        const uint32_t words = 1 + below(dice, 100);
        return MUR_FORMAT_R32 << MUR_TABLE_FORMAT_SHIFT | MUR_ROWS(words, words + below(dice, 9));
    }
    const bool multi = takes == TAKES_MULTI || takes == TAKES_RETRIEVE, common = flip(dice);
    const uint32_t any = multi    ? common ? MUR_FORMAT_K64V32 : MUR_FORMAT_K64V32_MULTI
                         : common ? MUR_FORMAT_K32V32
                         : takes == TAKES_GROUP ? MUR_FORMAT_K64V32
                                                : below(dice, MUR_FORMAT_COUNT);
    const bool passes = takes == TAKES_FILTER || takes == TAKES_AGE;
    const uint32_t format = MUR_FORMAT_K64V64 == any && passes ? MUR_FORMAT_K64 : any;
    const bool in = MUR_HAS_BUCKETS(format) && takes <= TAKES_AGE && verb != VERB_BUILD &&
                    (passes || below(dice, 4) == 0);
    const uint32_t kind = format << MUR_TABLE_FORMAT_SHIFT | (in ? bucket_flags(dice, verb) : 0);
    const MurAtomicWidth only = mur_only_width(kind);
    const bool wide = only == MUR_ATOMIC_WIDTH_64 ||
                      (only == MUR_ATOMIC_WIDTH_DEFAULT && flip(dice));
    const bool zero = multi || (!MUR_IS_SET(format) && flip(dice));
    return kind | (wide ? MUR_TABLE_INT64 : 0) | (zero ? MUR_TABLE_ZERO : 0);
}

static void make_source(PlanCase *test, Dice *dice) {
    uint64_t capacity = size_up_to(dice, MUR_MAX_CAPACITY);
    capacity = flip(dice) ? test->table.ref.capacity / 16ull * (1 + below(dice, 96)) : capacity;
    capacity = capacity < 1 ? 1 : capacity < MUR_MAX_CAPACITY ? capacity : MUR_MAX_CAPACITY;
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    const bool either = mur_only_width(test->table.ref.flags) == MUR_ATOMIC_WIDTH_DEFAULT;
    const uint32_t other = either && flip(dice) ? MUR_TABLE_INT64 : 0;
    const bool in = MUR_HAS_BUCKETS(format) && below(dice, 4) == 0;
    const uint32_t flags = test->table.ref.flags ^ other;
    capacity = in && capacity > MUR_MAX_BUCKET_CAPACITY ? MUR_MAX_BUCKET_CAPACITY : capacity;
    test->source = shape(test, dice, flags | (in ? bucket_flags(dice, test->verb) : 0), capacity);
}

static void make_pager(PlanCase *test, Dice *dice) {
    MurPagerShape *pager = &test->pager;
    const uint32_t pages = (uint32_t)size_up_to(dice, MUR_MAX_PAGES - 1) + 1;
    const uint32_t frames = (uint32_t)size_up_to(dice, MUR_MAX_PAGE_FRAMES - 1) + 1;
    const uint32_t shift = 12 + below(dice, 9);
    pager->resident = below(dice, 4) == 0 && pages <= MUR_MAX_PAGE_FRAMES;
    pager->chunkShift = pager->resident ? 31 : 25 + below(dice, 7);
    pager->chunkCount = ((pages - 1) >> pager->chunkShift) + 1;
    pager->framesInFlight = 1 + below(dice, 4);
    pager->bytes = 1ull << 35;
    pager->block = case_place(test, pager->bytes);
    pager->chunks[0] = case_place(test, (uint64_t)pages << shift);
    for (uint32_t i = 1; i < pager->chunkCount; ++i) {
        pager->chunks[i] = pager->chunks[0] + ((uint64_t)i << pager->chunkShift << shift);
    }
    pager->ref = (MurPagerRef){.pageCount = pages,
                               .pageFrameCount = pager->resident || frames > pages ? pages : frames,
                               .pageShift = shift,
                               .maxRequests = (uint32_t)size_up_to(dice, pages - 1) + 1,
                               .requests = pager->block + (1 << 20),
                               .directory = pager->block + (1ull << 33),
                               .frames = pager->block + (3ull << 33),
                               .pool = pager->resident ? pager->chunks[0]
                                                       : pager->block + pager->bytes - 4096};
    if (!pager->resident && flip(dice)) {
        pager->maxListed = 1 + below(dice, 5000);
        pager->listsSize = 4ull * MUR_LISTS_BITS((uint64_t)pager->maxListed) + pages / 8ull + 256;
        pager->listsCount = 1u << below(dice, 3);
        pager->lists = case_place(test, pager->listsSize * pager->listsCount);
    }
    test->content = flip(dice) ? MUR_PAGES_ZERO : MUR_PAGES_IN_STORE;
    test->paging.maxPages = any_count(dice);
    test->paging.frame = any_count(dice);
    test->paging.flags = pager->lists && flip(dice) ? MUR_PAGING_CHECKPOINT : 0;
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
    ref->partitions = case_place(test, test->paged.bytes);
    ref->state = ref->partitions + (1ull << 32);
    if ((test->pager.lists || flip(dice)) && ref->pager.pageCount > 1) {
        test->paged.keptPages = 1 + below(dice, ref->pager.pageCount - 1);
        test->paged.keptBytes = (uint64_t)test->paged.keptPages << ref->pager.pageShift;
        ref->pager.pageCount -= test->paged.keptPages;
    }
    test->content = test->paged.keptPages && flip(dice) ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO;
    if (test->verb == VERB_PAGED_FLUSH && !test->paged.keptPages) {
        test->verb = VERB_PAGED_CLEAR; /* it is only for those that are kept */
    }
}

static MurInsertMode any_mode(const PlanCase *test, Dice *dice) {
    const bool zero = (test->table.ref.flags & MUR_TABLE_ZERO) != 0;
    const bool set = MUR_IS_SET(MUR_TABLE_FORMAT(test->table.ref.flags));
    const bool updates = !set && (test->verb == VERB_INSERT || test->verb == VERB_PAGED_INSERT);
    const MurInsertMode zeroModes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR};
    return updates && below(dice, 4) == 0 ? MUR_MODE_UPDATE
           : flip(dice) || set            ? (flip(dice) ? MUR_MODE_ASSIGN : MUR_MODE_KEEP)
           : zero                         ? zeroModes[below(dice, 3)]
                                          : MUR_MODE_MIN;
}

/* Of the command's own arguments, and of others. */
static void make_counts(PlanCase *test, Dice *dice) {
    /* Often a share of the capacity, since that is what ways depend on. */
    const double share = (double)test->table.ref.capacity * (double)ratio(dice, 1.1f);
    const uint64_t count = flip(dice) ? (uint64_t)share : any_count(dice);
    const bool alone = test->verb == VERB_INSERT || test->verb == VERB_ERASE;
    test->batch.maxCount = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
    test->batch.flags = alone && flip(dice) ? MUR_BATCH_EXCLUSIVE : 0;
    test->withoutResults = verb_arguments(test->verb) == TAKES_BATCH && below(dice, 4) == 0;
    test->rows.maxCount = any_count(dice);
    test->rows.rows.size = 4ull * MUR_ROW_STRIDE(test->table.ref.flags) *
                           (size_up_to(dice, 1u << 20) + test->rows.maxCount);
    test->hasQueries = test->verb == VERB_FIND_ROWS && flip(dice);
    test->extract.maxCount = any_count(dice);
    test->age.maxLive = any_count(dice);
    test->age.maxErased = any_count(dice);
    test->age.groupEntries = below(dice, 3) * 64;
    test->group.maxCount = (uint32_t)size_up_to(dice, MUR_MAX_GROUPED);
    test->group.groups.size = 4 + size_up_to(dice, 16ull * test->group.maxCount);
    test->retrieve.maxKeys = (uint32_t)size_up_to(dice, UINT32_MAX - 1);
    test->retrieve.maxValues = any_count(dice);
    test->pages.maxCount = any_count(dice);
    test->pagedBatch.maxCount = any_count(dice);
    test->pagedExtract.maxCount = any_count(dice);
    test->pagedExtract.firstPage = any_count(dice);
    test->pagedExtract.pageCount = any_count(dice);
}

PlanCase case_random(uint64_t seed) {
    Dice dice = {seed};
    PlanCase test;
    memset(&test, 0, sizeof test);
    test.verb = (Verb)below(&dice, VERB_COUNT);
    test.device = (MurDevice){.sharedMemory = below(&dice, 8) != 0,
                              .software = below(&dice, 4) == 0,
                              .tuning = tuning(&dice)};
    test.next = 1ull << 44;
    test.memoryCount = 1; /* the first is what case_lend gives */
    const Arguments takes = verb_arguments(test.verb);
    const uint32_t flags = table_flags(&dice, test.verb);
    test.table = shape(&test, &dice, flags, size_up_to(&dice, mur_max_capacity(flags) - 1) + 1);
    /* Some commands require a use. */
    test.table.uses |= takes == TAKES_MOVE                               ? MUR_USES_REHASH
                       : takes == TAKES_MULTI || takes == TAKES_RETRIEVE ? MUR_USES_MULTI
                                                                         : 0;
    test.mode = any_mode(&test, &dice);
    make_counts(&test, &dice);
    if (takes == TAKES_MOVE && test.verb != VERB_COMPACT) {
        make_source(&test, &dice);
    }
    if (takes >= TAKES_PAGER) {
        make_pager(&test, &dice);
    }
    if (takes >= TAKES_PAGED) {
        make_paged(&test, &dice);
    }
    case_give(&test, &dice);
    return test;
}

void case_lend(PlanCase *test, uint64_t bytes) {
    test->batch.scratch = (MurArray){bytes ? 1ull << 60 : 0, bytes};
    test->memory[0] = (Memory){1ull << 60, bytes};
}
