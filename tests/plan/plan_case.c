/* SPDX-License-Identifier: MIT */
#include "plan_case.h"

#include "support/ways.h"

#include <types/types.h>

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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

MurPlan case_plan(const PlanCase *test) {
    const Arguments takes = verb_arguments(test->verb);
    MurRequest request = {.device = &test->device,
                          .table = takes < TAKES_PAGER ? &test->table : NULL,
                          .source = takes == TAKES_MOVE ? &test->source : NULL,
                          .pager = takes >= TAKES_PAGER ? &test->pager : NULL,
                          .paged = takes >= TAKES_PAGED ? &test->paged : NULL,
                          .tableFlags = takes >= TAKES_PAGED ? test->paged.ref.flags : 0,
                          .frame = test->verb == VERB_REQUEST_PAGES ? 4 : 0};
    MurPlan plan;
    memset(&plan, 0, sizeof plan);
    switch (test->verb) {
#define VERB(id, takes, planner, given, operation, number, call) \
    case VERB_##id:                                              \
        request.info = given;                                    \
        request.op = operation;                                  \
        request.word = (uint32_t)(number);                       \
        mur_make_plan(&request, planner, &plan);                 \
        break;
#include "verbs.def"
#undef VERB
    default:
        break;
    }
    return plan;
}

static bool flip(Random *dice) {
    return random_below(dice, 2) != 0;
}

/* Returns a random size. Each order of magnitude is equally likely; powers of two and their
 * neighbours are more likely. */
static uint64_t size_up_to(Random *dice, uint64_t most) {
    uint32_t bits = 0;
    while (bits < 63 && most >> bits != 0) {
        ++bits;
    }
    const uint64_t power = 1ull << random_below(dice, bits + 1);
    const uint64_t size = random_below(dice, 4) == 0 ? power - 1 + random_below(dice, 3)
                                                     : power + random_next(dice) % power;
    return size < most ? size : most;
}

static uint32_t any_count(Random *dice) {
    return (uint32_t)size_up_to(dice, UINT32_MAX);
}

static float ratio(Random *dice, float most) {
    return (float)random_below(dice, 1001) / 1000 * most;
}

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

static MurArray array(PlanCase *test, Random *dice, uint64_t bytes, bool optional) {
    return bytes && (!optional || !dice || flip(dice)) ? (MurArray){case_place(test, bytes), bytes}
                                                       : (MurArray){0, 0};
}

void case_give(PlanCase *test, Random *dice) {
    const Arguments takes = verb_arguments(test->verb);
    const uint32_t flags = takes >= TAKES_PAGED ? test->paged.ref.flags : test->table.ref.flags;
    const MurTypeInfo *type = test->table.type ? test->table.type : mur_type_of(flags);
    const uint64_t key = type->storedKeySize, multiKey = type->keySize;
    const uint64_t value = type->valueSize, results = !test->withoutResults;
    const bool reads = test->verb == VERB_FIND || test->verb == VERB_ERASE;
    const MurTableRef *from = test->verb == VERB_COMPACT ? &test->table.ref : &test->source.ref;
    const uint64_t slots = (uint64_t)from->slotCount + type->sentinels;
    const uint64_t pages = dice ? 2 + random_below(dice, 9) : 3;
    uint64_t items = 0;
#define COUNT(args, member)      \
    if (takes == TAKES_##args) { \
        items = test->member;    \
    }
#define ARRAY(args, member, bytes, optional)               \
    if (takes == TAKES_##args) {                           \
        test->member = array(test, dice, bytes, optional); \
    }
#define WORD(args, member, optional)                           \
    if (takes == TAKES_##args) {                               \
        test->member = array(test, dice, 4, optional).address; \
    }
#include "arguments.def"
#undef COUNT
#undef ARRAY
#undef WORD
    const MurBatch *batch = &test->batch;
    if (takes == TAKES_BATCH && !batch->values.address && !batch->statuses.address &&
        !batch->slots.address && !batch->statusBits.address) {
        test->batch.statuses = array(test, dice, items * 4, false); /* a find needs an output */
    }
}

