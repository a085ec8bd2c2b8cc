/* Inserts, finds and erases of batches that are sorted by home slot first.
 * SPDX-License-Identifier: MIT */
#include "rows.h"

/* Returns whether the library sorts the batch. Inserts with MUR_MODE_INSERT, and into slots of 16
 * bytes, are faster unsorted. A build sorts the same batches as an insert. */
static bool is_sorted(const TableKind *kind, const Command *command) {
    return !command_inserts(command) ||
           (oracle_slot_words(kind->format) != 4 && command->mode != MUR_MODE_INSERT);
}

#define BATCH(name, ...) \
    { .kind = COMMAND_##name, .maxCount = count, __VA_ARGS__ }
#define EVEN(name, ...)    BATCH(name, .step = 2, __VA_ARGS__)
#define THIRD(name, ...)   BATCH(name, .first = 1, .step = 3, __VA_ARGS__)
#define COUNTED(gpuCount_) .counted = true, .gpuCount = gpuCount_
#define SETS_BITS          .statuses = true, .statusBits = true
#define ALL                SETS_BITS, .slots = true, .values = !set

/* Adds batches of two sets of keys. Every sixth key is in both sets. */
static void life(Rows *rows, const TableKind *kind, uint32_t capacity, uint32_t count) {
    const bool set = kind_is_set(kind);
    const MurInsertMode own = set ? MUR_MODE_INSERT : kind->zero ? MUR_MODE_ADD : MUR_MODE_MIN;
    const MurInsertMode last = set ? MUR_MODE_INSERT : MUR_MODE_UPDATE;
    Sequence row = {
        .name = kind->name,
        .keys = {.style = KEYS_HARD},
        .tables = {{.kind = kind, .capacity = capacity}},
        .commands =
            {
                EVEN(INSERT, .statuses = true, .slots = true, .invalid = 17),
                THIRD(INSERT, .salt = 1),
                EVEN(INSERT, COUNTED(count / 2 + 1), .slots = true, .oldValues = !set,
                     .mode = MUR_MODE_INSERT),
                THIRD(INSERT, SETS_BITS, .oldValues = !set, .mode = own, .salt = 2, .invalid = 17),
                EVEN(FIND, ALL),
                THIRD(FIND, COUNTED(count / 3 + 1), ALL),
                THIRD(ERASE, COUNTED(count / 2 + 1), ALL),
                EVEN(FIND, .values = !set, .slots = set),
                EVEN(ERASE, COUNTED(UINT32_MAX), .mode = 0),
                THIRD(ERASE, .statusBits = true),
                THIRD(INSERT, COUNTED(count / 3 + 1), SETS_BITS, .salt = 3),
                THIRD(INSERT, SETS_BITS, .oldValues = !set, .mode = last, .salt = 4),
                EVEN(INSERT, .statuses = true, .slots = true, .salt = 5),
                EVEN(BUILD, .statuses = true, .salt = 6),
            },
    };
    for (Command *command = row.commands; command->kind; ++command) {
        command->way = WAY_SORTED;
        command->scratch = is_sorted(kind, command) ? SCRATCH_USED : SCRATCH_NONE;
        command->fit = set ? FIT_PERHAPS : FIT_ALL; /* in sets, erased keys occupy slots */
    }
    row_add(rows, &row);
}

ROWS_OF_EACH(sorted_batches_give_the_same_results, for_each_linear_kind) {
    life(*rows, kind, 20000, 5000);
}

ROWS(sorted_batches_have_counts_around_a_tile) {
    const uint32_t tile = MUR_SORT_ITEMS * 512;
    const uint32_t counts[] = {1, 2, tile - 1, tile, tile + 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        life(*rows, layout_kind(LAYOUT_k32v32_64, false), 4 * counts[i] + 50, counts[i]);
        life(*rows, layout_kind(LAYOUT_k64v64, false), 4 * counts[i] + 50, counts[i]);
    }
}

ROWS(sorted_batches_have_capacities_around_the_bins) {
    const uint32_t capacities[] = {4, MUR_SORT_BINS - 1, MUR_SORT_BINS, MUR_SORT_BINS + 1, 65537};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        const uint32_t count = capacities[i] / 4 < 500 ? capacities[i] / 4 : 500;
        life(*rows, layout_kind(LAYOUT_k32v32_64, false), capacities[i], count);
    }
}

/* In any order of items, one item inserts each key, one item erases it, and sums are exact. */
ROWS_OF_EACH(sorted_batches_repeat_keys, for_each_linear_kind) {
    static const MurInsertMode modes[] = {MUR_MODE_ADD, MUR_MODE_MAX, MUR_MODE_OR, MUR_MODE_ASSIGN};
    for (uint32_t i = 0; i < 4; ++i) {
        if (kind_offers(kind, modes[i])) {
            ROW(.name = kind->name, .tables = {{.kind = kind, .capacity = 5000}},
                .commands = {{.kind = COMMAND_INSERT,
                              .maxCount = 6000,
                              .turn = 7,
                              .mode = modes[i],
                              .statuses = true,
                              .way = WAY_SORTED},
                             {.kind = COMMAND_ERASE,
                              .maxCount = 6000,
                              .turn = 7,
                              .statuses = true,
                              .way = WAY_SORTED,
                              .scratch = SCRATCH_USED}});
        }
    }
}

ROWS(sorted_batch_with_too_little_scratch_memory_is_direct) {
    ROW(.tables = {{.capacity = 1000}}, .commands = {{.kind = COMMAND_INSERT,
                                                      .maxCount = 112,
                                                      .statuses = true,
                                                      .way = WAY_SORTED,
                                                      .scratch = SCRATCH_USED},
                                                     {.kind = COMMAND_INSERT,
                                                      .maxCount = 112,
                                                      .statuses = true,
                                                      .way = WAY_SORTED,
                                                      .scratch = SCRATCH_SHORT},
                                                     {.kind = COMMAND_ERASE,
                                                      .maxCount = 112,
                                                      .values = true,
                                                      .slots = true,
                                                      .way = WAY_SORTED,
                                                      .scratch = SCRATCH_SHORT}});
}
