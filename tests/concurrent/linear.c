/* Linearizability by search. Sources: J. M. Wing and C. Gong, "Testing and Verifying Concurrent
 * Objects", J. Parallel and Distributed Computing 17 (1993), for the search; G. Lowe, "Testing for
 * linearizability", Concurrency and Computation 29 (2017), for caching failed configurations; A.
 * Horn and D. Kroening, "Faster linearizability checking via P-compositionality", FORTE 2015, for
 * checking keys separately.
 *
 * The search has one shortcut: if a candidate fits and changes nothing, it is the next operation.
 * Any valid order stays valid if this operation moves to the front.
 * SPDX-License-Identifier: MIT */
#include "linear.h"

#include <stdlib.h>
#include <string.h>

/* A history of 64 operations on a GPU needed 70,000 states. */
enum { SEEN_SIZE = 1 << 20, SEEN_MOST = SEEN_SIZE / 2 };

/* A state of the search: the set of completed operations, and the key's value after all of them. */
typedef struct Configuration {
    uint64_t done;
    uint32_t value;
    uint32_t used;
} Configuration;

typedef struct Search {
    const StormRecord *operations;
    uint32_t count;
    uint32_t final;
    uint32_t none;
    uint64_t taken;      /* operations whose written value was erased, exchanged or final */
    Configuration *seen; /* a hash set, open addressing */
    uint32_t seenCount;
} Search;

/* Adds a configuration. Returns false if it was present. */
static bool remember(Search *search, uint64_t done, uint32_t value) {
    uint64_t mixed = (done ^ ((uint64_t)value << 32 | value)) * 0x9E3779B97F4A7C15ull;
    uint32_t at = (uint32_t)(mixed >> 40) % SEEN_SIZE;
    while (search->seen[at].used) {
        if (search->seen[at].done == done && search->seen[at].value == value) {
            return false;
        }
        at = (at + 1) % SEEN_SIZE;
    }
    search->seen[at] = (Configuration){done, value, 1};
    search->seenCount++;
    return true;
}

/* Returns whether an operation can return its result if the key has this value. after: output, the
 * key's next value. An insert that returned MUR_FULL found no entry and left none. */
static bool fits(const Search *search, uint32_t operation, uint32_t value, uint32_t *after) {
    const StormRecord *record = &search->operations[operation];
    uint32_t status, returned;
    *after = value;
    if (record->status == MUR_FULL) {
        return value == search->none && record->value == search->none;
    }
    check_expect(record, search->none, after, &status, &returned);
    return record->status == status && record->value == returned;
}

/* Returns the pending operations that began before any pending operation ended: one is next. */
static uint64_t candidates(const Search *search, uint64_t done) {
    uint32_t firstEnd = UINT32_MAX;
    for (uint32_t i = 0; i < search->count; ++i) {
        if (!(done >> i & 1) && search->operations[i].after < firstEnd) {
            firstEnd = search->operations[i].after;
        }
    }
    uint64_t next = 0;
    for (uint32_t i = 0; i < search->count; ++i) {
        if (!(done >> i & 1) && search->operations[i].before <= firstEnd) {
            next |= 1ull << i;
        }
    }
    return next;
}

static bool saw(const Search *search, uint32_t operation, uint32_t value) {
    return value != search->none && search->operations[operation].value == value;
}

/* Returns whether the next operation may replace the value: it is not final, and no pending one
 * returns it. */
static bool may_leave(const Search *search, uint64_t done, uint32_t value, uint32_t operation) {
    if (value != search->none && value == search->final) {
        return false;
    }
    for (uint32_t i = 0; i < search->count; ++i) {
        if (!(done >> i & 1) && i != operation && saw(search, i, value)) {
            return false;
        }
    }
    return true;
}

/* Completes the possible next operations that do not change the value. Returns the others. */
static uint64_t settle(const Search *search, uint64_t *done, uint32_t value) {
    uint64_t next = 0;
    for (bool changed = true; changed;) {
        changed = false;
        next = candidates(search, *done);
        for (uint32_t i = 0; i < search->count; ++i) {
            uint32_t after;
            if ((next >> i & 1) && fits(search, i, value, &after) && after == value) {
                *done |= 1ull << i;
                changed = true;
            }
        }
    }
    return next;
}

static LinearResult explore(Search *search, uint64_t done, uint32_t value) {
    uint64_t all = search->count == 64 ? UINT64_MAX : (1ull << search->count) - 1;
    uint64_t next = settle(search, &done, value);
    if (done == all) {
        return value == search->final ? LINEAR_YES : LINEAR_NO;
    }
    if (search->seenCount >= SEEN_MOST) {
        return LINEAR_UNKNOWN;
    }
    if (!remember(search, done, value)) {
        return LINEAR_NO;
    }
    LinearResult result = LINEAR_NO;
    for (uint32_t n = 0; n < 2 * search->count && result == LINEAR_NO; ++n) {
        uint32_t i = n % search->count;
        bool free = (search->taken >> i & 1) == 0;
        uint32_t after;
        if ((next >> i & 1) && free == (n < search->count) && fits(search, i, value, &after) &&
            may_leave(search, done, value, i)) {
            result = explore(search, done | 1ull << i, after);
        }
    }
    return result;
}

/* Returns the operations whose written value was later erased or exchanged, or is final. */
static uint64_t taken_values(const Search *search) {
    uint64_t taken = 0;
    for (uint32_t i = 0; i < search->count; ++i) {
        uint32_t given = search->operations[i].given;
        bool found = given == search->final;
        for (uint32_t j = 0; j < search->count; ++j) {
            found |= search->operations[j].op != STORM_FIND && saw(search, j, given);
        }
        taken |= (uint64_t)found << i;
    }
    return taken;
}

LinearResult linear_check(const StormRecord *operations, uint32_t count, uint32_t initial,
                          uint32_t final, uint32_t none) {
    assert_true(count <= LINEAR_OPERATIONS);
    Search search = {.operations = operations, .count = count, .final = final, .none = none};
    search.taken = taken_values(&search);
    search.seen = test_allocate(SEEN_SIZE * sizeof *search.seen);
    LinearResult result = explore(&search, 0, initial);
    free(search.seen);
    return result;
}
