/* Runs the same operations, in order, by shaders of every language and by host.h. Every result and
 * every word of the table must be equal.
 * SPDX-License-Identifier: MIT */
#include "run.h"
#include "oracle/oracle.h"
#include "support/seed.h"

#include <murmuration/spatial.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 6, SEGMENT = 400, KEYS = 120, TRACE_KINDS = TRACE_TOUCH + 1 };

typedef struct Case {
    const char *name;
    uint32_t format, capacity, seed, probeLimit;
    bool zero, wide;
    uint32_t flags;
    bool other; /* the shader is for linear tables instead of bucketed ones, or vice versa */
} Case;

enum { BUCKETS = MUR_TABLE_BUCKETS, AGES = MUR_TABLE_BUCKETS | MUR_TABLE_AGES };
static const Case cases[] = {
    {"pairs", MUR_FORMAT_K32V32, 100, 0x1234567, 0, false, false, 0, false},
    {"sums in a table that is full", MUR_FORMAT_K32V32, 40, 0x89ABCDEF, 12, true, false, 0, false},
    {"pairs, 64-bit atomics", MUR_FORMAT_K32V32, 100, 7, 0, false, true, 0, false},
    {"64-bit keys", MUR_FORMAT_K64V32, 100, 0xFEDCBA98, 0, false, false, 0, false},
    {"64-bit keys, sums, full", MUR_FORMAT_K64V32, 41, 3, 10, true, false, 0, false},
    {"64-bit keys, 64-bit atomics", MUR_FORMAT_K64V32, 100, 7, 0, true, true, 0, false},
    {"a set", MUR_FORMAT_K32, 200, 0xC0FFEE, 0, false, false, 0, false},
    {"a set that is full", MUR_FORMAT_K32, 60, 5, 16, false, false, 0, false},
    {"pairs in buckets", MUR_FORMAT_K32V32, 100, 0x1234567, 0, false, false, AGES, false},
    {"sums in buckets", MUR_FORMAT_K32V32, 129, 0x89ABCDEF, 0, true, false, BUCKETS, false},
    {"64-bit keys in buckets", MUR_FORMAT_K64V32, 100, 0xFEDCBA98, 0, false, false, AGES, false},
    {"64-bit keys, sums in buckets", MUR_FORMAT_K64V32, 129, 3, 0, true, false, BUCKETS, false},
    {"64-bit keys in buckets, 64-bit atomics", MUR_FORMAT_K64V32, 1, 7, 0, true, true, AGES, false},
    {"a set in buckets", MUR_FORMAT_K32, 128, 0xC0FFEE, 0, false, false, AGES, false},
    {"a larger set in buckets", MUR_FORMAT_K32, 200, 5, 0, false, false, BUCKETS, false},
    {"a set of 64-bit keys", MUR_FORMAT_K64, 128, 0xC0FFEE, 0, false, false, AGES, false},
    {"a larger set of 64-bit keys", MUR_FORMAT_K64, 200, 5, 0, false, false, BUCKETS, false},
    {"a set of 64-bit keys, 64-bit atomics", MUR_FORMAT_K64, 1, 7, 0, false, true, AGES, false},
    {"a linear one, 64-bit atomics", MUR_FORMAT_K64, 100, 7, 0, false, true, 0, true},
    {"64-bit keys, a shader of both kinds", MUR_FORMAT_K64V32, 100, 9, 0, false, false, 0, true},
    {"64-bit keys in buckets, a linear shader", MUR_FORMAT_K64V32, 1, 9, 0, false, false, AGES,
     true},
    {"pairs in buckets, a linear shader", MUR_FORMAT_K32V32, 1, 9, 0, false, false, AGES, true},
    {"a set, a shader for buckets", MUR_FORMAT_K32, 100, 9, 0, false, false, 0, true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct Trace {
    Run run;
    Random random;
    const Case *is;
    uint32_t shader;
    bool foreign;      /* the shader does not support these tables */
    MurHostTable host; /* the oracle */
    _Alignas(MUR_HOST_ALIGNMENT) uint64_t memory[MAX_IMAGE / 8];
    uint64_t keys[KEYS];
    Operation operations[MAX_OPERATIONS];
    /* Numbers of completed operations by type, inserts by mode: in shaders with lookups only, and
     * in shaders that write. */
    uint32_t ran[SHADERS][2][TRACE_KINDS + MUR_MODE_UPDATE + 1];
    FILE *record; /* operations and expected results for another device: dawn.mjs */
} Trace;

static uint32_t none_of(const Trace *trace) {
    return trace->is->zero ? 0 : 0xFFFFFFFFu;
}

/* Returns the entry of a slot, if there is one. */
static bool entry_at(const Trace *trace, uint32_t slot, MurHostEntry *entry) {
    *entry = (MurHostEntry){.next = slot};
    return murHostNextEntry(&trace->host, entry) && entry->slot == slot;
}

static uint32_t value_at(const Trace *trace, uint32_t slot) {
    MurHostEntry entry;
    return entry_at(trace, slot, &entry) ? (uint32_t)entry.value : none_of(trace);
}

/* ---- Random operations ---------------------------------------------------------------------- */

/* Makes keys whose hashes are sentinels or have such halves, keys at the last slots, whose clusters
 * wrap, and random keys. */
static void make_keys(Trace *trace) {
    const uint32_t seed = trace->host.ref.seed, format = trace->is->format;
    for (uint32_t i = 0; i < KEYS; ++i) {
        const uint32_t low = (uint32_t)random_next(&trace->random);
        const uint32_t word = (uint32_t)random_next(&trace->random) | (i % 2 ? 0 : 0xFF000000u);
        trace->keys[i] = i < HARD_KEYS
                             ? hard_key(format, seed, i)
                             : oracle_key(format, oracle_hash_of(format, word, low), seed);
    }
}

static uint32_t any_slot(Trace *trace) {
    const uint64_t key = trace->keys[random_below(&trace->random, KEYS)];
    const uint32_t slot = murHostFind(&trace->host, key).slot;
    return slot != MUR_NO_SLOT && random_below(&trace->random, 2)
               ? slot
               : random_below(&trace->random, trace->host.ref.slotCount + 5);
}

static uint32_t any_value(Random *random) {
    switch (random_below(random, 12)) {
    case 0:
        return 0xFFFFFFu; /* stands for 0xFFFFFFFF */
    case 1:
        return 0;
    default:
        return random_below(random, 50);
    }
}

static uint32_t any_position(Random *random) {
    const float position = (float)(int)(random_below(random, 4000) - 2000) / 16;
    uint32_t bits;
    memcpy(&bits, &position, sizeof bits);
    return bits;
}

static Operation any_operation(Trace *trace, bool writes) {
    static const uint8_t kinds[] = {
        TRACE_INSERT,     TRACE_INSERT,   TRACE_INSERT,  TRACE_NAMED,  TRACE_ERASE,
        TRACE_ERASE_ONLY, TRACE_EXCHANGE, TRACE_COMPARE, TRACE_FIND,   TRACE_FIND_VALUE,
        TRACE_SLOT_VALUE, TRACE_ENTRY,    TRACE_SPATIAL, TRACE_CENTER, TRACE_FREE,
        TRACE_STAY,       TRACE_TOUCH};
    const bool set = MUR_IS_SET(trace->is->format);
    Random *random = &trace->random;
    uint32_t kind;
    do {
        kind = kinds[random_below(random, sizeof kinds)];
    } while ((!writes && kind >= TRACE_WRITES) ||
             (set && (kind == TRACE_EXCHANGE || kind == TRACE_COMPARE || kind == TRACE_FIND_VALUE ||
                      kind == TRACE_SLOT_VALUE)));
    const uint64_t key = trace->keys[random_below(random, KEYS)];
    Operation operation = {kind, (uint32_t)key, (uint32_t)(key >> 32), 0};
    switch (kind) {
    case TRACE_INSERT:
    case TRACE_NAMED:
        operation.kind |= any_value(random) << 8;
        operation.c = set ? MUR_MODE_INSERT : random_below(random, MUR_MODE_UPDATE + 1);
        break;
    case TRACE_EXCHANGE:
    case TRACE_COMPARE:
        operation.a = any_slot(trace);
        operation.b = random_below(random, 2) ? random_below(random, 50)
                                              : value_at(trace, operation.a);
        operation.kind |= (random_below(random, 3) ? any_value(random) : 0xFFFFFFu) << 8;
        break;
    case TRACE_SLOT_VALUE:
    case TRACE_ENTRY:
    case TRACE_FREE:
    case TRACE_STAY:
        operation.a = any_slot(trace);
        break;
    case TRACE_TOUCH:
        operation.a = random_below(random, 8) ? any_slot(trace) : MUR_NO_SLOT;
        break;
    case TRACE_SPATIAL:
        operation.a = any_position(random);
        operation.b = any_position(random);
        operation.c = any_position(random);
        break;
    default:
        break;
    }
    return operation;
}

/* ---- Expected results ----------------------------------------------------------------------- */

static Answer expect_spatial(const Operation *operation) {
    float position[3];
    memcpy(position, &operation->a, sizeof position);
    const uint64_t key = mur_spatial_key_at(position, TRACE_SCALE, mur_spatial_level(position[0]),
                                            mur_spatial_face(position));
    const uint64_t others = mur_spatial_parent(key) ^ mur_spatial_child(key, operation->c & 7u);
    return (Answer){(uint32_t)key, (uint32_t)(key >> 32), (uint32_t)others,
                    (uint32_t)(others >> 32)};
}

static Answer expect_center(uint64_t key) {
    Answer answer;
    float center[3];
    mur_spatial_center(key, 1 / TRACE_SCALE, center);
    memcpy(&answer, center, sizeof center);
    answer.w = mur_spatial_face_of(key) | mur_spatial_level_of(key) << 3;
    return answer;
}

static Answer expect_lookup(Trace *trace, const Operation *operation, uint64_t key) {
    const bool set = MUR_IS_SET(trace->is->format);
    MurHostEntry entry;
    MurHostResult result;
    switch (operation->kind) {
    case TRACE_FIND:
    case TRACE_FIND_VALUE:
        result = murHostFind(&trace->host, key);
        return (Answer){operation->kind == TRACE_FIND && result.status == MUR_FOUND,
                        set ? 0 : (uint32_t)result.value, result.slot, 0};
    case TRACE_SLOT_VALUE:
        return (Answer){.y = value_at(trace, operation->a)};
    case TRACE_ENTRY:
        if (!entry_at(trace, operation->a, &entry)) {
            return (Answer){.y = set ? 0 : none_of(trace)};
        }
        return (Answer){1, set ? 0 : (uint32_t)entry.value, (uint32_t)entry.key,
                        (uint32_t)(entry.key >> 32)};
    case TRACE_SPATIAL:
        return expect_spatial(operation);
    default: /* TRACE_CENTER */
        return expect_center((uint64_t)operation->b << 32 | operation->a);
    }
}

/* ---- Operations of shaders only, in the oracle's memory ------------------------------------- */

static uint32_t *age_of(Trace *trace, uint32_t slot) {
    static uint32_t nowhere;
    const MurTableRef *ref = &trace->host.ref;
    return (ref->flags & MUR_TABLE_AGES) != 0 && slot < ref->slotCount + 2
               ? (uint32_t *)trace->memory +
                     MUR_AGES_START(trace->is->format, ref->flags, ref->slotCount) + slot
               : &nowhere;
}

/* Returns the tag of a slot, or NULL if the table has no tags. */
static uint32_t *tag_of(Trace *trace, uint32_t slot) {
    const uint32_t format = trace->is->format, slots = trace->host.ref.slotCount;
    const bool buckets = (trace->is->flags & MUR_TABLE_BUCKETS) != 0;
    const bool pair = format == MUR_FORMAT_K64V32;
    uint32_t *words = (uint32_t *)trace->memory;
    if (trace->is->wide || slot >= slots || !(pair || (format == MUR_FORMAT_K64 && buckets))) {
        return NULL;
    }
    return buckets ? words + MUR_BESIDE_START(format, slots) + (pair ? 2 * slot + 1 : slot)
                   : words + MUR_HEADER_WORDS + 4 * slot + 3;
}

static uint32_t *key_at(Trace *trace, uint32_t slot) {
    return (uint32_t *)trace->memory + MUR_HEADER_WORDS +
           (trace->is->format == MUR_FORMAT_K32 ? slot : 2 * slot);
}

/* Returns whether a key has claimed the whole slot, in bucketed tables with 32-bit atomics. */
static bool is_claimed(Trace *trace, uint32_t slot) {
    const uint32_t *keys = key_at(trace, slot), *tag = tag_of(trace, slot);
    return keys[0] != MUR_EMPTY && (!tag || *tag != 0 || (keys[0] != 0 && keys[1] != 0));
}

static void free_slot(Trace *trace, uint32_t slot) {
    const uint32_t format = trace->is->format, slots = trace->host.ref.slotCount;
    const bool set = MUR_IS_SET(format), pair = format == MUR_FORMAT_K32V32;
    uint32_t *words = (uint32_t *)trace->memory, *beside = words + MUR_BESIDE_START(format, slots);
    uint32_t *keys = key_at(trace, slot);
    *age_of(trace, slot) = MUR_AGE_UNTOUCHED;
    if (slot >= slots) {
        if (set ? slot < slots + 2 : pair && slot == slots) {
            words[MUR_HEADER_EXTRA + (pair ? 1 : slot - slots)] = pair ? none_of(trace) : 0;
        }
        return;
    }
    keys[0] = MUR_EMPTY;
    if (format != MUR_FORMAT_K32) {
        keys[1] = pair ? none_of(trace) : MUR_EMPTY;
    }
    if (format == MUR_FORMAT_K64V32) {
        beside[2 * slot] = none_of(trace);
        beside[2 * slot + 1] = 0;
    } else if (format == MUR_FORMAT_K64) {
        beside[slot] = 0;
    }
}

/* Does mur_retain: sets the filter bit of the slot's key, also of an erased key, except in sets. */
static void stay(Trace *trace, uint32_t slot) {
    const MurTableRef *ref = &trace->host.ref;
    const uint32_t format = trace->is->format, slots = ref->slotCount;
    const uint32_t *keys = key_at(trace, slot), *tag = tag_of(trace, slot);
    if (slot >= slots || !is_claimed(trace, slot) || (MUR_IS_SET(format) && keys[0] == MUR_TOMB)) {
        return;
    }
    const uint32_t word = !tag ? keys[0] : *tag & MUR_TAG_HIGH ? MUR_EMPTY : keys[1];
    const uint32_t first = mur_home(word, slots / MUR_BUCKET_SLOTS);
    uint32_t *filter = (uint32_t *)trace->memory + MUR_FILTER_START(format, ref->flags, slots);
    if (!(((uint32_t *)trace->memory)[MUR_HEADER_STATE] & MUR_STATE_FILTER)) {
        filter += MUR_FILTER_WORDS(slots);
    }
    if (first != slot / MUR_BUCKET_SLOTS) {
        filter[first / 2] |= 1u << (16 * (first % 2) + word % 16);
    }
}

static Answer expect_pass(Trace *trace, const Operation *operation) {
    const uint32_t flags = trace->host.ref.flags;
    if (operation->kind == TRACE_TOUCH) {
        *age_of(trace, operation->a) = operation->b;
    } else if ((flags & MUR_TABLE_BUCKETS) != 0 && !trace->is->wide) {
        (operation->kind == TRACE_FREE ? free_slot : stay)(trace, operation->a);
    }
    return (Answer){0};
}

/* Resets the age of a claimed slot if an exchange stores the empty value. */
static void take_age(Trace *trace, uint32_t slot, uint32_t value) {
    const uint32_t slots = trace->host.ref.slotCount;
    const bool claimed = slot < slots    ? is_claimed(trace, slot)
                         : slot == slots ? trace->is->format == MUR_FORMAT_K32V32
                                         : false;
    if (claimed && value == none_of(trace)) {
        *age_of(trace, slot) = MUR_AGE_UNTOUCHED;
    }
}

/* ---- Expected results of writes -------------------------------------------------------------- */

/* Returns the result of shaders that do not support the table's atomic width or structure. */
static Answer refused(const Trace *trace, uint32_t kind) {
    const uint32_t none = MUR_IS_SET(trace->is->format) ? 0 : none_of(trace);
    switch (kind) {
    case TRACE_EXCHANGE:
    case TRACE_COMPARE:
        return (Answer){.y = none};
    case TRACE_ERASE_ONLY:
        return (Answer){.x = MUR_UNSUPPORTED};
    case TRACE_NAMED:
        return (Answer){MUR_UNSUPPORTED, none, MUR_IS_SET(trace->is->format) ? 0 : MUR_NO_SLOT, 0};
    default:
        return (Answer){MUR_UNSUPPORTED, none, MUR_NO_SLOT, 0};
    }
}

static Answer expect_write(Trace *trace, const Operation *operation, uint64_t key) {
    const bool set = MUR_IS_SET(trace->is->format);
    const uint32_t kind = TRACE_KIND(operation->kind), given = operation->kind >> 8;
    const uint32_t value = given == 0xFFFFFFu ? 0xFFFFFFFFu : given;
    MurHostResult result;
    switch (kind) {
    case TRACE_INSERT:
    case TRACE_NAMED:
        result = murHostInsert(&trace->host, (MurInsertMode)operation->c, key, set ? 0 : value);
        break;
    case TRACE_ERASE:
    case TRACE_ERASE_ONLY:
        result = murHostErase(&trace->host, key);
        break;
    case TRACE_EXCHANGE:
        take_age(trace, operation->a, value);
        return (Answer){.y = (uint32_t)murHostSlotExchange(&trace->host, operation->a, value)};
    default: { /* TRACE_COMPARE */
        const uint32_t old = value_at(trace, operation->a);
        if (operation->b == none_of(trace)) {
            return (Answer){.y = none_of(trace)};
        }
        if (old == operation->b) {
            take_age(trace, operation->a, value);
            murHostSlotExchange(&trace->host, operation->a, value);
        }
        return (Answer){.y = old};
    }
    }
    if (kind == TRACE_ERASE_ONLY || (set && kind == TRACE_NAMED)) {
        return (Answer){.x = result.status};
    }
    return (Answer){result.status, set ? 0 : (uint32_t)result.value, result.slot, 0};
}

static Answer expect(Trace *trace, const Operation *operation) {
    const uint64_t key = (MUR_IS_64(trace->is->format) ? (uint64_t)operation->b << 32 : 0) |
                         operation->a;
    const uint32_t kind = TRACE_KIND(operation->kind);
    if (kind < TRACE_SPATIAL && trace->foreign) {
        return (Answer){.y = MUR_IS_SET(trace->is->format) ? 0 : none_of(trace),
                        .z = kind <= TRACE_FIND_VALUE ? MUR_NO_SLOT : 0};
    }
    if (kind < TRACE_WRITES) {
        return expect_lookup(trace, operation, key);
    }
    if (kind >= TRACE_FREE) {
        return trace->foreign ? (Answer){0} : expect_pass(trace, operation);
    }
    return trace->is->wide || trace->foreign ? refused(trace, kind)
                                             : expect_write(trace, operation, key);
}

static void record(const Trace *trace, const void *bytes, size_t size) {
    assert_true(!trace->record || fwrite(bytes, 1, size, trace->record) == size);
}

/* Returns counter i of failed inserts, or NULL after the last one. Counter 0 is in the header. */
static uint64_t *counter_at(const Trace *trace, uint32_t *words, uint32_t i) {
    const MurTableRef *ref = &trace->host.ref;
    const uint32_t count = ref->flags & MUR_TABLE_BUCKETS ? 1 + MUR_COUNTERS : 1;
    const uint32_t word = i == 0 ? MUR_HEADER_FAILED_INSERTS
                                 : MUR_COUNTER_AT(trace->is->format, ref->flags, ref->slotCount,
                                                  i - 1);
    return i < count ? (uint64_t *)(words + word) : NULL;
}

/* Makes the next failed insert carry into the high word of its counter. Gives every slot an age. */
static void fill_counters_and_ages(Trace *trace) {
    for (uint32_t i = 0; counter_at(trace, (uint32_t *)trace->memory, i); ++i) {
        *counter_at(trace, (uint32_t *)trace->memory, i) = UINT32_MAX;
    }
    for (uint32_t slot = 0; slot < trace->host.ref.slotCount + 2; ++slot) {
        *age_of(trace, slot) = slot;
    }
}

/* Adds all counters to the header's counter, because the host increments only this counter. */
static void sum_counters(const Trace *trace, uint32_t *words) {
    for (uint32_t i = 1; counter_at(trace, words, i); ++i) {
        *counter_at(trace, words, 0) += *counter_at(trace, words, i);
        *counter_at(trace, words, i) = 0;
    }
}

/* Makes slots of some keys half-claimed: as after an insert that has not written the tag yet. */
static void unclaim(Trace *trace) {
    for (uint32_t i = 0; i < KEYS; i += 3) {
        uint32_t *tag = tag_of(trace, murHostFind(&trace->host, trace->keys[i]).slot);
        if (tag && trace->is->format == MUR_FORMAT_K64V32) {
            tag[-1] = none_of(trace);
        }
        if (tag) {
            *tag = 0;
        }
    }
}

static void run_segment(Trace *trace, int language, bool writes) {
    Run *run = &trace->run;
    const size_t size = run_image_size(&trace->host);
    const uint32_t sizes[] = {(uint32_t)size, SEGMENT, writes};
    fill_counters_and_ages(trace);
    unclaim(trace);
    record(trace, sizes, sizeof sizes);
    record(trace, trace->memory, size);
    memcpy(run->image.mapped, trace->memory, size);
    for (uint32_t i = 0; i < SEGMENT; ++i) {
        trace->operations[i] = any_operation(trace, writes);
    }
    run_operations(run, language, trace->shader, writes, &trace->host.ref, trace->operations,
                   SEGMENT, true);
    record(trace, run->operations.mapped, 4 * TRACE_FIRST + SEGMENT * sizeof(Operation));
    const Answer *answers = run->answers.mapped;
    for (uint32_t i = 0; i < SEGMENT; ++i) {
        const Operation *operation = &trace->operations[i];
        const Answer want = expect(trace, operation);
        record(trace, &want, sizeof want);
        if (memcmp(&want, &answers[i], sizeof want) != 0) {
            fail_msg("%s, %s, operation %u, kind %u of %x %x %x: %x %x %x %x instead of "
                     "%x %x %x %x",
                     languageNames[language], trace->is->name, i, operation->kind, operation->a,
                     operation->b, operation->c, answers[i].x, answers[i].y, answers[i].z,
                     answers[i].w, want.x, want.y, want.z, want.w);
        }
        const uint32_t kind = TRACE_KIND(operation->kind);
        const bool byMode = kind == TRACE_INSERT || kind == TRACE_NAMED;
        ++trace->ran[trace->shader][writes && !trace->is->wide && !trace->foreign]
                    [byMode ? TRACE_KINDS + operation->c : kind];
    }
    record(trace, run->image.mapped, size);
    sum_counters(trace, run->image.mapped);
    sum_counters(trace, (uint32_t *)trace->memory);
    assert_memory_equal(run->image.mapped, trace->memory, size);
}

static MurTableCreateInfo info_of(const Case *is) {
    return (MurTableCreateInfo){
        .capacity = is->capacity,
        .seed = is->seed,
        .probeLimit = is->probeLimit,
        .type = format_type(is->format, is->flags),
        .emptyValue = is->zero ? MUR_EMPTY_VALUE_ZERO : MUR_EMPTY_VALUE_MAX,
        .atomicWidth = is->wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
        .flags = is->flags & ~MUR_TABLE_BUCKETS,
    };
}

/* Replaces the table by a rehashed one without tombstones, which is sorted if all entries fit. */
static void rehash(Trace *trace, uint32_t capacity, uint32_t probeLimit) {
    static _Alignas(MUR_HOST_ALIGNMENT) uint64_t memory[MAX_IMAGE / 8];
    MurTableCreateInfo info = info_of(trace->is);
    info.capacity = capacity;
    info.probeLimit = probeLimit;
    MurHostTable clean = run_table(memory, &info);
    gpu_require(murHostRehash(&trace->host, &clean, NULL, NULL));
    memcpy(trace->memory, memory, sizeof memory);
    gpu_require(murHostAttach(trace->memory, sizeof trace->memory, &trace->host));
}

/* Removes tombstones of a bucketed table and swaps its filters. */
static void renew(Trace *trace) {
    const MurTableRef *ref = &trace->host.ref;
    const uint32_t words = MUR_FILTER_WORDS(ref->slotCount);
    uint32_t *memory = (uint32_t *)trace->memory;
    const uint32_t state = memory[MUR_HEADER_STATE];
    murHostRebuildFilter(&trace->host);
    uint32_t *filter = memory + MUR_FILTER_START(trace->is->format, ref->flags, ref->slotCount);
    if ((state & MUR_STATE_FILTER) == 0) {
        memcpy(filter + words, filter, 4 * words);
        memset(filter, 0, 4 * words);
        memory[MUR_HEADER_STATE] = MUR_STATE_FILTER;
    }
}

static void insert_keys(Trace *trace, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        murHostInsert(&trace->host, MUR_MODE_INSERT, trace->keys[i],
                      MUR_IS_SET(trace->is->format) ? 0 : 1 + i);
    }
}

static void run_case(Trace *trace, int language, const Case *is) {
    const MurTableCreateInfo info = info_of(is);
    const bool buckets = (is->flags & MUR_TABLE_BUCKETS) != 0;
    trace->is = is;
    trace->shader = is->format | (buckets != is->other ? IN_BUCKETS : 0);
    if (!run_has(language, trace->shader)) {
        return;
    }
    trace->foreign = is->other && language != LANGUAGE_WGSL &&
                     (trace->shader < IN_BUCKETS || !MUR_IS_64(is->format));
    trace->random.state = test_seed(1000 + (uint64_t)(is - cases));
    trace->host = run_table(trace->memory, &info);
    make_keys(trace);
    insert_keys(trace, is->wide || trace->foreign ? KEYS / 2 : 0);
    for (int segment = 0; segment < SEGMENTS; ++segment) {
        run_segment(trace, language, true);
        if (segment % 2 && buckets) {
            renew(trace);
        } else if (segment % 2) { /* tombstones would fill a set */
            rehash(trace, is->capacity, is->probeLimit);
        }
    }
    if ((is - cases) % 2 && !buckets) { /* not sorted: in a wrapped table, the flag has no effect */
        insert_keys(trace, KEYS);
        ((uint32_t *)trace->memory)[MUR_HEADER_STATE] |= MUR_STATE_ORDERED | MUR_STATE_WRAPPED;
    }
    run_segment(trace, language, false);
    if (buckets) {
        renew(trace);
    } else {
        rehash(trace, 3 * KEYS, 0); /* a sorted table, whose order finds use */
        for (uint32_t i = 0; i < KEYS; i += 4) {
            murHostErase(&trace->host, trace->keys[i]);
        }
        assert_true(((uint32_t *)trace->memory)[MUR_HEADER_STATE] & MUR_STATE_ORDERED);
    }
    run_segment(trace, language, false);
}

/* Checks that each call of a format was compared often enough, lookups in both sorts of shaders. */
static void check_ran(const Trace *trace, int language) {
    for (uint32_t shader = 0; shader < SHADERS; shader += shader == MUR_FORMAT_K32 ? 2 : 1) {
        if (!run_has(language, shader)) {
            continue;
        }
        const bool set = MUR_IS_SET(shader % IN_BUCKETS);
        for (uint32_t i = 0; i <= TRACE_KINDS + MUR_MODE_UPDATE; ++i) {
            const bool pairs = i == TRACE_FIND_VALUE || i == TRACE_SLOT_VALUE ||
                               i == TRACE_EXCHANGE || i == TRACE_COMPARE ||
                               (i >= TRACE_KINDS && i != TRACE_KINDS + MUR_MODE_INSERT);
            const bool none = (i > TRACE_CENTER && i < TRACE_ERASE) || (set && pairs);
            assert_true(trace->ran[shader][1][i] >= (none ? 0 : 100));
            assert_true(trace->ran[shader][0][i] >= (i > TRACE_CENTER || none ? 0 : 200));
        }
    }
}

static void run_language(Gpu *gpu, int language) {
    static Trace trace;
    const char *name = getenv("MUR_TEST_RECORD");
    trace.record = name ? fopen(name, "wb") : NULL;
    assert_true(!name || trace.record);
    run_open(&trace.run, gpu);
    memset(trace.ran, 0, sizeof trace.ran);
    for (int i = 0; i < CASES; ++i) {
        run_case(&trace, language, &cases[i]);
    }
    check_ran(&trace, language);
    run_close(&trace.run);
    assert_true(!trace.record || fclose(trace.record) == 0);
}

GPU_TEST(trace_glsl) {
    run_language(gpu, LANGUAGE_GLSL);
}
GPU_TEST(trace_hlsl) {
    run_language(gpu, LANGUAGE_HLSL);
}
GPU_TEST(trace_wgsl) {
    run_language(gpu, LANGUAGE_WGSL);
}
