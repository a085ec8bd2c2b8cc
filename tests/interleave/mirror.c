/* A model of the protocol of mirrors: write calls and two updates, one memory access per step, in
 * every order. The comment in runtime/host/host_mirror.h describes the protocol: change both
 * together. The table has two slots, which are marked and copied separately. The keys share a home
 * slot.
 * SPDX-License-Identifier: MIT */
#include "support/cases.h"

#include <stdbool.h>
#include <string.h>

enum { UNITS = 2, CALLS = 3, UPDATES = 2, FREE = 0, STATES = 1 << 16 };

typedef enum Fault {
    RIGHT,
    NO_MARK,
    MARKED_BEFORE,    /* a write call marks units before it writes */
    WAY_NOT_MARKED,   /* a write call marks only the unit of the key's own slot */
    MEETING_UNMARKED, /* an insert that finds its key does not mark units */
    CLEARED_AFTER,    /* an update clears marks after the copy */
    KEY_FIRST,        /* an update copies a key first, then its value */
    FAULTS
} Fault;

/* A call of a write function: an insert that keeps a present value, or, if value is 0, an erase.
 * after: number of the call that must have returned before, or 0. */
typedef struct Wish {
    uint8_t key, value, after;
} Wish;

typedef struct Call {
    uint8_t phase, slot, seen, mark; /* phases: 0 probe, 1 value, 2 marks, 3 returned */
} Call;

typedef struct State {
    uint8_t keys[UNITS], values[UNITS], marks; /* the table in host memory */
    uint8_t copyKeys[UNITS], copyValues[UNITS];
    uint8_t history[3][4], length[3]; /* per key: all its values so far, in order */
    uint8_t known[CALLS];             /* per call: known length of its key's history */
    uint8_t least[3];                 /* per key: the largest `known` when the update began */
    uint8_t update, step, taken;
    Call calls[CALLS];
} State;

typedef struct Search {
    const Wish *wishes;
    uint32_t count;
    Fault fault;
    bool wrong;
    State *visited;
    uint32_t states;
} Search;

static void remember(State *state, const Wish *wish, uint32_t call, uint8_t value, bool writes) {
    if (writes) {
        state->history[wish->key][state->length[wish->key]++] = value;
    }
    state->known[call] = state->length[wish->key];
}

/* Makes one step of a call. Returns false if the call has returned or must wait for a call. */
static bool step_call(const Search *search, State *state, uint32_t i) {
    const Wish *wish = &search->wishes[i];
    Call *call = &state->calls[i];
    if (call->phase == 3 || (wish->after && state->calls[wish->after - 1].phase != 3)) {
        return false;
    }
    const uint8_t slot = call->slot;
    if (search->fault == MARKED_BEFORE && call->phase == 0) {
        state->marks |= 1u << slot;
    }
    if (call->phase == 0 && slot == UNITS) { /* no slot is left to probe */
        call->phase = 2;
    } else if (call->phase == 0 && state->keys[slot] == FREE) {
        call->phase = wish->value ? 1 : 2;
        if (wish->value) {
            state->keys[slot] = wish->key; /* claims the slot */
        } else {
            remember(state, wish, i, 0, false);
        }
    } else if (call->phase == 0) {
        const bool own = state->keys[slot] == wish->key;
        call->phase = own ? 1 : 0;
        call->slot = own ? slot : (uint8_t)(slot + 1);
    } else if (call->phase == 1) {
        const uint8_t old = state->values[slot];
        const bool writes = wish->value ? old == 0 : old != 0;
        call->seen = wish->value && !writes;
        remember(state, wish, i, wish->value, writes);
        state->values[slot] = writes ? wish->value : old;
        call->phase = 2;
    } else {
        const bool skips = search->fault == NO_MARK || search->fault == MARKED_BEFORE ||
                           (search->fault == MEETING_UNMARKED && call->seen) ||
                           (search->fault == WAY_NOT_MARKED && call->mark != slot);
        state->marks |= skips ? 0 : 1u << call->mark;
        call->phase = call->mark == slot || call->mark == UNITS - 1 ? 3 : 2;
        ++call->mark;
    }
    return true;
}

static uint8_t find_copy(const State *state, uint8_t key) {
    for (uint32_t i = 0; i < UNITS && state->copyKeys[i] != FREE; ++i) {
        if (state->copyKeys[i] == key) {
            return state->copyValues[i];
        }
    }
    return 0;
}