static MurTuning tuning(Random *dice) {
    MurTuning own = mur_default_tuning(random_below(dice, 4) == 0);
    const uint32_t kind = random_below(dice, 4);
    if (kind == 0) {
        own.cacheBytes = size_up_to(dice, 1ull << 30) + 1;
        own.homeFirstMaxCacheRatio = ratio(dice, 4);
        own.sortWriteMinCacheRatio = ratio(dice, 4);
        own.sortReadMinCacheRatio = ratio(dice, 4);
        own.sortMinBatchFraction = ratio(dice, 1);
        own.sortBinCacheRatio = ratio(dice, 1);
        own.partitionInsertMinItems = any_count(dice);
        own.partitionInsertMinBatchFraction = ratio(dice, 1);
        own.buildMinItems = any_count(dice);
        own.partitionBuildMaxLoad = ratio(dice, 2);
        own.exactBuildMaxLoad = ratio(dice, 2);
        own.fullBuildMinLoad = ratio(dice, 2);
        own.buildMinItemsWhenFull = any_count(dice);
        own.groupBinMaxPairs = any_count(dice);
        own.streamMinSlots = size_up_to(dice, 1ull << 32);
        own.streamMinGroups = (uint32_t)size_up_to(dice, 1u << 16) + 1;
    } else if (kind == 1) {
        own = way_tuning(&own, (Way)random_below(dice, WAY_COUNT));
    }
    return own;
}

static MurShape shape(PlanCase *test, Random *dice, uint32_t flags, uint64_t capacity) {
    const uint32_t slots = mur_slot_count(capacity, flags);
    const uint64_t limit = random_below(dice, 3) == 0 ? any_count(dice) : 0;
    const uint64_t bytes = mur_table_size(slots, flags);
    return (MurShape){.type = mur_type_of(flags),
                      .ref = {.address = case_place(test, bytes),
                              .capacity = (uint32_t)capacity,
                              .slotCount = slots,
                              .seed = random_below(dice, 2),
                              .probeSectors = mur_probe_sectors(limit, slots, flags),
                              .flags = flags},
                      .bytes = bytes,
                      .kernels = random_below(dice, 1 << MUR_SET_COUNT)};
}

static uint32_t bucket_flags(Random *dice, Verb verb) {
    const bool ages = verb == VERB_AGE || flip(dice);
    return MUR_TABLE_BUCKETS | (ages ? MUR_TABLE_AGES : 0);
}

/* Returns whether the table's keys are rows. Some commands require rows, some accept all tables. */
static bool has_rows(Random *dice, Verb verb) {
    const Arguments takes = verb_arguments(verb);
    const bool all = takes == TAKES_NOTHING || takes == TAKES_STATS || takes == TAKES_EXTRACT ||
                     (takes == TAKES_MOVE && verb != VERB_MERGE);
    return takes == TAKES_ROWS || (all && random_below(dice, 6) == 0);
}

static uint32_t table_flags(Random *dice, Verb verb) {
    const Arguments takes = verb_arguments(verb);
    if (has_rows(dice, verb)) {
        const uint32_t words = 1 + random_below(dice, 100);
        return MUR_FORMAT_R32 << MUR_TABLE_FORMAT_SHIFT |
               MUR_ROWS(words, words + random_below(dice, 9));
    }
    const bool multi = takes == TAKES_MULTI || takes == TAKES_RETRIEVE, common = flip(dice);
    const uint32_t any = multi    ? common ? MUR_FORMAT_K64V32 : MUR_FORMAT_K64V32_MULTI
                         : common ? MUR_FORMAT_K32V32
                         : takes == TAKES_GROUP ? MUR_FORMAT_K64V32
                                                : random_below(dice, MUR_FORMAT_COUNT);
    const bool passes = takes == TAKES_FILTER || takes == TAKES_AGE;
    const uint32_t format = MUR_FORMAT_K64V64 == any && passes ? MUR_FORMAT_K64 : any;
    const bool in = MUR_HAS_BUCKETS(format) && takes <= TAKES_AGE && verb != VERB_BUILD &&
                    (passes || random_below(dice, 4) == 0);
    const uint32_t kind = format << MUR_TABLE_FORMAT_SHIFT | (in ? bucket_flags(dice, verb) : 0);
    const MurAtomicWidth only = mur_required_width(mur_type_of(kind));
    const bool wide = only == MUR_ATOMIC_WIDTH_64 ||
                      (only == MUR_ATOMIC_WIDTH_DEFAULT && flip(dice));
    const bool zero = multi || (!MUR_IS_SET(format) && flip(dice));
    return kind | (wide ? MUR_TABLE_INT64 : 0) | (zero ? MUR_TABLE_ZERO : 0);
}

