/* Host tables with rows as keys. Probing and its proof are those of shaders/murmuration/rows.glsl.
 * SPDX-License-Identifier: MIT */
#include "host_slot.h"

#include <murmuration/rows.h>

#include <string.h>

enum { ROW_KIND = HOST_COMPARED };

/* The search for a row, with the current slot of its probe. */
typedef struct Probe {
    HostView view;
    const MurHostRows *rows;
    uint32_t row, hash, home, slot;
    uint64_t left;
    uint32_t there; /* number of the row in the current slot, or MUR_EMPTY */
} Probe;

static const uint32_t *row_at(const Probe *probe, uint32_t row) {
    const size_t stride = MUR_ROW_STRIDE(probe->rows->flags);
    return row == MUR_ROW_QUERY ? probe->rows->pQuery : probe->rows->pRows + row * stride;
}

static uint32_t hash_of(const Probe *probe) {
    const uint32_t words = MUR_ROW_WORDS(probe->rows->flags);
    if (words == 0) {
        return probe->rows->pfnHash(probe->rows->pUserData, probe->row);
    }
    uint32_t hash = 0;
    for (uint32_t i = 0; i < words || i % 4 != 0; ++i) {
        hash = mur_hash_word(hash, i < words ? row_at(probe, probe->row)[i] : 0);
    }
    return hash;
}

/* Returns whether the searched row equals the row with this number, which is from table memory and
 * may be out of range. */
static bool is_equal(const Probe *probe, uint32_t row) {
    const MurHostRows *rows = probe->rows;
    if (row >= rows->rowCount || row == probe->row) {
        return row < rows->rowCount;
    }
    const size_t words = MUR_ROW_WORDS(rows->flags);
    return words == 0 ? rows->pfnEqual(rows->pUserData, probe->row, row)
                      : memcmp(row_at(probe, probe->row), row_at(probe, row), 4 * words) == 0;
}

/* Returns whether the rows of table and array have the same size and stride. Only the flags of the
 * table may be from a file, and wrong. */
static bool is_array_of(const MurHostTable *table, const MurHostRows *rows) {
    const uint32_t flags = table->ref.flags, format = MUR_TABLE_FORMAT(flags);
    return format == MUR_FORMAT_R32 && MUR_ROW_WORDS(flags) == MUR_ROW_WORDS(rows->flags) &&
           MUR_ROW_STRIDE(flags) == MUR_ROW_STRIDE(rows->flags);
}

/* Begins a probe for a row. If the row or the table is invalid, the probe has no slots. */
static Probe begin(const MurHostTable *table, const MurHostRows *rows, uint32_t row) {
    Probe probe = {host_view(table), rows, .row = row};
    const bool there = row == MUR_ROW_QUERY ? MUR_ROW_WORDS(rows->flags) == 0 || rows->pQuery
                                            : row < rows->rowCount;
    if (there && is_array_of(table, rows)) {
        probe.hash = mur_row_stored(hash_of(&probe), table->ref.seed);
        probe.home = probe.slot = mur_home(probe.hash, table->ref.capacity);
        probe.left = host_reach(&probe.view, ROW_KIND, probe.home);
    }
    return probe;
}

/* Moves the probe to the first slot, from the current slot on, that is free or has an equal row.
 * Returns false if there is no such slot. */
static bool next(Probe *probe) {
    for (; probe->left != 0; --probe->left, probe->slot = host_next(&probe->view, probe->slot)) {
        const uint64_t words = host_key_words(ROW_KIND,
                                              host_slot(&probe->view, ROW_KIND, probe->slot));
        const uint64_t hash = words >> 32;
        probe->there = (uint32_t)words;
        if (probe->there == MUR_EMPTY ||
            (probe->there != MUR_TOMB && (hash == 0 || hash == probe->hash) &&
             is_equal(probe, probe->there))) {
            return true;
        }
    }
    return false;
}

static const MurHostResult absent_row = {MUR_NO_ROW, MUR_ABSENT, MUR_NO_SLOT};

/* Finds the row, or erases it. */
static MurHostResult look(Probe probe, bool erases) {
    while (next(&probe) && probe.there != MUR_EMPTY) {
        const HostAt at = host_slot(&probe.view, ROW_KIND, probe.slot);
        if (!erases || host_swap_key(ROW_KIND, at, probe.there, MUR_TOMB) == probe.there) {
            return (MurHostResult){probe.there, erases ? MUR_ERASED : MUR_FOUND, probe.slot};
        }
    }
    return absent_row;
}

MurHostResult murHostFindRow(const MurHostTable *pTable, const MurHostRows *pRows, uint32_t row) {
    return look(begin(pTable, pRows, row), false);
}

MurHostResult murHostEraseRow(const MurHostTable *pTable, const MurHostRows *pRows, uint32_t row) {
    return look(begin(pTable, pRows, row), true);
}

MurHostResult murHostInsertRow(const MurHostTable *pTable, const MurHostRows *pRows, uint32_t row) {
    MurHostResult result = absent_row;
    Probe probe = begin(pTable, pRows, row);
    if (!is_array_of(pTable, pRows)) {
        result.status = MUR_UNSUPPORTED;
        return result;
    }
    const bool refused = probe.left == 0 || row == MUR_ROW_QUERY;
    while (!refused && next(&probe)) {
        if (probe.there != MUR_EMPTY) {
            return (MurHostResult){probe.there, MUR_EXISTED, probe.slot};
        }
        const HostAt at = host_slot(&probe.view, ROW_KIND, probe.slot);
        host_note_claim(&probe.view, probe.home, probe.slot);
        if (host_swap_key(ROW_KIND, at, MUR_EMPTY, row) == MUR_EMPTY) {
            atomic_store_explicit(host_word(at.key, 1), probe.hash, memory_order_release);
            return (MurHostResult){row, MUR_INSERTED, probe.slot};
        }
    }
    host_count(&probe.view, refused ? MUR_HEADER_INVALID_VALUES : MUR_HEADER_FAILED_INSERTS);
    result.status = refused ? MUR_INVALID_VALUE : MUR_FULL;
    return result;
}
