/* barriers FILE.spv... [-w FILE.spv...]: finds shared memory that needs a barrier() and has none,
 * and accesses outside of arrays in shared memory. Follows all paths of an optimized compute shader
 * (one function) with the accesses since the last barrier. A variable, or an element of an array,
 * needs a barrier
 *   - between a write or an atomic and a read,
 *   - between a write and an atomic,
 *   - between a read or an atomic and a write by one invocation, under a comparison of its index.
 * Elements of one computed index belong to one invocation. Elements of two computed indices may be
 * the same, except in files after -w, and except for the third rule. Compare-and-swap needs no
 * barrier, because it detects changes itself.
 * An access is outside of its array if its index is a too large constant. It is also reported if
 * its index is computed and the array has one element: some formats do not use such arrays.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_WORDS = 1 << 20,
    COMPUTED = 1 << 30, /* plus an id: an index that is not constant */
    MAX_IDS = 1 << 18,
    MAX_SITES = 512,
    MAX_BLOCKS = 8192,
    PARTS = 32,
    SPECIALIZED = 256 /* workgroup size, specialization constant 0 */
};

enum {
    OP_ENTRY_POINT = 15,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT_FALSE = 42,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_OP = 52,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_CALL = 57,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_DECORATE = 71,
    OP_AND = 167,
    OP_SELECT = 169,
    OP_EQUAL = 170,
    OP_BARRIER = 224,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_COMPARE_EXCHANGE = 230,
    OP_ATOMIC_XOR = 242,
    OP_PHI = 245,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_SWITCH = 251,
    OP_LAST_END = 255,
    SHARED = 4,  /* storage class */
    SPEC_ID = 1, /* decorations */
    BUILT_IN = 11,
    LOCAL_INDEX = 29, /* built-in */
    LOCAL_SIZE = 17   /* execution mode */
};

typedef enum Access { READ, WRITE, ATOMIC } Access;

typedef struct Site {                    /* an access of shared memory */
    uint32_t at, variable, index, guard; /* guard: 1 + the only invocation that executes it */
    Access access;
} Site;

typedef struct State { /* accesses since the last barrier */
    bool reached;
    uint64_t sites[MAX_SITES / 64];
} State;

static uint32_t words[MAX_WORDS], wordCount;
static uint32_t definitions[MAX_IDS]; /* offset of an id's definition */
static uint32_t localIndex, entry;
static Site sites[MAX_SITES];
static uint32_t siteCount, faults;
static bool wordsOnly;
static bool reported[MAX_SITES][MAX_SITES]; /* reported pairs of sites */
static bool outside[MAX_SITES];             /* reported sites outside of their arrays */
static const char *path;

static uint32_t op(uint32_t at) {
    return words[at] & 0xFFFF;
}

static uint32_t next(uint32_t at) {
    return at + (words[at] >> 16);
}

static void die(const char *why) {
    fprintf(stderr, "%s: %s\n", path, why);
    exit(2);
}

/* Returns the variable of a pointer. */
static uint32_t root(uint32_t id) {
    while (op(definitions[id]) == OP_ACCESS_CHAIN) {
        id = words[definitions[id] + 3];
    }
    return id;
}

/* If a condition can be true for only one invocation, returns 1 + its index; otherwise 0. */
static uint32_t only(uint32_t id) {
    const uint32_t at = definitions[id], *operands = words + at + 3;
    switch (op(at)) {
    case OP_EQUAL:
        for (uint32_t i = 0; i < 2; ++i) {
            const uint32_t index = definitions[operands[i]];
            const uint32_t other = definitions[operands[1 - i]];
            if (op(index) == OP_LOAD && words[index + 3] == localIndex &&
                op(other) == OP_CONSTANT) {
                return words[other + 3] + 1;
            }
        }
        return 0;
    case OP_AND:
        return only(operands[0]) ? only(operands[0]) : only(operands[1]);
    case OP_PHI: { /* a && b: the block of a's value ends with a branch on a */
        uint32_t end = definitions[operands[1]];
        while (op(end) < OP_BRANCH || op(end) > OP_LAST_END) {
            end = next(end);
        }
        if (op(end) == OP_BRANCH_CONDITIONAL && words[end + 1] == operands[0]) {
            return only(operands[0]) ? only(operands[0]) : only(operands[2]);
        }
        return 0;
    }
    default:
        return 0;
    }
}

static void report(const Site *first, const Site *second) {
    static const char *const verbs[] = {"read", "written", "changed by an atomic"};
    fprintf(stderr, "%s: shared variable %%%u is %s, then %s, without a barrier between\n", path,
            first->variable, verbs[first->access], verbs[second->access]);
    ++faults;
}