static void make_source(PlanCase *test, Random *dice) {
    uint64_t capacity = size_up_to(dice, MUR_MAX_CAPACITY);
    capacity = flip(dice) ? test->table.ref.capacity / 16ull * (1 + random_below(dice, 96))
                          : capacity;
    capacity = capacity < 1 ? 1 : capacity < MUR_MAX_CAPACITY ? capacity : MUR_MAX_CAPACITY;
    const uint32_t format = MUR_TABLE_FORMAT(test->table.ref.flags);
    const bool either = mur_required_width(test->table.type) == MUR_ATOMIC_WIDTH_DEFAULT;
    const uint32_t other = either && flip(dice) ? MUR_TABLE_INT64 : 0;
    const bool in = MUR_HAS_BUCKETS(format) && random_below(dice, 4) == 0;
    const uint32_t flags = test->table.ref.flags ^ other;
    capacity = in && capacity > MUR_MAX_BUCKET_CAPACITY ? MUR_MAX_BUCKET_CAPACITY : capacity;
    test->source = shape(test, dice, flags | (in ? bucket_flags(dice, test->verb) : 0), capacity);
}

static void make_pager(PlanCase *test, Random *dice) {
    MurPagerShape *pager = &test->pager;
    const uint32_t pages = (uint32_t)size_up_to(dice, MUR_MAX_PAGES - 1) + 1;
    const uint32_t frames = (uint32_t)size_up_to(dice, MUR_MAX_POOL_PAGES - 1) + 1;
    const uint32_t shift = 12 + random_below(dice, 9);
    pager->resident = random_below(dice, 4) == 0 && pages <= MUR_MAX_POOL_PAGES;
    pager->chunkShift = pager->resident ? 31 : 25 + random_below(dice, 7);
    pager->chunkCount = ((pages - 1) >> pager->chunkShift) + 1;
    pager->framesInFlight = 1 + random_below(dice, 4);
    pager->bytes = 1ull << 35;
    pager->block = case_place(test, pager->bytes);
    pager->chunks[0] = case_place(test, (uint64_t)pages << shift);
    for (uint32_t i = 1; i < pager->chunkCount; ++i) {
        pager->chunks[i] = pager->chunks[0] + ((uint64_t)i << pager->chunkShift << shift);
    }
    pager->ref = (MurPagerRef){.pageCount = pages,
                               .poolPageCount = pager->resident || frames > pages ? pages : frames,
                               .pageShift = shift,
                               .maxRequests = (uint32_t)size_up_to(dice, pages - 1) + 1,
                               .requests = pager->block + (1 << 20),
                               .directory = pager->block + (1ull << 33),
                               .records = pager->block + (3ull << 33),
                               .pool = pager->resident ? pager->chunks[0]
                                                       : pager->block + pager->bytes - 4096};
    if (!pager->resident && flip(dice)) {
        pager->maxListed = 1 + random_below(dice, 5000);
        pager->listsSize = 4ull * MUR_LISTS_BITS((uint64_t)pager->maxListed) + pages / 8ull + 256;
        pager->listsCount = 1u << random_below(dice, 3);
        pager->lists = case_place(test, pager->listsSize * pager->listsCount);
        pager->ref.hostPageCount = flip(dice) ? 1 + random_below(dice, pages) : 0;
    }
    test->content = flip(dice) ? MUR_PAGES_ZERO : MUR_PAGES_IN_STORE;
    test->paging.maxPages = any_count(dice);
    test->paging.frame = any_count(dice);
    test->paging.flags = pager->lists && flip(dice) ? MUR_PAGER_UPDATE_CHECKPOINT : 0;
    test->tablePaging.pager = test->paging;
    test->flush = flip(dice) ? MUR_FLUSH_EVICT : 0;
}

