/* SPDX-License-Identifier: MIT */
#include "calls_model.h"

#include <string.h>

enum { MAX_CAPACITY = 24 };

TableSpec calls_table(Random *random, bool zero, bool wide) {
    TableSpec spec;
    do {
        Kind kind = {.limit = (ProbeLimit)random_below(random, LIMIT_COUNT), zero, wide};
        spec = random_table(random, kind);
    } while (spec.capacity > MAX_CAPACITY);
    spec.ownMemory = false;
    return spec;
}

OracleConfig calls_config(const TableSpec *spec, uint32_t slotCount) {
    return (OracleConfig){
        .capacity = spec->capacity,
        .slotCount = slotCount,
        .seed = spec->seed,
        .probeLimit = spec->probeLimit,
        .zero = spec->zero,
        .wide = spec->wide,
    };
}

static uint32_t random_call(Random *random, CallSet set, bool zero) {
    const uint32_t withZero[] = {CALL_INSERT, CALL_UPSERT, CALL_UPDATE,
                                 CALL_ADD,    CALL_MAX,    CALL_OR};
    const uint32_t withMax[] = {CALL_INSERT, CALL_UPSERT, CALL_UPDATE, CALL_MIN};
    if (set == CALLS_LOOKUPS) {
        return random_below(random, CALL_LOOKUPS);
    }
    if (set == CALLS_BULK) {
        uint32_t kind = random_below(random, 10);
        uint32_t insert = zero ? withZero[random_below(random, 6)]
                               : withMax[random_below(random, 4)];
        return kind < 2 ? CALL_FIND : kind < 4 ? CALL_ERASE : insert;
    }
    /* Erases are two calls of many, so they come twice as often. */
    uint32_t call = random_below(random, CALL_COUNT + 2);
    return call < CALL_COUNT ? call : CALL_ERASE + (call - CALL_COUNT);
}

static bool takes_slot(uint32_t call) {
    return call == CALL_SLOT_ENTRY || call == CALL_SLOT_VALUE || call == CALL_SLOT_EXCHANGE ||
           call == CALL_SLOT_COMPARE_EXCHANGE;
}

void calls_generate(Random *random, CallSet set, const TableSpec *spec, uint32_t slotCount,
                    const uint32_t *keys, uint32_t keyCount, Call *calls, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t call = random_call(random, set, spec->zero);
        uint32_t slot = random_below(random, slotCount + 4); /* some beyond the extra slots */
        uint32_t key = keys[random_below(random, keyCount)];
        calls[i] = (Call){
            .call = call,
            .at = !takes_slot(call)      ? key
                  : slot > slotCount + 2 ? MUR_NO_SLOT
                                         : slot,
            .value = random_value(random),
            .mode = (uint32_t)random_mode(random, random_below(random, 2) != 0),
        };
    }
}

bool calls_mode(const Call *call, uint32_t *mode) {
    static const uint32_t modes[CALL_MODES] = {MUR_MODE_KEEP, MUR_MODE_ASSIGN, MUR_MODE_UPDATE,
                                               MUR_MODE_ADD,  MUR_MODE_MIN,    MUR_MODE_MAX,
                                               MUR_MODE_OR};
    if (call->call < CALL_INSERT || call->call > CALL_INSERT_MODE) {
        return false;
    }
    *mode = call->call == CALL_INSERT_MODE ? call->mode
                                           : modes[(call->call - CALL_INSERT) % CALL_MODES];
    return true;
}

static Answer expect_lookup(const Oracle *oracle, const Call *call) {
    Answer answer = {.call = call->call};
    if (takes_slot(call->call)) {
        bool inside = call->at < oracle->config.slotCount + 2;
        answer.value = inside ? oracle->slots[call->at].value : oracle->none;
        if (call->call == CALL_SLOT_ENTRY) {
            answer.status = answer.value != oracle->none;
            answer.slot = answer.status ? oracle->slots[call->at].key : 0;
        }
        return answer;
    }
    OracleResult found = oracle_find(oracle, call->at);
    answer.status = call->call == CALL_FIND && found.status == MUR_FOUND;
    answer.value = call->call == CALL_FIND_SLOT_BARE ? 0 : found.value;
    answer.slot = call->call == CALL_FIND ? 0 : found.slot;
    return answer;
}

static OracleResult write(Oracle *oracle, const Call *call, bool writable) {
    uint32_t mode;
    if (!writable) {
        return (OracleResult){MUR_UNSUPPORTED, oracle->none, MUR_NO_SLOT};
    }
    return calls_mode(call, &mode) ? oracle_insert(oracle, mode, call->at, call->value)
                                   : oracle_erase(oracle, call->at);
}

Answer calls_expect(Oracle *oracle, const Call *call, bool writable) {
    if (call->call < CALL_LOOKUPS) {
        return expect_lookup(oracle, call);
    }
    Answer answer = {.call = call->call};
    if (call->call == CALL_SLOT_EXCHANGE) {
        answer.value = writable ? oracle_exchange(oracle, call->at, call->value) : oracle->none;
        return answer;
    }
    if (call->call == CALL_SLOT_COMPARE_EXCHANGE) {
        bool inside = call->at < oracle->config.slotCount + 2;
        uint32_t there = inside ? oracle->slots[call->at].value : oracle->none;
        uint32_t compare = call->mode & 1 ? there : call->value ^ 1;
        answer.value = writable ? oracle_compare_exchange(oracle, call->at, compare, call->value)
                                : oracle->none;
        return answer;
    }
    bool bare = (call->call >= CALL_BARE && call->call < CALL_OLD) || call->call == CALL_ERASE_BARE;
    bool old = (call->call >= CALL_OLD && call->call < CALL_INSERT_MODE) ||
               call->call == CALL_ERASE;
    OracleResult result = write(oracle, call, writable);
    answer.status = result.status;
    answer.slot = bare ? 0 : result.slot;
    answer.value = old ? result.value : 0;
    return answer;
}

bool calls_agree(const Answer *expected, const Answer *got) {
    Answer answer = *got;
    if (got->call == CALL_SLOT_ENTRY && expected->status == 0) {
        answer.slot = 0; /* there is no entry, so nothing is said about its key */
    }
    return memcmp(expected, &answer, sizeof answer) == 0;
}

#define MODE_NAMES(suffix)                                                                       \
    "insert" suffix, "upsert" suffix, "update" suffix, "add" suffix, "min" suffix, "max" suffix, \
        "or" suffix

void calls_print(uint32_t index, const Call *call, const Answer *answer) {
    static const char *const names[CALL_COUNT] = {
        "find",         "find_slot",           "find_slot (bare)",      "slot_entry",  "slot_value",
        MODE_NAMES(""), MODE_NAMES(" (bare)"), MODE_NAMES(" (old)"),    "insert_mode", "erase",
        "erase (bare)", "slot_exchange",       "slot_compare_exchange",
    };
    print_error("  call %u: mur_%s(%s 0x%08x", index, names[call->call],
                takes_slot(call->call) ? "slot" : "key", call->at);
    if (call->call >= CALL_LOOKUPS) {
        print_error(", value 0x%08x", call->value);
    }
    if (call->call == CALL_INSERT_MODE) {
        print_error(", mode %u", call->mode);
    }
    print_error(") -> status %u, value 0x%08x, slot or key 0x%08x\n", answer->status, answer->value,
                answer->slot);
}