/* Returns the value of a constant with the defaults of specialization constants; UINT32_MAX if it
 * is not known. */
static uint32_t value_of(uint32_t id) {
    const uint32_t at = definitions[id];
    switch (op(at)) {
    case OP_CONSTANT_TRUE:
        return 1;
    case OP_CONSTANT_FALSE:
        return 0;
    case OP_CONSTANT:
    case OP_SPEC_CONSTANT:
        return words[at + 3];
    case OP_SPEC_CONSTANT_OP:
        if (words[at + 3] == OP_SELECT && value_of(words[at + 4]) != UINT32_MAX) {
            return value_of(words[at + (value_of(words[at + 4]) ? 5 : 6)]);
        }
        return UINT32_MAX;
    default:
        return UINT32_MAX;
    }
}

/* Returns the length of a variable that is an array; UINT32_MAX if it is not known. */
static uint32_t length_of(uint32_t variable) {
    const uint32_t pointer = definitions[words[definitions[variable] + 1]];
    const uint32_t array = definitions[words[pointer + 3]];
    return op(array) == OP_TYPE_ARRAY ? value_of(words[array + 3]) : UINT32_MAX;
}

static void check_bounds(const Site *site) {
    const uint32_t length = length_of(site->variable);
    if (!outside[site - sites] && (site->index & COMPUTED ? length == 1 : site->index >= length)) {
        outside[site - sites] = true;
        fprintf(stderr, "%s: an access of shared variable %%%u is outside of its array\n", path,
                site->variable);
        ++faults;
    }
}

static bool needs_barrier(const Site *first, const Site *second) {
    const bool computed = ((first->index | second->index) & COMPUTED) != 0;
    if (first->variable != second->variable || (first->guard && first->guard == second->guard) ||
        (computed ? wordsOnly || first->index == second->index : first->index != second->index)) {
        return false;
    }
    return second->access == READ     ? first->access != READ
           : second->access == ATOMIC ? first->access == WRITE
                                      : first->access != WRITE && second->guard && !computed;
}

static void access_at(State *state, uint32_t at, uint32_t pointer, Access access, uint32_t guard) {
    Site site = {.at = at, .variable = root(pointer), .guard = guard, .access = access};
    if (op(definitions[site.variable]) != OP_VARIABLE ||
        words[definitions[site.variable] + 3] != SHARED) {
        return;
    }
    const uint32_t chain = definitions[pointer];
    if (op(chain) == OP_ACCESS_CHAIN) {
        const uint32_t index = definitions[words[chain + 4]];
        site.index = op(index) == OP_CONSTANT ? words[index + 3] : COMPUTED | words[chain + 4];
    }
    uint32_t i = 0;
    while (i < siteCount && memcmp(&sites[i], &site, sizeof site) != 0) {
        ++i;
    }
    if (i == MAX_SITES) {
        die("too many accesses");
    }
    siteCount += i == siteCount;
    sites[i] = site;
    check_bounds(&sites[i]);
    for (uint32_t j = 0; j < siteCount; ++j) {
        if ((state->sites[j / 64] >> j % 64 & 1) && needs_barrier(&sites[j], &site) &&
            !reported[j][i]) {
            reported[j][i] = true;
            report(&sites[j], &site);
        }
    }
    state->sites[i / 64] |= 1ull << i % 64;
}

typedef struct Block {
    uint32_t label, guard;
    State state;
} Block;

static bool join(State *into, const State *from) {
    State old = *into;
    into->reached = true;
    for (uint32_t i = 0; i < MAX_SITES / 64; ++i) {
        into->sites[i] |= from->sites[i];
    }
    return memcmp(&old, into, sizeof old) != 0;
}

/* Returns the offset of a branch's first label. In a switch, literals are between the labels. */
static uint32_t first_label(uint32_t end) {
    return op(end) == OP_BRANCH                                       ? end + 1
           : op(end) == OP_BRANCH_CONDITIONAL || op(end) == OP_SWITCH ? end + 2
                                                                      : next(end);
}

static uint32_t label_step(uint32_t end) {
    return op(end) == OP_SWITCH ? 2 : 1;
}

static Block *block_of(Block *blocks, uint32_t label) {
    while (blocks->label != label) {
        ++blocks;
    }
    return blocks;
}