/* Checks a copy. Each key has the value that a returned call has seen, or a newer one. */
static bool is_right(const State *state) {
    bool right = true;
    for (uint8_t key = 1; key <= 2; ++key) {
        const uint8_t value = find_copy(state, key);
        bool allowed = value == 0 && state->least[key] == 0;
        for (uint32_t i = state->least[key] ? state->least[key] - 1u : 0; i < state->length[key];
             ++i) {
            allowed |= state->history[key][i] == value;
        }
        right &= allowed;
    }
    for (uint32_t i = 0; i < UNITS; ++i) {
        right &= state->copyValues[i] == 0 || state->copyKeys[i] != FREE;
    }
    return right;
}

/* Makes one step of an update. The first takes all marks; later steps copy keys or values. */
static bool step_update(Search *search, State *state) {
    if (state->update == UPDATES) {
        return false;
    }
    if (state->step == 0) {
        memset(state->least, 0, sizeof state->least);
        for (uint32_t i = 0; i < search->count; ++i) {
            uint8_t *least = &state->least[search->wishes[i].key];
            if (state->calls[i].phase == 3 && state->known[i] > *least) {
                *least = state->known[i];
            }
        }
        state->taken = state->marks;
        state->marks = search->fault == CLEARED_AFTER ? state->marks : 0;
    } else {
        const uint32_t unit = (state->step - 1u) / 2, first = (state->step - 1u) % 2 == 0;
        if (state->taken >> unit & 1 && first == (search->fault != KEY_FIRST)) {
            state->copyValues[unit] = state->values[unit];
        } else if (state->taken >> unit & 1) {
            state->copyKeys[unit] = state->keys[unit];
        }
    }
    if (++state->step == 1 + 2 * UNITS) {
        state->marks &= search->fault == CLEARED_AFTER ? (uint8_t)~state->taken : 0xFF;
        search->wrong |= !is_right(state);
        state->step = state->taken = 0;
        ++state->update;
    }
    return true;
}

static bool is_new(Search *search, const State *state) {
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof *state; ++i) {
        hash = (hash ^ ((const uint8_t *)state)[i]) * 0x9E3779B97F4A7C15ull;
    }
    static const State none;
    uint32_t at = (uint32_t)(hash >> 32) % STATES;
    for (; memcmp(&search->visited[at], &none, sizeof none) != 0; at = (at + 1) % STATES) {
        if (memcmp(&search->visited[at], state, sizeof *state) == 0) {
            return false;
        }
    }
    search->visited[at] = *state;
    return ++search->states < STATES / 2 || (search->wrong = true);
}

static void explore_mirror(Search *search, const State *state) {
    for (uint32_t i = 0; i <= search->count && !search->wrong; ++i) {
        State next = *state;
        const bool runs = i < search->count ? step_call(search, &next, i)
                                            : step_update(search, &next);
        if (runs && is_new(search, &next)) {
            explore_mirror(search, &next);
        }
    }
}

static bool is_wrong(Fault fault, uint64_t *states) {
    static const Wish scenes[][CALLS] = {
        {{1, 5, 0}, {2, 6, 0}, {1, 0, 1}}, /* two claims on one probe; an erase after one */
        {{1, 5, 0}, {1, 7, 0}, {2, 6, 0}}, /* an insert that may find its key */
        {{1, 5, 0}, {1, 0, 1}, {1, 7, 2}}, /* the insert of 7 begins after the erase has returned */
        {{2, 6, 0}, {1, 5, 0}, {1, 0, 0}},
    };
    bool wrong = false;
    State *visited = test_allocate(sizeof(State) * STATES);
    for (uint32_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        Search search = {.wishes = scenes[i], .count = CALLS, .fault = fault, .visited = visited};
        const State start = {.update = 0};
        memset(visited, 0, sizeof(State) * STATES);
        explore_mirror(&search, &start);
        wrong |= search.wrong;
        *states += search.states;
    }
    free(visited);
    return wrong;
}

PLAIN_TEST(updates_of_mirrors_miss_nothing) {
    uint64_t states = 0;
    assert_false(is_wrong(RIGHT, &states));
    print_message("%llu states\n", (unsigned long long)states);
    assert_true(states > 10000);
}

PLAIN_TEST(each_fault_of_a_mirror_is_detected) {
    for (Fault fault = RIGHT + 1; fault < FAULTS; ++fault) {
        uint64_t states = 0;
        if (!is_wrong(fault, &states)) {
            fail_msg("fault %d does not show", (int)fault);
        }
    }
}