static void make_paged(PlanCase *test, Random *dice) {
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
        test->paged.persistentPages = 1 + random_below(dice, ref->pager.pageCount - 1);
        test->paged.keptBytes = (uint64_t)test->paged.persistentPages << ref->pager.pageShift;
        ref->pager.pageCount -= test->paged.persistentPages;
    }
    test->content = test->paged.persistentPages && flip(dice) ? MUR_PAGES_IN_FILE : MUR_PAGES_ZERO;
    if (test->verb == VERB_PAGED_FLUSH && !test->paged.persistentPages) {
        test->verb = VERB_PAGED_CLEAR; /* murCmdFlushPagedTable requires a persistent table */
    }
}

static MurInsertMode any_mode(const PlanCase *test, Random *dice) {
    const bool zero = (test->table.ref.flags & MUR_TABLE_ZERO) != 0;
    const bool set = MUR_IS_SET(MUR_TABLE_FORMAT(test->table.ref.flags));
    const bool updates = !set && (test->verb == VERB_INSERT || test->verb == VERB_PAGED_INSERT);
    const MurInsertMode zeroModes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR};
    return updates && random_below(dice, 4) == 0 ? MUR_MODE_UPDATE
           : flip(dice) || set                   ? (flip(dice) ? MUR_MODE_ASSIGN : MUR_MODE_INSERT)
           : zero                                ? zeroModes[random_below(dice, 3)]
                                                 : MUR_MODE_MIN;
}

/* Chooses random item counts for all arguments, even if the command does not have them. */
static void make_counts(PlanCase *test, Random *dice) {
    /* The choice of a path depends on count and capacity, so half of the counts relate to it. */
    const double share = (double)test->table.ref.capacity * (double)ratio(dice, 1.1f);
    const uint64_t count = flip(dice) ? (uint64_t)share : any_count(dice);
    const bool alone = test->verb == VERB_INSERT || test->verb == VERB_ERASE;
    test->batch.maxCount = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
    test->batch.flags = alone && flip(dice) ? MUR_BATCH_EXCLUSIVE : 0;
    test->withoutResults = verb_arguments(test->verb) == TAKES_BATCH && random_below(dice, 4) == 0;
    test->rows.maxCount = any_count(dice);
    test->rows.rows.size = 4ull * MUR_ROW_STRIDE(test->table.ref.flags) *
                           (size_up_to(dice, 1u << 20) + test->rows.maxCount);
    test->hasQueries = test->verb == VERB_FIND_ROWS && flip(dice);
    test->extract.maxCount = any_count(dice);
    test->age.maxLive = any_count(dice);
    test->age.maxErased = any_count(dice);
    test->age.groupEntries = random_below(dice, 3) * 64;
    test->age.reservedSlots = random_below(dice, MUR_MAX_RESERVED_SLOTS + 1);
    test->group.maxCount = (uint32_t)size_up_to(dice, MUR_MAX_GROUPED);
    test->group.flags = flip(dice) ? MUR_GROUP_ASCENDING : 0;
    test->group.groups.size = 4 + size_up_to(dice, 16ull * test->group.maxCount);
    test->retrieve.maxCount = (uint32_t)size_up_to(dice, UINT32_MAX - 1);
    test->retrieve.maxValues = any_count(dice);
    test->pages.maxCount = any_count(dice);
    test->pagedBatch.maxCount = any_count(dice);
    test->pagedExtract.maxCount = any_count(dice);
    test->pagedExtract.firstPage = any_count(dice);
    test->pagedExtract.pageCount = any_count(dice);
}

