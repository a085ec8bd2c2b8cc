/* A depth-first search over states that visits each state once.
 * SPDX-License-Identifier: MIT */
#include "explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct State {
    Memory memory;
    Operation operations[OPERATIONS];
} State;

enum { DEPTH = 128 };

typedef struct Search {
    const Scene *scene;
    uint8_t initial[KEYS]; /* values of the keys before the concurrent operations */
    Verdict *verdict;
    uint8_t path[DEPTH][2]; /* the steps so far: an operation, and its choice */
    uint32_t depth;
} Search;

/* Hash set of visited states. Only elements of the current generation are in the set. */
static struct {
    State *states;
    uint32_t *generations;
    uint32_t size, count, generation;
} visited;

static uint64_t hash_state(const State *state) {
    uint64_t words[(sizeof *state + 7) / 8] = {0};
    memcpy(words, state, sizeof *state);
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool visit(const State *state);

static void grow(void) {
    State *states = visited.states;
    uint32_t *generations = visited.generations;
    const uint32_t size = visited.size;
    visited.size = size ? 2 * size : 1 << 14;
    visited.states = calloc(visited.size, sizeof *visited.states);
    visited.generations = calloc(visited.size, sizeof *visited.generations);
    if (!visited.states || !visited.generations) {
        abort();
    }
    visited.count = 0;
    for (uint32_t i = 0; i < size; ++i) {
        if (generations[i] == visited.generation) {
            visit(&states[i]);
        }
    }
    free(states);
    free(generations);
}

/* Marks a state as visited. Returns false if it was visited before. */
static bool visit(const State *state) {
    if (2 * visited.count >= visited.size) {
        grow();
    }
    uint32_t at = (uint32_t)hash_state(state) & (visited.size - 1);
    while (visited.generations[at] == visited.generation) {
        if (memcmp(&visited.states[at], state, sizeof *state) == 0) {
            return false;
        }
        at = (at + 1) & (visited.size - 1);
    }
    visited.states[at] = *state;
    visited.generations[at] = visited.generation;
    ++visited.count;
    return true;
}

static bool same_key(const Slot *slot, const Slot *form) {
    return slot->low == form->low && slot->high == form->high && slot->tag == form->tag;
}

/* Checks the table after all operations. Each slot must be free or have all words of a key, and no
 * key may have two slots. Returns an error or NULL. values: output, the value of each key. */
static const char *check_table(const Setting *setting, const Memory *memory, uint8_t *values) {
    for (uint32_t k = 0; k < KEYS; ++k) {
        values[k] = NONE;
    }
    if (setting->rows) {
        return check_rows(setting, memory, values);
    }
    bool seen[KEYS] = {false};
    for (uint32_t s = 0; s < SLOTS; ++s) {
        const Slot *slot = &memory->slots[s];
        const Slot unclaimed = {EMPTY, EMPTY, 0, NONE};
        if (memcmp(slot, &unclaimed, sizeof unclaimed) == 0) {
            continue;
        }
        bool known = false;
        for (uint8_t k = 0; k < KEYS; ++k) {
            const Slot form = stored_form(setting, k);
            if (!same_key(slot, &form)) {
                continue;
            }
            if (seen[k]) {
                return "a key has two slots";
            }
            if (setting->buckets && s / BUCKET != setting->keys[k].home / BUCKET &&
                !(memory->filter & 1u << setting->keys[k].home / BUCKET)) {
                return "a key in its second bucket has no bit in the filter";
            }
            known = seen[k] = true;
            values[k] = slot->value;
        }
        if (!known) {
            return "a slot holds no key, and is not free";
        }
    }
    return NULL;
}

/* Returns whether the operations give their results and the final values if run in this order. */
static bool explains(const Search *search, const State *state, const uint8_t *order,
                     const uint8_t *final) {
    uint8_t values[KEYS];
    memcpy(values, search->initial, sizeof values);
    for (uint32_t i = 0; i < search->scene->count; ++i) {
        const Operation *o = &state->operations[order[i]];
        uint8_t *value = &values[o->key];
        const uint8_t old = *value;
        Status status;
        switch ((Kind)o->kind) {
        case FIND:
            status = old != NONE ? FOUND : ABSENT;
            break;
        case ERASE:
        case FREE:
            status = old != NONE ? ERASED : ABSENT;
            *value = NONE;
            break;
        default:
            status = old != NONE ? EXISTED : INSERTED;
            *value = o->kind == KEEP && old != NONE ? old : o->value;
            break;
        }
        const bool tells = status == FOUND || status == ERASED ||
                           (status == EXISTED && search->scene->setting.rows);
        if (status != o->status || (tells && o->found != old)) {
            return false;
        }
    }
    return memcmp(values, final, sizeof values) == 0;
}

/* Searches for an order that explains all results. If A ended before B began, A comes first. */
static bool has_order(const Search *search, const State *state, uint8_t *order, uint32_t placed,
                      uint32_t used, const uint8_t *final) {
    const uint32_t count = search->scene->count;
    if (placed == count || placed == OPERATIONS) {
        return explains(search, state, order, final);
    }
    for (uint8_t i = 0; i < count; ++i) {
        if (!(used & 1u << i) && (state->operations[i].before & ~used) == 0) {
            order[placed] = i;
            if (has_order(search, state, order, placed + 1, used | 1u << i, final)) {
                return true;
            }
        }
    }
    return false;
}

static const char *check_end(const Search *search, const State *state) {
    uint8_t final[KEYS], order[OPERATIONS] = {0};
    const char *wrong = check_table(&search->scene->setting, &state->memory, final);
    if (!wrong && !has_order(search, state, order, 0, 0, final)) {
        wrong = "no order of the operations explains what they report";
    }
    return wrong;
}

static void describe(Search *search, const State *state, const char *wrong) {
    Verdict *verdict = search->verdict;
    verdict->wrong = wrong;
    size_t at = 0;
    for (uint32_t i = 0; i < search->depth && at + 16 < sizeof verdict->trace; ++i) {
        at += (size_t)snprintf(verdict->trace + at, sizeof verdict->trace - at, "%u:%u ",
                               search->path[i][0], search->path[i][1]);
    }
    for (uint32_t s = 0; s < SLOTS && at + 32 < sizeof verdict->trace; ++s) {
        const Slot *slot = &state->memory.slots[s];
        at += (size_t)snprintf(verdict->trace + at, sizeof verdict->trace - at, "{%u %u %u %u}",
                               slot->low, slot->high, slot->tag, slot->value);
    }
}

static void start(const Search *search, State *state, uint32_t i) {
    Operation *operation = &state->operations[i];
    operation->started = 1;
    operation->slot = search->scene->setting.keys[operation->key].home;
    const Setting *setting = &search->scene->setting;
    if (operation->kind == FIND || operation->kind == ERASE ||
        (setting->rows && setting->fault != FAULT_ROW_SEEN_BEFORE)) {
        operation->start = state->memory;
    }
    for (uint32_t j = 0; j < search->scene->count; ++j) {
        if (state->operations[j].phase == DONE) {
            operation->before |= (uint8_t)(1u << j);
        }
    }
}

/* Clears fields that later steps do not read, so that equivalent states compare equal. */
static void tidy(Operation *operation) {
    if (operation->phase == DONE) {
        memset(&operation->seen, 0, sizeof operation->seen);
    }
    if (operation->phase == DONE || operation->phase == UPDATE) {
        memset(&operation->start, 0, sizeof operation->start);
    }
    if (operation->phase <= FILTER || operation->phase == UPDATE) {
        memset(&operation->seen, 0, sizeof operation->seen);
    }
}

static void search_from(Search *search, const State *state) {
    if (search->verdict->wrong || search->depth == DEPTH || !visit(state)) {
        return;
    }
    ++search->verdict->states;
    bool done = true;
    for (uint32_t i = 0; i < search->scene->count; ++i) {
        if (state->operations[i].phase == DONE) {
            continue;
        }
        done = false;
        State begun = *state;
        if (!begun.operations[i].started) {
            start(search, &begun, i);
        }
        const uint32_t choices = step_choices(&begun.operations[i], &begun.memory);
        for (uint32_t mask = 0; mask < 32; ++mask) {
            if (mask & ~choices) {
                continue;
            }
            State next = begun;
            search->path[search->depth][0] = (uint8_t)i;
            search->path[search->depth][1] = (uint8_t)mask;
            ++search->depth;
            step(&search->scene->setting, &next.operations[i], &next.memory, mask);
            tidy(&next.operations[i]);
            search_from(search, &next);
            --search->depth;
        }
    }
    if (done) {
        const char *wrong = check_end(search, state);
        if (wrong) {
            describe(search, state, wrong);
        }
    }
}

static Operation make_operation(Wish wish, uint32_t index) {
    return (Operation){.kind = (uint8_t)wish.kind, .key = wish.key, .value = (uint8_t)(index + 1)};
}

Verdict explore(const Scene *scene) {
    Verdict verdict = {0};
    Search search = {.scene = scene, .verdict = &verdict};
    State state;
    memset(&state, 0, sizeof state);
    for (uint32_t s = 0; s < SLOTS; ++s) {
        state.memory.slots[s] = (Slot){EMPTY, EMPTY, 0, NONE};
    }
    for (uint32_t i = 0; i < scene->beforeCount; ++i) {
        Operation operation = make_operation(scene->before[i], OPERATIONS + i);
        operation.started = 1;
        operation.slot = scene->setting.keys[operation.key].home;
        operation.start = state.memory;
        while (operation.phase != DONE) {
            step(&scene->setting, &operation, &state.memory,
                 step_choices(&operation, &state.memory));
            if (operation.kind != FIND) {
                operation.start = state.memory;
            }
        }
    }
    verdict.wrong = check_table(&scene->setting, &state.memory, search.initial);
    for (uint32_t i = 0; i < scene->count; ++i) {
        state.operations[i] = make_operation(scene->wishes[i], i);
        state.operations[i].start = state.memory;
    }
    ++visited.generation;
    visited.count = 0;
    search_from(&search, &state);
    return verdict;
}