/* Follows one block of the shader, and updates its accesses. Returns the offset of its end. */
static uint32_t run_block(uint32_t at, State *state, uint32_t guard) {
    for (;; at = next(at)) {
        const uint32_t code = op(at), *operands = words + at + 1;
        if (code == OP_LOAD) {
            access_at(state, at, operands[2], READ, guard);
        } else if (code == OP_STORE) {
            access_at(state, at, operands[0], WRITE, guard);
        } else if (code >= OP_ATOMIC_LOAD && code <= OP_ATOMIC_XOR && code != OP_COMPARE_EXCHANGE) {
            access_at(state, at, operands[code == OP_ATOMIC_STORE ? 0 : 2], ATOMIC, guard);
        } else if (code == OP_BARRIER) {
            memset(state->sites, 0, sizeof state->sites);
        } else if (code == OP_CALL) {
            die("has a call, expected optimized code");
        } else if (code >= OP_BRANCH && code <= OP_LAST_END) {
            return at;
        }
    }
}

/* Marks the blocks from label to the merge block as executed by one invocation. */
static void mark(Block *blocks, uint32_t label, uint32_t merge, uint32_t guard) {
    Block *block = block_of(blocks, label);
    if (label == merge || block->guard == guard) {
        return;
    }
    block->guard = guard;
    uint32_t end = definitions[label];
    while (op(end) < OP_BRANCH || op(end) > OP_LAST_END) {
        end = next(end);
    }
    for (uint32_t i = first_label(end); i < next(end); i += label_step(end)) {
        mark(blocks, words[i], merge, guard);
    }
}

static uint32_t list_blocks(Block *blocks) {
    uint32_t count = 0;
    for (uint32_t at = definitions[entry]; op(at) != OP_FUNCTION_END; at = next(at)) {
        if (count == MAX_BLOCKS) {
            die("too many blocks");
        }
        if (op(at) == OP_LABEL) {
            blocks[count++] = (Block){.label = words[at + 1]};
        }
    }
    for (uint32_t at = definitions[entry]; op(at) != OP_FUNCTION_END; at = next(at)) {
        const uint32_t branch = next(at);
        if (op(at) == OP_SELECTION_MERGE && op(branch) == OP_BRANCH_CONDITIONAL &&
            only(words[branch + 1])) {
            mark(blocks, words[branch + 2], words[at + 1], only(words[branch + 1]));
        }
    }
    return count;
}

/* Merges the state at a block's end into its successors. Returns whether one of them changed. */
static bool leave(Block *blocks, uint32_t end, const State *state) {
    bool changed = false;
    for (uint32_t i = first_label(end); i < next(end); i += label_step(end)) {
        changed = join(&block_of(blocks, words[i])->state, state) || changed;
    }
    return changed;
}

static void follow(void) {
    static Block blocks[MAX_BLOCKS];
    const uint32_t count = list_blocks(blocks);
    blocks[0].state.reached = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < count; ++b) {
            State now = blocks[b].state;
            if (now.reached) {
                const uint32_t end = run_block(definitions[blocks[b].label], &now, blocks[b].guard);
                changed = leave(blocks, end, &now) || changed;
            }
        }
    }
}

static void load(void) {
    FILE *file = fopen(path, "rb");
    wordCount = file ? (uint32_t)fread(words, 4, MAX_WORDS, file) : 0;
    if (!file || wordCount < 5 || wordCount == MAX_WORDS || words[3] > MAX_IDS) {
        die("cannot be read");
    }
    fclose(file);
    memset(definitions, 0, sizeof definitions);
    memset(reported, 0, sizeof reported);
    memset(outside, 0, sizeof outside);
    localIndex = entry = siteCount = 0;
}

static void examine(void) {
    for (uint32_t at = 5; at < wordCount; at = next(at)) {
        const uint32_t code = op(at), *operands = words + at + 1;
        if (code == OP_ENTRY_POINT) {
            entry = operands[1];
        } else if (code == OP_DECORATE && operands[1] == BUILT_IN && operands[2] == LOCAL_INDEX) {
            localIndex = operands[0];
        } else if (code == OP_LABEL || code == OP_TYPE_ARRAY || code == OP_TYPE_POINTER) {
            definitions[operands[0]] = at;
        } else if (code == OP_CONSTANT_TRUE || code == OP_CONSTANT_FALSE ||
                   code == OP_SPEC_CONSTANT || code == OP_SPEC_CONSTANT_OP || code == OP_CONSTANT ||
                   code == OP_FUNCTION || code == OP_VARIABLE || code == OP_LOAD ||
                   code == OP_ACCESS_CHAIN || code == OP_AND || code == OP_EQUAL ||
                   code == OP_PHI) {
            definitions[operands[1]] = at;
        }
    }
    if (localIndex) {
        follow();
    }
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; ++i) {
        path = argv[i];
        if (strcmp(path, "-w") == 0) {
            wordsOnly = true;
            continue;
        }
        load();
        examine();
        ++count;
    }
    printf("%d shaders, %u faults\n", count, faults);
    return faults != 0;
}