PlanCase case_random(uint64_t seed) {
    Random dice = {seed};
    PlanCase test;
    memset(&test, 0, sizeof test);
    test.verb = (Verb)random_below(&dice, VERB_COUNT);
    test.device = (MurDevice){.sharedMemory = random_below(&dice, 8) != 0,
                              .software = random_below(&dice, 4) == 0,
                              .tuning = tuning(&dice)};
    test.next = 1ull << 44;
    test.memoryCount = 1; /* memory 0 is the scratch memory, which case_lend sets */
    const Arguments takes = verb_arguments(test.verb);
    const uint32_t flags = table_flags(&dice, test.verb);
    test.table = shape(&test, &dice, flags, size_up_to(&dice, mur_max_capacity(flags) - 1) + 1);
    /* Some commands require a kernel set, or a type that table flags do not identify. */
    test.table.kernels |= takes == TAKES_MOVE ? MUR_KERNELS_REHASH : 0;
    if (mur_can(test.table.type, MUR_TYPE_SINGLE) &&
        (takes == TAKES_MULTI || takes == TAKES_RETRIEVE)) {
        test.table.type = &mur_types[MUR_TYPE_MULTI_K32];
    }
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

/* ---- Declared accesses ----------------------------------------------------------------------- */

/* The addresses in the push constants. Their names, which kernels.def also uses, are those of the
 * (innermost) members; AS gives another name. */
#define AT(push, path) AS(path, push, path)
#define AS(name, push, path) \
    { #name, offsetof(MurPush, push.path) }
#define TABLE_OF(push) AS(table, push, table.address)
enum { MOST_ADDRESSES = 13 };
static const Address addresses[MUR_PUSH_KINDS][MOST_ADDRESSES] = {
    [MUR_PUSH_TABLE] = {AS(table, table, address)},
    [MUR_PUSH_BATCH] = {TABLE_OF(batch), AT(batch, keys), AT(batch, values), AT(batch, statuses),
                        AT(batch, slots), AT(batch, oldValues), AT(batch, statusBits),
                        AT(batch, count)},
    [MUR_PUSH_SORT] = {AT(sort, keys), AT(sort, values), AT(sort, count), AT(sort, coarse),
                       AT(sort, counters), AT(sort, sortedKeys), AT(sort, sortedValues),
                       AT(sort, places)},
    [MUR_PUSH_UNSORT] = {AT(unsort, count), AT(unsort, places), AT(unsort, sorted),
                         AT(unsort, results)},
    [MUR_PUSH_EXTRACT] = {TABLE_OF(extract), AT(extract, keys), AT(extract, values),
                          AT(extract, slots), AT(extract, count)},
    [MUR_PUSH_STATS] = {TABLE_OF(stats), AT(stats, stats)},
    [MUR_PUSH_EVICT] = {TABLE_OF(evict), AT(evict, live), AT(evict, erased), AT(evict, result)},
    [MUR_PUSH_GROUP] = {TABLE_OF(group), AT(group, keys), AT(group, values), AT(group, count),
                        AT(group, counters), AT(group, scratch), AT(group, tiles), AT(group, slots),
                        AT(group, groups)},
    [MUR_PUSH_SLICES] = {TABLE_OF(slices), AT(slices, keys), AT(slices, values), AT(slices, count),
                         AT(slices, scratch)},
    [MUR_PUSH_REHASH] = {TABLE_OF(rehash), AS(source, rehash, source.address), AT(rehash, slotMap),
                         AT(rehash, result), AT(rehash, scratch)},
    [MUR_PUSH_MULTI] = {TABLE_OF(multi), AT(multi, keys), AT(multi, count), AT(multi, offsets),
                        AT(multi, values), AT(multi, indices), AT(multi, total),
                        AT(multi, scratch)},
    /* Address "pager" stands for all memory of the pager before the pool. */
    [MUR_PUSH_PAGER] = {AS(pager, pager, block), AT(pager, pager.pool), AT(pager, store),
                        AT(pager, lists), AT(pager, stats)},
    [MUR_PUSH_PAGES] = {AS(pager, pages, pager.requests), AT(pages, pager.pool), AT(pages, pages),
                        AT(pages, count)},
    [MUR_PUSH_CHUNKS] = {AS(pager, chunks, block)},
    /* Address "state" stands for the state and all memory after it. */
    [MUR_PUSH_PAGED] = {AS(pager, paged, pager.requests), AT(paged, pager.pool), AT(paged, state),
                        AT(paged, partitions)},
    [MUR_PUSH_PAGED_EVICT_NEW] = {AS(pager, pagedEvictNew, block), AT(pagedEvictNew, pager.pool),
                                  AT(pagedEvictNew, store), AT(pagedEvictNew, state),
                                  AT(pagedEvictNew, stats)},
    [MUR_PUSH_PAGED_PERSIST] = {AS(pager, pagedPersist, block), AT(pagedPersist, store),
                                AT(pagedPersist, state), AT(pagedPersist, partitions)},
    /* Address "scratch" is that of the arguments. Later kernels use the memory after it. */
    [MUR_PUSH_PAGED_BULK] = {AS(scratch, pagedBulk, given.pages), AT(pagedBulk, given.keys),
                             AT(pagedBulk, given.values), AT(pagedBulk, given.statuses),
                             AT(pagedBulk, given.count), AT(pagedBulk, given.result),
                             AT(pagedBulk, given.left), AT(pagedBulk, given.store),
                             AS(pager, pagedBulk, table.pager.requests),
                             AT(pagedBulk, table.pager.pool), AT(pagedBulk, table.state),
                             AT(pagedBulk, table.partitions)},
    [MUR_PUSH_MIRROR] = {AT(mirror, table), AT(mirror, list), AT(mirror, source)},
    [MUR_PUSH_ARGS] = {AS(scratch, args, arguments)},
};

const Address *kernel_addresses(MurKernel kernel) {
    return addresses[mur_kernels[kernel].push];
}

/* Returns whether a name in kernels.def ("OLD_VALUES") means a member ("given.oldValues"). */
static bool is_named(const char *member, const char *name, size_t length) {
    const char *dot = strrchr(member, '.');
    member = dot ? dot + 1 : member;
    for (size_t i = 0; i < length; ++i) {
        if (name[i] != '_' && tolower(name[i]) != tolower(*member++)) {
            return false;
        }
    }
    return *member == 0;
}

/* Returns one bit per named address of the kernel. names: for example "TABLE | KEYS", or "NONE". */
static uint32_t mask_of(MurKernel kernel, const char *names) {
    const Address *all = kernel_addresses(kernel);
    uint32_t mask = 0;
    while (*names) {
        const size_t length = strcspn(names, " |");
        uint32_t i = 0;
        while (all[i].member && !is_named(all[i].member, names, length)) {
            ++i;
        }
        if (!all[i].member && strcmp(names, "NONE") != 0) {
            fprintf(stderr, "%s: its push constants have no address for %s\n",
                    mur_kernels[kernel].name, names);
            abort();
        }
        mask |= all[i].member ? 1u << i : 0;
        names += length;
        names += strspn(names, " |");
    }
    return mask;
}

Touched kernel_touches(MurKernel kernel) {
    static const struct {
        const char *reads, *writes;
    } declared[MUR_KERNEL_COUNT] = {
#define KERNEL(id, folder, source, kind, group, variant, family, formats, need, push, reads, \
               writes)                                                                       \
    [MUR_KERNEL_##id] = {#reads, #writes},
#include <kernels/kernels.def>
#undef KERNEL
    };
    static Touched touched[MUR_KERNEL_COUNT];
    if (!touched[kernel].reads && !touched[kernel].writes) {
        touched[kernel] = (Touched){mask_of(kernel, declared[kernel].reads),
                                    mask_of(kernel, declared[kernel].writes)};
    }
    return touched[kernel];
}

uint64_t step_address(const MurStep *step, const Address *address) {
    uint64_t value;
    memcpy(&value, (const char *)&step->push + address->at, sizeof value);
    return value;
}

bool kernels_alternate(MurKernel a, MurKernel b) {
    static const MurKernel pairs[][2] = {
        {MUR_KERNEL_REHASH_SLICES, MUR_KERNEL_REHASH_DENSE},
        {MUR_KERNEL_REHASH_WIDE, MUR_KERNEL_REHASH_DENSE},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        if ((pairs[i][0] == a && pairs[i][1] == b) || (pairs[i][0] == b && pairs[i][1] == a)) {
            return true;
        }
    }
    return false;
}
