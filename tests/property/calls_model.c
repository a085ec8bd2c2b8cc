/* SPDX-License-Identifier: MIT */
#include "calls_model.h"

static bool takes_slot(uint32_t call) {
    return call == CALL_SLOT_ENTRY || call == CALL_SLOT_VALUE || call >= CALL_SLOT_EXCHANGE;
}

bool call_is_of_sets(uint32_t call) {
    return call == CALL_FIND || call == CALL_FIND_SLOT_BARE || call == CALL_SLOT_ENTRY ||
           call == CALL_MODE + MUR_MODE_INSERT || call == CALL_BARE + MUR_MODE_INSERT ||
           call == CALL_ERASE || call == CALL_ERASE_BARE;
}

static uint32_t random_call(Random *random, bool set, bool lookups) {
    uint32_t call;
    do {
        /* Most calls are inserts and erases by key. */
        call = lookups                        ? random_below(random, CALL_LOOKUPS)
               : random_below(random, 3) != 0 ? random_below(random, CALL_COUNT)
               : random_below(random, 3) == 0 ? CALL_ERASE
                                              : CALL_MODE + MUR_MODE_INSERT;
    } while (set && !call_is_of_sets(call));
    return call;
}

void calls_generate(Random *random, const Oracle *oracle, const TableKind *kind, bool lookups,
                    const uint64_t *keys, uint32_t keyCount, Call *calls, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t slot = random_below(random, oracle->slots + 3); /* some slots do not exist */
        calls[i] = (Call){
            .call = random_call(random, kind_is_set(kind), lookups),
            .key = keys[random_below(random, keyCount)],
            .value = random_value(random, kind),
            .mode = random_below(random, MUR_MODE_UPDATE + 1),
            .slot = slot > oracle->slots + 1 ? MUR_NO_SLOT : slot,
        };
    }
}

static uint32_t mode_of(const Call *call) {
    return call->call == CALL_INSERT_MODE ? call->mode : (call->call - CALL_MODE) % CALL_MODES;
}

static Answer expect_lookup(const Oracle *oracle, const Call *call) {
    Answer answer = {0};
    if (takes_slot(call->call)) {
        answer.status = oracle_entry(oracle, call->slot, &answer.key, &answer.value);
        return call->call == CALL_SLOT_ENTRY ? answer : (Answer){.value = answer.value};
    }
    const OracleResult found = oracle_find(oracle, call->key);
    answer.status = call->call == CALL_FIND && found.status == MUR_FOUND;
    answer.value = call->call == CALL_FIND_SLOT_BARE ? 0 : found.value;
    answer.slot = call->call == CALL_FIND ? 0 : found.slot;
    return answer;
}

static uint64_t exchange(Oracle *oracle, const Call *call) {
    if (call->call == CALL_SLOT_EXCHANGE) {
        return oracle_exchange(oracle, call->slot, call->value);
    }
    uint64_t key, there;
    (void)oracle_entry(oracle, call->slot, &key, &there);
    return oracle_compare_exchange(oracle, call->slot, call->mode & 1 ? there : call->value ^ 1,
                                   call->value);
}

static Answer expect_write(Oracle *oracle, const Call *call, bool writable) {
    const bool erase = call->call == CALL_ERASE || call->call == CALL_ERASE_BARE;
    const bool bare = (call->call >= CALL_BARE && call->call < CALL_OLD) ||
                      call->call == CALL_ERASE_BARE;
    const bool old = (call->call >= CALL_OLD && call->call < CALL_INSERT_MODE) ||
                     call->call == CALL_ERASE;
    OracleResult result = {MUR_UNSUPPORTED, MUR_NO_SLOT, oracle->none};
    if (writable) {
        result = erase ? oracle_erase(oracle, call->key)
                       : oracle_insert(oracle, mode_of(call), call->key, call->value);
    }
    return (Answer){
        .status = result.status, .slot = bare ? 0 : result.slot, .value = old ? result.value : 0};
}

Answer calls_expect(Oracle *oracle, const Call *call, bool writable) {
    Answer answer;
    if (call->call < CALL_LOOKUPS) {
        answer = expect_lookup(oracle, call);
    } else if (call->call >= CALL_SLOT_EXCHANGE) {
        answer = (Answer){.value = writable ? exchange(oracle, call) : oracle->none};
    } else {
        answer = expect_write(oracle, call, writable);
    }
    if (oracle_is_set(oracle->config.format)) {
        answer.value = 0;
    }
    return answer;
}

void calls_print(uint32_t index, const Call *call, const Answer *answer) {
    print_error(
        "  call %u: CALL_* %u on key 0x%llx, slot 0x%x, value 0x%llx, mode %u -> status %u, "
        "slot 0x%x, value 0x%llx, key 0x%llx\n",
        index, call->call, (unsigned long long)call->key, call->slot,
        (unsigned long long)call->value, call->mode, answer->status, answer->slot,
        (unsigned long long)answer->value, (unsigned long long)answer->key);
}
